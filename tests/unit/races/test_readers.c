/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The race checker's table of configuration readers, of both families. Two equal tiles execute one instruction, while
 * words of the configuration differ in one of them. Words that the table does not give to the instruction change
 * nothing, under any settings, and neither do such bits of words that it has. Rows that it has do change something,
 * where tilefarm reads their fields.
 */
#include "races/state/readers.h"
#include "tile/tensix/configure/config.h"
#include "tile/tensix/config/family.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/config/wormhole.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/format.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/dispatch.h"
#include "unit/tensix/settings.h"

#ifndef ROUNDS /* fewer with sanitizers */
#define ROUNDS 6000u
#endif
#define TRIALS 4000u /* at most, until a word has an effect */
#define GROUP 8u     /* instructions between two whole new configurations */

enum actor { UNPACKER_0, UNPACKER_1, PACKER, COMPUTE, MOVER, NOBODY, ACTORS };

static uint32_t context_of(const struct tf_tensix *tensix, unsigned thread, unsigned side, uint32_t word)
{
    const struct tf_backend_config *config = tensix->config;
    const unsigned offset = side ? TF_THREAD_CFG(config, thread, UNPACK_MISC_CFG_CfgContextOffset_1)
                                 : TF_THREAD_CFG(config, thread, UNPACK_MISC_CFG_CfgContextOffset_0);
    return TF_FIELD(word, UNPACR, ovrd_thread_id) ? (TF_FIELD(word, UNPACR, cfg_context_id) + offset) % CONTEXTS : 0;
}

/* What the table says of an instruction. */
static uint32_t readers_of(const struct tf_tensix *tensix, unsigned thread, enum actor actor, uint32_t word)
{
    switch (actor) {
    case UNPACKER_0:
    case UNPACKER_1: return BIT(UNPACKS(actor)) | BIT(UNPACKS(actor) + 1 + context_of(tensix, thread, actor, word));
    case PACKER: return BIT(PACKS);
    case COMPUTE: return BIT(COMPUTES);
    case MOVER: return BIT(MOVES);
    default: return 0;
    }
}

static bool is_quiet(unsigned opcode)
{
    static const uint8_t quiet[] = {TF_OP_SETRWC,     TF_OP_INCRWC,  TF_OP_CLEARDVALID,
                                    TF_OP_GATESRCRST, TF_OP_ZEROSRC, TF_OP_TRNSPSRCB};
    return memchr(quiet, (int)opcode, sizeof quiet) != NULL;
}

/* An instruction of a unit that reads the configuration, or not. */
static uint32_t of_unit(bool reads)
{
    for (;;) {
        const unsigned opcode = bare_random() & 0xFF;
        const struct tf_tensix_op *op = &tf_tensix_ops[opcode];
        const bool moves = opcode == TF_OP_SFPLOAD || opcode == TF_OP_SFPSTORE;
        if (tf_tensix_dispatch[opcode] == NULL || opcode == TF_OP_SFPLOADMACRO)
            continue;
        if ((op->unit == TF_UNIT_MATRIX && is_quiet(opcode) != reads) || (op->unit == TF_UNIT_VECTOR && moves == reads))
            return opcode << 24 | (bare_random() & 0xFFFFFF & ~op->reserved);
    }
}

static uint32_t instruction(enum actor actor)
{
    uint32_t any = bare_random() & 0xFFFFFF;
    switch (actor) {
    case UNPACKER_0:
    case UNPACKER_1:
        any &= ~(V(UNPACR, unpack_block_selection, 1) | V(UNPACR, auto_inc_context_id, 1));
        return W(UNPACR) | (any & (in_100(70) ? 0xFF8040u | V(UNPACR, cfg_context_id, 7) : 0xFFFFFFu)) |
               V(UNPACR, ovrd_thread_id, in_100(80)) | V(UNPACR, unpack_block_selection, actor);
    case PACKER:
        return W(PACR) | V(PACR, last, in_100(40)) | V(PACR, flush, in_100(5)) | V(PACR, concat, in_100(8)) |
               V(PACR, read_intf_sel, any & 15) | V(PACR, zero_write, in_100(8)) | V(PACR, addr_mode, any >> 4 & 3);
    case MOVER: return W(XMOV);
    default: return of_unit(actor == COMPUTE);
    }
}

