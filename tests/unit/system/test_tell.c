/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What chips of a cluster say about themselves: a driver that discovers a system by these words finds the cluster. The
 * places of words are those of tt-umd's topology_discovery_*.cpp.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "system/cluster/cluster.h"
#include "system/tell.h"

static struct tf_chip *chip[TF_CLUSTER_CHIPS_MAX];
static struct tf_cluster cluster;

static struct tf_chip *create(const struct tf_board *board)
{
    struct chip_wish config;
    struct tf_message message = {""};
    struct tf_chip *made = NULL;
    chip_wish_init(&config);
    config.arch = cluster.arch;
    config.threads = 1;
    config.pin = false;
    if (board != NULL)
        config.board = *board;
    if (chip_wish_create(&config, &made, &message) != TF_OK)
        fail_msg("%s", message.text);
    return made;
}

static void create_all(void)
{
    for (unsigned i = 0; i < cluster.chips; i++) {
        chip[i] = create(&cluster.chip[i].board);
        assert_int_equal(tf_cluster_tell(&cluster, i, chip[i]), TF_OK);
    }
}

static void destroy_all(void)
{
    for (unsigned i = 0; i < cluster.chips; i++)
        tf_chip_destroy(chip[i]);
}

static uint32_t word(unsigned of, unsigned port, uint32_t address)
{
    uint32_t value;
    struct tf_coord at = tf_cluster_port_coord(&cluster, of, port);
    assert_int_equal(tf_read(chip[of], at, address, &value, sizeof value), TF_OK);
    return value;
}

static uint64_t words(unsigned of, unsigned port, uint32_t low, uint32_t high)
{
    return word(of, port, low) | (uint64_t)word(of, port, high) << 32;
}

/* The chip and its port that a link leads to, as a driver finds them. */
struct seen {
    bool up;
    uint64_t own_id, peer_id, own_board, peer_board;
    unsigned peer_tile;
};

static struct seen see_wormhole(unsigned of, unsigned port)
{
    const uint32_t results = 0x1EC0;
    return (struct seen){
        .up = word(of, port, 0x1104) == 1,
        .own_id = words(of, port, results + 4 * 64, results + 4 * 65),
        .peer_id = words(of, port, results + 4 * 72, results + 4 * 73),
        .own_board = word(of, port, 0x10EC),
        .peer_board = word(of, port, results + 4 * 72),
        .peer_tile = word(of, port, results + 4 * 76),
    };
}

static uint64_t make_id(uint64_t board, unsigned location)
{
    return board << 5 | location;
}

static struct seen see_blackhole(unsigned of, unsigned port)
{
    bool galaxy = strcmp(cluster.chip[of].board.name, "ubb") == 0;
    uint64_t own = words(of, port, 0x7CFC8, 0x7CFC4), peer = words(of, port, 0x7CFE8, 0x7CFE4);
    return (struct seen){
        .up = word(of, port, 0x7CC04) == 1,
        .own_id = galaxy ? words(of, port, 0x7CFD8, 0x7CFD4) : make_id(own, word(of, port, 0x7CFC0) >> 8 & 0xFF),
        .peer_id = galaxy ? words(of, port, 0x7CFF8, 0x7CFF4) : make_id(peer, word(of, port, 0x7CFE0) >> 8 & 0xFF),
        .own_board = own,
        .peer_board = peer,
        .peer_tile = word(of, port, 0x7CFE0) >> 16 & 0xFF,
    };
}

static struct seen see(unsigned of, unsigned port)
{
    return cluster.arch == tf_arch_find("wormhole") ? see_wormhole(of, port) : see_blackhole(of, port);
}

static unsigned chip_with(uint64_t unique_id)
{
    unsigned of = 0;
    while (of < cluster.chips && cluster.chip[of].unique_id != unique_id)
        of++;
    assert_true(of < cluster.chips);
    return of;
}

