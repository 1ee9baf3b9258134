/* SPDX-License-Identifier: Apache-2.0 */
/* The memory map of BabyRISCV/README.md, written down once more: the windows that each core reaches, and their
   sizes. */
#include "fixture.h"
#include "tile/mmio/map/map.h"
#include "tile/why.h"

#include <stdio.h>

enum { B = 1, NC = 2, T = 4 + 8 + 16, N = 32 }; /* by 1 << from */

struct span {
    uint32_t first, last;
    unsigned reach;
    const char *name;
};

/* In order of address; what lies between is unmapped. */
static const struct span spans[] = {
    {0xFFB11000, 0xFFB11FFF, B | T, "the TDMA-RISC registers"},
    {0xFFB12000, 0xFFB12FFF, B | T | NC | N, "debug"},
    {0xFFB13000, 0xFFB13137, B | T | NC | N, "PIC"},
    {0xFFB13138, 0xFFB1314B, B | T | NC | N, "pc"},
    {0xFFB14000, 0xFFB1DFFF, B | T | NC | N, "local"},
    {0xFFB20000, 0xFFB2FFFF, B | T | NC | N, "NIU 0"},
    {0xFFB30000, 0xFFB3FFFF, B | T | NC | N, "NIU 1"},
    {0xFFB40000, 0xFFB7FFFF, B | T | NC | N, "overlay"},
    {0xFFB80000, 0xFFB80023, T, "the MOP expander configuration"},
    {0xFFBD8000, 0xFFBDFFFF, T, "Dst"},
    {0xFFE00000, 0xFFE00FFF, B | T, "the Tensix GPRs"},
    {0xFFE40000, 0xFFE6FFFF, B | T, "the instruction buffers"},
    {0xFFE80000, 0xFFE8FFFF, B | T, "the PCBufs"},
    {0xFFE90000, 0xFFE9FFFF, B, "PCBuf[1]"},
    {0xFFEA0000, 0xFFEAFFFF, B, "PCBuf[2]"},
    {0xFFEC0000, 0xFFEC3FFF, B | T, "the mailboxes"},
    {0xFFEF0000, 0xFFEFFFFF, B | T, "the backend configuration"},
};
#define SPANS (sizeof spans / sizeof spans[0])

static const char *const names[] = {"B", "NC", "T0", "T1", "T2"};

static void unreached_spans_fault(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned i = 0; i < SPANS; i++)
        for (unsigned from = 0; from <= NOC; from++) {
            if (spans[i].reach >> from & 1)
                continue;
            char text[80];
            snprintf(text, sizeof text, "%s cannot reach %s", from == NOC ? "the NOC" : names[from], spans[i].name);
            uint32_t ends[] = {spans[i].first, spans[i].last & ~3u};
            for (unsigned end = 0; end < 2; end++) {
                load_faults(fixture, from, ends[end], 4, TF_FAULT_UNDEFINED, text);
                store_faults(fixture, from, ends[end], 4, TF_FAULT_UNDEFINED, text);
                assert_false(tf_mmio_would_block(&fixture->tile, from, ends[end], false));
            }
        }
}

/* No access to a span that `from` reaches complains that it cannot be reached, or is unmapped. */
static void reached_spans_are_someones(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned i = 0; i < SPANS; i++)
        for (unsigned from = 0; from <= NOC; from++) {
            if (!(spans[i].reach >> from & 1))
                continue;
            uint32_t ends[] = {spans[i].first, spans[i].last & ~3u};
            for (unsigned end = 0; end < 2; end++) {
                uint32_t value;
                fixture->fault_text[0] = '\0';
                fixture->tile.mmio.why = "";
                (void)try_load(fixture, from, ends[end], 4, &value);
                (void)try_store(fixture, from, ends[end], 4, 0);
                const char *text = from == NOC ? tf_mmio_why(&fixture->tile) : fixture->fault_text;
                assert_null(strstr(text, "cannot reach"));
                assert_null(strstr(text, "unmapped"));
            }
        }
}

