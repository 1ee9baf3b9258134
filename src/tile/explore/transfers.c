/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slow movers, scalar units and NIUs. The mover moves its data after the instruction or the command (Mover.md). A
 * request of the scalar unit acts after its instruction (LOADIND.md and others). Requests keep their order, since they
 * take one port. A NIU has a full FIFO: NOC_CMD_CTRL stays 1 (NoC/MemoryMap.md).
 */
#include <string.h>

#include "host/extremes.h"
#include "tile/explore/decide.h"
#include "tile/explore/noted.h"
#include "tile/explore/state.h"
#include "tile/explore/transfers.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/scalar_request.h"
#include "tile/tensix/state.h"
#include "tile/tensix/late.h"
#include "tile/tensix/mover_job.h"
#include "tilefarm/tilefarm_explore.h"

/* Compute the slice and the cycle at which something is due that is so many slices late. */
static uint64_t due_in(const struct tf_tile *tile, uint32_t slices)
{
    return slices == 0 ? 0 : tile->slice.tick + slices;
}

static uint64_t until(const struct tf_tile *tile, uint64_t cycle, uint64_t slices)
{
    return slices == 0 ? 0 : tf_explored_until(tile->explore, cycle, slices);
}

/* --- the mover --- */

uint64_t tf_explored_move(struct tf_tile *tile, unsigned core, uint32_t pc)
{
    struct tf_explorer *explorer = tile->explore;
    explorer->move_due = 0;
    if (core >= TF_TILE_CORES)
        return 0;
    const struct tf_decide_where where = {.pc = pc, .cycle = tile->cycle};
    uint32_t slices = tf_decide(&explorer->decider, TF_FREE_MOVE, core, where);
    explorer->move_due = due_in(tile, slices);
    return until(tile, tile->cycle, slices);
}

uint64_t tf_explored_command(struct tf_tile *tile, unsigned core)
{
    tf_explored_finish_move(tile);
    return tf_explored_move(tile, core, core < TF_TILE_CORES ? tile->hart[core].pc : 0);
}

/* Note what a transfer did to words whose accesses are noted. */
static void see_move(struct tf_tile *tile, const struct tf_mover_job *job)
{
    if (tile->explore->noted == NULL)
        return;
    struct tf_noted_access access = {
        .cycle = tile->cycle, .pc = job->pc, .tile = tile->index, .core = job->core, .kind = TF_NOTED_MOVER_READ};
    access.address = job->src;
    if (tf_mover_from_l1(job) && job->count != 0)
        tf_noted_add(tile, &access, job->count);
    access.address = job->dst;
    access.kind = TF_NOTED_MOVER;
    if (tf_mover_to_l1(job) && job->count != 0)
        tf_noted_add(tile, &access, job->count);
}

void tf_explored_moves(struct tf_tile *tile, const struct tf_mover_job *job)
{
    struct tf_explorer *explorer = tile->explore;
    struct tf_pending_move move = {.valid = true, .due = explorer->move_due, .job = *job};
    explorer->move = move;
    if (move.due == 0)
        tf_explored_finish_move(tile);
}

bool tf_explored_moving(const struct tf_tile *tile)
{
    return tile->explore->move.valid;
}

void tf_explored_finish_move(struct tf_tile *tile)
{
    struct tf_pending_move *move = &tile->explore->move;
    if (!move->valid)
        return;
    move->valid = false;
    tile->tensix->late->move(tile, &move->job);
    see_move(tile, &move->job);
    tile->tensix->events |= TF_CHANGE_ALL;
}

/* --- the scalar unit --- */

uint64_t tf_explored_request(struct tf_tile *tile, unsigned thread, uint32_t pc)
{
    struct tf_explorer *explorer = tile->explore;
    const struct tf_decide_where where = {.pc = pc, .cycle = tile->cycle};
    uint32_t slices = tf_decide(&explorer->decider, TF_FREE_SCALAR, thread, where);
    if (explorer->request_count != 0) {
        uint64_t before = explorer->request[explorer->request_count - 1].due - tile->slice.tick;
        slices = (uint32_t)tf_max(before, (uint64_t)slices);
    }
    explorer->request_due = due_in(tile, slices);
    return tf_max(tile->tensix->busy->until[TF_BUSY_SCALAR][thread], until(tile, tile->cycle, slices));
}

static void finish_first(struct tf_tile *tile)
{
    struct tf_explorer *explorer = tile->explore;
    const struct tf_pending_request first = explorer->request[0];
    /* Observers take the code place of the instruction from the gate. */
    struct tf_gate *gate = &tile->tensix->thread[first.request.thread].gate;
    const struct tf_gate held = *gate;
    explorer->request_count--;
    memmove(explorer->request, explorer->request + 1, explorer->request_count * sizeof first);
    gate->word = first.request.word;
    gate->pc = first.pc;
    tile->tensix->late->request(tile, &first.request);
    gate->word = held.word;
    gate->pc = held.pc;
    tile->tensix->events |= TF_CHANGE_ALL;
}

bool tf_explored_sends(struct tf_tile *tile, const struct tf_scalar_request *request)
{
    struct tf_explorer *explorer = tile->explore;
    if (explorer->request_due == 0)
        return false;
    if (explorer->request_count == TF_PENDING_REQUESTS)
        finish_first(tile);
    explorer->request[explorer->request_count++] = (struct tf_pending_request){
        .due = explorer->request_due, .request = *request, .pc = tile->tensix->thread[request->thread].gate.pc};
    explorer->request_due = 0;
    return true;
}

bool tf_explored_requesting(const struct tf_tile *tile, unsigned thread)
{
    const struct tf_explorer *explorer = tile->explore;
    for (unsigned i = 0; i < explorer->request_count; i++)
        if (thread == TF_TENSIX_THREADS || explorer->request[i].request.thread == thread)
            return true;
    return false;
}

void tf_explored_transfers_due(struct tf_tile *tile)
{
    struct tf_explorer *explorer = tile->explore;
    if (!explorer->move.valid && explorer->request_count == 0)
        return;
    tile->cycle = tile->slice.deadline;
    if (explorer->move.valid && explorer->move.due <= tile->slice.tick)
        tf_explored_finish_move(tile);
    while (explorer->request_count != 0 && explorer->request[0].due <= tile->slice.tick)
        finish_first(tile);
}

/* --- the NIUs --- */

bool tf_explored_holds_command(struct tf_tile *tile, unsigned noc, unsigned core, uint32_t pc)
{
    struct tf_explorer *explorer = tile->explore;
    const struct tf_decide_where where = {.pc = pc, .cycle = tile->hart[core].cycle};
    uint32_t slices = tf_decide(&explorer->decider, TF_FREE_NIU, noc, where);
    explorer->niu_held[noc] = tile->slice.tick + slices;
    return slices != 0;
}

bool tf_explored_niu_held(const struct tf_tile *tile, unsigned noc)
{
    return tile->explore->niu_held[noc] > tile->slice.tick;
}
