/* SPDX-License-Identifier: Apache-2.0 */
/* Dst: its views, ZEROACC, and how cores see it (BlackholeA0 TensixCoprocessor/Dst.md, WormholeB0 ZEROACC.md). */
#include "tile/tensix/frontend/dispatch.h"
#include "tile/check.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/report.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/vector/settled.h"
#include "tile/tensix/vector/vector.h"
#include "tile/tensix/whole/dst_window.h"
#include "unit/tensix/bare.h"
#include "tilefarm_address.h"

#define MATH 1u
#define WINDOW TF_DST_BASE

static void set_config(struct bare *bare, uint32_t field, uint32_t value)
{
    for (unsigned bank = 0; bank < 2; bank++) {
        uint32_t *word = &bare->tile.tensix->config->bank[bank][field >> 16];
        uint32_t mask = ((1u << (field & 0xFF)) - 1) << (field >> 8 & 0xFF);
        *word = (*word & ~mask) | value << (field >> 8 & 0xFF);
    }
}

static void set_offset(struct bare *bare, unsigned offset, unsigned counter)
{
    struct tf_tensix *tensix = bare->tile.tensix;
    tensix->config->thread[MATH][TF_THREAD_CFG_DEST_TARGET_REG_CFG_MATH_Offset >> 16] = (uint16_t)offset;
    tensix->rwc[MATH].dst = (uint16_t)counter;
}

/* Every row of a view has storage of its own, and groups of four rows stay together. */
static void views_are_permutations(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 4; bits++) {
        struct tf_dst_map map = {.remap_addrs = bits & 1, .swizzle_32b = bits >> 1};
        bool seen[1024] = {false}, seen32[1024] = {false};
        for (unsigned row = 0; row < 1024; row++) {
            unsigned at = tf_dst_row16(map, row);
            assert_false(seen[at]);
            seen[at] = true;
            assert_int_equal(at, tf_dst_row16(map, row & ~3u) + (row & 3));
        }
        for (unsigned row = 0; row < 512; row++) {
            unsigned at = tf_dst_row32(map, row);
            assert_false(seen32[at] || seen32[at + 8]);
            seen32[at] = seen32[at + 8] = true;
            assert_int_equal(at, tf_dst_row32(map, row & ~3u) + (row & 3));
        }
    }
    /* Computed by hand from the page's functions. */
    assert_int_equal(tf_dst_row32((struct tf_dst_map){0}, 0x1FF), 0x3F7);
    assert_int_equal(tf_dst_row16((struct tf_dst_map){.remap_addrs = true}, 0x038), 0x038);
    assert_int_equal(tf_dst_row16((struct tf_dst_map){.remap_addrs = true}, 0x008), 0x020);
    assert_int_equal(tf_dst_row16((struct tf_dst_map){.remap_addrs = true}, 0x030), 0x018);
    assert_int_equal(tf_dst_row32((struct tf_dst_map){.swizzle_32b = true}, 0x004), 0x010);
    assert_int_equal(tf_dst_row32((struct tf_dst_map){.swizzle_32b = true}, 0x008), 0x004);
    assert_int_equal(tf_dst_row16((struct tf_dst_map){.high_halves = true}, 0x008), 0x010);
}

/* Rows that a ZEROACC has marked, from none. */
static void mark(struct bare *bare, uint32_t operands, bool marked[1024])
{
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    memset(dst->undefined, 0, sizeof dst->undefined);
    tf_exec_ZEROACC(&bare->tile, MATH, W(ZEROACC) | operands);
    assert_int_equal(bare->tile.faults.count, 0);
    for (unsigned row = 0; row < 1024; row++)
        marked[row] = tf_dst_is_undefined(dst, row);
}

static void expect_range(const bool marked[1024], unsigned first, unsigned rows)
{
    for (unsigned row = 0; row < 1024; row++)
        assert_int_equal(marked[row], row >= first && row < first + rows);
}

