/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/park.h"

#include <stddef.h>
#include <string.h>

#include "host/zeroed.h"
#include "tile/riscv/interp.h"
#include "tile/riscv/park_loop.h"

/* Cycles between probes: half as many again after each failure, so that what is spent on probes stays small against
   what ran between them. */
#define INTERVAL_MAX 16384u

/*
 * A period is looked for from an anchor: where the probe begins, then where a loop seems to. It moves on after this
 * many instructions and four times as many each time (Brent's way of finding cycles), as registers may have to settle.
 */
#define WINDOW_MIN 16u
#define MISMATCHES_MAX 4u

static bool fail_at(struct tf_hart *hart, uint64_t cycle)
{
    struct tf_park *park = &hart->park;
    park->probing = false;
    if (park->interval < INTERVAL_MAX)
        park->interval += park->interval / 2;
    park->probe_at = cycle + park->interval;
    return false;
}

static bool fail(struct tf_hart *hart)
{
    return fail_at(hart, hart->cycle);
}

/* To be where it was needs equal x; f and fcsr are noted when an instruction comes that may write them. */
static void keep_floats(struct tf_hart *hart)
{
    struct tf_park *park = &hart->park;
    if (park->floats)
        return;
    memcpy(park->notes->f, hart->f, sizeof hart->f);
    park->notes->fcsr = hart->csr.word[TF_CSR_FCSR];
    park->floats = true;
}

static bool at_anchor(const struct tf_hart *hart)
{
    const struct tf_park *park = &hart->park;
    return memcmp(park->notes->x, hart->x, sizeof park->notes->x) == 0 &&
           (!park->floats || (memcmp(park->notes->f, hart->f, sizeof hart->f) == 0 &&
                              park->notes->fcsr == hart->csr.word[TF_CSR_FCSR]));
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
    park->watches = 0;
    park->mismatches = 0;
    park->floats = false;
    park->plain = true;
    park->watch = park->notes->watch;
    park->pc = park->notes->pc;
    park->insn = park->notes->insn;
    park->transfer = park->notes->transfer;
    memcpy(park->notes->x, hart->x, sizeof park->notes->x);
}

/* False: no room, or the same place has had another value since the anchor. */
static bool watch(struct tf_park *park, const struct tf_watch *what)
{
    if (!tf_watch_add(park->notes->watch, &park->watches, TF_PARK_WATCHES, what))
        return false;
    park->plain &= what->at != NULL;
    return true;
}

/* The value of a watched place now. False: it cannot be read without effect any more. */
static bool look_again(struct tf_tile *tile, const struct tf_hart *hart, const struct tf_watch *what, uint32_t *value)
{
    bool pure = true;
    if (what->at != NULL) {
        *value = tf_watch_value(what);
        return true;
    }
    if (what->size == 0) {
        /* Without effect, as the probe has made sure. */
        struct tf_hart *reader = (struct tf_hart *)(uintptr_t)hart;
        const struct tf_rv_insn *insn = &hart->park.insn[what->address];
        return tf_csr_execute(tile, reader, insn, hart->cycle, hart->instret, value) == TF_ACCESS_OK;
    }
    return tf_mmio_load(tile, hart->core, what->address, what->size, value, &pure) == TF_ACCESS_OK && pure;
}

static bool code_unchanged(const struct tf_tile *tile, const struct tf_park *park)
{
    if (park->generation == tile->code_generation)
        return true;
    for (unsigned i = 0; i < park->period; i++) {
        uint32_t word = __atomic_load_n((const uint32_t *)(const void *)(tile->l1 + park->pc[i]), __ATOMIC_RELAXED);
        if (word != park->insn[i].word)
            return false;
    }
    return true;
}

bool tf_park_unchanged(struct tf_tile *tile, const struct tf_hart *hart)
{
    const struct tf_park *park = &hart->park;
    enum tf_park_look look = tf_park_look(tile, hart);
    if (look != TF_PARK_UNKNOWN)
        return look == TF_PARK_SAME;
    for (unsigned i = 0; i < park->watches; i++) {
        uint32_t value;
        if (!look_again(tile, hart, &park->watch[i], &value) || value != park->watch[i].value)
            return false;
    }
    return code_unchanged(tile, park);
}

