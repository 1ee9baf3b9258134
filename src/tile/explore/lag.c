/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/explore/lag.h"

#include <stdlib.h>
#include <string.h>

#include "host/extremes.h"
#include "tile/explore/state.h"
#include "tile/tensix/config/family.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/state.h"

#define WAITING_MOST 64u
#define SRC_CONDITIONS (15u * TF_CONDITION_SRCA_UNPACK) /* on banks of SrcA and SrcB */

enum { LAG_MATRIX, LAG_VECTOR, LAG_PACKER, LAGS };

/* An instruction that has passed the gate in a cycle. */
struct waiting {
    uint64_t cycle;
    uint32_t word, pc;
};

/* What the instructions of a unit read of the configuration: the words as units and as software see them. */
struct start {
    uint64_t writes; /* tf_backend_config.writes then */
    uint32_t bank[2][TF_CFG_WORDS];
    uint32_t own[2][TF_OWN_CFG_WORDS_MAX];
};

/* A unit. Its instructions are those of one thread. */
struct unit {
    unsigned count, thread;
    bool closed;         /* the last one gives banks back: what follows must see that */
    uint64_t due, until; /* the slice at whose begin they execute, and the cycle by which they certainly have */
    struct start start;
    struct waiting waiting[WAITING_MOST];
};

struct tf_lag {
    struct unit unit[LAGS];
};

/* The unit of an instruction; LAGS: it is none of these. */
static unsigned unit_of(const struct tf_tensix_op *op)
{
    switch (op->unit) {
    case TF_UNIT_MATRIX: return LAG_MATRIX;
    case TF_UNIT_VECTOR: return LAG_VECTOR;
    case TF_UNIT_PACK: return LAG_PACKER;
    default: return LAGS;
    }
}

/* May the instruction be late? SFPLOADMACRO counts cycles, and Auto TTSync counts instructions. */
static bool may_lag(const struct tf_tile *tile, unsigned thread, const struct tf_tensix_op *op)
{
    return unit_of(op) != LAGS && op->opcode != TF_OP_SFPLOADMACRO &&
           (op->unit != TF_UNIT_PACK || op->opcode == TF_OP_PACR) && tile->tensix->thread[thread].gate.resources == 0;
}

/* Does an instruction of the matrix unit give banks back? SETRWC and CLEARDVALID have these two bits in one place with
   all others. */
static bool gives_back(const struct tf_tensix_op *op, uint32_t word)
{
    return op->unit == TF_UNIT_MATRIX &&
           ((op->flags & (TF_TENSIX_SRCA | TF_TENSIX_SRCB)) != 0 || op->opcode == TF_OP_SETRWC ||
            op->opcode == TF_OP_CLEARDVALID) &&
           TF_FIELD(word, SETRWC, clear_ab_vld) != 0;
}

static bool may_join(const struct tf_tile *tile, const struct unit *unit, unsigned thread,
                     const struct tf_tensix_op *op)
{
    return may_lag(tile, thread, op) && !unit->closed && unit->count < WAITING_MOST &&
           tile->tensix->config->writes == unit->start.writes;
}

/* May an instruction of the thread pass while the unit has late ones? No page says that a wait for a bank sees the unit
   before its last instruction has given that back. */
static bool may_overtake(const struct unit *unit, const struct tf_tensix_op *op, uint32_t word)
{
    switch (op->opcode) {
    case TF_OP_NOP:
    case TF_OP_SEMPOST:
    case TF_OP_SEMGET:
    case TF_OP_SEMWAIT:
    case TF_OP_ATRELM: return true;
    case TF_OP_STALLWAIT: return !unit->closed || (TF_FIELD(word, STALLWAIT, wait_res) & SRC_CONDITIONS) == 0;
    default: return false;
    }
}

uint64_t tf_explored_behind(const struct tf_tile *tile, unsigned thread)
{
    const struct tf_lag *lag = tile->explore->lag;
    const struct tf_tensix_thread *at = &tile->tensix->thread[thread];
    const struct tf_tensix_op *op = &tf_tensix_ops[at->gate.word >> 24];
    for (unsigned i = 0; lag != NULL && i < LAGS; i++) {
        const struct unit *unit = &lag->unit[i];
        if (unit->count == 0 || (unit->thread != thread && unit_of(op) != i))
            continue;
        if (unit->thread == thread &&
            ((unit_of(op) == i && may_join(tile, unit, thread, op)) || may_overtake(unit, op, at->gate.word)))
            continue;
        return unit->until > at->cycle ? unit->until - at->cycle : 1;
    }
    return 0;
}

static void begin(const struct tf_tensix *tensix, struct unit *unit, unsigned thread)
{
    unit->thread = thread;
    unit->closed = false;
    unit->due = unit->until = 0;
    unit->start.writes = tensix->config->writes;
    memcpy(unit->start.bank, tensix->config->bank, sizeof unit->start.bank);
    if (tensix->own_config != NULL)
        memcpy(unit->start.own, tensix->own_config->bank, sizeof unit->start.own);
}

static struct unit *open_unit(struct tf_explorer *explorer, unsigned which)
{
    if (explorer->lag == NULL)
        explorer->lag = calloc(1, sizeof *explorer->lag);
    if (explorer->lag == NULL)
        explorer->decider.lost = true;
    return explorer->lag == NULL ? NULL : &explorer->lag->unit[which];
}

