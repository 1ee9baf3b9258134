/* SPDX-License-Identifier: Apache-2.0 */
/* mesh-reduce: an all-reduce over a tree of links that spans the chips (tilefarm_mesh_layout.h). It needs no ring. */
#include <stdlib.h>
#include <string.h>

#include "cli/systems/links.h"
#include "tilefarm_mesh_layout.h"

#define WORDS (TF_M_BYTES / 4)

/* The links of a tree, as pairs of ends; distance: of a chip from where the last walk began. */
struct tree {
    unsigned links;
    const struct tf_cluster_end *link[TF_CLUSTER_CHIPS_MAX];
    unsigned distance[TF_CLUSTER_CHIPS_MAX];
};

struct mesh {
    struct tf_links *links;
    uint32_t rounds, steps;
};

/* ---- The tree ---- */

static unsigned degree(const struct tree *tree, unsigned chip)
{
    unsigned count = 0;
    for (unsigned i = 0; i < tree->links; i++)
        count += tree->link[i][0].chip == chip || tree->link[i][1].chip == chip;
    return count;
}

/* Walk from a chip over links, nearest chips first, and take the first link to each. Returns how far the farthest chip
   is, or UINT32_MAX if one is out of reach. */
static unsigned grow(struct tree *tree, const struct tf_cluster *cluster, unsigned root)
{
    bool in[TF_CLUSTER_CHIPS_MAX] = {false};
    unsigned order[TF_CLUSTER_CHIPS_MAX] = {root}, count = 1;
    tree->links = tree->distance[root] = 0;
    in[root] = true;
    for (unsigned next = 0; next < count; next++)
        for (unsigned i = 0; i < 2 * cluster->links; i++) {
            const struct tf_cluster_end *end = cluster->link[i / 2].end;
            const unsigned from = end[i % 2].chip, to = end[1 - i % 2].chip;
            if (from != order[next] || in[to] || degree(tree, from) == TF_M_PORTS)
                continue;
            in[to] = true;
            tree->distance[to] = tree->distance[from] + 1;
            tree->link[tree->links++] = end;
            order[count++] = to;
        }
    return count == cluster->chips ? tree->distance[order[count - 1]] : UINT32_MAX;
}

/* Count the links of the longest way in a tree: from the chip that is farthest from any other one. */
static unsigned longest_way(const struct tree *tree, unsigned chips)
{
    unsigned longest = 0;
    for (unsigned start = 0; start < chips; start++) {
        unsigned distance[TF_CLUSTER_CHIPS_MAX];
        memset(distance, 0xFF, sizeof distance);
        distance[start] = 0;
        for (unsigned steps = 0; steps < chips; steps++)
            for (unsigned i = 0; i < 2 * tree->links; i++) {
                const unsigned from = tree->link[i / 2][i % 2].chip, to = tree->link[i / 2][1 - i % 2].chip;
                if (distance[from] == steps && distance[to] == UINT32_MAX) {
                    distance[to] = steps + 1;
                    longest = steps + 1 > longest ? steps + 1 : longest;
                }
            }
    }
    return longest;
}

/* Find the flattest tree. Returns false if no tree spans the chips. */
static bool find_tree(const struct tf_cluster *cluster, struct tree *best)
{
    unsigned least = UINT32_MAX;
    for (unsigned root = 0; root < cluster->chips; root++) {
        struct tree tree;
        const unsigned depth = grow(&tree, cluster, root);
        if (depth >= least)
            continue;
        least = depth;
        *best = tree;
    }
    return least != UINT32_MAX;
}

/* ---- Setting up ---- */

/* Give the port of a chip its role. number: among the chip's ports in the tree. */
static int start_port(const struct mesh *mesh, struct tf_system *system, struct tf_cluster_end port, unsigned number,
                      struct tf_message *message)
{
    const struct tf_link_job job = {
        .role = TF_L_EXCHANGE,
        .chip = number,
        .other_xy = tf_links_tile_xy(tf_chip_arch(tf_system_chip(system, port.chip)), 0),
    };
    return tf_links_start(system, mesh->links, port, &job, message);
}

static int start_tile(struct tf_system *system, const struct tf_mesh_job *job, struct tf_message *message)
{
    static const uint8_t zero[TF_L_BUFFER - TF_K_SHARED];
    struct tf_chip *chip = tf_system_chip(system, job->chip);
    struct tf_coord coord = {0, 0};
    tf_tile_coord(tf_chip_arch(chip), 0, &coord);
    int error = tf_links_write_grid(chip, 0);
    if (error == TF_OK)
        error = tf_write(chip, coord, TF_K_SHARED, zero, sizeof zero);
    if (error == TF_OK)
        error = tf_write(chip, coord, TF_M_JOB, job, sizeof *job);
    return error == TF_OK ? tf_links_start_core(chip, 0, tf_system_mesh.tile_program, 0, message) : error;
}

