/* SPDX-License-Identifier: Apache-2.0 */
/* The known clusters, and what tf_cluster_check() refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "system/cluster/cluster.h"
#include "tile/arch.h"

static struct tf_cluster find(const char *name)
{
    struct tf_cluster cluster;
    struct tf_message message = {""};
    if (tf_cluster_find(name, &cluster, &message) != TF_OK)
        fail_msg("%s", message.text);
    return cluster;
}

/* Chips, chips with PCIe, pairs of chips that are joined, links: the figures of tt-umd's and ttsim's lists. */
static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *name, *family, *board;
        unsigned chips, pcie, pairs, links;
    } rows[] = {
        {"n150", "wormhole", "n150", 1, 1, 0, 0},           {"n300", "wormhole", "n300", 2, 1, 1, 2},
        {"2xn300", "wormhole", "n300", 4, 2, 4, 8},         {"t3000", "wormhole", "n300", 8, 4, 10, 20},
        {"wh-galaxy", "wormhole", "ubb", 32, 32, 52, 208},  {"p150", "blackhole", "p150", 1, 1, 0, 0},
        {"p300", "blackhole", "p300a", 2, 2, 1, 2},         {"quietbox2", "blackhole", "p300b", 4, 4, 4, 8},
        {"4xp150", "blackhole", "p150b", 4, 4, 4, 16},      {"8xp150", "blackhole", "p150b", 8, 8, 12, 24},
        {"bh-galaxy", "blackhole", "ubb", 32, 32, 68, 140},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(tf_cluster_name(i), rows[i].name);
        struct tf_cluster cluster = find(rows[i].name);
        struct tf_message message = {""};
        if (tf_cluster_check(&cluster, &message) != TF_OK)
            fail_msg("%s: %s", rows[i].name, message.text);
        bool joined[TF_CLUSTER_CHIPS_MAX][TF_CLUSTER_CHIPS_MAX] = {{false}};
        unsigned pcie = 0, pairs = 0;
        for (unsigned k = 0; k < cluster.links; k++) {
            const struct tf_cluster_end *end = cluster.link[k].end;
            assert_true(end[0].chip < end[1].chip);
            pairs += !joined[end[0].chip][end[1].chip];
            joined[end[0].chip][end[1].chip] = true;
        }
        for (unsigned k = 0; k < cluster.chips; k++) {
            pcie += cluster.chip[k].pcie;
            assert_string_equal(cluster.chip[k].board.name, rows[i].board);
        }
        assert_ptr_equal(cluster.arch, tf_arch_find(rows[i].family));
        assert_int_equal(cluster.chips, rows[i].chips);
        assert_int_equal(pcie, rows[i].pcie);
        assert_int_equal(pairs, rows[i].pairs);
        assert_int_equal(cluster.links, rows[i].links);
    }
    assert_null(tf_cluster_name(sizeof rows / sizeof rows[0]));
}

/* Single ports, chosen so that each row of the tables with a step of its own has one. */
static void test_links(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint8_t chip, port, peer_chip, peer_port;
    } rows[] = {
        {"n300", 0, 9, 1, 1},          {"2xn300", 3, 7, 0, 7},      {"2xn300", 2, 1, 1, 1},
        {"t3000", 7, 7, 6, 7},         {"t3000", 3, 9, 7, 1},       {"wh-galaxy", 15, 4, 11, 8},
        {"wh-galaxy", 13, 9, 12, 9},   {"p300", 1, 8, 0, 3},        {"wh-galaxy", 31, 3, 15, 15},
        {"wh-galaxy", 26, 14, 24, 14}, {"quietbox2", 3, 5, 0, 2},   {"quietbox2", 3, 2, 2, 9},
        {"4xp150", 3, 6, 1, 6},        {"4xp150", 3, 11, 0, 11},    {"8xp150", 7, 9, 3, 10},
        {"8xp150", 6, 4, 4, 7},        {"bh-galaxy", 31, 9, 7, 9},  {"bh-galaxy", 27, 9, 19, 9},
        {"bh-galaxy", 14, 3, 13, 5},   {"bh-galaxy", 23, 8, 15, 8},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tf_cluster cluster = find(rows[i].name);
        const struct tf_cluster_end *peer = tf_cluster_peer(&cluster, rows[i].chip, rows[i].port);
        assert_non_null(peer);
        assert_int_equal(peer->chip, rows[i].peer_chip);
        assert_int_equal(peer->port, rows[i].peer_port);
        peer = tf_cluster_peer(&cluster, rows[i].peer_chip, rows[i].peer_port);
        assert_int_equal(peer->chip, rows[i].chip);
        assert_int_equal(peer->port, rows[i].port);
    }
    struct tf_cluster cluster = find("n300");
    assert_null(tf_cluster_peer(&cluster, 0, 7));
}

