/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two coprocessors for tests of batches. One executes batches. The other one is traced, so it executes one instruction
 * after another.
 */
#ifndef TESTS_UNIT_TENSIX_BATCH_PAIR_H
#define TESTS_UNIT_TENSIX_BATCH_PAIR_H

#include "tile/tensix/frontend/frontend.h"
#include "tile/tensix/frontend/kind.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/issue/run.h"
#include "unit/tensix/vector_words.h"

#define PC 0x6000u

/* Two coprocessors with the same state, to which the same happens. */
struct pair {
    struct bare *in_rows, *one_by_one;
};

static inline uint32_t expanding_word(void)
{
    uint32_t play = W(REPLAY) | V(REPLAY, start_idx, bare_random() % TF_REPLAY_ENTRIES) |
                    V(REPLAY, len, bare_random() % (TF_REPLAY_ENTRIES + !one_in(16)));
    switch (bare_random() % 8) {
    case 0:
    case 1:
    case 2:
        return W(MOP) | V(MOP, mop_type, bare_random() % 2) | V(MOP, loop_count, bare_random() % 24) |
               (bare_random() & 0xFFFF);
    case 3: return W(MOP_CFG) | (bare_random() & 0xFFFF);
    case 4: /* records what follows */
        return W(REPLAY) | V(REPLAY, start_idx, bare_random() % TF_REPLAY_ENTRIES) |
               V(REPLAY, len, 1 + bare_random() % 12) | V(REPLAY, load_mode, 1) |
               V(REPLAY, execute_while_loading, bare_random() % 2);
    default: return play;
    }
}

/* As interp.c does it, with the kind known or not. */
static inline enum tf_access push_in_short_form(struct tf_tile *tile, unsigned t, uint32_t word)
{
    struct tf_fifo *fifo = tf_tensix_push_open(tile, TF_CORE_T0 + t);
    uint8_t kind = bare_random() & 1 ? tf_kind_of(word) : TF_KIND_UNKNOWN;
    if (fifo == NULL)
        return tf_tensix_push(tile, t, word, false, TF_CORE_T0 + t, PC);
    tf_push_set(tf_fifo_room(fifo), word, kind, tile->cycle, (uint64_t)PC << 32);
    fifo->count++;
    return TF_ACCESS_OK;
}

/* A thread's pushes from cycle `cycle` on, for some cycles, at most one in each. A push to a full FIFO is left out. */
static inline void push_some(const struct pair *pair, unsigned t, uint64_t cycle, uint64_t end,
                             uint32_t (*any_word)(void))
{
    bool sparse = one_in(4);
    for (; cycle < end && !one_in(40); cycle += sparse ? 1 + bare_random() % 8 : 1u + one_in(8)) {
        uint32_t word = one_in(12) ? expanding_word() : any_word();
        bool from_b = one_in(200);
        pair->in_rows->tile.cycle = pair->one_by_one->tile.cycle = cycle;
        enum tf_access access = from_b ? tf_tensix_push(&pair->in_rows->tile, t, word, true, TF_CORE_B, PC)
                                       : push_in_short_form(&pair->in_rows->tile, t, word);
        assert_int_equal(tf_tensix_push(&pair->one_by_one->tile, t, word, from_b, from_b ? TF_CORE_B : TF_CORE_T0 + t,
                                        PC),
                         access);
    }
}

/* In one turn, and in turns of a few cycles, or in one too. */
static inline void run_both(const struct pair *pair, uint64_t cycle, uint64_t end, bool in_one_turn)
{
    pair->in_rows->tile.cycle = end;
    tf_tensix_turn(&pair->in_rows->tile, end);
    while (cycle < end) {
        cycle += 1 + bare_random() % 8;
        cycle = cycle < end && !in_one_turn ? cycle : end;
        pair->one_by_one->tile.cycle = cycle;
        tf_tensix_turn(&pair->one_by_one->tile, cycle);
    }
}

/* The same faults; thereafter their threads go on. */
static inline unsigned compare_faults(const struct pair *pair)
{
    struct tf_fault_log *log = &pair->in_rows->tile.faults, *other = &pair->one_by_one->tile.faults;
    unsigned count = log->count;
    assert_int_equal(count, other->count);
    for (unsigned i = 0; i < count && i < TF_TILE_FAULTS_MAX; i++) {
        assert_string_equal(log->entry[i].text, other->entry[i].text);
        assert_int_equal(log->entry[i].cycle, other->entry[i].cycle);
        assert_int_equal(log->entry[i].pc, other->entry[i].pc);
        assert_int_equal(log->entry[i].instruction, other->entry[i].instruction);
    }
    log->count = other->count = 0;
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        struct tf_tensix_thread *thread[] = {&pair->in_rows->tile.tensix->thread[t],
                                             &pair->one_by_one->tile.tensix->thread[t]};
        for (unsigned i = 0; i < 2 && thread[i]->faulted; i++)
            thread[i]->faulted = thread[i]->gate.full = false;
    }
    return count;
}

/* Run a test once with each kind of vectors: its state points to the kind. */
static inline int with_all_vectors(CMUnitTestFunction test)
{
    static enum tf_vectors kind[] = {TF_VECTORS_PORTABLE, TF_VECTORS_AVX2, TF_VECTORS_AVX512};
    const struct CMUnitTest tests[] = {
        {.name = "portable", .test_func = test, .initial_state = &kind[0]},
        {.name = "avx2", .test_func = test, .initial_state = &kind[1]},
        {.name = "avx512", .test_func = test, .initial_state = &kind[2]},
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
