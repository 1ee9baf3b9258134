/* SPDX-License-Identifier: Apache-2.0 */
/* FIFOs, back-pressure, B's door, MOP and replay expanders: which instructions leave the frontend, and when. */
#include "tile/tensix/frontend/status.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/issue/run.h"
#include "tile/tensix/whole/window.h"
#include "unit/tensix/logged.h"
#include "unless_hostile.h"
#include "tilefarm_address.h"

#define BLOCK_FOREVER \
    (W(SEMWAIT) | V(SEMWAIT, wait_sem_cond, 1) | V(SEMWAIT, sem_sel, 1) | V(SEMWAIT, stall_res, 0x1FF))
#define RECORD(index, count, tee)                                                                          \
    (W(REPLAY) | V(REPLAY, load_mode, 1) | V(REPLAY, execute_while_loading, tee) | V(REPLAY, len, count) | \
     V(REPLAY, start_idx, index))
#define PLAY(index, count) (W(REPLAY) | V(REPLAY, len, count) | V(REPLAY, start_idx, index))
#define NOP 0x02000000u

static enum tf_access push(struct bare *bare, unsigned thread, uint32_t word)
{
    return tf_tensix_push(&bare->tile, thread, word, false, TF_CORE_T0 + thread, 0x6000);
}

/* A thread that takes nothing: a wait at its gate that only a semaphore post ends. */
static void block(struct bare *bare, unsigned thread)
{
    bare_push(bare, thread, BLOCK_FOREVER);
    bare_push(bare, thread, MARK(0x3FFFF));
    bare_run(bare, 10);
    assert_false(tf_tensix_thread_idle(&bare->tile, thread, UINT64_MAX));
}

static void unblock(struct bare *bare)
{
    assert_int_equal(tf_tensix_store(&bare->tile, TF_CORE_T0, TF_SEMAPHORE_BASE, 0), TF_ACCESS_OK);
}

static void test_order(void **state)
{
    struct bare *bare = *state;
    for (uint32_t i = 0; i < 20; i++)
        bare_push(bare, i % 3, MARK(i));
    bare_run(bare, 100);
    assert_int_equal(logged.count, 20);
    for (unsigned thread = 0; thread < 3; thread++) {
        uint32_t next = thread;
        for (unsigned i = 0; i < logged.count; i++)
            if (logged.thread[i] == thread) {
                assert_int_equal(logged.word[i], MARK(next));
                next += 3;
            }
    }
    assert_true(tf_tensix_thread_idle(&bare->tile, 0, UINT64_MAX));
}

/* Entries of a FIFO that is closed. On the chip it is open at 28, and closed at 29 until back at 28
   (PushTensixInstruction.md). */
#define CLOSED (TF_FIFO_OPEN + 1u)

static void test_capacity(void **state)
{
    struct bare *bare = *state;
    assert_true(TF_HOSTILE || TF_FIFO_OPEN == 28);
    block(bare, 1);
    for (unsigned i = 0; i < CLOSED; i++) {
        assert_false(tf_tensix_push_would_block(&bare->tile, 1, false));
        assert_int_equal(push(bare, 1, MARK(i)), TF_ACCESS_OK);
    }
    assert_true(tf_tensix_push_would_block(&bare->tile, 1, false));
    assert_int_equal(push(bare, 1, MARK(29)), TF_ACCESS_BLOCK);
    assert_false(tf_tensix_push_would_block(&bare->tile, 0, false)); /* nothing else stalls */
    assert_int_equal(push(bare, 0, MARK(77)), TF_ACCESS_OK);
    bare_run(bare, 50);
    assert_int_equal(push(bare, 1, MARK(29)), TF_ACCESS_BLOCK);
    unblock(bare);
    assert_true(tf_tensix_push_would_block(&bare->tile, 1, false)); /* its thread has not been run yet */
    bare_run(bare, 50);
    assert_false(tf_tensix_push_would_block(&bare->tile, 1, false));
    assert_int_equal(logged.count, 1 + CLOSED + 1);
    assert_int_equal(push(bare, 1, MARK(29)), TF_ACCESS_OK);
}

