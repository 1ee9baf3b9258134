/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the coprocessor as seen from outside: status registers, waits in words, the state hash. */
#include <stdio.h>

#include <stddef.h>

#include "host/assert.h"
#include "host/extremes.h"
#include "tile/tensix/asleep.h"
#include "tile/tensix/config/family.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/rounding.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/frontend/status.h"
#include "tile/tensix/issue/run.h"
#include "tile/tensix/matrix/matrix.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/isa/disasm.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/frontend.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/tdma.h"
#include "tile/tensix/pack/four.h"
#include "tile/tensix/pack/pack.h"
#include "tile/tensix/pack/state.h"
#include "tile/tensix/thcon.h"
#include "tile/tensix/scalar/thmem.h"
#include "tile/tensix/state.h"
#include "tile/tensix/whole/status.h"
#include "tile/tensix/unpack/state.h"
#include "tile/tensix/vector/vector.h"

static int describe_latched(const struct tf_wait *wait, const char *held, char *text, unsigned bytes)
{
    switch (wait->opcode) {
    case TF_OP_SEMWAIT:
        return snprintf(text, bytes, "%s waits for the semaphores of mask 0x%02x to be %s", held, wait->semaphores,
                        wait->condition == 1   ? "above 0"
                        : wait->condition == 2 ? "below their maxima"
                                               : "above 0 and below their maxima");
    case TF_OP_STREAMWAIT:
        return snprintf(text, bytes, "%s waits for the %s of stream selection %u to reach %u", held,
                        wait->condition == 1 ? "phase" : "count of received messages", wait->stream_select,
                        wait->target);
    default: return snprintf(text, bytes, "%s waits for the STALLWAIT conditions 0x%04x", held, wait->condition);
    }
}

/* Does the instruction stall on its own condition, which depends on memory or on a bank? */
static bool has_condition(const struct tf_tile *tile, unsigned t, uint32_t word)
{
    tf_tensix_condition *condition = tf_tensix_conditions[word >> 24];
    return word >> 24 != TF_OP_FLUSHDMA && condition != NULL && condition(tile, t, word);
}

static int describe_scalar(const struct tf_tile *tile, unsigned t, const char *held, char *text, unsigned bytes)
{
    uint32_t word = tile->tensix->thread[t].gate.word;
    unsigned holder = tile->tensix->frontend->scalar_holder;
    char what[100] = "the scalar unit";
    if (holder != 0 && holder != t + 1)
        snprintf(what, sizeof what, "the scalar unit, which executes an instruction of T%u", holder - 1);
    else if (has_condition(tile, t, word))
        tf_thmem_describe_wait(tile, t, word, what, sizeof what);
    return snprintf(text, bytes, "%s waits for %s", held, what);
}

int tf_tensix_describe_wait(struct tf_tile *tile, unsigned t, char *text, unsigned bytes)
{
    TF_ASSERT(t < TF_TENSIX_THREADS);
    const struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    const struct tf_gate *gate = &thread->gate;
    char held[120];
    if (thread->faulted)
        return snprintf(text, bytes, "stopped by a fault");
    if (!gate->full || tf_tensix_can_act(tile, t))
        return 0;
    tf_tensix_disassemble_of(tile->arch, gate->word, held, sizeof held);
    const struct tf_tensix_op *op = &tf_tensix_ops[gate->word >> 24];
    if (gate->wait.opcode != 0 && tf_gate_catches(op, gate->wait.block))
        return describe_latched(&gate->wait, held, text, bytes);
    if (op->opcode == TF_OP_ATGETM) {
        unsigned index = TF_FIELD(gate->word, ATGETM, mutex_index);
        return snprintf(text, bytes, "%s waits for mutex %u, held by T%u", held, index,
                        tile->tensix->sync->holder[index] - 1u);
    }
    if ((op->flags & (TF_TENSIX_SRCA | TF_TENSIX_SRCB)) != 0)
        return snprintf(text, bytes, "%s waits for SrcA or SrcB to be valid", held);
    if (op->unit == TF_UNIT_UNPACK && has_condition(tile, t, gate->word))
        return snprintf(text, bytes, "%s waits for the matrix unit to release a bank of Src%c", held,
                        TF_FIELD(gate->word, UNPACR, unpack_block_selection) ? 'B' : 'A');
    if (op->unit == TF_UNIT_SCALAR)
        return describe_scalar(tile, t, held, text, bytes);
    return snprintf(text, bytes, "%s waits for the %s unit", held, tf_tensix_unit_name(op->unit));
}

static void hash_fifo(const struct tf_fifo *fifo, struct tf_hash *hash)
{
    tf_hash_u32(hash, fifo->count);
    for (unsigned i = 0; i < fifo->count; i++) {
        const struct tf_push *push = &fifo->entry[(fifo->first + i) % TF_FIFO_ENTRIES];
        tf_hash_u64(hash, push->arrival);
        tf_hash_u32(hash, push->word);
        tf_hash_u32(hash, push->pc);
        tf_hash_u32(hash, push->resources | (uint32_t)push->from_b << 16);
    }
}

static void hash_mop(const struct tf_mop *mop, struct tf_hash *hash)
{
    tf_hash_bytes(hash, mop->config, sizeof mop->config);
    tf_hash_u32(hash, mop->mask_high);
    tf_hash_u32(hash, mop->remaining);
    if (mop->remaining == 0)
        return;
    const uint32_t position[] = {mop->pc,          mop->resources,   mop->looping,
                                 mop->step,        mop->mask,        mop->phase,
                                 mop->outer,       mop->outer_count, mop->inner,
                                 mop->inner_count, mop->start,       mop->loop,
                                 mop->flip,        mop->loop_0_last, mop->loop_1_last,
                                 mop->end_0,       mop->end_1,       mop->lengths[0] | (uint32_t)mop->lengths[1] << 8};
    tf_hash_bytes(hash, position, sizeof position);
    tf_hash_bytes(hash, mop->sequence, sizeof mop->sequence);
}

