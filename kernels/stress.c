/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contend for a few lines with every NOC atomic. The host starts rounds, and chooses operations and targets. B uses
 * only NOC 0 and T2 only NOC 1, because they would share an initiator. The other cores use both NOCs.
 *
 * In the tiles of the rectangle, cores change words of their own L1 after each request, by Zaamo instructions. T0 to T2
 * also use the coprocessor's scalar unit. NOC atomics of all cores change these words, too. All cores raise the space
 * available of a stream in these tiles. T0 to T2 of each of these tiles share a semaphore, and a word that a mutex
 * guards.
 */
#include "tilefarm_kernel.h"

#include "tilefarm_stress.h"
#include "tilefarm_tensix.h"

/* Blackhole's cores have Zaamo instructions. */
#ifdef __riscv_atomic
#define HAS_AMOS 1
#else
#define HAS_AMOS 0
#endif

#define PARAMS ((volatile const struct tf_stress_params *)TF_STRESS_PARAMS)

struct places {
    uint32_t target[TF_STRESS_TARGETS_MAX], rectangle, office, self;
};

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return tf_k_mix(*state);
}

static uint32_t place_xy(unsigned noc, volatile const struct tf_stress_place *place)
{
    if (tf_translated(noc))
        return place->logical_x | (uint32_t)place->logical_y << 6;
    return tf_xy(noc, place->x, place->y);
}

static void locate(struct places *places, unsigned noc)
{
    for (unsigned i = 0; i < PARAMS->targets; i++)
        places->target[i] = place_xy(noc, &PARAMS->target[i]);
    uint32_t first = place_xy(noc, &PARAMS->corner[0]), last = place_xy(noc, &PARAMS->corner[1]);
    places->rectangle = noc ? last << 12 | first : first << 12 | last;
    places->office = place_xy(noc, &PARAMS->office);
    places->self = tf_self_xy(noc);
#ifdef TF_NOC_ID_LOGICAL /* raw coordinates may be the name of another tile */
    if (tf_translated(noc))
        places->self = TF_WORD(TF_NIU_BASE(noc) + TF_NOC_ID_LOGICAL) & 0xFFFu;
#endif
}

static unsigned pick_noc(uint32_t random)
{
    return TF_CORE == 0 ? 0 : TF_CORE == 4 ? 1 : random & 1;
}

static enum tf_stress_manner pick_manner(uint32_t random)
{
    random &= 31;
    return random < 2   ? TF_STRESS_OFFICE_ANSWERED
           : random < 3 ? TF_STRESS_MULTICAST
           : random < 4 ? TF_STRESS_MULTICAST_POSTED
           : random < 9 ? TF_STRESS_POSTED
                        : TF_STRESS_AWAITED;
}

/* Mostly small numbers, so that comparisons often succeed. */
static uint32_t pick_data(uint32_t *state)
{
    uint32_t random = next(state);
    return random >> 31 ? random & 15 : random >> 30 ? random & 0x000F000F : next(state);
}

/* Random operands. In three of four cases the returned word is the changed word. */
static uint32_t pick_operands(volatile const struct tf_stress_row *row, uint32_t random, uint32_t word)
{
    uint32_t at = row->match | (random & row->operands);
    if (row->ofs != TF_STRESS_NO_OFS && random >> 30)
        at = (at & ~(3u << row->ofs)) | word << row->ofs;
    return at;
}

