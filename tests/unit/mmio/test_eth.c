/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ethernet tiles have another address map, other reset registers for two cores, and queues without a partner. Their
 * firmware acts on the host's accesses to L1.
 */
#include "fixture.h"
#include "addresses.h"
#include "blackhole/tilefarm_family.h"
#include "tile/eth/eth.h"

#define E0 0u
#define E1 1u
#define RESET_PC_0 TF_ETH_CONTROL_BASE
#define RESET_PC_1 (TF_ETH_CONTROL_BASE + 0x8)
#define BOTH 0x1800u
#define GO_MESSAGE 0x590u
#define HEARTBEAT 0x7CC70u
#define MAILBOX 0x7D000u

static int setup(void **state)
{
    struct fixture *fixture = fixture_create_kind(TF_TILE_ETH);
    fixture->tile.hart[E0].state = fixture->tile.hart[E1].state = TF_CORE_RESET;
    *state = fixture;
    return 0;
}

static uint32_t word(const struct fixture *fixture, uint32_t address)
{
    uint32_t value;
    memcpy(&value, fixture->tile.l1 + address, sizeof value);
    return value;
}

/* As the host writes: first to the memory, then it tells the tile. */
static void host_writes(struct fixture *fixture, uint32_t address, uint32_t value)
{
    memcpy(fixture->tile.l1 + address, &value, sizeof value);
    tf_eth_host_wrote(&fixture->tile, address, sizeof value);
}

static void cores_start_at_their_reset_pc(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(load(fixture, NOC, SOFT_RESET_0), BOTH);
    store(fixture, NOC, RESET_PC_0, 0x4000);
    store(fixture, NOC, RESET_PC_1, 0x9000);
    fixture->tile.cycle = 700;
    store(fixture, NOC, SOFT_RESET_0, 0x47000); /* bits that other tiles have */
    assert_int_equal(load(fixture, NOC, SOFT_RESET_0), 0x1000);
    assert_int_equal(fixture->releases[E0], 1);
    assert_int_equal(fixture->release_pc[E0], 0x4000);
    assert_int_equal(fixture->release_cycle[E0], 700);
    assert_int_equal(fixture->releases[E1], 0);
    store(fixture, E0, SOFT_RESET_0, 0x46800); /* all but E1's */
    assert_int_equal(fixture->tile.hart[E0].state, TF_CORE_RESET);
    assert_int_equal(fixture->releases[E1], 1);
    assert_int_equal(fixture->release_pc[E1], 0x9000);
    assert_int_equal(fixture->tile.hart[E1].x[2], 0xFFB02000);
    store(fixture, E1, SOFT_RESET_0, 0);
    assert_int_equal(fixture->releases[E0], 2);
    assert_int_equal(fixture->releases[E1], 1);
    store(fixture, NOC, SOFT_RESET_0, BOTH);
    assert_int_equal(fixture->tile.hart[E1].state, TF_CORE_RESET);
}

/* Without a reset PC a core goes back to the firmware, which is not a program here. */
static void no_reset_pc_no_program(void **state)
{
    struct fixture *fixture = *state;
    store(fixture, NOC, RESET_PC_0, 0);
    store(fixture, NOC, SOFT_RESET_0, 0);
    assert_int_equal(fixture->releases[E0] + fixture->releases[E1], 0);
    assert_int_equal(load(fixture, NOC, SOFT_RESET_0), 0);
    store(fixture, NOC, RESET_PC_1, 0x100);
    store(fixture, NOC, SOFT_RESET_0, 0);
    assert_int_equal(fixture->releases[E0], 0);
    assert_int_equal(fixture->releases[E1], 1);
}

