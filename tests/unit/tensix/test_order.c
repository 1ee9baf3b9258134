/* SPDX-License-Identifier: Apache-2.0 */
/* Order inside a tile: T0, T1, T2 in each cycle, for any cut of time into turns; and when a tile has to wait. */
#include "tile/tensix/asleep.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/issue/run.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/frontend/kind.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/thcon.h"
#include "unit/tensix/logged.h"

#define EVENTS 80u
#define CYCLES 3000u

struct event {
    uint64_t cycle;
    uint8_t thread;
    bool from_b;
    uint32_t word;
};

static struct event event[EVENTS];
static uint32_t mop_config[3][TF_MOP_CFG_WORDS];
static uint32_t delay;

static uint32_t any_word(void)
{
    uint32_t mask = 1u << bare_random() % 4, index = (uint32_t[]){0, 2, 3, 4}[bare_random() % 4];
    switch (bare_random() % 18) {
    case 16: return W(FLUSHDMA) | (bare_random() & 15);
    case 17: /* it rarely waits: no actor changes L1 here, and all scalar instructions wait with it */
        return W(ATCAS) | V(ATCAS, cmp_val, bare_random() % 8 == 0);
    case 0: return W(SEMINIT) | mask << 2 | (bare_random() % 3) << 16 | (bare_random() % 4) << 20;
    case 1:
    case 2: return W(SEMPOST) | mask << 2;
    case 3: return W(SEMGET) | mask << 2;
    case 4: return W(SEMWAIT) | mask << 2 | (1 + bare_random() % 2) | (bare_random() & 0x1FF) << 15;
    case 5: return W(STALLWAIT) | (bare_random() & 0x1E1F) | (bare_random() & 0x1FF) << 15;
    case 6: return W(ATGETM) | index;
    case 7:
    case 8: return W(ATRELM) | index;
    case 9:
    case 10: return W(ADDDMAREG) | (bare_random() & 0x3FFFF);
    case 11: return W(NOP);
    case 12: return W(WRCFG);
    case 13: return W(SFPNOP);
    default: return MARK(bare_random() & 0x3FFFF);
    }
}

static uint32_t any_pushed_word(bool from_b)
{
    switch (bare_random() % 8) {
    case 0: return from_b ? W(NOP) : W(MOP) | (bare_random() & 0x8FFFFF);
    case 1: return W(REPLAY) | V(REPLAY, len, bare_random() % 33) | V(REPLAY, start_idx, bare_random() % 32);
    case 2:
        return from_b ? W(NOP)
                      : W(REPLAY) | V(REPLAY, len, 1 + bare_random() % 6) | V(REPLAY, start_idx, bare_random() % 32) |
                            1 | (bare_random() & 2);
    default: return any_word();
    }
}

/* A core pushes at most once a cycle; B and a T core may push in one cycle. */
static void make_events(void)
{
    unsigned count[3][2] = {{0}};
    uint64_t cycle = 0, free[3][2] = {{0}};
    for (unsigned i = 0; i < EVENTS;) {
        unsigned thread = bare_random() % 3;
        bool from_b = bare_random() % 8 == 0;
        if (count[thread][from_b]++ >= (from_b ? 8 : 28)) /* as the chip's FIFOs hold */
            continue;
        cycle += bare_random() % 12;
        cycle = cycle < free[thread][from_b] ? free[thread][from_b] : cycle;
        free[thread][from_b] = cycle + 1;
        event[i++] = (struct event){cycle, (uint8_t)thread, from_b, any_pushed_word(from_b)};
    }
    for (unsigned t = 0; t < 3; t++) {
        for (unsigned i = 0; i < TF_MOP_CFG_WORDS; i++)
            mop_config[t][i] = any_word();
        mop_config[t][0] = bare_random() % 6;
        mop_config[t][1] = bare_random() % 6;
    }
    delay = bare_random() % 2 ? bare_random() % 60 : 0;
}

