/* SPDX-License-Identifier: Apache-2.0 */
/* The debug window's other registers: kept ones, unknown ones, the daisychain, instruction and configuration access. */
#include "fixture.h"
#include "tile/mmio/map/map.h"
#include "tile/why.h"
#include "tilefarm_address.h"

#define BASE TF_DEBUG_BASE

/* Offsets of tt-metal's tensix.h that keep what is written. */
static const uint16_t kept[] = {
    0x000, 0x004, 0x008, 0x00C, 0x010, 0x014, 0x018, 0x01C, 0x020, 0x030, 0x034, 0x038, 0x03C, 0x048,
    0x04C, 0x054, 0x060, 0x064, 0x068, 0x070, 0x074, 0x07C, 0x084, 0x090, 0x0A4, 0x0AC, 0x0B0, 0x0B4,
    0x0B8, 0x0BC, 0x0F0, 0x0F4, 0x0F8, 0x1C0, 0x1C8, 0x1D0, 0x208, 0x20C, 0x210, 0x214, 0x218, 0x21C,
    0x220, 0x224, 0x228, 0x22C, 0x230, 0x234, 0x238, 0x23C, 0x240, 0x244, 0x248,
};

/* And those that have a behaviour, tested elsewhere or below. */
static const uint16_t special[] = {
    0x050, 0x058, 0x05C, 0x06C, 0x078, 0x080, 0x088, 0x08C, 0x094, 0x0A0, 0x0A8,
    0x100, 0x104, 0x108, 0x10C, 0x110, 0x114, 0x118, 0x11C, 0x120, 0x124, 0x1B0,
    0x1C4, 0x1D4, 0x1E0, 0x1E4, 0x1E8, 0x1F0, 0x1F4, 0x1F8, 0x1FC, 0x200, 0x204,
};

static void settings_read_back(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned i = 0; i < sizeof kept / sizeof kept[0]; i++)
        store(fixture, i % 6, BASE + kept[i], 0x01010101u * i + 1);
    for (unsigned i = 0; i < sizeof kept / sizeof kept[0]; i++)
        assert_int_equal(load_pure(fixture, 5 - i % 6, BASE + kept[i], true), 0x01010101u * i + 1);
}

static bool listed(const uint16_t *list, unsigned count, unsigned offset)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i] == offset)
            return true;
    return false;
}

static void unknown_registers_fault(void **state)
{
    struct fixture *fixture = *state;
    unsigned unknown = 0;
    for (unsigned offset = 0; offset < 0x1000; offset += 4) {
        if (listed(kept, sizeof kept / sizeof kept[0], offset) ||
            listed(special, sizeof special / sizeof special[0], offset))
            continue;
        load_faults(fixture, TF_CORE_T1, BASE + offset, 4, TF_FAULT_UNDEFINED, "no debug register");
        if (offset >= 0x278 && offset <= 0x28C) /* which tt-umd writes to */
            store(fixture, TF_CORE_B, BASE + offset, 0x4C);
        else
            store_faults(fixture, NOC, BASE + offset, 4, TF_FAULT_UNDEFINED, "no debug register");
        unknown++;
    }
    assert_true(unknown > 900);
}

static void read_only_registers_stay(void **state)
{
    struct fixture *fixture = *state;
    static const uint16_t offset[] = {0x078, 0x088, 0x08C, 0x094, 0x100, 0x104, 0x108, 0x10C, 0x110,
                                      0x114, 0x118, 0x11C, 0x120, 0x124, 0x1C4, 0x1D4, 0x0A8, 0x05C};
    for (unsigned i = 0; i < sizeof offset / sizeof offset[0]; i++) {
        uint32_t before = load(fixture, NOC, BASE + offset[i]);
        store(fixture, TF_CORE_B, BASE + offset[i], ~before);
        assert_int_equal(load(fixture, NOC, BASE + offset[i]), before);
    }
}

