/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/scalar/gpr_only.h"

#include "host/extremes.h"
#include "tile/explore/noted.h"
#include "tile/tensix/frontend/trace.h"
#include "tile/tensix/frontend/batch.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/kind.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/scalar/alu.h"
#include "tile/tensix/thcon.h"
#include "tile/tensix/state.h"

/* The batch of a thread. All functions are compiled twice, with and without an observer (a trace or a checker). */
struct batch {
    uint32_t *gpr;
    const struct tf_tile *observed; /* NULL without an observer */
    unsigned thread;
};

TF_ALWAYS_INLINE void note(const struct batch *batch, uint64_t cycle, uint32_t word, uint32_t pc)
{
    if (batch->observed == NULL)
        return;
    struct tf_tensix_trace *trace = batch->observed->tensix->trace;
    if (trace != NULL)
        tf_trace_note(trace, batch->thread, cycle, word, pc);
    if (TF_HOOK(batch->observed->check) != NULL)
        tf_noted_passed(batch->observed, batch->thread, word, pc, cycle);
}

TF_ALWAYS_INLINE bool one(void *of, struct tf_tensix_thread *thread, uint32_t word, uint8_t kind, uint32_t pc)
{
    const struct batch *batch = of;
    if (!tf_kind_is_scalar(kind))
        return false;
    tf_thcon_do(batch->gpr, word, tf_kind_in_scalar(kind));
    note(batch, thread->cycle, word, pc);
    return true;
}

TF_ALWAYS_INLINE uint32_t play(void *of, struct tf_tensix_thread *thread, uint32_t first, uint32_t count)
{
    const struct batch *batch = of;
    struct tf_replay *replay = &thread->replay;
    uint32_t done = 0;
    for (; done < count; done++) {
        uint32_t word = replay->buffer[first + done];
        uint32_t kind = replay->kind[first + done];
        if (__builtin_expect(tf_kind_in_scalar(kind) >= TF_THCON_KINDS, 0)) {
            kind = tf_kind_at(&replay->kind[first + done], word);
            if (!tf_kind_is_scalar((uint8_t)kind))
                break;
        }
        tf_thcon_do(batch->gpr, word, tf_kind_in_scalar(kind));
        note(batch, thread->cycle + done, word, replay->pc);
    }
    return done;
}

/*
 * Executes an instruction `times` times, not 0. The loops are inside the switch, and the result of one round is the
 * operand of the next one in a register of the host. Row `mop` of tilefarm bench pays for both.
 */
static void repeat(uint32_t *gpr, uint32_t word, uint32_t kind, uint32_t times)
{
    const uint32_t index = TF_FIELD(word, ADDDMAREG, result_reg_index);
    const uint32_t a = TF_FIELD(word, ADDDMAREG, op_a_reg_index), number = TF_FIELD(word, ADDDMAREG, op_b_reg_index);
    const uint32_t first_left = gpr[a], first_right = gpr[number];
    uint32_t left, right, result = gpr[index];
    switch (kind) {
#define X(kind, value)                                      \
    case TF_THCON_##kind:                                   \
        for (; times != 0; times--) {                       \
            left = a == index ? result : first_left;        \
            right = number == index ? result : first_right; \
            result = value;                                 \
        }                                                   \
        break;                                              \
    case TF_THCON_##kind##_NUMBER:                          \
        for (; times != 0; times--) {                       \
            left = a == index ? result : first_left;        \
            right = number;                                 \
            result = value;                                 \
        }                                                   \
        break;
        TF_THCON_PAIRS(X)
#undef X
    default: tf_thcon_do(gpr, word, kind); return;
    }
    gpr[index] = result;
}

/*
 * Executes the rest of a MOP whose instructions are all equal. The expander executes an instruction that Auto TTSync
 * counts. Row `mop` of tilefarm bench pays for it.
 */
