/* SPDX-License-Identifier: Apache-2.0 */
/* The wait gate: STALLWAIT.md, SEMWAIT.md, STREAMWAIT.md and WaitGate.md, one condition and one block bit at a time. */
#include "tile/tensix/config/state.h"
#include "tile/tensix/issue/run.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/whole/status.h"
#include "tile/tensix/whole/window.h"
#include "unit/tensix/logged.h"
#include "tilefarm_address.h"

#define STALL(block, condition) (W(STALLWAIT) | V(STALLWAIT, stall_res, block) | V(STALLWAIT, wait_res, condition))
#define SEM(block, mask, condition) \
    (W(SEMWAIT) | V(SEMWAIT, stall_res, block) | V(SEMWAIT, sem_sel, mask) | V(SEMWAIT, wait_sem_cond, condition))
#define DELAY 100

/* One instruction of each unit, and the bits of a block mask that hold it. */
static const struct {
    uint32_t word;
    uint16_t block;
} one_of_each[] = {
    {W(SETADC), 0x001},    {W(XMOV), 0x011},        {W(STOREREG), 0x021},  {W(DMANOP), 0x021},
    {W(PACR), 0x005},      {W(PACR_SETREG), 0x005}, {W(UNPACR), 0x009},    {W(UNPACR_NOP), 0x009},
    {W(ZEROACC), 0x040},   {W(SETRWC), 0x040},      {W(WRCFG), 0x080},     {W(SETC16), 0x080},
    {W(RMWCIB2), 0x080},   {W(STREAMWRCFG), 0x080}, {W(SFPNOP), 0x100},    {W(SFPLOAD), 0x100},
    {W(SEMPOST), 0x002},   {W(SEMGET), 0x002},      {W(SEMINIT), 0x002},   {W(ATRELM), 0x002},
    {W(ATGETM), 0x002},    {STALL(1, 1), 0x1FF},    {SEM(1, 0, 1), 0x1FF}, {W(STREAMWAIT), 0x1FF},
    {W(SETDVALID), 0x001}, {W(CLEARDVALID), 0x040}, {W(RDCFG), 0x080},     {W(SFPLOADMACRO), 0x100},
};

static bool passed(struct bare *bare, unsigned thread)
{
    return tf_tensix_thread_idle(&bare->tile, thread, UINT64_MAX);
}

static void post(struct bare *bare, unsigned semaphore)
{
    assert_int_equal(tf_tensix_store(&bare->tile, TF_CORE_T0, TF_SEMAPHORE_BASE + 4 * semaphore, 0), TF_ACCESS_OK);
}

static void get(struct bare *bare, unsigned semaphore)
{
    assert_int_equal(tf_tensix_store(&bare->tile, TF_CORE_T0, TF_SEMAPHORE_BASE + 4 * semaphore, 1), TF_ACCESS_OK);
}

/* Each block bit against an instruction of each unit. Only its own bits hold the instruction, and the condition
   releases it. */
static void test_block_bits(void **state)
{
    for (unsigned bit = 0; bit < 9; bit++)
        for (unsigned i = 0; i < sizeof one_of_each / sizeof one_of_each[0]; i++) {
            struct bare *bare;
            bare_setup((void **)&bare);
            logged.count = 0;
            bare_push(bare, 1, SEM(1u << bit, 1 << 3, 1));
            bare_push(bare, 1, one_of_each[i].word);
            bare_run(bare, 20);
            bool held = one_of_each[i].block >> bit & 1;
            if (passed(bare, 1) == held)
                fail_msg("B%u, instruction 0x%08x", bit, one_of_each[i].word);
            assert_int_equal(tf_tensix_waiting(&bare->tile), true);
            post(bare, 3);
            assert_int_equal(tf_tensix_waiting(&bare->tile), !held);
            bare_run(bare, 20);
            assert_true(passed(bare, 1));
            assert_int_equal(bare->tile.faults.count, 0);
            bare_teardown((void **)&bare);
        }
    (void)state;
}

