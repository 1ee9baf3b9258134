/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/hart/block_end.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/park/skip.h"

#include <string.h>

#include "host/extremes.h"
#include "tile/mmio/acts.h"
#include "tile/riscv/hart/beat.h"
#include "tile/riscv/hart/csr.h"
#include "tile/riscv/hart/csr_words.h"
#include "tile/riscv/interp/observed.h"
#include "tile/riscv/park/input.h"
#include "tile/riscv/timed/timed.h"

/* Read an input again into *value. Returns false if reading it would have an effect now. */
static bool read_input(struct tf_tile *tile, const struct tf_hart *hart, const struct tf_input *input, uint32_t *value)
{
    bool pure = true;
    if (input->at != NULL) {
        *value = tf_input_value(input);
        return true;
    }
    if (input->size == 0) {
        /* The probe has checked that the instruction only reads. */
        struct tf_hart *reader = (struct tf_hart *)(uintptr_t)hart;
        struct tf_rv_insn insn;
        tf_rv_decode(hart->park.word[input->address], &insn);
        return tf_csr_execute(tile, reader, &insn, value) == TF_ACCESS_OK;
    }
    enum tf_window_id window = tf_map_find(tile->arch->map, input->address);
    return !tf_mmio_load_acts(tile, hart->core, window, input->address) &&
           tf_mmio_load_at(tile, hart->core, window, input->address, input->size, value, &pure) == TF_ACCESS_OK && pure;
}

static bool code_unchanged(const struct tf_tile *tile, const struct tf_park *park)
{
    if (park->generation == tile->code_generation)
        return true;
    for (unsigned i = 0; i < park->period; i++)
        if (tf_code_word(tile, park->pc[i]) != park->word[i])
            return false;
    return true;
}

bool tf_park_unchanged(struct tf_tile *tile, const struct tf_hart *hart)
{
    const struct tf_park *park = &hart->park;
    enum tf_park_look look = tf_park_look(tile, hart);
    if (look != TF_PARK_UNKNOWN)
        return look == TF_PARK_SAME;
    for (unsigned i = 0; i < park->inputs; i++) {
        uint32_t value;
        if (!read_input(tile, hart, &park->input[i], &value) || value != park->input[i].value)
            return false;
    }
    return code_unchanged(tile, park);
}

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