uint64_t tf_explored_lag(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct tf_explorer *explorer = tile->explore;
    const struct tf_tensix_op *op = &tf_tensix_ops[word >> 24];
    const struct tf_gate *gate = &tile->tensix->thread[thread].gate;
    const unsigned which = unit_of(op);
    if (!may_lag(tile, thread, op))
        return 0;
    const struct tf_decide_where where = {.pc = gate->pc, .cycle = tile->cycle};
    const uint32_t slices = tf_decide(&explorer->decider, TF_FREE_UNIT, which * TF_DECIDE_THREADS + thread, where);
    const bool waits = explorer->lag != NULL && explorer->lag->unit[which].count != 0;
    struct unit *unit = slices != 0 || waits ? open_unit(explorer, which) : NULL;
    if (unit == NULL)
        return 0;
    if (!waits)
        begin(tile->tensix, unit, thread);
    unit->waiting[unit->count++] = (struct waiting){.cycle = tile->cycle, .word = word, .pc = gate->pc};
    unit->closed = gives_back(op, word);
    unit->due = tf_max(unit->due, tile->slice.tick + slices);
    unit->until = tf_max(unit->until, tf_explored_until(explorer, tile->cycle, slices));
    explorer->lag_passed = true;
    return unit->until;
}

bool tf_explored_lags(struct tf_tile *tile)
{
    const bool lags = tile->explore->lag_passed;
    tile->explore->lag_passed = false;
    return lags;
}

/* --- executing --- */

/* Exchange the configuration with that of the instructions' start. What is made of it is made anew. */
static void exchange(struct tf_tensix *tensix, struct start *start)
{
    struct start now = {.writes = 0};
    memcpy(now.bank, tensix->config->bank, sizeof now.bank);
    memcpy(tensix->config->bank, start->bank, sizeof now.bank);
    memcpy(start->bank, now.bank, sizeof now.bank);
    if (tensix->own_config != NULL) {
        memcpy(now.own, tensix->own_config->bank, sizeof now.own);
        memcpy(tensix->own_config->bank, start->own, sizeof now.own);
        memcpy(start->own, now.own, sizeof now.own);
    }
    tensix->config->writes++;
}

uint64_t tf_explored_pack(struct tf_tile *tile, unsigned thread)
{
    struct tf_explorer *explorer = tile->explore;
    const struct tf_tensix_thread *at = &tile->tensix->thread[thread];
    const struct tf_decide_where where = {.pc = at->gate.pc, .cycle = at->cycle};
    const uint32_t slices = tf_decide(&explorer->decider, TF_FREE_PACK, thread, where);
    explorer->pack_due = slices == 0 ? 0 : tile->slice.tick + slices;
    explorer->pack_pc = at->gate.pc;
    explorer->pack_core = (uint8_t)(TF_CORE_T0 + thread);
    /* Lines that come later are due after these. */
    if (slices != 0)
        explorer->pack_until = tf_max(explorer->pack_until, tf_explored_until(explorer, tile->cycle, slices));
    return explorer->pack_until;
}

/* A packer that reads Dst late may still write its lines later. */
static void note_pack(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct tf_tensix *tensix = tile->tensix;
    const uint64_t until = tf_explored_pack(tile, thread);
    tensix->busy->until[TF_BUSY_PACK][thread] = tf_max(tensix->busy->until[TF_BUSY_PACK][thread], until);
    for (unsigned i = 0; i < TF_BUSY_PACKERS && tensix->busy_packers != NULL; i++)
        if ((tf_busy_packers(word) >> i & 1) != 0)
            tensix->busy_packers->until[i][thread] = tf_max(tensix->busy_packers->until[i][thread], until);
}

/* Observers take the code place of the instruction from the gate. */
static void execute(struct tf_tile *tile, unsigned thread, const struct waiting *waiting)
{
    struct tf_gate *gate = &tile->tensix->thread[thread].gate;
    const struct tf_gate held = *gate;
    gate->word = waiting->word;
    gate->pc = waiting->pc;
    tile->cycle = tile->slice.deadline; /* lines of the packer are late from now on */
    if (waiting->word >> 24 == TF_OP_PACR)
        note_pack(tile, thread, waiting->word);
    tile->cycle = waiting->cycle; /* as the race checker and the vector unit count */
    tf_tensix_dispatch[waiting->word >> 24](tile, thread, waiting->word);
    gate->word = held.word;
    gate->pc = held.pc;
}

static void execute_all(struct tf_tile *tile, struct unit *unit)
{
    struct tf_tensix *tensix = tile->tensix;
    const bool changed = tensix->config->writes != unit->start.writes;
    tile->explore->lags = true;
    if (changed)
        exchange(tensix, &unit->start);
    for (unsigned i = 0; i < unit->count && !tensix->thread[unit->thread].faulted; i++)
        execute(tile, unit->thread, &unit->waiting[i]);
    if (changed)
        exchange(tensix, &unit->start);
    unit->count = 0;
    tile->explore->lags = false;
    tensix->events |= TF_CHANGE_ALL;
}

void tf_explored_lag_due(struct tf_tile *tile)
{
    struct tf_lag *lag = tile->explore->lag;
    const uint64_t cycle = tile->cycle;
    for (unsigned i = 0; lag != NULL && i < LAGS; i++)
        if (lag->unit[i].count != 0 && lag->unit[i].due <= tile->slice.tick)
            execute_all(tile, &lag->unit[i]);
    tile->cycle = cycle;
}

bool tf_explored_lagging(const struct tf_tile *tile)
{
    const struct tf_lag *lag = tile->explore->lag;
    return lag != NULL &&
           (lag->unit[LAG_MATRIX].count | lag->unit[LAG_VECTOR].count | lag->unit[LAG_PACKER].count) != 0;
}

void tf_explored_lag_free(struct tf_tile *tile)
{
    free(tile->explore->lag);
    tile->explore->lag = NULL;
}