/* Several bits hold each instruction that any of them holds. Once an instruction is held, no later one passes. */
static void test_block_mask(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, SEM(0x180, 1, 1));
    bare_push(bare, 0, W(STOREREG));
    bare_push(bare, 0, W(SFPNOP));
    bare_push(bare, 0, W(STOREREG));
    bare_run(bare, 20);
    assert_int_equal(logged.count, 1);
    post(bare, 0);
    bare_run(bare, 20);
    assert_int_equal(logged.count, 3);
}

/* Only a full mask holds NOP. */
static void test_nop(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, SEM(0x1FE, 1, 1));
    bare_push(bare, 0, W(NOP));
    bare_run(bare, 20);
    assert_true(passed(bare, 0));
    bare_push(bare, 2, SEM(0x1FF, 1, 1));
    bare_push(bare, 2, W(NOP));
    bare_run(bare, 20);
    assert_false(passed(bare, 2));
}

/* The latched wait holds a later wait instruction, with any bits. */
static void test_wait_after_wait(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, SEM(1 << 8, 1, 1));
    bare_push(bare, 0, SEM(1 << 7, 2, 1));
    bare_push(bare, 0, W(WRCFG));
    bare_run(bare, 20);
    assert_int_equal(bare->tile.tensix->thread[0].gate.wait.semaphores, 1);
    post(bare, 0);
    bare_run(bare, 20);
    assert_int_equal(bare->tile.tensix->thread[0].gate.wait.semaphores, 2);
    assert_false(passed(bare, 0));
    post(bare, 1);
    bare_run(bare, 20);
    assert_true(passed(bare, 0));
}

/* A block mask of 0 stands for B6; a condition mask of 0 for 0x0F (STALLWAIT.md). */
static void test_zero_masks(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, SEM(0, 1, 1));
    bare_push(bare, 0, W(WRCFG));
    bare_push(bare, 0, W(ZEROACC));
    bare_run(bare, 20);
    assert_int_equal(logged.count, 1);
    post(bare, 0);
    bare_run(bare, 20);
    assert_int_equal(logged.count, 2);
    for (unsigned thread = 0; thread < 3; thread++)
        bare_push(bare, thread, STALL(0, 0));
    bare_run(bare, 1);
    assert_int_equal(bare->tile.tensix->thread[1].gate.wait.condition, 0x0F);
    assert_int_equal(bare->tile.tensix->thread[1].gate.wait.block, 1 << 6);
    bare_push(bare, 2, W(STREAMWAIT));
    bare_run(bare, 20);
    assert_int_equal(bare->tile.tensix->thread[2].gate.wait.opcode, 0); /* 0 >= 0 holds immediately */
}

/* SEMWAIT without conditions latches a STALLWAIT without conditions; its semaphores have no effect. */
static void test_semwait_without_conditions(void **state)
{
    struct bare *bare = *state;
    tf_tensix_delay(&bare->tile, DELAY);
    bare_push(bare, 1, W(PACR_SETREG));
    bare_push(bare, 1, SEM(1 << 7, 1, 0));
    bare_push(bare, 1, W(WRCFG));
    bare_run(bare, DELAY / 2);
    const struct tf_wait *wait = &bare->tile.tensix->thread[1].gate.wait;
    assert_int_equal(wait->opcode, TF_OP_STALLWAIT);
    assert_int_equal(wait->condition, 0x0F);
    assert_int_equal(wait->block, 1 << 7);
    assert_int_equal(wait->semaphores, 0);
    assert_int_equal(logged.count, 1); /* the packer is at work */
    bare_run(bare, DELAY);
    assert_int_equal(logged.count, 2);
    assert_int_equal(bare->tile.faults.count, 0);
}