static void issue(unsigned noc, const struct places *places, volatile const struct tf_stress_entry *entry,
                  uint32_t answer_at)
{
    enum tf_stress_manner manner = (enum tf_stress_manner)entry->manner;
    bool multicast = manner == TF_STRESS_MULTICAST || manner == TF_STRESS_MULTICAST_POSTED;
    bool posted = manner == TF_STRESS_POSTED || manner == TF_STRESS_MULTICAST_POSTED;
    uint32_t tid = manner == TF_STRESS_AWAITED ? TF_STRESS_AWAITED_TID(TF_CORE) : TF_STRESS_UNAWAITED_TID(TF_CORE);
    tf_noc_ready(noc);
    tf_noc_addresses(noc, multicast ? places->rectangle : places->target[entry->target], entry->address,
                     manner == TF_STRESS_OFFICE_ANSWERED ? places->office : places->self, answer_at);
    *tf_niu(noc, TF_NOC_AT_LEN_BE) = entry->at_len_be;
    *tf_niu(noc, TF_NOC_AT_DATA) = entry->at_data;
#if TF_NOC_COORDS_IN_HI
    *tf_niu(noc, TF_NOC_BRCST_EXCLUDE) = 0;
#endif
    *tf_niu(noc, TF_NOC_PACKET_TAG) = tid << 10;
    *tf_niu(noc, TF_NOC_CTRL) = TF_NOC_CMD_AT | (posted ? 0 : TF_NOC_CMD_RESP_MARKED) |
                                (multicast ? TF_NOC_MULTICAST | TF_NOC_CMD_BRCST_SRC_INCLUDE : 0);
    tf_fence();
    *tf_niu(noc, TF_NOC_CMD_CTRL) = 1;
}

/* Take a lock, or push to the FIFO, of a tile of the rectangle. follow() releases the lock, or pops. */
static void begin_pair(volatile struct tf_stress_entry *entry, uint32_t *state)
{
    uint32_t random = next(state);
    entry->noc = (uint8_t)pick_noc(random >> 24);
    entry->manner = TF_STRESS_AWAITED;
    entry->target = (uint8_t)(random & 3);
    bool lock = random >> 2 & 1;
    entry->at_len_be = lock ? PARAMS->lock : (uint16_t)(PARAMS->add | 1);
    entry->at_data = lock ? 16 + (random >> 4 & 15) : 1; /* compare and swap does not use it */
    entry->address = lock ? TF_STRESS_LOCK : TF_STRESS_FIFO + 4;
}

static bool pushes(volatile const struct tf_stress_entry *entry)
{
    return entry->address == TF_STRESS_FIFO + 4;
}

/* Has this request taken a lock? */
static bool locks(volatile const struct tf_stress_entry *entry)
{
    return entry->address == TF_STRESS_LOCK && entry->at_len_be == PARAMS->lock && entry->answer == 0;
}

/* Release a lock that the last request has taken, or pop after a push. False: the last request was neither. */
static bool follow(volatile struct tf_stress_entry *entry, uint32_t index)
{
    bool pushed = index != 0 && pushes(&entry[-1]);
    if (!pushed && (index == 0 || !locks(&entry[-1])))
        return false;
    entry->noc = entry[-1].noc;
    entry->manner = TF_STRESS_AWAITED;
    entry->target = entry[-1].target;
    entry->at_len_be = pushed ? PARAMS->add : PARAMS->swap;
    entry->at_data = pushed;
    entry->address = pushed ? TF_STRESS_FIFO : TF_STRESS_LOCK;
    return true;
}

/* Draw a new request into the log. */
static void draw(volatile struct tf_stress_entry *entry, uint32_t *state)
{
    uint32_t random = next(state), word = random & 3;
    volatile const struct tf_stress_row *row = &PARAMS->row[(random >> 8 & 0xFFFF) % PARAMS->rows];
    entry->noc = (uint8_t)pick_noc(random >> 24);
    entry->manner = (uint8_t)pick_manner(random >> 25);
    entry->target = (uint8_t)((random >> 2 & 63) % PARAMS->targets);
    entry->at_len_be = (uint16_t)pick_operands(row, next(state), word);
    entry->at_data = pick_data(state);
    entry->address = (row->indirect ? TF_STRESS_POINTERS : TF_STRESS_LINE) + 4 * word;
    bool unicast = entry->manner == TF_STRESS_AWAITED || entry->manner == TF_STRESS_OFFICE_ANSWERED;
    if (!row->word || !unicast || entry->target >= TF_STRESS_RECTANGLE || random >> 30 != 0)
        return;
    entry->address = TF_STRESS_WORDS + 4 * word;
    if (row->ofs != TF_STRESS_NO_OFS)
        entry->at_len_be = (uint16_t)((entry->at_len_be & ~(3u << row->ofs)) | word << row->ofs);
}

