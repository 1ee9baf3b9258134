/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detection of waiting. A probe looks for a period from an anchor: the instruction at which the hart has equal
 * registers again. The anchor starts where the probe starts, and moves to the first loop found. Since registers may
 * have to settle, it then moves after TF_PARK_WINDOW_MIN instructions, and four times as many each time (Brent's cycle
 * finding).
 */
#include "tile/riscv/park/probe.h"

#include <stddef.h>
#include <string.h>

#include "host/zeroed.h"
#include "tile/check.h"
#include "tile/order/order.h"
#include "tile/riscv/hart/csr.h"
#include "tile/riscv/hart/csr_words.h"
#include "tile/riscv/hart/observed.h"
#include "tile/riscv/hart/retired.h"
#include "tile/riscv/interp/count.h"
#include "tile/riscv/interp/observed.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tile/riscv/park/find_beat.h"
#include "tile/riscv/park/keep.h"
#include "tile/riscv/park/memo.h"
#include "tile/riscv/park/skip.h"
#include "tile/riscv/waits/unchanged.h"
#include "tile/riscv/timed/timed.h"

#define INTERVAL_MAX 16384u /* limit of cycles between probes: probes then cost little beside what runs between them */

/* End a probe that has failed. The next one starts after a longer interval. Returns false, for its callers. */
static bool fail_at(struct tf_hart *hart, uint64_t cycle)
{
    struct tf_park *park = &hart->park;
    park->probing = false;
    if (park->interval < INTERVAL_MAX)
        park->interval += park->interval / 2;
    park->probe_at = cycle + park->interval;
    return false;
}

static bool end_probe(struct tf_hart *hart)
{
    return fail_at(hart, hart->cycle);
}

static inline __attribute__((always_inline)) bool registers_as_at_anchor(const struct tf_hart *hart)
{
    const struct tf_park *park = &hart->park;
    return memcmp(park->notes->x, hart->x, sizeof park->notes->x) == 0 &&
           (!park->floats ||
            (memcmp(park->notes->f, hart->f, sizeof hart->f) == 0 && park->notes->fcsr == hart->csr.word[TF_CSR_FCSR]));
}

static void set_anchor(struct tf_tile *tile, struct tf_hart *hart, unsigned window, bool at_loop)
{
    struct tf_park *park = &hart->park;
    park->window = (uint16_t)window;
    park->anchored = true;
    park->at_loop = at_loop;
    park->generation = tile->code_generation;
    park->period = 0;
    park->transfers = 0;
    park->inputs = 0;
    park->mismatches = 0;
    park->floats = false;
    park->words_only = !tile->ordered; /* with ordered memory the hart is a poller, as if L1 were registers */
    park->input = park->notes->input;
    park->pc = park->notes->pc;
    park->word = park->notes->word;
    park->transfer = park->notes->transfer;
    memcpy(park->notes->x, hart->x, sizeof park->notes->x);
}

/* Returns false if there are too many inputs, or if this one has changed since the anchor. */
static bool add_input(struct tf_park *park, const struct tf_input *input)
{
    struct tf_input *list = park->notes->input;
    for (unsigned i = 0; i < park->inputs; i++)
        if (list[i].address == input->address && list[i].size == input->size)
            return list[i].value == input->value;
    if (park->inputs == TF_PARK_INPUTS)
        return false;
    list[park->inputs++] = *input;
    park->words_only &= input->at != NULL;
    return true;
}

enum outcome {
    WITHOUT_EFFECT, /* it has retired, and may be skipped while its inputs are equal */
    EFFECT,         /* it has retired with an effect, and must be executed */
    STOPPED,        /* it has not retired */
};

/* Report a load to the race checker, if the probe found its value without tf_exec_load(). */
static void tell_load(struct tf_tile *tile, const struct tf_hart *hart, const struct tf_input *input, uint32_t value)
{
    if (input->address < tile->arch->l1_bytes)
        tile->check->load(tile->check, tf_hart_access(hart, input->address, input->size));
    else if (input->address - TF_LOCAL_BASE >= hart->local_bytes)
        tile->check->loaded(tile->check, hart->core, hart->pc, input->address, value);
}

