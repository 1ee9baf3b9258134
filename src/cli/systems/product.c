/* SPDX-License-Identifier: Apache-2.0 */
/*
 * eth-matmul: a tensor-parallel product. Each chip of a ring has a part of the columns of A and of the rows of B, and
 * multiplies them; the partial products are added round the ring. Numbers are small integers, so each sum is exact in
 * bf16, and results are compared bit by bit.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/systems/ring.h"
#include "cli/workloads/tensor.h"
#include "tilefarm_product_layout.h"

#define SIDE TF_TILE_SIDE
#define DEPTH (TF_P_DEPTH * SIDE) /* of a chip */

_Static_assert(TF_CLUSTER_CHIPS_MAX *DEPTH / TF_P_SPACING <= 256, "bf16 has each integer up to 256");

/* ---- Operands ---- */

static int a_at(uint32_t seed, uint32_t place, uint32_t round, uint32_t row, uint32_t k)
{
    return (int)(tf_k_mix(tf_k_input(seed + round % 2, place, row * DEPTH + k)) % 3) - 1;
}

static int b_at(uint32_t seed, uint32_t place, uint32_t k, uint32_t column)
{
    if (k % TF_P_SPACING != column % TF_P_SPACING)
        return 0;
    return (int)(tf_k_mix(tf_k_input(seed + 2, place, column * DEPTH + k)) & 2) - 1;
}

static int put(struct tf_chip *chip, uint32_t address, const struct tf_tile_numbers *tile)
{
    uint8_t bytes[TF_P_BYTES];
    struct tf_coord coord = {0, 0};
    tf_tile_coord(tf_chip_arch(chip), 0, &coord);
    tf_tile_encode(TF_BF16, tile, bytes);
    return tf_write(chip, coord, address, bytes, sizeof bytes);
}

static void make_a(uint32_t seed, uint32_t place, uint32_t round, uint32_t k, struct tf_tile_numbers *tile)
{
    for (unsigned row = 0; row < SIDE; row++)
        for (unsigned i = 0; i < SIDE; i++)
            tile->number[tf_tile_at(row, i)] = a_at(seed, place, round, row, k * SIDE + i);
}

static void make_b(uint32_t seed, uint32_t place, uint32_t k, uint32_t column, struct tf_tile_numbers *tile)
{
    for (unsigned i = 0; i < SIDE; i++)
        for (unsigned c = 0; c < SIDE; c++)
            tile->number[tf_tile_at(i, c)] = b_at(seed, place, k * SIDE + i, column * SIDE + c);
}

static int put_operands(struct tf_chip *chip, uint32_t seed, uint32_t place, uint32_t chips)
{
    struct tf_tile_numbers tile = {{0}};
    for (unsigned i = 0; i < SIDE; i++)
        tile.number[tf_tile_at(i, i)] = 1;
    int error = put(chip, TF_P_IDENTITY, &tile);
    for (uint32_t i = 0; i < 2 * TF_P_DEPTH && error == TF_OK; i++) {
        make_a(seed, place, i / TF_P_DEPTH, i % TF_P_DEPTH, &tile);
        error = put(chip, TF_P_A(i / TF_P_DEPTH, i % TF_P_DEPTH), &tile);
    }
    for (uint32_t i = 0; i < chips * TF_P_DEPTH && error == TF_OK; i++) {
        make_b(seed, place, i % TF_P_DEPTH, i / TF_P_DEPTH, &tile);
        error = put(chip, TF_P_B(i / TF_P_DEPTH, i % TF_P_DEPTH), &tile);
    }
    return error;
}

/* ---- Setting up ---- */

static const unsigned cores[] = {0, 2, 3, 4};
#define CORES (sizeof cores / sizeof cores[0])

static int start_cores(struct tf_chip *chip, struct tf_message *message)
{
    int error = TF_OK;
    for (unsigned i = 0; i < CORES && error == TF_OK; i++)
        error = tf_links_start_core(chip, 0, tf_system_matmul.tile_program, cores[i], message);
    return error;
}

static int start_tile(struct tf_system *system, const struct tf_links *links, unsigned place,
                      struct tf_message *message)
{
    static const uint8_t zero[TF_L_BUFFER - TF_K_SHARED];
    struct tf_chip *chip = tf_system_chip(system, links->ring[place]);
    const uint32_t chips = tf_system_cluster(system)->chips;
    const struct tf_product_job job = {
        .magic = TF_P_MAGIC,
        .chips = chips,
        .me = place,
        .rounds = links->options.scale,
        .in_xy = links->ports[place].in_xy,
        .out_xy = links->ports[place].out_xy,
    };
    struct tf_coord coord = {0, 0};
    tf_tile_coord(tf_chip_arch(chip), 0, &coord);
    int error = tf_links_write_grid(chip, 0);
    if (error == TF_OK)
        error = tf_write(chip, coord, TF_K_SHARED, zero, sizeof zero);
    if (error == TF_OK)
        error = tf_write(chip, coord, TF_P_JOB, &job, sizeof job);
    if (error == TF_OK)
        error = put_operands(chip, links->options.seed, place, chips);
    return error == TF_OK ? start_cores(chip, message) : error;
}