/* Unique ids, board identifiers and fused-off parts that the descriptors have. */
static void test_chips(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint64_t board_id, unique_id;
        uint32_t chip, columns_off, rows_off, eth_off;
    } rows[] = {
        {"t3000", 0x10001461190302B, 0x26190302B, 0, 0, 1u << 7 | 1u << 11, 0},
        {"t3000", 0x1000146119030AA, 0x3619030AA, 7, 0, 1u << 5 | 1u << 11, 0},
        {"wh-galaxy", 0x100035100000000, 0x83532313030314B, 31, 0, 0, 0},
        {"p300", 0x4513190F004, 0x4513190F004 << 5, 0, 1u << 10 | 1u << 16, 0, 1u << 5 | 1u << 8},
        {"p300", 0x4513190F004, 0x4513190F004 << 5 | 1, 1, 1u << 5 | 1u << 11, 0, 1u << 5 | 1u << 8},
        {"4xp150", 0x4123191110E, 0x8246322221C0, 2, 1u << 7 | 1u << 10, 0, 1u << 5 | 1u << 8},
        {"8xp150", 0x4123191F0EB, 0x8246323E1D60, 7, 1u << 10, 0, 1u << 5 | 1u << 8},
        {"bh-galaxy", 0x47330000000, 0x4733000000011, 8, 1u << 12, 0, 1u << 4 | 1u << 8},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tf_cluster cluster = find(rows[i].name);
        const struct tf_cluster_chip *chip = &cluster.chip[rows[i].chip];
        assert_int_equal(chip->board_id, rows[i].board_id);
        assert_int_equal(chip->unique_id, rows[i].unique_id);
        assert_int_equal(chip->board.columns_off, rows[i].columns_off);
        assert_int_equal(chip->board.rows_off, rows[i].rows_off);
        assert_int_equal(chip->board.eth_off, rows[i].eth_off);
    }
}

/* Ports count the Ethernet tiles that are left. */
static void test_ports(void **state)
{
    (void)state;
    struct tf_cluster cluster = find("p300");
    assert_int_equal(tf_cluster_ports(&cluster, 0), 12);
    assert_int_equal(tf_cluster_port_tile(&cluster, 0, 4), 4);
    assert_int_equal(tf_cluster_port_tile(&cluster, 0, 5), 6);
    assert_int_equal(tf_cluster_port_tile(&cluster, 0, 6), 7);
    assert_int_equal(tf_cluster_port_tile(&cluster, 0, 7), 9);
    assert_int_equal(tf_cluster_port_tile(&cluster, 0, 11), 13);
    struct tf_coord at = tf_cluster_port_coord(&cluster, 0, 11);
    assert_int_equal(at.x, 10);
    assert_int_equal(at.y, 1);
    cluster = find("n300");
    assert_int_equal(tf_cluster_ports(&cluster, 1), 16);
    at = tf_cluster_port_coord(&cluster, 0, 8);
    assert_int_equal(at.x, 9);
    assert_int_equal(at.y, 6);
    cluster.chip[0].board = (struct tf_board){.product = 0}; /* the family's own */
    assert_int_equal(tf_cluster_ports(&cluster, 0), 16);
}

/* Links have one order, whatever their order was. */
static void test_sorted(void **state)
{
    (void)state;
    struct tf_cluster cluster = find("t3000"), other = cluster;
    for (unsigned i = 0; i < cluster.links; i++) {
        const struct tf_cluster_end *end = cluster.link[cluster.links - 1 - i].end;
        other.link[2 * i] = (struct tf_cluster_link){{end[1], end[0]}};
        other.link[2 * i + 1] = (struct tf_cluster_link){{end[0], end[1]}};
    }
    other.links = 2 * cluster.links;
    tf_cluster_sort(&other);
    assert_int_equal(other.links, cluster.links);
    assert_memory_equal(other.link, cluster.link, cluster.links * sizeof cluster.link[0]);
}

static void test_unknown(void **state)
{
    (void)state;
    struct tf_cluster cluster = {.chips = 7};
    struct tf_message message = {""};
    assert_int_equal(tf_cluster_find("n301", &cluster, &message), TF_EINVAL);
    assert_string_equal(message.text,
                        "there is no system \"n301\"; the known ones: n150, n300, 2xn300, t3000, wh-galaxy, "
                        "p150, p300, quietbox2, 4xp150, 8xp150, bh-galaxy");
    assert_int_equal(cluster.chips, 7);
    assert_int_equal(tf_cluster_find("", &cluster, NULL), TF_EINVAL);
}

/* --- Contradictions --- */

