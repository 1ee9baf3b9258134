/* SPDX-License-Identifier: Apache-2.0 */
/* The sync unit: SEMINIT.md, SEMPOST.md, SEMGET.md, ATGETM.md, ATRELM.md, SyncUnit.md. */
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/issue/run.h"
#include "tile/tensix/whole/window.h"
#include "unit/tensix/logged.h"
#include "tilefarm_address.h"

static void run_words(struct bare *bare, unsigned thread, const uint32_t *word, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        bare_push(bare, thread, word[i]);
    bare_run(bare, 100);
}

#define RUN(thread, ...) \
    run_words(bare, thread, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define INIT(mask, value, max) \
    (W(SEMINIT) | V(SEMINIT, sem_sel, mask) | V(SEMINIT, init_value, value) | V(SEMINIT, max_value, max))
#define POST(mask) (W(SEMPOST) | V(SEMPOST, sem_sel, mask))
#define GET(mask) (W(SEMGET) | V(SEMGET, sem_sel, mask))
#define LOCK(index) (W(ATGETM) | (index))
#define FREE(index) (W(ATRELM) | (index))

static void test_seminit(void **state)
{
    struct bare *bare = *state;
    const struct tf_sync *sync = bare->tile.tensix->sync;
    RUN(1, INIT(0xFF, 3, 12), INIT(0x81, 15, 7));
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(sync->value[i], i == 0 || i == 7 ? 15 : 3);
        assert_int_equal(sync->max[i], i == 0 || i == 7 ? 7 : 12);
    }
    RUN(2, INIT(0, 1, 1));
    assert_int_equal(sync->value[0], 15);
}

/* Posts stop at 15, for any maximum. Gets stop at 0. Each acts on all selected semaphores. */
static void test_post_get(void **state)
{
    struct bare *bare = *state;
    const struct tf_sync *sync = bare->tile.tensix->sync;
    RUN(0, INIT(0x0F, 0, 2), INIT(0x02, 14, 2));
    RUN(0, POST(0x03), POST(0x03), POST(0x03));
    assert_int_equal(sync->value[0], 3);
    assert_int_equal(sync->value[1], 15);
    assert_int_equal(sync->value[2], 0);
    assert_int_equal(sync->max[0], 2);
    RUN(1, GET(0x07), GET(0x05), GET(0x05), GET(0x01));
    assert_int_equal(sync->value[0], 0);
    assert_int_equal(sync->value[1], 14);
    assert_int_equal(sync->value[2], 0);
}

static void test_window(void **state)
{
    struct bare *bare = *state;
    const struct tf_sync *sync = bare->tile.tensix->sync;
    for (unsigned core = TF_CORE_T0; core <= TF_CORE_T2; core++)
        for (unsigned i = 0; i < 8; i++) {
            uint32_t address = TF_SEMAPHORE_BASE + 4 * i, value;
            bool pure = false;
            assert_int_equal(tf_tensix_store(&bare->tile, core, address, 0xFFFFFFFE), TF_ACCESS_OK);
            assert_int_equal(tf_tensix_store(&bare->tile, core, address, 0), TF_ACCESS_OK);
            assert_int_equal(tf_tensix_load(&bare->tile, core, address, &value, &pure), TF_ACCESS_OK);
            assert_true(pure);
            assert_int_equal(value, 2);
            assert_int_equal(sync->value[i], 2);
            for (unsigned down = 2; down-- > 0;) {
                assert_int_equal(tf_tensix_store(&bare->tile, core, address, 0x80000001), TF_ACCESS_OK);
                assert_int_equal(sync->value[i], down);
            }
            assert_int_equal(tf_tensix_store(&bare->tile, core, address, 1), TF_ACCESS_OK);
            assert_int_equal(sync->value[i], 0);
            for (unsigned up = 0; up < 20; up++)
                assert_int_equal(tf_tensix_store(&bare->tile, core, address, 0), TF_ACCESS_OK);
            assert_int_equal(sync->value[i], 15);
            for (unsigned down = 0; down < 15; down++)
                assert_int_equal(tf_tensix_store(&bare->tile, core, address, 1), TF_ACCESS_OK);
        }
    uint32_t value;
    bool pure;
    assert_int_equal(tf_tensix_load(&bare->tile, TF_CORE_B, TF_SEMAPHORE_BASE, &value, &pure), TF_ACCESS_FAULT);
    assert_int_equal(tf_tensix_load(&bare->tile, TF_CORE_T0, TF_PC_BUF_BASE + 0x40, &value, &pure), TF_ACCESS_FAULT);
    assert_int_equal(tf_tensix_store(&bare->tile, TF_CORE_T0, TF_PC_BUF_BASE + 0xFFFC, 0), TF_ACCESS_FAULT);
}