static void zeroacc_marks_rows(void **state)
{
    struct bare *bare = *state;
    bool marked[1024];
    set_offset(bare, 0x100, 0x23);
    mark(bare, V(ZEROACC, where, 5), marked);
    expect_range(marked, 0x128, 1);
    set_offset(bare, 0x3FF, 0x3FF);
    mark(bare, V(ZEROACC, where, 3), marked);
    expect_range(marked, 1, 1);
    set_offset(bare, 0, 0);
    mark(bare, V(ZEROACC, clear_mode, 1) | V(ZEROACC, where, 63), marked);
    expect_range(marked, 1008, 16);
    mark(bare, V(ZEROACC, clear_mode, 1) | V(ZEROACC, where, 64), marked);
    expect_range(marked, 0, 0);
    mark(bare, V(ZEROACC, clear_mode, 1) | V(ZEROACC, where, 0xFF), marked);
    expect_range(marked, 0, 0);
    mark(bare, V(ZEROACC, clear_mode, 2) | V(ZEROACC, where, 2), marked);
    expect_range(marked, 0, 512);
    mark(bare, V(ZEROACC, clear_mode, 2) | V(ZEROACC, where, 1), marked);
    expect_range(marked, 512, 512);
    mark(bare, V(ZEROACC, clear_mode, 3) | V(ZEROACC, where, 0x3FF), marked);
    expect_range(marked, 0, 1024);
    mark(bare, V(ZEROACC, clear_mode, 3) | V(ZEROACC, use_32_bit_mode, 1), marked);
    expect_range(marked, 0, 1024);
}

static void zeroacc_of_wide_rows(void **state)
{
    struct bare *bare = *state;
    bool marked[1024];
    /* A row of Dst32b has the mark of its high halves. */
    set_config(bare, TF_CFG_ALU_ACC_CTRL_Fp32_enabled, 1);
    mark(bare, V(ZEROACC, where, 9), marked);
    expect_range(marked, 17, 1);
    set_config(bare, TF_CFG_ALU_ACC_CTRL_Fp32_enabled, 0);
    set_config(bare, TF_CFG_ALU_ACC_CTRL_INT8_math_enabled, 1);
    mark(bare, V(ZEROACC, where, 9), marked);
    expect_range(marked, 17, 1);
    set_config(bare, TF_CFG_ALU_ACC_CTRL_INT8_math_enabled, 0);
    mark(bare, V(ZEROACC, clear_mode, 1) | V(ZEROACC, use_32_bit_mode, 1) | V(ZEROACC, where, 2), marked);
    for (unsigned row = 0; row < 1024; row++)
        assert_int_equal(marked[row], row >= 64 && row < 96 && (row & 8) == 0);
    mark(bare, V(ZEROACC, clear_mode, 1) | V(ZEROACC, use_32_bit_mode, 1) | V(ZEROACC, where, 32), marked);
    expect_range(marked, 0, 0);
}

/* Blocks are relative to the thread's part of Dst, unless configured otherwise. */
static void zeroacc_is_relative(void **state)
{
    struct bare *bare = *state;
    bool marked[1024];
    set_offset(bare, 512, 0);
    mark(bare, V(ZEROACC, clear_mode, 1) | V(ZEROACC, where, 1), marked);
    expect_range(marked, 528, 16);
    set_offset(bare, 256, 256);
    mark(bare, V(ZEROACC, clear_mode, 1) | V(ZEROACC, where, 1), marked);
    expect_range(marked, 528, 16);
    set_offset(bare, 256, 0);
    mark(bare, V(ZEROACC, clear_mode, 1) | V(ZEROACC, where, 1), marked);
    expect_range(marked, 16, 16);
    mark(bare, V(ZEROACC, clear_mode, 1) | V(ZEROACC, use_32_bit_mode, 1) | V(ZEROACC, where, 0), marked);
    for (unsigned row = 0; row < 1024; row++)
        assert_int_equal(marked[row], row >= 512 && row < 544 && (row & 8) == 0);
    set_config(bare, TF_CFG_DEST_ACCESS_CFG_zeroacc_absolute_tile_mode, 1);
    mark(bare, V(ZEROACC, clear_mode, 1) | V(ZEROACC, use_32_bit_mode, 1) | V(ZEROACC, where, 0), marked);
    assert_true(marked[0] && !marked[512]);
}

