/* SPDX-License-Identifier: Apache-2.0 */
/*
 * router: two Tensix tiles of each chip send packets to all others, over any number of links. Routes are shortest among
 * those that first go up and then down: a link goes up to the chip that is nearer to chip 0, or has the lower number.
 * So no packets wait for each other in a circle, in any system.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/systems/links.h"
#include "cli/workloads/grid.h"
#include "images.h"
#include "tile/arch.h"
#include "tilefarm_router_layout.h"

#define CHIPS TF_CLUSTER_CHIPS_MAX
#define TILES_MAX (CHIPS * TF_R_SENDERS)
#define SCALE_MAX 16u

struct router {
    const struct tf_cluster *cluster;
    struct tf_workload_options options; /* scale filled in */
    unsigned tiles;
    uint32_t level[CHIPS];             /* links between a chip and chip 0 */
    uint32_t sends[CHIPS][TF_R_PORTS]; /* packets over the link of a port */
    uint32_t receives[CHIPS][TF_R_PORTS];
};

/* ---- Routes ---- */

/* The link of a port of a chip that is number `index` among its links. Returns false if there is none. */
static bool link_of(const struct tf_cluster *cluster, unsigned chip, unsigned index, struct tf_cluster_end *from,
                    struct tf_cluster_end *to)
{
    for (unsigned i = 0; i < 2 * cluster->links; i++) {
        const struct tf_cluster_end *end = cluster->link[i / 2].end;
        if (end[i % 2].chip != chip || index-- != 0)
            continue;
        *from = end[i % 2];
        *to = end[1 - i % 2];
        return true;
    }
    return false;
}

/* Find the level of each chip. Returns false if links do not join all chips. */
static bool find_levels(struct router *router)
{
    struct tf_cluster_end from, to;
    unsigned queue[CHIPS] = {0}, count = 1;
    memset(router->level, 0xFF, sizeof router->level);
    router->level[0] = 0;
    for (unsigned next = 0; next < count; next++)
        for (unsigned i = 0; link_of(router->cluster, queue[next], i, &from, &to); i++)
            if (router->level[to.chip] == UINT32_MAX) {
                router->level[to.chip] = router->level[from.chip] + 1;
                queue[count++] = to.chip;
            }
    return count == router->cluster->chips;
}

static bool goes_up(const struct router *router, unsigned from, unsigned to)
{
    const uint32_t a = router->level[from], b = router->level[to];
    return b < a || (b == a && to < from);
}

/* A chip that a search has reached, before or after it went down. */
struct reached {
    bool known;
    unsigned before; /* the state before: 2 * chip + down */
};

/* The chips of a shortest route, without the first one. Returns their number. */
static unsigned find_route(const struct router *router, unsigned source, unsigned target, unsigned chip[TF_R_HOPS])
{
    struct reached reached[2 * CHIPS] = {{.known = false}};
    struct tf_cluster_end from, to;
    unsigned queue[2 * CHIPS], count = 1, next = 0, hops = 0;
    queue[0] = 2 * source;
    reached[2 * source].known = true;
    for (; next < count && queue[next] / 2 != target; next++)
        for (unsigned i = 0; link_of(router->cluster, queue[next] / 2, i, &from, &to); i++) {
            const bool up = goes_up(router, from.chip, to.chip);
            const unsigned state = 2 * to.chip + !up;
            if ((up && queue[next] % 2 != 0) || reached[state].known)
                continue;
            reached[state] = (struct reached){true, queue[next]};
            queue[count++] = state;
        }
    if (next == count)
        return 0;
    for (unsigned state = queue[next]; state != 2 * source; state = reached[state].before)
        hops++;
    unsigned at = hops;
    for (unsigned state = queue[next]; state != 2 * source && hops <= TF_R_HOPS; state = reached[state].before)
        chip[--at] = state / 2;
    return hops;
}

/* One of the links from a chip to the next one. */
static struct tf_cluster_end leave_by(const struct router *router, unsigned chip, unsigned next, unsigned choice,
                                      struct tf_cluster_end *other)
{
    struct tf_cluster_end from = {0, 0}, to;
    unsigned count = 0;
    for (unsigned i = 0; link_of(router->cluster, chip, i, &from, &to); i++)
        count += to.chip == next;
    for (unsigned i = 0, left = choice % count; link_of(router->cluster, chip, i, &from, &to); i++)
        if (to.chip == next && left-- == 0)
            break;
    *other = to;
    return from;
}

/* ---- Places ---- */

static struct tf_chip *chip_of(struct tf_system *system, unsigned sender)
{
    return tf_system_chip(system, sender / TF_R_SENDERS);
}