static void gaps_are_unmapped(void **state)
{
    struct fixture *fixture = *state;
    uint32_t before = 0xFFB02000;
    for (unsigned i = 0; i < SPANS; i++) {
        if (before < spans[i].first)
            for (unsigned from = 0; from <= NOC; from++) {
                load_faults(fixture, from, before, 4, TF_FAULT_UNDEFINED, "unmapped");
                store_faults(fixture, from, spans[i].first - 4, 4, TF_FAULT_UNDEFINED, "unmapped");
            }
        before = (spans[i].last & ~3u) + 4;
    }
    static const uint32_t outside[] = {0x00180000, 0x00FF0000, 0x12345678, 0xFEB20000,
                                       0xFFAFFFFC, 0xFFF00000, 0xFFFFFFFC};
    for (unsigned i = 0; i < sizeof outside / sizeof outside[0]; i++)
        for (unsigned from = 0; from <= NOC; from++)
            load_faults(fixture, from, outside[i], 4, TF_FAULT_UNDEFINED, "unmapped");
}

static void own_local_window_is_not_here(void **state)
{
    struct fixture *fixture = *state;
    load_faults(fixture, NOC, 0xFFB00000, 4, TF_FAULT_UNDEFINED, "the NOC cannot reach core-local RAM");
    load_faults(fixture, TF_CORE_T1, 0xFFB01000, 4, TF_FAULT_UNDEFINED, "T1 cannot reach core-local RAM");
}

static void a_fault_names_core_and_address(void **state)
{
    struct fixture *fixture = *state;
    load_faults(fixture, TF_CORE_NC, 0xFFEC0000, 4, TF_FAULT_UNDEFINED, "NC cannot reach the mailboxes at 0xFFEC0000");
}

static void misaligned_accesses_fault(void **state)
{
    struct fixture *fixture = *state;
    static const uint32_t address[] = {0xFFB14002, 0xFFB20042, 0xFFB30201, 0xFFB121F1,
                                       0xFFB13003, 0xFFB40022, 0xFFEC0002, 0xFFEF0002};
    for (unsigned i = 0; i < sizeof address / sizeof address[0]; i++) {
        load_faults(fixture, TF_CORE_B, address[i], 4, TF_FAULT_UNDEFINED, "misaligned");
        store_faults(fixture, TF_CORE_B, address[i], 4, TF_FAULT_UNDEFINED, "misaligned");
    }
    load_faults(fixture, NOC, 0xFFB14001, 2, TF_FAULT_UNDEFINED, "misaligned");
    assert_int_equal(fixture->niu[0].loads + fixture->niu[0].stores + fixture->niu[1].loads, 0);
}

static void registers_take_words_only(void **state)
{
    struct fixture *fixture = *state;
    static const uint32_t address[] = {0xFFB11000, 0xFFB121B0, 0xFFB13000, 0xFFB13138, 0xFFB20000,
                                       0xFFB30200, 0xFFB40020, 0xFFE40000, 0xFFE80000, 0xFFEC0000};
    for (unsigned i = 0; i < sizeof address / sizeof address[0]; i++)
        for (unsigned size = 1; size <= 2; size++) {
            load_faults(fixture, TF_CORE_B, address[i], size, TF_FAULT_UNDEFINED, "whole words can be loaded");
            store_faults(fixture, TF_CORE_B, address[i], size, TF_FAULT_UNDEFINED, "whole words can be stored");
        }
    store_faults(fixture, TF_CORE_B, 0xFFEF0000, 2, TF_FAULT_UNDEFINED, "whole words can be stored");
    store_faults(fixture, TF_CORE_T0, 0xFFE00000, 1, TF_FAULT_UNDEFINED, "whole words can be stored");
}

