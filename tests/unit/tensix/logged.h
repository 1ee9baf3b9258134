/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A dispatch table for the test program that includes it. All units but the sync unit only note what they execute:
 * thread, word and cycle. Instructions that alu.h executes, without the table, mostly are not noted.
 */
#ifndef TESTS_UNIT_TENSIX_LOGGED_H
#define TESTS_UNIT_TENSIX_LOGGED_H

#include "tile/tensix/frontend/dispatch.h"
#include "unit/tensix/bare.h"

#define LOGGED_MAX 40000u

static struct {
    unsigned count;
    uint8_t thread[LOGGED_MAX];
    uint32_t word[LOGGED_MAX];
    uint64_t cycle[LOGGED_MAX];
} logged;

static void log_word(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    assert_true(logged.count < LOGGED_MAX);
    logged.thread[logged.count] = (uint8_t)thread;
    logged.word[logged.count] = word;
    logged.cycle[logged.count] = tile->cycle;
    logged.count++;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
#ifdef __clang__
#pragma clang diagnostic ignored "-Winitializer-overrides"
#endif
tf_tensix_execute *const tf_tensix_dispatch[256] = {
    [0 ... 255] = log_word,
    [TF_OP_MOP] = NULL,
    [TF_OP_MOP_CFG] = NULL,
    [TF_OP_REPLAY] = NULL,
    [TF_OP_RESOURCEDECL] = NULL,
    [TF_OP_ATGETM] = tf_exec_ATGETM,
    [TF_OP_ATRELM] = tf_exec_ATRELM,
    [TF_OP_STALLWAIT] = tf_exec_STALLWAIT,
    [TF_OP_SEMINIT] = tf_exec_SEMINIT,
    [TF_OP_SEMPOST] = tf_exec_SEMPOST,
    [TF_OP_SEMGET] = tf_exec_SEMGET,
    [TF_OP_SEMWAIT] = tf_exec_SEMWAIT,
    [TF_OP_STREAMWAIT] = tf_exec_STREAMWAIT,
};
#pragma GCC diagnostic pop

/* A harmless instruction that can be told from others: n is below 2^18. */
#define MARK(n) (W(STOREREG) | (uint32_t)(n))

static int logged_setup(void **state)
{
    logged.count = 0;
    return bare_setup(state);
}

/* The log from `first` on is exactly this. */
static void __attribute__((unused)) assert_log(unsigned first, const uint32_t *word, unsigned count)
{
    assert_int_equal(logged.count - first, count);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(logged.word[first + i], word[i]);
}

#endif