TF_ALWAYS_INLINE uint32_t pass_equal(void *of, struct tf_tensix_thread *thread, uint64_t deadline)
{
    const struct batch *batch = of;
    struct tf_mop *mop = &thread->mop;
    if (!tf_kind_is_scalar(mop->loop_kind) || tf_mop_equal(mop) <= (mop->resources != 0))
        return 0;
    uint32_t count = mop->remaining - (mop->resources != 0);
    if (count > deadline - thread->cycle)
        count = (uint32_t)(deadline - thread->cycle);
    repeat(batch->gpr, mop->loop, tf_kind_in_scalar(mop->loop_kind), count);
    for (uint32_t i = 0; batch->observed != NULL && i < count; i++)
        note(batch, thread->cycle + i, mop->loop, mop->pc);
    tf_mop_emit_equal(mop, count);
    tf_batch_passed(&thread->gate, mop->loop, mop->pc);
    thread->cycle += count;
    return count;
}

TF_ALWAYS_INLINE uint32_t pass_pushes(const struct batch *batch, struct tf_tensix_thread *thread, uint64_t deadline)
{
    const struct tf_fifo *fifo = &thread->fifo;
    const uint64_t cycle = thread->cycle;
    uint32_t left = tf_batch_arrived(fifo, cycle, deadline), done = 0, adjacent;
    const struct tf_push *head = &fifo->entry[fifo->first];
    for (; left != 0; left -= adjacent, head = fifo->entry) {
        /* This inner loop ends at the end of the FIFO's memory, which saves a test for each entry (row `thcon`). */
        adjacent = (uint32_t)(fifo->entry + TF_FIFO_ENTRIES - head);
        adjacent = tf_min(left, adjacent);
        const struct tf_push *const begin = head, *const end = head + adjacent;
        do {
            uint32_t word = head->word, kind = tf_push_uncounted_kind(head);
            if (__builtin_expect(tf_kind_in_scalar(kind) >= TF_THCON_KINDS, 0)) {
                if (kind != TF_KIND_UNKNOWN || !tf_kind_is_scalar((uint8_t)(kind = tf_kind_of(word))))
                    break;
            }
            tf_thcon_do(batch->gpr, word, tf_kind_in_scalar(kind));
            if (batch->observed != NULL)
                note(batch, tf_batch_passes_at(fifo, done + (uint32_t)(head - begin), cycle), word, head->pc);
        } while (++head != end);
        done += (uint32_t)(head - begin);
        if (head != end)
            break;
    }
    if (done != 0)
        tf_batch_passed_fifo(thread, done, tf_batch_passes_at(fifo, done - 1, cycle) + 1);
    return done;
}

/* Not inline, so that the loop's variables stay in registers: bench row `thcon` pays for it. */
static __attribute__((noinline)) uint32_t pass_pushes_untraced(uint32_t *gpr, struct tf_tensix_thread *thread,
                                                               uint64_t deadline)
{
    return pass_pushes(&(struct batch){.gpr = gpr, .observed = NULL}, thread, deadline);
}

TF_ALWAYS_INLINE uint32_t pass_fifo(void *of, struct tf_tensix_thread *thread, uint64_t limit, uint64_t deadline)
{
    const struct batch *batch = of;
    (void)limit; /* equals the deadline */
    return batch->observed == NULL ? pass_pushes_untraced(batch->gpr, thread, deadline)
                                   : pass_pushes(batch, thread, deadline);
}

TF_ALWAYS_INLINE bool run(struct tf_tensix *tensix, unsigned t, uint64_t deadline, const struct tf_tile *observed)
{
    static const struct tf_batch_unit unit = {one, play, pass_equal, pass_fifo};
    struct batch batch = {.gpr = tensix->thcon->gpr[t], .observed = observed, .thread = t};
    uint32_t done = tf_batch_pass(&unit, &batch, &tensix->thread[t], deadline, deadline);
    tensix->frontend->passed += done;
    return done != 0;
}

bool tf_gpr_only_run(const struct tf_tile *tile, unsigned t, uint64_t deadline)
{
    return run(tile->tensix, t, deadline, NULL);
}

bool tf_gpr_only_run_observed(const struct tf_tile *tile, unsigned t, uint64_t deadline)
{
    return run(tile->tensix, t, deadline, tile);
}
