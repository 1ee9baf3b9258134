/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contention across links (tilefarm_contend_layout.h). E0 checks that a signalled message is there as a whole, with all
 * that was sent before it (R10). The answers of atomics tell all values of the words that links and tiles change: no
 * increment and no number of a message may be lost (R1). No raise of a stream may be lost (R6). Links carry each packet
 * once (R10), and the run ends when all programs have ended (R5, R9).
 */
#include "cli/systems/contend.h"

#include <stdlib.h>
#include <string.h>

#include "cli/systems/links.h"
#include "tile/arch.h"
#include "tile/overlay.h"
#include "tilefarm_contend_layout.h"
#include "tilefarm_layout.h"
#include "tilefarm_address.h"

#define TILES 4u /* of each chip */
#define WORDS 4u
#define STREAM_MASK 0x1FFFFu
#define PACKETS 5u /* for each message: data, line, stream, two signals */

/* An end of a link. */
struct port {
    struct tf_cluster_end at;
    uint32_t raised; /* its stream, before */
    uint32_t writes; /* to its stream, by tiles of its chip */
    uint32_t *value; /* what atomics found in each word of its line, in any order: room for all requests of a word */
    uint32_t count[WORDS];
};

struct contend {
    struct tf_links *links;
    uint32_t requests; /* of each tile */
    unsigned ports;
    struct port port[2 * TF_CLUSTER_LINKS_MAX];
    unsigned ports_of[TF_CLUSTER_CHIPS_MAX]; /* by chip */
    unsigned port_of[TF_CLUSTER_CHIPS_MAX][TF_C_PORTS];
    uint64_t packets; /* that links had carried before */
    const char *invariant;
};

const char *tf_contend_invariant(const void *state)
{
    return ((const struct contend *)state)->invariant;
}

uint64_t tf_contend_messages(const void *state)
{
    const struct contend *contend = state;
    return (uint64_t)contend->ports * contend->links->options.scale;
}

uint64_t tf_contend_requests(const void *state)
{
    const struct contend *contend = state;
    uint64_t tiles = 0;
    for (unsigned i = 0; i < TF_CLUSTER_CHIPS_MAX; i++)
        tiles += contend->ports_of[i] != 0 ? TILES : 0;
    return tiles * contend->requests;
}

static unsigned tile_number(const struct tf_arch *arch, unsigned tile)
{
    return tile * (arch->tile[TF_TILE_TENSIX].tiles / TILES);
}

static uint32_t tile_seed(const struct contend *contend, unsigned chip, unsigned tile)
{
    return contend->links->options.seed + 1000 * (chip * TILES + tile + 1);
}

/* ---- Setting up ---- */

static int read_stream(struct tf_system *system, struct tf_cluster_end at, uint32_t *value, struct tf_message *message)
{
    const struct tf_arch *arch = tf_chip_arch(tf_system_chip(system, at.chip));
    const uint64_t address = tf_overlay_address(arch->tile[TF_TILE_ETH].stream_place, TF_C_STREAM,
                                                TF_OVERLAY_SPACE_AVAILABLE);
    return tf_links_read(system, at, (uint32_t)address, value, sizeof *value, message);
}

static int start_port(struct contend *contend, struct tf_system *system, struct port *port, struct tf_message *message)
{
    const struct tf_contend_job job = {
        .magic = TF_C_MAGIC,
        .seed = contend->links->options.seed,
        .rounds = contend->links->options.scale,
    };
    struct tf_chip *chip = tf_system_chip(system, port->at.chip);
    int error = tf_core_stop(chip, (unsigned)tf_port_tile(chip, port->at.port), 0); /* of the round before */
    if (error == TF_OK)
        error = tf_links_clear(system, port->at, message);
    if (error == TF_OK)
        error = tf_links_write(system, port->at, TF_C_JOB, &job, sizeof job, message);
    if (error == TF_OK)
        error = read_stream(system, port->at, &port->raised, message);
    return error == TF_OK ? tf_links_start_port(system, port->at, contend->links->program, message) : error;
}

static int start_tile(const struct contend *contend, struct tf_system *system, unsigned number, unsigned tile,
                      struct tf_message *message)
{
    struct tf_chip *chip = tf_system_chip(system, number);
    const unsigned index = tile_number(tf_chip_arch(chip), tile);
    struct tf_contend_tile_job job = {.magic = TF_C_MAGIC,
                                      .seed = tile_seed(contend, number, tile),
                                      .requests = contend->requests,
                                      .ports = contend->ports_of[number]};
    static const uint32_t not_done = 0;
    struct tf_coord coord = {0, 0};
    for (unsigned i = 0; i < job.ports; i++)
        job.port_xy[i] = tf_links_port_xy(system, contend->port[contend->port_of[number][i]].at);
    tf_tile_coord(tf_chip_arch(chip), index, &coord);
    int error = tf_core_stop(chip, index, TF_CORE_B);
    if (error == TF_OK)
        error = tf_links_write_grid(chip, index);
    if (error == TF_OK)
        error = tf_write(chip, coord, TF_K_DONE, &not_done, sizeof not_done);
    if (error == TF_OK)
        error = tf_write(chip, coord, TF_C_TILE_JOB, &job, sizeof job);
    return error == TF_OK ? tf_links_start_core(chip, index, tf_system_contend.tile_program, 0, message) : error;
}