/* In three of four cases repeat the last request. False: no repetition, as for the first request of a round. */
static bool repeat(volatile struct tf_stress_entry *entry, uint32_t index, uint32_t *state)
{
    if (index == 0 || entry[-1].address >= TF_STRESS_LOCK || next(state) >> 30 == 0)
        return false;
    entry->noc = entry[-1].noc;
    entry->manner = entry[-1].manner;
    entry->target = entry[-1].target;
    entry->at_len_be = entry[-1].at_len_be;
    entry->at_data = entry[-1].at_data;
    entry->address = entry[-1].address;
    return true;
}

static void request(const struct places places[2], uint32_t *state, uint32_t index)
{
    volatile struct tf_stress_entry *entry = (volatile struct tf_stress_entry *)TF_STRESS_LOG(TF_CORE) + index;
    bool pair = index + 1 < PARAMS->requests && next(state) >> 29 == 0;
    if (follow(entry, index))
        ;
    else if (pair)
        begin_pair(entry, state);
    else if (!repeat(entry, index, state))
        draw(entry, state);
    entry->answer = 0;
    unsigned noc = entry->noc;
    uint32_t answer_at = TF_SCRATCH;
    if (entry->manner == TF_STRESS_OFFICE_ANSWERED)
        answer_at = TF_STRESS_OFFICE_WORD(PARAMS->slot * TF_K_CORES + TF_CORE, PARAMS->requests, index);
    else if (entry->manner == TF_STRESS_MULTICAST)
        answer_at = (uint32_t)(uintptr_t)&entry->answer;
    issue(noc, &places[noc], entry, answer_at);
    if (entry->manner == TF_STRESS_AWAITED) {
        tf_noc_wait(noc);
        entry->answer = TF_WORD(TF_SCRATCH);
    }
}

/* ---- streams, semaphores and mutexes ---- */

#define UNITS ((volatile struct tf_stress_units *)TF_STRESS_UNITS(TF_CORE))
#define STREAM_UPDATE TF_STREAM_REG_ADDRESS(TF_STRESS_STREAM, TF_STREAM_SPACE_UPDATE)

/* Raise the stream of a tile of the rectangle over a NOC. Nothing here waits for the answer. */
static void raise_far(const struct places places[2], uint32_t random)
{
    unsigned noc = pick_noc(random >> 24), target = random & 3, by = random >> 8 & 7;
    tf_noc_ready(noc);
    *tf_niu(noc, TF_NOC_PACKET_TAG) = TF_STRESS_UNAWAITED_TID(TF_CORE) << 10;
    tf_noc_write_register(noc, places[noc].target[target], STREAM_UPDATE, by << 6);
    UNITS->writes[noc][target]++;
    UNITS->added[target] += by;
}

/* Raise the stream of this tile. */
static void raise_near(uint32_t random)
{
    uint32_t by = random >> 8 & 7;
#if TF_CORE >= 2
    if (random & 1) {
        TF_TT_GPR(12) = by << 6;
        (void)TF_TT_GPR(12);
        tf_fence();
        TF_TT(STOREREG(12, (STREAM_UPDATE & 0xFFFFFu) >> 2));
        tf_tt_wait_idle();
        UNITS->added[PARAMS->slot] += by;
        return;
    }
#endif
    TF_WORD(STREAM_UPDATE) = by << 6;
    UNITS->added[PARAMS->slot] += by;
}

#if TF_CORE >= 2
static void post(bool by_instruction)
{
    if (!by_instruction)
        tf_tt_sem_post(TF_STRESS_SEMAPHORE);
    else
        TF_TT(SEMPOST(1u << TF_STRESS_SEMAPHORE));
    tf_tt_wait_idle();
}

static void get(bool by_instruction)
{
    if (!by_instruction)
        tf_tt_sem_get(TF_STRESS_SEMAPHORE);
    else
        TF_TT(SEMGET(1u << TF_STRESS_SEMAPHORE));
    tf_tt_wait_idle();
}

