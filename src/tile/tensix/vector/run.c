/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stretches of instructions of the vector unit. What decides where SFPLOAD and SFPSTORE find their rows is looked up
 * once, as nothing in a stretch changes it but the counters. Whatever is not as usual ends the stretch.
 */
#include "tile/tensix/vector/run.h"

#include "tile/tensix/frontend/kind.h"
#include "tile/tensix/scalar/gpr_only.h"
#include "tile/tensix/state.h"
#include "tile/tensix/vector/batch.h"
#include "tile/tensix/vector/issue.h"
#include "tile/tensix/vector/kind.h"

static uint8_t kind_of_mad(uint32_t word)
{
    enum { ZERO = 9, ONE = 10 };
    if ((word & 15) != 0 || (word >> 4 & 15) >= 8)
        return TF_VECTOR_PLAIN;
    if ((word >> 16 & 15) == ONE)
        return TF_VECTOR_ADD;
    return (word >> 8 & 15) == ZERO ? TF_VECTOR_MULTIPLY : TF_VECTOR_MULTIPLY_ADD;
}

uint8_t tf_sfpu_kind(uint32_t word)
{
    static const uint8_t kinds[TF_SFPU_OPCODES] = {
#define X(name, registers)                                                                                             \
    [TF_OP_##name - TF_OP_SFPLOAD] = TF_SFPU_MAY_REFUSE(name) ? TF_VECTOR_REFUSABLE : TF_VECTOR_PLAIN,
        TF_SFPU_KERNELS(X)
#undef X
        [0] = TF_VECTOR_LOAD,
        [TF_OP_SFPSTORE - TF_OP_SFPLOAD] = TF_VECTOR_STORE,
    };
    _Static_assert(TF_OP_SFPARECIP - TF_OP_SFPLOAD + 1 == TF_SFPU_OPCODES, "as many as there are");
    unsigned opcode = word >> 24, index = opcode - TF_OP_SFPLOAD;
    if (index >= TF_SFPU_OPCODES || kinds[index] == TF_THCON_UNSEEN || (word & tf_tensix_ops[opcode].reserved) != 0)
        return TF_THCON_OTHER;
    uint8_t kind = kinds[index];
    bool moves = kind == TF_VECTOR_LOAD || kind == TF_VECTOR_STORE;
    if (tf_sfpu_vd(tf_sfpu_ops[index].registers, word) >= (kind == TF_VECTOR_LOAD ? 8 : 12) ||
        (moves && (word >> 16 & 15) == TF_FMT_INT32_ALL))
        return TF_THCON_OTHER;
    return opcode == TF_OP_SFPMAD || opcode == TF_OP_SFPADD || opcode == TF_OP_SFPMUL ? kind_of_mad(word) : kind;
}

bool tf_sfpu_look_up(struct tf_sfpu_stretch *s)
{
    const struct tf_backend_config *config = &s->tile->tensix->config;
    unsigned bank = tf_config_bank(config, s->thread);
    s->dst = s->tile->tensix->dst;
    s->map = tf_dst_map(s->tile);
    s->modifiers = config->thread[s->thread];
    s->offset = TF_THREAD_CFG(config, s->thread, DEST_TARGET_REG_CFG_MATH_Offset) +
                TF_CFG(config, bank, DEST_REGW_BASE_Base);
    s->stack_base = TF_CFG(config, bank, DEST_SP_BASE_Base);
    s->as_srcb = tf_sfpu_format(s->tile, s->thread, TF_FMT_SRCB);
    return s->dst != NULL;
}

static uint32_t execute(struct tf_sfpu_stretch *s, const uint32_t *word, const uint8_t *kind, uint32_t count)
{
    struct tf_sfpu_row row = {.word = word, .kind = kind, .word_step = 4, .kind_step = 1, .count = count};
    return s->vector->isa->execute(s, &row);
}

/*
 * From each source as much as is of this kind, before cycle `limit`; what is not is left where it is, or at the gate.
 * So is the last of an expansion that Auto TTSync counts. Return how many instructions it were.
 */
static uint32_t run_replay(struct tf_sfpu_stretch *s, struct tf_tensix_thread *thread, uint64_t limit)
{
    struct tf_replay *replay = &thread->replay;
    uint32_t left = replay->play_left - (replay->resources != 0), first = replay->index, known = 0;
    if (left > TF_REPLAY_ENTRIES - first)
        left = TF_REPLAY_ENTRIES - first;
    if (left > limit - thread->cycle)
        left = (uint32_t)(limit - thread->cycle);
    for (; known < left; known++)
        if (replay->kind[first + known] == TF_THCON_UNSEEN)
            replay->kind[first + known] = tf_thcon_kind(replay->buffer[first + known]);
    uint32_t done = execute(s, &replay->buffer[first], &replay->kind[first], left);
    if (done == 0)
        return 0;
    replay->index = (uint8_t)((first + done) % TF_REPLAY_ENTRIES);
    replay->play_left = (uint8_t)(replay->play_left - done);
    thread->gate.word = replay->buffer[first + done - 1];
    thread->gate.pc = replay->pc;
    thread->cycle += done;
    return done;
}

/* Ends at a REPLAY, which plays. */
static uint32_t run_mop(struct tf_sfpu_stretch *s, struct tf_tensix_thread *thread, uint64_t limit)
{
    struct tf_mop *mop = &thread->mop;
    struct tf_gate *gate = &thread->gate;
    uint32_t done = 0;
    while (mop->remaining != 0 && thread->cycle < limit) {
        uint32_t word = tf_mop_next(mop);
        uint16_t resources = mop->remaining == 0 ? mop->resources : 0;
        if (word >> 24 == TF_OP_REPLAY) {
            tf_replay_start(&thread->replay, word, mop->pc, resources);
            break;
        }
        gate->word = word;
        gate->pc = mop->pc;
        gate->resources = resources;
        gate->kind = TF_THCON_UNSEEN;
        uint8_t kind = tf_sfpu_kind(word);
        gate->full = resources != 0 || execute(s, &word, &kind, 1) == 0;
        if (gate->full)
            break;
        thread->cycle++;
        done++;
    }
    return done;
}

/* Entries from the head on that lie in a row and can pass in a row from `cycle` on; it finds out what they are. */
static uint32_t ready_entries(struct tf_fifo *fifo, uint64_t cycle, uint64_t limit)
{
    struct tf_push *head = tf_fifo_head(fifo);
    uint32_t most = TF_FIFO_ENTRIES - fifo->first, ready = 0;
    if (most > fifo->count)
        most = fifo->count;
    if (most > limit - cycle)
        most = (uint32_t)(limit - cycle);
    for (; ready < most && head[ready].arrival <= cycle + ready; ready++) {
        if (head[ready].kind != TF_THCON_UNSEEN)
            continue;
        if (head[ready].resources != 0)
            break;
        head[ready].kind = tf_thcon_kind(head[ready].word);
    }
    return ready;
}

/* What Auto TTSync counts has no kind. */
static uint32_t run_fifo(struct tf_sfpu_stretch *s, struct tf_tensix_thread *thread, uint64_t limit)
{
    struct tf_fifo *fifo = &thread->fifo;
    uint32_t done = 0, passed, ready;
    do {
        const struct tf_push *head = tf_fifo_head(fifo);
        uint64_t cycle = thread->cycle;
        if (fifo->count == 0 || (head->arrival > cycle && head->arrival >= limit) || cycle >= limit)
            break;
        if (head->arrival > cycle)
            cycle = head->arrival;
        ready = ready_entries(fifo, cycle, limit);
        struct tf_sfpu_row row = {
            .word = &head->word, .kind = &head->kind, .word_step = sizeof *head, .kind_step = sizeof *head,
            .count = ready,
        };
        passed = s->vector->isa->execute(s, &row);
        if (passed == 0)
            break;
        thread->gate.word = head[passed - 1].word;
        thread->gate.pc = head[passed - 1].pc;
        fifo->first = (uint8_t)((fifo->first + passed) % TF_FIFO_ENTRIES);
        fifo->count = (uint8_t)(fifo->count - passed);
        thread->cycle = cycle + passed;
        done += passed;
    } while (passed == ready);
    return done;
}

static uint32_t run_on(struct tf_sfpu_stretch *s, struct tf_tensix_thread *thread, uint64_t limit)
{
    uint32_t done = 0, more = 0;
    while (!thread->gate.full && thread->cycle < limit) {
        if (thread->replay.play_left != 0) {
            more = run_replay(s, thread, limit);
            if (more == 0)
                break;
        } else if ((thread->replay.record_left | thread->mid.count) != 0) {
            break;
        } else if (thread->mop.remaining != 0) {
            if (!thread->mop.simple)
                break;
            more = run_mop(s, thread, limit);
        } else {
            more = run_fifo(s, thread, limit);
            done += more;
            if (!tf_local_expand(thread, limit, limit))
                break;
            continue;
        }
        done += more;
    }
    return done;
}

bool tf_sfpu_run(struct tf_tile *tile, unsigned t, uint64_t limit)
{
    struct tf_tensix *tensix = tile->tensix;
    struct tf_tensix_thread *thread = &tensix->thread[t];
    struct tf_gate *gate = &thread->gate;
    struct tf_vector *vector = tensix->vector;
    if (vector == NULL || vector->scheduled || tensix->trace != NULL || tensix->delay_cycles != 0)
        return false;
    struct tf_sfpu_stretch s = {.tile = tile, .thread = t, .vector = vector, .rwc = &tensix->rwc[t]};
    uint32_t done = 0;
    if (gate->full) {
        if (gate->kind == TF_THCON_UNSEEN)
            gate->kind = tf_thcon_kind(gate->word);
        if (gate->resources != 0 || execute(&s, &gate->word, &gate->kind, 1) == 0)
            return false;
        gate->full = false;
        thread->cycle++;
        done = 1;
    }
    done += run_on(&s, thread, limit);
    tensix->passed += done;
    if (done != 0)
        tile->now = thread->cycle - 1;
    return done != 0;
}
