/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/issue/timed.h"

#include "host/extremes.h"
#include "tile/times.h"
#include "tile/riscv/timed/state.h"
#include "tile/state.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"

_Static_assert((unsigned)TF_UNITS <= TF_TIMED_UNITS, "a place for each unit");

static inline unsigned duration(const struct tf_tile *tile, enum tf_time time)
{
    return tile->arch->times->value[time];
}

/* The row that says for how long an instruction occupies its unit. */
static enum tf_time occupation(const struct tf_tensix_op *op)
{
    switch (op->opcode) {
    case TF_OP_ADDDMAREG:
    case TF_OP_SUBDMAREG:
    case TF_OP_MULDMAREG:
    case TF_OP_CMPDMAREG:
    case TF_OP_BITWOPDMAREG:
    case TF_OP_SHIFTDMAREG: return TF_TIME_TX_GPRS;
    case TF_OP_LOADIND:
    case TF_OP_LOADREG:
    case TF_OP_STOREIND:
    case TF_OP_STOREREG:
    case TF_OP_ATSWAP:
    case TF_OP_ATINCGET: return TF_TIME_TX_MEMORY;
    case TF_OP_ATCAS:
    case TF_OP_ATINCGETPTR: return TF_TIME_TX_ATOMIC;
    case TF_OP_REG2FLOP:
    case TF_OP_FLUSHDMA: return TF_TIME_TX_FLUSH;
    case TF_OP_RDCFG: return TF_TIME_TX_RDCFG;
    case TF_OP_CFGSHIFTMASK: return TF_TIME_TX_SHIFTMASK;
    case TF_OP_SHIFTXB: return TF_TIME_TX_SHIFTXB;
    case TF_OP_UNPACR: return TF_TIME_TX_UNPACK;
    default: return TF_TIME_TX_ISSUE;
    }
}

/* Does each thread have the unit of its own? SETC16 goes to the thread's own configuration, and the Sync Unit takes an
   instruction of each thread in a cycle (ConfigurationUnit.md, SyncUnit.md). */
static bool is_own(const struct tf_tensix_op *op)
{
    return op->unit == TF_UNIT_FRONTEND || op->unit == TF_UNIT_SYNC || op->opcode == TF_OP_SETC16;
}

/* Has another thread waited for the unit since before `since`? */
static bool comes_later(const struct tf_tile *tile, unsigned t, unsigned unit, uint64_t since)
{
    const struct tf_tensix *tensix = tile->tensix;
    for (unsigned other = 0; other < TF_TENSIX_THREADS; other++) {
        const struct tf_tensix_thread *thread = &tensix->thread[other];
        const uint64_t wanted = tile->timing->wanted[unit][other];
        if (other != t && wanted != 0 && wanted < since && thread->gate.full &&
            tf_tensix_ops[thread->gate.word >> 24].unit == unit)
            return true;
    }
    return false;
}

bool tf_timed_passes(struct tf_tile *tile, unsigned t, const struct tf_tensix_op *op, uint64_t limit)
{
    struct tf_timing *timing = tile->timing;
    struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    if (is_own(op))
        return true;
    uint64_t *wanted = &timing->wanted[op->unit][t];
    if (*wanted == 0)
        *wanted = thread->cycle + 1;
    if (thread->cycle < timing->unit[op->unit]) {
        thread->cycle = tf_min(timing->unit[op->unit], tf_max(limit, thread->cycle + 1));
        return false;
    }
    if (comes_later(tile, t, op->unit, *wanted)) {
        thread->cycle++;
        return false;
    }
    *wanted = 0;
    const unsigned takes = duration(tile, occupation(op));
    timing->unit[op->unit] = thread->cycle + takes;
    timing->busy[op->unit] += takes;
    return true;
}

uint64_t tf_timed_under_way(const struct tf_tile *tile, const struct tf_tensix_op *op)
{
    switch (op->unit) {
    case TF_UNIT_MATRIX: return duration(tile, TF_TIME_TX_MATRIX_LATENCY) - 1;
    case TF_UNIT_VECTOR: return duration(tile, TF_TIME_TX_VECTOR_LATENCY) - 1;
    default: return duration(tile, occupation(op)) - 1;
    }
}