/* A slot is free when the MOP expander has taken the MOP, although the expansion continues. */
static void test_slot_is_free_during_expansion(void **state)
{
    struct bare *bare = *state;
    struct tf_mop *mop = &bare->tile.tensix->thread[0].mop;
    mop->config[0] = 100;
    mop->config[1] = 100;
    mop->config[2] = mop->config[3] = mop->config[6] = NOP;
    mop->config[5] = mop->config[7] = mop->config[8] = MARK(1);
    bare_push(bare, 0, 0x01800000);
    bare_run(bare, 10);
    assert_int_equal(bare->tile.tensix->thread[0].fifo.count, 0);
    for (unsigned i = 0; i < CLOSED; i++)
        assert_int_equal(push(bare, 0, MARK(2)), TF_ACCESS_OK);
    assert_int_equal(push(bare, 0, MARK(2)), TF_ACCESS_BLOCK);
    bare_run(bare, 9989);
    assert_int_equal(push(bare, 0, MARK(2)), TF_ACCESS_BLOCK);
    bare_run(bare, 40);
    assert_int_equal(logged.count, 10000 + CLOSED);
    assert_int_equal(logged.cycle[9999] - logged.cycle[0], 9999); /* one a cycle */
}

/* The coprocessor runs up to a core's cycle within a slice. The FIFO opens there, and the core's time stays. */
static void test_fifo_opens_within_a_slice(void **state)
{
    struct bare *bare = *state;
    unsigned closed = 0;
    for (unsigned i = 0; i < 1000; i++) {
        bare->tile.cycle = 5 + i;
        if (push(bare, 2, MARK(i)) == TF_ACCESS_OK)
            continue;
        closed++;
        assert_true(tf_tensix_run_to(&bare->tile, 5 + i, false));
        assert_int_equal(tf_tensix_clock(&bare->tile), 5 + i);
        assert_int_equal(bare->tile.cycle, 5 + i);
        assert_int_equal(push(bare, 2, MARK(i)), TF_ACCESS_OK);
    }
    assert_int_equal(closed, 999 / CLOSED);
    bare->tile.cycle = 1010;
    tf_tensix_turn(&bare->tile, 1010);
    assert_int_equal(logged.count, 1000);
    for (unsigned i = 0; i < 1000; i++) {
        assert_int_equal(logged.word[i], MARK(i));
        assert_int_equal(logged.cycle[i], 5 + i);
    }
}

/* If a core asks for it, the coprocessor stops before an instruction that may store to a register, and then
   continues. */
static void test_stops_before_register_stores(void **state)
{
    SKIP_WHEN_HOSTILE("a FIFO holds less");
    struct bare *bare = *state;
    bare->tile.cycle = 5;
    assert_int_equal(push(bare, 1, W(SFPNOP)), TF_ACCESS_OK);
    assert_int_equal(push(bare, 1, MARK(1)), TF_ACCESS_OK);
    assert_false(tf_tensix_run_to(&bare->tile, 20, true));
    assert_int_equal(logged.count, 1);
    assert_false(tf_tensix_run_to(&bare->tile, 20, true));
    assert_int_equal(logged.count, 1);
    assert_true(tf_tensix_run_to(&bare->tile, 20, false));
    assert_int_equal(logged.count, 2);
    assert_int_equal(logged.word[1], MARK(1));
    assert_int_equal(logged.cycle[1], 6);
    assert_int_equal(tf_tensix_clock(&bare->tile), 20);
}

/* An instruction is not executed before it was pushed. */
static void test_arrival(void **state)
{
    struct bare *bare = *state;
    bare->tile.cycle = 40;
    bare_push(bare, 0, MARK(1));
    bare->tile.cycle = 70;
    bare_push(bare, 0, MARK(2));
    bare_turn(bare, 60);
    assert_int_equal(logged.count, 1);
    assert_int_equal(logged.cycle[0], 40);
    assert_true(TF_HOSTILE || !tf_tensix_waiting(&bare->tile)); /* there the second instruction is still to be pushed */
    bare_turn(bare, 100);
    assert_int_equal(logged.cycle[1], 70);
}

/* Instructions after a MOP_CFG that takes the last cycle are left for the next turn, even if they concern no other
   thread. */
static void test_behind_mop_cfg(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, W(MOP_CFG) | 5);
    bare_push(bare, 0, W(ADDDMAREG));
    bare_turn(bare, 1);
    assert_int_equal(tf_tensix_clock(&bare->tile), 1);
    assert_int_equal(bare->tile.tensix->frontend->passed, 0);
    bare_turn(bare, 2);
    assert_int_equal(tf_tensix_clock(&bare->tile), 2);
    assert_int_equal(bare->tile.tensix->frontend->passed, 1);
}