static void hash_replay(const struct tf_replay *replay, struct tf_hash *hash)
{
    tf_hash_bytes(hash, replay->buffer, sizeof replay->buffer);
    const uint32_t position[] = {replay->index, replay->record_left, replay->play_left,
                                 replay->tee,   replay->pc,          replay->resources};
    tf_hash_bytes(hash, position, sizeof position);
}

static void hash_gate(const struct tf_gate *gate, struct tf_hash *hash)
{
    tf_hash_u32(hash, gate->full);
    if (gate->full) {
        tf_hash_u32(hash, gate->word);
        tf_hash_u32(hash, gate->pc);
        tf_hash_u32(hash, gate->resources);
    }
    const struct tf_wait *wait = &gate->wait;
    tf_hash_u32(hash, wait->opcode);
    if (wait->opcode != 0) {
        const uint32_t latched[] = {wait->semaphores, wait->stream_select, wait->block, wait->condition, wait->target};
        tf_hash_bytes(hash, latched, sizeof latched);
        tf_hash_u64(hash, wait->since);
    }
}

/* Hash a thread with the clock that it has while the coprocessor is awake. */
static void hash_thread(const struct tf_tile *tile, unsigned number, struct tf_hash *hash)
{
    const struct tf_tensix *tensix = tile->tensix;
    const struct tf_tensix_thread *thread = tf_hash_view(hash, &tensix->thread[number], sizeof *thread);
    const struct tf_ttsync *ttsync = &tensix->ttsync[number];
    hash_fifo(&thread->fifo, hash);
    hash_mop(&thread->mop, hash);
    hash_fifo(&thread->mid, hash);
    hash_replay(&thread->replay, hash);
    hash_gate(&thread->gate, hash);
    tf_hash_u64(hash, tf_tensix_asleep(tile) ? tf_max(thread->cycle, tile->asleep_until) : thread->cycle);
    tf_hash_u32(hash, thread->faulted);
    tf_hash_bytes(hash, ttsync->declared, sizeof ttsync->declared);
    tf_hash_bytes(hash, ttsync->in_flight, sizeof ttsync->in_flight);
    tf_hash_u32(hash, ttsync->state_id);
}

static void hash_rwc(const struct tf_rwc *counted, struct tf_hash *hash)
{
    const struct tf_rwc *rwc = tf_hash_view(hash, counted, sizeof *rwc);
    const uint32_t counters[] = {rwc->dst,  rwc->dst_cr,  rwc->srca,     rwc->srca_cr,
                                 rwc->srcb, rwc->srcb_cr, rwc->fidelity, rwc->extra};
    tf_hash_bytes(hash, counters, sizeof counters);
}

/* Returns 1 + the number of the family's last mutex. */
static unsigned mutexes_end(const struct tf_tile_arch *arch)
{
    return arch->mutexes == 0 ? 0 : 32 - (unsigned)__builtin_clz(arch->mutexes);
}

void tf_tensix_hash(struct tf_tile *tile, struct tf_hash *hash)
{
    const struct tf_tensix *tensix = tile->tensix;
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        hash_thread(tile, t, hash);
    tf_hash_u32(hash, tensix->soft_reset);
    tf_hash_u32(hash, tensix->frontend->scalar_holder);
    tf_hash_bytes(hash, tensix->busy, sizeof *tensix->busy);
    tf_hash_bytes(hash, tensix->sync, offsetof(struct tf_sync, holder) + mutexes_end(tile->arch));
    tf_hash_bytes(hash, tensix->src, sizeof *tensix->src);
    tf_hash_u32(hash, tensix->fpu->srca_row);
    if (tensix->own_config != NULL)
        tf_hash_bytes(hash, tensix->own_config, offsetof(struct tf_own_config, lower));
    tf_hash_bytes(hash, tensix->config->bank, sizeof tensix->config->bank);
    tf_hash_bytes(hash, tensix->config->thread, sizeof tensix->config->thread);
    tf_hash_bytes(hash, tensix->config->unpack_context, sizeof tensix->config->unpack_context);
    tf_hash_bytes(hash, tensix->adcs, sizeof *tensix->adcs);
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        hash_rwc(&tensix->rwc[t], hash);
    tf_hash_bytes(hash, tensix->tdma, sizeof *tensix->tdma);
    tf_hash_bytes(hash, tensix->unpack->set_reg_acc, sizeof tensix->unpack->set_reg_acc);
    tf_hash_bytes(hash, tensix->packer, TF_PACKERS * sizeof *tensix->packer);
    if (tensix->busy_packers != NULL && tensix->delay_cycles != 0)
        tf_hash_bytes(hash, tensix->busy_packers, sizeof *tensix->busy_packers);
    for (unsigned i = 0; i < tf_packs(tensix); i++)
        tf_pack_hash(&tensix->pack[i], tensix->four != NULL, hash);
    tf_rounding_hash(tf_hash_view(hash, tensix->rounding, sizeof *tensix->rounding), hash);
    tf_hash_bytes(hash, tensix->src_data, sizeof *tensix->src_data);
    tf_hash_bytes(hash, tensix->thcon->gpr, sizeof tensix->thcon->gpr);
    tf_sfpu_hash(tile, hash);
    tf_dst_hash(tile, hash);
}
