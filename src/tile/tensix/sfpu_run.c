/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stretches of instructions of the vector unit. What decides where SFPLOAD and SFPSTORE find their rows is looked up
 * once, as nothing in a stretch changes it but the counters. Whatever is not as usual ends the stretch.
 */
#include "tile/tensix/sfpu_run.h"

#include "tile/tensix/alu.h"
#include "tile/tensix/local.h"
#include "tile/tensix/sfpu_rows.h"
#include "tile/tensix/state.h"

/* What has to be known of an instruction that a kernel does; all zero: it is another one. */
static const struct way {
    uint8_t vd;     /* first bit of that register's number */
    bool refusable; /* tf_sfpu_objection() may have something against it */
} ways[TF_SFPU_OPCODES] = {
#define X(name, registers)                                                                                             \
    [TF_OP_##name - TF_OP_SFPLOAD] = {TF_REGISTERS_##registers == TF_REGISTERS_HIGH ? 20 : 4, TF_SFPU_MAY_REFUSE(name)},
    TF_SFPU_KERNELS(X)
#undef X
};
_Static_assert(TF_OP_SFPARECIP - TF_OP_SFPLOAD + 1 == TF_SFPU_OPCODES, "as many as there are");

/* What stays as it is in a stretch. */
struct stretch {
    struct tf_tile *tile;
    unsigned thread;
    struct tf_vector *vector;
    const struct tf_sfpu_isa *isa;
    struct tf_rwc *rwc;
    /* Of SFPLOAD and SFPSTORE, as soon as there is one: */
    struct tf_dst *dst;
    struct tf_dst_map map;
    const uint16_t *modifiers; /* ThreadConfig */
    unsigned offset;           /* of rows, without the counter */
    unsigned stack_base;
    unsigned as_srcb;          /* MOD0_FMT_SRCB */
};

static __attribute__((noinline)) bool look_up(struct stretch *s)
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

/* SFPLOAD or SFPSTORE. False: it is not a usual one. */
static inline __attribute__((always_inline)) bool move(struct stretch *s, uint32_t word, bool load)
{
    unsigned mod0 = word >> 16 & 15, vd = word >> 20 & 15;
    if (vd >= (load ? 8 : 12) || mod0 == TF_FMT_INT32_ALL || (s->dst == NULL && !look_up(s)))
        return false;
    struct tf_vector *vector = s->vector;
    struct tf_sfpu_place place = {
        .address = ((word & 0x3FF) + s->offset + s->rwc->dst +
                    ((vector->stack_pointer[s->thread] + s->stack_base) & 3)) & 0x3FF,
        .mod0 = mod0 == TF_FMT_SRCB ? s->as_srcb : mod0,
    };
    if (load)
        tf_sfpu_load_from(s->dst, s->map, vector, place, vd);
    else
        tf_sfpu_store_to(s->dst, s->map, vector, place, vd);
    tf_rwc_modify_dst(s->tile, s->rwc, s->modifiers, s->thread, word >> 13 & 7);
    return true;
}

static inline __attribute__((always_inline)) bool execute(struct stretch *s, uint32_t word)
{
    unsigned opcode = word >> 24, index = opcode - TF_OP_SFPLOAD;
    if (index >= TF_SFPU_OPCODES || (word & tf_tensix_ops[opcode].reserved) != 0)
        return false;
    if (opcode == TF_OP_SFPLOAD)
        return move(s, word, true);
    if (opcode == TF_OP_SFPSTORE)
        return move(s, word, false);
    const struct way *way = &ways[index];
    unsigned vd = word >> way->vd & 15;
    if (way->vd == 0 || vd >= 12 || (way->refusable && tf_sfpu_objection(s->vector, word, vd) != NULL))
        return false;
    s->isa->plain[index](s->vector, word);
    return true;
}

/*
 * From each source as much as is of this kind, before cycle `limit`; what is not is left where it is, or at the gate.
 * So is the last of an expansion that Auto TTSync counts. Return how many instructions it were.
 */
static uint32_t run_replay(struct stretch *s, struct tf_tensix_thread *thread, uint64_t limit)
{
    struct tf_replay *replay = &thread->replay;
    uint32_t left = replay->play_left - (replay->resources != 0), done = 0, index = replay->index, word = 0;
    if (left > limit - thread->cycle)
        left = (uint32_t)(limit - thread->cycle);
    for (; done < left && execute(s, replay->buffer[index]); done++) {
        word = replay->buffer[index];
        index = (index + 1) % TF_REPLAY_ENTRIES;
    }
    if (done == 0)
        return 0;
    replay->index = (uint8_t)index;
    replay->play_left = (uint8_t)(replay->play_left - done);
    thread->gate.word = word;
    thread->gate.pc = replay->pc;
    thread->cycle += done;
    return done;
}

/* Ends at a REPLAY, which plays. */
static uint32_t run_mop(struct stretch *s, struct tf_tensix_thread *thread, uint64_t limit)
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
        gate->full = resources != 0 || !execute(s, word);
        if (gate->full)
            break;
        thread->cycle++;
        done++;
    }
    return done;
}

static uint32_t run_fifo(struct stretch *s, struct tf_tensix_thread *thread, uint64_t limit)
{
    struct tf_fifo *fifo = &thread->fifo;
    const struct tf_push *last = NULL;
    uint64_t cycle = thread->cycle;
    uint32_t done = 0, first = fifo->first, count = fifo->count;
    for (; done < count; done++) {
        const struct tf_push *head = &fifo->entry[(first + done) % TF_FIFO_ENTRIES];
        uint64_t at = head->arrival <= cycle ? cycle : head->arrival;
        if (at >= limit || head->resources != 0 || !execute(s, head->word))
            break;
        cycle = at + 1;
        last = head;
    }
    if (last == NULL)
        return 0;
    thread->gate.word = last->word;
    thread->gate.pc = last->pc;
    fifo->first = (uint8_t)((first + done) % TF_FIFO_ENTRIES);
    fifo->count = (uint8_t)(count - done);
    thread->cycle = cycle;
    return done;
}

static uint32_t run_on(struct stretch *s, struct tf_tensix_thread *thread, uint64_t limit)
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
    struct stretch s = {
        .tile = tile, .thread = t, .vector = vector, .isa = vector->isa, .rwc = &tensix->rwc[t],
    };
    uint32_t done = 0;
    if (gate->full) {
        if (gate->resources != 0 || !execute(&s, gate->word))
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
