/* SPDX-License-Identifier: Apache-2.0 */
/* halo: a computation on squares of cells, one a chip. Neighbours exchange the cells of their sides in each round. */
#include <stdlib.h>
#include <string.h>

#include "cli/systems/links.h"
#include "tilefarm_halo_layout.h"

#define CELLS (TF_H_SIDE * TF_H_SIDE)

/* A neighbour of a chip: the chip's own port, the other chip, and the number of this border there. */
struct border {
    struct tf_cluster_end port;
    unsigned other, number;
};

struct halo {
    struct tf_links *links;
    unsigned borders[TF_CLUSTER_CHIPS_MAX];
    struct border border[TF_CLUSTER_CHIPS_MAX][TF_H_PORTS];
};

/* ---- Setting up ---- */

static bool are_neighbours(const struct halo *halo, unsigned a, unsigned b)
{
    for (unsigned i = 0; i < halo->borders[a]; i++)
        if (halo->border[a][i].other == b)
            return true;
    return false;
}

/* The first link between two chips makes them neighbours. */
static void find_borders(struct halo *halo, const struct tf_cluster *cluster)
{
    for (unsigned i = 0; i < cluster->links; i++) {
        const struct tf_cluster_end *end = cluster->link[i].end;
        const unsigned a = end[0].chip, b = end[1].chip;
        if (a == b || are_neighbours(halo, a, b) || halo->borders[a] == TF_H_PORTS || halo->borders[b] == TF_H_PORTS)
            continue;
        halo->border[a][halo->borders[a]] = (struct border){end[0], b, halo->borders[b]};
        halo->border[b][halo->borders[b]] = (struct border){end[1], a, halo->borders[a]};
        halo->borders[a]++;
        halo->borders[b]++;
    }
}

static uint32_t first_cell(uint32_t seed, unsigned chip, unsigned i)
{
    return tf_k_input(seed, chip, 4 * i);
}

static int start_tile(const struct halo *halo, struct tf_system *system, unsigned number, struct tf_message *message)
{
    static const uint8_t zero[TF_L_BUFFER - TF_K_SHARED];
    struct tf_chip *chip = tf_system_chip(system, number);
    struct tf_halo_job job = {.magic = TF_H_MAGIC,
                              .rounds = halo->links->options.scale,
                              .ports = halo->borders[number]};
    struct tf_coord coord = {0, 0};
    uint32_t cells[CELLS];
    for (unsigned i = 0; i < halo->borders[number]; i++)
        job.port_xy[i] = tf_links_port_xy(system, halo->border[number][i].port);
    for (unsigned i = 0; i < CELLS; i++)
        cells[i] = first_cell(halo->links->options.seed, number, i);
    tf_tile_coord(tf_chip_arch(chip), 0, &coord);
    int error = tf_links_write_grid(chip, 0);
    if (error == TF_OK)
        error = tf_write(chip, coord, TF_K_SHARED, zero, sizeof zero);
    if (error == TF_OK)
        error = tf_write(chip, coord, TF_H_JOB, &job, sizeof job);
    if (error == TF_OK)
        error = tf_write(chip, coord, TF_H_SQUARE(0), cells, sizeof cells);
    return error == TF_OK ? tf_links_start_core(chip, 0, tf_system_halo.tile_program, 0, message) : error;
}

static int start_chip(const struct halo *halo, struct tf_system *system, unsigned chip, struct tf_message *message)
{
    int error = TF_OK;
    for (unsigned i = 0; i < halo->borders[chip] && error == TF_OK; i++) {
        const struct tf_link_job job = {
            .role = TF_L_EXCHANGE,
            .chip = i,
            .other_xy = tf_links_tile_xy(tf_chip_arch(tf_system_chip(system, chip)), 0),
        };
        error = tf_links_start(system, halo->links, halo->border[chip][i].port, &job, message);
    }
    return error == TF_OK ? start_tile(halo, system, chip, message) : error;
}

static int setup(struct tf_system *system, const struct tf_workload_options *options, void **state,
                 struct tf_message *message)
{
    const struct tf_cluster *cluster = tf_system_cluster(system);
    int error;
    struct tf_links *links = tf_links_begin(system, &tf_system_halo, options, &error, message);
    if (links == NULL)
        return error;
    struct halo *halo = calloc(1, sizeof *halo);
    if (halo == NULL) {
        free(links);
        return TF_ENOMEM;
    }
    *state = halo;
    halo->links = links;
    links->bytes = TF_H_BYTES;
    find_borders(halo, cluster);
    for (unsigned chip = 0; chip < cluster->chips && error == TF_OK; chip++)
        error = start_chip(halo, system, chip, message);
    return error;
}

