/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/park.h"

#include <string.h>

#include "tile/riscv/code.h"
#include "tile/riscv/exec.h"
#include "tile/riscv/interp.h"
#include "tile/riscv/page.h"
#include "tile/tile.h"

/*
 * Cycles between probes: few after a wake-up, as who waited is likely to wait again soon; half as many again after
 * each failure, so that what is spent on probes stays small against what ran between them.
 */
#define INTERVAL_MIN 16u
#define INTERVAL_MAX 16384u

/*
 * A period is looked for from an anchor: where the probe begins, then where a loop seems to begin. It moves on after this
 * many instructions and four times as many each time (Brent's way of finding cycles), as registers may have to settle.
 */
#define WINDOW_MIN 16u
#define MISMATCHES_MAX 4u

/* More cycles than a probe that comes upon a loop of TF_LOOP_STEPS would need to end there. */
#define RECALL_CYCLES 128u
#define LOOP_WATCHES 4u

/* MADD, MSUB, NMSUB, NMADD and OP-FP among the opcodes: what computes with f. */
#define OPCODES_OF_F_MASK 0x60u
#define OPCODES_OF_F 0x40u

void tf_park_reset(struct tf_hart *hart)
{
    struct tf_park *park = &hart->park;
    park->probing = false;
    park->held = false;
    park->interval = INTERVAL_MIN;
    park->probe_at = hart->cycle + INTERVAL_MIN;
}

static bool fail(struct tf_hart *hart)
{
    struct tf_park *park = &hart->park;
    park->probing = false;
    if (park->interval < INTERVAL_MAX)
        park->interval += park->interval / 2;
    park->probe_at = hart->cycle + park->interval;
    return false;
}

/* To be where it was needs equal x; f and fcsr are noted when an instruction comes that may write them. */
static void keep_floats(struct tf_hart *hart)
{
    struct tf_park *park = &hart->park;
    if (park->floats)
        return;
    memcpy(park->anchor + 32, hart->f, sizeof hart->f);
    park->anchor[64] = hart->csr.word[TF_CSR_FCSR];
    park->floats = true;
}

static bool at_anchor(const struct tf_hart *hart)
{
    const struct tf_park *park = &hart->park;
    return memcmp(park->anchor, hart->x, 32 * sizeof(uint32_t)) == 0 &&
           (!park->floats || (memcmp(park->anchor + 32, hart->f, sizeof hart->f) == 0 &&
                              park->anchor[64] == hart->csr.word[TF_CSR_FCSR]));
}

static void set_anchor(struct tf_tile *tile, struct tf_hart *hart, unsigned window, bool at_loop)
{
    struct tf_park *park = &hart->park;
    park->window = (uint16_t)window;
    park->anchored = true;
    park->at_loop = at_loop;
    park->anchor_pc = hart->pc;
    park->generation = tile->code_generation;
    park->steps = 0;
    park->transfers = 0;
    park->watches = 0;
    park->mismatches = 0;
    park->floats = false;
    park->plain = true;
    memcpy(park->anchor, hart->x, 32 * sizeof park->anchor[0]);
}

/* Into a list with room for so many. False: no room, or the same place has another value there. */
static inline bool list(struct tf_watch *watch, uint8_t *count, unsigned room, const struct tf_watch *what)
{
    for (unsigned i = 0; i < *count; i++)
        if (watch[i].address == what->address && watch[i].size == what->size)
            return watch[i].value == what->value;
    if (*count == room)
        return false;
    watch[(*count)++] = *what;
    return true;
}

/* False: no room, or the same place has had another value since the anchor. */
static bool watch(struct tf_park *park, const struct tf_watch *what)
{
    if (!list(park->watch, &park->watches, TF_PARK_WATCHES, what))
        return false;
    park->plain &= what->at != NULL;
    return true;
}

