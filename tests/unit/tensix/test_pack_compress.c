/* SPDX-License-Identifier: Apache-2.0 */
/* Zero compression: Compression.md says how to unpack the packed data, which gives what was in Dst. */
#include "unit/tensix/pack.h"

enum { LAST = 1, CONCAT = 1 << 4, ONE = 1 << 8 };
#define ROWS 24u
#define STARTS OUT
#define DATA (OUT + 16 * 8)
#define GROUP_BYTES (32 * 2 + 16)

/* Rows as compression has them: lengths in data, and the data. */
struct expected {
    unsigned rows, length[ROWS];
    uint16_t datum[ROWS * 64];
    uint32_t all_zero;
};

static uint16_t make_datum(unsigned zeros_in_16)
{
    return bare_random() % 16 < zeros_in_16 ? 0 : (uint16_t)(0x4000 + bare_random() % 0x3000);
}

/* The datum and counter of an index into the stream. */
static uint16_t augmented(const struct bare *bare, unsigned index, unsigned *zeros)
{
    uint32_t group = DATA + index / 32 * GROUP_BYTES, at = index % 32;
    *zeros = bare->tile.l1[group + 64 + at / 2] >> at % 2 * 4 & 15;
    return (uint16_t)half_at(bare, group + at * 2);
}

static void check(const struct bare *bare, const struct expected *expected)
{
    const uint16_t *datum = expected->datum;
    assert_int_equal(half_at(bare, STARTS), 0);
    for (unsigned row = 0; row < expected->rows; row++) {
        unsigned first = half_at(bare, STARTS + row * 2), end = half_at(bare, STARTS + row * 2 + 2), got = 0;
        for (unsigned i = first; i < end; i++) {
            unsigned zeros;
            uint16_t value = augmented(bare, i, &zeros);
            assert_int_equal(value, datum[got++]);
            for (; zeros != 0; zeros--)
                assert_int_equal(datum[got++], 0);
            if (i + 1 == end)
                assert_int_equal(value, datum[expected->length[row] - 1]);
        }
        assert_int_equal(got, expected->length[row]);
        datum += got;
    }
    assert_int_equal(bare->tile.tensix->packer[0].all_zero_flags, expected->all_zero);
}

static void run(struct bare *bare, unsigned zeros_in_16)
{
    struct expected expected = {0};
    unsigned count = 1 + bare_random() % ROWS, at = 0;
    bool open = false, nonzero = false;
    set_formats(bare, false, 5, 5);
    SET(bare, THCON_SEC0_REG1_Disable_zero_compress, 0);
    SET(bare, THCON_SEC0_REG1_Row_start_section_size, 8);
    bare->tile.tensix->config->thread[0][37] = 1;
    for (unsigned i = 0; i < count; i++) {
        bool all_zero = bare_random() % 8 == 0;
        for (unsigned column = 0; column < 16; column++) {
            uint16_t datum = all_zero ? 0 : make_datum(zeros_in_16);
            put_bf16(bare, i, column, datum);
            expected.datum[at++] = datum;
            nonzero |= datum != 0;
        }
        open = i + 1 < count && bare_random() % 3 == 0;
        expected.length[expected.rows] += 16;
        if (!open) {
            if (!nonzero)
                expected.all_zero |= 1u << expected.rows;
            expected.rows++;
            nonzero = false;
        }
        pacr(bare, ONE | (open ? CONCAT : 0) | (i + 1 == count ? LAST : 0));
    }
    check(bare, &expected);
}

static void test_round_trip(void **state)
{
    bare_seed();
    for (unsigned i = 0; i < 600; i++)
        run(*state, i % 17);
}

static void test_small(void **state)
{
    struct bare *bare = *state;
    set_formats(bare, false, 5, 5);
    SET(bare, THCON_SEC0_REG1_Disable_zero_compress, 0);
    SET(bare, THCON_SEC0_REG1_Row_start_section_size, 1);
    for (unsigned column = 0; column < 16; column++)
        put_bf16(bare, 0, column, column == 5 ? 0x4001 : 0);
    pacr(bare, ONE | LAST);
    /* 0 and four zeros, 0x4001 and nine zeros, the last zero. */
    assert_int_equal(half_at(bare, OUT + 2), 3);
    assert_int_equal(half_at(bare, OUT + 16), 0);
    assert_int_equal(half_at(bare, OUT + 18), 0x4001);
    assert_int_equal(half_at(bare, OUT + 20), 0);
    assert_int_equal(half_at(bare, OUT + 16 + 64), 0x094);
    assert_int_equal(bare->tile.l1[OUT + 16 + GROUP_BYTES], 0xCC);
    SET(bare, THCON_SEC0_REG1_Disable_pack_zero_flags, 1);
    put_bf16(bare, 0, 5, 0);
    pacr(bare, ONE | LAST);
    assert_int_equal(bare->tile.tensix->packer[0].all_zero_flags, 0);
    SET(bare, THCON_SEC0_REG1_Pack_L1_Acc, 1);
    pacr_faults(bare, ONE | LAST, TF_FAULT_UNDEFINED);
}

/* Exponents belong to data with their zero counts, two a group, across rows. */
static void test_shared_exponents(void **state)
{
    struct bare *bare = *state;
    set_formats(bare, false, 5, 6);
    SET(bare, THCON_SEC0_REG1_Disable_zero_compress, 0);
    SET(bare, THCON_SEC0_REG1_Row_start_section_size, 1);
    SET(bare, THCON_SEC0_REG1_Exp_section_size, 1);
    for (unsigned i = 0; i < 32; i++)
        put_bf16(bare, i / 16, i % 16, (uint16_t)(i % 2 ? 0x4000 + i / 16 * 0x80 : 0));
    bare->tile.tensix->config->thread[0][37] = 1;
    pacr(bare, ONE);
    pacr(bare, ONE | LAST);
    assert_int_equal(half_at(bare, OUT + 2), 9); /* the leading zero, then eight with a zero after all but the last */
    assert_int_equal(half_at(bare, OUT + 4), 18);
    assert_int_equal(bare->tile.l1[OUT + 16], 0x81);
    assert_int_equal(bare->tile.l1[OUT + 17], 0x81);
    assert_int_equal(bare->tile.l1[OUT + 32 + 1], 0x20);
    assert_int_equal(bare->tile.l1[OUT + 32 + 32], 0x10);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_round_trip), TEST(test_small), TEST(test_shared_exponents)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