static void test_door_of_b(void **state)
{
    struct bare *bare = *state;
    block(bare, 2);
    for (unsigned i = 0; i < TF_MID_ENTRIES; i++) {
        assert_false(tf_tensix_push_full(&bare->tile, 2));
        bare_push_b(bare, 2, MARK(i));
    }
    assert_true(tf_tensix_push_full(&bare->tile, 2));
    assert_false(tf_tensix_push_empty(&bare->tile, 2));
    assert_true(tf_tensix_push_would_block(&bare->tile, 2, true));
    assert_false(tf_tensix_push_would_block(&bare->tile, 2, false));
    assert_int_equal(tf_tensix_push(&bare->tile, 2, MARK(8), true, TF_CORE_B, 0), TF_ACCESS_BLOCK);
    bare->tile.cycle++;
    bare_push(bare, 2, MARK(9)); /* after them */
    unblock(bare);
    bare_run(bare, 100);
    assert_int_equal(logged.count, 1 + TF_MID_ENTRIES + 1);
    for (unsigned i = 0; i < TF_MID_ENTRIES; i++)
        assert_int_equal(logged.word[1 + i], MARK(i));
    assert_int_equal(logged.word[1 + TF_MID_ENTRIES], MARK(9));
    assert_true(tf_tensix_push_empty(&bare->tile, 2));
}

/* B's pushes enter after the MOP expander, so a MOP from B is not expanded. */
static void test_b_has_no_mop(void **state)
{
    struct bare *bare = *state;
    bare_push_b(bare, 0, 0x01800000);
    bare_run(bare, 10);
    assert_int_equal(bare->tile.faults.count, 1);
    assert_int_equal(bare->tile.faults.entry[0].pc, 0x1000);
    assert_true(bare->tile.tensix->thread[0].faulted);
}

static void test_b_replays(void **state)
{
    struct bare *bare = *state;
    bare_push_b(bare, 0, RECORD(0, 2, 0));
    bare_push_b(bare, 0, MARK(1));
    bare_push_b(bare, 0, MARK(2));
    bare_push_b(bare, 0, PLAY(0, 2));
    bare_run(bare, 20);
    assert_log(0, (uint32_t[]){MARK(1), MARK(2)}, 2);
}

/* Two instructions reach the mux in one cycle. That of the T core is lost, and recorded. */
static void test_collision(void **state)
{
    struct bare *bare = *state;
    bare->tile.cycle = 10;
    bare_push_b(bare, 0, MARK(1));
    bare_push(bare, 0, MARK(2));
    bare->tile.cycle = 12;
    bare_push_b(bare, 0, MARK(3));
    bare->tile.cycle = 13;
    bare_push(bare, 0, MARK(4));
    bare_run(bare, 50);
    assert_log(0, (uint32_t[]){MARK(1), MARK(3), MARK(4)}, 3);
    assert_int_equal(bare->tile.faults.count, 1);
    assert_true(bare->tile.faults.entry[0].hazard);
    assert_int_equal(bare->tile.faults.entry[0].core, TF_CORE_T0);
    assert_int_equal(bare->tile.faults.entry[0].instruction, MARK(2));
    assert_false(bare->tile.tensix->thread[0].faulted);
}

/* The record of a lost instruction names its own T core. */
static void test_collision_of_t2(void **state)
{
    struct bare *bare = *state;
    bare->tile.cycle = 10;
    bare_push_b(bare, 2, MARK(1));
    bare_push(bare, 2, MARK(2));
    bare_run(bare, 50);
    assert_int_equal(bare->tile.faults.count, 1);
    assert_int_equal(bare->tile.faults.entry[0].core, TF_CORE_T2);
    assert_int_equal(bare->tile.faults.entry[0].instruction, MARK(2));
}

