/* SPDX-License-Identifier: Apache-2.0 */
/* Backend configuration: fields, instructions, the cores' window, and effects of writes. */
#include "tile/tensix/configure/config.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/whole/window.h"
#include "unit/tensix/units.h"
#include "tilefarm_address.h"

#define CFG_BASE TF_CFG_BASE
#define DUAL (2 * TF_CFG_WORDS)
#define THREADS (3 * TF_CFG_WORDS)

/* Bits that some field covers; words without fields keep everything. */
static uint32_t covered[TF_CFG_WORDS];

struct field {
    const char *name;
    unsigned word, first, width;
};

static const struct field fields[] = {
#define CFG(name, word, first, width) {#name, word, first, width},
#include "tile/tensix/config/config.def"
#undef CFG
};

static const struct field thread_fields[] = {
#define THREAD_CFG(name, word, first, width) {#name, word, first, width},
#include "tile/tensix/config/config.def"
#undef THREAD_CFG
};

#define FIELDS (sizeof fields / sizeof fields[0])
#define THREAD_FIELDS (sizeof thread_fields / sizeof thread_fields[0])

static int setup(void **state)
{
    memset(covered, 0, sizeof covered);
    for (unsigned i = 0; i < sizeof fields / sizeof fields[0]; i++)
        covered[fields[i].word] |= (uint32_t)((1ull << fields[i].width) - 1) << fields[i].first;
    for (unsigned i = 0; i < TF_CFG_WORDS; i++)
        if (covered[i] == 0)
            covered[i] = 0xFFFFFFFF;
    return bare_setup(state);
}

static struct tf_backend_config *config(struct bare *bare)
{
    return bare->tile.tensix->config;
}

static void select_bank(struct bare *bare, unsigned thread, unsigned bank)
{
    execute(bare, thread, W(SETC16) | bank);
}

/* The bank whose value of a word is left by a write to `bank`. */
static void check_word(struct bare *bare, unsigned bank, unsigned word, uint32_t value, uint32_t other_before)
{
    assert_int_equal(config(bare)->bank[bank][word], value & covered[word]);
    assert_int_equal(config(bare)->bank[bank ^ 1][word], word >= TF_CFG_GLOBAL ? value & covered[word] : other_before);
}

static void test_fields_fit(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        assert_true(fields[i].word < TF_CFG_WORDS);
        assert_true(fields[i].width > 0 && fields[i].first + fields[i].width <= 32);
    }
    assert_int_equal(TF_CFG_THCON_SEC0_REG0_TileDescriptor >> 16, TF_CFG_THCON);
    assert_int_equal(TF_THREAD_CFG_STREAM_ID_SYNC_SEC0_BankSel >> 16, TF_THREAD_CFG_STREAM_ID_SYNC);
    assert_int_equal(TF_THREAD_CFG_TENSIX_TRISC_SYNC_TrackGlobalCfg >> 16, TF_THREAD_CFG_TRISC_SYNC);
    assert_int_equal(TF_CFG_SCRATCH_SEC2_val >> 16, (TF_CFG_SCRATCH_SEC0_val >> 16) + 2);
}

/* FNV-1a of "name word first width", summed over a list. */
static uint64_t sum_of(const struct field *list, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        char text[120];
        snprintf(text, sizeof text, "%s %u %u %u", list[i].name, list[i].word, list[i].first, list[i].width);
        uint64_t hash = 0xCBF29CE484222325u;
        for (const char *at = text; *at != '\0'; at++)
            hash = (hash ^ (uint8_t)*at) * 0x100000001B3u;
        sum += hash;
    }
    return sum;
}

/* The lists are those of data/bh/tensix_regs.json of ttsim; the same sum over its thread_cfg and cfg, in any order. */
static void test_register_list(void **state)
{
    (void)state;
    assert_int_equal(THREAD_FIELDS, 223);
    assert_int_equal(FIELDS, 597);
    assert_true(sum_of(thread_fields, THREAD_FIELDS) == 0x9CFD68517094C0B7u);
    assert_true(sum_of(fields, FIELDS) == 0x2A0B82E61E62293Au);
}

#define STATE_RESET_EN 4u