static void configuration_and_gprs_load_in_any_size(void **state)
{
    struct fixture *fixture = *state;
    uint32_t value;
    fixture->tensix_value = 0x44332211;
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(try_load(fixture, TF_CORE_B, 0xFFEF0010 + i, 1, &value), TF_ACCESS_OK);
        assert_int_equal(value, 0x11 * (i + 1));
        assert_int_equal(fixture->tensix_address, 0xFFEF0010);
    }
    assert_int_equal(try_load(fixture, TF_CORE_T2, 0xFFE00006, 2, &value), TF_ACCESS_OK);
    assert_int_equal(value, 0x4433);
    assert_int_equal(fixture->tensix_address, 0xFFE00004);
    assert_int_equal(fixture->tensix_from, TF_CORE_T2);
}

/* Slow access path: every core's RAM, from every core and the NOC, in every size. */
static void local_ram_is_shared(void **state)
{
    struct fixture *fixture = *state;
    static const uint32_t base[] = {0xFFB14000, 0xFFB16000, 0xFFB18000, 0xFFB1A000, 0xFFB1C000};
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        uint8_t *local = fixture->tile.hart[core].local;
        uint32_t bytes = fixture->tile.hart[core].local_bytes;
        assert_int_equal(bytes, core <= TF_CORE_NC ? 8192 : 4096);
        for (unsigned from = 0; from <= NOC; from++) {
            uint32_t at = base[core] + bytes - 8 * (from + 1), value;
            store(fixture, from, at, 0x04030201);
            assert_memory_equal(local + (at - base[core]), "\1\2\3\4", 4);
            assert_int_equal(load_pure(fixture, from, at, true), 0x04030201);
            assert_int_equal(try_store(fixture, from, at + 1, 1, 0xAB), TF_ACCESS_OK);
            assert_int_equal(try_store(fixture, from, at + 6, 2, 0x9876), TF_ACCESS_OK);
            assert_int_equal(try_load(fixture, from, at, 2, &value), TF_ACCESS_OK);
            assert_int_equal(value, 0xAB01);
            assert_int_equal(try_load(fixture, from, at + 3, 1, &value), TF_ACCESS_OK);
            assert_int_equal(value, 4);
            assert_int_equal(load(fixture, from, at + 4), 0x98760000);
        }
    }
}

static void local_ram_of_t_cores_has_two_addresses(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned i = 0; i < 3; i++) {
        store(fixture, NOC, 0xFFB19000 + i * 0x2000 + 0xFFC, 0x1000 + i);
        assert_int_equal(load(fixture, TF_CORE_B, 0xFFB18000 + i * 0x2000 + 0xFFC), 0x1000 + i);
    }
}

static void pc_snapshots(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned core = 0; core < TF_TILE_CORES; core++)
        assert_int_equal(load_pure(fixture, NOC, 0xFFB13138 + 4 * core, false), 0x1000 * (core + 1));
    fixture->tile.hart[TF_CORE_T1].state = TF_CORE_PARKED;
    fixture->view.pc = 0x4444;
    assert_int_equal(load(fixture, TF_CORE_NC, 0xFFB13144), 0x4444);
    store(fixture, TF_CORE_B, 0xFFB13138, 7);
    assert_int_equal(fixture->tile.hart[TF_CORE_B].pc, 0x1000);
}

static void nius_are_forwarded(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned n = 0; n < 2; n++)
        for (unsigned from = 0; from <= NOC; from++) {
            uint32_t base = 0xFFB20000 + 0x10000 * n;
            store(fixture, from, base + 0x1840, 0x55 + from);
            assert_int_equal(fixture->niu[n].offset, 0x1840);
            assert_int_equal(fixture->niu[n].value, 0x55 + from);
            assert_int_equal(fixture->niu[n].core, from);
            assert_int_equal(fixture->niu[n].pc, from == NOC ? 0 : 0x1000 * (from + 1));
            fixture->niu[n].pure = from % 2;
            assert_int_equal(load_pure(fixture, from, base + 0xFFFC, from % 2), 0x55 + from);
            assert_int_equal(fixture->niu[n].offset, 0xFFFC);
        }
    assert_int_equal(fixture->niu[0].stores, 6);
    assert_int_equal(fixture->niu[1].loads, 6);
}