static void set(struct pair *pair, unsigned bank, enum tf_cfg_field field, uint32_t value)
{
    for (unsigned i = 0; i < 2; i++) {
        uint32_t *word = &pair->bare[i]->tile.tensix->config->bank[bank][(unsigned)field >> 16];
        *word = tf_cfg_put(*word, field, value);
    }
}

/* A move within L1, or to the configuration. */
static void set_move(struct pair *pair, unsigned bank)
{
    set(pair, bank, TF_CFG_THCON_SEC0_REG6_Source_address, 0x200 + bare_random() % 0x100);
    set(pair, bank, TF_CFG_THCON_SEC0_REG6_Destination_address, 0x400 + bare_random() % 0x100);
    set(pair, bank, TF_CFG_THCON_SEC0_REG6_Buffer_size, 1 + bare_random() % 8);
    set(pair, bank, TF_CFG_THCON_SEC0_REG6_Transfer_direction, in_100(80) ? 3 : bare_random() % 4);
}

/* Integers of 32 bits become integers of 8 bits, shifted by a number of bits. */
static void set_descaling(struct pair *pair, unsigned bank)
{
    set(pair, bank, TF_CFG_ALU_FORMAT_SPEC_REG_Dstacc_override, 0);
    set(pair, bank, TF_CFG_ALU_FORMAT_SPEC_REG2_Dstacc, TF_FORMAT_INT8);
    set(pair, bank, TF_CFG_PCK_DEST_RD_CTRL_Read_32b_data, 1);
    set(pair, bank, TF_CFG_THCON_SEC0_REG1_In_data_format, TF_FORMAT_INT8);
    set(pair, bank, TF_CFG_THCON_SEC0_REG1_Out_data_format, TF_FORMAT_INT8);
    set(pair, bank, TF_CFG_INT_DESCALE_Enable, 1);
    set(pair, bank, TF_CFG_INT_DESCALE_Mode, 0);
    set(pair, bank, TF_CFG_INT_DESCALE_VALUES_SEC0_Value, 20 + bare_random() % 8);
    set(pair, bank, TF_CFG_PCK_DEST_RD_CTRL_Read_int8, 0);
}

static void set_counters(struct pair *pair)
{
    for (unsigned i = 0; i < 18; i++) {
        const uint32_t x = i % 2 == 0   ? bare_random() % 4
                           : in_100(85) ? 15
                                        : 15 + 16 * (bare_random() % 4),
                       y = bare_random() % 4;
        for (unsigned k = 0; k < 2; k++) {
            struct tf_adc_channel *channel = &pair->bare[k]->tile.tensix->adcs->of[i / 6][i / 2 % 3].channel[i % 2];
            channel->value[TF_ADC_X] = x;
            channel->value[TF_ADC_Y] = y;
            channel->value[TF_ADC_Z] = channel->value[TF_ADC_W] = y >> 1;
        }
    }
}

static void execute(struct bare *bare, unsigned thread, uint32_t word)
{
    bare->tile.tensix->config->writes++; /* what units keep of the configuration is old */
    for (unsigned bank = 0; bank < 4; bank++)
        bare->tile.tensix->src->to_matrix[bank / 2][bank % 2] = TF_OP_UNPACR != word >> 24;
    tf_tensix_dispatch[word >> 24](&bare->tile, thread, word);
}

static void make_equal(struct pair *pair, int (*setup)(void **state))
{
    *pair = make_pair(setup);
    for (uint32_t i = 0; i < 0x20000; i++)
        pair->bare[0]->tile.l1[i] = pair->bare[1]->tile.l1[i] = (uint8_t)bare_random();
    configure_pair(pair);
    fill_pair(pair);
}

/* An instruction, and what the table says that it reads. */
struct trial {
    enum actor actor;
    unsigned thread;
    uint32_t word, readers;
};

static struct trial next_trial(struct pair *pair, unsigned number, enum actor actor)
{
    const struct tf_tensix *tensix = pair->bare[0]->tile.tensix;
    struct trial trial = {.actor = actor, .thread = bare_random() % 3};
    if (number % GROUP == 0) {
        configure_pair(pair);
        fill_pair(pair);
    }
    change_some(pair);
    set_counters(pair);
    const unsigned bank = tf_config_bank(tensix->config, trial.thread);
    if (actor == MOVER)
        set_move(pair, bank);
    if (actor == PACKER && in_100(30))
        set_descaling(pair, bank);
    trial.word = instruction(actor);
    trial.readers = readers_of(tensix, trial.thread, actor, trial.word);
    return trial;
}

