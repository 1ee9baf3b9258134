/* SPDX-License-Identifier: Apache-2.0 */
/* Streams as general-purpose registers: WormholeB0/NoC/Overlay/AsGeneralUse.md, with Blackhole's numbers. */
#include "fixture.h"
#include "tilefarm_address.h"

#define REG(stream, index) (TF_STREAM_BASE + 0x1000u * (stream) + 4u * (index))
#define MASK17 0x1FFFFu

enum { ALL, MULTICAST, GATHER, DRAM, SCRATCH32, FIRST };

static bool has(unsigned stream, unsigned set)
{
    switch (set) {
    case MULTICAST: return stream < 4;
    case GATHER: return stream < 6;
    case DRAM: return stream < 4 || (stream >= 8 && stream < 12);
    case SCRATCH32: return stream < 6 || (stream >= 8 && stream < 12);
    case FIRST: return stream == 0;
    default: return true;
    }
}

/* Registers that keep what is written when nothing else is touched: number, width, streams. */
static const struct {
    uint16_t index;
    uint8_t width, streams;
} kept[] = {
    {3, 24, ALL},     {4, 24, ALL},   {5, 20, ALL},      {6, 4, ALL},         {7, 18, ALL},       {8, 17, ALL},
    {9, 15, DRAM},    {10, 17, ALL},  {11, 17, ALL},     {12, 3, ALL},        {13, 17, ALL},      {14, 15, DRAM},
    {15, 9, ALL},     {16, 7, ALL},   {17, 17, ALL},     {18, 17, ALL},       {19, 17, ALL},      {20, 17, ALL},
    {21, 3, ALL},     {22, 17, ALL},  {23, 17, ALL},     {24, 19, MULTICAST}, {25, 6, MULTICAST}, {26, 18, GATHER},
    {27, 24, GATHER}, {28, 20, ALL},  {30, 17, ALL},     {33, 21, FIRST},     {35, 16, FIRST},    {36, 24, DRAM},
    {41, 24, DRAM},   {206, 17, ALL}, {224, 24, GATHER}, {225, 24, GATHER},   {226, 16, GATHER},  {256, 32, SCRATCH32},
    {499, 8, FIRST},  {29, 20, ALL},  {31, 17, ALL},
};

static void widths_and_streams(void **state)
{
    struct fixture *fixture = *state;
    static const unsigned streams[] = {0, 3, 4, 5, 6, 8, 11, 12, 31, 63};
    for (unsigned s = 0; s < sizeof streams / sizeof streams[0]; s++)
        for (unsigned i = 0; i < sizeof kept / sizeof kept[0]; i++) {
            uint32_t address = REG(streams[s], kept[i].index);
            uint32_t mask = (uint32_t)((1ull << kept[i].width) - 1);
            assert_int_equal(load_pure(fixture, i % 6, address, true), 0);
            store(fixture, 5 - i % 6, address, ~0u);
            assert_int_equal(load(fixture, i % 6, address), has(streams[s], kept[i].streams) ? mask : 0);
            store(fixture, NOC, address, 0);
        }
}

static void each_stream_has_its_own(void **state)
{
    struct fixture *fixture = *state;
    static const unsigned index[] = {4, 8, 10, 31, 20};
    for (unsigned s = 0; s < 64; s++)
        for (unsigned i = 0; i < 5; i++)
            store(fixture, NOC, REG(s, index[i]), 10 * s + i + 1);
    for (unsigned s = 0; s < 64; s++)
        for (unsigned i = 0; i < 5; i++)
            assert_int_equal(load(fixture, TF_CORE_T1, REG(s, index[i])), 10 * s + i + 1);
}

