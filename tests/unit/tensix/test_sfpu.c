/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random instructions, operands and configurations: the coprocessor gives the results of the lane-by-lane model, with
 * every set of kernels that this host can run.
 */
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/isa/sfpu.h"
#include "tile/tensix/vector/vector.h"
#include "unit/tensix/bare.h"

#include "unit/tensix/sfpu_model.h"

#define MATH 1u /* the thread that issues */

static const uint8_t opcodes[] = {
#define SFPU(name, unit, registers, reads, may_read, may_write, traits) TF_OP_##name,
#define MOVE(name, unit, registers, reads, may_read, may_write, traits)
#include "tile/tensix/isa/sfpu.def"
#undef SFPU
    TF_OP_SFPLOAD,
    TF_OP_SFPSTORE,
};

/* Bit patterns with special cases: all kinds of FP32, small integers, neighbours of the limits of other formats. */
static uint32_t interesting(void)
{
    static const uint32_t corner[] = {
        0x00000000, 0x80000000, 0x00000001, 0x807FFFFF, 0x00800000, 0x80800000, 0x3F800000, 0xBF800000, 0x7F7FFFFF,
        0x7F800000, 0xFF800000, 0x7FC00000, 0xFF800001, 0x7FFFFFFF, 0xFFFFFFFF, 0x3F000000, 0x3FC00000, 0x40000000,
        0x40400000, 0x40800000, 0x3F7FFFFF, 0x3FFFFFFF, 0x38800000, 0x387FE000, 0x47800000, 0x477FF000, 0x3C800000,
        0x3F320000, 0x7E800000, 0x7E7FFFFF, 0x0000001F, 0xFFFFFFE1, 0x00FFFFFF, 0x01000001, 0x43000000, 0x46FFFE00,
    };
    switch (bare_random() % 6) {
    case 0: return corner[bare_random() % (sizeof corner / sizeof corner[0])];
    case 1: return (bare_random() & 0x807FFFFF) | (127 - 16 + bare_random() % 32) << 23;
    case 2: return (bare_random() & 0x1FF) - 0x100;
    case 3: return bare_random() & 0xFFFF0000;
    default: return bare_random();
    }
}

static void set_thread_config(struct tf_tensix *tensix, uint32_t field, uint32_t value)
{
    uint16_t *word = &tensix->config->thread[MATH][field >> 16];
    uint32_t mask = ((1u << (field & 0xFF)) - 1) << (field >> 8 & 0xFF);
    *word = (uint16_t)((*word & ~mask) | value << (field >> 8 & 0xFF));
}

static void set_config(struct tf_tensix *tensix, uint32_t field, uint32_t value)
{
    for (unsigned bank = 0; bank < 2; bank++) {
        uint32_t *word = &tensix->config->bank[bank][field >> 16];
        uint32_t mask = ((1u << (field & 0xFF)) - 1) << (field >> 8 & 0xFF);
        *word = (*word & ~mask) | value << (field >> 8 & 0xFF);
    }
}

/* The same random state on both sides. calm: nothing but registers and flags. */
static void fill(struct bare *bare, struct model *model, bool calm)
{
    struct tf_tensix *tensix = bare->tile.tensix;
    struct tf_vector *vector = tf_sfpu_get(&bare->tile);
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    for (unsigned row = 0; row < 8; row++)
        for (unsigned lane = 0; lane < 32; lane++)
            vector->lreg[row][lane] = model->lane[lane].lreg[row] = interesting();
    for (unsigned row = 11; row < 15; row++)
        for (unsigned lane = 0; lane < 32; lane++)
            vector->lreg[row][lane] = model->lane[lane].lreg[row] = lane < 8 ? interesting()
                                                                             : vector->lreg[row][lane & 7];
    vector->lane.flags = bare_random() | (bare_random() & 1 ? 0 : 0xFFFFFFFF);
    vector->lane.use = bare_random() & 1 ? 0xFFFFFFFF : bare_random() & 1 ? 0 : bare_random();
    for (unsigned lane = 0; lane < 32; lane++) {
        model->lane[lane].prng = vector->prng[lane] = bare_random();
        model->lane[lane].flag = vector->lane.flags >> lane & 1;
        model->lane[lane].use = vector->lane.use >> lane & 1;
    }
    if (calm)
        return;
    for (unsigned row = 0; row < 1024; row++) {
        for (unsigned column = 0; column < 16; column++)
            model->dst[row][column] = dst->bits[row][column] = (uint16_t)bare_random();
        if ((model->undefined[row] = bare_random() % 16 == 0))
            tf_dst_undefine(dst, row);
        else
            tf_dst_define(dst, row);
    }
    model->math_offset = bare_random() & 0x3FF;
    model->sp_step = model->wormhole ? 0 : bare_random() & 7; /* Wormhole has no stack */
    tensix->rwc[MATH].dst = bare_random() & 0x3FF;
    set_thread_config(tensix, TF_THREAD_CFG_DEST_TARGET_REG_CFG_MATH_Offset, model->math_offset);
    set_thread_config(tensix, TF_THREAD_CFG_SFPU_STACK_Incr, model->sp_step);
    model->dst_counter = tensix->rwc[MATH].dst;
    model->sp = vector->stack_pointer[MATH];
    model->remap_addrs = !model->wormhole && bare_random() & 1;
    model->swizzle_32b = bare_random() & 1;
    set_config(tensix, TF_CFG_DEST_ACCESS_CFG_remap_addrs, model->remap_addrs);
    set_config(tensix, TF_CFG_DEST_ACCESS_CFG_swizzle_32b, model->swizzle_32b);
    bool wide = bare_random() % 4 == 0;
    unsigned format = bare_random() & 15;
    set_config(tensix, TF_CFG_ALU_ACC_CTRL_SFPU_Fp32_enabled, wide);
    set_config(tensix, TF_CFG_ALU_FORMAT_SPEC_REG_SrcB_override, 0);
    set_config(tensix, TF_CFG_ALU_FORMAT_SPEC_REG1_SrcB, format);
    static const uint8_t half[] = {1, 2, 3, 10, 11, 12, 13, 14}; /* exponents of five bits, and INT8 */
    model->srcb_format = wide ? 3 : memchr(half, (int)format, sizeof half) != NULL ? 1 : 2;
}

