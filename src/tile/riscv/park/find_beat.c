/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One round is executed on a copy of the hart, and then examined. A register that the round reads before it writes it
 * is live. A live register whose value differs after the round must be a counter, which is itself plus a constant. What
 * depends on counters may be stored. No branch, address or other live register may depend on them. So every later round
 * is the same, but for counters and stored words. A function in the loop may save registers in the core's own RAM, if
 * these words have the values already.
 */
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tile/riscv/park/find_beat.h"

#include <string.h>

#include "tile/riscv/park/input.h"
#include "tile/riscv/park/keep.h"
#include "tile/riscv/park/skip.h"

#define ROUND_MAX 64u /* instructions */

struct round {
    struct tf_tile *tile;
    struct tf_hart hart; /* a copy; after the round, its registers are those of the next one */
    struct tf_code_page *page;
    struct tf_rv_insn insn[ROUND_MAX];
    uint32_t pc[ROUND_MAX];
    uint16_t transfer[ROUND_MAX];
    struct tf_input input[TF_PARK_INPUTS];
    unsigned count, transfers, inputs;
    uint64_t saves; /* instructions that store to the core's own RAM, as bits */
    struct tf_beat beat;
};

_Static_assert(ROUND_MAX <= 64, "each instruction of a round has a bit");

static bool overlaps(const struct tf_tile *tile, const struct tf_input *input, uint32_t address)
{
    return input->at == (const uint32_t *)(const void *)(tile->l1 + address / 4 * 4);
}

/* Returns false if there are too many inputs. */
static bool add_input(struct round *round, const struct tf_input *input)
{
    for (unsigned i = 0; i < round->inputs; i++)
        if (round->input[i].address == input->address && round->input[i].size == input->size)
            return true;
    if (round->inputs == TF_PARK_INPUTS)
        return false;
    round->input[round->inputs++] = *input;
    return true;
}

static bool step_load(struct round *round, const struct tf_rv_insn *insn)
{
    struct tf_input input = {.address = round->hart.x[insn->rs1] + (uint32_t)insn->imm,
                             .size = (uint8_t)tf_exec_size(insn)};
    if (tf_exec_is_float(insn) || !tf_input_find(round->tile, &round->hart, &input))
        return false;
    input.value = tf_input_value(&input);
    for (unsigned i = 0; i < round->beat.stores; i++)
        if (overlaps(round->tile, &input, round->beat.stored[i]))
            return false;
    if (!add_input(round, &input))
        return false;
    tf_exec_loaded(&round->hart, insn, input.value);
    return true;
}

/* A store to the core's own RAM, of the value that is there: as of a function that saves its return address. It has no
   effect while the word is unchanged, so the word becomes an input. */
static bool step_save(struct round *round, const struct tf_rv_insn *insn, uint32_t address)
{
    struct tf_input input = {.address = address, .size = (uint8_t)tf_exec_size(insn)};
    if (!tf_input_in_memory(round->tile, &round->hart, &input))
        return false;
    input.value = tf_input_value(&input);
    round->saves |= UINT64_C(1) << (round->count - 1);
    return input.value == (round->hart.x[insn->rs2] & input.mask) && add_input(round, &input);
}

/* A store to L1, of a word that the loop does not load. */
static bool step_store(struct round *round, const struct tf_rv_insn *insn)
{
    const uint32_t address = round->hart.x[insn->rs1] + (uint32_t)insn->imm, size = tf_exec_size(insn);
    if (tf_exec_is_float(insn))
        return false;
    if (address >= round->tile->arch->l1_bytes)
        return step_save(round, insn, address);
    if (round->beat.stores == TF_BEAT_STORES || address % size != 0 || !tf_in_l1(round->tile->arch, address, size))
        return false;
    for (unsigned i = 0; i < round->inputs; i++)
        if (overlaps(round->tile, &round->input[i], address))
            return false;
    round->beat.stored[round->beat.stores++] = address;
    return true;
}

static bool step(struct round *round, const struct tf_rv_insn *insn)
{
    enum tf_step end = TF_STEP_NEXT;
    switch (tf_exec_kind[insn->id]) {
    case TF_EXEC_PURE:
        if (tf_park_floats(insn))
            return false;
        end = tf_exec_pure(&round->hart, insn);
        break;
    case TF_EXEC_LOAD:
        if (!step_load(round, insn))
            return false;
        break;
    case TF_EXEC_STORE:
        if (!step_store(round, insn))
            return false;
        break;
    default: return false;
    }
    if (end == TF_STEP_TRANSFER)
        round->transfer[round->transfers++] = (uint16_t)round->count;
    else
        round->hart.pc += 4;
    return true;
}