/* A word of the family changes by these bits, in a bank: the words that units read do. */
static void change_word(struct bare *bare, const struct tf_config_arch *arch, unsigned bank, unsigned word,
                        uint32_t differs)
{
    uint32_t *common = bare->tile.tensix->config->bank[bank];
    if (arch->place == NULL) {
        common[word] ^= differs;
        return;
    }
    bare->tile.tensix->own_config->bank[bank][word] ^= differs;
    const struct tf_cfg_place *place = tf_cfg_places_of(arch->place, arch->ends, word);
    while (place < arch->place + arch->places && place->word == word) {
        struct tf_cfg_bits bits;
        place = tf_cfg_gather(place, arch->place + arch->places, differs, &bits);
        common[bits.word] ^= bits.value;
    }
}

static void change(struct bare *bare, const uint32_t differs[TF_CFG_WORDS])
{
    const struct tf_config_arch *arch = tf_config_arch(&bare->tile);
    for (unsigned i = 0; i < 2u * arch->words; i++)
        change_word(bare, arch, i / arch->words, i % arch->words, differs[i % arch->words]);
}

/* Any change of the word counts. */
static uint32_t readers_of_word(const struct pair *pair, unsigned word)
{
    return config_readers(tf_config_arch(&pair->bare[0]->tile), word, UINT32_MAX);
}

/* Execute it in two tiles whose words differ by these bits. Does that change anything? */
static bool has_effect(struct pair *pair, const struct trial *trial, const uint32_t differs[TF_CFG_WORDS])
{
    change(pair->bare[1], differs);
    execute(pair->bare[0], trial->thread, trial->word);
    execute(pair->bare[1], trial->thread, trial->word);
    change(pair->bare[1], differs);
    return !are_equal(pair);
}

/* Bits of a word that the table does not give to some readers: any ones, those of a byte, or a single one. */
static uint32_t other_bits(const struct pair *pair, unsigned word, uint32_t readers)
{
    const struct tf_config_arch *arch = tf_config_arch(&pair->bare[0]->tile);
    const uint32_t bits = bare_random() & (in_100(50)   ? UINT32_MAX
                                           : in_100(50) ? 0xFFu << 8 * (bare_random() % 4)
                                                        : 1u << bare_random() % 32);
    return bits != 0 && (config_readers(arch, word, bits) & readers) == 0 ? bits : 0;
}

static void try_other_words(int (*setup)(void **state))
{
    struct pair pair;
    bare_seed();
    make_equal(&pair, setup);
    for (unsigned i = 0; i < ROUNDS; i++) {
        const struct trial trial = next_trial(&pair, i, bare_random() % ACTORS);
        uint32_t differs[TF_CFG_WORDS] = {0};
        for (unsigned w = 0; w < tf_config_arch(&pair.bare[0]->tile)->words; w++)
            differs[w] = other_bits(&pair, w, trial.readers);
        if (has_effect(&pair, &trial, differs))
            fail_msg("round %u, 0x%08x of thread %u: a word has an effect that the table does not give to %s", i,
                     trial.word, trial.thread, tf_tensix_ops[trial.word >> 24].mnemonic);
    }
    drop_pair(&pair);
}

static void test_other_words(void **unused)
{
    (void)unused;
    try_other_words(bare_setup);
}

static void test_other_words_wormhole(void **unused)
{
    (void)unused;
    try_other_words(bare_setup_wormhole);
}