/* A T core's store ends a thread's wait, and a thread's post is what a T core reads. */
static void test_core_and_thread(void **state)
{
    struct bare *bare = *state;
    uint32_t value;
    bool pure;
    RUN(0, W(SEMWAIT) | V(SEMWAIT, sem_sel, 2) | V(SEMWAIT, wait_sem_cond, 1) | V(SEMWAIT, stall_res, 2), POST(4));
    tf_tensix_load(&bare->tile, TF_CORE_T1, TF_SEMAPHORE_BASE + 4 * 2, &value, &pure);
    assert_int_equal(value, 0);
    tf_tensix_store(&bare->tile, TF_CORE_T1, TF_SEMAPHORE_BASE + 4 * 1, 0);
    bare_run(bare, 10);
    tf_tensix_load(&bare->tile, TF_CORE_T1, TF_SEMAPHORE_BASE + 4 * 2, &value, &pure);
    assert_int_equal(value, 1);
}

static void test_mutex(void **state)
{
    struct bare *bare = *state;
    static const uint32_t index[] = {0, 2, 3, 4};
    for (unsigned i = 0; i < 4; i++) {
        RUN(1, LOCK(index[i]));
        assert_int_equal(bare->tile.tensix->sync->holder[index[i]], 2);
        RUN(1, LOCK(index[i])); /* once more by the holder */
        RUN(2, LOCK(index[i]), MARK(1));
        RUN(0, FREE(index[i])); /* by another: completes, changes nothing */
        assert_true(tf_tensix_thread_idle(&bare->tile, 0, UINT64_MAX));
        assert_int_equal(bare->tile.tensix->sync->holder[index[i]], 2);
        assert_int_equal(logged.count, i);
        assert_true(tf_tensix_waiting(&bare->tile));
        RUN(1, FREE(index[i]));
        assert_int_equal(bare->tile.tensix->sync->holder[index[i]], 3);
        assert_int_equal(logged.count, i + 1);
        RUN(2, FREE(index[i]));
        assert_int_equal(bare->tile.tensix->sync->holder[index[i]], 0);
    }
}

static void test_no_mutex(void **state)
{
    (void)state;
    static const uint32_t index[] = {1, 5, 6, 7, 0xFFFF, 0x100};
    for (unsigned i = 0; i < 12; i++) {
        struct bare *bare;
        bare_setup((void **)&bare);
        RUN(1, (i & 1 ? W(ATGETM) : W(ATRELM)) | index[i / 2], POST(1));
        assert_int_equal(bare->tile.faults.count, 1);
        assert_int_equal(bare->tile.faults.entry[0].core, TF_CORE_T1);
        assert_int_equal(bare->tile.tensix->sync->value[0], 0);
        bare_teardown((void **)&bare);
    }
}