/* The condition is met already. The next instruction is still held for one cycle. */
static void test_one_cycle_lag(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, STALL(1 << 7, 1));
    bare_push(bare, 0, W(WRCFG));
    bare_push(bare, 1, STALL(1 << 7, 1));
    bare_push(bare, 1, W(SFPNOP)); /* not held */
    bare_run(bare, 20);
    assert_int_equal(logged.count, 2);
    assert_int_equal(logged.thread[0], 1);
    assert_int_equal(logged.cycle[0], 1);
    assert_int_equal(logged.cycle[1], 2);
}

/* A wait is cleared when it is met, even if it holds no instruction. */
static void test_forgotten_without_instruction(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, SEM(1 << 7, 1, 1));
    bare_run(bare, 20);
    assert_true(passed(bare, 0));
    assert_true(tf_tensix_waiting(&bare->tile));
    post(bare, 0);
    get(bare, 0);
    bare_push(bare, 0, W(WRCFG));
    bare_run(bare, 20);
    assert_true(passed(bare, 0));
}

/* All selected semaphores must be right at the same moment. */
static void test_simultaneous(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, SEM(1 << 7, 3, 1));
    bare_push(bare, 0, W(WRCFG));
    bare_run(bare, 5);
    post(bare, 0);
    bare_run(bare, 5);
    get(bare, 0);
    post(bare, 1);
    bare_run(bare, 5);
    assert_false(passed(bare, 0));
    post(bare, 0);
    bare_run(bare, 5);
    assert_true(passed(bare, 0));
}

/* C0 Value == 0, C1 Value >= Max, and both. */
static void test_semaphore_conditions(void **state)
{
    (void)state;
    for (unsigned condition = 1; condition < 4; condition++)
        for (unsigned value = 0; value < 4; value++)
            for (unsigned max = 0; max < 4; max++) {
                struct bare *bare;
                bare_setup((void **)&bare);
                bare->tile.tensix->sync->value[5] = (uint8_t)value;
                bare->tile.tensix->sync->max[5] = (uint8_t)max;
                bare->tile.tensix->sync->value[6] = 9;
                bare_push(bare, 2, SEM(1 << 7, 1 << 5, condition));
                bare_push(bare, 2, W(WRCFG));
                bare_run(bare, 20);
                bool waits = ((condition & 1) && value == 0) || ((condition & 2) && value >= max);
                assert_int_equal(passed(bare, 2), !waits);
                bare_teardown((void **)&bare);
            }
}

/* No semaphore selected: nothing to wait for. */
static void test_no_semaphore(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, SEM(0x1FF, 0, 3));
    bare_push(bare, 0, W(WRCFG));
    bare_run(bare, 20);
    assert_true(passed(bare, 0));
}

/* Conditions on a pipeline: what fills it, in which thread, and whether other threads wait, too. */
static const struct {
    unsigned condition;
    uint32_t word;
    bool any_thread;
} pipelines[] = {
    {0, W(STOREREG), false},   {0, W(LOADIND), false},           {0, W(ATSWAP), false}, {1, W(UNPACR), false},
    {1, W(UNPACR_NOP), false}, {2, W(UNPACR) | 1u << 23, false}, {3, W(PACR), false},   {4, W(ZEROACC), false},
    {9, W(XMOV), true},        {11, W(SFPNOP), false},           {12, W(WRCFG), true},  {12, W(SETC16), true},
};

static void test_pipeline_conditions(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof pipelines / sizeof pipelines[0]; i++)
        for (unsigned condition = 0; condition < 13; condition++)
            for (unsigned other = 0; other < 2; other++) {
                if (condition == 7 || condition == 8)
                    continue;
                struct bare *bare;
                bare_setup((void **)&bare);
                logged.count = 0;
                tf_tensix_delay(&bare->tile, DELAY);
                bare_push(bare, 1, pipelines[i].word);
                bare_push(bare, other ? 2 : 1, STALL(1 << 1, 1u << condition));
                bare_push(bare, other ? 2 : 1, W(SEMPOST) | 1 << 2);
                bare_run(bare, DELAY / 2);
                assert_int_equal(logged.count, 1);
                bool waits = condition == pipelines[i].condition && (!other || pipelines[i].any_thread);
                if ((bare->tile.tensix->sync->value[0] == 0) != waits)
                    fail_msg("C%u after 0x%08x, other thread %u", condition, pipelines[i].word, other);
                assert_false(tf_tensix_waiting(&bare->tile)); /* time will tell */
                bare_run(bare, DELAY);
                assert_int_equal(bare->tile.tensix->sync->value[0], 1);
                assert_true(tf_tensix_waiting(&bare->tile));
                bare_teardown((void **)&bare);
            }
}