static uint64_t count_packets(struct tf_system *system)
{
    struct tf_link_stats stats;
    uint64_t packets = 0;
    for (unsigned i = 0; tf_link_stats(system, i, &stats) == TF_OK; i++)
        packets += stats.packets;
    return packets;
}

static bool find_ports(struct contend *contend, const struct tf_cluster *cluster)
{
    for (unsigned i = 0; i < 2 * cluster->links; i++) {
        const struct tf_cluster_end at = cluster->link[i / 2].end[i % 2];
        struct port *port = &contend->port[contend->ports];
        port->at = at;
        port->value = calloc((size_t)WORDS * TILES * contend->requests, sizeof *port->value);
        contend->port_of[at.chip][contend->ports_of[at.chip]++] = contend->ports++;
        if (port->value == NULL)
            return false;
    }
    return true;
}

static int setup(struct tf_system *system, const struct tf_workload_options *options, void **state,
                 struct tf_message *message)
{
    const struct tf_cluster *cluster = tf_system_cluster(system);
    int error;
    struct tf_links *links = tf_links_begin(system, &tf_system_contend, options, &error, message);
    if (links == NULL)
        return error;
    struct contend *contend = calloc(1, sizeof *contend);
    if (contend == NULL) {
        free(links);
        return TF_ENOMEM;
    }
    *state = contend;
    contend->links = links;
    contend->requests = 2 * links->options.scale;
    contend->packets = count_packets(system);
    if (!find_ports(contend, cluster))
        return TF_ENOMEM;
    for (unsigned i = 0; i < contend->ports && error == TF_OK; i++)
        error = start_port(contend, system, &contend->port[i], message);
    for (unsigned i = 0; i < cluster->chips * TILES && error == TF_OK; i++)
        if (contend->ports_of[i / TILES] != 0)
            error = start_tile(contend, system, i / TILES, i % TILES, message);
    return error;
}

static void release(void *state)
{
    struct contend *contend = state;
    if (contend == NULL)
        return;
    for (unsigned i = 0; i < contend->ports; i++)
        free(contend->port[i].value);
    free(contend->links);
    free(contend);
}

/* ---- Results ---- */

static int broken(struct contend *contend, const char *invariant)
{
    contend->invariant = invariant;
    return TF_WORKLOAD_WRONG;
}

/* E0 must have ended, and must have seen nothing wrong. */
static int check_port(struct contend *contend, struct tf_system *system, const struct port *port,
                      struct tf_message *message)
{
    struct tf_contend_result result;
    uint32_t done;
    int error = tf_links_read(system, port->at, TF_L_DONE, &done, sizeof done, message);
    if (error == TF_OK)
        error = tf_links_read(system, port->at, TF_C_RESULT, &result, sizeof result, message);
    if (error != TF_OK)
        return error;
    if (result.what == TF_C_WRONG_DATA)
        tf_links_fail(message, error, port->at, "message %u is signalled, and its word %u is 0x%x, not 0x%x",
                      result.number, result.word, result.is, result.wanted);
    else if (result.what == TF_C_OLD_LINE)
        tf_links_fail(message, error, port->at,
                      "message %u is signalled, and word %u of the line has that of message %u", result.number,
                      result.word, result.is);
    else if (done != TF_K_DONE_MAGIC)
        tf_links_fail(message, error, port->at, "E0 did not end");
    else
        return TF_OK;
    return broken(contend, result.what == TF_C_WRONG_DATA ? "R10: links"
                           : result.what == TF_C_OLD_LINE ? "R1: indivisible accesses, or R10: links"
                                                          : "R5: wakes, or R9: end of a run");
}

/* Take the answers of a tile's atomics. Each awaits its answer, so those of a word rise. */
static int take_answers(struct contend *contend, struct tf_system *system, unsigned number, unsigned tile,
                        uint32_t *answer, struct tf_message *message)
{
    struct tf_chip *chip = tf_system_chip(system, number);
    const struct tf_arch *arch = tf_chip_arch(chip);
    uint32_t done, last[TF_C_PORTS][WORDS], any[TF_C_PORTS] = {0};
    struct tf_coord coord = {0, 0};
    tf_tile_coord(arch, tile_number(arch, tile), &coord);
    int error = tf_read(chip, coord, TF_K_DONE, &done, sizeof done);
    if (error == TF_OK)
        error = tf_read(chip, coord, TF_C_ANSWERS, answer, contend->requests * sizeof *answer);
    if (error != TF_OK)
        return error;
    if (done != TF_K_DONE_MAGIC) {
        snprintf(message->text, sizeof message->text, "chip %u: core B of tile %u did not end", number,
                 tile_number(arch, tile));
        return broken(contend, "R5: wakes, or R9: end of a run");
    }
    for (uint32_t i = 0; i < contend->requests; i++) {
        const struct tf_contend_request request = tf_contend_request(tile_seed(contend, number, tile), i,
                                                                     contend->ports_of[number]);
        struct port *port = &contend->port[contend->port_of[number][request.port]];
        if (request.to_stream) {
            port->writes++;
            continue;
        }
        const uint32_t before = last[request.port][request.word];
        if (any[request.port] >> request.word & 1 && answer[i] <= before) {
            tf_links_fail(message, error, port->at, "an atomic of tile %u found 0x%x in word %u after 0x%x",
                          tile_number(arch, tile), answer[i], request.word, before);
            return broken(contend, "R1: indivisible accesses");
        }
        any[request.port] |= 1u << request.word;
        last[request.port][request.word] = answer[i];
        port->value[request.word * TILES * contend->requests + port->count[request.word]++] = answer[i];
    }
    return TF_OK;
}