static void discover(void)
{
    unsigned ends = 0;
    for (unsigned of = 0; of < cluster.chips; of++)
        for (unsigned port = 0; port < tf_cluster_ports(&cluster, of); port++) {
            const struct tf_cluster_end *peer = tf_cluster_peer(&cluster, of, port);
            struct seen seen = see(of, port);
            assert_int_equal(seen.up, peer != NULL);
            if (peer == NULL)
                continue;
            ends++;
            assert_true(seen.own_id == cluster.chip[of].unique_id);
            assert_int_equal(chip_with(seen.peer_id), peer->chip);
            assert_int_equal(seen.peer_tile, tf_cluster_port_tile(&cluster, peer->chip, peer->port));
            assert_true(seen.peer_board == see(peer->chip, peer->port).own_board ||
                        strcmp(cluster.chip[of].board.name, "ubb") == 0);
        }
    assert_int_equal(ends, 2 * cluster.links);
}

static void test_discovery(void **state)
{
    (void)state;
    static const char *const names[] = {"n150",      "n300",   "2xn300", "t3000",    "p150",
                                        "quietbox2", "4xp150", "8xp150", "wh-galaxy"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(tf_cluster_find(names[i], &cluster, NULL), TF_OK);
        create_all();
        discover();
        destroy_all();
    }
}

/* Ports where tiles between them are fused off, of a chip that differs from its neighbours; and ids without a rule. */
static void test_blackhole_galaxy(void **state)
{
    (void)state;
    assert_int_equal(tf_cluster_find("bh-galaxy", &cluster, NULL), TF_OK);
    create_all();
    discover();
    assert_int_equal(word(8, 4, 0x7CFC0), 1u << 8 | 5u << 16 | 4u << 24); /* tiles 4 and 8 are fused off */
    assert_int_equal(word(8, 4, 0x7CFE0), 2u << 8 | 2u << 16 | 2u << 24);
    assert_int_equal(word(8, 4, 0x7CC08), 2);
    assert_int_equal(word(8, 4, 0x7CE04), 1);
    assert_int_equal(word(8, 11, 0x7CC04), 2); /* down */
    assert_int_equal(word(8, 11, 0x7CC08), 0);
    assert_int_equal(word(8, 11, 0x7CFC4), 0x473);
    destroy_all();
}

/* Coordinates, directions, roles. */
static void test_wormhole_places(void **state)
{
    (void)state;
    assert_int_equal(tf_cluster_find("t3000", &cluster, NULL), TF_OK);
    cluster.chip[3].rack = 7;
    cluster.chip[2].shelf = 9;
    create_all();
    assert_int_equal(word(1, 0, 0x1108), 1u << 16 | 1u << 24);
    assert_int_equal(word(3, 0, 0x1108), 7 | 2u << 16 | 1u << 24);
    assert_int_equal(word(2, 6, 0x1108), 9u << 8 | 2u << 16);
    assert_int_equal(word(2, 6, 0x110C), 6u << 16 | 1u << 24);
    assert_int_equal(word(2, 5, 0x110C), 5u << 16);
    assert_int_equal(word(0, 6, 0x1110), 6); /* tile 6 is at 6,0 */
    assert_int_equal(word(0, 6, 0x1114), 3);
    assert_int_equal(word(0, 6, 0x1118), 0);
    assert_int_equal(word(0, 6, 0x111C), 11);
    assert_int_equal(word(0, 6, 0x1124), 6u << 4 | 2u << 16); /* chip 2 at 2,0 */
    assert_int_equal(word(0, 6, 0x1128), 9u << 8);
    assert_int_equal(word(1, 1, 0x1124), 1u << 4 | 2u << 16 | 1u << 22); /* chip 3 at 2,1: its tile 1 is at 1,0 */
    assert_int_equal(word(1, 1, 0x1128), 7);
    static const struct {
        unsigned chip, port, direction;
    } rows[] = {
        {0, 0, 1},  {0, 8, 2},  {4, 0, 3}, {0, 14, 4}, {1, 14, 5}, /* none, left, right, up, down */
        {3, 0, 6},  {1, 0, 7},  {0, 6, 8}, {2, 6, 9},              /* racks, shelves */
        {2, 14, 7}, {3, 15, 6},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned port = 0; port < 16; port += 5)
            assert_int_equal(word(rows[i].chip, port, 0x1200 + 4 * rows[i].port), rows[i].direction);
    assert_int_equal(word(0, 0, 0x1104), 3);
    assert_int_equal(word(0, 0, 0x104C), 0);
    assert_int_equal(word(0, 0, 0x1EC0 + 4 * 69), 2); /* left and right chips of a board */
    assert_int_equal(word(0, 8, 0x1EC0 + 4 * 77), 3);
    assert_int_equal(word(4, 0, 0x10E0), 3);
    destroy_all();
    assert_int_equal(tf_cluster_find("wh-galaxy", &cluster, NULL), TF_OK);
    create_all();
    assert_int_equal(word(0, 8, 0x104C), 1); /* a Galaxy routes nothing */
    assert_int_equal(word(0, 8, 0x1200 + 4 * 8), 2);
    assert_int_equal(word(0, 8, 0x110C), 8u << 16);
    destroy_all();
}