/* clang-format off */
/* Rows whose fields tilefarm reads, by the first field of their word. */
#define ROWS_OF_BOTH(ROW) \
    ROW(UNPACKER_0, ALU_FORMAT_SPEC_REG0_SrcAUnsigned) \
    ROW(UNPACKER_0, UNP0_ADDR_BASE_REG_1_Base) \
    ROW(UNPACKER_0, UNP0_FORCED_SHARED_EXP_shared_exp) \
    ROW(UNPACKER_0, UNP0_ADDR_CTRL_XY_REG_1_Xstride) \
    ROW(UNPACKER_0, UNP0_ADDR_CTRL_ZW_REG_1_Zstride) \
    ROW(UNPACKER_0, THCON_SEC0_REG0_TileDescriptor) \
    ROW(UNPACKER_0, THCON_SEC0_REG2_Out_data_format) \
    ROW(UNPACKER_0, THCON_SEC0_REG2_Disable_zero_compress_cntx0) \
    ROW(UNPACKER_0, THCON_SEC0_REG3_Base_address) \
    ROW(UNPACKER_0, THCON_SEC0_REG3_Base_cntx1_address) \
    ROW(UNPACKER_0, THCON_SEC0_REG3_Base_cntx2_address) \
    ROW(UNPACKER_0, THCON_SEC0_REG3_Base_cntx3_address) \
    ROW(UNPACKER_0, THCON_SEC0_REG4_Base_cntx4_address) \
    ROW(UNPACKER_0, THCON_SEC0_REG4_Base_cntx5_address) \
    ROW(UNPACKER_0, THCON_SEC0_REG4_Base_cntx6_address) \
    ROW(UNPACKER_0, THCON_SEC0_REG4_Base_cntx7_address) \
    ROW(UNPACKER_0, THCON_SEC0_REG5_Dest_cntx0_address) \
    ROW(UNPACKER_0, THCON_SEC0_REG5_Dest_cntx2_address) \
    ROW(UNPACKER_0, THCON_SEC0_REG5_Tile_x_dim_cntx0) \
    ROW(UNPACKER_0, THCON_SEC0_REG5_Tile_x_dim_cntx2) \
    ROW(UNPACKER_0, THCON_SEC0_REG7_Offset_address) \
    ROW(UNPACKER_0, THCON_SEC0_REG7_Offset_cntx1_address) \
    ROW(UNPACKER_0, THCON_SEC0_REG7_Offset_cntx2_address) \
    ROW(UNPACKER_0, THCON_SEC0_REG7_Offset_cntx3_address) \
    ROW(UNPACKER_1, ALU_FORMAT_SPEC_REG0_SrcAUnsigned) \
    ROW(UNPACKER_1, UNP1_ADDR_CTRL_XY_REG_1_Xstride) \
    ROW(UNPACKER_1, UNP1_ADDR_CTRL_ZW_REG_1_Zstride) \
    ROW(UNPACKER_1, UNP1_ADDR_BASE_REG_1_Base) \
    ROW(UNPACKER_1, THCON_SEC1_REG0_TileDescriptor) \
    ROW(UNPACKER_1, THCON_SEC1_REG2_Out_data_format) \
    ROW(UNPACKER_1, THCON_SEC1_REG2_Disable_zero_compress_cntx0) \
    ROW(UNPACKER_1, THCON_SEC1_REG3_Base_address) \
    ROW(UNPACKER_1, THCON_SEC1_REG3_Base_cntx1_address) \
    ROW(UNPACKER_1, THCON_SEC1_REG7_Offset_address) \
    ROW(UNPACKER_1, THCON_SEC1_REG7_Offset_cntx1_address) \
    ROW(PACKER, ALU_FORMAT_SPEC_REG2_Dstacc) \
    ROW(PACKER, STACC_RELU_ApplyRelu) \
    ROW(PACKER, INT_DESCALE_Enable) \
    ROW(PACKER, PCK0_ADDR_CTRL_XY_REG_0_Xstride) \
    ROW(PACKER, PCK0_ADDR_CTRL_ZW_REG_0_Zstride) \
    ROW(PACKER, PCK0_ADDR_CTRL_XY_REG_1_Xstride) \
    ROW(PACKER, PCK0_ADDR_CTRL_ZW_REG_1_Zstride) \
    ROW(PACKER, PCK0_ADDR_BASE_REG_0_Base) \
    ROW(PACKER, PCK0_ADDR_BASE_REG_1_Base) \
    ROW(PACKER, PCK_DEST_RD_CTRL_Read_32b_data) \
    ROW(PACKER, PCK_EDGE_OFFSET_SEC0_mask) \
    ROW(PACKER, THCON_SEC0_REG1_L1_Dest_addr) \
    ROW(PACKER, THCON_SEC0_REG1_Disable_zero_compress) \
    ROW(PACKER, THCON_SEC0_REG1_Downsample_mask) \
    ROW(PACKER, DEST_TARGET_REG_CFG_PACK_SEC0_Offset) \
    ROW(PACKER, INT_DESCALE_VALUES_SEC0_Value) \
    ROW(COMPUTE, ALU_FORMAT_SPEC_REG_SrcA_val) \
    ROW(COMPUTE, ALU_FORMAT_SPEC_REG0_SrcA) \
    ROW(COMPUTE, ALU_ACC_CTRL_Zero_Flag_disabled_src) \
    ROW(COMPUTE, DEST_REGW_BASE_Base) \
    ROW(MOVER, THCON_SEC0_REG6_Source_address) \
    ROW(MOVER, THCON_SEC0_REG6_Destination_address) \
    ROW(MOVER, THCON_SEC0_REG6_Buffer_size)