/* The tile of a sender: the first or the last one of its chip. */
static unsigned tile_of(struct tf_system *system, unsigned sender)
{
    struct tf_shape shape;
    tf_arch_shape(tf_chip_arch(chip_of(system, sender)), &shape);
    return sender % TF_R_SENDERS == 0 ? 0 : shape.tensix_tiles - 1;
}

static struct tf_coord place_of_port(struct tf_system *system, struct tf_cluster_end port)
{
    struct tf_coord coord = {0, 0};
    tf_port_coord(tf_chip_arch(tf_system_chip(system, port.chip)), port.port, &coord);
    return coord;
}

/* ---- Setting up ---- */

/* The header of packets from one sender to another one, and what they add to the traffic of links. */
static bool make_header(struct router *router, struct tf_system *system, unsigned from, unsigned to,
                        struct tf_router_header *header)
{
    unsigned chip[TF_R_HOPS];
    const unsigned source = from / TF_R_SENDERS, target = to / TF_R_SENDERS;
    *header = (struct tf_router_header){.at = 1};
    header->xy = tf_links_tile_xy(tf_chip_arch(chip_of(system, to)), tile_of(system, to));
    header->hops = source == target ? 0 : find_route(router, source, target, chip);
    if (header->hops > TF_R_HOPS || (source != target && header->hops == 0))
        return false;
    for (unsigned i = 0, at = source; i < header->hops; at = chip[i++]) {
        struct tf_cluster_end end, other;
        end = leave_by(router, at, chip[i], from + to, &other);
        const struct tf_coord coord = place_of_port(system, end);
        header->hop[i] = TF_R_HOP(coord.x, coord.y, end.port);
        router->sends[end.chip][end.port] += router->options.scale;
        router->receives[other.chip][other.port] += router->options.scale;
    }
    return true;
}

static int start_sender(struct router *router, struct tf_system *system, unsigned sender, struct tf_message *message)
{
    struct tf_chip *chip = chip_of(system, sender);
    const unsigned tile = tile_of(system, sender);
    const struct tf_router_tile_job job = {
        .magic = TF_R_MAGIC,
        .me = sender,
        .tiles = router->tiles,
        .producer = TF_R_PORTS + sender % TF_R_SENDERS,
        .seed = router->options.seed,
        .rounds = router->options.scale,
    };
    static const uint8_t zero[TF_R_TILE_PACKET - TF_R_TILE_JOB];
    struct tf_coord coord = {0, 0};
    tf_tile_coord(tf_chip_arch(chip), tile, &coord);
    int error = tf_write(chip, coord, TF_R_TILE_JOB, zero, sizeof zero);
    if (error == TF_OK)
        error = tf_links_write_grid(chip, tile);
    if (error == TF_OK)
        error = tf_write(chip, coord, TF_R_TILE_JOB, &job, sizeof job);
    for (unsigned to = 0; to < router->tiles && error == TF_OK; to++) {
        struct tf_router_header header = {.hops = 0};
        if (to != sender && !make_header(router, system, sender, to, &header)) {
            snprintf(message->text, sizeof message->text, "a route from chip %u to chip %u has more than %u links",
                     sender / TF_R_SENDERS, to / TF_R_SENDERS, TF_R_HOPS);
            return TF_EINVAL;
        }
        error = tf_write(chip, coord, TF_R_TILE_HEADERS + to * TF_R_HEADER_BYTES, &header, sizeof header);
    }
    return error == TF_OK ? tf_links_start_core(chip, tile, tf_system_router.tile_program, 0, message) : error;
}

static int start_router(const struct router *router, struct tf_system *system, struct tf_cluster_end port,
                        struct tf_message *message)
{
    struct tf_chip *chip = tf_system_chip(system, port.chip);
    struct tf_router_job job = {
        .magic = TF_R_MAGIC,
        .port = port.port,
        .sends = router->sends[port.chip][port.port],
        .receives = router->receives[port.chip][port.port],
    };
    if (job.sends + job.receives == 0)
        return TF_OK;
    for (unsigned i = 0; i < TF_R_PORTS; i++) {
        const struct tf_coord coord = place_of_port(system, (struct tf_cluster_end){port.chip, (uint8_t)i});
        job.producer_xy[i] = coord.x | (uint32_t)coord.y << 6;
    }
    for (unsigned i = 0; i < TF_R_SENDERS; i++)
        job.producer_xy[TF_R_PORTS + i] = tf_links_tile_xy(tf_chip_arch(chip),
                                                           tile_of(system, port.chip * TF_R_SENDERS + i));
    int error = tf_links_clear(system, port, message);
    if (error == TF_OK)
        error = tf_links_write(system, port, TF_R_JOB, &job, sizeof job, message);
    return error == TF_OK ? tf_links_start_port(system, port, "router", message) : error;
}