/* Both other threads wait: thread (i + 1) % 3 is next (ATRELM.md). Each of them asks again, so all have their turns. */
static void test_mutex_fairness(void **state)
{
    struct bare *bare = *state;
    for (unsigned first = 0; first < 3; first++) {
        logged.count = 0;
        RUN(first, LOCK(3));
        for (unsigned round = 0; round < 4; round++)
            for (unsigned thread = 0; thread < 3; thread++) {
                if (thread != first || round != 0)
                    bare_push(bare, thread, LOCK(3));
                bare_push(bare, thread, MARK(thread));
                if (thread != first || round != 0)
                    bare_push(bare, thread, FREE(3));
            }
        bare_run(bare, 20);
        RUN(first, FREE(3));
        bare_run(bare, 100);
        assert_int_equal(logged.count, 12);
        for (unsigned thread = 0; thread < 3; thread++)
            assert_true(tf_tensix_thread_idle(&bare->tile, thread, UINT64_MAX));
    }
}

static void test_mutex_round_robin(void **state)
{
    struct bare *bare = *state;
    for (unsigned first = 0; first < 3; first++) {
        unsigned next = (first + 1) % 3, last = (first + 2) % 3;
        logged.count = 0;
        RUN(first, LOCK(2));
        RUN(last, LOCK(2), MARK(last), FREE(2)); /* waits longest, and still comes after */
        RUN(next, LOCK(2), MARK(next), FREE(2));
        RUN(first, FREE(2));
        assert_int_equal(logged.count, 2);
        assert_int_equal(logged.word[0], MARK(next));
        assert_int_equal(logged.word[1], MARK(last));
    }
}

/* A thread that also waits for something else does not wait for the mutex. */
static void test_mutex_grant_skips_blocked(void **state)
{
    struct bare *bare = *state;
    RUN(0, LOCK(2));
    RUN(1, W(SEMWAIT) | V(SEMWAIT, sem_sel, 1) | V(SEMWAIT, wait_sem_cond, 1) | V(SEMWAIT, stall_res, 2), LOCK(2));
    RUN(2, LOCK(2));
    RUN(0, FREE(2));
    assert_int_equal(bare->tile.tensix->sync->holder[2], 3);
}

/* Both other threads wait for another mutex. That mutex is not granted, and this one becomes free. */
static void test_mutex_grant_is_of_its_own(void **state)
{
    struct bare *bare = *state;
    RUN(0, LOCK(2), LOCK(3));
    RUN(1, LOCK(3));
    RUN(2, LOCK(3));
    RUN(0, FREE(2));
    assert_int_equal(bare->tile.tensix->sync->holder[2], 0);
    assert_int_equal(bare->tile.tensix->sync->holder[3], 1);
}

/* Lock-step of three threads through semaphores, thousands of times: no hand-over is lost. */
static void test_ring(void **state)
{
    struct bare *bare = *state;
    RUN(0, INIT(0x01, 1, 1));
    unsigned rounds = 4000, pushed[3] = {0};
    for (unsigned slice = 0; slice < 100000 && logged.count < 3 * rounds; slice++) {
        for (unsigned t = 0; t < 3; t++)
            for (; pushed[t] < rounds * 4; pushed[t]++) {
                uint32_t wait = W(SEMWAIT) | V(SEMWAIT, sem_sel, 1 << t) | V(SEMWAIT, wait_sem_cond, 1) |
                                V(SEMWAIT, stall_res, 0x1FF);
                const uint32_t words[4] = {wait, GET(1 << t), MARK(t), POST(1 << (t + 1) % 3)};
                if (tf_tensix_push(&bare->tile, t, words[pushed[t] % 4], false, TF_CORE_T0 + t, 0) != TF_ACCESS_OK)
                    break;
            }
        bare_run(bare, 37);
    }
    assert_int_equal(logged.count, 3 * rounds);
    for (unsigned i = 0; i < logged.count; i++)
        assert_int_equal(logged.word[i], MARK(i % 3));
}

#define T(test) cmocka_unit_test_setup_teardown(test, logged_setup, bare_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_seminit),
        T(test_post_get),
        T(test_window),
        T(test_core_and_thread),
        T(test_mutex),
        cmocka_unit_test(test_no_mutex),
        T(test_mutex_fairness),
        T(test_mutex_round_robin),
        T(test_mutex_grant_skips_blocked),
        T(test_mutex_grant_is_of_its_own),
        T(test_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
