/* SPDX-License-Identifier: Apache-2.0 */
/* Slow threads and unpackers of the coprocessor. */
#include <stdlib.h>
#include <string.h>

#include "host/extremes.h"
#include "tile/explore/decide.h"
#include "tile/explore/lag.h"
#include "tile/explore/state.h"
#include "tile/explore/transfers.h"
#include "tile/explore/units.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"
#include "tile/tensix/late.h"
#include "tile/tensix/unpack_job.h"
#include "tilefarm/tilefarm_explore.h"

static struct tf_decide_where at_gate(const struct tf_tile *tile, unsigned thread)
{
    const struct tf_tensix_thread *at = &tile->tensix->thread[thread];
    return (struct tf_decide_where){.pc = at->gate.pc, .cycle = at->cycle};
}

uint64_t tf_explored_thread(struct tf_tile *tile, unsigned thread)
{
    struct tf_explorer *explorer = tile->explore;
    uint8_t bit = (uint8_t)(1u << thread);
    const uint64_t behind = tf_explored_behind(tile, thread);
    if (behind != 0)
        return behind;
    explorer->thread_asked ^= bit;
    if ((explorer->thread_asked & bit) == 0)
        return 0;
    uint64_t cycles = (uint64_t)tf_decide(&explorer->decider, TF_FREE_THREAD, thread, at_gate(tile, thread)) *
                      explorer->slice_cycles;
    if (cycles == 0)
        explorer->thread_asked ^= bit;
    return cycles;
}

void tf_explored_delay_register(struct tf_tile *tile, const struct tf_hart *hart, uint64_t slices)
{
    if (hart->core < TF_CORE_T0)
        return;
    uint64_t *busy = &tile->tensix->busy->until[TF_BUSY_RISCV][hart->core - TF_CORE_T0];
    tf_gate_before_change(tile, TF_CHANGE_ALL);
    *busy = tf_max(*busy, tf_explored_until(tile->explore, hart->cycle, slices));
}

static uint64_t unpack(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct tf_explorer *explorer = tile->explore;
    explorer->unpack_due = 0;
    if (TF_FIELD(word, UNPACR, search_cache_flush) || TF_FIELD(word, UNPACR, cfg_context_cnt_inc))
        return 0;
    uint32_t slices = tf_decide(&explorer->decider, TF_FREE_UNPACK, thread, at_gate(tile, thread));
    explorer->unpack_due = slices == 0 ? 0 : tile->slice.tick + slices;
    return slices == 0 ? 0 : tf_explored_until(explorer, tile->cycle, slices);
}

uint64_t tf_explored_unit(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    const struct tf_tensix_op *op = &tf_tensix_ops[word >> 24];
    const uint32_t pc = tile->tensix->thread[thread].gate.pc;
    const uint64_t until = tf_explored_lag(tile, thread, word);
    if (until != 0) /* lines of earlier PACRs may arrive still later */
        return op->opcode == TF_OP_PACR ? tf_max(until, tile->explore->pack_until) : until;
    switch (op->opcode) {
    case TF_OP_PACR: return tf_explored_pack(tile, thread);
    case TF_OP_UNPACR: return unpack(tile, thread, word);
    case TF_OP_XMOV: return tf_explored_move(tile, TF_CORE_T0 + thread, pc);
    case TF_OP_LOADIND:
    case TF_OP_LOADREG:
    case TF_OP_STOREIND:
    case TF_OP_STOREREG:
    case TF_OP_ATINCGET:
    case TF_OP_ATSWAP: return tf_explored_request(tile, thread, pc);
    default: return 0;
    }
}

bool tf_explored_unpacks(struct tf_tile *tile, const struct tf_unpack_job *job, uint32_t word)
{
    struct tf_explorer *explorer = tile->explore;
    if (explorer->unpack_due == 0)
        return false;
    explorer->unpack[job->side] = (struct tf_pending_unpack){
        .valid = true,
        .due = explorer->unpack_due,
        .job = *job,
        .word = word,
        .pc = tile->tensix->thread[job->thread].gate.pc,
    };
    return true;
}

bool tf_explored_unpacking(const struct tf_tile *tile, unsigned unpacker)
{
    return tile->explore->unpack[unpacker].valid;
}

void tf_explored_unpack_due(struct tf_tile *tile)
{
    for (unsigned side = TF_SRC_A; side <= TF_SRC_B; side++) {
        struct tf_pending_unpack *pending = &tile->explore->unpack[side];
        if (!pending->valid || pending->due > tile->slice.tick)
            continue;
        /* Observers take the code place of the instruction from the gate. */
        struct tf_gate *gate = &tile->tensix->thread[pending->job.thread].gate;
        const struct tf_gate held = *gate;
        pending->valid = false;
        gate->word = pending->word;
        gate->pc = pending->pc;
        tile->cycle = tile->slice.deadline;
        tile->tensix->late->unpack(tile, &pending->job, pending->word);
        gate->word = held.word;
        gate->pc = held.pc;
        tile->tensix->events |= TF_CHANGE_ALL;
    }
}

bool tf_explored_lines(struct tf_tile *tile, uint32_t address, const uint8_t *bytes, unsigned count)
{
    struct tf_explorer *explorer = tile->explore;
    if (explorer->pack_due == 0 && explorer->packed == NULL)
        return false;
    struct tf_packed_lines *lines = malloc(sizeof *lines + count);
    if (lines == NULL) {
        explorer->decider.lost = true;
        return false;
    }
    *lines = (struct tf_packed_lines){.due = explorer->pack_due,
                                      .address = address,
                                      .bytes = count,
                                      .pc = explorer->pack_pc,
                                      .core = explorer->pack_core};
    memcpy(lines->data, bytes, count);
    *explorer->packed_end = lines;
    explorer->packed_end = &lines->next;
    return true;
}
