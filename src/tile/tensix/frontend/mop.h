/* SPDX-License-Identifier: Apache-2.0 */
/* The MOP expander of a thread (TensixCoprocessor/MOPExpander.md). */
#ifndef TILE_TENSIX_FRONTEND_MOP_H
#define TILE_TENSIX_FRONTEND_MOP_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/isa/isa.h"

/* Words of MopCfg, by the names of the page; the instructions begin with TF_MOP_COUNTS. */
enum {
    TF_MOP_COUNTS = 2,
    /* Template 0: bit 0 of the flags says that there is a B, bit 1 that there are A1 to A3. */
    TF_MOP_FLAGS = 1,
    TF_MOP_B = 2,
    TF_MOP_A0,
    TF_MOP_A1,
    TF_MOP_A2,
    TF_MOP_A3,
    TF_MOP_SKIP_A0,
    TF_MOP_SKIP_B,
    /* Template 1. */
    TF_MOP_OUTER_COUNT = 0,
    TF_MOP_INNER_COUNT = 1,
    TF_MOP_START_OP = 2,
    TF_MOP_END_OP_0,
    TF_MOP_END_OP_1,
    TF_MOP_LOOP_OP,
    TF_MOP_LOOP_OP_1,
    TF_MOP_LOOP_0_LAST,
    TF_MOP_LOOP_1_LAST,
    TF_MOP_CFG_WORDS,
};

/* The decoded instructions of a configuration. Rows `mop` and `unpack-add-pack` pay for decoding them once. */
struct tf_mop_kinds {
    uint32_t word[TF_MOP_CFG_WORDS]; /* the configuration that has been decoded */
    uint8_t kind[TF_MOP_CFG_WORDS];  /* enum tf_kind; of a count nothing */
    bool plays;                      /* no REPLAY in it records */
    bool occupies;                   /* an instruction of it may occupy the scalar unit */
};

struct tf_mop {
    uint32_t config[TF_MOP_CFG_WORDS]; /* MopCfg, as the T core wrote it */
    uint16_t mask_high;                /* of the last MOP_CFG */
    /* The expansion in progress. It copies its configuration when it starts, as in the page's functional model. */
    uint32_t remaining; /* instructions still to be emitted; 0: no expansion */
    uint32_t pc;        /* of the MOP */
    uint16_t resources; /* of the MOP */
    bool looping;       /* template 1 */
    /* Template 0: the instructions for a clear and for a set bit of the mask. */
    uint8_t step;
    uint8_t lengths[2];
    uint32_t mask;
    uint32_t sequence[2][5];
    uint8_t sequence_kind[2][5];
    /* Template 1. */
    uint8_t phase;
    uint16_t outer, outer_count;
    uint16_t inner, inner_count;
    uint32_t start, loop, flip, loop_0_last, loop_1_last, end_0, end_1;
    bool has_start, has_end_0, has_end_1;
    uint8_t loop_kind, flip_kind; /* of `loop`; XOR of it and the other one's */
    struct tf_mop_kinds kinds;    /* of the expansion, or of the last one */
};

/* MOP_CFG. */
static inline void tf_mop_set_mask(struct tf_mop *mop, uint32_t word)
{
    mop->mask_high = (uint16_t)TF_FIELD(word, MOP_CFG, zmask_hi16);
}

/* Starts the expansion of a MOP instruction. `pc` and `resources` are the MOP's. */
void tf_mop_start(struct tf_mop *mop, uint32_t word, uint32_t pc, uint16_t resources);

/* Returns how many instructions a MOP would expand to with the present configuration. */
uint32_t tf_mop_length(const struct tf_mop *mop, uint32_t word);

enum { TF_MOP_START, TF_MOP_LOOP, TF_MOP_END_0, TF_MOP_END_1 };

/* An instruction that a MOP emits, and its kind. */
struct tf_mop_next {
    uint32_t word;
    uint8_t kind;
};

static inline struct tf_mop_next tf_mop_next_in_list(struct tf_mop *mop)
{
    unsigned skipped = mop->mask & 1;
    struct tf_mop_next next = {mop->sequence[skipped][mop->step], mop->sequence_kind[skipped][mop->step]};
    if (++mop->step == mop->lengths[skipped]) {
        mop->step = 0;
        mop->mask >>= 1;
    }
    return next;
}

/* The other instruction of the inner loop is next. */
static inline void tf_mop_flip(struct tf_mop *mop)
{
    mop->loop ^= mop->flip;
    mop->loop_kind ^= mop->flip_kind;
}

static inline struct tf_mop_next tf_mop_next_in_loop(struct tf_mop *mop)
{
    const uint8_t *kind = mop->kinds.kind;
    for (;;) {
        switch (mop->phase) {
        case TF_MOP_START:
            mop->phase = TF_MOP_LOOP;
            mop->inner = 0;
            if (mop->has_start)
                return (struct tf_mop_next){mop->start, kind[TF_MOP_START_OP]};
            break;
        case TF_MOP_LOOP:
            if (mop->inner < mop->inner_count) {
                struct tf_mop_next next = {mop->loop, mop->loop_kind};
                tf_mop_flip(mop);
                if (++mop->inner == mop->inner_count)
                    next = mop->outer + 1 == mop->outer_count
                               ? (struct tf_mop_next){mop->loop_0_last, kind[TF_MOP_LOOP_0_LAST]}
                               : (struct tf_mop_next){mop->loop_1_last, kind[TF_MOP_LOOP_1_LAST]};
                return next;
            }
            mop->phase = TF_MOP_END_0;
            break;
        case TF_MOP_END_0:
            mop->phase = TF_MOP_END_1;
            if (mop->has_end_0)
                return (struct tf_mop_next){mop->end_0, kind[TF_MOP_END_OP_0]};
            break;
        default:
            mop->phase = TF_MOP_START;
            mop->outer++;
            if (mop->has_end_1)
                return (struct tf_mop_next){mop->end_1, kind[TF_MOP_END_OP_1]};
            break;
        }
    }
}

/* Returns the next instruction of the expansion. `remaining` must not be 0. */
static inline struct tf_mop_next tf_mop_next(struct tf_mop *mop)
{
    mop->remaining--;
    return mop->looping ? tf_mop_next_in_loop(mop) : tf_mop_next_in_list(mop);
}

/* The instructions still to be emitted, if all of them are equal to `loop`; else 0. */
static inline uint32_t tf_mop_equal(const struct tf_mop *mop)
{
    bool equal = mop->looping && mop->flip == 0 && !mop->has_start && !mop->has_end_0 &&
                 mop->loop_0_last == mop->loop && mop->loop_1_last == mop->loop;
    return equal ? mop->remaining : 0;
}

/* Emits `count` equal instructions, not 0 and no more than tf_mop_equal(), as tf_mop_next() does one by one. */
static inline void tf_mop_emit_equal(struct tf_mop *mop, uint32_t count)
{
    uint32_t last = (uint32_t)mop->outer * mop->inner_count + mop->inner + count - 1;
    mop->phase = TF_MOP_LOOP;
    mop->outer = (uint16_t)(last / mop->inner_count);
    mop->inner = (uint16_t)(last % mop->inner_count + 1);
    mop->remaining -= count;
}

#endif
