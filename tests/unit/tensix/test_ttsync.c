/* SPDX-License-Identifier: Apache-2.0 */
/* Manual TTSync (ManualTTSync.md) and Auto TTSync (AutoTTSync.md). */
#include "tile/tensix/config/state.h"
#include "tile/tensix/issue/run.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/whole/window.h"
#include "unit/tensix/logged.h"
#include "unless_hostile.h"
#include "tilefarm_address.h"

#define DONE TF_DONE_CHECK
#define MOP_DONE TF_MOP_DONE_CHECK
#define GPR (TF_GPR_BASE + 4 * 4)
#define CFG (TF_CFG_BASE + 4 * 64)
#define TDMA (TF_TDMA_BASE + 0x1C)
#define WAIT (W(SEMWAIT) | 1 << 2 | 1 | 0x1FFu << 15) /* for semaphore 0, and holds everything */
#define TRACK_ALL                                                                            \
    (TF_TRISC_SYNC_TRACK_INSTRUCTIONS | TF_TRISC_SYNC_TRACK_GPR | TF_TRISC_SYNC_TRACK_TDMA | \
     TF_TRISC_SYNC_TRACK_GLOBAL_CFG)

static enum tf_access load(struct bare *bare, unsigned core, uint32_t address)
{
    uint32_t value = 0xDEAD;
    bool pure;
    enum tf_access access = tf_tensix_load(&bare->tile, core, address, &value, &pure);
    if (address == DONE || address == MOP_DONE)
        assert_false(pure);
    return access;
}

static enum tf_access store(struct bare *bare, unsigned core, uint32_t address)
{
    return tf_tensix_store(&bare->tile, core, address, 0);
}

static void post(struct bare *bare)
{
    assert_int_equal(store(bare, TF_CORE_T2, TF_SEMAPHORE_BASE), TF_ACCESS_OK);
}

static bool blocks(struct bare *bare, unsigned core, uint32_t address, bool is_store)
{
    return tf_tensix_access_would_block(&bare->tile, core, address, is_store);
}

/* The store is discarded. The load waits only for the thread of the core that loads. */
static void test_done_check(void **state)
{
    struct bare *bare = *state;
    assert_int_equal(load(bare, TF_CORE_T1, DONE), TF_ACCESS_OK);
    bare_push(bare, 1, WAIT);
    bare_push(bare, 1, MARK(1));
    assert_int_equal(store(bare, TF_CORE_T1, DONE), TF_ACCESS_OK);
    assert_int_equal(load(bare, TF_CORE_T1, DONE), TF_ACCESS_BLOCK);
    assert_int_equal(load(bare, TF_CORE_T0, DONE), TF_ACCESS_OK);
    bare_run(bare, 10);
    assert_true(blocks(bare, TF_CORE_T1, DONE, false));
    assert_false(blocks(bare, TF_CORE_T1, DONE, true));
    assert_false(blocks(bare, TF_CORE_T0, DONE, false));
    assert_int_equal(load(bare, TF_CORE_T1, DONE), TF_ACCESS_BLOCK);
    post(bare);
    assert_true(blocks(bare, TF_CORE_T1, DONE, false)); /* the thread has not been run yet */
    bare_run(bare, 10);
    assert_false(blocks(bare, TF_CORE_T1, DONE, false));
    assert_int_equal(load(bare, TF_CORE_T1, DONE), TF_ACCESS_OK);
    assert_int_equal(load(bare, TF_CORE_B, DONE), TF_ACCESS_FAULT);
}

/* The load ends its wait in the cycle after the last instruction, when the coprocessor has been run up to there. */
static void test_done_check_within_a_slice(void **state)
{
    struct bare *bare = *state;
    for (bare->tile.cycle = 5; bare->tile.cycle < 7; bare->tile.cycle++) {
        assert_true(tf_tensix_run_to(&bare->tile, bare->tile.cycle, false));
        bare_push(bare, 0, MARK(bare->tile.cycle));
        assert_int_equal(load(bare, TF_CORE_T0, DONE), TF_ACCESS_BLOCK);
    }
    assert_true(tf_tensix_run_to(&bare->tile, 7, false));
    assert_int_equal(load(bare, TF_CORE_T0, DONE), TF_ACCESS_OK);
    assert_int_equal(logged.count, 2);
    assert_int_equal(bare->tile.cycle, 7);
}