/* A collision with a MOP in progress: one instruction of the expansion is lost. */
static void test_collision_with_mop(void **state)
{
    struct bare *bare = *state;
    struct tf_mop *mop = &bare->tile.tensix->thread[0].mop;
    for (uint32_t i = 0; i < TF_MOP_CFG_WORDS; i++)
        mop->config[i] = MARK(i);
    mop->config[1] = 2;
    bare->tile.cycle = 5;
    bare_push(bare, 0, 0x01000000 | 3u << 16); /* 4 times A0..A3 in cycles 5..20 */
    bare->tile.cycle = 10;
    bare_push_b(bare, 0, MARK(100));
    bare_run(bare, 50);
    assert_int_equal(logged.count, 16);
    assert_int_equal(logged.word[5], MARK(100));
    assert_int_equal(logged.word[4], MARK(3));
    assert_int_equal(logged.word[6], MARK(5)); /* A1 of the second round is lost */
    assert_int_equal(bare->tile.faults.count, 1);
}

static void test_mop_cfg_and_mop(void **state)
{
    struct bare *bare = *state;
    struct tf_mop *mop = &bare->tile.tensix->thread[1].mop;
    mop->config[3] = MARK(3);
    mop->config[7] = MARK(7);
    bare_push(bare, 1, W(MOP_CFG) | 0x0001);
    bare_push(bare, 1, 0x01000000 | 17u << 16 | 0x8000);
    bare_push(bare, 1, MARK(9));
    bare_run(bare, 50);
    assert_int_equal(logged.count, 19);
    for (unsigned i = 0; i < 18; i++)
        assert_int_equal(logged.word[i], i == 15 || i == 16 ? MARK(7) : MARK(3));
    assert_int_equal(logged.word[18], MARK(9));
}

/* MaskHi belongs to a thread, and stays for every MOP until the next MOP_CFG. */
static void test_mop_cfg_stays(void **state)
{
    struct bare *bare = *state;
    for (unsigned t = 0; t < 2; t++) {
        bare->tile.tensix->thread[t].mop.config[3] = MARK(3);
        bare->tile.tensix->thread[t].mop.config[7] = MARK(7);
    }
    bare_push(bare, 0, W(MOP_CFG) | 2);
    for (unsigned i = 0; i < 2; i++)
        bare_push(bare, 0, W(MOP) | V(MOP, loop_count, 17));
    bare_push(bare, 0, W(MOP_CFG));
    bare_push(bare, 0, W(MOP) | V(MOP, loop_count, 17));
    bare_run(bare, 100);
    bare_push(bare, 1, W(MOP) | V(MOP, loop_count, 17));
    bare_run(bare, 100);
    assert_int_equal(logged.count, 4 * 18);
    for (unsigned i = 0; i < logged.count; i++)
        assert_int_equal(logged.word[i], i == 17 || i == 35 ? MARK(7) : MARK(3));
}

/* Counts of 0, and lists of NOPs that template 1 leaves out, expand to nothing. */
static void test_empty_mop(void **state)
{
    struct bare *bare = *state;
    struct tf_mop *mop = &bare->tile.tensix->thread[0].mop;
    mop->config[0] = 0;
    mop->config[1] = 5;
    bare_push(bare, 0, 0x01800000);
    bare_push(bare, 0, MARK(1));
    bare_run(bare, 10);
    assert_log(0, (uint32_t[]){MARK(1)}, 1);
}

/* The configuration is written through the window, by the thread's own core. */
static void test_mop_config_window(void **state)
{
    struct bare *bare = *state;
    for (unsigned i = 0; i < TF_MOP_CFG_WORDS; i++)
        assert_int_equal(tf_tensix_store(&bare->tile, TF_CORE_T2, TF_MOP_CFG_BASE + 4 * i, 0x100 + i), TF_ACCESS_OK);
    for (unsigned i = 0; i < TF_MOP_CFG_WORDS; i++) {
        assert_int_equal(bare->tile.tensix->thread[2].mop.config[i], 0x100 + i);
        assert_int_equal(bare->tile.tensix->thread[1].mop.config[i], 0);
    }
    uint32_t value;
    bool pure;
    assert_int_equal(tf_tensix_load(&bare->tile, TF_CORE_T2, TF_MOP_CFG_BASE, &value, &pure), TF_ACCESS_FAULT);
    assert_int_equal(tf_tensix_store(&bare->tile, TF_CORE_T2, TF_MOP_CFG_BASE + 4 * 9, 0), TF_ACCESS_FAULT);
    assert_int_equal(tf_tensix_store(&bare->tile, TF_CORE_B, TF_MOP_CFG_BASE, 0), TF_ACCESS_FAULT);
}

