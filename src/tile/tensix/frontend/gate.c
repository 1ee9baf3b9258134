/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/gate.h"

#include "host/assert.h"
#include "tile/overlay.h"
#include "tile/tensix/asleep.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/soft_reset.h"
#include "tile/tensix/state.h"

bool tf_gate_catches(const struct tf_tensix_op *op, uint16_t block)
{
    if (op->opcode == TF_OP_NOP)
        return block == TF_BLOCK_ALL;
    return (op->block & block) != 0;
}

static bool is_busy(const struct tf_tensix *tensix, unsigned thread, enum tf_busy_kind kind, bool any_thread,
                    uint64_t cycle)
{
    return any_thread ? tf_busy_of_any(tensix->busy, kind, cycle) : tensix->busy->until[kind][thread] > cycle;
}

/* packers_wait() tests the conditions of four packers. */
static bool packers_wait(const struct tf_busy_packers *busy, unsigned thread, uint32_t conditions, uint64_t cycle)
{
    unsigned mask = ((conditions & TF_CONDITION_PACK) != 0) |
                    (conditions & TF_CONDITION_OTHER_PACKERS) >> TF_CONDITION_PACKER_1 << 1;
    for (unsigned i = 0; i < TF_BUSY_PACKERS; i++)
        if ((mask >> i & 1) != 0 && busy->until[i][thread] > cycle)
            return true;
    return false;
}

static bool pipelines_wait(const struct tf_tensix *tensix, unsigned thread, uint32_t conditions, uint64_t cycle)
{
    static const struct {
        uint16_t condition;
        uint8_t kind;
        bool any_thread;
    } pipeline[] = {
        {TF_CONDITION_SCALAR, TF_BUSY_SCALAR, false},     {TF_CONDITION_UNPACK_0, TF_BUSY_UNPACK_0, false},
        {TF_CONDITION_UNPACK_1, TF_BUSY_UNPACK_1, false}, {TF_CONDITION_PACK, TF_BUSY_PACK, false},
        {TF_CONDITION_MATRIX, TF_BUSY_MATRIX, false},     {TF_CONDITION_MOVER, TF_BUSY_MOVER, true},
        {TF_CONDITION_RISCV, TF_BUSY_RISCV, false},       {TF_CONDITION_VECTOR, TF_BUSY_VECTOR, false},
        {TF_CONDITION_CONFIG, TF_BUSY_CONFIG, true},
    };
    if (tensix->busy_packers != NULL) {
        if (packers_wait(tensix->busy_packers, thread, conditions, cycle))
            return true;
        conditions &= ~(TF_CONDITION_PACK | TF_CONDITION_OTHER_PACKERS);
    }
    for (unsigned i = 0; i < sizeof pipeline / sizeof pipeline[0]; i++)
        if ((conditions & pipeline[i].condition) != 0 &&
            is_busy(tensix, thread, pipeline[i].kind, pipeline[i].any_thread, cycle))
            return true;
    return false;
}

static bool src_waits(const struct tf_src_banks *src, uint32_t conditions)
{
    for (unsigned side = TF_SRC_A; side <= TF_SRC_B; side++) {
        if ((conditions & (uint32_t)(TF_CONDITION_SRCA_UNPACK << side)) != 0 && tf_src_unpack_waits(src, side))
            return true;
        if ((conditions & (uint32_t)(TF_CONDITION_SRCA_MATRIX << side)) != 0 && tf_src_matrix_waits(src, side))
            return true;
    }
    return false;
}

bool tf_gate_waits(const struct tf_tile *tile, unsigned thread, uint32_t conditions, uint64_t cycle)
{
    const struct tf_tensix *tensix = tile->tensix;
    return (tensix->delay_cycles != 0 && pipelines_wait(tensix, thread, conditions, cycle)) ||
           src_waits(tensix->src, conditions);
}

static bool semaphores_wait(const struct tf_sync *sync, const struct tf_wait *wait)
{
    for (unsigned i = 0; i < TF_SEMAPHORES; i++) {
        if ((wait->semaphores >> i & 1) == 0)
            continue;
        if ((wait->condition & 1) != 0 && sync->value[i] == 0)
            return true;
        if ((wait->condition & 2) != 0 && sync->value[i] >= sync->max[i])
            return true;
    }
    return false;
}

static bool stream_waits(struct tf_tile *tile, unsigned thread, const struct tf_wait *wait)
{
    const uint16_t *config = tile->tensix->config->thread[thread];
    uint32_t stream = config[TF_THREAD_CFG_STREAM_ID_SYNC + wait->stream_select] & 0x3F;
    uint32_t address = tf_overlay_address(tile->arch->stream_place, stream,
                                          wait->condition & 1 ? TF_OVERLAY_CURR_PHASE : TF_OVERLAY_NUM_MSGS_RECEIVED);
    uint32_t value = 0;
    bool pure;
    tile->mmio.bus->load(tile, TF_FROM_NOC, address, 4, &value, &pure);
    return value < wait->target;
}

bool tf_gate_met(struct tf_tile *tile, unsigned thread, uint64_t cycle)
{
    const struct tf_tensix *tensix = tile->tensix;
    const struct tf_wait *wait = &tensix->thread[thread].gate.wait;
    TF_ASSERT(wait->opcode == TF_OP_STALLWAIT || wait->opcode == TF_OP_SEMWAIT || wait->opcode == TF_OP_STREAMWAIT);
    switch (wait->opcode) {
    case TF_OP_SEMWAIT: return !semaphores_wait(tensix->sync, wait);
    case TF_OP_STREAMWAIT: return !stream_waits(tile, thread, wait);
    default: return !tf_gate_waits(tile, thread, wait->condition, cycle);
    }
}