/* With late completion, what is under way counts. */
static void test_done_check_waits_for_units(void **state)
{
    struct bare *bare = *state;
    tf_tensix_delay(&bare->tile, 50);
    bare_push(bare, 0, W(PACR));
    bare_run(bare, 10);
    assert_int_equal(load(bare, TF_CORE_T0, DONE), TF_ACCESS_BLOCK);
    bare_run(bare, 50);
    assert_int_equal(load(bare, TF_CORE_T0, DONE), TF_ACCESS_OK);
}

static void test_override(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 1, WAIT);
    bare_push(bare, 1, MARK(1));
    for (unsigned bits = 0; bits < 4; bits++) {
        bare->tile.mmio.debug.word[0x90 / 4] = bits << 10;
        assert_int_equal(load(bare, TF_CORE_T1, DONE), bits == 3 ? TF_ACCESS_OK : TF_ACCESS_BLOCK);
    }
}

static void configure_mop(struct bare *bare, unsigned count)
{
    for (unsigned i = 0; i < TF_MOP_CFG_WORDS; i++)
        assert_int_equal(tf_tensix_store(&bare->tile, TF_CORE_T0, TF_MOP_CFG_BASE + 4 * i, MARK(i)), TF_ACCESS_OK);
    assert_int_equal(tf_tensix_store(&bare->tile, TF_CORE_T0, TF_MOP_CFG_BASE + 4 * 1, 0), TF_ACCESS_OK);
    bare_push(bare, 0, W(MOP) | (count - 1) << 16);
}

/* A MOP is done once its expansion has left the expander, before it has passed the gate: eight fit in between. */
static void test_mop_done(void **state)
{
    (void)state;
    for (unsigned count = 1; count < 20; count++) {
        struct bare *bare;
        logged_setup((void **)&bare);
        bare_push(bare, 0, WAIT);
        configure_mop(bare, count);
        bare_run(bare, 20);
        bool done = count <= TF_MID_ENTRIES + 1; /* one stands at the gate */
        assert_int_equal(load(bare, TF_CORE_T0, MOP_DONE), done ? TF_ACCESS_OK : TF_ACCESS_BLOCK);
        assert_int_equal(blocks(bare, TF_CORE_T0, MOP_DONE, false), !done);
        assert_int_equal(load(bare, TF_CORE_T0, DONE), TF_ACCESS_BLOCK);
        post(bare);
        bare_run(bare, 40);
        assert_int_equal(load(bare, TF_CORE_T0, MOP_DONE), TF_ACCESS_OK);
        assert_int_equal(logged.count, count);
        bare_teardown((void **)&bare);
    }
}

/* Instructions before a MOP have to leave first, and take entries of their own. */
static void test_mop_done_behind_others(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 10 * 10; i++) {
        unsigned before = i / 10, length = 1 + i % 10;
        if (before > TF_FIFO_OPEN)
            break;
        struct bare *bare;
        logged_setup((void **)&bare);
        bare_push(bare, 0, WAIT);
        bare_push(bare, 0, MARK(1));
        bare_run(bare, 10);
        for (unsigned k = 0; k < before; k++)
            bare_push(bare, 0, MARK(2));
        configure_mop(bare, length);
        bare_push(bare, 0, MARK(3)); /* later instructions do not matter */
        bool done = before + length <= TF_MID_ENTRIES;
        assert_int_equal(load(bare, TF_CORE_T0, MOP_DONE), done ? TF_ACCESS_OK : TF_ACCESS_BLOCK);
        bare_teardown((void **)&bare);
    }
}