/* Windows that only Tensix tiles have are unmapped; the NIUs, 32 streams and the debug registers are there. */
static void the_map_is_its_own(void **state)
{
    struct fixture *fixture = *state;
    static const uint32_t absent[] = {
        TF_TDMA_BASE, PIC_AT(BRISC_SW_INT_EN), TF_PC_SNAPSHOT_BASE, TF_LOCAL_OF_NC_BASE, TF_MOP_CFG_BASE, TF_DST_BASE,
        TF_GPR_BASE,  TF_INSTRN_BUF_BASE,      TF_PC_BUF_BASE,      TF_MAILBOX_BASE,     TF_CFG_BASE};
    fixture->tile.hart[E0].state = TF_CORE_RUNNING;
    for (unsigned i = 0; i < sizeof absent / sizeof absent[0]; i++) {
        load_faults(fixture, E0, absent[i], 4, TF_FAULT_UNDEFINED, "unmapped address");
        load_faults(fixture, NOC, absent[i], 4, TF_FAULT_UNDEFINED, "unmapped address");
    }
    load_faults(fixture, E1, TF_ETH_CONTROL_BASE + 0x64, 4, TF_FAULT_UNIMPLEMENTED, "not implemented");
    assert_int_equal(try_store(fixture, E1, NIU_AT(0, CMD_CTRL), 4, 1), TF_ACCESS_OK);
    assert_int_equal(fixture->niu[0].core, E1);
    store(fixture, E0, TF_STREAM_BASE + 31 * 0x1000 + 4 * 8, 0x55);
    assert_int_equal(load(fixture, E0, TF_STREAM_BASE + 31 * 0x1000 + 4 * 8), 0x55);
    assert_int_not_equal(try_store(fixture, E0, TF_STREAM_BASE + 32 * 0x1000 + 4 * 8, 4, 0x55), TF_ACCESS_OK);
    fixture->tile.cycle = 0x123456789;
    assert_int_equal(load(fixture, E0, DEBUG_AT(CLOCK_L)), 0x23456789);
}

static void nothing_is_sent(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(load(fixture, NOC, TF_ETH_LINK_BASE), 1);
    assert_int_equal(load(fixture, E0, TF_ETH_LINK_BASE + 0x800C), 1);
    store(fixture, E0, TF_ETH_LINK_BASE + 0x2014, 0x77);
    assert_int_equal(load(fixture, E1, TF_ETH_LINK_BASE + 0x2014), 0x77);
    store(fixture, E0, TF_ETH_LINK_BASE + 0x4, 0);
    assert_int_equal(try_store(fixture, E0, TF_ETH_LINK_BASE + 0x4, 4, 2), TF_ACCESS_FAULT);
    assert_int_equal(fixture->fault_category, TF_FAULT_UNSUPPORTED);
    assert_non_null(strstr(fixture->fault_text, "the link of the Ethernet tile is down"));
    load_faults(fixture, NOC, TF_ETH_LINK_BASE + 0x3000, 4, TF_FAULT_UNIMPLEMENTED,
                "not implemented"); /* there are three queues */
    load_faults(fixture, NOC, TF_ETH_LINK_BASE + 0x10000, 4, TF_FAULT_UNIMPLEMENTED, "not implemented");
}

/* LoadEthFw() of tt-system-firmware: E0 begins at 0x70000, where the firmware waits. */
static void the_firmware_has_a_place(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(load(fixture, NOC, RESET_PC_0), 0x70000);
    assert_int_equal(load(fixture, NOC, TF_ETH_CONTROL_BASE + 0x4), 0x7BFFC);
    assert_int_equal(load(fixture, NOC, RESET_PC_1), 0);
    store(fixture, NOC, SOFT_RESET_0, 0x1000);
    assert_int_equal(fixture->release_pc[E0], 0x70000);
    assert_int_equal(word(fixture, 0x70000) & 0xFFF, 0x6F); /* a jump to the loop in which the firmware waits */
    assert_int_equal(0x70000 + (word(fixture, 0x70000) >> 21 << 1 & 0x7FE) + (word(fixture, 0x70000) & 0xFF000) +
                         (word(fixture, 0x70000) >> 9 & 0x800),
                     0x7FFF4);
}

/* Base firmware sets vectors, routes and modes (eth_block.py of tt-exalens). */
static void interrupt_registers_keep_values(void **state)
{
    struct fixture *fixture = *state;
    static const uint32_t offsets[] = {0x20, 0x30, 0x40, 0x50, 0x60};
    for (unsigned i = 0; i < sizeof offsets / sizeof offsets[0]; i++)
        store(fixture, i % 2 ? NOC : E0, TF_ETH_CONTROL_BASE + offsets[i], 0x70000 + i);
    for (unsigned i = 0; i < sizeof offsets / sizeof offsets[0]; i++)
        assert_int_equal(load(fixture, E1, TF_ETH_CONTROL_BASE + offsets[i]), 0x70000 + i);
}