static void release(void *state)
{
    struct halo *halo = state;
    if (halo != NULL)
        free(halo->links);
    free(halo);
}

/* ---- Results ---- */

typedef uint32_t square[CELLS];

static void next_square(const struct halo *halo, square *const before, unsigned chip, square *after)
{
    uint32_t beyond[TF_H_SIDES][TF_H_SIDE] = {{0}};
    for (unsigned k = 0; k < halo->borders[chip]; k++) {
        const struct border *border = &halo->border[chip][k];
        for (unsigned i = 0; i < TF_H_SIDE; i++)
            beyond[TF_H_SIDE_OF(k)][i] += before[border->other][tf_h_cell(TF_H_SIDE_OF(border->number), i)];
    }
    for (unsigned i = 0; i < CELLS; i++)
        after[chip][i] = tf_h_next(before[chip], beyond, i / TF_H_SIDE, i % TF_H_SIDE);
}

/* Compute the squares of all chips after all rounds. NULL: too little memory. */
static square *expect(const struct halo *halo, unsigned chips)
{
    square *all = calloc(2 * (size_t)chips, sizeof *all);
    if (all == NULL)
        return NULL;
    for (unsigned chip = 0; chip < chips; chip++)
        for (unsigned i = 0; i < CELLS; i++)
            all[chip][i] = first_cell(halo->links->options.seed, chip, i);
    for (uint32_t round = 0; round < halo->links->options.scale; round++) {
        for (unsigned chip = 0; chip < chips; chip++)
            next_square(halo, all, chip, all + chips);
        memcpy(all, all + chips, chips * sizeof *all);
    }
    return all;
}

static int verify_chip(const struct halo *halo, struct tf_system *system, unsigned number, const square expected,
                       struct tf_message *message)
{
    struct tf_chip *chip = tf_system_chip(system, number);
    struct tf_coord coord = {0, 0};
    uint32_t done = 0;
    square got;
    tf_tile_coord(tf_chip_arch(chip), 0, &coord);
    int error = tf_read(chip, coord, TF_K_DONE, &done, sizeof done);
    if (error == TF_OK)
        error = tf_read(chip, coord, TF_H_SQUARE(halo->links->options.scale), got, sizeof got);
    if (error == TF_OK && done != TF_K_DONE_MAGIC) {
        snprintf(message->text, sizeof message->text, "chip %u: core B has not ended well", number);
        return TF_WORKLOAD_WRONG;
    }
    for (unsigned i = 0; i < CELLS && error == TF_OK; i++)
        if (got[i] != expected[i]) {
            snprintf(message->text, sizeof message->text, "chip %u, row %u, column %u: 0x%08x, not 0x%08x", number,
                     i / TF_H_SIDE, i % TF_H_SIDE, got[i], expected[i]);
            return TF_WORKLOAD_WRONG;
        }
    return error;
}

static int verify(struct tf_system *system, void *state, struct tf_message *message)
{
    const struct halo *halo = state;
    const unsigned chips = tf_system_cluster(system)->chips;
    int error = TF_OK;
    for (unsigned i = 0; i < halo->links->count && error == TF_OK; i++) {
        struct tf_link_result result;
        error = tf_links_result(system, halo->links->port[i], &result, message);
    }
    square *expected = error == TF_OK ? expect(halo, chips) : NULL;
    if (error == TF_OK && expected == NULL)
        return TF_ENOMEM;
    for (unsigned chip = 0; chip < chips && error == TF_OK; chip++)
        error = verify_chip(halo, system, chip, expected[chip], message);
    free(expected);
    return error;
}

const struct tf_system_workload tf_system_halo = {
    .name = "halo",
    .summary = "squares of cells, one a chip: neighbours exchange the cells of their sides in each round",
    .program = "link",
    .tile_program = "halo",
    .scale_default = 20,
    .scale_max = 10000,
    .scale_test = 3,
    .setup = setup,
    .verify = verify,
    .release = release,
};