static int start_chip(const struct mesh *mesh, struct tf_system *system, const struct tree *tree, unsigned chip,
                      struct tf_message *message)
{
    struct tf_mesh_job job = {.magic = TF_M_MAGIC,
                              .seed = mesh->links->options.seed,
                              .chip = chip,
                              .rounds = mesh->rounds,
                              .steps = mesh->steps};
    int error = TF_OK;
    for (unsigned i = 0; i < 2 * tree->links && error == TF_OK; i++) {
        const struct tf_cluster_end port = tree->link[i / 2][i % 2];
        if (port.chip != chip)
            continue;
        error = start_port(mesh, system, port, job.ports, message);
        job.port_xy[job.ports++] = tf_links_port_xy(system, port);
    }
    return error == TF_OK ? start_tile(system, &job, message) : error;
}

static void release(void *state)
{
    struct mesh *mesh = state;
    if (mesh != NULL)
        free(mesh->links);
    free(mesh);
}

static int setup(struct tf_system *system, const struct tf_workload_options *options, void **state,
                 struct tf_message *message)
{
    const struct tf_cluster *cluster = tf_system_cluster(system);
    struct tree tree;
    int error;
    struct tf_links *links = tf_links_begin(system, &tf_system_mesh, options, &error, message);
    if (links == NULL)
        return error;
    struct mesh *mesh = calloc(1, sizeof *mesh);
    if (mesh == NULL) {
        free(links);
        return TF_ENOMEM;
    }
    *state = mesh;
    mesh->links = links;
    if (!find_tree(cluster, &tree)) {
        snprintf(message->text, sizeof message->text, "links do not join all %u chips", cluster->chips);
        return TF_EINVAL;
    }
    mesh->rounds = links->options.scale;
    mesh->steps = longest_way(&tree, cluster->chips);
    links->options.scale = mesh->rounds * mesh->steps; /* rounds of the ports */
    links->bytes = TF_M_BYTES;
    for (unsigned chip = 0; chip < cluster->chips && error == TF_OK; chip++)
        error = start_chip(mesh, system, &tree, chip, message);
    return error;
}

/* ---- Results ---- */

/* The sum of all chips' data, of the last round, and what programs add up over the words of all rounds. */
static uint32_t expect(const struct mesh *mesh, unsigned chips, uint32_t word[WORDS])
{
    uint32_t sum = 0;
    for (uint32_t round = 0; round < mesh->rounds; round++) {
        memset(word, 0, TF_M_BYTES);
        for (unsigned i = 0; i < WORDS; i++) {
            for (unsigned chip = 0; chip < chips; chip++)
                word[i] += tf_k_input(mesh->links->options.seed + round, chip, 4 * i);
            sum += tf_k_mix(word[i] + 4 * i);
        }
    }
    return sum;
}

static int verify_chip(struct tf_system *system, unsigned number, const uint32_t expected[WORDS], uint32_t sum,
                       struct tf_message *message)
{
    struct tf_chip *chip = tf_system_chip(system, number);
    struct tf_coord coord = {0, 0};
    struct tf_mesh_job job;
    uint32_t done = 0, got[WORDS];
    tf_tile_coord(tf_chip_arch(chip), 0, &coord);
    int error = tf_read(chip, coord, TF_K_DONE, &done, sizeof done);
    if (error == TF_OK)
        error = tf_read(chip, coord, TF_M_JOB, &job, sizeof job);
    if (error == TF_OK)
        error = tf_read(chip, coord, TF_M_RESULT, got, sizeof got);
    if (error != TF_OK)
        return error;
    for (unsigned i = 0; i < WORDS; i++)
        if (got[i] != expected[i]) {
            snprintf(message->text, sizeof message->text, "chip %u, word %u: 0x%08x, not 0x%08x", number, i, got[i],
                     expected[i]);
            return TF_WORKLOAD_WRONG;
        }
    if (done == TF_K_DONE_MAGIC && job.sum == sum)
        return TF_OK;
    snprintf(message->text, sizeof message->text,
             done != TF_K_DONE_MAGIC ? "chip %u: core B has not ended well" : "chip %u: the sum of all rounds is wrong",
             number);
    return TF_WORKLOAD_WRONG;
}

static int verify(struct tf_system *system, void *state, struct tf_message *message)
{
    const struct mesh *mesh = state;
    const unsigned chips = tf_system_cluster(system)->chips;
    int error = TF_OK;
    for (unsigned i = 0; i < mesh->links->count && error == TF_OK; i++) {
        struct tf_link_result result;
        error = tf_links_result(system, mesh->links->port[i], &result, message);
    }
    uint32_t word[WORDS];
    const uint32_t sum = expect(mesh, chips, word);
    for (unsigned chip = 0; chip < chips && error == TF_OK; chip++)
        error = verify_chip(system, chip, word, sum, message);
    return error;
}

const struct tf_system_workload tf_system_mesh = {
    .name = "mesh-reduce",
    .summary = "an all-reduce over a tree of links that spans any mesh of chips",
    .program = "link",
    .tile_program = "mesh",
    .scale_default = 10,
    .scale_max = 10000,
    .scale_test = 2,
    .setup = setup,
    .verify = verify,
    .release = release,
};
