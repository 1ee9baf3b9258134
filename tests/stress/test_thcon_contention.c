/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scalar unit's atomics against NOC atomics and stores of other threads of the host, on the same 16 bytes. Each is
 * one step, and nothing is lost ("atomic" in ATINCGET.md, ATINCGETPTR.md, ATSWAP.md, ATCAS.md).
 */
#include <pthread.h>
#include <sched.h>

#include "host/line.h"
#include "noc/atomic.h"
#include "tile/tensix/frontend/state.h"
#include "unit/tensix/units.h"

#ifdef TF_LINE_TOLD /* under ThreadSanitizer, which takes its time and sees races without many tries */
#define OPS 30000u
#else
#define OPS 500000u
#endif
#define POINTER_OPS 4000u /* of two that wait for each other */
#define LOCK_OPS (OPS / 8)
#define LINE 0x1000u
#define MARK 0xA5A50000u

struct contest {
    struct bare *bare;
    pthread_barrier_t start;
    bool done;            /* the coprocessor is */
    uint32_t count[2];    /* how often each of the others acted, until then */
    uint32_t protected;   /* changed by the holder of the lock */
    unsigned mistakes[2]; /* a wrong change, found by the coprocessor or by the first of the others */
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

#define INCREMENT(width) (0x1000u | ((width)-1) << 2)
#define COMPARE_SWAP(from, to) (0x4000u | (from) << 2 | (to) << 6)

static bool go_on(struct contest *contest)
{
    return !__atomic_load_n(&contest->done, __ATOMIC_ACQUIRE);
}

/* The coprocessor's side. It waits until the instruction has passed. */
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
    for (; go_on(contest); contest->count[0]++)
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
    assert_int_equal(look(contest, 0), MARK | ((3 * OPS + 5 * contest->count[0]) & 0xFFFF));
}

/* A swap of one word writes 16 bytes. It undoes neither an increment beside it nor a store. */
static void *swap_other(void *argument)
{
    struct contest *contest = argument;
    pthread_barrier_wait(&contest->start);
    while (go_on(contest)) {
        uint32_t count = ++contest->count[0];
        noc(contest, INCREMENT(32), 1, 0);
        __atomic_store_n(word_at(contest, 3), count, __ATOMIC_SEQ_CST);
        contest->mistakes[1] += look(contest, 3) != count;
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
    assert_int_equal(look(contest, 0), MARK + contest->count[0]);
    assert_int_equal(look(contest, 1), OPS);
    assert_int_equal(look(contest, 3), contest->count[0]);
}

/* The coprocessor pushes onto a FIFO of eight, which wraps at 16; another tile pops. */
static void *pointer_other(void *argument)
{
    struct contest *contest = argument;
    pthread_barrier_wait(&contest->start);
    while (contest->count[0] < POINTER_OPS) {
        if (look(contest, 0) == look(contest, 1)) {
            sched_yield();
            continue;
        }
        noc(contest, INCREMENT(4), 1, 0);
        contest->count[0]++;
    }
    return NULL;
}

static void pointer(struct contest *contest)
{
    for (unsigned i = 0; i < POINTER_OPS; i++) {
        thcon(contest, W(ATINCGETPTR) | V(ATINCGETPTR, addr_reg_index, 1) | V(ATINCGETPTR, data_reg_index, 2) |
                           V(ATINCGETPTR, sel_32b, 1) | V(ATINCGETPTR, wrap_val, 4));
        contest->mistakes[0] += gpr(contest->bare, 0)[2] != i % 16;
    }
}

static void pointer_check(struct contest *contest)
{
    assert_int_equal(look(contest, 0), POINTER_OPS % 16);
    assert_int_equal(look(contest, 1), POINTER_OPS % 16);
}

/* A lock. Its holder increments a counter without further protection. */
static void *lock_other(void *argument)
{
    struct contest *contest = argument;
    pthread_barrier_wait(&contest->start);
    while (go_on(contest)) {
        if (noc(contest, COMPARE_SWAP(0, 1), 0, 3) != 0)
            continue;
        contest->count[0]++;
        contest->protected ++;
        contest->mistakes[1] += noc(contest, COMPARE_SWAP(1, 0), 0, 3) != 1;
    }
    return NULL;
}

static void lock(struct contest *contest)
{
    const uint32_t cas = W(ATCAS) | V(ATCAS, addr_reg_index, 1) | V(ATCAS, sel_32b, 3);
    for (unsigned i = 0; i < LOCK_OPS; i++) {
        thcon(contest, cas | V(ATCAS, cmp_val, 0) | V(ATCAS, swap_val, 3));
        contest->protected ++;
        contest->mistakes[0] += look(contest, 3) != 3;
        __atomic_store_n(word_at(contest, 3), 0, __ATOMIC_RELEASE);
    }
}

static void lock_check(struct contest *contest)
{
    assert_int_equal(contest->protected, LOCK_OPS + contest->count[0]);
    assert_int_equal(look(contest, 3), 0);
}

/* Increments the third word of the line all the time. */
static void *bystander(void *argument)
{
    struct contest *contest = argument;
    pthread_barrier_wait(&contest->start);
    for (; go_on(contest); contest->count[1]++)
        noc(contest, INCREMENT(32), 1, 2);
    return NULL;
}

struct round {
    uint32_t first; /* word */
    void *(*other)(void *);
    void (*own)(struct contest *contest);
    void (*check)(struct contest *contest);
};

static void fight(const struct round *round)
{
    struct contest contest = {0};
    pthread_t thread[2];
    bare_setup((void **)&contest.bare);
    contest.bare->tile.mode.shared = true;
    gpr(contest.bare, 0)[1] = LINE / 16;
    *word_at(&contest, 0) = round->first;
    pthread_barrier_init(&contest.start, NULL, 3);
    assert_int_equal(pthread_create(&thread[0], NULL, round->other, &contest), 0);
    assert_int_equal(pthread_create(&thread[1], NULL, bystander, &contest), 0);
    pthread_barrier_wait(&contest.start);
    round->own(&contest);
    __atomic_store_n(&contest.done, true, __ATOMIC_RELEASE);
    for (unsigned i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&contest.start);
    assert_int_equal(contest.mistakes[0] | contest.mistakes[1], 0);
    assert_int_equal(contest.bare->tile.faults.count, 0);
    assert_int_equal(look(&contest, 2), contest.count[1]);
    round->check(&contest);
    bare_teardown((void **)&contest.bare);
}

static void test_atincget(void **state)
{
    (void)state;
    fight(&(struct round){MARK, incget_other, incget, incget_check});
}

static void test_atswap(void **state)
{
    (void)state;
    fight(&(struct round){MARK, swap_other, swap, swap_check});
}

static void test_atincgetptr(void **state)
{
    (void)state;
    fight(&(struct round){0, pointer_other, pointer, pointer_check});
}

static void test_atcas(void **state)
{
    (void)state;
    fight(&(struct round){MARK, lock_other, lock, lock_check});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_atincget),
        cmocka_unit_test(test_atswap),
        cmocka_unit_test(test_atincgetptr),
        cmocka_unit_test(test_atcas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