static int setup(struct tf_system *system, const struct tf_workload_options *options, void **state,
                 struct tf_message *message)
{
    static const struct tf_ring_roles roles = {TF_L_FETCH, TF_L_SEND, true};
    const struct tf_cluster *cluster = tf_system_cluster(system);
    int error;
    struct tf_links *links = tf_links_begin(system, &tf_system_matmul, options, &error, message);
    if (links == NULL)
        return error;
    *state = links;
    links->bytes = TF_P_BYTES;
    if (!tf_ring_find(cluster, links->ring, message))
        return TF_EINVAL;
    error = tf_ring_start(system, links, &roles, message);
    for (unsigned place = 0; place < cluster->chips && error == TF_OK; place++)
        error = start_tile(system, links, place, message);
    return error;
}

/* ---- Results ---- */

static int wrong_number(struct tf_message *message, const struct tf_links *links, unsigned place, const char *what,
                        double got, double expected)
{
    snprintf(message->text, sizeof message->text, "chip %u: %s is %g, not %g", links->ring[place], what, got, expected);
    return TF_WORKLOAD_WRONG;
}

/* A tile of the product in the last round. */
static void expect(const struct tf_links *links, uint32_t chips, uint32_t tile, struct tf_tile_numbers *sum)
{
    const uint32_t seed = links->options.seed, round = links->options.scale - 1;
    memset(sum, 0, sizeof *sum);
    for (uint32_t place = 0; place < chips; place++)
        for (unsigned column = 0; column < SIDE; column++)
            for (uint32_t k = column % TF_P_SPACING; k < DEPTH; k += TF_P_SPACING) {
                const int b = b_at(seed, place, k, tile * SIDE + column);
                for (unsigned row = 0; row < SIDE; row++)
                    sum->number[tf_tile_at(row, column)] += a_at(seed, place, round, row, k) * b;
            }
}

static int verify_tile(struct tf_system *system, const struct tf_links *links, unsigned place, uint32_t tile,
                       const struct tf_tile_numbers *sum, struct tf_message *message)
{
    struct tf_chip *chip = tf_system_chip(system, links->ring[place]);
    struct tf_coord coord = {0, 0};
    struct tf_tile_numbers got;
    uint8_t bytes[TF_P_BYTES];
    tf_tile_coord(tf_chip_arch(chip), 0, &coord);
    int error = tf_read(chip, coord, TF_P_RESULT(tile), bytes, sizeof bytes);
    if (error != TF_OK)
        return error;
    tf_tile_decode(TF_BF16, bytes, &got);
    for (unsigned i = 0; i < TF_TILE_NUMBERS; i++)
        if (got.number[i] != sum->number[i]) {
            char what[48];
            snprintf(what, sizeof what, "number %u of tile %u", i, tile);
            return wrong_number(message, links, place, what, got.number[i], sum->number[i]);
        }
    return TF_OK;
}

static int verify_done(struct tf_system *system, const struct tf_links *links, unsigned place,
                       struct tf_message *message)
{
    struct tf_chip *chip = tf_system_chip(system, links->ring[place]);
    struct tf_coord coord = {0, 0};
    uint32_t done[TF_P_CORES] = {0};
    tf_tile_coord(tf_chip_arch(chip), 0, &coord);
    int error = tf_read(chip, coord, TF_K_DONE, done, sizeof done);
    for (unsigned i = 0; i < CORES && error == TF_OK; i++)
        if (done[cores[i]] != TF_K_DONE_MAGIC)
            error = wrong_number(message, links, place, "the done word of a core", done[cores[i]], TF_K_DONE_MAGIC);
    return error;
}

static int verify(struct tf_system *system, void *state, struct tf_message *message)
{
    const struct tf_links *links = state;
    const unsigned chips = tf_system_cluster(system)->chips;
    int error = TF_OK;
    for (unsigned i = 0; i < links->count && error == TF_OK; i++) {
        struct tf_link_result result;
        error = tf_links_result(system, links->port[i], &result, message);
    }
    for (unsigned place = 0; place < chips && error == TF_OK; place++)
        error = verify_done(system, links, place, message);
    for (uint32_t tile = 0; tile < chips && error == TF_OK; tile++) {
        struct tf_tile_numbers sum;
        expect(links, chips, tile, &sum);
        for (unsigned place = 0; place < chips && error == TF_OK; place++)
            error = verify_tile(system, links, place, tile, &sum, message);
    }
    return error;
}

const struct tf_system_workload tf_system_matmul = {
    .name = "eth-matmul",
    .summary = "a product whose depth is spread over all chips, added up round a ring (tensor-parallel)",
    .program = "link",
    .tile_program = "eth_matmul",
    .scale_default = 4,
    .scale_max = 10000,
    .scale_test = 2,
    .setup = setup,
    .verify = verify,
    .release = free,
};