/* Execute a round on the copy. Returns false if it does not come back to its start, or does more than wait, count. */
static bool execute(struct round *round, uint32_t start)
{
    do {
        const uint32_t pc = round->hart.pc;
        const struct tf_rv_insn *insn = round->count < ROUND_MAX && tf_code_fetches(round->tile, &round->hart, pc)
                                            ? tf_code_insn(round->tile, pc, &round->page)
                                            : NULL;
        if (insn == NULL)
            return false;
        round->pc[round->count] = pc;
        round->insn[round->count++] = *insn;
        if (!step(round, &round->insn[round->count - 1]))
            return false;
    } while (round->hart.pc != start);
    return round->transfers != 0 && round->transfer[round->transfers - 1] == round->count;
}

/* Does the round store to its own instructions? Then the next round may differ. */
static bool stores_own_code(const struct round *round)
{
    for (unsigned i = 0; i < round->count; i++)
        for (unsigned store = 0; store < round->beat.stores; store++)
            if (tf_code_place(round->tile->arch, round->pc[i]) / 4 == round->beat.stored[store] / 4)
                return true;
    return false;
}

/* Is the register, after the round, itself plus a constant? ADDI instructions alone lead from one to the other. */
static bool only_counts(const struct round *round, unsigned r)
{
    uint32_t counts = 1u << r; /* registers that are r at the start of the round, plus a constant */
    for (unsigned i = 0; i < round->count; i++) {
        const struct tf_rv_insn *insn = &round->insn[i];
        const uint32_t written = tf_rv_x_written(insn);
        const bool adds = insn->id == TF_RV_ADDI && (counts >> insn->rs1 & 1) != 0;
        counts = adds ? counts | written : counts & ~written;
    }
    return (counts >> r & 1) != 0;
}

/* Do counters decide nothing but stored values, and themselves? */
static bool counters_are_stored(const struct round *round, uint32_t counters, uint32_t live)
{
    uint32_t depend = counters;
    for (unsigned i = 0; i < round->count; i++) {
        const struct tf_rv_insn *insn = &round->insn[i];
        const unsigned kind = tf_exec_kind[insn->id];
        const uint32_t address = kind == TF_EXEC_STORE || kind == TF_EXEC_LOAD ? 1u << insn->rs1 : 0;
        const uint32_t written = tf_rv_x_written(insn);
        const bool depends = (tf_rv_x_read(insn) & depend) != 0;
        if ((address & depend) != 0 || (depends && (round->saves >> i & 1) != 0))
            return false;
        if (depends && kind == TF_EXEC_PURE && written == 0)
            return false; /* a branch */
        if (insn->id == TF_RV_JALR && depends)
            return false;
        depend = depends && kind == TF_EXEC_PURE ? depend | written : depend & ~written;
    }
    return (depend & live & ~counters) == 0;
}

static bool find_counters(struct round *round, const struct tf_hart *hart)
{
    uint32_t written, counters = 0;
    const uint32_t live = tf_memo_live(round->insn, round->count, &written);
    for (uint32_t left = live & written; left != 0; left &= left - 1) {
        const unsigned r = (unsigned)__builtin_ctz(left);
        if (round->hart.x[r] == hart->x[r])
            continue;
        if (round->beat.counters == TF_BEAT_COUNTERS || !only_counts(round, r))
            return false;
        counters |= 1u << r;
        round->beat.step[round->beat.counters] = round->hart.x[r] - hart->x[r];
        round->beat.counter[round->beat.counters++] = (uint8_t)r;
    }
    return counters != 0 && round->beat.stores != 0 && counters_are_stored(round, counters, live);
}

static void park(struct tf_tile *tile, struct tf_hart *hart, const struct round *round)
{
    struct tf_park *park = &hart->park;
    struct tf_park_notes *notes = park->notes;
    memcpy(notes->input, round->input, round->inputs * sizeof round->input[0]);
    memcpy(notes->transfer, round->transfer, round->transfers * sizeof round->transfer[0]);
    for (unsigned i = 0; i < round->count; i++) {
        notes->pc[i] = round->pc[i];
        notes->word[i] = round->insn[i].word;
    }
    park->input = notes->input;
    park->pc = notes->pc;
    park->word = notes->word;
    park->transfer = notes->transfer;
    park->inputs = (uint8_t)round->inputs;
    park->period = (uint16_t)round->count;
    park->transfers = (uint16_t)round->transfers;
    park->generation = tile->code_generation;
    park->words_only = true;
    park->anchored = park->floats = false;
    park->notes->beat = round->beat;
    park->notes->beat.since = hart->cycle;
    park->beats = true;
    tile->beats = true;
    tf_park_begin(hart);
    if (!tile->mode.parking)
        tf_park_note_start(hart);
}

bool tf_beat_find(struct tf_tile *tile, struct tf_hart *hart)
{
    if (tile->tensix != NULL || tile->mode.shared || tile->ordered || TF_HOOK(tile->explore) != NULL || hart->searches)
        return false;
    struct round round = {.tile = tile, .hart = *hart};
    if (!execute(&round, hart->pc) || stores_own_code(&round) || !find_counters(&round, hart))
        return false;
    park(tile, hart, &round);
    return true;
}
