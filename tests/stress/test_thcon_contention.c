/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scalar unit's atomics against NOC atomics and stores of other threads of the host, on the same 16 bytes: each is
 * one step, nothing is lost (ATINCGET.md, ATINCGETPTR.md, ATSWAP.md, ATCAS.md, "atomic").
 */
#include <pthread.h>
#include <sched.h>

#include "noc/atomic.h"
#include "unit/tensix/units.h"

#define OPS 20000u
#define LINE 0x1000u
#define MARK 0xA5A50000u

struct contest {
    struct bare *bare;
    pthread_barrier_t start;
    uint32_t turns;    /* changed by whoever has the token */
    unsigned mistakes; /* of a thread that finds what it has stored changed */
};

static uint32_t *word_at(struct contest *contest, unsigned index)
{
    return (uint32_t *)(void *)(contest->bare->tile.l1 + LINE) + index;
}

static uint32_t look(struct contest *contest, unsigned index)
{
    return __atomic_load_n(word_at(contest, index), __ATOMIC_ACQUIRE);
}

/* A NOC atomic of another tile; the answer is the word that was there. */
static uint32_t noc(struct contest *contest, uint32_t at_len_be, uint32_t data, unsigned index)
{
    struct tf_noc_atomic op;
    struct tf_noc_atomic_effect effect;
    tf_noc_atomic_decode(TF_ATOMICS_ISA, at_len_be | index, data, &op);
    return tf_noc_atomic_apply(&op, contest->bare->tile.l1, TF_L1_BYTES, LINE + 4 * index, true, &effect);
}

#define INCREMENT(width) (0x1000u | ((width) - 1) << 2)
#define COMPARE_SWAP(from, to) (0x4000u | (from) << 2 | (to) << 6)

static void increment(struct contest *contest, unsigned index)
{
    for (unsigned i = 0; i < OPS; i++)
        noc(contest, INCREMENT(32), 1, index);
}

/* The coprocessor's side: until the instruction has passed. */
static void thcon(struct contest *contest, uint32_t word)
{
    struct bare *bare = contest->bare;
    bare_push(bare, 0, word);
    for (;;) {
        bare_run(bare, 3);
        if (!bare->tile.tensix->thread[0].gate.full)
            return;
        sched_yield();
    }
}

/* Both add to one 16-bit counter; the other half of the word stays. */
static void *incget_other(void *argument)
{
    struct contest *contest = argument;
    pthread_barrier_wait(&contest->start);
    for (unsigned i = 0; i < OPS; i++)
        noc(contest, INCREMENT(16), 5, 0);
    return NULL;
}

static void incget(struct contest *contest)
{
    for (unsigned i = 0; i < OPS; i++) {
        gpr(contest->bare, 0)[2] = 3;
        thcon(contest, W(ATINCGET) | V(ATINCGET, addr_reg_index, 1) | V(ATINCGET, data_reg_index, 2) |
                           V(ATINCGET, wrap_val, 15));
    }
}

static void incget_check(struct contest *contest)
{
    assert_int_equal(look(contest, 0), MARK | ((8 * OPS) & 0xFFFF));
}

/* A swap of one word writes 16 bytes: neither an increment beside it nor a store is undone. */
static void *swap_other(void *argument)
{
    struct contest *contest = argument;
    pthread_barrier_wait(&contest->start);
    for (unsigned i = 1; i <= OPS; i++) {
        noc(contest, INCREMENT(32), 1, 0);
        __atomic_store_n(word_at(contest, 2), i, __ATOMIC_SEQ_CST);
        contest->mistakes += look(contest, 2) != i;
    }
    return NULL;
}

static void swap(struct contest *contest)
{
    for (unsigned i = 1; i <= OPS; i++) {
        gpr(contest->bare, 0)[5] = i;
        thcon(contest, W(ATSWAP) | V(ATSWAP, addr_reg_index, 1) | V(ATSWAP, data_reg_index, 5) |
                           V(ATSWAP, single_data_reg, 1) | V(ATSWAP, swap_mask, 0x0C));
    }
}

static void swap_check(struct contest *contest)
{
    assert_int_equal(look(contest, 0), MARK + OPS);
    assert_int_equal(look(contest, 1), OPS);
    assert_int_equal(look(contest, 2), OPS);
}

