/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/mop.h"

#include <string.h>

#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/kind.h"
#include "tile/tensix/frontend/replay.h"

static bool is_nop(uint32_t word)
{
    return word >> 24 == TF_OP_NOP;
}

static uint32_t mask_of(const struct tf_mop *mop, uint32_t word)
{
    return (uint32_t)mop->mask_high << 16 | TF_FIELD(word, MOP, zmask_lo16_or_loop_count);
}

static bool has_b(const struct tf_mop *mop)
{
    return (mop->config[TF_MOP_FLAGS] & 1) != 0;
}

static bool has_a123(const struct tf_mop *mop)
{
    return (mop->config[TF_MOP_FLAGS] & 2) != 0;
}

/* The number of template 0's instructions for one bit of the mask. A set bit means that instructions are `skipped`. */
static unsigned length_of_list(const struct tf_mop *mop, bool skipped)
{
    return 1u + (!skipped && has_a123(mop) ? 3 : 0) + has_b(mop);
}

static uint32_t length_of_lists(const struct tf_mop *mop, uint32_t word)
{
    uint32_t iterations = TF_FIELD(word, MOP, loop_count) + 1, mask = mask_of(mop, word);
    uint32_t considered = iterations < 32 ? mask & ((1u << iterations) - 1) : mask;
    uint32_t skipped = (uint32_t)__builtin_popcount(considered);
    return (iterations - skipped) * length_of_list(mop, false) + skipped * length_of_list(mop, true);
}

static void put_in_list(struct tf_mop *mop, unsigned list, unsigned at, unsigned index)
{
    mop->sequence[list][at] = mop->config[index];
    mop->sequence_kind[list][at] = mop->kinds.kind[index];
}

static void start_lists(struct tf_mop *mop, uint32_t word)
{
    for (unsigned list = 0; list < 2; list++)
        mop->lengths[list] = (uint8_t)length_of_list(mop, list);
    put_in_list(mop, 0, 0, TF_MOP_A0);
    for (unsigned i = TF_MOP_A1; has_a123(mop) && i <= TF_MOP_A3; i++)
        put_in_list(mop, 0, i - TF_MOP_A0, i);
    if (has_b(mop))
        put_in_list(mop, 0, mop->lengths[0] - 1u, TF_MOP_B);
    put_in_list(mop, 1, 0, TF_MOP_SKIP_A0);
    put_in_list(mop, 1, 1, TF_MOP_SKIP_B);
    mop->step = 0;
    mop->mask = mask_of(mop, word);
    mop->remaining = length_of_lists(mop, word);
}

struct loop_counts {
    uint32_t outer, inner;
    bool start, end_0, end_1;
};

static struct loop_counts count_loop(const struct tf_mop *mop)
{
    const uint32_t *config = mop->config;
    struct loop_counts counts = {
        .outer = config[TF_MOP_OUTER_COUNT] & 127,
        .inner = config[TF_MOP_INNER_COUNT] & 127,
        .start = !is_nop(config[TF_MOP_START_OP]),
        .end_0 = !is_nop(config[TF_MOP_END_OP_0]),
        .end_1 = !is_nop(config[TF_MOP_END_OP_0]) && !is_nop(config[TF_MOP_END_OP_1]),
    };
    if (!is_nop(config[TF_MOP_LOOP_OP_1]))
        counts.inner *= 2;
    /* A bug of the hardware that the page describes. */
    if (counts.outer == 1 && !counts.start && counts.inner == 0 && counts.end_0)
        counts.outer += 128;
    return counts;
}

static uint32_t length_of_loop(const struct loop_counts *counts)
{
    return counts->outer * (counts->inner + counts->start + counts->end_0 + counts->end_1);
}

static void start_loop(struct tf_mop *mop)
{
    const uint32_t *config = mop->config;
    const uint8_t *kind = mop->kinds.kind;
    struct loop_counts counts = count_loop(mop);
    mop->phase = TF_MOP_START;
    mop->outer = 0;
    mop->inner = 0;
    mop->outer_count = (uint16_t)counts.outer;
    mop->inner_count = (uint16_t)counts.inner;
    mop->has_start = counts.start;
    mop->has_end_0 = counts.end_0;
    mop->has_end_1 = counts.end_1;
    mop->start = config[TF_MOP_START_OP];
    mop->end_0 = config[TF_MOP_END_OP_0];
    mop->end_1 = config[TF_MOP_END_OP_1];
    mop->loop = config[TF_MOP_LOOP_OP];
    mop->flip = is_nop(config[TF_MOP_LOOP_OP_1]) ? 0 : config[TF_MOP_LOOP_OP] ^ config[TF_MOP_LOOP_OP_1];
    mop->loop_0_last = config[TF_MOP_LOOP_0_LAST];
    mop->loop_1_last = config[TF_MOP_LOOP_1_LAST];
    mop->loop_kind = kind[TF_MOP_LOOP_OP];
    mop->flip_kind = mop->flip == 0 ? 0 : kind[TF_MOP_LOOP_OP] ^ kind[TF_MOP_LOOP_OP_1];
    mop->remaining = length_of_loop(&counts);
}

static __attribute__((noinline)) void decode(struct tf_mop *mop)
{
    struct tf_mop_kinds *kinds = &mop->kinds;
    memcpy(kinds->word, mop->config, sizeof kinds->word);
    kinds->plays = true;
    kinds->occupies = false;
    for (unsigned i = TF_MOP_COUNTS; i < TF_MOP_CFG_WORDS; i++) {
        uint32_t word = mop->config[i];
        kinds->kind[i] = tf_kind_of(word);
        kinds->plays &= word >> 24 != TF_OP_REPLAY || tf_replay_plays(word);
        kinds->occupies |= tf_tensix_may_occupy(word);
    }
}

/* Has the configuration been decoded? A new one, which is all zero, has not. */
static inline bool is_decoded(const struct tf_mop *mop)
{
    return mop->kinds.kind[TF_MOP_COUNTS] != TF_KIND_UNKNOWN &&
           memcmp(mop->kinds.word, mop->config, sizeof mop->config) == 0;
}

void tf_mop_start(struct tf_mop *mop, uint32_t word, uint32_t pc, uint16_t resources)
{
    mop->pc = pc;
    mop->resources = resources;
    mop->looping = TF_FIELD(word, MOP, mop_type) == 1;
    if (!is_decoded(mop))
        decode(mop);
    if (mop->looping)
        start_loop(mop);
    else
        start_lists(mop, word);
}

uint32_t tf_mop_length(const struct tf_mop *mop, uint32_t word)
{
    if (TF_FIELD(word, MOP, mop_type) == 0)
        return length_of_lists(mop, word);
    struct loop_counts counts = count_loop(mop);
    return length_of_loop(&counts);
}