static void compare(struct bare *bare, const struct model *model, uint32_t word)
{
    const struct tf_vector *vector = bare->tile.tensix->vector;
    for (unsigned lane = 0; lane < 32; lane++) {
        const struct model_lane *l = &model->lane[lane];
        for (unsigned row = 0; row < 17; row++)
            if (vector->lreg[row][lane] != l->lreg[row])
                fail_msg("%s: word %08x: LReg[%u] lane %u is %08x, not %08x", vector->kernels->name, word, row, lane,
                         vector->lreg[row][lane], l->lreg[row]);
        const struct tf_macro_config *macro = &vector->macro[lane & 7];
        bool same = l->flag == (vector->lane.flags >> lane & 1) && l->use == (vector->lane.use >> lane & 1) &&
                    l->prng == vector->prng[lane] && l->config == vector->lane_config[lane & 7] &&
                    l->depth == vector->lane.depth[lane & 7] && l->misc == macro->misc &&
                    memcmp(l->template, macro->template, sizeof l->template) == 0 &&
                    memcmp(l->sequence, macro->sequence, sizeof l->sequence) == 0;
        for (unsigned level = 0; level < l->depth; level++)
            same = same && l->stack_flag[level] == (vector->lane.stack_flags[level] >> lane & 1) &&
                   l->stack_use[level] == (vector->lane.stack_use[level] >> lane & 1);
        if (!same)
            fail_msg("%s: word %08x: flags, stack or configuration of lane %u differ", vector->kernels->name, word,
                     lane);
    }
    assert_int_equal(vector->stack_pointer[MATH], model->sp);
}

static void compare_dst(struct bare *bare, const struct model *model, uint32_t word)
{
    const struct tf_dst *dst = bare->tile.tensix->dst;
    for (unsigned row = 0; row < 1024; row++) {
        if (memcmp(dst->bits[row], model->dst[row], sizeof model->dst[row]) != 0 ||
            tf_dst_is_undefined(dst, row) != model->undefined[row])
            fail_msg("word %08x: row %u of Dst differs", word, row);
    }
}

/* Parts that the two do not share. An SFPLOAD has advanced nothing, because all address modifiers are zero. */
static void run(struct bare *bare, struct model *model, uint32_t word)
{
    struct model *before = malloc(sizeof *before);
    assert_non_null(before);
    *before = *model;
    bool defined = model_execute(model, word);
    unsigned faults = bare->tile.faults.count;
    tf_tensix_execute *execute = tf_tensix_dispatch[word >> 24];
    execute(&bare->tile, MATH, word);
    if (defined != (bare->tile.faults.count == faults))
        fail_msg("word %08x: %s fault", word, defined ? "there is a" : "there is no");
    if (!defined) {
        bare->tile.tensix->thread[MATH].faulted = false;
        bare->tile.faults.count = 0;
        *model = *before;
    }
    free(before);
    compare(bare, model, word);
}

static uint32_t random_word(unsigned opcode)
{
    uint32_t word = (uint32_t)opcode << 24 | (bare_random() & TF_TENSIX_OPERANDS & ~tf_tensix_ops[opcode].reserved);
    /* Mostly registers that can be written, and no address modifier. */
    if (bare_random() % 8 != 0 && opcode != TF_OP_SFPCONFIG)
        word &= opcode <= TF_OP_SFPLUT ? ~0x00800000u : ~0x00000080u;
    if (opcode == TF_OP_SFPLOAD || opcode == TF_OP_SFPSTORE)
        word &= ~0xE000u;
    return word;
}

