/* SPDX-License-Identifier: Apache-2.0 */
/* The MOP expander of a thread (TensixCoprocessor/MOPExpander.md). */
#ifndef TILE_TENSIX_FRONTEND_MOP_H
#define TILE_TENSIX_FRONTEND_MOP_H

#include <stdbool.h>
#include <stdint.h>

#define TF_MOP_CFG_WORDS 9u
#define TF_MOP_COUNTS 2u /* of them; the others are instructions */

struct tf_mop {
    uint32_t config[TF_MOP_CFG_WORDS]; /* MopCfg, as the T core wrote it */
    uint16_t mask_high;                /* of the last MOP_CFG */
    /* The expansion under way. It copies its configuration when it starts, as in the page's functional model. */
    uint32_t remaining; /* instructions still to be emitted; 0: no expansion */
    uint32_t pc;        /* of the MOP */
    uint16_t resources; /* of the MOP */
    bool looping;       /* template 1 */
    bool plays;         /* no REPLAY in it records */
    bool occupies;      /* an instruction of it may occupy the scalar unit */
    /* Template 0: the instructions for a clear and for a set bit of the mask. */
    uint8_t step;
    uint8_t lengths[2];
    uint32_t mask;
    uint32_t sequence[2][5];
    /* Template 1. */
    uint8_t phase;
    uint16_t outer, outer_count;
    uint16_t inner, inner_count;
    uint32_t start, loop, flip, loop_0_last, loop_1_last, end_0, end_1;
    bool has_start, has_end_0, has_end_1;
};

/* Starts the expansion of a MOP instruction. `pc` and `resources` are the MOP's. */
void tf_mop_start(struct tf_mop *mop, uint32_t word, uint32_t pc, uint16_t resources);

/* Returns how many instructions a MOP would expand to with the present configuration. */
uint32_t tf_mop_length(const struct tf_mop *mop, uint32_t word);

enum { TF_MOP_START, TF_MOP_LOOP, TF_MOP_END_0, TF_MOP_END_1 };

static inline uint32_t tf_mop_next_in_list(struct tf_mop *mop)
{
    unsigned skipped = mop->mask & 1;
    uint32_t word = mop->sequence[skipped][mop->step];
    if (++mop->step == mop->lengths[skipped]) {
        mop->step = 0;
        mop->mask >>= 1;
    }
    return word;
}

static inline uint32_t tf_mop_next_in_loop(struct tf_mop *mop)
{
    for (;;) {
        switch (mop->phase) {
        case TF_MOP_START:
            mop->phase = TF_MOP_LOOP;
            mop->inner = 0;
            if (mop->has_start)
                return mop->start;
            break;
        case TF_MOP_LOOP:
            if (mop->inner < mop->inner_count) {
                uint32_t word = mop->loop;
                mop->loop ^= mop->flip;
                if (++mop->inner == mop->inner_count)
                    word = mop->outer + 1 == mop->outer_count ? mop->loop_0_last : mop->loop_1_last;
                return word;
            }
            mop->phase = TF_MOP_END_0;
            break;
        case TF_MOP_END_0:
            mop->phase = TF_MOP_END_1;
            if (mop->has_end_0)
                return mop->end_0;
            break;
        default:
            mop->phase = TF_MOP_START;
            mop->outer++;
            if (mop->has_end_1)
                return mop->end_1;
            break;
        }
    }
}

/* Returns the next instruction of the expansion. `remaining` must not be 0. */
static inline uint32_t tf_mop_next(struct tf_mop *mop)
{
    mop->remaining--;
    return mop->looping ? tf_mop_next_in_loop(mop) : tf_mop_next_in_list(mop);
}

#endif