/* A unit that is held in reset starts no instruction (SoftReset.md, "Whilst held in soft reset"). */
static bool unit_in_reset(const struct tf_tensix *tensix, const struct tf_tensix_op *op, uint32_t word)
{
    static const uint32_t held_by[TF_UNITS] = {
        [TF_UNIT_UNPACK] = TF_RESET_UNPACKERS | TF_RESET_TDMA,
        [TF_UNIT_PACK] = TF_RESET_PACKER_0 | TF_RESET_TDMA,
        [TF_UNIT_SCALAR] = TF_RESET_SCALAR | TF_RESET_TDMA,
        [TF_UNIT_MATRIX] = TF_RESET_MATRIX,
        [TF_UNIT_VECTOR] = TF_RESET_MATRIX,
        [TF_UNIT_MOVER] = TF_RESET_TDMA,
    };
    uint32_t mask = held_by[op->unit];
    if (op->opcode == TF_OP_DMANOP || op->opcode == TF_OP_SETDMAREG)
        mask &= ~(uint32_t)TF_RESET_SCALAR;
    if (op->unit == TF_UNIT_PACK && tensix->busy_packers != NULL)
        mask = tf_busy_packers(word) * TF_RESET_PACKER_0 | TF_RESET_TDMA;
    return (tensix->units_held & mask) != 0;
}

/* Does the instruction stall on its own condition? */
static bool instruction_stalls(const struct tf_tile *tile, unsigned thread, uint32_t word)
{
    tf_tensix_condition *condition = tf_tensix_conditions[word >> 24];
    TF_ASSERT((condition != NULL) == ((tf_tensix_ops[word >> 24].flags & TF_TENSIX_WAITS) != 0));
    return condition != NULL && condition(tile, thread, word);
}

/* Does its unit stall the instruction? */
static bool unit_refuses(const struct tf_tensix *tensix, unsigned thread, uint32_t word)
{
    const struct tf_tensix_op *op = &tf_tensix_ops[word >> 24];
    if (tensix->units_held != 0 && unit_in_reset(tensix, op, word))
        return true;
    if (op->unit == TF_UNIT_SCALAR && tensix->frontend->scalar_holder != 0 &&
        tensix->frontend->scalar_holder != thread + 1)
        return true;
    return tf_gate_awaits_src(tensix->src, op);
}

bool tf_gate_held(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    return unit_refuses(tile->tensix, thread, word) || instruction_stalls(tile, thread, word);
}

/* Does the instruction occupy the scalar unit? A scalar instruction stalls inside the unit, and keeps others out of
   it. */
bool tf_gate_occupies(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    const struct tf_tensix_op *op = &tf_tensix_ops[word >> 24];
    return op->unit == TF_UNIT_SCALAR && !unit_refuses(tile->tensix, thread, word) &&
           instruction_stalls(tile, thread, word);
}

/* The changes that may end a latched wait. */
static unsigned wait_awaits(const struct tf_tensix *tensix, const struct tf_wait *wait)
{
    if (tensix->delay_cycles != 0)
        return TF_CHANGE_ANY;
    return wait->opcode == TF_OP_SEMWAIT     ? TF_CHANGE_SYNC
           : wait->opcode == TF_OP_STALLWAIT ? TF_CHANGE_SRC
                                             : TF_CHANGE_ANY;
}

unsigned tf_gate_awaits(const struct tf_tensix *tensix, unsigned thread, const struct tf_tensix_op *op)
{
    const struct tf_gate *gate = &tensix->thread[thread].gate;
    if (gate->wait.opcode != 0 && tf_gate_catches(op, gate->wait.block))
        return wait_awaits(tensix, &gate->wait);
    if ((tensix->delay_cycles | tensix->units_held | tensix->frontend->scalar_holder) != 0)
        return TF_CHANGE_ANY;
    if ((op->flags & TF_TENSIX_SRCB) != 0 && tf_src_matrix_waits(tensix->src, TF_SRC_B))
        return TF_CHANGE_MATRIX_B;
    if ((op->flags & TF_TENSIX_SRCA) != 0 && tf_src_matrix_waits(tensix->src, TF_SRC_A))
        return TF_CHANGE_MATRIX_A;
    return op->opcode == TF_OP_UNPACR ? TF_CHANGE_UNPACK_A << TF_FIELD(gate->word, UNPACR, unpack_block_selection)
                                      : TF_CHANGE_ANY;
}

/* Clears the latched waits that are met at the end of `cycle`. It tests new waits, and waits that `changes` may end. */
static inline void settle(struct tf_tile *tile, uint64_t cycle, unsigned changes)
{
#pragma GCC unroll 3
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        struct tf_wait *wait = &tile->tensix->thread[t].gate.wait;
        if (wait->opcode != 0 && (wait->since == cycle || (wait_awaits(tile->tensix, wait) & changes) != 0))
            tf_gate_clear(tile, t, wait, cycle);
    }
}

void tf_gate_settle(struct tf_tile *tile, uint64_t cycle)
{
    settle(tile, cycle, TF_CHANGE_ALL);
}

void tf_gate_before_change(struct tf_tile *tile, unsigned changes)
{
    if (tile->cycle != 0 && !tf_tensix_asleep(tile))
        settle(tile, tile->cycle - 1, changes | TF_CHANGE_ANY);
}

void tf_gate_reconsider(struct tf_tile *tile, unsigned changes)
{
    changes |= TF_CHANGE_ANY;
    tile->tensix->events |= changes;
    if (!tf_tensix_asleep(tile)) /* no thread waits, and none may have memory yet */
        settle(tile, tile->cycle, changes);
}