/* Circular buffers: tiles_acked in 8, tiles_received in 10, both of 17 bits, kept apart from each other. */
static void circular_buffer_counters(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned i = 0; i < 0x20005; i += 3) {
        store(fixture, TF_CORE_T2, REG(40, 10), load(fixture, TF_CORE_T2, REG(40, 10)) + 3);
        store(fixture, TF_CORE_T0, REG(40, 8), load(fixture, TF_CORE_T0, REG(40, 8)) + 3);
    }
    assert_int_equal(load_pure(fixture, TF_CORE_B, REG(40, 10), true), (0x20005 / 3 + 1) * 3 & MASK17);
    assert_int_equal(load_pure(fixture, TF_CORE_B, REG(40, 8), true), (0x20005 / 3 + 1) * 3 & MASK17);
}

static void space_available_adds(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned s = 0; s < 64; s += 21) {
        store(fixture, NOC, REG(s, 270), 64); /* as dispatch firmware signals: 1 << 6 */
        store(fixture, TF_CORE_NC, REG(s, 270), 5 << 6);
        assert_int_equal(load_pure(fixture, NOC, REG(s, 297), true), 6);
        store(fixture, NOC, REG(s, 10), 0x10);
        assert_int_equal(load(fixture, NOC, REG(s, 297)), 0x10);
        assert_int_equal(load(fixture, NOC, REG(s, 10)), 0x10);
        store(fixture, NOC, REG(s, 270), 0x1FFFFu << 6); /* minus one */
        assert_int_equal(load(fixture, NOC, REG(s, 297)), 0xF);
        assert_int_equal(load(fixture, NOC, REG(s, 10)), 0x10);
        store(fixture, NOC, REG(s, 297), 99); /* read only */
        assert_int_equal(load(fixture, NOC, REG(s, 297)), 0xF);
        assert_int_equal(load(fixture, NOC, REG(s, 270)), 0);
    }
}

static void multicast_streams_have_32_destinations(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned s = 0; s < 4; s++) {
        store(fixture, NOC, REG(s, 10), 0xFFFFFFFF);
        for (unsigned i = 0; i < 32; i++)
            assert_int_equal(load(fixture, NOC, REG(s, 297 + i)), MASK17);
        for (unsigned i = 0; i < 32; i++)
            store(fixture, NOC, REG(s, 270), (i + 2) << 6 | i);
        for (unsigned i = 0; i < 32; i++)
            assert_int_equal(load(fixture, NOC, REG(s, 297 + i)), i + 1);
        store_faults(fixture, TF_CORE_B, REG(s, 272) + 1, 2, TF_FAULT_UNDEFINED, "misaligned");
        store(fixture, TF_CORE_B, REG(s, 270), 1 << 6 | 32); /* no such destination: accepted */
        assert_int_equal(load(fixture, NOC, REG(s, 297)), 1);
    }
    store(fixture, TF_CORE_B, REG(4, 270), 1 << 6 | 1);
    assert_int_equal(load(fixture, NOC, REG(4, 297)), 0);
    assert_int_equal(load(fixture, NOC, REG(4, 298)), 0);
}

static void all_have_space(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(load(fixture, NOC, REG(9, 503)) & 8, 0);
    store(fixture, NOC, REG(9, 10), 1);
    assert_int_equal(load(fixture, NOC, REG(9, 503)) & 8, 8);
    store(fixture, NOC, REG(1, 10), 1);
    assert_int_equal(load(fixture, NOC, REG(1, 503)) & 8, 8);
    store(fixture, NOC, REG(1, 270), 0x1FFFFu << 6 | 31);
    assert_int_equal(load(fixture, NOC, REG(1, 503)) & 8, 0);
}