/* The number of random instructions, and of each instruction: as many as sanitizer builds execute in a few seconds. */
#define ROUNDS 800u
#define EACH 100u

static void with_set(struct bare *bare, enum tf_vectors choice, unsigned rounds)
{
    if (tf_sfpu_kernels_of(TF_EDITION_BLACKHOLE, choice) == NULL) {
        print_message("this host cannot run set %u\n", choice);
        return;
    }
    struct model *model = malloc(sizeof *model);
    assert_non_null(model);
    model_reset(model);
    tf_sfpu_destroy(&bare->tile);
    assert_true(tf_sfpu_choose(&bare->tile, choice));
    for (unsigned round = 0; round < rounds; round++) {
        fill(bare, model, round % 32 != 0);
        for (unsigned i = 0; i < sizeof opcodes; i++) {
            unsigned opcode = opcodes[bare_random() % sizeof opcodes];
            /* LaneConfig changes rarely, and often returns to zero, so that most lanes are not disabled for ever. */
            if (opcode == TF_OP_SFPCONFIG && bare_random() % 4 != 0)
                continue;
            run(bare, model, random_word(opcode));
        }
        if (round % 4 == 3) {
            run(bare, model, W(SFPENCC) | V(SFPENCC, instr_mod1, 10) | V(SFPENCC, imm12_math, 3));
            run(bare, model, W(SFPCONFIG) | V(SFPCONFIG, config_dest, 15) | V(SFPCONFIG, instr_mod1, 1));
        }
        if (round % 32 == 31)
            compare_dst(bare, model, 0);
    }
    free(model);
}

static void test_portable(void **state)
{
    bare_seed();
    with_set(*state, TF_VECTORS_PORTABLE, ROUNDS);
}

static void test_avx2(void **state)
{
    bare_seed();
    with_set(*state, TF_VECTORS_AVX2, ROUNDS);
}

static void test_avx512(void **state)
{
    bare_seed();
    with_set(*state, TF_VECTORS_AVX512, ROUNDS);
}

/* One instruction at a time, all lanes. So each opcode is tested, whatever the sequences above execute. */
static void test_each(void **state)
{
    struct bare *bare = *state;
    struct model *model = malloc(sizeof *model);
    assert_non_null(model);
    bare_seed();
    for (enum tf_vectors choice = TF_VECTORS_PORTABLE; choice < TF_VECTOR_LEVELS; choice++) {
        if (tf_sfpu_kernels_of(TF_EDITION_BLACKHOLE, choice) == NULL)
            continue;
        model_reset(model);
        tf_sfpu_destroy(&bare->tile);
        assert_true(tf_sfpu_choose(&bare->tile, choice));
        fill(bare, model, false);
        for (unsigned round = 0; round < EACH; round++) {
            for (unsigned i = 0; i < sizeof opcodes; i++) {
                fill(bare, model, true);
                run(bare, model, W(SFPENCC) | V(SFPENCC, instr_mod1, 10) | V(SFPENCC, imm12_math, 3));
                if (opcodes[i] != TF_OP_SFPCONFIG)
                    run(bare, model, random_word(opcodes[i]));
            }
        }
    }
    free(model);
}

/* SFPLOAD and SFPSTORE of all formats on Wormhole, with some lanes and with all. */
static void test_moves_of_wormhole(void **state)
{
    struct bare *bare = *state;
    struct model *model = malloc(sizeof *model);
    assert_non_null(model);
    bare_seed();
    for (enum tf_vectors choice = TF_VECTORS_PORTABLE; choice < TF_VECTOR_LEVELS; choice++) {
        if (tf_sfpu_kernels_of(TF_EDITION_WORMHOLE, choice) == NULL)
            continue;
        model_reset(model);
        model->wormhole = true;
        tf_sfpu_destroy(&bare->tile);
        assert_true(tf_sfpu_choose(&bare->tile, choice));
        for (unsigned round = 0; round < EACH; round++) {
            fill(bare, model, round != 0);
            if (round % 4 != 0)
                run(bare, model, W(SFPENCC) | V(SFPENCC, instr_mod1, 10) | V(SFPENCC, imm12_math, 3));
            for (unsigned i = 0; i < sizeof opcodes; i++)
                run(bare, model, random_word(bare_random() & 1 ? TF_OP_SFPLOAD : TF_OP_SFPSTORE));
        }
        compare_dst(bare, model, 0);
    }
    free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_portable, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_avx2, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_avx512, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_each, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_moves_of_wormhole, bare_setup_wormhole, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