static int setup(struct tf_system *system, const struct tf_workload_options *options, void **state,
                 struct tf_message *message)
{
    const struct tf_cluster *cluster = tf_system_cluster(system);
    struct router *router = calloc(1, sizeof *router);
    if (router == NULL)
        return TF_ENOMEM;
    *state = router;
    router->cluster = cluster;
    router->options = *options;
    router->tiles = cluster->chips * TF_R_SENDERS;
    if (router->options.scale == 0)
        router->options.scale = tf_system_router.scale_default;
    if (router->options.scale > SCALE_MAX) {
        snprintf(message->text, sizeof message->text, "its scale is at most %u", SCALE_MAX);
        return TF_EINVAL;
    }
    if (cluster->links == 0 || !find_levels(router)) {
        snprintf(message->text, sizeof message->text, "it needs chips that are all joined by links");
        return TF_EINVAL;
    }
    int error = TF_OK;
    for (unsigned i = 0; i < router->tiles && error == TF_OK; i++)
        error = start_sender(router, system, i, message);
    for (unsigned i = 0; i < 2 * cluster->links && error == TF_OK; i++)
        error = start_router(router, system, cluster->link[i / 2].end[i % 2], message);
    return error;
}

/* ---- Results ---- */

static int wrong_word(struct tf_message *message, struct tf_system *system, unsigned sender, const char *what,
                      uint32_t got, uint32_t expected)
{
    if (message != NULL)
        snprintf(message->text, sizeof message->text, "chip %u, tile %u: %s is 0x%08x, not 0x%08x",
                 sender / TF_R_SENDERS, tile_of(system, sender), what, got, expected);
    return TF_WORKLOAD_WRONG;
}

/* The data that a tile has got from another one. */
static int verify_data(const struct router *router, struct tf_system *system, unsigned to, unsigned from, uint32_t *sum,
                       struct tf_message *message)
{
    struct tf_coord coord = {0, 0};
    uint32_t data[SCALE_MAX * TF_R_DATA_BYTES / 4];
    const uint32_t rounds = router->options.scale, bytes = rounds * TF_R_DATA_BYTES;
    tf_tile_coord(tf_chip_arch(chip_of(system, to)), tile_of(system, to), &coord);
    int error = tf_read(chip_of(system, to), coord, TF_R_TILE_DATA + from * bytes, data, bytes);
    for (uint32_t i = 0; i < bytes / 4 && error == TF_OK; i++) {
        const uint32_t at = i * 4 % TF_R_DATA_BYTES;
        const uint32_t expected = tf_r_word(router->options.seed, from, to, i * 4 / TF_R_DATA_BYTES, at);
        *sum += expected;
        if (data[i] != expected)
            error = wrong_word(message, system, to, "a word of a packet", data[i], expected);
    }
    return error;
}

static int verify_sender(const struct router *router, struct tf_system *system, unsigned sender,
                         struct tf_message *message)
{
    struct tf_coord coord = {0, 0};
    uint32_t done = 0, sum = 0, got = 0;
    tf_tile_coord(tf_chip_arch(chip_of(system, sender)), tile_of(system, sender), &coord);
    int error = tf_read(chip_of(system, sender), coord, TF_K_DONE, &done, sizeof done);
    if (error == TF_OK && done != TF_K_DONE_MAGIC)
        return wrong_word(message, system, sender, "the done word of B", done, TF_K_DONE_MAGIC);
    for (unsigned from = 0; from < router->tiles && error == TF_OK; from++)
        if (from != sender)
            error = verify_data(router, system, sender, from, &sum, message);
    if (error == TF_OK)
        error = tf_read(chip_of(system, sender), coord, TF_R_TILE_RESULT, &got, sizeof got);
    return error == TF_OK && got != sum ? wrong_word(message, system, sender, "the sum", got, sum) : error;
}

static int verify(struct tf_system *system, void *state, struct tf_message *message)
{
    const struct router *router = state;
    int error = TF_OK;
    for (unsigned i = 0; i < router->tiles && error == TF_OK; i++)
        error = verify_sender(router, system, i, message);
    return error;
}

const struct tf_system_workload tf_system_router = {
    .name = "router",
    .summary = "packets between Tensix tiles of all chips: store and forward, credits in the overlay",
    .program = "router",
    .tile_program = "router",
    .scale_default = 4,
    .scale_max = SCALE_MAX,
    .scale_test = 1,
    .setup = setup,
    .verify = verify,
    .release = free,
};