/* The period's code is as noted: keep all of it decoded, so that its next change bumps the generation again. */
static bool keep_code(struct tf_tile *tile, struct tf_park *park)
{
    struct tf_code_page *page = NULL;
    if (park->generation == tile->code_generation)
        return true;
    for (unsigned i = 0; i < park->period; i++)
        if (tf_park_insn(tile, park->pc[i], &page) == NULL)
            return false;
    park->generation = tile->code_generation;
    return true;
}

enum noted {
    NOTED,    /* retired, without effect */
    EFFECT,   /* retired, but not to be repeated without executing it */
    STOPPED,  /* not retired */
};

static enum noted probe_load(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    struct tf_watch what = {.address = hart->x[insn->rs1] + (uint32_t)insn->imm, .size = (uint8_t)tf_exec_size(insn)};
    bool pure = true;
    if (insn->id == TF_RV_FLW || insn->id == TF_RV_FLH)
        keep_floats(hart);
    if (tf_watch_place(tile, hart, &what))
        what.value = tf_watch_value(&what);
    else if (tf_exec_load(tile, hart, insn, what.address, &what.value, &pure) != TF_ACCESS_OK)
        return STOPPED;
    if (hart->state != TF_CORE_RUNNING)
        return STOPPED;
    tf_exec_loaded(hart, insn, what.value);
    return pure && watch(&hart->park, &what) ? NOTED : EFFECT;
}

/*
 * A store of what memory holds already, as when a function that polls saves its return address anew in each round, is
 * without effect for as long as that word stays what it is.
 */
static enum noted probe_store(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    struct tf_watch what = {.address = hart->x[insn->rs1] + (uint32_t)insn->imm, .size = (uint8_t)tf_exec_size(insn)};
    if (insn->id != TF_RV_FSW && insn->id != TF_RV_FSH && tf_watch_memory(tile, hart, &what)) {
        what.value = tf_watch_value(&what);
        if (what.value == (hart->x[insn->rs2] & what.mask) && watch(&hart->park, &what))
            return NOTED;
    }
    struct tf_rv_insn copy = *insn; /* its page may go */
    return tf_exec(tile, hart, &copy) == TF_STEP_STOP ? STOPPED : EFFECT;
}

static enum noted probe_csr(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    uint32_t value;
    bool active = tf_csr_effect(hart, insn) == TF_CSR_ACTIVE;
    tile->now = hart->cycle;
    keep_floats(hart);
    if (tf_csr_execute(tile, hart, insn, hart->cycle, hart->instret, &value) != TF_ACCESS_OK)
        return STOPPED;
    if (insn->rd != 0)
        hart->x[insn->rd] = value;
    struct tf_watch what = {.address = hart->park.period, .value = value};
    return !active && watch(&hart->park, &what) ? NOTED : EFFECT;
}

/* Execute one instruction of a probe; *transfer: it was a control transfer. Time is the caller's. */
static enum noted probe_step(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn, bool *transfer)
{
    enum noted noted = NOTED;
    enum tf_step step = TF_STEP_NEXT;
    switch (tf_exec_kind[insn->id]) {
    case TF_EXEC_PURE:
        if (tf_park_floats(insn))
            keep_floats(hart);
        step = tf_exec_pure(hart, insn);
        break;
    case TF_EXEC_LOAD: {
        struct tf_rv_insn copy = *insn;
        noted = probe_load(tile, hart, &copy);
        break;
    }
    case TF_EXEC_STORE:
        noted = probe_store(tile, hart, insn);
        break;
    case TF_EXEC_CSR:
        noted = probe_csr(tile, hart, insn);
        break;
    default: {
        struct tf_rv_insn copy = *insn; /* its page may go */
        step = tf_exec(tile, hart, &copy);
        noted = step == TF_STEP_STOP ? STOPPED : EFFECT;
        break;
    }
    }
    *transfer = step == TF_STEP_TRANSFER;
    if (noted != STOPPED && !*transfer)
        hart->pc += 4;
    return noted;
}