struct row {
    enum actor actor;
    unsigned word;
    const char *name;
};

#define ROW(actor, name) {actor, TF_CFG_WORD(name), #name},
static const struct row blackhole_rows[] = {
    ROWS_OF_BOTH(ROW)
    ROW(UNPACKER_0, DEST_ACCESS_CFG_swizzle_32b)
    ROW(PACKER, DEST_ACCESS_CFG_swizzle_32b)
    ROW(COMPUTE, DEST_SP_BASE_Base)
    ROW(COMPUTE, DEST_ACCESS_CFG_swizzle_32b)
};
#undef ROW

#define ROW(actor, name) {actor, TF_WORMHOLE_CFG_WORD(name), #name},
static const struct row wormhole_rows[] = {
    ROWS_OF_BOTH(ROW)
};
#undef ROW
/* clang-format on */

static void try_rows(int (*setup)(void **state), const struct row *rows, size_t count)
{
    struct pair pair;
    bare_seed();
    make_equal(&pair, setup);
    for (size_t i = 0; i < count; i++) {
        const unsigned w = rows[i].word;
        bool found = false;
        for (unsigned number = 0; number < TRIALS && !found; number++) {
            const struct trial trial = next_trial(&pair, number, rows[i].actor);
            uint32_t differs[TF_CFG_WORDS] = {0};
            differs[w] = in_100(50) ? bare_random() : 1u << bare_random() % 32;
            found = (readers_of_word(&pair, w) & trial.readers) != 0 && has_effect(&pair, &trial, differs);
        }
        if (!found)
            fail_msg("%s: the word has no effect on actor %u", rows[i].name, rows[i].actor);
        drop_pair(&pair);
        make_equal(&pair, setup);
    }
    drop_pair(&pair);
}

static void test_rows(void **unused)
{
    (void)unused;
    try_rows(bare_setup, blackhole_rows, sizeof blackhole_rows / sizeof blackhole_rows[0]);
}

static void test_rows_wormhole(void **unused)
{
    (void)unused;
    try_rows(bare_setup_wormhole, wormhole_rows, sizeof wormhole_rows / sizeof wormhole_rows[0]);
}

/* Fields that fewer units read than the rest of their words, as T2 of tt-metal changes them beside T0 and T1. */
static void test_single_fields(void **unused)
{
    (void)unused;
    static const struct {
        enum tf_cfg_field field;
        uint32_t readers;
    } single[] = {
        {TF_CFG_ALU_FORMAT_SPEC_REG2_Dstacc, BIT(PACKS)},
        {TF_CFG_ALU_FORMAT_SPEC_REG_Dstacc_override, BIT(PACKS)},
        {TF_CFG_ALU_FORMAT_SPEC_REG1_SrcB, BIT(COMPUTES)},
        {TF_CFG_ALU_FORMAT_SPEC_REG0_SrcBUnsigned, BIT(PACKS) | BIT(COMPUTES) | ALL_CONTEXTS(0) | ALL_CONTEXTS(1)},
        {TF_CFG_STACC_RELU_ReluThreshold, BIT(PACKS)},
        {TF_CFG_THCON_SEC0_REG1_Exp_threshold, BIT(PACKS)},
        {TF_CFG_THCON_SEC1_REG1_Exp_threshold, BIT(PACKS)},
        {TF_CFG_THCON_SEC1_REG1_Unp_LF8_4b_exp, BIT(PACKS) | ALL_CONTEXTS(1)},
    };
    bare_seed();
    struct bare *bare = NULL;
    assert_int_equal(bare_setup((void **)&bare), 0);
    for (unsigned i = 0; i < sizeof single / sizeof single[0]; i++) {
        const unsigned word = (unsigned)single[i].field >> 16;
        const uint32_t bits = tf_cfg_put(0, single[i].field, UINT32_MAX);
        assert_int_equal(config_readers(tf_config_arch(&bare->tile), word, bits), single[i].readers);
    }
    bare_teardown((void **)&bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_single_fields), cmocka_unit_test(test_other_words),
                                       cmocka_unit_test(test_other_words_wormhole), cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_rows_wormhole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