static void writes_with_side_effects(void **state)
{
    struct fixture *fixture = *state;
    /* REMOTE_DEST_BUF_START clears REMOTE_DEST_WR_PTR. */
    store(fixture, NOC, REG(12, 11), 77);
    store(fixture, NOC, REG(12, 8), 5);
    assert_int_equal(load(fixture, NOC, REG(12, 11)), 0);
    /* BUF_START clears RD_PTR and WR_PTR. */
    store(fixture, NOC, REG(12, 19), 3);
    store(fixture, NOC, REG(12, 20), 4);
    store(fixture, NOC, REG(12, 17), 0x1000);
    assert_int_equal(load(fixture, NOC, REG(12, 19)), 0);
    assert_int_equal(load(fixture, NOC, REG(12, 20)), 0);
    /* RD_PTR sets NEXT_RECEIVED_MSG_ADDR and clears NEXT_RECEIVED_MSG_SIZE, both read only. */
    store(fixture, NOC, REG(12, 19), 0x23);
    assert_int_equal(load(fixture, NOC, REG(12, 262)), 0x1023);
    store(fixture, NOC, REG(12, 262), 1);
    assert_int_equal(load(fixture, NOC, REG(12, 262)), 0x1023);
    assert_int_equal(load(fixture, NOC, REG(12, 263)), 0);
    /* MSG_INFO_CAN_PUSH_NEW_MSG compares the two pointers. */
    assert_int_equal(load(fixture, NOC, REG(12, 275)), 1);
    store(fixture, NOC, REG(12, 22), 9);
    assert_int_equal(load_pure(fixture, NOC, REG(12, 275), true), 0);
    store(fixture, NOC, REG(12, 23), 9);
    assert_int_equal(load(fixture, NOC, REG(12, 275)), 1);
}

static void phases_count_by_adding(void **state)
{
    struct fixture *fixture = *state;
    store(fixture, NOC, REG(7, 28), 0xFFFFE);
    store(fixture, NOC, REG(7, 29), 5);
    store(fixture, NOC, REG(7, 5), 6);
    assert_int_equal(load(fixture, NOC, REG(7, 29)), 5);
    assert_int_equal(load(fixture, NOC, REG(7, 5)), 6);
    store(fixture, NOC, REG(7, 28), 0); /* what was stored had the base in it */
    assert_int_equal(load(fixture, NOC, REG(7, 29)), 3);
    assert_int_equal(load(fixture, NOC, REG(7, 5)), 4);
    store(fixture, NOC, REG(7, 34), 0xABCDE000 | 0xFFF);
    store(fixture, NOC, REG(7, 34), 0x12345000 | 1);
    assert_int_equal(load(fixture, NOC, REG(7, 29)), 3 + 0x1000);
    assert_int_equal(load(fixture, NOC, REG(7, 34)) >> 12, 0x12345);
    assert_int_equal(load(fixture, NOC, REG(7, 34)) & 0xFFF, 0x345);
    store(fixture, NOC, REG(7, 30), 0x1FFFF);
    store(fixture, NOC, REG(7, 31), 0x40);
    assert_int_equal(load(fixture, NOC, REG(7, 31)), 0x40);
    store(fixture, NOC, REG(7, 30), 0x10);
    assert_int_equal(load(fixture, NOC, REG(7, 31)), 0x2F);
}

static void buffer_space(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(load(fixture, NOC, REG(20, 260)), 0);
    store(fixture, NOC, REG(20, 18), 100);
    assert_int_equal(load_pure(fixture, NOC, REG(20, 260), true), 100);
    store(fixture, NOC, REG(20, 20), 30);
    assert_int_equal(load(fixture, NOC, REG(20, 260)), 70);
    store(fixture, NOC, REG(20, 19), 40);
    assert_int_equal(load(fixture, NOC, REG(20, 260)), 10);
}

static void offset_table(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned i = 0; i < 8; i++)
        store(fixture, NOC, REG(2, 207), i << 17 | (0x100 + i));
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(load(fixture, NOC, REG(2, 279 + i)), 0x100 + i);
    store(fixture, NOC, REG(2, 207), 1 << 20);
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(load(fixture, NOC, REG(2, 279 + i)), 0);
}