/* CFGREG_RD_CNTL and CFGREG_RDDATA: for those who cannot reach the configuration. */
static void configuration_is_read_for_others(void **state)
{
    struct fixture *fixture = *state;
    fixture->tensix_value = 0xCAFE0001;
    store(fixture, TF_CORE_NC, BASE + 0x58, 0xFFFFF801 + 0x10);
    assert_int_equal(fixture->tensix_address, TF_CFG_BASE + 0x11 * 4);
    fixture->tensix_value = 0;
    assert_int_equal(load_pure(fixture, NOC, BASE + 0x78, true), 0xCAFE0001);
    unsigned loads = fixture->tensix_loads;
    assert_int_equal(try_store(fixture, NOC, BASE + 0x58, 4, 875), TF_ACCESS_OK);
    assert_int_equal(try_store(fixture, NOC, BASE + 0x58, 4, 876), TF_ACCESS_FAULT);
    assert_int_equal(fixture->tensix_loads, loads + 1);
    fixture->tensix_value = 0xCAFE0001;
    store(fixture, NOC, BASE + 0x58, 5);
    fixture->tensix_refuses = true;
    store_faults(fixture, NOC, BASE + 0x58, 4, TF_FAULT_UNDEFINED, "no such word of backend configuration");
    assert_int_equal(load(fixture, NOC, BASE + 0x78), 0xCAFE0001);
    fixture->tile.tensix = NULL;
    store_faults(fixture, TF_CORE_NC, BASE + 0x58, 4, TF_FAULT_UNIMPLEMENTED, "no Tensix coprocessor");
}

/* INSTRN_BUF_CTRL0: bits 4..6 push when they rise, for threads that bits 0..2 give to the debug bus. */
static void instructions_through_the_debug_bus(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned thread = 0; thread < 3; thread++) {
        unsigned before = fixture->pushes;
        store(fixture, NOC, BASE + 0xA4, 0xA5000000 + thread);
        store(fixture, NOC, BASE + 0xA0, 0x10u << thread); /* no control: no push */
        store(fixture, NOC, BASE + 0xA0, 0);
        store(fixture, NOC, BASE + 0xA0, 1u << thread);
        assert_int_equal(fixture->pushes, before);
        store(fixture, NOC, BASE + 0xA0, 0x11u << thread);
        assert_int_equal(fixture->pushes, before + 1);
        assert_int_equal(fixture->push_thread, thread);
        assert_int_equal(fixture->push_word, 0xA5000000 + thread);
        assert_true(fixture->push_from_b);
        store(fixture, NOC, BASE + 0xA0, 0x11u << thread); /* no edge */
        assert_int_equal(fixture->pushes, before + 1);
        /* The cores' own pushes are lost meanwhile, whether the FIFO is full or not. */
        fixture->full[thread] = true;
        store(fixture, TF_CORE_T0 + thread, TF_INSTRN_BUF_BASE, 1);
        store(fixture, TF_CORE_B, TF_INSTRN_BUF_BASE + 0x10000 * thread, 1);
        assert_false(tf_mmio_would_block(&fixture->tile, TF_CORE_T0 + thread, TF_INSTRN_BUF_BASE, true));
        assert_int_equal(fixture->pushes, before + 1);
        fixture->full[thread] = false;
        store(fixture, NOC, BASE + 0xA0, 0);
        store(fixture, TF_CORE_B, TF_INSTRN_BUF_BASE + 0x10000 * thread, 1);
        assert_int_equal(fixture->pushes, before + 2);
    }
    store(fixture, TF_CORE_B, BASE + 0xA0, 2);
    fixture->full_for_b[1] = true;
    assert_int_equal(try_store(fixture, TF_CORE_B, BASE + 0xA0, 4, 0x22), TF_ACCESS_FAULT);
    assert_non_null(strstr(fixture->fault_text, "full instruction FIFO"));
}

static void instruction_buffer_status(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(load_pure(fixture, NOC, BASE + 0xA8, true), 0x77);
    fixture->empty_for_b[0] = false;
    fixture->full_for_b[2] = true;
    fixture->empty_for_b[2] = false;
    assert_int_equal(load(fixture, NOC, BASE + 0xA8), 0x23);
    fixture->tile.tensix = NULL;
    assert_int_equal(load(fixture, NOC, BASE + 0xA8), 0x77);
}