static void zeroacc_reverts(void **state)
{
    struct bare *bare = *state;
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    tf_exec_ZEROACC(&bare->tile, MATH, W(ZEROACC) | V(ZEROACC, clear_mode, 3));
    uint32_t revert = W(ZEROACC) | V(ZEROACC, clear_mode, 1) | V(ZEROACC, clear_zero_flags, 1);
    tf_exec_ZEROACC(&bare->tile, MATH, revert | V(ZEROACC, use_32_bit_mode, 1));
    assert_int_equal(bare->tile.faults.count, 0);
    for (unsigned row = 0; row < 1024; row++)
        assert_int_equal(tf_dst_is_undefined(dst, row), row >= 32 || (row & 8) != 0);
    for (unsigned mode = 1; mode < 4; mode++) {
        bare->tile.faults.count = 0;
        tf_exec_ZEROACC(&bare->tile, MATH, W(ZEROACC) | V(ZEROACC, clear_mode, mode) | V(ZEROACC, clear_zero_flags, 1));
        assert_int_equal(bare->tile.faults.count, 1);
        assert_int_equal(bare->tile.faults.entry[0].category, TF_FAULT_UNDEFINED);
        assert_false(bare->tile.faults.entry[0].hazard);
    }
}

/* One row is marked, with and without Revert. */
static void zeroacc_of_one_row_does_not_revert(void **state)
{
    bool marked[1024];
    mark(*state, V(ZEROACC, where, 77) | V(ZEROACC, clear_zero_flags, 1), marked);
    expect_range(marked, 77, 1);
}

/* If so configured, it acts as the page says. */
static void zeroacc_reverts_as_silicon(void **state)
{
    struct bare *bare = *state;
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    static const struct {
        unsigned mode, where, first, rows;
    } reverts[] = {{1, 3, 48, 16}, {2, 0, 0, 512}, {2, 1, 512, 512}, {3, 0, 0, 1024}};
    bare->tile.mode.as_silicon = true;
    for (unsigned i = 0; i < sizeof reverts / sizeof reverts[0]; i++) {
        bare->tile.faults.count = 0;
        memset(dst->undefined, 0xFF, sizeof dst->undefined);
        tf_exec_ZEROACC(&bare->tile, MATH,
                        W(ZEROACC) | V(ZEROACC, clear_mode, reverts[i].mode) | V(ZEROACC, where, reverts[i].where) |
                            V(ZEROACC, clear_zero_flags, 1));
        assert_int_equal(bare->tile.faults.count, 1);
        assert_true(bare->tile.faults.entry[0].hazard);
        assert_false(bare->tile.tensix->thread[MATH].faulted);
        for (unsigned row = 0; row < 1024; row++)
            assert_int_equal(tf_dst_is_undefined(dst, row), row - reverts[i].first >= reverts[i].rows);
    }
}

/* One row and sixteen rows apply an address modifier. Half and all rows do not. */
static void zeroacc_modifies_addresses(void **state)
{
    struct bare *bare = *state;
    struct tf_tensix *tensix = bare->tile.tensix;
    tensix->config->thread[MATH][TF_THREAD_CFG_ADDR_MOD_DST_SEC2_DestIncr >> 16] = 7;
    for (unsigned mode = 0; mode < 4; mode++) {
        set_offset(bare, 0, 0);
        tf_exec_ZEROACC(&bare->tile, MATH, W(ZEROACC) | V(ZEROACC, clear_mode, mode) | V(ZEROACC, addr_mode, 2));
        assert_int_equal(tensix->rwc[MATH].dst, mode < 2 ? 7 : 0);
    }
}