/* After a MOP is done, its configuration may change. Its instructions do not. */
static void test_new_mop_config(void **state)
{
    SKIP_WHEN_HOSTILE("the FIFO behind the expander does not hold what leaves early");
    struct bare *bare = *state;
    bare_push(bare, 0, WAIT);
    bare_push(bare, 0, MARK(77));
    bare_run(bare, 10);
    configure_mop(bare, 5);
    bare_push(bare, 0, MARK(78));
    bare_push(bare, 0, W(MOP_CFG) | 0xFFFF);
    bare_push(bare, 0, W(MOP));
    assert_int_equal(load(bare, TF_CORE_T0, MOP_DONE), TF_ACCESS_OK);
    assert_int_equal(tf_tensix_store(&bare->tile, TF_CORE_T0, TF_MOP_CFG_BASE + 4 * 3, MARK(99)), TF_ACCESS_OK);
    assert_int_equal(tf_tensix_store(&bare->tile, TF_CORE_T0, DONE, 0), TF_ACCESS_OK);
    post(bare);
    bare->tile.cycle++;
    bare_push(bare, 0, W(MOP));
    bare_run(bare, 50);
    assert_log(0, (uint32_t[]){MARK(77), MARK(3), MARK(3), MARK(3), MARK(3), MARK(3), MARK(78), MARK(3), MARK(99)}, 9);
}

/* A later push does not overtake an instruction that had to leave the expander early, for any times of the two. */
static void test_flushed_mop_keeps_order(void **state)
{
    SKIP_WHEN_HOSTILE("the FIFO behind the expander does not hold what leaves early");
    struct bare *bare = *state;
    configure_mop(bare, 3);
    bare_push(bare, 0, MARK(50));
    bare->tile.cycle = 40;
    bare_push_b(bare, 0, MARK(60));
    bare->tile.cycle = 30; /* B's turn is before T0's */
    assert_int_equal(tf_tensix_store(&bare->tile, TF_CORE_T0, TF_MOP_CFG_BASE, 0), TF_ACCESS_OK);
    bare_push(bare, 0, MARK(51));
    bare->tile.cycle = 0;
    bare_run(bare, 100);
    assert_log(0, (uint32_t[]){MARK(60), MARK(3), MARK(3), MARK(3), MARK(50), MARK(51)}, 6);
    assert_int_equal(bare->tile.faults.count, 0);
}

/* One instruction of each class, and what Auto TTSync holds while it waits at the gate. */
static const struct {
    uint32_t word;
    bool gpr_load, gpr_store, cfg_load, cfg_store, tdma_load, tdma_store;
} classes[] = {
    {W(NOP), 0, 0, 0, 0, 0, 0},      {W(ADDDMAREG), 1, 1, 0, 0, 0, 0},
    {W(ATCAS), 1, 1, 0, 0, 0, 0},    {W(REG2FLOP), 1, 1, 0, 0, 1, 1},
    {W(LOADIND), 1, 1, 0, 0, 0, 0},  {W(CFGSHIFTMASK), 0, 0, 1, 1, 0, 0},
    {W(STOREREG), 0, 1, 0, 0, 0, 0}, {W(LOADREG), 1, 1, 0, 0, 0, 0},
    {W(FLUSHDMA), 0, 0, 0, 0, 1, 1}, {W(WRCFG), 0, 1, 1, 1, 0, 0},
    {W(RDCFG), 1, 1, 0, 1, 0, 0},    {W(XMOV), 1, 1, 1, 1, 0, 0},
    {W(UNPACR), 0, 0, 0, 1, 1, 1},   {W(PACR), 0, 0, 0, 1, 1, 1},
    {W(MOP), 1, 1, 1, 1, 1, 1},      {W(REPLAY) | 1 << 4, 1, 1, 1, 1, 1, 1},
    {W(MVMUL), 0, 0, 0, 1, 0, 0},    {W(SETC16) | 1 << 16, 0, 0, 0, 1, 0, 0},
};

static void set_tracking(struct bare *bare, unsigned thread, uint16_t bits)
{
    bare->tile.tensix->config->thread[thread][TF_THREAD_CFG_TRISC_SYNC] = bits;
}