/* Each field alone: it has its own bits and no others, in its bank, and in the other one only if both share it. */
static void test_each_field(void **state)
{
    struct bare *bare = *state;
    for (unsigned i = 0; i < FIELDS; i++) {
        const struct field *field = &fields[i];
        uint32_t mask = (uint32_t)((1ull << field->width) - 1) << field->first, value;
        bool pure;
        if (field->word == STATE_RESET_EN) /* acts, and keeps nothing */
            continue;
        for (unsigned bank = 0; bank < 2; bank++) {
            memset(config(bare)->bank, 0, sizeof config(bare)->bank);
            select_bank(bare, 1, bank);
            gpr(bare, 1)[3] = mask;
            execute(bare, 1, W(WRCFG) | field->word | 3u << 16);
            execute(bare, 1, W(RDCFG) | field->word | 4u << 16);
            assert_int_equal(gpr(bare, 1)[4], mask);
            uint32_t address = CFG_BASE + 4 * (bank * TF_CFG_WORDS + field->word);
            assert_int_equal(tf_tensix_load(&bare->tile, TF_CORE_T0, address, &value, &pure), TF_ACCESS_OK);
            assert_int_equal(value, mask);
            for (unsigned k = 0; k < FIELDS; k++) {
                bool shared = fields[k].word >= TF_CFG_GLOBAL;
                uint32_t of = fields[k].word << 16 | fields[k].first << 8 | fields[k].width;
                uint32_t all = k == i ? mask >> field->first : 0;
                if (tf_cfg_cut(config(bare)->bank[bank][fields[k].word], of) != all ||
                    tf_cfg_cut(config(bare)->bank[bank ^ 1][fields[k].word], of) != (shared ? all : 0))
                    fail_msg("%s was written, bank %u, and %s shows it", field->name, bank, fields[k].name);
            }
        }
    }
}

static void test_each_thread_field(void **state)
{
    struct bare *bare = *state;
    for (unsigned i = 0; i < THREAD_FIELDS; i++)
        for (unsigned thread = 0; thread < 3; thread++) {
            const struct field *field = &thread_fields[i];
            memset(config(bare)->thread, 0, sizeof config(bare)->thread);
            execute(bare, thread, W(SETC16) | field->word << 16 | ((1u << field->width) - 1) << field->first);
            for (unsigned k = 0; k < THREAD_FIELDS; k++)
                for (unsigned t = 0; t < 3; t++) {
                    const struct field *other = &thread_fields[k];
                    uint32_t of = other->word << 16 | other->first << 8 | other->width;
                    uint32_t all = k == i && t == thread ? (1u << field->width) - 1 : 0;
                    if (tf_thread_cfg_bits(config(bare), t, of, 0) != all)
                        fail_msg("T%u wrote %s, and T%u's %s shows it", thread, field->name, t, other->name);
                }
        }
}

static void test_setc16(void **state)
{
    struct bare *bare = *state;
    for (unsigned thread = 0; thread < 3; thread++)
        for (unsigned word = TF_THREAD_CFG_WORDS; word-- > 0;)
            execute(bare, thread, W(SETC16) | word << 16 | (0xA000u + thread * 0x100 + word));
    for (unsigned thread = 0; thread < 3; thread++)
        for (unsigned word = 0; word < TF_THREAD_CFG_WORDS; word++)
            assert_int_equal(config(bare)->thread[thread][word], 0xA000u + thread * 0x100 + word);
    execute_fault(bare, 0, W(SETC16) | TF_THREAD_CFG_WORDS << 16, TF_FAULT_UNDEFINED);
    execute_fault(bare, 0, W(SETC16) | 255u << 16, TF_FAULT_UNDEFINED);
}

static void test_context_counters(void **state)
{
    struct bare *bare = *state;
    memset(config(bare)->unpack_context, 3, sizeof config(bare)->unpack_context);
    execute(bare, 1, W(SETC16) | 40u << 16);
    assert_int_equal(config(bare)->unpack_context[1][0], 3);
    execute(bare, 1, W(SETC16) | 41u << 16);
    assert_int_equal(config(bare)->unpack_context[1][0], 0);
    assert_int_equal(config(bare)->unpack_context[1][1], 0);
    assert_int_equal(config(bare)->unpack_context[0][0], 3);
    assert_int_equal(config(bare)->unpack_context[2][1], 3);
}

static void test_wrcfg_and_rdcfg(void **state)
{
    struct bare *bare = *state;
    bare_seed();
    for (unsigned word = 0; word < TF_CFG_WORDS; word++) {
        if (word == STATE_RESET_EN)
            continue;
        unsigned thread = word % 3, bank = bare_random() & 1, reg = bare_random() % 64, result = bare_random() % 64;
        random_gprs(bare);
        select_bank(bare, thread, bank);
        uint32_t other = config(bare)->bank[bank ^ 1][word], value = gpr(bare, thread)[reg];
        execute(bare, thread, W(WRCFG) | word | reg << 16);
        check_word(bare, bank, word, value, other);
        execute(bare, thread, W(RDCFG) | word | result << 16);
        assert_int_equal(gpr(bare, thread)[result], value & covered[word]);
    }
    execute_fault(bare, 0, W(WRCFG) | TF_CFG_WORDS, TF_FAULT_UNDEFINED);
    execute_fault(bare, 0, W(WRCFG) | 0x7FF, TF_FAULT_UNDEFINED);
    execute_fault(bare, 0, W(RDCFG) | TF_CFG_WORDS, TF_FAULT_UNDEFINED);
}

