/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/tensix/sync/sync.h"

#include "host/assert.h"
#include "host/mutant.h"
#include "tilefarm_address.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"
#include "host/vectors.h"
#include "tile/hash.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/vector/macro.h"
#include "tile/tensix/vector/set.h"

/* A wait instruction with a block mask of 0 blocks this (STALLWAIT.md, SEMWAIT.md, "Functional model"). */
#define DEFAULT_BLOCK TF_BLOCK_B6

static void latch(struct tf_tile *tile, unsigned thread, const struct tf_wait *wait)
{
    struct tf_wait *latched = &tile->tensix->thread[thread].gate.wait;
    *latched = *wait;
    latched->since = tile->cycle + 1;
    if (latched->block == 0)
        latched->block = DEFAULT_BLOCK;
}

/* A wait instruction without conditions. */
static void latch_default(struct tf_tile *tile, unsigned thread, uint16_t block)
{
    bool four = tile->tensix->busy_packers != NULL;
    uint16_t condition = TF_CONDITION_DEFAULT | (four ? TF_CONDITION_OTHER_PACKERS : 0);
    latch(tile, thread, &(struct tf_wait){.opcode = TF_OP_STALLWAIT, .block = block, .condition = condition});
}

void tf_exec_STALLWAIT(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t condition = TF_FIELD(word, STALLWAIT, wait_res);
    if ((condition & TF_CONDITION_RESERVED) != 0 && tile->tensix->busy_packers == NULL) {
        tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "reserved bits are set");
        return;
    }
    /* This wait ends after the instructions that SFPLOADMACRO has scheduled. */
    if (condition & TF_CONDITION_VECTOR)
        tf_sfpu_drain(tile);
    uint16_t block = (uint16_t)TF_FIELD(word, STALLWAIT, stall_res);
    if (condition == 0)
        latch_default(tile, thread, block);
    else
        latch(tile, thread,
              &(struct tf_wait){.opcode = TF_OP_STALLWAIT, .block = block, .condition = (uint16_t)condition});
}

void tf_exec_SEMWAIT(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t condition = TF_FIELD(word, SEMWAIT, wait_sem_cond);
    uint16_t block = (uint16_t)TF_FIELD(word, SEMWAIT, stall_res);
    if (condition == 0) {
        latch_default(tile, thread, block);
        return;
    }
    latch(tile, thread,
          &(struct tf_wait){
              .opcode = TF_OP_SEMWAIT,
              .block = block,
              .condition = (uint16_t)condition,
              .semaphores = (uint8_t)TF_FIELD(word, SEMWAIT, sem_sel),
          });
}

void tf_exec_STREAMWAIT(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    const uint16_t *config = tile->tensix->config->thread[thread];
    unsigned index = TF_FIELD(word, STREAMWAIT, target_sel);
    uint32_t high = index == 0 ? config[TF_THREAD_CFG_STREAMWAIT_PHASE_HI] & 0x3FF
                               : config[TF_THREAD_CFG_STREAMWAIT_NUM_MSGS_HI] & 0x7F;
    latch(tile, thread,
          &(struct tf_wait){
              .opcode = TF_OP_STREAMWAIT,
              .block = (uint16_t)TF_FIELD(word, STREAMWAIT, stall_res),
              .condition = (uint16_t)(1u << index),
              .stream_select = (uint8_t)TF_FIELD(word, STREAMWAIT, wait_stream_sel),
              .target = high << 10 | TF_FIELD(word, STREAMWAIT, target_value),
          });
}

void tf_exec_SEMINIT(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    (void)thread;
    struct tf_sync *sync = tile->tensix->sync;
    uint32_t mask = TF_FIELD(word, SEMINIT, sem_sel);
    tf_gate_before_change(tile, TF_CHANGE_SYNC);
    for (; mask != 0; mask &= mask - 1) {
        unsigned i = (unsigned)__builtin_ctz(mask);
        sync->value[i] = (uint8_t)TF_FIELD(word, SEMINIT, init_value);
        sync->max[i] = (uint8_t)TF_FIELD(word, SEMINIT, max_value);
    }
    tf_gate_reconsider(tile, TF_CHANGE_SYNC);
}

static void post(struct tf_sync *sync, unsigned i, unsigned poster)
{
    sync->poster[i] = (uint8_t)(1 + poster);
    if (sync->value[i] < TF_SEMAPHORE_LIMIT && !TF_MUTANT(LOST_POST))
        sync->value[i] += TF_MUTANT(DOUBLED_POST) ? 2 : 1;
}