static inline __attribute__((always_inline)) enum outcome probe_load(struct tf_tile *tile, struct tf_hart *hart,
                                                                     const struct tf_rv_insn *insn,
                                                                     const bool with_observers)
{
    struct tf_input input = {.address = hart->x[insn->rs1] + (uint32_t)insn->imm, .size = (uint8_t)tf_exec_size(insn)};
    bool pure = true;
    if (tf_exec_is_float(insn))
        tf_park_keep_floats(hart);
    if (tf_input_find(tile, hart, &input) && !(with_observers && (tile->explore != NULL || tile->ordered))) {
        input.value = tf_input_value(&input);
        if (with_observers && tile->check != NULL)
            tell_load(tile, hart, &input, input.value);
    } else if (tf_exec_load(tile, hart, insn, input.address, &input.value, &pure) != TF_STEP_NEXT) {
        return STOPPED;
    }
    if (hart->state != TF_CORE_RUNNING)
        return STOPPED;
    tf_exec_loaded(hart, insn, input.value);
    if (with_observers && tile->timing != NULL && hart->park.inputs == 0)
        tf_timed_look(tile, hart);
    return pure && add_input(&hart->park, &input) ? WITHOUT_EFFECT : EFFECT;
}

/*
 * A store of the value that the memory already holds has no effect while that word is unchanged. So the word becomes an
 * input. An example is a function that polls and saves its return address in each round.
 */
static inline __attribute__((always_inline)) enum outcome probe_store(struct tf_tile *tile, struct tf_hart *hart,
                                                                      const struct tf_rv_insn *insn,
                                                                      const bool with_observers)
{
    struct tf_input input = {.address = hart->x[insn->rs1] + (uint32_t)insn->imm, .size = (uint8_t)tf_exec_size(insn)};
    if (with_observers &&
        tf_order_claim_memory(tile, hart, (struct tf_span){input.address, input.address + input.size - 1}, true) !=
            TF_ACCESS_OK)
        return STOPPED;
    if (!tf_exec_is_float(insn) && tf_input_in_memory(tile, hart, &input) &&
        !(with_observers && tile->explore != NULL && input.address < tile->arch->l1_bytes)) {
        input.value = tf_input_value(&input);
        if (input.value == (hart->x[insn->rs2] & input.mask) && add_input(&hart->park, &input)) {
            if (with_observers && tile->check != NULL && input.address < tile->arch->l1_bytes)
                tile->check->store(tile->check, tf_hart_access(hart, input.address, input.size));
            return WITHOUT_EFFECT;
        }
    }
    return tf_exec(tile, hart, insn) == TF_STEP_STOP ? STOPPED : EFFECT;
}

static enum outcome probe_csr(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    struct tf_input input = {.address = hart->park.period};
    bool active = tf_csr_has_effect(hart, insn);
    tf_park_keep_floats(hart);
    if (tf_exec_csr(tile, hart, insn, &input.value) != TF_STEP_NEXT)
        return STOPPED;
    return !active && add_input(&hart->park, &input) ? WITHOUT_EFFECT : EFFECT;
}

/* Execute one instruction of a probe. It moves pc, but not the time. *transfer: it was a control transfer. */
static inline __attribute__((always_inline)) enum outcome probe_insn(struct tf_tile *tile, struct tf_hart *hart,
                                                                     const struct tf_rv_insn *insn, bool *transfer,
                                                                     const bool with_observers)
{
    enum outcome outcome = WITHOUT_EFFECT;
    enum tf_step step = TF_STEP_NEXT;
    switch (tf_exec_kind[insn->id]) {
    case TF_EXEC_PURE:
        if (tf_park_floats(insn))
            tf_park_keep_floats(hart);
        /* tf_exec() reports a fence to observers. */
        step = insn->id == TF_RV_FENCE ? tf_exec(tile, hart, insn) : tf_exec_pure(hart, insn);
        break;
    case TF_EXEC_LOAD: outcome = probe_load(tile, hart, insn, with_observers); break;
    case TF_EXEC_STORE: outcome = probe_store(tile, hart, insn, with_observers); break;
    case TF_EXEC_CSR: outcome = probe_csr(tile, hart, insn); break;
    default:
        step = tf_exec(tile, hart, insn);
        outcome = step == TF_STEP_STOP ? STOPPED : EFFECT;
        break;
    }
    *transfer = step == TF_STEP_TRANSFER;
    if (outcome != STOPPED && !*transfer)
        hart->pc += 4;
    return outcome;
}

static void note(struct tf_park *park, uint32_t pc, uint32_t word, bool transfer)
{
    if (!park->anchored)
        return;
    park->notes->pc[park->period] = pc;
    park->notes->word[park->period++] = word;
    if (transfer)
        park->notes->transfer[park->transfers++] = park->period;
}

static void start_parking(struct tf_tile *tile, struct tf_hart *hart)
{
    tf_park_begin(hart);
    tile->pollers |= !hart->park.words_only;
    tf_memo_keep_round(&hart->park);
    if (!tile->mode.parking)
        tf_park_note_start(hart);
}

/* A branch or jump backwards that is neither a call nor a return most likely ends a loop. */
static bool ends_loop(const struct tf_rv_insn *insn, uint32_t from, uint32_t to)
{
    return to <= from && insn->id != TF_RV_JALR && (insn->id != TF_RV_JAL || insn->rd == 0);
}