static void idle_status(void **state)
{
    struct fixture *fixture = *state;
    static const uint16_t zero[] = {0,   1,   32,  208, 255, 258, 259, 261, 263, 264, 267, 268, 271,
                                    273, 276, 278, 288, 289, 291, 294, 329, 424, 500, 501, 510, 511};
    assert_int_equal(load_pure(fixture, NOC, REG(33, 257), true), 1);
    for (unsigned i = 0; i < sizeof zero / sizeof zero[0]; i++)
        assert_int_equal(load_pure(fixture, NOC, REG(33, zero[i]), true), 0);
    assert_int_equal(load_pure(fixture, NOC, REG(0, 290), true), 0);
    static const uint16_t nothing[] = {208, 255, 257, 259, 260, 263, 271, 275, 288, 290, 291, 298, 329, 500, 501, 511};
    uint64_t before = hash_of(fixture);
    for (unsigned i = 0; i < sizeof nothing / sizeof nothing[0]; i++)
        store(fixture, NOC, REG(33, nothing[i]), ~0u);
    assert_int_equal(hash_of(fixture), before);
    assert_int_equal(load(fixture, NOC, REG(33, 257)), 1);
}

static void phases_fault(void **state)
{
    struct fixture *fixture = *state;
    static const uint16_t start[] = {0, 1, 32, 264, 265, 266, 267, 268, 269};
    for (unsigned i = 0; i < sizeof start / sizeof start[0]; i++)
        store_faults(fixture, i % 2 ? NOC : TF_CORE_B, REG(5, start[i]), 4, TF_FAULT_UNIMPLEMENTED,
                     "do not run phases");
    store(fixture, NOC, REG(5, 2), 0xFFFFFFFE);
    assert_int_equal(load(fixture, NOC, REG(5, 2)), 0x7FE);
    assert_int_equal(try_store(fixture, TF_CORE_B, REG(5, 2), 4, 1), TF_ACCESS_FAULT);
    assert_int_equal(fixture->fault_category, TF_FAULT_UNIMPLEMENTED);
}

/* Read 0, accept writes, and change nothing: every register that no page names. */
static void unknown_registers_are_zero(void **state)
{
    struct fixture *fixture = *state;
    static const uint16_t ranges[][2] = {{42, 205}, {209, 223}, {227, 254}, {295, 296}, {425, 498}, {512, 1023}};
    uint64_t before = hash_of(fixture);
    for (unsigned stream = 0; stream < 64; stream += 21)
        for (unsigned range = 0; range < 6; range++)
            for (unsigned i = ranges[range][0]; i <= ranges[range][1]; i++) {
                store(fixture, i % 2 ? NOC : TF_CORE_T1, REG(stream, i), ~0u);
                assert_int_equal(load_pure(fixture, TF_CORE_T1, REG(stream, i), true), 0);
            }
    assert_int_equal(hash_of(fixture), before);
    assert_int_equal(load(fixture, NOC, REG(63, 8)), 0);
}

static void random_adds(void **state)
{
    struct fixture *fixture = *state;
    uint32_t space[64][32] = {0};
    uint64_t seed = test_seed(1);
    for (unsigned i = 0; i < 50000; i++) {
        unsigned s = test_random(&seed) % 64, d = s < 4 ? test_random(&seed) % 32 : 0;
        uint32_t value = test_random(&seed);
        switch (test_random(&seed) % 8) {
        case 0:
            store(fixture, NOC, REG(s, 10), value);
            for (unsigned k = 0; k < 32; k++)
                space[s][k] = value & MASK17;
            break;
        case 1 ... 4:
            store(fixture, NOC, REG(s, 270), (value & ~0x3Fu) | d);
            space[s][d] = (space[s][d] + (value >> 6)) & MASK17;
            break;
        default: assert_int_equal(load(fixture, NOC, REG(s, 297 + d)), space[s][d]);
        }
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(widths_and_streams),
        TEST(each_stream_has_its_own),
        TEST(circular_buffer_counters),
        TEST(space_available_adds),
        TEST(multicast_streams_have_32_destinations),
        TEST(all_have_space),
        TEST(writes_with_side_effects),
        TEST(phases_count_by_adding),
        TEST(buffer_space),
        TEST(offset_table),
        TEST(idle_status),
        TEST(phases_fault),
        TEST(unknown_registers_are_zero),
        TEST(random_adds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