/* DBG_BUS_CNTL_REG: signals of DebugDaisychain.md, "RISCV execution state". */
static uint32_t bus(struct fixture *fixture, unsigned signal, unsigned word)
{
    store(fixture, NOC, BASE + 0x54, 1u << 29 | word << 25 | 7u << 16 | signal);
    return load_pure(fixture, NOC, BASE + 0x5C, false);
}

static void program_counters_on_the_daisychain(void **state)
{
    struct fixture *fixture = *state;
    static const unsigned signal[TF_TILE_CORES] = {10, 24, 12, 14, 16};
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        uint32_t pc = 0x1000 * (core + 1);
        assert_int_equal(bus(fixture, signal[core], 0), pc | 1u << 31);
        assert_int_equal(bus(fixture, signal[core] + 1, 1), pc | 1u << 31);
        assert_int_equal(bus(fixture, signal[core], 2), pc);
        assert_int_equal(bus(fixture, signal[core], 1), 0);
        assert_int_equal(bus(fixture, signal[core] + 1, 3), 0x80);
        for (unsigned store = 0; store < 2; store++) {
            fixture->tile.hart[core].state = TF_CORE_BLOCKED;
            fixture->tile.hart[core].wait_address = TF_PC_BUF_BASE + 0x10;
            fixture->tile.hart[core].wait_store = store;
            assert_int_equal(bus(fixture, signal[core], 1), store ? 0xBFE80010 : 0x7FE80010);
        }
        fixture->tile.hart[core].state = TF_CORE_RESET;
        assert_int_equal(bus(fixture, signal[core], 0), pc);
        assert_int_equal(bus(fixture, signal[core] + 1, 3), 0);
    }
    store(fixture, NOC, BASE + 0x54, 0);
    assert_int_equal(load(fixture, NOC, BASE + 0x5C), 0);
    store(fixture, NOC, BASE + 0x54, 1u << 29 | 6u << 16);
    load_faults(fixture, TF_CORE_B, BASE + 0x5C, 4, TF_FAULT_UNPREDICTABLE, "no page describes this signal");
    store(fixture, NOC, BASE + 0x54, 1u << 29 | 7u << 16 | 30);
    load_faults(fixture, NOC, BASE + 0x5C, 4, TF_FAULT_UNIMPLEMENTED, "only the state of execution");
}

static void ethernet_cores_on_the_daisychain(void **state)
{
    (void)state;
    struct fixture *fixture = fixture_create_kind(TF_TILE_ETH);
    for (unsigned core = 0; core < 2; core++) {
        fixture->tile.hart[core].pc = 0x500 + core;
        assert_int_equal(bus(fixture, 19 + 2 * core, 1), (0x500 + core) | 1u << 31);
    }
    store(fixture, NOC, BASE + 0x54, 1u << 29 | 7u << 16 | 10);
    load_faults(fixture, NOC, BASE + 0x5C, 4, TF_FAULT_UNIMPLEMENTED, "only the state of execution");
    fixture_destroy(fixture);
}

static void assert_l1(struct fixture *fixture, uint32_t at, uint32_t word0, uint32_t word3)
{
    uint32_t words[4];
    memcpy(words, fixture->tile.l1 + at, sizeof words);
    assert_int_equal(words[0], word0);
    assert_int_equal(words[3], word3);
}