/*
 * At the end of a loop the hart is back at its anchor with other registers. If the loop reads none of the registers
 * that differ, the next round ends with the present registers: count that round as executed, and park. Returns false if
 * the hart does not wait, or if the round would pass the deadline.
 */
static inline __attribute__((always_inline)) bool parks_before_round(struct tf_tile *tile, struct tf_hart *hart,
                                                                     uint64_t deadline)
{
    struct tf_park *park = &hart->park;
    if (park->at_loop || park->floats || !park->words_only || park->mismatches != 1 ||
        park->period > TF_PARK_WINDOW_MIN || park->generation != tile->code_generation ||
        hart->cycle + park->period > deadline)
        return false;
    struct tf_rv_insn insn[TF_PARK_WINDOW_MIN];
    struct tf_code_page *page = NULL;
    uint32_t written;
    for (unsigned i = 0; i < park->period; i++) {
        const struct tf_rv_insn *decoded = tf_code_insn(tile, park->pc[i], &page);
        if (decoded == NULL)
            return false;
        insn[i] = *decoded;
    }
    for (uint32_t live = tf_memo_live(insn, park->period, &written); live != 0; live &= live - 1) {
        unsigned r = (unsigned)__builtin_ctz(live);
        if (hart->x[r] != park->notes->x[r])
            return false;
    }
    if (!tf_park_unchanged(tile, hart) || !tf_park_keep_code(tile, park))
        return false;
    tf_hart_retired(tile, hart, park->period);
    park->at_loop = true;
    start_parking(tile, hart);
    return true;
}

/* Try to park a hart that has returned to its anchor with equal registers. Returns false if the probe fails. */
static inline __attribute__((always_inline)) bool parks_at_anchor(struct tf_tile *tile, struct tf_hart *hart)
{
    struct tf_park *park = &hart->park;
    if (park->generation != tile->code_generation) {
        set_anchor(tile, hart, park->window, park->at_loop); /* the code may have changed since it was executed */
        return true;
    }
    if (!tf_park_unchanged(tile, hart) || !tf_park_keep_code(tile, park))
        return false;
    start_parking(tile, hart);
    return true;
}

/* After a control transfer from `from`, park, move the anchor, or go on. Returns false if the probe fails. */
static inline __attribute__((always_inline)) bool after_transfer(struct tf_tile *tile, struct tf_hart *hart,
                                                                 const struct tf_rv_insn *insn, uint32_t from,
                                                                 uint64_t deadline)
{
    const bool loop = ends_loop(insn, from, hart->pc);
    struct tf_park *park = &hart->park;
    if (tf_memo_waits(tile, hart, deadline))
        return true;
    if (!park->anchored) {
        set_anchor(tile, hart, TF_PARK_WINDOW_MIN, loop);
        return true;
    }
    const bool returned = hart->pc == park->notes->pc[0];
    const struct tf_probe_course course = {park->window, park->period, park->mismatches, park->at_loop};
    const enum tf_probe_move move = tf_probe_move(&course, returned, returned && registers_as_at_anchor(hart), loop);
    if (move == TF_PROBE_PARKS)
        return parks_at_anchor(tile, hart);
    park->mismatches += returned;
    if (move == TF_PROBE_GOES_ON || move == TF_PROBE_FAILS)
        return move == TF_PROBE_GOES_ON;
    if (move != TF_PROBE_ANCHORS || !returned || !parks_before_round(tile, hart, deadline))
        set_anchor(tile, hart, move == TF_PROBE_WIDENS ? park->window * 4u : TF_PARK_WINDOW_MIN, true);
    return true;
}

static void begin(struct tf_tile *tile, struct tf_hart *hart, bool at_transfer)
{
    struct tf_park *park = &hart->park;
    if (!hart->touched)
        tf_zeroed_touch(hart->local, hart->local_bytes + offsetof(struct tf_park_notes, word));
    hart->touched = true;
    park->probing = true;
    park->anchored = false;
    park->input = park->notes->input;
    park->pc = park->notes->pc;
    park->period = 0;
    park->inputs = 0;
    if (at_transfer)
        set_anchor(tile, hart, TF_PARK_WINDOW_MIN, false);
}

static inline void way_begin(struct tf_way *way, const struct tf_tile *tile, bool open)
{
    way->count = 0;
    way->generation = tile->code_generation;
    way->open = open;
    way->whole = true;
}

static inline void way_add(struct tf_way *way, uint32_t pc, const struct tf_rv_insn *insn)
{
    way->whole &= way->count <= TF_MEMO_WAY_STEPS;
    if (!way->open || !way->whole)
        return;
    way->pc[way->count] = pc;
    way->insn[way->count++] = *insn;
}