static void soft_reset_reverts_zeroacc(void **state)
{
    struct bare *bare = *state;
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    tf_exec_ZEROACC(&bare->tile, MATH, W(ZEROACC) | V(ZEROACC, clear_mode, 3));
    bare->tile.mmio.debug.soft_reset = 1u << 17;
    tf_tensix_reset(&bare->tile);
    assert_int_equal(dst->undefined[3], 0);
    tf_exec_ZEROACC(&bare->tile, MATH, W(ZEROACC) | V(ZEROACC, clear_mode, 3));
    assert_int_equal(dst->undefined[3], 0);
    bare->tile.mmio.debug.soft_reset = 0;
    tf_tensix_reset(&bare->tile);
    tf_exec_ZEROACC(&bare->tile, MATH, W(ZEROACC) | V(ZEROACC, clear_mode, 3));
    assert_int_equal(dst->undefined[3], ~0ull);
}

/* Conversions of Load32 ... Store8 of Dst.md, by value. */
static uint32_t swizzle32(uint32_t v)
{
    return (v & 0x8000FFFF) | (v & 0x7F800000) >> 7 | (v & 0x007F0000) << 8;
}

static uint32_t expected_store(unsigned fmt, bool no_swizzle, bool is_unsigned, uint32_t v)
{
    switch (fmt) {
    case 1:
        if (!no_swizzle && v >> 31)
            v = v == 0x80000000u ? 0xFFFFFFFF : 0x80000000u | (0u - v);
        /* fall through */
    case 0: return no_swizzle ? v : swizzle32(v);
    case 2: return no_swizzle ? v : (v & 0x8000) | (v >> 10 & 0x1F) | (v & 0x3FF) << 5;
    case 3: return no_swizzle ? v : (v & 0x8000) | (v >> 7 & 0xFF) | (v & 0x7F) << 8;
    case 4:
        return no_swizzle || is_unsigned || v < 0x8000 ? v : v == 0x8000 ? 0xFFFF : 0x8000 | ((0x10000 - v) & 0x7FFF);
    default:
        if (no_swizzle || is_unsigned || v < 0x80)
            return v << 5 | (v != 0 ? 16 : 0);
        return 0x8000 | ((0x180 - v - (v == 0x80)) & 0xFF) << 5 | 16;
    }
}

static uint32_t expected_load(unsigned fmt, bool no_swizzle, bool is_unsigned, uint32_t v)
{
    uint32_t value;
    switch (fmt) {
    case 0:
    case 1:
        value = (v & 0x8000FFFF) | (v >> 24 & 0x7F) << 16 | (v >> 16 & 0xFF) << 23;
        if (no_swizzle)
            return v;
        return fmt == 0 || value < 0x80000000u ? value : 0u - (value & 0x7FFFFFFF);
    case 2: return no_swizzle ? v : (v & 0x8000) | (v >> 5 & 0x3FF) | (v & 0x1F) << 10;
    case 3: return no_swizzle ? v : (v & 0x8000) | (v >> 8 & 0x7F) | (v & 0xFF) << 7;
    case 4: return no_swizzle || is_unsigned || v < 0x8000 ? v : (0x10000 - (v & 0x7FFF)) & 0xFFFF;
    default:
        if (no_swizzle || is_unsigned)
            return v >> 5 & 0xFF;
        return v & 0x8000 ? (0x100 - (v >> 5 & 0x7F)) & 0xFF : v >> 5 & 0x7F;
    }
}

static void set_view(struct bare *bare, unsigned thread, unsigned fmt, bool no_swizzle, bool is_unsigned)
{
    for (unsigned bank = 0; bank < 2; bank++) {
        uint32_t *word = &bare->tile.tensix->config->bank[bank][TF_CFG_RISC_DEST_ACCESS_CTRL_SEC0_fmt >> 16];
        *word &= ~(0x1Fu << (14 + 5 * thread));
        *word |= (no_swizzle | (uint32_t)is_unsigned << 1 | fmt << 2) << (14 + 5 * thread);
    }
}

/* The last row that a race checker was given. */
struct row_access {
    struct tf_check check;
    unsigned by, row;
    enum tf_check_use use;
};