static void test_wrcfg_128(void **state)
{
    struct bare *bare = *state;
    bare_seed();
    for (unsigned word = 8; word < TF_CFG_WORDS; word++) {
        unsigned thread = word % 3, reg = bare_random() % 64;
        random_gprs(bare);
        select_bank(bare, thread, 1);
        execute(bare, thread, W(WRCFG) | word | 1u << 15 | reg << 16);
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(config(bare)->bank[1][(word & ~3u) + i],
                             gpr(bare, thread)[(reg & ~3u) + i] & covered[(word & ~3u) + i]);
    }
}

static void test_rmwcib(void **state)
{
    struct bare *bare = *state;
    static const uint32_t op[4] = {W(RMWCIB0), W(RMWCIB1), W(RMWCIB2), W(RMWCIB3)};
    bare_seed();
    for (unsigned round = 0; round < 1000; round++) {
        unsigned word = bare_random() % TF_CFG_WORDS, byte = bare_random() % 4, thread = bare_random() % 3;
        unsigned bank = bare_random() & 1;
        uint32_t mask = bare_random() & 0xFF, data = bare_random() & 0xFF, old = config(bare)->bank[bank][word];
        uint32_t other = config(bare)->bank[bank ^ 1][word];
        select_bank(bare, thread, bank);
        execute(bare, thread, op[byte] | word | data << 8 | mask << 16);
        uint32_t changed = (old & ~(mask << 8 * byte)) | (data & mask) << 8 * byte;
        check_word(bare, bank, word, changed, other);
    }
    for (unsigned byte = 0; byte < 4; byte++)
        execute_fault(bare, 0, op[byte] | TF_CFG_WORDS, TF_FAULT_UNDEFINED);
}

/* Any write to STATE_RESET_EN clears the bank, but for RMWCIB and for what both banks share. */
static void test_state_reset(void **state)
{
    struct bare *bare = *state;
    for (unsigned bank = 0; bank < 2; bank++) {
        memset(config(bare)->bank, 0x11, sizeof config(bare)->bank);
        select_bank(bare, 0, bank);
        execute(bare, 0, W(RMWCIB0) | STATE_RESET_EN | 1u << 8 | 1u << 16);
        assert_int_equal(config(bare)->bank[bank][70], 0x11111111);
        gpr(bare, 0)[0] = 0;
        execute(bare, 0, W(WRCFG) | STATE_RESET_EN);
        for (unsigned word = 0; word < TF_CFG_WORDS; word++) {
            assert_int_equal(config(bare)->bank[bank][word], word < TF_CFG_GLOBAL ? 0 : 0x11111111);
            assert_int_equal(config(bare)->bank[bank ^ 1][word], 0x11111111);
        }
    }
}

/* All other writers do that, too: the cores' window, 128 bits together, a sum, a stream's register. */
static void check_reset_by(struct bare *bare, unsigned window, uint32_t word, unsigned banks)
{
    memset(config(bare)->bank, 0x11, sizeof config(bare)->bank);
    if (word == 0)
        assert_int_equal(tf_tensix_store(&bare->tile, TF_CORE_B, CFG_BASE + 4 * window, 0), TF_ACCESS_OK);
    else
        execute(bare, 0, word);
    for (unsigned bank = 0; bank < 2; bank++)
        for (unsigned i = 8; i < TF_CFG_WORDS; i++)
            assert_int_equal(config(bare)->bank[bank][i], i < TF_CFG_GLOBAL && (banks >> bank & 1) ? 0 : 0x11111111);
}

static void test_state_reset_by_others(void **state)
{
    struct bare *bare = *state;
    select_bank(bare, 0, 0);
    check_reset_by(bare, STATE_RESET_EN, 0, 1);
    check_reset_by(bare, TF_CFG_WORDS + STATE_RESET_EN, 0, 2);
    check_reset_by(bare, DUAL + STATE_RESET_EN, 0, 3);
    memset(&gpr(bare, 0)[4], 0, 4 * sizeof(uint32_t));
    check_reset_by(bare, 0, W(WRCFG) | STATE_RESET_EN | 1u << 15 | 4u << 16, 1);
    check_reset_by(bare, 0, W(CFGSHIFTMASK) | STATE_RESET_EN | 3u << 20, 1);
    check_reset_by(bare, 0, W(STREAMWRCFG) | STATE_RESET_EN, 1);
}