/* The coprocessor pushes onto a FIFO of eight, which wraps at 16; another tile pops, and counts in the third word. */
static void *pointer_other(void *argument)
{
    struct contest *contest = argument;
    pthread_barrier_wait(&contest->start);
    for (unsigned i = 0; i < OPS; i++) {
        while (look(contest, 0) == look(contest, 1))
            sched_yield();
        noc(contest, INCREMENT(4), 1, 0);
        noc(contest, INCREMENT(32), 1, 2);
    }
    return NULL;
}

static void pointer(struct contest *contest)
{
    for (unsigned i = 0; i < OPS; i++) {
        thcon(contest, W(ATINCGETPTR) | V(ATINCGETPTR, addr_reg_index, 1) | V(ATINCGETPTR, data_reg_index, 2) |
                           V(ATINCGETPTR, sel_32b, 1) | V(ATINCGETPTR, wrap_val, 4));
        contest->mistakes += (gpr(contest->bare, 0)[2] & 15) != i % 16;
    }
}

static void pointer_check(struct contest *contest)
{
    assert_int_equal(look(contest, 0), OPS % 16);
    assert_int_equal(look(contest, 1), OPS % 16);
    assert_int_equal(look(contest, 2), OPS);
}

/* A token: 0 is the coprocessor's, 1 the other's. Who has it counts, without more protection. */
static void *token_other(void *argument)
{
    struct contest *contest = argument;
    pthread_barrier_wait(&contest->start);
    for (unsigned i = 0; i < OPS; i++) {
        while (noc(contest, COMPARE_SWAP(1, 2), 0, 3) != 1)
            sched_yield();
        contest->turns++;
        contest->mistakes += noc(contest, COMPARE_SWAP(2, 0), 0, 3) != 2;
        noc(contest, INCREMENT(32), 1, 0);
    }
    return NULL;
}

static void token(struct contest *contest)
{
    const uint32_t cas = W(ATCAS) | V(ATCAS, addr_reg_index, 1) | V(ATCAS, sel_32b, 3);
    for (unsigned i = 0; i < OPS; i++) {
        thcon(contest, cas | V(ATCAS, cmp_val, 0) | V(ATCAS, swap_val, 3));
        contest->turns++;
        thcon(contest, cas | V(ATCAS, cmp_val, 3) | V(ATCAS, swap_val, 1));
    }
}

static void token_check(struct contest *contest)
{
    assert_int_equal(contest->turns, 2 * OPS);
    assert_int_equal(look(contest, 3), 0);
    assert_int_equal(look(contest, 0), MARK + OPS);
}

static void *bystander(void *argument)
{
    pthread_barrier_wait(&((struct contest *)argument)->start);
    increment(argument, 2);
    return NULL;
}

struct round {
    uint32_t first; /* word */
    unsigned others;
    void *(*other[2])(void *);
    void (*own)(struct contest *contest);
    void (*check)(struct contest *contest);
};

static void fight(const struct round *round)
{
    struct contest contest = {0};
    pthread_t thread[2];
    bare_setup((void **)&contest.bare);
    contest.bare->tile.shared = true;
    gpr(contest.bare, 0)[1] = LINE / 16;
    *word_at(&contest, 0) = round->first;
    pthread_barrier_init(&contest.start, NULL, round->others + 1);
    for (unsigned i = 0; i < round->others; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, round->other[i], &contest), 0);
    pthread_barrier_wait(&contest.start);
    round->own(&contest);
    for (unsigned i = 0; i < round->others; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&contest.start);
    assert_int_equal(contest.mistakes, 0);
    assert_int_equal(contest.bare->tile.faults.count, 0);
    round->check(&contest);
    bare_teardown((void **)&contest.bare);
}

static void test_atincget(void **state)
{
    (void)state;
    fight(&(struct round){MARK, 2, {incget_other, bystander}, incget, incget_check});
}

static void test_atswap(void **state)
{
    (void)state;
    fight(&(struct round){MARK, 1, {swap_other}, swap, swap_check});
}

static void test_atincgetptr(void **state)
{
    (void)state;
    fight(&(struct round){0, 1, {pointer_other}, pointer, pointer_check});
}

static void test_atcas(void **state)
{
    (void)state;
    fight(&(struct round){MARK, 2, {token_other, bystander}, token, token_check});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_atincget), cmocka_unit_test(test_atswap), cmocka_unit_test(test_atincgetptr),
        cmocka_unit_test(test_atcas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