static void test_record_and_play(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, RECORD(30, 4, 0)); /* wraps: 30, 31, 0, 1 */
    for (uint32_t i = 0; i < 4; i++)
        bare_push(bare, 0, MARK(i));
    bare_push(bare, 0, MARK(50));
    bare_push(bare, 0, PLAY(30, 4));
    bare_push(bare, 0, PLAY(0, 1));
    bare_run(bare, 100);
    assert_log(0, (uint32_t[]){MARK(50), MARK(0), MARK(1), MARK(2), MARK(3), MARK(2)}, 6);
}

static void test_tee(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, RECORD(5, 2, 1));
    bare_push(bare, 0, MARK(1));
    bare_push(bare, 0, MARK(2));
    bare_push(bare, 0, PLAY(5, 2));
    bare_run(bare, 100);
    assert_log(0, (uint32_t[]){MARK(1), MARK(2), MARK(1), MARK(2)}, 4);
}

/* A count of 0 is 32, the whole buffer, in recording and in playing. */
static void test_count_of_0(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, RECORD(3, 0, 0));
    for (uint32_t i = 0; i < 32; i++) {
        bare_run(bare, 1);
        bare_push(bare, 0, MARK(i));
    }
    bare_push(bare, 0, MARK(90)); /* this one is not recorded */
    bare_push(bare, 0, PLAY(3, 0));
    bare_push(bare, 0, MARK(91));
    bare_run(bare, 200);
    assert_int_equal(logged.count, 1 + 32 + 1);
    assert_int_equal(logged.word[0], MARK(90));
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(logged.word[1 + i], MARK(i));
    assert_int_equal(logged.word[33], MARK(91));
    assert_int_equal(logged.cycle[33] - logged.cycle[1], 32); /* one a cycle, with nothing between */
}

/* For more than 32, hardware makes another number of instructions. Here it is a fault, of recording and of playing. */
static void test_counts_beyond_32(void **state)
{
    struct bare *bare = *state;
    static const unsigned counts[] = {33, 40, 63};
    for (unsigned i = 0; i < 6; i++) {
        bare->tile.tensix->thread[0].faulted = false;
        uint32_t word = i < 3 ? PLAY(0, counts[i]) : RECORD(0, counts[i - 3], 1);
        bare_push(bare, 0, word);
        bare_run(bare, 5);
        assert_int_equal(bare->tile.faults.count, i + 1);
        assert_int_equal(bare->tile.faults.entry[i].instruction, word);
        assert_int_equal(bare->tile.faults.entry[i].category, TF_FAULT_UNDEFINED);
        assert_int_equal(bare->tile.faults.entry[i].pc, 0x6000);
    }
    assert_int_equal(logged.count, 0);
}

/*
 * Record, with and without execution, and play: every index and count, against the page's functional model written
 * out. B's pushes in the middle of a recording are recorded too.
 */
static void test_replay_model(void **state)
{
    uint32_t buffer[32] = {0};
    uint32_t n = 0;
    for (unsigned index = 0; index < 32; index++)
        for (unsigned count = 1; count <= 32; count++) {
            struct bare *bare = *state;
            bool tee = (index + count) % 2, b = count % 8 == 5;
            logged.count = 0;
            bare_push(bare, 0, RECORD(index, count & 31 ? count : 0, tee));
            for (unsigned i = 0; i < count; i++, n++) {
                bare_run(bare, 1);
                if (b && i == count / 2)
                    bare_push_b(bare, 0, MARK(n & 0xFFFF));
                else
                    bare_push(bare, 0, MARK(n & 0xFFFF));
                buffer[(index + i) % 32] = MARK(n & 0xFFFF);
            }
            bare_run(bare, 50);
            assert_int_equal(logged.count, tee ? count : 0);
            for (unsigned i = 0; i < logged.count; i++)
                assert_int_equal(logged.word[i], buffer[(index + i) % 32]);
            unsigned from = (index * 7 + count) % 32, length = 1 + (index + count * 5) % 32;
            logged.count = 0;
            bare_push(bare, 0, PLAY(from, length & 63));
            bare_run(bare, 50);
            assert_int_equal(logged.count, length);
            for (unsigned i = 0; i < length; i++)
                assert_int_equal(logged.word[i], buffer[(from + i) % 32]);
            assert_memory_equal(bare->tile.tensix->thread[0].replay.buffer, buffer, sizeof buffer);
        }
}