static uint32_t rotr(uint32_t value, unsigned by)
{
    return by == 0 ? value : value >> by | value << (32 - by);
}

static uint32_t shiftmask_model(uint32_t value, uint32_t scratch, uint32_t word)
{
    unsigned rotate = word >> 10 & 31, width = word >> 15 & 31, mode = word >> 20 & 7;
    uint32_t mask = (uint32_t)((2ull << width) - 1);
    scratch = rotr(scratch & mask, rotate);
    if (word >> 23 == W(CFGSHIFTMASK) >> 23)
        value &= ~rotr(mask, rotate);
    switch (mode) {
    case 0: return value | scratch;
    case 1: return value & scratch;
    case 2: return value ^ scratch;
    case 3: return value + scratch;
    case 4: return value | ~scratch;
    case 5: return value & ~scratch;
    case 6: return value ^ ~scratch;
    default: return value - scratch;
    }
}

static void test_cfgshiftmask(void **state)
{
    struct bare *bare = *state;
    bare_seed();
    for (unsigned round = 0; round < 2000; round++) {
        unsigned thread = bare_random() % 3, bank = bare_random() & 1;
        uint32_t word = W(CFGSHIFTMASK) | (bare_random() & 0xFFFFFF);
        unsigned index = 8 + bare_random() % (TF_CFG_WORDS - 8);
        word = (word & ~0xFFu) | index;
        select_bank(bare, thread, bank);
        for (unsigned i = 0; i < 3; i++)
            config(bare)->bank[0][209 + i] = config(bare)->bank[1][209 + i] = bare_random();
        unsigned from = word >> 8 & 3;
        uint32_t scratch = config(bare)->bank[0][209 + (from == 3 ? thread : from)];
        uint32_t old = config(bare)->bank[bank][index] = bare_random() & covered[index];
        if (index >= TF_CFG_GLOBAL)
            config(bare)->bank[bank ^ 1][index] = old;
        if (index >= 209 && index <= 211)
            scratch = config(bare)->bank[0][209 + (from == 3 ? thread : from)];
        uint32_t other = config(bare)->bank[bank ^ 1][index];
        execute(bare, thread, word);
        check_word(bare, bank, index, shiftmask_model(old, scratch, word), other);
    }
    execute_fault(bare, 0, W(CFGSHIFTMASK) | TF_CFG_WORDS, TF_FAULT_UNDEFINED);
}

static void test_streamwrcfg(void **state)
{
    struct bare *bare = *state;
    for (unsigned select = 0; select < 4; select++) {
        unsigned stream = 7 + 17 * select;
        execute(bare, 1, W(SETC16) | (59 + select) << 16 | 0xFFC0 | stream); /* six bits count */
        bare->mmio[(0x40000 + stream * 0x1000 + 297 * 4) / 4] = 0x1234 + select;
        execute(bare, 1, W(STREAMWRCFG) | (100 + select) | 297u << 11 | select << 21);
        assert_int_equal(config(bare)->bank[0][100 + select], 0x1234 + select);
    }
    execute_fault(bare, 1, W(STREAMWRCFG) | TF_CFG_WORDS, TF_FAULT_UNDEFINED);
    bare->fail_mmio = true;
    execute_fault(bare, 1, W(STREAMWRCFG) | 100, TF_FAULT_UNDEFINED);
}

static void test_reg2flop_config(void **state)
{
    struct bare *bare = *state;
    bare_seed();
    for (unsigned index = 0; index < TF_CFG_GLOBAL - TF_CFG_THCON; index++)
        for (unsigned size = 0; size < 4; size++) {
            unsigned thread = bare_random() % 3, reg = bare_random() % 64;
            random_gprs(bare);
            select_bank(bare, thread, 1);
            execute(bare, thread, W(REG2FLOP) | reg | index << 6 | size << 22);
            unsigned word = TF_CFG_THCON + index;
            if (size != 0)
                assert_int_equal(config(bare)->bank[1][word], gpr(bare, thread)[reg] & covered[word]);
            for (unsigned i = 0; size == 0 && i < 4; i++)
                assert_int_equal(config(bare)->bank[1][(word & ~3u) + i],
                                 gpr(bare, thread)[(reg & ~3u) + i] & covered[(word & ~3u) + i]);
        }
    memset(config(bare)->bank, 0, sizeof config(bare)->bank);
    execute_fault(bare, 0, W(REG2FLOP) | (TF_CFG_GLOBAL - TF_CFG_THCON) << 6, TF_FAULT_UNDEFINED);
    for (unsigned word = 0; word < TF_CFG_WORDS; word++)
        assert_int_equal(config(bare)->bank[0][word] | config(bare)->bank[1][word], 0);
}