static void take_row(struct tf_check *check, unsigned by, enum tf_check_file file, unsigned first, unsigned count,
                     enum tf_check_use use)
{
    struct row_access *access = (struct row_access *)check;
    assert_int_equal(file, TF_CHECK_DST);
    assert_int_equal(count, 1);
    access->by = by;
    access->row = first;
    access->use = use;
}

static void expect_access(const struct row_access *access, unsigned thread, unsigned row, enum tf_check_use use)
{
    assert_int_equal(access->by, TF_CHECK_BY(TF_CORE_T0 + thread));
    assert_int_equal(access->row, row);
    assert_int_equal(access->use, use);
}

static void cores_see_elements(void **state)
{
    static const uint8_t bytes[] = {4, 4, 2, 2, 2, 1};
    struct bare *bare = *state;
    struct row_access access = {.check.rows = take_row};
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    bare->tile.check = &access.check;
    bare_seed();
    for (unsigned round = 0; round < 20000; round++) {
        unsigned thread = bare_random() % 3, fmt = bare_random() % 6, size = bytes[fmt];
        bool no_swizzle = bare_random() & 1, is_unsigned = bare_random() & 1;
        unsigned element = bare_random() % (size == 4 ? 8192 : 16384), row = element / 16, column = element % 16;
        set_view(bare, thread, fmt, no_swizzle, is_unsigned);
        uint32_t value = bare_random() % 4 == 0 ? 0x80000000u : bare_random(), read;
        value >>= 32 - size * 8;
        uint32_t stored = expected_store(fmt, no_swizzle, is_unsigned, value);
        bool pure = true;
        assert_int_equal(tf_dst_store(&bare->tile, TF_CORE_T0 + thread, WINDOW + element * size, size, value),
                         TF_ACCESS_OK);
        unsigned physical = size == 4 ? (row & 0x1F8) * 2 + (row & 7) : row;
        expect_access(&access, thread, physical, TF_CHECK_WRITES);
        uint32_t found = size == 4 ? (uint32_t)dst->bits[physical][column] << 16 | dst->bits[physical + 8][column]
                                   : dst->bits[physical][column];
        assert_int_equal(found, stored & (size == 4 ? 0xFFFFFFFF : 0xFFFF));
        if (bare_random() & 1) {
            found = bare_random();
            dst->bits[physical][column] = (uint16_t)(size == 4 ? found >> 16 : found);
            if (size == 4)
                dst->bits[physical + 8][column] = (uint16_t)found;
            else
                found &= 0xFFFF;
        }
        assert_int_equal(tf_dst_load(&bare->tile, TF_CORE_T0 + thread, WINDOW + element * size, size, &read, &pure),
                         TF_ACCESS_OK);
        assert_int_equal(read, expected_load(fmt, no_swizzle, is_unsigned, found));
        assert_false(pure);
        expect_access(&access, thread, physical, TF_CHECK_READS);
    }
}

static void t2_moves_several_elements(void **state)
{
    struct bare *bare = *state;
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    uint32_t read;
    bool pure;
    set_view(bare, 2, 4, true, false);
    assert_int_equal(tf_dst_store(&bare->tile, TF_CORE_T2, WINDOW + 64, 4, 0x12345678), TF_ACCESS_OK);
    assert_int_equal(dst->bits[2][0], 0x5678);
    assert_int_equal(dst->bits[2][1], 0x1234);
    set_view(bare, 2, 5, true, false);
    assert_int_equal(tf_dst_store(&bare->tile, TF_CORE_T2, WINDOW + 16, 4, 0x00FF0201), TF_ACCESS_OK);
    assert_int_equal(dst->bits[1][0], 1 << 5 | 16);
    assert_int_equal(dst->bits[1][1], 2 << 5 | 16);
    assert_int_equal(dst->bits[1][2], 0xFF << 5 | 16);
    assert_int_equal(dst->bits[1][3], 0);
    assert_int_equal(tf_dst_load(&bare->tile, TF_CORE_T2, WINDOW + 18, 2, &read, &pure), TF_ACCESS_OK);
    assert_int_equal(read, 0x00FF);
}