/* eth_fw_api.h of tt-metal: five functions, which return immediately; messages to the firmware are done at once. */
static void the_firmware_has_an_interface(void **state)
{
    struct fixture *fixture = *state;
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(word(fixture, word(fixture, 0x7CF00 + 4 * i)), 0x8067);
    static const uint32_t messages[] = {1, 6, 9, 0xF};
    for (unsigned i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        host_writes(fixture, MAILBOX + 16 * i + 4, 0x123);
        host_writes(fixture, MAILBOX + 16 * i, 0xCA110000 | messages[i]);
        assert_int_equal(word(fixture, MAILBOX + 16 * i), 0xD0E50000 | messages[i]);
        assert_int_equal(word(fixture, MAILBOX + 16 * i + 4), 0);
    }
    host_writes(fixture, MAILBOX, 0xCA110005);
    assert_int_equal(word(fixture, MAILBOX), 0xCA110005);
    assert_int_equal(fixture->releases[E0], 0);
}

/* EthernetTxRx.md: the bits that registers of an RX queue have. */
static void rx_queues_have_their_bits(void **state)
{
    static const struct {
        uint32_t offset, bits;
    } registers[] = {{0x00, 6}, {0x0C, ~0u}, {0x38, ~0u}, {0x48, 0x3FFF}, {0x4C, 0}, {0x50, 0}, {0x54, ~0u}};
    struct fixture *fixture = *state;
    for (unsigned queue = 0; queue < 3; queue++)
        for (unsigned i = 0; i < sizeof registers / sizeof registers[0]; i++) {
            const uint32_t address = TF_ETH_LINK_BASE + 0x4000 + 0x1000 * queue + registers[i].offset;
            const uint32_t before = load(fixture, E0, address);
            store(fixture, E0, address, ~before);
            assert_int_equal(load(fixture, NOC, address) ^ before, registers[i].bits);
            store(fixture, E0, address, before);
        }
}

#define RX (TF_ETH_LINK_BASE + 0xC000)

/* EthernetRxClassifier.md: rows of the flow table, rows of the TCAM, their patterns. */
static void classifier_keeps_its_tables(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(load(fixture, E0, TF_ETH_LINK_BASE + 0x8120), 0x1F);
    store(fixture, E0, TF_ETH_LINK_BASE + 0x8120, 0x13);
    assert_int_equal(load(fixture, NOC, TF_ETH_LINK_BASE + 0x8120), 0x13);
    assert_int_equal(load(fixture, E0, RX + 0xCC0), 0);
    store(fixture, E0, RX + 0xCC0, 0x110003);
    assert_int_equal(load(fixture, NOC, RX + 0xCC0), 0x110003);
    for (uint32_t row = 5; row <= 6; row++) {
        for (uint32_t i = 0; i < 4; i++)
            store(fixture, E0, RX + 0xE80 + 4 * i, 0x100 * row + i);
        store(fixture, E0, RX + 0xEA0, 1u << 31 | 1u << 8 | row);
    }
    store(fixture, E1, RX + 0xEA0, 1u << 31 | 5);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(load(fixture, E1, RX + 0xE80 + 4 * i), 0x500 + i);
    store(fixture, E0, RX + 0xD40, 1u << 31 | 1u << 16 | 1u << 8 | 33);
    store(fixture, E0, RX + 0xD44, 0xFFFF);
    store(fixture, E0, RX + 0xD40, 1u << 31 | 33);
    assert_int_equal(load(fixture, E0, RX + 0xD44), 1u << 8 | 33);
    store(fixture, E0, RX + 0xD40, 1u << 31 | 34);
    assert_int_equal(load(fixture, E0, RX + 0xD44), 34);
    store(fixture, E0, RX + 0xD80, 0);          /* not IP */
    store(fixture, E0, RX + 0xDC0, 0x88B5);     /* EtherType */
    store(fixture, E0, RX + 0xDB0, 0x000F000F); /* writes the flags of the source address */
    store(fixture, E0, RX + 0xDF0, 1u << 31 | 1u << 22 | 1u << 21 | 1u << 20 | 1u << 10 | 1u << 9 | 33);
    store(fixture, E0, RX + 0xDF0, 1u << 31 | 33);
    assert_int_equal(load(fixture, E0, RX + 0xE50), 0x88B5);
    assert_int_equal(load(fixture, E0, RX + 0xE30), 0x000F0000);
    store(fixture, E0, RX + 0xD60, 1);
    store(fixture, E0, RX + 0xD40, 1u << 31 | 33);
    assert_int_equal(load(fixture, E0, RX + 0xD44), 33);
    store(fixture, E0, RX + 0xDF0, 1u << 31 | 33); /* all ones is IPv6 */
    assert_int_equal(load(fixture, E0, RX + 0xE4C), 0xFFFFFFFF);
    assert_int_equal(load(fixture, E0, RX + 0xE50), 0x88B5);
    load_faults(fixture, NOC, RX + 0x2A20, 4, TF_FAULT_UNIMPLEMENTED, "not implemented");
}