/* Both banks, the one that writes to both, then ThreadConfig, which is read only. */
static void test_window(void **state)
{
    struct bare *bare = *state;
    struct tf_tile *tile = &bare->tile;
    uint32_t value;
    bool pure;
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        if (core == TF_CORE_NC)
            continue;
        for (unsigned index = 0; index < THREADS; index++) {
            unsigned word = index % TF_CFG_WORDS;
            if (word == STATE_RESET_EN)
                continue;
            uint32_t write = 0x01010101u * (index + core), other = config(bare)->bank[1][word];
            if (index >= TF_CFG_WORDS && index < DUAL)
                other = config(bare)->bank[0][word];
            assert_int_equal(tf_tensix_store(tile, core, CFG_BASE + 4 * index, write), TF_ACCESS_OK);
            assert_int_equal(tf_tensix_load(tile, core, CFG_BASE + 4 * index, &value, &pure), TF_ACCESS_OK);
            assert_int_equal(value, write & covered[word]);
            if (index < DUAL)
                check_word(bare, index / TF_CFG_WORDS, word, write, other);
            else
                assert_int_equal(config(bare)->bank[1][word], write & covered[word]);
        }
        for (unsigned index = 0; index < 3 * TF_THREAD_CFG_WORDS; index++) {
            config(bare)->thread[index / TF_THREAD_CFG_WORDS][index % TF_THREAD_CFG_WORDS] = (uint16_t)(index * 0x111);
            uint32_t address = CFG_BASE + 4 * (THREADS + index);
            assert_int_equal(tf_tensix_load(tile, core, address, &value, &pure), TF_ACCESS_OK);
            assert_int_equal(value, (uint16_t)(index * 0x111));
            assert_int_equal(tf_tensix_store(tile, core, address, 1), TF_ACCESS_FAULT);
        }
        memset(config(bare)->thread, 0, sizeof config(bare)->thread);
        uint32_t end = CFG_BASE + 4 * (THREADS + 3 * TF_THREAD_CFG_WORDS);
        assert_int_equal(tf_tensix_load(tile, core, end, &value, &pure), TF_ACCESS_FAULT);
        assert_int_equal(tf_tensix_store(tile, core, end, 0), TF_ACCESS_FAULT);
    }
    assert_int_equal(tf_tensix_load(tile, TF_CORE_NC, CFG_BASE, &value, &pure), TF_ACCESS_FAULT);
}

static void test_thcon_reset(void **state)
{
    struct bare *bare = *state;
    memset(config(bare)->bank, 0x22, sizeof config(bare)->bank);
    bare->tile.mmio.debug.soft_reset = 1u << 9;
    tf_tensix_reset(&bare->tile);
    for (unsigned bank = 0; bank < 2; bank++)
        for (unsigned word = 0; word < TF_CFG_WORDS; word++)
            assert_int_equal(config(bare)->bank[bank][word],
                             word >= TF_CFG_THCON && word < TF_CFG_GLOBAL ? 0 : 0x22222222);
    gpr(bare, 0)[0] = 1;
    execute(bare, 0, W(WRCFG) | 64);
    execute(bare, 0, W(WRCFG) | 63);
    assert_int_equal(config(bare)->bank[0][64], 0);
    assert_int_equal(config(bare)->bank[0][63], 1);
    bare->tile.mmio.debug.soft_reset = 0;
    tf_tensix_reset(&bare->tile);
    execute(bare, 0, W(WRCFG) | 64);
    assert_int_equal(config(bare)->bank[0][64], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_fields_fit, setup, bare_teardown),
        cmocka_unit_test(test_register_list),
        cmocka_unit_test_setup_teardown(test_each_field, setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_each_thread_field, setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_setc16, setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_context_counters, setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_wrcfg_and_rdcfg, setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_wrcfg_128, setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_rmwcib, setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_state_reset, setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_state_reset_by_others, setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_cfgshiftmask, setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_streamwrcfg, setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_reg2flop_config, setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_window, setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_thcon_reset, setup, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