/* With the mutex, raise the word by a load and a store with a random time between them. */
static void raise_guarded(uint32_t random)
{
    TF_TT(ATGETM(TF_STRESS_MUTEX));
    tf_tt_wait_idle();
    uint32_t value = TF_WORD(TF_STRESS_GUARDED);
    for (uint32_t i = random & 63; i != 0; i--)
        (void)TF_WORD(TF_STRESS_PARAMS);
    TF_WORD(TF_STRESS_GUARDED) = value + 1;
    tf_fence();
    TF_TT(ATRELM(TF_STRESS_MUTEX));
    tf_tt_wait_idle();
    UNITS->guarded++;
}
#endif

static void use_units(uint32_t *state)
{
    uint32_t random = next(state);
    if (random >> 31)
        raise_near(random);
#if TF_CORE >= 2
    else if (random >> 30)
        raise_guarded(random);
    else {
        post(random & 1);
        get(random >> 1 & 1);
    }
#endif
}

/* Before the first round. */
static void begin_units(void)
{
    for (unsigned i = 0; i < sizeof(struct tf_stress_units) / 4; i++)
        TF_WORD(TF_STRESS_UNITS(TF_CORE) + 4 * i) = 0;
#if TF_CORE == 2
    for (unsigned i = 0; i < TF_STRESS_SEMAPHORE_BASE; i++)
        post(true);
#endif
}

/* ---- steps on this tile ---- */

#if HAS_AMOS
static uint32_t amo(unsigned code, uint32_t address, uint32_t data)
{
    switch (code) {
    case TF_K_ADD: return tf_amoadd(address, data);
    case TF_K_XOR: return tf_amoxor(address, data);
    case TF_K_OR: return tf_amoor(address, data);
    case TF_K_AND: return tf_amoand(address, data);
    case TF_K_MIN: return tf_amomin(address, data);
    case TF_K_MAX: return tf_amomax(address, data);
    case TF_K_MINU: return tf_amominu(address, data);
    case TF_K_MAXU: return tf_amomaxu(address, data);
    default: return tf_amoswap(address, data);
    }
}

static void step_amo(volatile struct tf_stress_step *step, unsigned code, unsigned word, uint32_t data)
{
    step->kind = TF_STRESS_AMO;
    step->word = (uint8_t)word;
    step->code = (uint16_t)code;
    step->data = data;
    step->old = amo(code, TF_STRESS_WORDS + 4 * word, data);
}
#endif

#if TF_CORE >= 2
#define GPR_LINE 8u /* its address in units of 16 bytes */
#define GPR_DATA 4u /* to 7 */

/* Let the scalar unit perform an atomic. Returns the GPR of its data afterwards, in which it may leave an answer. */
static uint32_t perform(uint32_t instruction, uint32_t line, unsigned gpr, uint32_t data)
{
    TF_TT_GPR(GPR_LINE) = line / 16;
    TF_TT_GPR(gpr) = data;
    (void)TF_TT_GPR(gpr);
    tf_fence();
    tf_tt_push(instruction);
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_SCALAR_MEMORY));
    tf_tt_wait_idle();
    return TF_TT_GPR(gpr);
}

static void step_unit(volatile struct tf_stress_step *step, enum tf_stress_step_kind kind, unsigned word, unsigned code,
                      uint32_t data)
{
    uint32_t line = TF_STRESS_WORDS + word / 4 * 16, instruction;
    unsigned at = word & 3;
    switch (kind) {
    case TF_STRESS_ATINCGET: instruction = TT_OP_ATINCGET(0, code, at, GPR_DATA, GPR_LINE); break;
    case TF_STRESS_ATINCGETPTR:
        instruction = TT_OP_ATINCGETPTR(0, 0, 0, TF_STRESS_FIFO_WRAP, at, GPR_DATA, GPR_LINE);
        break;
    case TF_STRESS_ATCAS: instruction = TT_OP_ATCAS(0, data, 0, at, 0, GPR_LINE); break;
    default: instruction = TT_OP_ATSWAP(0, 1, 3u << 2 * at, GPR_DATA + at, GPR_LINE); break;
    }
    step->kind = (uint8_t)kind;
    step->word = (uint8_t)word;
    step->code = (uint16_t)code;
    step->data = data;
    uint32_t answer = perform(instruction, line, kind == TF_STRESS_ATSWAP ? GPR_DATA + at : GPR_DATA, data);
    step->old = kind == TF_STRESS_ATCAS ? 0 : answer;
}