static int by_value(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Each increment that came behind a message found what the one before it left, beginning with 0. */
static int check_word(struct contend *contend, struct tf_system *system, const struct port *port, unsigned word,
                      struct tf_message *message)
{
    uint32_t *value = port->value + word * TILES * contend->requests, last = 0;
    const uint32_t rounds = contend->links->options.scale;
    qsort(value, port->count[word], sizeof *value, by_value);
    uint32_t next = 0;
    for (uint32_t i = 0; i < port->count[word]; i++) {
        if (value[i] != next && (value[i] & 0xFFFF) != 0) {
            tf_links_fail(message, TF_OK, port->at, "an increment of word %u found 0x%x; no other one had left that",
                          word, value[i]);
            return broken(contend, "R1: indivisible accesses");
        }
        next = value[i] + 1;
    }
    int error = tf_links_read(system, port->at, TF_C_LINE + 4 * word, &last, sizeof last, message);
    if (error != TF_OK)
        return error;
    const uint32_t wanted = next >> 16 == rounds ? next : rounds << 16;
    if (last == wanted)
        return TF_OK;
    tf_links_fail(message, TF_OK, port->at, "word %u of the line is 0x%x; messages and increments make it 0x%x", word,
                  last, wanted);
    return broken(contend, "R1: indivisible accesses");
}

static int check_stream(struct contend *contend, struct tf_system *system, const struct port *port,
                        struct tf_message *message)
{
    uint32_t raised = 0;
    int error = read_stream(system, port->at, &raised, message);
    const uint32_t wanted = (port->raised + port->writes + contend->links->options.scale) & STREAM_MASK;
    if (error != TF_OK || (raised & STREAM_MASK) == wanted)
        return error;
    tf_links_fail(message, TF_OK, port->at, "the space available of a stream is %u; messages and writes make it %u",
                  raised, wanted);
    return broken(contend, "R6: ownership");
}

static int check_packets(struct contend *contend, struct tf_system *system, struct tf_message *message)
{
    struct tf_link_stats stats;
    for (unsigned i = 0; tf_link_stats(system, i, &stats) == TF_OK; i++) {
        const unsigned long long missing = stats.waiting + stats.lost;
        if (missing == 0)
            continue;
        tf_links_fail(message, TF_OK, stats.from, "%llu of its packets have not arrived", missing);
        return broken(contend, "R10: links");
    }
    const uint64_t carried = count_packets(system) - contend->packets, wanted = PACKETS * tf_contend_messages(contend);
    if (carried == wanted)
        return TF_OK;
    snprintf(message->text, sizeof message->text,
             "links have carried %llu packets, not %llu: some were dropped and sent again", (unsigned long long)carried,
             (unsigned long long)wanted);
    return broken(contend, "R10: links");
}

static int check_lines(struct contend *contend, struct tf_system *system, struct tf_message *message)
{
    int error = TF_OK;
    for (unsigned i = 0; i < contend->ports && error == TF_OK; i++) {
        for (unsigned word = 0; word < WORDS && error == TF_OK; word++)
            error = check_word(contend, system, &contend->port[i], word, message);
        if (error == TF_OK)
            error = check_stream(contend, system, &contend->port[i], message);
    }
    return error;
}

static int verify(struct tf_system *system, void *state, struct tf_message *message)
{
    struct contend *contend = state;
    uint32_t *answer = malloc(contend->requests * sizeof *answer);
    int error = answer == NULL ? TF_ENOMEM : TF_OK;
    for (unsigned i = 0; i < contend->ports && error == TF_OK; i++)
        error = check_port(contend, system, &contend->port[i], message);
    for (unsigned i = 0; i < tf_system_cluster(system)->chips * TILES && error == TF_OK; i++)
        if (contend->ports_of[i / TILES] != 0)
            error = take_answers(contend, system, i / TILES, i % TILES, answer, message);
    free(answer);
    if (error == TF_OK)
        error = check_lines(contend, system, message);
    return error == TF_OK ? check_packets(contend, system, message) : error;
}

const struct tf_system_workload tf_system_contend = {
    .name = "contend",
    .summary = "messages, writes to registers and atomics at both ends of each link",
    .program = "contend",
    .tile_program = "contend",
    .scale_default = 200,
    .scale_max = TF_C_REQUESTS_MAX / 2,
    .scale_test = 40,
    .setup = setup,
    .verify = verify,
    .release = release,
};
