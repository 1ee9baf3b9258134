/* SPDX-License-Identifier: Apache-2.0 */
/* How ended probes are remembered (struct tf_memo). Only for the files of this folder. */
#ifndef TILE_RISCV_PARK_KEEP_H
#define TILE_RISCV_PARK_KEEP_H

#include "tile/riscv/park/input.h"

#define TF_PARK_WINDOW_MIN 16u    /* instructions after which a probe first moves its anchor */
#define TF_PARK_MISMATCHES_MAX 4u /* returns to an anchor with other registers before a probe fails */

/* What a probe does after a control transfer. */
enum tf_probe_move {
    TF_PROBE_PARKS,
    TF_PROBE_FAILS,
    TF_PROBE_GOES_ON,
    TF_PROBE_ANCHORS, /* here, with the least window */
    TF_PROBE_WIDENS,  /* it anchors here, with a window four times as long */
};

/* Where a probe stands. */
struct tf_probe_course {
    unsigned window, period; /* since its anchor, in instructions */
    unsigned mismatches;     /* returns to the anchor with other registers */
    bool at_loop;            /* the anchor is the start of a loop */
};

/*
 * Decide what a probe does after a transfer. returned: to its anchor, and settled: with equal registers. loop: the
 * transfer most likely ends a loop. The probe and the prediction of one (lead_cycles()) both ask here.
 */
static inline __attribute__((always_inline)) enum tf_probe_move tf_probe_move(const struct tf_probe_course *course,
                                                                              bool returned, bool settled, bool loop)
{
    if (returned && settled)
        return TF_PROBE_PARKS;
    if (returned && course->mismatches + 1 == TF_PARK_MISMATCHES_MAX)
        return TF_PROBE_FAILS;
    if (loop && !course->at_loop)
        return TF_PROBE_ANCHORS;
    if (course->period < course->window)
        return TF_PROBE_GOES_ON;
    return course->window >= TF_PARK_PERIOD ? TF_PROBE_FAILS : TF_PROBE_WIDENS;
}

/* A probe has parked the hart: remember its period, if it is short and simple enough. */
void tf_memo_keep_round(struct tf_park *park);

/* A probe that began after a control transfer, while it may become a memo. */
struct tf_way {
    uint32_t pc[TF_MEMO_WAY_STEPS + 2];
    struct tf_rv_insn insn[TF_MEMO_WAY_STEPS + 1];
    uint32_t count;
    uint32_t generation; /* tile->code_generation at its start */
    bool open;           /* it may still become one */
    bool whole;          /* it has all instructions of the probe, not only the first ones */
};

/* The probe has ended at an effect. If it is the effect of a store, remember the way to it. */
void tf_memo_keep_store(struct tf_tile *tile, struct tf_hart *hart, const struct tf_way *way);

/* The probe has parked the hart. If the way has led to the round, which is remembered, remember the way up to there. */
void tf_memo_keep_lead(struct tf_tile *tile, struct tf_hart *hart, struct tf_way *way);

/* The x registers that instructions read before they write them, as bits; *written: those that they write. */
uint32_t tf_memo_live(const struct tf_rv_insn *insn, unsigned count, uint32_t *written);

#endif