/* DBG_L1_MEM_REG0..2, as the page's recipes have them. */
static void the_daisychain_writes_to_l1(void **state)
{
    struct fixture *fixture = *state;
    const uint32_t trigger = 1u << 12;
    fixture->probe_value = 0x40;
    store(fixture, NOC, BASE + 0x54, 1u << 29 | 3u << 16 | 2);
    for (uint32_t mode = 0; mode < 2; mode++) {
        store(fixture, NOC, BASE + 0x50, 15);
        store(fixture, NOC, BASE + 0x48, 0x100);
        store(fixture, NOC, BASE + 0x50, mode);
        assert_int_equal(fixture->l1_writes, 2 * mode);
        for (unsigned i = 0; i < 2; i++) {
            fixture->probe_value += 0x100;
            store(fixture, NOC, BASE + 0x50, mode | trigger);
            store(fixture, NOC, BASE + 0x50, mode | trigger); /* no edge */
            store(fixture, NOC, BASE + 0x50, mode);
            assert_int_equal(fixture->l1_writes, 2 * mode + i + 1);
            assert_int_equal(fixture->l1_written, 0x1000 + (mode ? 16 * i : 0));
            assert_l1(fixture, 0x1000 + (mode ? 16 * i : 0), fixture->probe_value, fixture->probe_value + 3);
        }
    }
    assert_l1(fixture, 0x1000, 0x340, 0x343);
    /* A series of three. */
    store(fixture, NOC, BASE + 0x50, 15);
    store(fixture, NOC, BASE + 0x48, 0x200);
    store(fixture, NOC, BASE + 0x4C, 0x203);
    store(fixture, NOC, BASE + 0x50, 4 | 9 << 4 | trigger);
    for (unsigned i = 0; i < 3; i++)
        assert_l1(fixture, 0x2000 + 16 * i, 0x440, 0x443);
    assert_l1(fixture, 0x2030, 0, 0);
    assert_int_equal(fixture->l1_written_bytes, 48);
    /* Unknown signals arrive as ones, and are reported. */
    store(fixture, NOC, BASE + 0x54, 1u << 29 | 7u << 16 | 30);
    store(fixture, NOC, BASE + 0x50, 0);
    assert_int_equal(try_store(fixture, NOC, BASE + 0x50, 4, 1 | trigger), TF_ACCESS_FAULT);
    assert_l1(fixture, 0x2030, UINT32_MAX, UINT32_MAX);
    /* Nor beyond the first MiB. An empty series may begin there. */
    store(fixture, NOC, BASE + 0x50, 15);
    store(fixture, NOC, BASE + 0x48, 0x10000);
    store(fixture, NOC, BASE + 0x4C, 0x10000);
    store(fixture, NOC, BASE + 0x54, 1u << 29 | 3u << 16 | 2);
    store(fixture, NOC, BASE + 0x50, 4 | trigger);
    assert_int_equal(fixture->l1_written_bytes, 0);
    store(fixture, NOC, BASE + 0x50, 15);
    assert_int_equal(try_store(fixture, NOC, BASE + 0x50, 4, 1 | trigger), TF_ACCESS_FAULT);
    assert_non_null(strstr(tf_mmio_why(&fixture->tile), "first MiB"));
}

static void the_coprocessor_on_the_daisychain(void **state)
{
    struct fixture *fixture = *state;
    fixture->probe_value = 0x12340000;
    for (unsigned word = 0; word < 4; word++) {
        store(fixture, NOC, BASE + 0x54, 1u << 29 | word << 25 | 3u << 16 | 2);
        assert_int_equal(load_pure(fixture, TF_CORE_T1, BASE + 0x5C, false), 0x12340000 + word);
    }
    fixture->tile.tensix = NULL;
    load_faults(fixture, NOC, BASE + 0x5C, 4, TF_FAULT_UNPREDICTABLE, "no page describes this signal");
}

static void reads_of_the_array(void **state)
{
    struct fixture *fixture = *state;
    store(fixture, NOC, BASE + 0x64, 0x00021005);
    assert_int_equal(load(fixture, NOC, BASE + 0x6C), 0);
    store(fixture, NOC, BASE + 0x60, 1);
    load_faults(fixture, TF_CORE_T1, BASE + 0x6C, 4, TF_FAULT_UNPREDICTABLE, "only words of Dst");
    fixture->array_known = true;
    assert_int_equal(load_pure(fixture, TF_CORE_T1, BASE + 0x6C, false), ~0x00021005u);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(settings_read_back),
        TEST(unknown_registers_fault),
        TEST(read_only_registers_stay),
        TEST(configuration_is_read_for_others),
        TEST(instructions_through_the_debug_bus),
        TEST(instruction_buffer_status),
        TEST(program_counters_on_the_daisychain),
        cmocka_unit_test(ethernet_cores_on_the_daisychain),
        TEST(the_daisychain_writes_to_l1),
        TEST(the_coprocessor_on_the_daisychain),
        TEST(reads_of_the_array),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