static void spoil_family(struct tf_cluster *c)
{
    static struct tf_arch other;
    other = *c->arch;
    c->arch = &other;
}
static void spoil_empty(struct tf_cluster *c)
{
    c->chips = 0;
}
static void spoil_many(struct tf_cluster *c)
{
    c->chips = TF_CLUSTER_CHIPS_MAX + 1;
}
static void spoil_links(struct tf_cluster *c)
{
    c->links = TF_CLUSTER_LINKS_MAX + 1;
}
static void spoil_board(struct tf_cluster *c)
{
    c->chip[1].board.eth_off = 1;
}
static void spoil_name(struct tf_cluster *c)
{
    memset(c->chip[0].board.name, 'x', sizeof c->chip[0].board.name);
}
static void spoil_place(struct tf_cluster *c)
{
    c->chip[1].y = 64;
}
static void spoil_identifier(struct tf_cluster *c)
{
    c->chip[1].board_id = 0x18000000001;
}
static void spoil_unique(struct tf_cluster *c)
{
    c->chip[1].unique_id = c->chip[0].unique_id;
}
static void spoil_chip(struct tf_cluster *c)
{
    c->link[1].end[1].chip = 2;
}
static void spoil_port(struct tf_cluster *c)
{
    c->link[1].end[0].port = 16;
}
static void spoil_loop(struct tf_cluster *c)
{
    c->link[0].end[1] = c->link[0].end[0];
}
static void spoil_twice(struct tf_cluster *c)
{
    c->link[1].end[0].port = 8;
}
static void spoil_across(struct tf_cluster *c)
{
    c->link[1] = (struct tf_cluster_link){{{0, 3}, {0, 8}}};
}
static void spoil_pcie(struct tf_cluster *c)
{
    c->chip[0].pcie = false;
}
static void spoil_reach(struct tf_cluster *c)
{
    c->links = 0;
}
static void spoil_way(struct tf_cluster *c)
{
    c->chip[1].x = 0;
}

static void test_contradictions(void **state)
{
    (void)state;
    static const struct {
        void (*spoil)(struct tf_cluster *cluster);
        const char *message;
    } rows[] = {
        {spoil_family, "the family of a cluster must come from tf_arch_find()"},
        {spoil_empty, "a cluster has 1 to 32 chips, not 0"},
        {spoil_many, "a cluster has 1 to 32 chips, not 33"},
        {spoil_links, "a cluster has at most 512 links, not 513"},
        {spoil_board, "chip 1: board n300: this family fuses off neither DRAM banks nor Ethernet tiles"},
        {spoil_name, "chip 0: board xxxxxxxxxxxx: the name or the identifier is too long"},
        {spoil_place, "chip 1: its x and y, 1 and 64, must be below 64"},
        {spoil_identifier,
         "chip 1: the board identifier 0x18000000001 is not that of a n300, whose bits 55:36 are 0x14"},
        {spoil_unique, "chips 0 and 1 have the same unique id 10225918126"},
        {spoil_chip, "a link leads to chip 2, but the chips are 0 to 1"},
        {spoil_port, "a link leads to port 16 of chip 0, which has 16: 0 of its 16 Ethernet tiles are fused off"},
        {spoil_loop, "a link joins port 8 of chip 0 with itself"},
        {spoil_twice, "port 8 of chip 0 has two links"},
        {spoil_across, "port 8 of chip 0 has two links"},
        {spoil_pcie, "no chip has PCIe: the host reaches none"},
        {spoil_reach, "chip 1 has no PCIe, and no link leads to it from a chip that has"},
        {spoil_way, "chip 1 has no PCIe, and the same coordinates as chip 0: no route leads to it"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tf_cluster cluster = find("n300");
        struct tf_message message = {""};
        rows[i].spoil(&cluster);
        assert_int_equal(tf_cluster_check(&cluster, &message), TF_EINVAL);
        assert_string_equal(message.text, rows[i].message);
        assert_int_equal(tf_cluster_check(&cluster, NULL), TF_EINVAL);
    }
    struct tf_cluster cluster = find("quietbox2");
    struct tf_message message = {""};
    cluster.link[0].end[0].port = 12;
    assert_int_equal(tf_cluster_check(&cluster, &message), TF_EINVAL);
    assert_string_equal(message.text,
                        "a link leads to port 12 of chip 0, which has 12: 2 of its 14 Ethernet tiles are fused off");
}

/* Chips with PCIe need no links, and none needs a board or a family of its own. */
static void test_legal(void **state)
{
    (void)state;
    struct tf_cluster cluster = find("8xp150");
    struct tf_message message = {""};
    cluster.links = 0;
    assert_int_equal(tf_cluster_check(&cluster, &message), TF_OK);
    cluster.arch = NULL;
    cluster.chip[3].board = (struct tf_board){.product = 0};
    cluster.chip[3].board_id = 0x40000000001;
    assert_int_equal(tf_cluster_check(&cluster, &message), TF_OK);
    assert_int_equal(tf_cluster_ports(&cluster, 3), 12);
    cluster.link[0] = (struct tf_cluster_link){{{3, 0}, {3, 1}}}; /* a cable from a chip to itself */
    cluster.links = 1;
    assert_int_equal(tf_cluster_check(&cluster, &message), TF_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),          cmocka_unit_test(test_links),  cmocka_unit_test(test_chips),
        cmocka_unit_test(test_ports),          cmocka_unit_test(test_sorted), cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_contradictions), cmocka_unit_test(test_legal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