/* Run the events in turns of `step` cycles (0: of random length); returns the hash. */
static uint64_t run(unsigned step)
{
    struct bare *bare;
    bare_setup((void **)&bare);
    logged.count = 0;
    tf_tensix_delay(&bare->tile, delay);
    for (unsigned t = 0; t < 3; t++) {
        memcpy(bare->tile.tensix->thread[t].mop.config, mop_config[t], sizeof mop_config[t]);
        for (unsigned i = 0; i < TF_REPLAY_ENTRIES; i++)
            bare->tile.tensix->thread[t].replay.buffer[i] = MARK(i);
    }
    for (uint64_t cycle = 0, next = 0; cycle < CYCLES;) {
        uint64_t end = cycle + (step != 0 ? step : 1 + bare_random() % 300);
        if (end > CYCLES)
            end = CYCLES;
        for (; next < EVENTS && event[next].cycle < end; next++) {
            bare->tile.cycle = event[next].cycle;
            bare_push_at(bare, event[next].thread, event[next].word, event[next].from_b, (uint32_t)next);
        }
        bare->tile.cycle = end;
        bare_turn(bare, end);
        cycle = end;
    }
    uint64_t hash = bare_hash(bare);
    bare_teardown((void **)&bare);
    return hash;
}

/* The log, without the instructions whose order is free. */
static unsigned keep_ordered(uint32_t *word, uint8_t *thread)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < logged.count; i++)
        if (!tf_kind_is_scalar(tf_kind_of(logged.word[i]))) {
            word[kept] = logged.word[i];
            thread[kept++] = logged.thread[i];
        }
    return kept;
}

/* Turns of one cycle are the definition. Every other cut gives equal results. */
static void test_turns_do_not_matter(void **state)
{
    (void)state;
    static uint32_t word[2][LOGGED_MAX];
    static uint8_t thread[2][LOGGED_MAX];
    bare_seed();
    for (unsigned round = 0; round < 400; round++) {
        make_events();
        uint64_t expected = run(1);
        unsigned count = keep_ordered(word[0], thread[0]);
        static const unsigned steps[] = {CYCLES, 0, 64, 7};
        for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++) {
            uint64_t hash = run(steps[i]);
            assert_int_equal(keep_ordered(word[1], thread[1]), count);
            for (unsigned n = 0; n < count; n++)
                if (word[0][n] != word[1][n] || thread[0][n] != thread[1][n])
                    fail_msg("round %u, step %u: order differs at %u", round, steps[i], n);
            if (hash != expected)
                fail_msg("round %u, step %u: state differs", round, steps[i]);
        }
    }
}

/* tf_tensix_waiting() is exact: if it is true, turns change nothing; if it is false, something happens. */
static void test_waiting_is_exact(void **state)
{
    (void)state;
    bare_seed();
    for (unsigned round = 0; round < 300; round++) {
        struct bare *bare;
        bare_setup((void **)&bare);
        logged.count = 0;
        tf_tensix_delay(&bare->tile, round % 3 == 0 ? 20 : 0);
        bool waited = false;
        for (unsigned slice = 0; slice < 40; slice++) {
            for (unsigned i = bare_random() % 6; i-- > 0;) {
                bare->tile.cycle += 1;
                tf_tensix_push(&bare->tile, bare_random() % 3, any_word(), false, TF_CORE_T0, 0);
            }
            bare_run(bare, 1 + bare_random() % 50);
            bool waiting = tf_tensix_waiting(&bare->tile);
            waited |= waiting;
            uint64_t passed = bare->tile.tensix->frontend->passed;
            uint64_t before = bare_hash(bare);
            assert_int_equal(bare_hash(bare), before); /* the call changes nothing */
            bare->tile.asleep_until += tf_tensix_asleep(&bare->tile) ? 1000 : 0;
            for (unsigned t = 0; t < 3; t++)
                bare->tile.tensix->thread[t].cycle += 1000;
            uint64_t hash = bare_hash(bare);
            for (unsigned t = 0; t < 3; t++)
                bare->tile.tensix->thread[t].cycle -= 1000;
            bare->tile.asleep_until -= tf_tensix_asleep(&bare->tile) ? 1000 : 0;
            bare_run(bare, 1000);
            if (waiting) {
                assert_int_equal(bare->tile.tensix->frontend->passed, passed);
                assert_int_equal(bare_hash(bare), hash);
            } else {
                assert_true(bare->tile.tensix->frontend->passed != passed || bare_hash(bare) != hash || delay != 0 ||
                            bare->tile.tensix->delay_cycles != 0);
            }
        }
        assert_true(waited);
        bare_teardown((void **)&bare);
    }
}