static void note(struct tf_park *park, uint32_t pc, bool transfer)
{
    if (!park->anchored)
        return;
    park->notes->pc[park->period++] = pc;
    if (transfer)
        park->notes->transfer[park->transfers++] = park->period;
}

/* Code has not changed since the anchor: what has been executed is still there. False: no memory. */
static bool note_code(struct tf_tile *tile, struct tf_park *park)
{
    struct tf_code_page *page = NULL;
    for (unsigned i = 0; i < park->period; i++) {
        const struct tf_rv_insn *insn = tf_park_insn(tile, park->notes->pc[i], &page);
        if (insn == NULL)
            return false;
        park->notes->insn[i] = *insn;
    }
    return true;
}

void tf_park_note_start(struct tf_hart *hart)
{
    memcpy(hart->park.notes->x, hart->x, sizeof hart->park.notes->x);
    keep_floats(hart);
}

static void park_here(const struct tf_tile *tile, struct tf_hart *hart)
{
    tf_park_begin(hart);
    tf_loop_remember(&hart->park);
    if (!tile->parking)
        tf_park_note_start(hart);
}

/* A branch or jump backwards that is no call or return: most likely the end of a loop. */
static bool ends_loop(const struct tf_rv_insn *insn, uint32_t from, uint32_t to)
{
    return to <= from && insn->id != TF_RV_JALR && (insn->id != TF_RV_JAL || insn->rd == 0);
}

/*
 * The hart is at the end of a loop, back at its anchor, with other registers than it had there. If none of those that
 * differ is read before it is written, another round ends with the registers that it has now: the hart is where that
 * round would have brought it, and parks. Only where the probe would have come to the same.
 */
static bool settles(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    struct tf_park *park = &hart->park;
    if (park->at_loop || park->floats || !park->plain || park->mismatches != 1 || park->period > WINDOW_MIN ||
        park->generation != tile->code_generation || hart->cycle + park->period > deadline || !note_code(tile, park))
        return false;
    uint32_t written;
    for (uint32_t live = tf_loop_live(park->insn, park->period, &written); live != 0; live &= live - 1) {
        unsigned r = (unsigned)__builtin_ctz(live);
        if (hart->x[r] != park->notes->x[r])
            return false;
    }
    if (!tf_park_unchanged(tile, hart) || !keep_code(tile, park))
        return false;
    hart->cycle += park->period;
    hart->instret += park->period;
    tile->executed += park->period;
    park->at_loop = true;
    park_here(tile, hart);
    return true;
}

/* After a control transfer: has the hart come back, must the anchor move? False: give up. */
static bool probe_transfer(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn, uint32_t from,
                           uint64_t deadline)
{
    bool loop = ends_loop(insn, from, hart->pc);
    struct tf_park *park = &hart->park;
    if (tf_park_recall(tile, hart, deadline))
        return true;
    if (park->anchored && hart->pc == park->notes->pc[0]) {
        if (at_anchor(hart) && park->generation != tile->code_generation) {
            set_anchor(tile, hart, park->window, park->at_loop); /* what has been executed may have changed since */
            return true;
        }
        if (at_anchor(hart)) {
            if (!note_code(tile, park) || !tf_park_unchanged(tile, hart) || !keep_code(tile, park))
                return false;
            park_here(tile, hart);
            return true;
        }
        if (++park->mismatches == MISMATCHES_MAX)
            return false;
        if (loop && settles(tile, hart, deadline))
            return true;
    }
    if (!park->anchored || (loop && !park->at_loop)) {
        set_anchor(tile, hart, WINDOW_MIN, loop);
        return true;
    }
    if (park->period < park->window)
        return true;
    if (park->window >= TF_PARK_PERIOD)
        return false;
    set_anchor(tile, hart, park->window * 4u, true);
    return true;
}