/* While recording, a REPLAY is a word like any other. When it is played, it reaches the gate, where it is a fault. */
static void test_recorded_replay(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, RECORD(0, 2, 0));
    bare_push(bare, 0, PLAY(7, 1));
    bare_push(bare, 0, MARK(2));
    bare_push(bare, 0, PLAY(1, 1));
    bare_run(bare, 20);
    assert_log(0, (uint32_t[]){MARK(2)}, 1);
    bare_push(bare, 0, PLAY(0, 1));
    bare_run(bare, 20);
    assert_int_equal(bare->tile.faults.count, 1);
    assert_int_equal(bare->tile.faults.entry[0].instruction, PLAY(7, 1));
}

/* The expansion of a REPLAY cannot contain MOPs: if one was recorded past the MOP expander, it faults at the gate. */
static void test_recorded_mop(void **state)
{
    struct bare *bare = *state;
    bare->tile.tensix->thread[2].mop.config[3] = MARK(3);
    bare_push_b(bare, 2, RECORD(0, 1, 0));
    bare_push_b(bare, 2, W(MOP));
    bare_run(bare, 10);
    assert_int_equal(bare->tile.tensix->thread[2].replay.buffer[0], W(MOP));
    bare_push(bare, 2, PLAY(0, 1));
    bare_run(bare, 10);
    assert_int_equal(bare->tile.faults.count, 1);
    assert_int_equal(bare->tile.faults.entry[0].instruction, W(MOP));
    assert_int_equal(bare->tile.faults.entry[0].pc, 0x6000); /* of the REPLAY */
    assert_int_equal(logged.count, 0);
}

/* MOP into REPLAY, as the LLK's kernels do it; recorded words may come from a MOP too. */
static void test_mop_of_replays(void **state)
{
    struct bare *bare = *state;
    struct tf_mop *mop = &bare->tile.tensix->thread[0].mop;
    mop->config[0] = 3;
    mop->config[1] = 2;
    mop->config[2] = MARK(90);
    mop->config[3] = NOP;
    mop->config[6] = NOP;
    mop->config[5] = mop->config[8] = PLAY(4, 3);
    mop->config[7] = MARK(99);
    bare_push(bare, 0, RECORD(4, 3, 0));
    for (uint32_t i = 0; i < 3; i++)
        bare_push(bare, 0, MARK(i));
    bare_push(bare, 0, 0x01800000);
    bare_push(bare, 0, MARK(80));
    bare_run(bare, 100);
    static const uint32_t expected[] = {MARK(90), MARK(0), MARK(1), MARK(2), MARK(0),  MARK(1), MARK(2),
                                        MARK(90), MARK(0), MARK(1), MARK(2), MARK(0),  MARK(1), MARK(2),
                                        MARK(90), MARK(0), MARK(1), MARK(2), MARK(99), MARK(80)};
    assert_log(0, expected, sizeof expected / sizeof expected[0]);
}

static void test_mop_recorded(void **state)
{
    struct bare *bare = *state;
    struct tf_mop *mop = &bare->tile.tensix->thread[0].mop;
    mop->config[3] = MARK(3);
    bare_push(bare, 0, RECORD(0, 4, 0));
    bare_push(bare, 0, 0x01000000 | 5u << 16); /* six of them: four are recorded */
    bare_push(bare, 0, PLAY(0, 2));
    bare_run(bare, 50);
    assert_int_equal(logged.count, 2 + 2);
}

/* The T core's reset discards its FIFO and the MOP expander, but nothing beyond these (SoftReset.md). */
static void test_core_reset(void **state)
{
    struct bare *bare = *state;
    struct tf_mop *mop = &bare->tile.tensix->thread[0].mop;
    mop->config[3] = MARK(3);
    block(bare, 0);
    bare_push_b(bare, 0, MARK(5));
    bare_push(bare, 0, 0x01000000 | 100u << 16);
    bare_push(bare, 0, MARK(6));
    bare->tile.hart[TF_CORE_T0].state = TF_CORE_RESET;
    tf_tensix_reset(&bare->tile);
    unblock(bare);
    bare_run(bare, 200);
    assert_log(1, (uint32_t[]){MARK(5)}, 1);
}