/* tf_park_probe_on(), if no remembered way decides. With parking off no such way is kept, so that tests can compare the
   two. looked is a constant; it is false if the tile has no observers. */
static inline __attribute__((always_inline)) bool probe(struct tf_tile *tile, struct tf_hart *hart, bool at_transfer,
                                                        uint64_t deadline, const bool with_observers)
{
    struct tf_park *park = &hart->park;
    struct tf_code_page *page = NULL;
    struct tf_way way;
    way_begin(&way, tile, tile->mode.parking && !park->probing && at_transfer);
    if (!park->probing)
        begin(tile, hart, at_transfer);
    if (with_observers && tile->timing != NULL)
        tf_timed_probe(tile, hart);
    for (unsigned unanchored = 0; unanchored < TF_PARK_PERIOD; unanchored += !park->anchored) {
        bool transfer;
        uint32_t pc = hart->pc;
        if (park->period == TF_PARK_PERIOD || !tf_code_fetches(tile, hart, pc))
            return end_probe(hart);
        const struct tf_rv_insn *decoded = tf_code_insn(tile, pc, &page);
        if (decoded == NULL)
            return end_probe(hart);
        struct tf_rv_insn insn = *decoded; /* its own effect may release the page that has it */
        way_add(&way, pc, &insn);
        uint32_t generation = tile->code_generation;
        struct tf_observed observed;
        struct tf_timed timed;
        bool is_observed = with_observers && tf_observes(tile, hart), is_timed = with_observers && tile->timing != NULL;
        if (is_timed)
            tf_timed_issue(tile, hart, &insn, &timed);
        if (is_observed && !tf_observe_before(tile, hart, &insn, &observed))
            return end_probe(hart);
        enum outcome outcome = probe_insn(tile, hart, &insn, &transfer, with_observers);
        if (tile->code_generation != generation)
            page = NULL; /* a load may run the coprocessor, which may store to code */
        if (outcome == STOPPED)
            return hart->yielded || end_probe(hart); /* an early access is tried again; the probe continues */
        tf_hart_retired(tile, hart, 1);
        if (is_timed)
            tf_timed_retired(tile, hart, &insn, &timed);
        if (is_observed)
            tf_observe_after(tile, hart, &observed);
        if (with_observers && tile->counter != NULL)
            tf_count_insn(tile, hart, &insn, pc);
        if (outcome == EFFECT) {
            end_probe(hart);
            tf_memo_keep_store(tile, hart, &way);
            return transfer;
        }
        note(park, pc, insn.word, transfer);
        if (!transfer)
            continue;
        if (!after_transfer(tile, hart, &insn, pc, deadline)) {
            end_probe(hart);
            return true;
        }
        if (is_timed)
            tf_timed_probe(tile, hart);
        if (hart->state == TF_CORE_PARKED)
            tf_memo_keep_lead(tile, hart, &way);
        if (hart->state == TF_CORE_PARKED || hart->cycle >= deadline)
            return true;
    }
    return end_probe(hart);
}

static __attribute__((noinline)) bool probe_without_observers(struct tf_tile *tile, struct tf_hart *hart,
                                                              bool at_transfer, uint64_t deadline)
{
    return probe(tile, hart, at_transfer, deadline, false);
}

static __attribute__((noinline)) bool probe_with_observers(struct tf_tile *tile, struct tf_hart *hart, bool at_transfer,
                                                           uint64_t deadline)
{
    return probe(tile, hart, at_transfer, deadline, true);
}

/* Does something need each instruction: a counter, an explorer, a race checker, or claims of memory? */
static bool needs_each(const struct tf_tile *tile)
{
    return TF_HOOK(tile->counter) != NULL || TF_HOOK(tile->explore) != NULL || TF_HOOK(tile->check) != NULL ||
           tile->ordered;
}

bool tf_park_probe_on(struct tf_tile *tile, struct tf_hart *hart, bool at_transfer, uint64_t deadline)
{
    const bool with_observers = TF_HOOK(tile->observer) != NULL;
    const bool sees_all = with_observers && needs_each(tile);
    if (at_transfer && !hart->park.probing && tile->tensix == NULL && tf_beat_find(tile, hart))
        return true;
    if (at_transfer && !hart->park.probing && !sees_all) {
        if (tf_memo_stores(tile, hart, deadline))
            return fail_at(hart, hart->cycle + 1);
        if (tf_memo_leads(tile, hart, deadline))
            return true;
    }
    return with_observers ? probe_with_observers(tile, hart, at_transfer, deadline)
                          : probe_without_observers(tile, hart, at_transfer, deadline);
}