static void a_niu_may_refuse(void **state)
{
    struct fixture *fixture = *state;
    uint32_t value;
    fixture->niu[1].answer = TF_ACCESS_FAULT;
    assert_int_equal(try_load(fixture, NOC, 0xFFB30000, 4, &value), TF_ACCESS_FAULT);
    assert_string_equal(tf_mmio_why(&fixture->tile), "NoC/MemoryMap.md does not describe this register of a NIU");
    assert_int_equal(try_store(fixture, NOC, 0xFFB30000, 4, 0), TF_ACCESS_FAULT);
    assert_string_equal(tf_mmio_why(&fixture->tile), "the NIU refuses the store");
    fixture->tile.port.load = NULL;
    fixture->tile.port.store = NULL;
    load_faults(fixture, TF_CORE_B, 0xFFB20000, 4, TF_FAULT_CONFIG, "no NIU");
    store_faults(fixture, NOC, 0xFFB30000, 4, TF_FAULT_CONFIG, "no NIU");
}

static void pushes_go_to_the_threads(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned thread = 0; thread < 3; thread++) {
        store(fixture, TF_CORE_B, 0xFFE40000 + 0x10000 * thread + 8, 0x10000000 + thread);
        assert_int_equal(fixture->push_thread, thread);
        assert_int_equal(fixture->push_word, 0x10000000 + thread);
        assert_int_equal(fixture->push_core, TF_CORE_B);
        assert_true(fixture->push_from_b);
        store(fixture, TF_CORE_T0 + thread, 0xFFE40000, 0x20000000 + thread);
        assert_int_equal(fixture->push_thread, thread);
        assert_int_equal(fixture->push_word, 0x20000000 + thread);
        assert_int_equal(fixture->push_core, TF_CORE_T0 + thread);
        assert_int_equal(fixture->push_pc, 0x1000 * (TF_CORE_T0 + thread + 1));
        assert_false(fixture->push_from_b);
        for (unsigned other = 1; other < 3; other++)
            store_faults(fixture, TF_CORE_T0 + thread, 0xFFE40000 + 0x10000 * other, 4, TF_FAULT_UNDEFINED,
                         "another thread's instruction buffer hangs");
    }
    assert_int_equal(fixture->pushes, 6);
    load_faults(fixture, TF_CORE_B, 0xFFE40000, 4, TF_FAULT_UNDEFINED, "cannot be read");
}

static void a_full_buffer_blocks_its_own_door(void **state)
{
    struct fixture *fixture = *state;
    fixture->full[1] = true;
    assert_int_equal(try_store(fixture, TF_CORE_T1, 0xFFE40000, 4, 1), TF_ACCESS_BLOCK);
    assert_true(tf_mmio_would_block(&fixture->tile, TF_CORE_T1, 0xFFE40000, true));
    assert_false(tf_mmio_would_block(&fixture->tile, TF_CORE_T0, 0xFFE40000, true));
    assert_false(tf_mmio_would_block(&fixture->tile, TF_CORE_B, 0xFFE50000, true));
    fixture->full_for_b[1] = true;
    assert_int_equal(try_store(fixture, TF_CORE_B, 0xFFE50000, 4, 1), TF_ACCESS_BLOCK);
    assert_true(tf_mmio_would_block(&fixture->tile, TF_CORE_B, 0xFFE50000, true));
    assert_false(tf_mmio_would_block(&fixture->tile, TF_CORE_B, 0xFFE60000, true));
    assert_false(tf_mmio_would_block(&fixture->tile, TF_CORE_B, 0xFFE50000, false));
    assert_int_equal(fixture->pushes, 0);
}