/* Each part of a row has its registers and its bit of TCAM_UPDATE, for the kinds of packets that have it. */
static void each_part_of_a_pattern(void **state)
{
    struct fixture *fixture = *state;
    enum { NOT_IP = 1, IP = 2 };
    static const struct {
        uint32_t write, read, words, update, kinds;
    } parts[] = {
        {0xD80, 0xE00, 1, 21, NOT_IP | IP}, {0xD90, 0xE10, 4, 20, NOT_IP | IP}, {0xDA0, 0xE20, 4, 19, NOT_IP | IP},
        {0xDB4, 0xE34, 1, 18, IP},          {0xDB8, 0xE48, 1, 17, IP},          {0xDBC, 0xE4C, 1, 16, IP},
        {0xDC0, 0xE50, 1, 22, NOT_IP},      {0xDC4, 0xE54, 1, 23, NOT_IP},
    };
    for (unsigned i = 0; i < 2 * sizeof parts / sizeof parts[0]; i++) {
        unsigned part = i / 2, row = 3 * i, mask = i << 8 & 1u << 8;
        bool not_ip = parts[part].kinds & NOT_IP;
        for (uint32_t k = 0; k < parts[part].words; k++)
            store(fixture, E0, RX + parts[part].write + 4 * k, 0x04040400 * (i + 1) + 16 * k);
        store(fixture, E0, RX + 0xDF0,
              1u << 31 | 1u << parts[part].update | (uint32_t)not_ip << 10 | 1u << 9 | mask | row);
        store(fixture, E0, RX + 0xD80, not_ip ? 0 : 1); /* the kind, which reading goes by */
        if (part != 0)
            store(fixture, E0, RX + 0xDF0, 1u << 31 | 1u << 21 | 1u << 9 | row);
        for (uint32_t k = 0; k < parts[part].words; k++)
            store(fixture, E0, RX + parts[part].write + 4 * k, 0);
        store(fixture, E0, RX + 0xDF0, 1u << 31 | mask | row);
        for (uint32_t k = 0; k < parts[part].words; k++)
            assert_int_equal(load(fixture, E0, RX + parts[part].read + 4 * k), 0x04040400 * (i + 1) + 16 * k);
    }
}

static void firmware_answers(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(word(fixture, 0x7CC04), 2); /* the port is down */
    tf_eth_host_read(&fixture->tile, HEARTBEAT);
    tf_eth_host_read(&fixture->tile, HEARTBEAT + 4);
    assert_int_equal(word(fixture, HEARTBEAT), 1);
    host_writes(fixture, GO_MESSAGE, 0x40123456);
    assert_int_equal(word(fixture, GO_MESSAGE), 0x123456);
    host_writes(fixture, GO_MESSAGE, 0x80123456);
    assert_int_equal(word(fixture, GO_MESSAGE), 0x80123456);
}