static void test_classes(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        struct bare *bare;
        logged_setup((void **)&bare);
        bare->tile.tensix->thread[1].mop.config[3] = bare->tile.tensix->thread[1].replay.buffer[0] = MARK(0);
        bare_push(bare, 1, WAIT); /* while nothing is tracked */
        set_tracking(bare, 1, TRACK_ALL);
        bare_push(bare, 1, classes[i].word);
        bare_run(bare, 10);
        const bool expected[6] = {classes[i].gpr_load,  classes[i].gpr_store, classes[i].cfg_load,
                                  classes[i].cfg_store, classes[i].tdma_load, classes[i].tdma_store};
        static const uint32_t address[3] = {GPR, CFG, TDMA};
        for (unsigned n = 0; n < 6; n++) {
            bool held = blocks(bare, TF_CORE_T1, address[n / 2], n & 1);
            if (held != expected[n])
                fail_msg("0x%08x: %s of 0x%08x", classes[i].word, n & 1 ? "store" : "load", address[n / 2]);
            assert_false(blocks(bare, TF_CORE_T0, address[n / 2], n & 1)); /* another core's */
            assert_false(blocks(bare, TF_CORE_B, address[n / 2], n & 1));
            if (held)
                assert_int_equal(n & 1 ? store(bare, TF_CORE_T1, address[n / 2])
                                       : load(bare, TF_CORE_T1, address[n / 2]),
                                 TF_ACCESS_BLOCK);
        }
        struct tf_src_banks *banks = bare->tile.tensix->src;
        banks->to_matrix[0][0] = banks->to_matrix[1][0] = true;
        banks->unpack_bank[0] = banks->unpack_bank[1] = 1;
        post(bare);
        bare_run(bare, 20);
        for (unsigned n = 0; n < 6; n++)
            assert_false(blocks(bare, TF_CORE_T1, address[n / 2], n & 1));
        for (unsigned r = 0; r < 2 * TF_RESOURCES; r++)
            assert_int_equal(bare->tile.tensix->ttsync[1].in_flight[r], 0);
        bare_teardown((void **)&bare);
    }
}

/* Each tracking bit watches its own resource, and none without TrackTensixInstructions. */
static void test_tracking_bits(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 32; bits++) {
        struct bare *bare;
        logged_setup((void **)&bare);
        bare_push(bare, 0, WAIT);
        set_tracking(bare, 0, (uint16_t)bits);
        bare_push(bare, 0, W(REG2FLOP));
        bare_push(bare, 0, W(WRCFG));
        bare_run(bare, 10);
        bool on = bits & TF_TRISC_SYNC_TRACK_INSTRUCTIONS;
        assert_int_equal(blocks(bare, TF_CORE_T0, GPR, true), on && (bits & TF_TRISC_SYNC_TRACK_GPR));
        assert_int_equal(blocks(bare, TF_CORE_T0, TDMA, true), on && (bits & TF_TRISC_SYNC_TRACK_TDMA));
        assert_int_equal(blocks(bare, TF_CORE_T0, CFG, true), on && (bits & TF_TRISC_SYNC_TRACK_GLOBAL_CFG));
        bare_teardown((void **)&bare);
    }
}

/* What is watched ends where the address map ends it. */
static void test_windows(void **state)
{
    static const struct {
        uint32_t first, last;
    } window[] = {{TF_GPR_BASE, TF_GPR_BASE + TF_GPR_BYTES - 4},
                  {TF_TDMA_BASE, TF_TDMA_BASE + TF_TDMA_BYTES - 4},
                  {TF_CFG_BASE, 0}};
    struct bare *bare = *state;
    set_tracking(bare, 0, TRACK_ALL);
    bare_push(bare, 0, WAIT);
    bare_push(bare, 0, W(REG2FLOP));
    bare_push(bare, 0, W(WRCFG));
    bare_run(bare, 10);
    for (unsigned i = 0; i < sizeof window / sizeof *window; i++) {
        assert_true(blocks(bare, TF_CORE_T0, window[i].first, true));
        assert_false(blocks(bare, TF_CORE_T0, window[i].first - 4, true));
        if (window[i].last == 0)
            continue; /* the last window */
        assert_true(blocks(bare, TF_CORE_T0, window[i].last, true));
        assert_false(blocks(bare, TF_CORE_T0, window[i].last + 4, true));
    }
}