static void begin(struct tf_tile *tile, struct tf_hart *hart, bool at_transfer)
{
    struct tf_park *park = &hart->park;
    if (!hart->touched)
        tf_zeroed_touch(hart->local, hart->local_bytes + offsetof(struct tf_park_notes, insn));
    hart->touched = true;
    park->probing = true;
    park->anchored = false;
    park->pc = park->notes->pc;
    park->period = 0;
    park->watches = 0;
    if (at_transfer)
        set_anchor(tile, hart, WINDOW_MIN, false);
}

/*
 * From where a probe has begun after a control transfer, as long as it is short. Open where it may be told next time:
 * where waits are executed, so are all probes, and tests compare.
 */
struct way {
    uint32_t pc[TF_PATH_STEPS + 1];
    uint32_t count;
    uint32_t generation; /* of the code, there */
    bool open;
};

static inline void way_goes_on(struct way *way, uint32_t pc)
{
    way->open &= way->count <= TF_PATH_STEPS;
    if (way->open)
        way->pc[way->count++] = pc;
}

/* All of tf_park_probe_on() but for what it may recall at its beginning. */
static __attribute__((noinline)) bool probe(struct tf_tile *tile, struct tf_hart *hart, bool at_transfer,
                                            uint64_t deadline)
{
    struct tf_park *park = &hart->park;
    struct tf_code_page *page = NULL;
    struct way way = {.open = tile->parking && !park->probing && at_transfer, .generation = tile->code_generation};
    if (!park->probing)
        begin(tile, hart, at_transfer);
    for (unsigned unanchored = 0; unanchored < TF_PARK_PERIOD; unanchored += !park->anchored) {
        bool transfer;
        uint32_t pc = hart->pc;
        if (park->period == TF_PARK_PERIOD || pc % 4 != 0 || pc >= tile->arch->l1_bytes)
            return fail(hart);
        const struct tf_rv_insn *insn = tf_park_insn(tile, pc, &page);
        if (insn == NULL)
            return fail(hart);
        way_goes_on(&way, pc);
        uint32_t generation = tile->code_generation;
        enum noted noted = probe_step(tile, hart, insn, &transfer);
        if (tile->code_generation != generation)
            page = NULL; /* a load has let the coprocessor store there */
        if (noted == STOPPED)
            return fail(hart);
        hart->cycle++;
        hart->instret++;
        tile->executed++;
        if (noted == EFFECT) {
            fail(hart);
            if (way.open && way.generation == tile->code_generation)
                tf_path_remember(tile, hart, way.pc, way.count);
            return transfer;
        }
        note(park, pc, transfer);
        if (!transfer)
            continue;
        if (!probe_transfer(tile, hart, insn, pc, deadline)) {
            fail(hart);
            return true;
        }
        if (hart->state == TF_CORE_PARKED || hart->cycle >= deadline)
            return true;
    }
    return fail(hart);
}

bool tf_park_probe_on(struct tf_tile *tile, struct tf_hart *hart, bool at_transfer, uint64_t deadline)
{
    if (at_transfer && !hart->park.probing && tf_path_recall(tile, hart, deadline))
        return fail_at(hart, hart->cycle + 1);
    return probe(tile, hart, at_transfer, deadline);
}

/* First control transfer of the repeated period at or past the deadline. */
static uint64_t advanced(const struct tf_park *park, uint64_t cycle, uint64_t deadline, uint16_t *position)
{
    uint32_t period = park->period;
    if (cycle >= deadline)
        return cycle;
    uint64_t start = cycle - park->position;
    uint64_t whole = (deadline - start - 1) / period * period;
    uint32_t rest = (uint32_t)(deadline - start - whole);
    unsigned i = 0;
    while (park->transfer[i] < rest)
        i++;
    *position = park->transfer[i] == period ? 0 : park->transfer[i];
    return start + whole + park->transfer[i];
}