/* Ids that no firmware makes: drivers still find the boards, and tell chips apart. */
static void test_foreign_ids(void **state)
{
    (void)state;
    assert_int_equal(tf_cluster_find("n300", &cluster, NULL), TF_OK);
    cluster.chip[0].unique_id = 1;
    cluster.chip[1].unique_id = 2;
    create_all();
    assert_true(see(0, 8).own_id == 0x2618320AE);
    assert_true(see(0, 8).peer_id == 0x3618320AE);
    assert_true(see(1, 0).own_id == 0x3618320AE);
    destroy_all();
}

/* The value of a telemetry tag, as drivers find it. */
static uint32_t telemetry(unsigned of, struct tf_coord arc, uint64_t table, uint32_t tag)
{
    uint32_t count, entry, value;
    assert_int_equal(tf_read(chip[of], arc, table + 4, &count, sizeof count), TF_OK);
    for (uint32_t i = 0; i < count; i++) {
        tf_read(chip[of], arc, table + 8 + 4 * i, &entry, sizeof entry);
        if ((entry & 0xFFFF) != tag)
            continue;
        assert_int_equal(tf_read(chip[of], arc, table + 0x100 + 4 * (entry >> 16), &value, sizeof value), TF_OK);
        return value;
    }
    fail_msg("no tag %u", tag);
    return 0;
}

static void test_telemetry(void **state)
{
    (void)state;
    const struct tf_coord arc = {8, 0}, wormhole_arc = {0, 10};
    assert_int_equal(tf_cluster_find("p300", &cluster, NULL), TF_OK);
    create_all();
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(telemetry(i, arc, 0x10000100, 1), 0x451);
        assert_int_equal(telemetry(i, arc, 0x10000100, 2), 0x3190F004);
        assert_int_equal(telemetry(i, arc, 0x10000100, 52), i);
        assert_int_equal(telemetry(i, arc, 0x10000100, 61), 0x8A26);
        assert_int_equal(telemetry(i, arc, 0x10000100, 62), 0x321E0080 + i);
    }
    assert_int_equal(telemetry(0, arc, 0x10000100, 34), 0x3FFF & ~(1u << 1 | 1u << 13)); /* x 16 and 10 */
    destroy_all();
    assert_int_equal(tf_cluster_find("n300", &cluster, NULL), TF_OK);
    create_all();
    for (unsigned i = 0; i < 2; i++) {
        uint32_t older[2];
        assert_int_equal(telemetry(i, wormhole_arc, 0x810000100, 1), 0x01000146);
        assert_int_equal(telemetry(i, wormhole_arc, 0x810000100, 2), 0x118320AE);
        assert_int_equal(telemetry(i, wormhole_arc, 0x810000100, 52), i);
        assert_int_equal(tf_read(chip[i], wormhole_arc, 0x820078D70, older, sizeof older), TF_OK);
        assert_int_equal(older[0], 0x01000146);
        assert_int_equal(older[1], 0x118320AE);
    }
    destroy_all();
}

/* A single p150 says what a chip without a cluster says. */
static void test_one_chip(void **state)
{
    (void)state;
    assert_int_equal(tf_cluster_find("p150", &cluster, NULL), TF_OK);
    create_all();
    struct tf_chip *plain = create(NULL);
    assert_true(tf_state_hash(plain) == tf_state_hash(chip[0]));
    tf_chip_destroy(plain);
    destroy_all();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_discovery),       cmocka_unit_test(test_blackhole_galaxy),
        cmocka_unit_test(test_wormhole_places), cmocka_unit_test(test_foreign_ids),
        cmocka_unit_test(test_telemetry),       cmocka_unit_test(test_one_chip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