#if !HAS_AMOS
/* Logged as an ATSWAP, because a store does not return the old value either. */
static void step_store(volatile struct tf_stress_step *step, unsigned word, uint32_t data)
{
    step->kind = TF_STRESS_ATSWAP;
    step->word = (uint8_t)word;
    step->code = 0;
    step->data = data;
    step->old = 0;
    TF_WORD(TF_STRESS_WORDS + 4 * word) = data;
}
#endif

/* One atomic of the scalar unit, a pair of them for the FIFO, or a lock that the core releases. */
static void step_units(volatile struct tf_stress_step *step, uint32_t random, unsigned word, uint32_t data)
{
    switch (random & 3) {
    case 0: step_unit(step, TF_STRESS_ATINCGET, word, random & 4 ? 31 : 15, data); break;
    case 1: step_unit(step, TF_STRESS_ATSWAP, word, 0, data); break;
    case 2: step_unit(step, TF_STRESS_ATCAS, 4, 0, 1 + TF_CORE);
#if HAS_AMOS
        step_amo(step + 1, TF_K_ZAAMO_COUNT, 4, 0);
#else
        step_store(step + 1, 4, 0); /* not by the scalar unit: another thread's ATCAS may occupy it */
#endif
        break;
    default:
        step_unit(step, TF_STRESS_ATINCGETPTR, 9, 0, 0);
        step_unit(step + 1, TF_STRESS_ATINCGETPTR, 8, 0, 0);
        break;
    }
}
#endif

/* A core with a lock takes no step and uses no unit. It could wait for a core that waits for the lock. */
static void steps(uint32_t *state, uint32_t index, bool has_lock)
{
    volatile struct tf_stress_step *step = (volatile struct tf_stress_step *)TF_STRESS_STEPS(TF_CORE) + 2 * index;
    uint32_t random = next(state), data = pick_data(state);
    unsigned word = random >> 8 & 3;
    step[0].kind = TF_STRESS_NO_STEP;
    step[1].kind = TF_STRESS_NO_STEP;
    if (has_lock)
        return;
#if TF_CORE >= 2
    if (random >> 31) {
        step_units(step, random, word, data);
        return;
    }
#endif
#if HAS_AMOS
    step_amo(step, (random >> 16 & 0xFF) % (TF_K_ZAAMO_COUNT + 1u), word, data);
#else
    (void)data, (void)word;
#endif
}

int main(void)
{
    begin_units();
    for (uint32_t round = 1;; round++) {
        tf_sem_wait_min(TF_STRESS_PARAMS + __builtin_offsetof(struct tf_stress_params, round), round);
        struct places places[2];
        locate(&places[0], 0);
        locate(&places[1], 1);
        uint32_t state = tf_k_mix(PARAMS->seed + 0x9E3779B9u * (PARAMS->slot * TF_K_CORES + TF_CORE)) ^ tf_k_mix(round);
        for (uint32_t i = 0; i < PARAMS->requests; i++) {
            request(places, &state, i);
            bool has_lock = locks((volatile struct tf_stress_entry *)TF_STRESS_LOG(TF_CORE) + i);
            if (PARAMS->slot < TF_STRESS_RECTANGLE) {
                steps(&state, i, has_lock);
                if (!has_lock && i % 8 == 0)
                    use_units(&state);
            }
            if (i % 48 == 0)
                raise_far(places, next(&state));
        }
#if TF_CORE >= 2
        UNITS->semaphore = tf_tt_sem_read(TF_STRESS_SEMAPHORE);
#endif
        tf_fence();
        TF_WORD(TF_K_DONE + 4 * TF_CORE) = TF_K_DONE_MAGIC | (round & 0xFFFFu);
    }
}