static void misbehaving_accesses_fault(void **state)
{
    struct bare *bare = *state;
    uint32_t read;
    bool pure;
    set_view(bare, 0, 6, false, false);
    assert_int_equal(tf_dst_load(&bare->tile, TF_CORE_T0, WINDOW, 4, &read, &pure), TF_ACCESS_FAULT);
    set_view(bare, 0, 7, false, false);
    assert_int_equal(tf_dst_store(&bare->tile, TF_CORE_T0, WINDOW, 2, 0), TF_ACCESS_FAULT);
    set_view(bare, 0, 3, false, false);
    assert_int_equal(tf_dst_load(&bare->tile, TF_CORE_T0, WINDOW, 4, &read, &pure), TF_ACCESS_FAULT);
    assert_int_equal(tf_dst_load(&bare->tile, TF_CORE_T0, WINDOW, 1, &read, &pure), TF_ACCESS_FAULT);
    assert_int_equal(tf_dst_load(&bare->tile, TF_CORE_T0, WINDOW, 2, &read, &pure), TF_ACCESS_OK);
    set_view(bare, 0, 5, false, false);
    assert_int_equal(tf_dst_load(&bare->tile, TF_CORE_T0, WINDOW + 0x3FFF, 1, &read, &pure), TF_ACCESS_OK);
    assert_int_equal(tf_dst_load(&bare->tile, TF_CORE_T0, WINDOW + 0x4000, 1, &read, &pure), TF_ACCESS_FAULT);
    assert_int_equal(bare->hart_faults, 5);
}

/* A store makes a row defined; the bank of a thread's configuration is that of its state. */
static void stores_define_rows(void **state)
{
    struct bare *bare = *state;
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    tf_exec_ZEROACC(&bare->tile, MATH, W(ZEROACC) | V(ZEROACC, clear_mode, 3));
    set_view(bare, 1, 3, false, false);
    bare->tile.tensix->config->bank[0][TF_CFG_RISC_DEST_ACCESS_CTRL_SEC1_fmt >> 16] = 0;
    bare->tile.tensix->config->thread[1][TF_THREAD_CFG_CFG_STATE_ID_StateID >> 16] = 1;
    assert_int_equal(tf_dst_store(&bare->tile, TF_CORE_T1, WINDOW + 32 * 100, 2, 1), TF_ACCESS_OK);
    assert_false(tf_dst_is_undefined(dst, 100));
    assert_true(tf_dst_is_undefined(dst, 101));
}

/* Whether Dst and the vector unit have been made is not part of the state. */
static void hash_is_of_content(void **state)
{
    struct bare *bare = *state;
    uint64_t fresh = bare_hash(bare);
    struct tf_dst *dst = tf_dst(&bare->tile);
    assert_non_null(dst);
    assert_int_equal(bare_hash(bare), fresh);
    assert_non_null(tf_sfpu_get(&bare->tile));
    assert_int_equal(bare_hash(bare), fresh);
    dst->bits[700][3] = 1;
    assert_int_not_equal(bare_hash(bare), fresh);
    dst->bits[700][3] = 0;
    tf_dst_undefine(dst, 5);
    assert_int_not_equal(bare_hash(bare), fresh);
    tf_dst_define(dst, 5);
    assert_int_equal(bare_hash(bare), fresh);
    assert_true(tf_sfpu_choose(&bare->tile, TF_VECTORS_PORTABLE));
    assert_int_equal(bare_hash(bare), fresh);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)
    const struct CMUnitTest tests[] = {
        TEST(views_are_permutations),
        TEST(zeroacc_marks_rows),
        TEST(zeroacc_of_wide_rows),
        TEST(zeroacc_is_relative),
        TEST(zeroacc_reverts),
        TEST(zeroacc_of_one_row_does_not_revert),
        TEST(zeroacc_reverts_as_silicon),
        TEST(zeroacc_modifies_addresses),
        TEST(soft_reset_reverts_zeroacc),
        TEST(cores_see_elements),
        TEST(t2_moves_several_elements),
        TEST(misbehaving_accesses_fault),
        TEST(stores_define_rows),
        TEST(hash_is_of_content),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