/* tt_cfg_qstatus: what occupies queue space, for the thread and for all (CSRs.md). */
static void test_status(void **state)
{
    struct bare *bare = *state;
    /* Instructions of T1: a MOP, and a REPLAY after it, for which its FIFO has no room in the hostile build. */
    const uint32_t of_t1 = TF_FIFO_OPEN != 0 ? 0x003 : 0x002, of_all = 0x504 | of_t1;
    assert_int_equal(tf_tensix_status(&bare->tile, TF_CORE_T0, false), 0);
    bare_push(bare, 0, MARK(1)); /* scalar */
    bare_push(bare, 1, 0x01800000);
    bare_push(bare, 1, PLAY(0, 1));
    bare_push(bare, 1, RECORD(0, 1, 0));
    bare_push(bare, 2, W(MVMUL));
    assert_int_equal(tf_tensix_status(&bare->tile, TF_CORE_T0, false), 0x104 | 0x104u << 13); /* T1, T2 are after it */
    bare->tile.cycle++;
    assert_int_equal(tf_tensix_status(&bare->tile, TF_CORE_T0, false), 0x104 | of_all << 13);
    assert_int_equal(tf_tensix_status(&bare->tile, TF_CORE_T1, false), of_t1 | of_all << 13);
    assert_int_equal(tf_tensix_status(&bare->tile, TF_CORE_T2, true), 0x400 | of_all << 11);
    assert_int_equal(tf_tensix_status(&bare->tile, TF_CORE_B, false), of_all | of_all << 13);
    /* An instruction of each unit. */
    static const struct {
        uint32_t word, status;
    } of[] = {{W(SEMPOST), 0x080}, {W(UNPACR), 0x110}, {W(MVMUL), 0x400},    {W(PACR), 0x120},     {W(SFPLOAD), 0x200},
              {W(WRCFG), 0x040},   {W(XMOV), 0x108},   {W(SETADCXX), 0x100}, {W(ADDDMAREG), 0x104}};
    for (unsigned i = 0; i < sizeof of / sizeof of[0]; i++) {
        struct bare *other;
        bare_setup((void **)&other);
        bare_push(other, 1, of[i].word);
        other->tile.cycle++;
        assert_int_equal(tf_tensix_status(&other->tile, TF_CORE_T1, false), of[i].status | of[i].status << 13);
        bare_teardown((void **)&other);
    }
}

/* tt_cfg_bstatus: what is under way for T1, by units. */
static void test_busy_status(void **state)
{
    struct bare *bare = *state;
    static const struct {
        uint32_t kind, status;
    } of[] = {{TF_BUSY_SCALAR, 0x104}, {TF_BUSY_UNPACK_0, 0x110}, {TF_BUSY_UNPACK_1, 0x110}, {TF_BUSY_PACK, 0x120},
              {TF_BUSY_MATRIX, 0x400}, {TF_BUSY_MOVER, 0x108},    {TF_BUSY_VECTOR, 0x200},   {TF_BUSY_CONFIG, 0x040}};
    for (unsigned i = 0; i < sizeof of / sizeof of[0]; i++) {
        uint64_t *until = &bare->tile.tensix->busy->until[of[i].kind][1];
        *until = bare->tile.cycle + 1;
        assert_int_equal(tf_tensix_status(&bare->tile, TF_CORE_T1, true), of[i].status | of[i].status << 11);
        assert_int_equal(tf_tensix_status(&bare->tile, TF_CORE_T1, false), 0);
        *until = bare->tile.cycle;
        assert_int_equal(tf_tensix_status(&bare->tile, TF_CORE_T1, true), 0);
    }
}

#define T(test) cmocka_unit_test_setup_teardown(test, logged_setup, bare_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_order),
        T(test_capacity),
        T(test_slot_is_free_during_expansion),
        T(test_arrival),
        T(test_door_of_b),
        T(test_b_has_no_mop),
        T(test_fifo_opens_within_a_slice),
        T(test_stops_before_register_stores),
        T(test_b_replays),
        T(test_collision),
        T(test_collision_of_t2),
        T(test_collision_with_mop),
        T(test_mop_cfg_and_mop),
        T(test_empty_mop),
        T(test_mop_config_window),
        T(test_record_and_play),
        T(test_tee),
        T(test_count_of_0),
        T(test_counts_beyond_32),
        T(test_replay_model),
        T(test_recorded_replay),
        T(test_recorded_mop),
        T(test_mop_cfg_stays),
        T(test_mop_of_replays),
        T(test_mop_recorded),
        T(test_core_reset),
        T(test_status),
        T(test_busy_status),
        T(test_behind_mop_cfg),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