/* A call through the mailbox starts E0; from then on the program has L1 for itself, until it returns. */
static void firmware_releases_e0(void **state)
{
    struct fixture *fixture = *state;
    struct tf_hart *hart = &fixture->tile.hart[E0];
    hart->local_zero = true;
    host_writes(fixture, MAILBOX + 0x10 + 4, 0x6000);
    host_writes(fixture, MAILBOX + 0x14, 0x6000); /* no mailbox begins there */
    assert_int_equal(fixture->releases[E0], 0);
    host_writes(fixture, MAILBOX + 0x10, 0xCA110003); /* no message */
    assert_int_equal(fixture->releases[E0], 0);
    for (uint32_t at = 0x18; at <= 0x24; at += 4) /* arguments, and the next mailbox */
        host_writes(fixture, MAILBOX + at, 0x55);
    host_writes(fixture, MAILBOX + 0x10, 0xCA110002);
    assert_int_equal(fixture->releases[E0], 1);
    assert_int_equal(fixture->release_pc[E0], 0x6000);
    assert_int_equal(word(fixture, MAILBOX + 0x10), 0xD0E50002);
    for (uint32_t at = 0x14; at < 0x20; at += 4)
        assert_int_equal(word(fixture, MAILBOX + at), 0);
    assert_int_equal(word(fixture, MAILBOX + 0x20), 0x55);
    assert_int_equal(word(fixture, MAILBOX + 0x24), 0x55);
    assert_int_equal(hart->x[2], 0xFFB02000);
    assert_false(hart->local_zero); /* a reset has to clear what the program leaves there */

    host_writes(fixture, GO_MESSAGE, 0x40123456);
    assert_int_equal(word(fixture, GO_MESSAGE), 0x40123456);
    tf_eth_host_read(&fixture->tile, HEARTBEAT);
    assert_int_equal(word(fixture, HEARTBEAT), 0);
    hart->pc = hart->x[1] + 4; /* the firmware's idle loop */
    tf_eth_host_read(&fixture->tile, HEARTBEAT);
    assert_int_equal(word(fixture, HEARTBEAT), 1);
    host_writes(fixture, MAILBOX + 0x30 + 4, 0x8000);
    host_writes(fixture, MAILBOX + 0x30, 0xCA110002);
    assert_int_equal(fixture->release_pc[E0], 0x8000);
}

static void hashes_see_it(void **state)
{
    struct fixture *fixture = *state;
    uint64_t before = hash_of(fixture);
    store(fixture, NOC, RESET_PC_0, 4);
    assert_int_not_equal(hash_of(fixture), before);
    store(fixture, NOC, RESET_PC_0, 0x70000);
    assert_int_equal(hash_of(fixture), before);
    store(fixture, NOC, SOFT_RESET_0, 0);
    assert_int_not_equal(hash_of(fixture), before);
}

/* A register of the classifier; a row of its headers, of its flows and of its patterns. */
static void hashes_see_the_classifier(void **state)
{
    static const struct {
        uint32_t data, command, update;
    } table[] = {{RX + 0xCC0, 0, 0},
                 {RX + 0xE80, RX + 0xEA0, 1u << 31 | 1u << 8 | 5},
                 {RX + 0xE80, RX + 0xEA0, 1u << 31 | 1u << 8 | 6},
                 {0, RX + 0xD40, 1u << 31 | 1u << 16 | 1u << 8 | 33},
                 {0, RX + 0xD40, 1u << 31 | 1u << 16 | 1u << 8 | 34}};
    struct fixture *fixture = *state;
    uint64_t before = hash_of(fixture);
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].data != 0)
            store(fixture, E0, table[i].data, 0x10 + i);
        if (table[i].command != 0)
            store(fixture, E0, table[i].command, table[i].update);
        assert_int_not_equal(hash_of(fixture), before);
        before = hash_of(fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cores_start_at_their_reset_pc, setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(no_reset_pc_no_program, setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(the_map_is_its_own, setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(nothing_is_sent, setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(the_firmware_has_a_place, setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(interrupt_registers_keep_values, setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(the_firmware_has_an_interface, setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(rx_queues_have_their_bits, setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(classifier_keeps_its_tables, setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(each_part_of_a_pattern, setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(firmware_answers, setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(firmware_releases_e0, setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(hashes_see_it, setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(hashes_see_the_classifier, setup, fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