void tf_park_advance_through(struct tf_hart *hart, uint64_t deadline)
{
    struct tf_park *park = &hart->park;
    uint64_t cycle = advanced(park, hart->cycle, deadline, &park->position);
    hart->instret += cycle - hart->cycle;
    hart->cycle = cycle;
    hart->pc = park->pc[park->position];
}

/* One instruction of the period, loads with the values that are watched; stores change nothing. */
static void replay_step(struct tf_hart *hart, unsigned place)
{
    const struct tf_park *park = &hart->park;
    const struct tf_rv_insn *insn = &park->insn[place];
    unsigned kind = tf_exec_kind[insn->id];
    bool csr = kind == TF_EXEC_CSR;
    if (kind == TF_EXEC_PURE) {
        if (tf_exec_pure(hart, insn) == TF_STEP_NEXT)
            hart->pc += 4;
        return;
    }
    if (kind == TF_EXEC_STORE) {
        hart->pc += 4;
        return;
    }
    uint32_t address = csr ? place : hart->x[insn->rs1] + (uint32_t)insn->imm;
    unsigned size = csr ? 0 : tf_exec_size(insn);
    for (unsigned i = 0; i < park->watches; i++)
        if (park->watch[i].address == address && park->watch[i].size == size)
            tf_exec_loaded(hart, insn, park->watch[i].value);
    hart->pc += 4;
}

void tf_park_replay(struct tf_hart *hart)
{
    hart->pc = hart->park.pc[0];
    for (unsigned place = 0; place < hart->park.position; place++)
        replay_step(hart, place);
}

/* Is the hart where the period, repeated, has it? */
static bool as_predicted(const struct tf_hart *hart)
{
    struct tf_hart copy = *hart;
    copy.pc = hart->park.pc[0];
    memcpy(copy.x, hart->park.notes->x, sizeof hart->park.notes->x);
    memcpy(copy.f, hart->park.notes->f, sizeof copy.f);
    copy.csr.word[TF_CSR_FCSR] = hart->park.notes->fcsr;
    copy.park.held = true;
    tf_park_wake(&copy);
    return copy.pc == hart->pc && memcmp(copy.x, hart->x, 32 * sizeof copy.x[0]) == 0 &&
           memcmp(copy.f, hart->f, sizeof copy.f) == 0 &&
           copy.csr.word[TF_CSR_FCSR] == hart->csr.word[TF_CSR_FCSR];
}

/*
 * Execute the period for real, with the same outcome: unless, in relaxed mode, others change meanwhile what it watches.
 */
static void execute(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    uint16_t position = hart->park.position;
    advanced(&hart->park, hart->cycle, deadline, &position);
    hart->state = TF_CORE_RUNNING;
    while (hart->state == TF_CORE_RUNNING && hart->cycle < deadline) {
        uint64_t left = deadline - hart->cycle;
        tf_interp(tile, hart, hart->cycle + (left < TF_INTERP_CYCLES_MAX ? left : TF_INTERP_CYCLES_MAX));
    }
    if (hart->state != TF_CORE_RUNNING)
        return;
    hart->park.position = position;
    if (tile->shared && !as_predicted(hart))
        tf_park_reset(hart);
    else
        hart->state = TF_CORE_PARKED;
}

static void go_on(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    if (tile->parking)
        tf_park_advance(hart, deadline);
    else
        execute(tile, hart, deadline);
}

/* Looking at a register lets the coprocessor come up to date, so that it may have changed since it was noted. */
void tf_park_go_on(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    tile->now = hart->cycle;
    if (hart->park.plain)
        go_on(tile, hart, deadline);
    else
        tf_park_turn(tile, hart, deadline);
}

bool tf_park_turn(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    tile->now = hart->cycle;
    if (!tf_park_unchanged(tile, hart) || !keep_code(tile, &hart->park)) {
        tf_park_wake(hart);
        return false;
    }
    go_on(tile, hart, deadline);
    return true;
}