/* Once instructions are not tracked any more, no access waits for instructions in flight that were tracked. */
static void test_switched_off(void **state)
{
    struct bare *bare = *state;
    set_tracking(bare, 0, TRACK_ALL);
    bare_push(bare, 0, WAIT);
    bare_push(bare, 0, W(ADDDMAREG));
    bare_run(bare, 5);
    assert_true(blocks(bare, TF_CORE_T0, GPR, false));
    assert_int_equal(load(bare, TF_CORE_T0, GPR), TF_ACCESS_BLOCK);
    set_tracking(bare, 0, TRACK_ALL & ~TF_TRISC_SYNC_TRACK_INSTRUCTIONS);
    assert_false(blocks(bare, TF_CORE_T0, GPR, false));
    assert_int_equal(load(bare, TF_CORE_T0, GPR), TF_ACCESS_OK);
}

/* A MOP holds its resources until all its instructions have passed, and so does a REPLAY. */
static void test_expansion_holds(void **state)
{
    struct bare *bare = *state;
    set_tracking(bare, 0, TRACK_ALL);
    configure_mop(bare, 50);
    bare_run(bare, 49);
    assert_int_equal(store(bare, TF_CORE_T0, GPR), TF_ACCESS_BLOCK);
    bare_run(bare, 2);
    assert_int_equal(logged.count, 50);
    assert_int_equal(store(bare, TF_CORE_T0, GPR), TF_ACCESS_OK);
    bare_push(bare, 0, W(REPLAY));
    for (unsigned i = 0; i < TF_REPLAY_ENTRIES; i++)
        bare->tile.tensix->thread[0].replay.buffer[i] = MARK(i);
    bare_run(bare, 31);
    assert_int_equal(load(bare, TF_CORE_T0, GPR), TF_ACCESS_BLOCK);
    bare_run(bare, 2);
    assert_int_equal(load(bare, TF_CORE_T0, GPR), TF_ACCESS_OK);
}

/* A MOP that expands to REPLAYs holds its declaration until all instructions that those play have passed. */
static void test_mop_of_replays_holds(void **state)
{
    struct bare *bare = *state;
    uint32_t *config = bare->tile.tensix->thread[0].mop.config;
    for (unsigned i = 0; i < TF_REPLAY_ENTRIES; i++)
        bare->tile.tensix->thread[0].replay.buffer[i] = MARK(i);
    config[0] = config[1] = 2;
    config[2] = config[3] = config[6] = W(NOP);
    config[5] = config[7] = config[8] = W(REPLAY) | V(REPLAY, len, 8);
    set_tracking(bare, 0, TRACK_ALL);
    bare_push(bare, 0, W(MOP) | V(MOP, mop_type, 1));
    bare_push(bare, 0, W(STOREREG)); /* of GPRs, which it reads, after the MOP */
    bare_run(bare, 31);
    assert_int_equal(logged.count, 31);
    assert_int_equal(load(bare, TF_CORE_T0, TDMA), TF_ACCESS_BLOCK);
    bare_run(bare, 1);
    assert_int_equal(logged.count, 32);
    assert_int_equal(load(bare, TF_CORE_T0, TDMA), TF_ACCESS_OK);
    assert_int_equal(store(bare, TF_CORE_T0, GPR), TF_ACCESS_BLOCK);
    bare_run(bare, 1);
    assert_int_equal(store(bare, TF_CORE_T0, GPR), TF_ACCESS_OK);
}

/* Nothing can be declared for NOP, MOP_CFG and RESOURCEDECL. */
static void test_no_declaration(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, WAIT);
    set_tracking(bare, 0, TRACK_ALL);
    for (unsigned i = 0; i < TF_SYNC_CLASSES; i++)
        bare_push(bare, 0, W(RESOURCEDECL) | V(RESOURCEDECL, op_class, i) | V(RESOURCEDECL, resources, 0x1FF));
    bare_push(bare, 1, WAIT);
    set_tracking(bare, 1, TRACK_ALL);
    bare_push(bare, 1, W(NOP));
    bare_push(bare, 1, W(MOP_CFG) | 5);
    bare_run(bare, 40);
    for (unsigned thread = 0; thread < 2; thread++)
        for (unsigned r = 0; r < 2 * TF_RESOURCES; r++)
            assert_int_equal(bare->tile.tensix->ttsync[thread].in_flight[r], 0);
    bare_push(bare, 0, W(SFPNOP)); /* of the class of all others */
    for (unsigned i = 0; i < 3; i++)
        assert_true(blocks(bare, TF_CORE_T0, (const uint32_t[]){GPR, CFG, TDMA}[i], false));
}

