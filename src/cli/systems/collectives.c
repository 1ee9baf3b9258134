/* SPDX-License-Identifier: Apache-2.0 */
/*
 * eth-ring is an all-gather: each chip sends its block to the chip behind, which passes it on, until every chip has all
 * blocks. In all-reduce partial sums of blocks go round, and then whole sums.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/systems/ring.h"
#include "tilefarm_layout.h"

/* blocks: as many as fit a port's buffer. */
static int setup(struct tf_system *system, const struct tf_system_workload *workload,
                 const struct tf_workload_options *options, uint32_t blocks, const struct tf_ring_roles *roles,
                 void **state, struct tf_message *message)
{
    int error;
    struct tf_links *links = tf_links_begin(system, workload, options, &error, message);
    if (links == NULL)
        return error;
    *state = links;
    links->bytes = TF_L_BUFFER_BYTES / blocks / 64 * 64;
    if (!tf_ring_find(tf_system_cluster(system), links->ring, message))
        return TF_EINVAL;
    return tf_ring_start(system, links, roles, message);
}

static int setup_gather(struct tf_system *system, const struct tf_workload_options *options, void **state,
                        struct tf_message *message)
{
    static const struct tf_ring_roles roles = {TF_L_IN, TF_L_OUT, false};
    return setup(system, &tf_system_ring, options, tf_system_cluster(system)->chips, &roles, state, message);
}

static int setup_reduce(struct tf_system *system, const struct tf_workload_options *options, void **state,
                        struct tf_message *message)
{
    static const struct tf_ring_roles roles = {TF_L_RELAY, TF_L_REDUCE, false};
    const uint32_t chips = tf_system_cluster(system)->chips;
    return setup(system, &tf_system_reduce, options, tf_l_reduce_place(chips, chips), &roles, state, message);
}

/* ---- Results ---- */

/* The sum that a chip computes over the blocks of all others, in all rounds. */
static uint32_t expected_sum(const struct tf_links *links, unsigned chips, unsigned place)
{
    uint32_t sum = 0;
    for (uint32_t round = 0; round < links->options.scale; round++)
        for (unsigned from = 0; from < chips; from++)
            for (uint32_t at = 0; from != place && at < links->bytes; at += 4)
                sum += tf_k_mix(tf_k_input(links->options.seed + round, from, at) + at);
    return sum;
}

/* A chip must have the blocks of the last round. */
static int verify_blocks(struct tf_system *system, const struct tf_links *links, unsigned place,
                         struct tf_cluster_end port, struct tf_message *message)
{
    const unsigned chips = tf_system_cluster(system)->chips;
    uint32_t *data = malloc(links->bytes);
    int error = data == NULL ? TF_ENOMEM : TF_OK;
    for (unsigned slot = 1; slot < chips && error == TF_OK; slot++) {
        const unsigned from = (place + chips - slot) % chips;
        error = tf_links_read(system, port, TF_L_BUFFER + slot * links->bytes, data, links->bytes, message);
        for (uint32_t at = 0; at < links->bytes && error == TF_OK; at += 4) {
            const uint32_t expected = tf_k_input(links->options.seed + links->options.scale - 1, from, at);
            if (data[at / 4] != expected)
                error = tf_links_fail(message, TF_WORKLOAD_WRONG, port, "block of chip %u, byte %u: 0x%08x, not 0x%08x",
                                      links->ring[from], at, data[at / 4], expected);
        }
    }
    free(data);
    return error;
}

static int verify_gather(struct tf_system *system, void *state, struct tf_message *message)
{
    const struct tf_links *links = state;
    const unsigned chips = tf_system_cluster(system)->chips;
    int error = TF_OK;
    for (unsigned place = 0; place < chips && error == TF_OK; place++) {
        struct tf_link_result in, out;
        const struct tf_cluster_end port = links->port[2 * place];
        error = tf_links_result(system, port, &in, message);
        if (error == TF_OK)
            error = tf_links_result(system, links->port[2 * place + 1], &out, message);
        if (error == TF_OK && in.sum != expected_sum(links, chips, place))
            error = tf_links_fail(message, TF_WORKLOAD_WRONG, port, "the sum is 0x%08x, not 0x%08x", in.sum,
                                  expected_sum(links, chips, place));
        if (error == TF_OK)
            error = verify_blocks(system, links, place, port, message);
    }
    return error;
}

/* A word of the result of an all-reduce: the sum over all chips. */
static uint32_t reduced(const struct tf_links *links, unsigned chips, uint32_t round, uint32_t at)
{
    uint32_t sum = 0;
    for (unsigned chip = 0; chip < chips; chip++)
        sum += tf_k_input(links->options.seed + round, chip, at);
    return sum;
}

/* The sum that each chip computes over the results of all rounds. */
static uint32_t expected_reduction(const struct tf_links *links, unsigned chips)
{
    uint32_t sum = 0;
    for (uint32_t round = 0; round < links->options.scale; round++)
        for (uint32_t k = 0; k < chips; k++)
            for (uint32_t at = 0; at < links->bytes; at += 4)
                sum += tf_k_mix(reduced(links, chips, round, k * links->bytes + at) + at) * (k + 1);
    return sum;
}

static int verify_words(struct tf_system *system, const struct tf_links *links, struct tf_cluster_end port,
                        struct tf_message *message)
{
    const unsigned chips = tf_system_cluster(system)->chips;
    const uint32_t bytes = chips * links->bytes, first = TF_L_BUFFER + tf_l_reduce_place(chips, 0) * links->bytes;
    uint32_t *data = malloc(bytes);
    int error = data == NULL ? TF_ENOMEM : tf_links_read(system, port, first, data, bytes, message);
    for (uint32_t at = 0; at < bytes && error == TF_OK; at += 4) {
        const uint32_t expected = reduced(links, chips, links->options.scale - 1, at);
        if (data[at / 4] != expected)
            error = tf_links_fail(message, TF_WORKLOAD_WRONG, port, "byte %u of the sum: 0x%08x, not 0x%08x", at,
                                  data[at / 4], expected);
    }
    free(data);
    return error;
}

static int verify_reduce(struct tf_system *system, void *state, struct tf_message *message)
{
    const struct tf_links *links = state;
    const unsigned chips = tf_system_cluster(system)->chips;
    const uint32_t expected = expected_reduction(links, chips);
    int error = TF_OK;
    for (unsigned i = 0; i < links->count && error == TF_OK; i++) {
        struct tf_link_result result;
        error = tf_links_result(system, links->port[i], &result, message);
        if (error != TF_OK || i % 2 == 0)
            continue;
        if (result.sum != expected)
            error = tf_links_fail(message, TF_WORKLOAD_WRONG, links->port[i], "the sum is 0x%08x, not 0x%08x",
                                  result.sum, expected);
        else
            error = verify_words(system, links, links->port[i], message);
    }
    return error;
}

const struct tf_system_workload tf_system_ring = {
    .name = "eth-ring",
    .summary = "each chip's block round a ring of all chips (all-gather)",
    .program = "link",
    .scale_default = 20,
    .scale_max = 100000,
    .scale_test = 2,
    .setup = setup_gather,
    .verify = verify_gather,
    .release = free,
};

const struct tf_system_workload tf_system_reduce = {
    .name = "all-reduce",
    .summary = "the sum of the data of all chips, to all chips, round a ring (all-reduce)",
    .program = "link",
    .scale_default = 20,
    .scale_max = 100000,
    .scale_test = 2,
    .setup = setup_reduce,
    .verify = verify_reduce,
    .release = free,
};