static uint32_t read_memory(const void *data, unsigned size)
{
    if (size == 4)
        return __atomic_load_n((const uint32_t *)data, __ATOMIC_RELAXED);
    if (size == 2)
        return __atomic_load_n((const uint16_t *)data, __ATOMIC_RELAXED);
    return __atomic_load_n((const uint8_t *)data, __ATOMIC_RELAXED);
}

/* Where an aligned value lies, to be read without further ado; NULL: in no such place. */
static const void *place_of(struct tf_tile *tile, const struct tf_hart *hart, uint32_t address, unsigned size,
                            uint32_t *mask)
{
    uint8_t *data;
    *mask = UINT32_MAX;
    if (address % size != 0)
        return NULL;
    if (tf_exec_memory(tile, hart, address, size, &data))
        return data;
    return size == 4 ? tf_port_word(&tile->port, address) : NULL;
}

/* The value of a watched place now. False: it cannot be read without effect any more. */
static bool look_again(struct tf_tile *tile, const struct tf_hart *hart, const struct tf_watch *what, uint32_t *value)
{
    bool pure = true;
    if (what->at != NULL) {
        *value = read_memory(what->at, what->size) & what->mask;
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
    for (unsigned i = 0; i < park->steps; i++) {
        uint32_t word = __atomic_load_n((const uint32_t *)(const void *)(tile->l1 + park->pc[i]), __ATOMIC_RELAXED);
        if (word != park->insn[i].word)
            return false;
    }
    return true;
}

/* What is plain needs no more than a look. */
static inline bool sees_the_same(const struct tf_park *park)
{
    for (unsigned i = 0; i < park->watches; i++)
        if ((read_memory(park->watch[i].at, park->watch[i].size) & park->watch[i].mask) != park->watch[i].value)
            return false;
    return true;
}

bool tf_park_unchanged(struct tf_tile *tile, const struct tf_hart *hart)
{
    const struct tf_park *park = &hart->park;
    if (park->plain)
        return sees_the_same(park) && code_unchanged(tile, park);
    for (unsigned i = 0; i < park->watches; i++) {
        uint32_t value;
        if (!look_again(tile, hart, &park->watch[i], &value) || value != park->watch[i].value)
            return false;
    }
    return code_unchanged(tile, park);
}

/* The instruction at an address in L1; *page: where the last one was, or NULL. NULL: no memory. */
static inline const struct tf_rv_insn *insn_at(struct tf_tile *tile, uint32_t pc, struct tf_code_page **page)
{
    unsigned index = pc / 4 % TF_CODE_WORDS;
    if (*page == NULL || pc - (*page)->base >= TF_CODE_PAGE_BYTES) {
        *page = tf_code_page_make(tile, pc);
        if (*page == NULL)
            return NULL;
    }
    if ((*page)->op[index].stale)
        tf_code_refresh(tile, *page, index);
    return &(*page)->insn[index];
}

/* The period's code is as noted: keep all of it decoded, so that its next change bumps the generation again. */
static bool keep_code(struct tf_tile *tile, struct tf_park *park)
{
    struct tf_code_page *page = NULL;
    if (park->generation == tile->code_generation)
        return true;
    for (unsigned i = 0; i < park->steps; i++)
        if (insn_at(tile, park->pc[i], &page) == NULL)
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
    what.at = place_of(tile, hart, what.address, what.size, &what.mask);
    if (what.at != NULL)
        what.value = read_memory(what.at, what.size) & what.mask;
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
    uint32_t address = hart->x[insn->rs1] + (uint32_t)insn->imm;
    unsigned size = tf_exec_size(insn);
    uint8_t *data;
    if (insn->id != TF_RV_FSW && insn->id != TF_RV_FSH && address % size == 0 &&
        tf_exec_memory(tile, hart, address, size, &data)) {
        uint32_t value = hart->x[insn->rs2] & UINT32_MAX >> (32 - 8 * size);
        struct tf_watch what = {
            .address = address, .value = value, .at = data, .mask = UINT32_MAX, .size = (uint8_t)size};
        if (read_memory(data, size) == value && watch(&hart->park, &what))
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
    struct tf_watch what = {.address = hart->park.steps, .value = value};
    return !active && watch(&hart->park, &what) ? NOTED : EFFECT;
}

/* Execute one instruction of a probe; *transfer: it was a control transfer. Time is the caller's. */
static enum noted probe_step(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn, bool *transfer)
{
    enum noted noted = NOTED;
    enum tf_step step = TF_STEP_NEXT;
    switch (tf_exec_kind[insn->id]) {
    case TF_EXEC_PURE:
        if ((insn->word & OPCODES_OF_F_MASK) == OPCODES_OF_F)
            keep_floats(hart);
        step = tf_exec_pure(hart, insn);
        break;
    case TF_EXEC_LOAD:
        noted = probe_load(tile, hart, insn);
        break;
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
    park->pc[park->steps++] = pc;
    if (transfer)
        park->transfer[park->transfers++] = park->steps;
}

/* Code has not changed since the anchor: what has been executed is still there. False: no memory. */
static bool note_code(struct tf_tile *tile, struct tf_park *park)
{
    struct tf_code_page *page = NULL;
    for (unsigned i = 0; i < park->steps; i++) {
        const struct tf_rv_insn *insn = insn_at(tile, park->pc[i], &page);
        if (insn == NULL)
            return false;
        park->insn[i] = *insn;
    }
    return true;
}

static void park_here(const struct tf_tile *tile, struct tf_hart *hart)
{
    if (!tile->parking)
        keep_floats(hart); /* for as_predicted() */
    hart->park.probing = false;
    hart->park.position = 0;
    hart->state = TF_CORE_PARKED;
}

/* A branch or jump backwards that is no call or return: most likely the end of a loop. */
static bool ends_loop(const struct tf_rv_insn *insn, uint32_t from, uint32_t to)
{
    return to <= from && insn->id != TF_RV_JALR && (insn->id != TF_RV_JAL || insn->rd == 0);
}

/* Registers that the noted instructions read before they write them, as bits; all, for what is not told apart. And
   those that they write. */
static uint32_t live_in(const struct tf_park *park, uint32_t *writes)
{
    uint32_t read = 0, written = 0;
    for (unsigned i = 0; i < park->steps; i++) {
        const struct tf_rv_insn *insn = &park->insn[i];
        switch (tf_rv_info(insn->id)->format) {
        case TF_RV_FMT_R:
            read |= (1u << insn->rs1 | 1u << insn->rs2) & ~written;
            written |= 1u << insn->rd;
            break;
        case TF_RV_FMT_R1:
        case TF_RV_FMT_I:
        case TF_RV_FMT_SHIFT:
        case TF_RV_FMT_LOAD:
        case TF_RV_FMT_JALR:
            read |= 1u << insn->rs1 & ~written;
            written |= 1u << insn->rd;
            break;
        case TF_RV_FMT_STORE:
        case TF_RV_FMT_BRANCH:
            read |= (1u << insn->rs1 | 1u << insn->rs2) & ~written;
            break;
        case TF_RV_FMT_U:
        case TF_RV_FMT_J:
            written |= 1u << insn->rd;
            break;
        case TF_RV_FMT_FENCE:
            break;
        default:
            return UINT32_MAX;
        }
    }
    *writes = written & ~1u;
    return read;
}

/* The hart has parked: note the loop, if it is one to be recognised. */
static void remember(struct tf_park *park)
{
    bool small = park->steps <= TF_LOOP_STEPS && park->watches <= LOOP_WATCHES;
    uint32_t written, live = small && park->plain && !park->floats ? live_in(park, &written) : UINT32_MAX;
    if (live == UINT32_MAX)
        return;
    for (unsigned i = 0; i < park->steps; i++) {
        const struct tf_rv_insn *insn = &park->insn[i];
        unsigned kind = tf_exec_kind[insn->id];
        bool floats = (insn->word & OPCODES_OF_F_MASK) == OPCODES_OF_F;
        floats |= insn->id == TF_RV_FLW || insn->id == TF_RV_FLH;
        if ((kind != TF_EXEC_PURE && kind != TF_EXEC_LOAD) || floats)
            return;
    }
    unsigned place = 0;
    while (place < TF_PARK_LOOPS && (park->loop[place].steps == 0 || park->loop[place].pc[0] != park->pc[0]))
        place++;
    if (place == TF_PARK_LOOPS) {
        place = park->loop_oldest;
        park->loop_oldest = (uint8_t)((place + 1) % TF_PARK_LOOPS);
    }
    struct tf_loop *loop = &park->loop[place];
    *loop = (struct tf_loop){.generation = park->generation, .live = live, .written = written,
                             .steps = (uint8_t)park->steps, .transfers = (uint8_t)park->transfers};
    for (unsigned i = 0; i < park->transfers; i++)
        loop->transfer[i] = (uint8_t)park->transfer[i];
    memcpy(loop->pc, park->pc, park->steps * sizeof park->pc[0]);
    memcpy(loop->insn, park->insn, park->steps * sizeof park->insn[0]);
    park->loop_noted = (uint8_t)place;
}

/* The code of a loop as it is noted, and kept decoded. */
static bool loop_stands(struct tf_tile *tile, struct tf_loop *loop)
{
    struct tf_code_page *page = NULL;
    if (loop->generation == tile->code_generation)
        return true;
    for (unsigned i = 0; i < loop->steps; i++) {
        const struct tf_rv_insn *insn = insn_at(tile, loop->pc[i], &page);
        if (insn == NULL || insn->word != loop->insn[i].word) {
            loop->steps = 0;
            return false;
        }
    }
    loop->generation = tile->code_generation;
    return true;
}

/* One round of a loop, noting what it loads. False: it goes another way, or looks at what is no plain word. */
static bool go_round(struct tf_tile *tile, struct tf_hart *hart, const struct tf_loop *loop, struct tf_watch *watch,
                     uint8_t *watches)
{
    for (unsigned i = 0; i < loop->steps; i++) {
        const struct tf_rv_insn *insn = &loop->insn[i];
        if (hart->pc != loop->pc[i])
            return false;
        if (tf_exec_kind[insn->id] == TF_EXEC_PURE) {
            if (tf_exec_pure(hart, insn) == TF_STEP_NEXT)
                hart->pc += 4;
            continue;
        }
        struct tf_watch what = {.address = hart->x[insn->rs1] + (uint32_t)insn->imm,
                                .size = (uint8_t)tf_exec_size(insn)};
        what.at = place_of(tile, hart, what.address, what.size, &what.mask);
        if (what.at == NULL)
            return false;
        what.value = read_memory(what.at, what.size) & what.mask;
        tf_exec_loaded(hart, insn, what.value);
        if (!list(watch, watches, LOOP_WATCHES, &what))
            return false;
        hart->pc += 4;
    }
    return hart->pc == loop->pc[0];
}

/* What is noted of the period is this loop's: the code, and how its last round went. */
static void note_loop(struct tf_park *park, unsigned which)
{
    const struct tf_loop *loop = &park->loop[which];
    if (park->loop_noted != which) {
        memcpy(park->pc, loop->pc, loop->steps * sizeof park->pc[0]);
        memcpy(park->insn, loop->insn, loop->steps * sizeof park->insn[0]);
        for (unsigned i = 0; i < loop->transfers; i++)
            park->transfer[i] = loop->transfer[i];
        park->anchor_pc = loop->pc[0];
        park->steps = loop->steps;
        park->transfers = loop->transfers;
        park->floats = false;
        park->plain = true;
        park->loop_noted = (uint8_t)which;
    }
    park->generation = loop->generation;
}

/* Does the noted round begin with what it began with last time, and see the same? Then it ends in the same way, too. */
static bool repeats(struct tf_hart *hart, const struct tf_loop *loop)
{
    const struct tf_park *park = &hart->park;
    for (uint32_t live = loop->live; live != 0; live &= live - 1)
        if (hart->x[__builtin_ctz(live)] != park->anchor[__builtin_ctz(live)])
            return false;
    if (!sees_the_same(park))
        return false;
    for (uint32_t written = loop->written; written != 0; written &= written - 1)
        hart->x[__builtin_ctz(written)] = park->anchor[__builtin_ctz(written)];
    return true;
}

/* Does a round leave all registers as they are that the next one reads? If not, nothing has happened. */
static bool try_round(struct tf_tile *tile, struct tf_hart *hart, unsigned which)
{
    const struct tf_loop *loop = &hart->park.loop[which];
    struct tf_watch watch[LOOP_WATCHES];
    uint8_t watches = 0;
    uint32_t before[33], pc = hart->pc;
    memcpy(before, hart->x, sizeof before);
    bool settled = go_round(tile, hart, loop, watch, &watches);
    for (uint32_t live = loop->live; live != 0 && settled; live &= live - 1)
        settled = hart->x[__builtin_ctz(live)] == before[__builtin_ctz(live)];
    if (!settled) {
        memcpy(hart->x, before, sizeof before);
        hart->pc = pc;
        return false;
    }
    note_loop(&hart->park, which);
    memcpy(hart->park.watch, watch, watches * sizeof watch[0]);
    hart->park.watches = watches;
    return true;
}

/*
 * After a control transfer, where a probe begins or goes on: is this a loop in which the hart has waited before, and
 * does it wait again? Then every further round is like this one. Only where a probe would have come to the same before
 * the deadline.
 */
static bool recall(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    struct tf_park *park = &hart->park;
    unsigned which = 0;
    while (which < TF_PARK_LOOPS && (park->loop[which].pc[0] != hart->pc || park->loop[which].steps == 0))
        which++;
    if (which == TF_PARK_LOOPS || hart->cycle + RECALL_CYCLES >= deadline ||
        (park->probing && park->anchored && park->window >= TF_PARK_PERIOD))
        return false;
    struct tf_loop *loop = &park->loop[which];
    if (!loop_stands(tile, loop))
        return false;
    if (park->loop_noted == which && repeats(hart, loop))
        park->generation = loop->generation;
    else if (!try_round(tile, hart, which))
        return false;
    memcpy(park->anchor, hart->x, 32 * sizeof park->anchor[0]);
    hart->cycle += park->steps;
    hart->instret += park->steps;
    tile->executed += park->steps;
    park_here(tile, hart);
    return true;
}

/*
 * The hart is at the end of a loop, back at its anchor, with other registers than it had there. If none of those that
 * differ is read before it is written, another round ends with the registers that it has now: the hart is where that
 * round would have brought it, and parks. Only where the probe would have come to the same.
 */
static bool settles(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    struct tf_park *park = &hart->park;
    if (park->at_loop || park->floats || !park->plain || park->mismatches != 1 || park->steps > WINDOW_MIN ||
        hart->cycle + park->steps > deadline || !note_code(tile, park))
        return false;
    uint32_t written;
    for (uint32_t live = live_in(park, &written); live != 0; live &= live - 1) {
        unsigned r = (unsigned)__builtin_ctz(live);
        if (hart->x[r] != park->anchor[r])
            return false;
    }
    if (!tf_park_unchanged(tile, hart) || !keep_code(tile, park))
        return false;
    memcpy(park->anchor, hart->x, 32 * sizeof park->anchor[0]);
    hart->cycle += park->steps;
    hart->instret += park->steps;
    tile->executed += park->steps;
    park->at_loop = true;
    park_here(tile, hart);
    remember(park);
    return true;
}

/* After a control transfer: has the hart come back, must the anchor move? False: give up. */
static bool probe_transfer(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn, uint32_t from,
                           uint64_t deadline)
{
    bool loop = ends_loop(insn, from, hart->pc);
    struct tf_park *park = &hart->park;
    if (recall(tile, hart, deadline))
        return true;
    if (park->anchored && hart->pc == park->anchor_pc) {
        if (at_anchor(hart)) {
            if (!note_code(tile, park) || !tf_park_unchanged(tile, hart) || !keep_code(tile, park))
                return false;
            park_here(tile, hart);
            remember(park);
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
    if (park->steps < park->window)
        return true;
    if (park->window >= TF_PARK_PERIOD)
        return false;
    set_anchor(tile, hart, park->window * 4u, true);
    return true;
}

static void begin(struct tf_tile *tile, struct tf_hart *hart, bool at_transfer)
{
    struct tf_park *park = &hart->park;
    park->probing = true;
    park->anchored = false;
    park->loop_noted = TF_PARK_LOOPS;
    park->steps = 0;
    park->watches = 0;
    if (at_transfer)
        set_anchor(tile, hart, WINDOW_MIN, false);
}

bool tf_park_probe(struct tf_tile *tile, struct tf_hart *hart, bool at_transfer, uint64_t deadline)
{
    struct tf_park *park = &hart->park;
    struct tf_code_page *page = NULL;
    if (at_transfer && recall(tile, hart, deadline))
        return true;
    if (!park->probing)
        begin(tile, hart, at_transfer);
    for (unsigned unanchored = 0; unanchored < TF_PARK_PERIOD; unanchored += !park->anchored) {
        bool transfer;
        uint32_t pc = hart->pc;
        if (park->steps == TF_PARK_PERIOD || pc % 4 != 0 || pc >= tile->arch->l1_bytes)
            return fail(hart);
        const struct tf_rv_insn *insn = insn_at(tile, pc, &page);
        if (insn == NULL)
            return fail(hart);
        enum noted noted = probe_step(tile, hart, insn, &transfer);
        if (noted == STOPPED)
            return fail(hart);
        hart->cycle++;
        hart->instret++;
        tile->executed++;
        if (noted == EFFECT) {
            fail(hart);
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

/* First control transfer of the repeated period at or past the deadline. */
static uint64_t advanced(const struct tf_park *park, uint64_t cycle, uint64_t deadline, uint16_t *position)
{
    uint32_t period = park->steps;
    if (cycle >= deadline)
        return cycle;
    uint64_t start = cycle - park->position;
    uint64_t whole = (deadline - start - 1) / period;
    uint32_t rest = (uint32_t)(deadline - start - whole * period);
    unsigned i = 0;
    while (park->transfer[i] < rest)
        i++;
    *position = park->transfer[i] == period ? 0 : park->transfer[i];
    return start + whole * period + park->transfer[i];
}

void tf_park_advance(struct tf_hart *hart, uint64_t deadline)
{
    struct tf_park *park = &hart->park;
    uint64_t cycle = advanced(park, hart->cycle, deadline, &park->position);
    hart->instret += cycle - hart->cycle;
    hart->cycle = cycle;
    hart->pc = park->pc[park->position];
    park->held = true;
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

void tf_park_wake(struct tf_hart *hart)
{
    struct tf_park *park = &hart->park;
    if (park->held) {
        hart->pc = park->pc[0];
        for (unsigned place = 0; place < park->position; place++)
            replay_step(hart, place);
    }
    hart->state = TF_CORE_RUNNING;
    tf_park_reset(hart);
}

/* Is the hart where the period, repeated, has it? */
static bool as_predicted(const struct tf_hart *hart)
{
    struct tf_hart copy = *hart;
    memcpy(copy.x, hart->park.anchor, 32 * sizeof copy.x[0]);
    memcpy(copy.f, hart->park.anchor + 32, sizeof copy.f);
    copy.csr.word[TF_CSR_FCSR] = hart->park.anchor[64];
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