/* AutoTTSync.md, "Other scenarios": windows that are not watched. */
static void test_not_watched(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, WAIT);
    set_tracking(bare, 0, TRACK_ALL);
    bare->tile.tensix->thread[0].replay.buffer[0] = MARK(0);
    bare_push(bare, 0, W(REPLAY) | V(REPLAY, len, 1)); /* of everything that can be declared */
    bare_run(bare, 10);
    assert_true(blocks(bare, TF_CORE_T0, GPR, true));
    assert_false(blocks(bare, TF_CORE_T0, TF_MOP_CFG_BASE, true));   /* MopCfg */
    assert_false(blocks(bare, TF_CORE_T0, TF_SEMAPHORE_BASE, true)); /* semaphores */
    assert_false(blocks(bare, TF_CORE_T0, TF_SEMAPHORE_BASE, false));
    assert_false(blocks(bare, TF_CORE_T0, MOP_DONE, false));
    assert_int_equal(store(bare, TF_CORE_T0, TF_MOP_CFG_BASE), TF_ACCESS_OK);
    assert_int_equal(load(bare, TF_CORE_T0, TF_SEMAPHORE_BASE), TF_ACCESS_OK);
}

/* A lost, recorded or empty instruction holds no resource, either. */
static void test_nothing_stays_counted(void **state)
{
    struct bare *bare = *state;
    set_tracking(bare, 0, TRACK_ALL);
    bare->tile.tensix->thread[0].mop.config[0] = 0;
    bare_push(bare, 0, W(MOP) | 1 << 23); /* expands to nothing */
    bare_push(bare, 0, W(REPLAY) | 2 << 4 | 1);
    bare_push(bare, 0, W(ADDDMAREG));
    bare_push(bare, 0, W(REPLAY) | 1 << 4);
    bare_push(bare, 0, W(MOP_CFG));
    bare->tile.cycle++;
    bare_push_b(bare, 0, MARK(1));
    bare_push(bare, 0, W(WRCFG));
    bare_run(bare, 50);
    for (unsigned r = 0; r < 2 * TF_RESOURCES; r++)
        assert_int_equal(bare->tile.tensix->ttsync[0].in_flight[r], 0);
    bare_push(bare, 0, WAIT);
    configure_mop(bare, 100);
    bare_run(bare, 10);
    bare->tile.hart[TF_CORE_T0].state = TF_CORE_RESET;
    tf_tensix_reset(&bare->tile);
    post(bare);
    bare_run(bare, 10);
    for (unsigned r = 0; r < 2 * TF_RESOURCES; r++)
        assert_int_equal(bare->tile.tensix->ttsync[0].in_flight[r], 0);
}

/* RESOURCEDECL changes a class for its thread, from the next push on. Soft reset bit 23 reverts it. */
static void test_declaration(void **state)
{
    struct bare *bare = *state;
    set_tracking(bare, 0, TRACK_ALL);
    bare_push(bare, 0, WAIT);
    bare_push(bare, 0, W(RESOURCEDECL) | V(RESOURCEDECL, op_class, 0) | V(RESOURCEDECL, resources, 1 << 5));
    bare_push(bare, 0, W(ADDDMAREG));
    bare_run(bare, 10);
    assert_false(blocks(bare, TF_CORE_T0, GPR, false));
    assert_true(blocks(bare, TF_CORE_T0, GPR, true));
    bare->tile.mmio.debug.soft_reset = 1 << 23;
    tf_tensix_reset(&bare->tile);
    assert_int_equal(bare->tile.tensix->ttsync[0].declared[0], 3 << 5);
    bare_push(bare, 0, W(ADDDMAREG));
    assert_true(blocks(bare, TF_CORE_T0, GPR, false));
    post(bare);
    bare_run(bare, 20);
    assert_false(blocks(bare, TF_CORE_T0, GPR, true));
}