static void coprocessor_windows_are_forwarded(void **state)
{
    struct fixture *fixture = *state;
    static const struct {
        unsigned from;
        uint32_t address;
    } window[] = {{TF_CORE_B, 0xFFB11024},  {TF_CORE_T2, 0xFFB11FFC}, {TF_CORE_T1, 0xFFB80000},
                  {TF_CORE_T0, 0xFFB80020}, {TF_CORE_B, 0xFFE002FC},  {TF_CORE_T0, 0xFFE80004},
                  {TF_CORE_T1, 0xFFE8001C}, {TF_CORE_T2, 0xFFE80020}, {TF_CORE_T0, 0xFFE8FFFC},
                  {TF_CORE_B, 0xFFEF0000},  {TF_CORE_T2, 0xFFEFFFFC}};
    for (unsigned i = 0; i < sizeof window / sizeof window[0]; i++) {
        fixture->window_blocks = false;
        store(fixture, window[i].from, window[i].address, 0x77 + i);
        assert_int_equal(fixture->tensix_address, window[i].address);
        assert_int_equal(fixture->tensix_from, window[i].from);
        fixture->tensix_pure = i % 2;
        assert_int_equal(load_pure(fixture, window[i].from, window[i].address, i % 2), 0x77 + i);
        assert_false(tf_mmio_would_block(&fixture->tile, window[i].from, window[i].address, false));
        fixture->window_blocks = true;
        uint32_t value;
        assert_int_equal(try_load(fixture, window[i].from, window[i].address, 4, &value), TF_ACCESS_BLOCK);
        assert_int_equal(try_store(fixture, window[i].from, window[i].address, 4, 0), TF_ACCESS_BLOCK);
        assert_true(tf_mmio_would_block(&fixture->tile, window[i].from, window[i].address, true));
    }
    assert_int_equal(fixture->tensix_loads, sizeof window / sizeof window[0]);
}

static void without_a_coprocessor_its_windows_fault(void **state)
{
    struct fixture *fixture = *state;
    fixture->tile.tensix = NULL;
    static const uint32_t address[] = {
        0xFFB11000, 0xFFB80000, 0xFFBD8000, 0xFFE00000, 0xFFE80004, 0xFFE80020, 0xFFEF0000,
    };
    for (unsigned i = 0; i < sizeof address / sizeof address[0]; i++) {
        load_faults(fixture, TF_CORE_T0, address[i], 4, TF_FAULT_UNIMPLEMENTED, "no Tensix coprocessor");
        store_faults(fixture, TF_CORE_T0, address[i], 4, TF_FAULT_UNIMPLEMENTED, "no Tensix coprocessor");
        assert_false(tf_mmio_would_block(&fixture->tile, TF_CORE_T0, address[i], true));
    }
    store_faults(fixture, TF_CORE_B, 0xFFE50000, 4, TF_FAULT_UNIMPLEMENTED, "no Tensix coprocessor");
    assert_false(tf_mmio_would_block(&fixture->tile, TF_CORE_B, 0xFFE50000, true));
}

/* The size matters there: nothing is rounded or cut out on the way. */
static void dst_gets_addresses_and_sizes(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned size = 1; size <= 4; size *= 2) {
        uint32_t value;
        fixture->dst_value = 0xDEADBEEF;
        assert_int_equal(try_load(fixture, TF_CORE_T0, 0xFFBD8000 + size, size, &value), TF_ACCESS_OK);
        assert_int_equal(value, 0xDEADBEEF);
        assert_int_equal(fixture->dst_address, 0xFFBD8000 + size);
        assert_int_equal(fixture->dst_size, size);
        assert_int_equal(fixture->dst_from, TF_CORE_T0);
        assert_int_equal(try_store(fixture, TF_CORE_T2, 0xFFBDFFFC, size, 0x12345678), TF_ACCESS_OK);
        assert_int_equal(fixture->dst_value, 0x12345678);
        assert_int_equal(fixture->dst_address, 0xFFBDFFFC);
        assert_int_equal(fixture->dst_size, size);
        assert_int_equal(fixture->dst_from, TF_CORE_T2);
    }
}

/*
 * Every register that firmware of BRISC, NCRISC and TRISC, kernels of tt-metal, or tt-umd touches outside the NIUs.
 * Tests of each device check what they read there.
 */