/* Nothing is under way when completion is not delayed, and ThCon's arithmetic never is. */
static void test_no_pipeline(void **state)
{
    struct bare *bare = *state;
    bare_push(bare, 0, W(STOREREG));
    bare_push(bare, 0, STALL(0x1FF, 0x1E1F));
    bare_push(bare, 0, W(SEMPOST) | 1 << 2);
    bare_run(bare, 5);
    assert_int_equal(bare->tile.tensix->sync->value[0], 1);
    tf_tensix_delay(&bare->tile, DELAY);
    bare_push(bare, 0, W(ADDDMAREG));
    bare_push(bare, 0, STALL(0x1FF, 1));
    bare_push(bare, 0, W(SEMPOST) | 1 << 2);
    bare_run(bare, 5);
    assert_int_equal(bare->tile.tensix->sync->value[0], 2);
}

/* C10: an access of the T core to GPRs, configuration or TDMA-RISC that is not processed yet. */
static void test_riscv_condition(void **state)
{
    struct bare *bare = *state;
    tf_tensix_delay(&bare->tile, DELAY);
    assert_int_equal(tf_tensix_store(&bare->tile, TF_CORE_T1, TF_GPR_BASE + 4 * 1, 5), TF_ACCESS_OK);
    for (unsigned thread = 0; thread < 2; thread++) {
        bare_push(bare, thread, STALL(1 << 1, 1 << 10));
        bare_push(bare, thread, W(SEMPOST) | 1u << (2 + thread));
    }
    bare_run(bare, DELAY / 2);
    assert_int_equal(bare->tile.tensix->sync->value[0], 1);
    assert_int_equal(bare->tile.tensix->sync->value[1], 0);
    bare_run(bare, DELAY);
    assert_int_equal(bare->tile.tensix->sync->value[1], 1);
}

/* A load of FIFO_PACKED_TILE_SIZE waits for metadata, which packers never give. It leaves the core when it can be
   processed, so that C10 does not wait for it, with late completion or without. Later accesses count as always. */
static void test_waiting_load(void **state)
{
    const uint32_t address = TF_TDMA_BASE + 0x30;
    for (unsigned late = 0; late < 2; late++) {
        struct bare *bare = *state;
        uint32_t value;
        bool pure;
        tf_tensix_delay(&bare->tile, late * DELAY);
        assert_int_equal(tf_tensix_load(&bare->tile, TF_CORE_T0, address, &value, &pure), TF_ACCESS_BLOCK);
        bare_push(bare, 0, STALL(1 << 1, 1 << 10));
        bare_push(bare, 0, W(SEMPOST) | 1u << 2);
        bare_run(bare, 5);
        assert_int_equal(bare->tile.tensix->sync->value[0], 1 + late);
        assert_true(tf_tensix_access_would_block(&bare->tile, TF_CORE_T0, address, false));
        bare->tile.cycle += 5;
    }
}