/* Which bank, and with EnSubdividedCfgForUnpacr which part of it. */
static void test_configuration(void **state)
{
    (void)state;
    static const struct {
        uint16_t subdivided;
        uint32_t pushed;
        uint8_t state_id;
        uint32_t word; /* of the window at 0xFFEF0000 */
        bool held;
    } rows[] = {
        {0, W(WRCFG), 0, 10, true},
        {0, W(WRCFG), 0, 224 + 10, false},
        {0, W(WRCFG), 1, 10, false},
        {0, W(WRCFG), 1, 224 + 10, true},
        {0, W(WRCFG), 1, 200, true},
        {0, W(WRCFG), 0, 224 + 200, true},
        {0, W(WRCFG), 0, 448 + 10, true},
        {0, W(WRCFG), 1, 672, true},
        {0, W(UNPACR), 0, 10, true},
        {2, W(UNPACR), 0, 64, true},
        {2, W(UNPACR), 0, 65, false},
        {2, W(UNPACR), 0, 112, false},
        {2, W(UNPACR) | 1u << 23, 0, 112, true},
        {2, W(UNPACR) | 1u << 23, 0, 64, false},
        {2, W(UNPACR), 0, 10, false},
        {2, W(PACR), 0, 64, false},
        {2, W(PACR), 0, 10, true},
        {2, W(PACR), 0, 48, true},
        {2, W(UNPACR), 0, 48, true},
        {2, W(UNPACR), 0, 45, true},
        {2, W(UNPACR), 0, 200, false},
        {2, W(PACR), 0, 200, true},
        {2, W(UNPACR), 0, 672 + 1, true},
        {2, W(UNPACR), 0, 672 + 2, false},
        {2, W(PACR), 0, 672 + 1, false},
        {2, W(WRCFG), 0, 64, true},
        {2, W(UNPACR), 1, 64, false},
        {2, W(UNPACR), 1, 224 + 64, true},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bare *bare;
        logged_setup((void **)&bare);
        bare->tile.tensix->config->thread[0][TF_THREAD_CFG_STATE_ID] = rows[i].state_id;
        bare_push(bare, 0, WAIT);
        set_tracking(bare, 0, TRACK_ALL | rows[i].subdivided);
        bare_push(bare, 0, rows[i].pushed);
        bare_run(bare, 10);
        if (blocks(bare, TF_CORE_T0, TF_CFG_BASE + 4 * rows[i].word, true) != rows[i].held)
            fail_msg("row %u: word %u after 0x%08x", i, rows[i].word, rows[i].pushed);
        bare_teardown((void **)&bare);
    }
}

/* A SETC16 under way selects the bank of what is pushed after it. The bank that is selected now counts, too. */
static void test_state_change(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, WAIT);
    set_tracking(bare, 0, TRACK_ALL);
    bare_push(bare, 0, W(SETC16) | 1);
    bare_push(bare, 0, W(WRCFG));
    bare_run(bare, 10);
    assert_true(blocks(bare, TF_CORE_T0, TF_CFG_BASE, false));
    assert_true(blocks(bare, TF_CORE_T0, TF_CFG_BASE + 4 * 224, false));
}

#define T(test) cmocka_unit_test_setup_teardown(test, logged_setup, bare_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        T(test_done_check),
        T(test_done_check_within_a_slice),
        T(test_done_check_waits_for_units),
        T(test_override),
        cmocka_unit_test(test_mop_done),
        cmocka_unit_test(test_mop_done_behind_others),
        T(test_new_mop_config),
        T(test_flushed_mop_keeps_order),
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_tracking_bits),
        T(test_windows),
        T(test_switched_off),
        T(test_expansion_holds),
        T(test_nothing_stays_counted),
        T(test_mop_of_replays_holds),
        T(test_no_declaration),
        T(test_not_watched),
        T(test_declaration),
        cmocka_unit_test(test_configuration),
        T(test_state_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
