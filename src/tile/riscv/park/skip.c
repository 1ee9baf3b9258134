/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/code/insn.h"
#include "tile/riscv/hart/block_end.h"
#include "tile/riscv/park/input.h"
#include "tile/riscv/park/skip.h"
#include "tile/riscv/waits/unchanged.h"

#include <string.h>

#include "host/extremes.h"
#include "tile/riscv/hart/beat.h"
#include "tile/riscv/hart/csr.h"
#include "tile/riscv/hart/csr_words.h"
#include "tile/riscv/interp/observed.h"
#include "tile/riscv/timed/timed.h"

bool tf_park_keep_code(struct tf_tile *tile, struct tf_park *park)
{
    struct tf_code_page *page = NULL;
    if (park->generation == tile->code_generation)
        return true;
    for (unsigned i = 0; i < park->period; i++)
        if (tf_code_insn(tile, park->pc[i], &page) == NULL)
            return false;
    park->generation = tile->code_generation;
    return true;
}

void tf_park_note_start(struct tf_hart *hart)
{
    memcpy(hart->park.notes->x, hart->x, sizeof hart->park.notes->x);
    tf_park_keep_floats(hart);
}

/* Are the registers of an executed hart equal to those that skipping computes? */
static bool as_skipped(const struct tf_tile *tile, const struct tf_hart *hart)
{
    struct tf_hart copy = *hart;
    copy.pc = hart->park.pc[0];
    memcpy(copy.x, hart->park.notes->x, sizeof hart->park.notes->x);
    memcpy(copy.f, hart->park.notes->f, sizeof copy.f);
    copy.csr.word[TF_CSR_FCSR] = hart->park.notes->fcsr;
    copy.park.held = true;
    tf_park_wake(tile, &copy);
    return copy.pc == hart->pc && memcmp(copy.x, hart->x, 32 * sizeof copy.x[0]) == 0 &&
           memcmp(copy.f, hart->f, sizeof copy.f) == 0 && copy.csr.word[TF_CSR_FCSR] == hart->csr.word[TF_CSR_FCSR];
}

/*
 * With parking off: execute the period up to the deadline. The outcome equals that of skipping, except in relaxed mode:
 * another worker may change an input during the period, and then the hart runs again.
 */
static void execute(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    uint16_t position = hart->park.position;
    const bool pollers = tile->pollers;
    /* These polls change nothing, though a load of such a register might. So other pollers need not wake and poll
       before them. */
    tile->pollers = pollers && tile->mode.shared;
    tf_park_advanced(&hart->park, hart->cycle, deadline, &position);
    hart->state = TF_CORE_RUNNING;
    while (hart->state == TF_CORE_RUNNING && !hart->yielded && hart->cycle < deadline) {
        uint64_t left = deadline - hart->cycle;
        tf_interp(tile, hart, hart->cycle + tf_min(left, TF_INTERP_CYCLES_MAX), TF_HOOK(tile->observer) != NULL);
    }
    tile->pollers |= pollers;
    if (hart->state != TF_CORE_RUNNING || hart->yielded)
        return;
    hart->park.position = position;
    if (tile->mode.shared && !as_skipped(tile, hart))
        tf_park_reset(hart);
    else
        hart->state = TF_CORE_PARKED;
}

static void skip_or_execute(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    const struct tf_park *park = &hart->park;
    uint64_t last = park->words_only ? deadline : tf_park_last_start(hart, deadline);
    if (tile->mode.parking && park->words_only)
        tf_park_advance(hart, deadline);
    else if (TF_HOOK(tile->timing) != NULL)
        tf_timed_rest(tile, hart, deadline);
    else if (tile->mode.parking)
        tf_park_advance_before(hart, deadline);
    else if (hart->cycle < last)
        execute(tile, hart, last);
    if (hart->park.beats)
        tf_beat_show(tile, hart);
}

void tf_park_continue(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    skip_or_execute(tile, hart, deadline);
}

bool tf_park_turn(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    tile->cycle = hart->cycle;
    if (!tf_park_unchanged(tile, hart) || !tf_park_keep_code(tile, &hart->park)) {
        tf_park_wake(tile, hart);
        return false;
    }
    skip_or_execute(tile, hart, deadline);
    return true;
}