/* C5..C8: which unit owns the banks. */
static void test_src_conditions(void **state)
{
    (void)state;
    for (unsigned condition = 5; condition < 9; condition++)
        for (unsigned bits = 0; bits < 256; bits++) {
            struct bare *bare;
            bare_setup((void **)&bare);
            struct tf_src_banks *src = bare->tile.tensix->src;
            unsigned side = (condition + 1) & 1;
            for (unsigned i = 0; i < 4; i++)
                src->to_matrix[i / 2][i % 2] = bits >> i & 1;
            for (unsigned i = 0; i < 2; i++) {
                src->unpack_bank[i] = bits >> (4 + i) & 1;
                src->matrix_bank[i] = bits >> (6 + i) & 1;
            }
            bool waits = condition < 7 ? src->to_matrix[side][src->unpack_bank[side]]
                                       : !src->to_matrix[side][src->matrix_bank[side]];
            bare_push(bare, 0, STALL(1 << 7, 1u << condition));
            bare_push(bare, 0, W(WRCFG));
            bare_run(bare, 10);
            if (passed(bare, 0) == waits)
                fail_msg("C%u, banks 0x%02x", condition, bits);
            for (unsigned i = 0; i < 4; i++)
                src->to_matrix[i / 2][i % 2] = condition >= 7;
            tf_gate_reconsider(&bare->tile, TF_CHANGE_ALL);
            bare_run(bare, 10);
            assert_true(passed(bare, 0));
            bare_teardown((void **)&bare);
        }
}

/* Matrix instructions wait only for the banks that they read. */
static void test_implicit_src(void **state)
{
    (void)state;
    static const struct {
        uint32_t word;
        bool a, b;
    } rows[] = {
        {W(MVMUL), true, true},   {W(ELWADD), true, true},     {W(GMPOOL), true, true},   {W(MOVA2D), true, false},
        {W(MOVB2D), false, true}, {W(TRNSPSRCB), false, true}, {W(MOVD2A), false, false}, {W(ZEROSRC), false, false},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned valid = 0; valid < 4; valid++) {
            struct bare *bare;
            bare_setup((void **)&bare);
            struct tf_src_banks *src = bare->tile.tensix->src;
            src->matrix_bank[TF_SRC_A] = 1;
            src->to_matrix[TF_SRC_A][1] = valid & 1;
            src->to_matrix[TF_SRC_B][0] = valid >> 1;
            src->to_matrix[TF_SRC_A][0] = src->to_matrix[TF_SRC_B][1] = true; /* the other banks do not count */
            bare_push(bare, 1, rows[i].word);
            bare_run(bare, 10);
            bool waits = (rows[i].a && !(valid & 1)) || (rows[i].b && !(valid >> 1));
            assert_int_equal(passed(bare, 1), !waits);
            assert_int_equal(tf_tensix_waiting(&bare->tile), true);
            src->to_matrix[TF_SRC_A][1] = src->to_matrix[TF_SRC_B][0] = true;
            tf_gate_reconsider(&bare->tile, TF_CHANGE_ALL);
            assert_int_equal(tf_tensix_waiting(&bare->tile), !waits);
            bare_run(bare, 10);
            assert_true(passed(bare, 1));
            bare_teardown((void **)&bare);
        }
}

/* FLUSHDMA occupies the scalar unit until its conditions are met. Other threads' scalar instructions wait, too. */
static void test_flushdma(void **state)
{
    struct bare *bare = *state;
    tf_tensix_delay(&bare->tile, DELAY);
    bare_push(bare, 0, W(PACR));
    bare_push(bare, 0, W(FLUSHDMA) | 1 << 3);
    bare_push(bare, 0, W(SFPNOP));
    bare_run(bare, 10);
    bare_push(bare, 1, MARK(0));
    bare_push(bare, 2, W(SFPNOP));
    bare_run(bare, DELAY / 2);
    assert_int_equal(logged.count, 2);
    assert_int_equal(logged.word[1], W(SFPNOP));
    bare_run(bare, DELAY);
    assert_int_equal(logged.count, 5);
}

static void test_flushdma_other_conditions(void **state)
{
    struct bare *bare = *state;
    tf_tensix_delay(&bare->tile, DELAY);
    bare_push(bare, 0, W(PACR));
    bare_push(bare, 0, W(FLUSHDMA) | 0x7); /* all but the packer */
    bare_push(bare, 1, W(PACR));
    bare_push(bare, 1, W(FLUSHDMA)); /* none stands for all */
    bare_run(bare, DELAY / 2);
    assert_true(bare->tile.tensix->thread[1].gate.full);
    assert_false(bare->tile.tensix->thread[0].gate.full);
}