static void firmware_reaches_its_registers(void **state)
{
    struct fixture *fixture = *state;
    static const struct {
        unsigned from;
        uint32_t address;
        char way; /* 'r', 'w' or 'b'oth */
    } touched[] = {
        {TF_CORE_B, 0xFFB11024, 'w'},  {TF_CORE_B, 0xFFB121B0, 'b'},  {TF_CORE_B, 0xFFB12228, 'w'},
        {TF_CORE_B, 0xFFB1222C, 'w'},  {TF_CORE_B, 0xFFB12230, 'w'},  {TF_CORE_B, 0xFFB12234, 'w'},
        {TF_CORE_B, 0xFFB12238, 'w'},  {TF_CORE_B, 0xFFB1223C, 'w'},  {TF_CORE_B, 0xFFB12240, 'w'},
        {TF_CORE_B, 0xFFB12244, 'w'},  {TF_CORE_B, 0xFFB12070, 'w'},  {TF_CORE_B, 0xFFB12074, 'w'},
        {TF_CORE_B, 0xFFB1207C, 'w'},  {TF_CORE_B, 0xFFE40000, 'w'},  {TF_CORE_B, 0xFFE50000, 'w'},
        {TF_CORE_B, 0xFFE60000, 'w'},  {TF_CORE_B, 0xFFEF000C, 'b'},  {TF_CORE_B, 0xFFEF02E4, 'w'},
        {TF_CORE_B, 0xFFB70438, 'w'},  {NOC, 0xFFB70438, 'w'},        {NOC, 0xFFB704A4, 'r'},
        {TF_CORE_T0, 0xFFB121F0, 'r'}, {TF_CORE_T0, 0xFFB121F8, 'r'}, {TF_CORE_T0, 0xFFE00000, 'w'},
        {TF_CORE_T1, 0xFFE80004, 'b'}, {TF_CORE_T2, 0xFFEF02E8, 'w'}, {TF_CORE_T1, 0xFFB12068, 'b'},
        {TF_CORE_T1, 0xFFB120B4, 'b'}, {TF_CORE_T0, 0xFFB12000, 'b'}, {TF_CORE_T0, 0xFFB12218, 'b'},
        {TF_CORE_T0, 0xFFB12100, 'r'}, {TF_CORE_T0, 0xFFB12124, 'r'}, {TF_CORE_T1, 0xFFB12064, 'w'},
        {TF_CORE_T0, 0xFFB80000, 'w'}, {TF_CORE_T2, 0xFFB80020, 'w'}, {TF_CORE_T1, 0xFFE80028, 'b'},
        {NOC, 0xFFB12054, 'w'},        {NOC, 0xFFB1205C, 'r'},        {NOC, 0xFFB121B0, 'b'},
    };
    for (unsigned i = 0; i < sizeof touched / sizeof touched[0]; i++) {
        if (touched[i].way != 'w')
            (void)load(fixture, touched[i].from, touched[i].address);
        if (touched[i].way != 'r')
            store(fixture, touched[i].from, touched[i].address, 0);
    }
    for (unsigned stream = 8; stream < 40; stream++) {
        store(fixture, TF_CORE_T0, 0xFFB40020 + 0x1000 * stream, 0);
        store(fixture, TF_CORE_T0, 0xFFB40028 + 0x1000 * stream, 0);
    }
    assert_int_equal(fixture->faults, 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(unreached_spans_fault),
        TEST(reached_spans_are_someones),
        TEST(gaps_are_unmapped),
        TEST(own_local_window_is_not_here),
        TEST(a_fault_names_core_and_address),
        TEST(misaligned_accesses_fault),
        TEST(registers_take_words_only),
        TEST(configuration_and_gprs_load_in_any_size),
        TEST(local_ram_is_shared),
        TEST(local_ram_of_t_cores_has_two_addresses),
        TEST(pc_snapshots),
        TEST(nius_are_forwarded),
        TEST(a_niu_may_refuse),
        TEST(pushes_go_to_the_threads),
        TEST(a_full_buffer_blocks_its_own_door),
        TEST(coprocessor_windows_are_forwarded),
        TEST(without_a_coprocessor_its_windows_fault),
        TEST(dst_gets_addresses_and_sizes),
        TEST(firmware_reaches_its_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