static void get(struct tf_sync *sync, unsigned i)
{
    if (sync->value[i] > 0)
        sync->value[i]--;
}

void tf_exec_SEMPOST(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    tf_gate_before_change(tile, TF_CHANGE_SYNC);
    for (uint32_t mask = TF_FIELD(word, SEMPOST, sem_sel); mask != 0; mask &= mask - 1)
        post(tile->tensix->sync, (unsigned)__builtin_ctz(mask), TF_POSTER_THREAD + thread);
    tf_gate_reconsider(tile, TF_CHANGE_SYNC);
}

void tf_exec_SEMGET(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    (void)thread;
    tf_gate_before_change(tile, TF_CHANGE_SYNC);
    for (uint32_t mask = TF_FIELD(word, SEMGET, sem_sel); mask != 0; mask &= mask - 1)
        get(tile->tensix->sync, (unsigned)__builtin_ctz(mask));
    tf_gate_reconsider(tile, TF_CHANGE_SYNC);
}

static bool mutex_exists(const struct tf_tile *tile, uint32_t index)
{
    return index < TF_MUTEXES_MAX && (tile->arch->mutexes >> index & 1) != 0;
}

bool tf_stalls_ATGETM(const struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t index = TF_FIELD(word, ATGETM, mutex_index);
    if (!mutex_exists(tile, index))
        return false;
    uint8_t holder = tile->tensix->sync->holder[index];
    TF_ASSERT(holder <= TF_TENSIX_THREADS);
    return holder != 0 && holder != thread + 1 && !TF_MUTANT(OPEN_MUTEX);
}

/* The chip hangs on a mutex that does not exist (ATGETM.md). Here that is a fault. */
static bool check_mutex(struct tf_tile *tile, unsigned thread, uint32_t index)
{
    if (mutex_exists(tile, index))
        return true;
    tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "there is no mutex %u on %s", index, tile->arch->family);
    return false;
}

void tf_exec_ATGETM(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t index = TF_FIELD(word, ATGETM, mutex_index);
    if (check_mutex(tile, thread, index))
        tile->tensix->sync->holder[index] = (uint8_t)(thread + 1);
}

/* Does the ATGETM at the thread's gate stall only because of this mutex? */
static bool wants_mutex(const struct tf_tensix_thread *thread, uint32_t index)
{
    const struct tf_gate *gate = &thread->gate;
    return gate->full && !thread->faulted && gate->word >> 24 == TF_OP_ATGETM &&
           TF_FIELD(gate->word, ATGETM, mutex_index) == index &&
           (gate->wait.opcode == 0 || !tf_gate_catches(&tf_tensix_ops[TF_OP_ATGETM], gate->wait.block));
}

void tf_exec_ATRELM(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct tf_tensix *tensix = tile->tensix;
    uint32_t index = TF_FIELD(word, ATRELM, mutex_index);
    if (!check_mutex(tile, thread, index) || tensix->sync->holder[index] != thread + 1)
        return;
    /* If both other threads wait for the mutex, the next one in the order T0, T1, T2, T0 gets it (ATRELM.md). */
    unsigned next = (thread + 1) % TF_TENSIX_THREADS;
    TF_ASSERT(thread < TF_TENSIX_THREADS);
    bool both = wants_mutex(&tensix->thread[next], index) && wants_mutex(&tensix->thread[(thread + 2) % 3], index);
    tensix->sync->holder[index] = (uint8_t)(both ? next + 1 : 0);
    tf_gate_reconsider(tile, TF_CHANGE_SYNC);
}

enum tf_access tf_semaphore_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    (void)from;
    *value = tile->tensix->sync->value[(address - TF_SEMAPHORE_BASE) / 4];
    *pure = true;
    return TF_ACCESS_OK;
}

enum tf_access tf_semaphore_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    unsigned i = (address - TF_SEMAPHORE_BASE) / 4;
    tf_gate_before_change(tile, TF_CHANGE_SYNC);
    if ((value & 1) != 0)
        get(tile->tensix->sync, i);
    else
        post(tile->tensix->sync, i, TF_POSTER_CORE + from);
    tf_gate_reconsider(tile, TF_CHANGE_SYNC);
    return TF_ACCESS_OK;
}