/* Units in reset start nothing. Other units continue (SoftReset.md). */
static void test_units_in_reset(void **state)
{
    (void)state;
    static const struct {
        uint32_t bits, word;
        bool held;
    } rows[] = {
        {0x001, W(UNPACR), true},   {0x002, W(UNPACR), true},  {0x080, W(UNPACR), true},     {0x100, W(UNPACR), true},
        {0x200, W(STOREREG), true}, {0x200, W(DMANOP), false}, {0x200, W(SETDMAREG), false}, {0x100, W(DMANOP), true},
        {0x400, W(ZEROACC), true},  {0x400, W(SFPNOP), true},  {0x004, W(PACR), true},       {0x100, W(PACR), true},
        {0x100, W(XMOV), true},     {0x7FF, W(WRCFG), false},  {0x7FF, W(SEMPOST), false},   {0x7FF, W(SETADC), false},
        {0x600, W(UNPACR), false},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bare *bare;
        bare_setup((void **)&bare);
        bare->tile.mmio.debug.soft_reset = rows[i].bits;
        tf_tensix_reset(&bare->tile);
        bare_push(bare, 0, rows[i].word);
        bare_run(bare, 10);
        if (passed(bare, 0) == rows[i].held)
            fail_msg("reset 0x%03x, 0x%08x", rows[i].bits, rows[i].word);
        bare->tile.mmio.debug.soft_reset = 0;
        tf_tensix_reset(&bare->tile);
        bare_run(bare, 10);
        assert_true(passed(bare, 0));
        bare_teardown((void **)&bare);
    }
}

static void test_src_reset(void **state)
{
    struct bare *bare = *state;
    struct tf_src_banks *src = bare->tile.tensix->src;
    memset(src, 1, sizeof *src);
    bare->tile.mmio.debug.soft_reset = 1 << 15;
    tf_tensix_reset(&bare->tile);
    assert_false(src->to_matrix[TF_SRC_A][0] || src->to_matrix[TF_SRC_A][1]);
    assert_int_equal(src->unpack_bank[TF_SRC_A] | src->matrix_bank[TF_SRC_A], 0);
    assert_true(src->to_matrix[TF_SRC_B][0] && src->to_matrix[TF_SRC_B][1]);
    bare->tile.mmio.debug.soft_reset = 3 << 15;
    tf_tensix_reset(&bare->tile);
    assert_false(src->to_matrix[TF_SRC_B][0] || src->to_matrix[TF_SRC_B][1]);
}

/* STREAMWAIT: phase and messages received of the selected stream against a target with high bits from ThreadConfig. */
static void test_streamwait(void **state)
{
    struct bare *bare = *state;
    uint16_t *config = bare->tile.tensix->config->thread[1];
    config[TF_THREAD_CFG_STREAMWAIT_PHASE_HI] = 0x3FF;
    config[TF_THREAD_CFG_STREAMWAIT_NUM_MSGS_HI] = 0x41;
    config[TF_THREAD_CFG_STREAM_ID_SYNC + 2] = 37;
    uint32_t *phase = &bare->mmio[(0x40000 + 37 * 0x1000 + 29 * 4) / 4];
    uint32_t *messages = &bare->mmio[(0x40000 + 37 * 0x1000 + 259 * 4) / 4];
    for (unsigned index = 0; index < 2; index++) {
        uint32_t target = index == 0 ? 0x3FFu << 10 | 0x155 : 0x41u << 10 | 0x155;
        uint32_t *value = index == 0 ? phase : messages;
        bare_push(bare, 1,
                  W(STREAMWAIT) | V(STREAMWAIT, stall_res, 1 << 7) | V(STREAMWAIT, target_value, 0x155) |
                      V(STREAMWAIT, target_sel, index) | V(STREAMWAIT, wait_stream_sel, 2));
        bare_push(bare, 1, W(WRCFG));
        *value = target - 1;
        bare_run(bare, 10);
        assert_false(passed(bare, 1));
        assert_true(tf_tensix_waiting(&bare->tile));
        *value = target;
        assert_false(tf_tensix_waiting(&bare->tile));
        bare_run(bare, 10);
        assert_true(passed(bare, 1));
        *value = 0;
    }
}