/*
 * In one cycle T0 comes before T1, and T1 before T2. T2 sees a post of T0 in the same cycle; T0 sees one of T2 a cycle
 * later.
 */
static void test_same_cycle(void **state)
{
    (void)state;
    for (unsigned poster = 0; poster < 3; poster++)
        for (unsigned waiter = 0; waiter < 3; waiter++) {
            if (poster == waiter)
                continue;
            struct bare *bare;
            bare_setup((void **)&bare);
            logged.count = 0;
            bare_push(bare, waiter, W(SEMWAIT) | 1 << 2 | 1 | 0x1FFu << 15);
            bare_push(bare, waiter, MARK(1));
            bare->tile.cycle = 10;
            bare_push(bare, poster, W(SEMPOST) | 1 << 2);
            bare_run(bare, 50);
            assert_int_equal(logged.count, 1);
            assert_int_equal(logged.cycle[0], waiter > poster ? 10 : 11);
            bare_teardown((void **)&bare);
        }
}

static void test_catch_up(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, W(SEMWAIT) | 1 << 2 | 1 | 0x1FFu << 15);
    bare_push(bare, 0, MARK(1));
    bare_run(bare, 10);
    assert_true(tf_tensix_waiting(&bare->tile));
    uint64_t hash = bare_hash(bare);
    bare_run(bare, 90);
    uint64_t turned = bare_hash(bare);
    for (unsigned t = 0; t < 3; t++)
        bare->tile.tensix->thread[t].cycle = 10;
    assert_int_equal(bare_hash(bare), hash);
    tf_tensix_catch_up(&bare->tile, 100);
    assert_int_equal(bare_hash(bare), turned);
}

/* The hash covers every part of the state. */
static void test_hash(void **state)
{
    struct bare *bare = *state;
    struct tf_tensix *tensix = bare->tile.tensix;
    uint64_t seen[40];
    unsigned count = 0;
    seen[count++] = bare_hash(bare);
#define CHANGE(what)                     \
    do {                                 \
        (what)++;                        \
        seen[count++] = bare_hash(bare); \
    } while (0)
    CHANGE(tensix->thread[0].mop.config[8]);
    CHANGE(tensix->thread[1].mop.mask_high);
    CHANGE(tensix->thread[1].mop.remaining);
    CHANGE(tensix->thread[1].mop.inner);
    CHANGE(tensix->thread[2].replay.buffer[31]);
    CHANGE(tensix->thread[2].replay.record_left);
    CHANGE(tensix->thread[0].gate.wait.opcode);
    CHANGE(tensix->thread[0].gate.wait.target);
    CHANGE(tensix->thread[0].cycle);
    CHANGE(tensix->ttsync[0].declared[15]);
    CHANGE(tensix->sync->value[7]);
    CHANGE(tensix->sync->max[7]);
    CHANGE(tensix->sync->holder[4]);
    CHANGE(tensix->src->matrix_bank[1]);
    CHANGE(tensix->config->bank[1][223]);
    CHANGE(tensix->config->thread[2][67]);
    CHANGE(tensix->thcon->gpr[2][63]);
    CHANGE(tensix->busy->until[8][2]);
    CHANGE(tensix->frontend->scalar_holder);
    CHANGE(tensix->rwc[2].fidelity);
    CHANGE(tensix->adcs->of[2][2].channel[1].cr[3]);
    bare_push(bare, 0, MARK(1));
    seen[count++] = bare_hash(bare);
    bare_push_b(bare, 0, MARK(1));
    seen[count++] = bare_hash(bare);
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < i; j++)
            if (seen[i] == seen[j])
                fail_msg("the hash misses change %u", i);
    CHANGE(tensix->frontend->passed);
    CHANGE(tensix->events);
    assert_int_equal(seen[count - 1], seen[count - 3]); /* host figures are no part of it */
}

#define T(test) cmocka_unit_test_setup_teardown(test, logged_setup, bare_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns_do_not_matter),
        cmocka_unit_test(test_waiting_is_exact),
        cmocka_unit_test(test_same_cycle),
        T(test_catch_up),
        T(test_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