/* Each selection and condition of its own; a block mask of 0 stands for B6. */
static void test_streamwait_selections(void **state)
{
    struct bare *bare = *state;
    for (unsigned thread = 0; thread < 3; thread++)
        for (unsigned select = 0; select < 4; select++)
            for (unsigned index = 0; index < 2; index++) {
                unsigned stream = 5 + 13 * select + thread;
                bare->tile.tensix->config->thread[thread][TF_THREAD_CFG_STREAM_ID_SYNC + select] = (uint16_t)stream;
                uint32_t *value = &bare->mmio[(0x40000 + stream * 0x1000 + (index == 0 ? 29 : 259) * 4) / 4];
                uint32_t *other = &bare->mmio[(0x40000 + stream * 0x1000 + (index == 0 ? 259 : 29) * 4) / 4];
                *other = 7;
                logged.count = 0;
                bare_push(bare, thread,
                          W(STREAMWAIT) | V(STREAMWAIT, target_value, 7) | V(STREAMWAIT, target_sel, index) |
                              V(STREAMWAIT, wait_stream_sel, select));
                bare_push(bare, thread, W(SFPNOP));
                bare_push(bare, thread, W(ZEROACC));
                bare_run(bare, 10);
                assert_int_equal(logged.count, 1); /* SFPNOP */
                assert_false(passed(bare, thread));
                *value = 7;
                bare_run(bare, 10);
                assert_true(passed(bare, thread));
                *value = *other = 0;
            }
}

static void test_description(void **state)
{
    struct bare *bare = *state;
    char text[200];
    bare_push(bare, 0, SEM(1 << 7, 4, 1));
    bare_push(bare, 0, W(WRCFG));
    bare->tile.tensix->sync->holder[2] = 1;
    bare_push(bare, 1, W(ATGETM) | 2);
    bare_push(bare, 2, SEM(1 << 7, 4, 1)); /* which does not hold MVMUL */
    bare_push(bare, 2, W(MVMUL));
    bare_run(bare, 10);
    assert_true(tf_tensix_describe_wait(&bare->tile, 0, text, sizeof text) > 0);
    assert_non_null(strstr(text, "WRCFG"));
    assert_non_null(strstr(text, "semaphores of mask 0x04 to be above 0"));
    assert_true(tf_tensix_describe_wait(&bare->tile, 1, text, sizeof text) > 0);
    assert_non_null(strstr(text, "mutex 2, held by T0"));
    assert_true(tf_tensix_describe_wait(&bare->tile, 2, text, sizeof text) > 0);
    assert_non_null(strstr(text, "SrcA or SrcB"));
    post(bare, 2);
    assert_int_equal(tf_tensix_describe_wait(&bare->tile, 0, text, sizeof text), 0);
}

#define T(test) cmocka_unit_test_setup_teardown(test, logged_setup, bare_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_bits),
        T(test_block_mask),
        T(test_nop),
        T(test_wait_after_wait),
        T(test_zero_masks),
        T(test_semwait_without_conditions),
        T(test_one_cycle_lag),
        T(test_forgotten_without_instruction),
        T(test_simultaneous),
        cmocka_unit_test(test_semaphore_conditions),
        T(test_no_semaphore),
        cmocka_unit_test(test_pipeline_conditions),
        T(test_no_pipeline),
        T(test_riscv_condition),
        T(test_waiting_load),
        cmocka_unit_test(test_src_conditions),
        cmocka_unit_test(test_implicit_src),
        T(test_flushdma),
        T(test_flushdma_other_conditions),
        cmocka_unit_test(test_units_in_reset),
        T(test_src_reset),
        T(test_streamwait),
        T(test_streamwait_selections),
        T(test_description),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
