/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cluster descriptors: what is read, what is written, and every refusal. The shapes are those of tt-umd's examples:
 * flow and block styles, keys that are missing, chips without PCIe, other devices.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <xxhash.h>

#include "system/cluster/cluster.h"

#define TEXT_BYTES 65536u

static struct tf_cluster parse(const char *text)
{
    struct tf_cluster cluster;
    struct tf_message message = {""};
    if (tf_cluster_parse(text, strlen(text), &cluster, &message) != TF_OK)
        fail_msg("%s", message.text);
    return cluster;
}

static void assert_same(const struct tf_cluster *a, const struct tf_cluster *b)
{
    assert_ptr_equal(a->arch, b->arch);
    assert_int_equal(a->chips, b->chips);
    assert_int_equal(a->links, b->links);
    assert_memory_equal(a->link, b->link, a->links * sizeof a->link[0]);
    for (unsigned i = 0; i < a->chips; i++) {
        const struct tf_cluster_chip *x = &a->chip[i], *y = &b->chip[i];
        assert_string_equal(x->board.name, y->board.name);
        assert_int_equal(x->board.product, y->board.product);
        assert_int_equal(x->board.columns_off, y->board.columns_off);
        assert_int_equal(x->board.rows_off, y->board.rows_off);
        assert_int_equal(x->board.banks_off, y->board.banks_off);
        assert_int_equal(x->board.eth_off, y->board.eth_off);
        assert_int_equal(x->board.cpus_off, y->board.cpus_off);
        assert_true(x->unique_id == y->unique_id);
        assert_true(x->board_id == y->board_id);
        assert_int_equal(x->pcie, y->pcie);
        assert_int_equal(x->asic_location, y->asic_location);
        assert_int_equal(x->x, y->x);
        assert_int_equal(x->y, y->y);
        assert_int_equal(x->rack, y->rack);
        assert_int_equal(x->shelf, y->shelf);
    }
}

/* What is written is read again as the same cluster. */
static void again(const struct tf_cluster *cluster)
{
    char *text = malloc(TEXT_BYTES);
    size_t bytes = tf_describe_system(cluster, text, TEXT_BYTES);
    assert_true(bytes < TEXT_BYTES);
    assert_int_equal(tf_describe_system(cluster, NULL, 0), bytes);
    struct tf_cluster read = parse(text);
    assert_same(cluster, &read);
    free(text);
}

static void test_known(void **state)
{
    (void)state;
    const char *name;
    for (unsigned i = 0; (name = tf_cluster_name(i)) != NULL; i++) {
        struct tf_cluster cluster;
        assert_int_equal(tf_cluster_find(name, &cluster, NULL), TF_OK);
        again(&cluster);
    }
}

/* The tables of chips and links are those that were compared with tt-umd's descriptors when they were written. If one
   is meant to change, compare the text of `tilefarm describe --system NAME --cluster -` with its source again. */
static void test_recorded(void **state)
{
    static const struct {
        const char *name;
        uint64_t digest;
    } recorded[] = {
        {"n150", 0x48c8b3497cf2d676},   {"n300", 0xba547297c017bace},      {"2xn300", 0x636f71a47c3503b7},
        {"t3000", 0x73e83c11a2678441},  {"wh-galaxy", 0xe4aa4eef37728427}, {"p150", 0xbafeb7868ff8f3db},
        {"p300", 0x438847958cb38e34},   {"quietbox2", 0x668ce73223f8f392}, {"4xp150", 0x5734903bf0ae0e9e},
        {"8xp150", 0xd0617a3d9ab1f5b6}, {"bh-galaxy", 0x7a4369e588f1885b},
    };
    (void)state;
    char *text = malloc(TEXT_BYTES);
    for (unsigned i = 0; i < sizeof recorded / sizeof recorded[0]; i++) {
        struct tf_cluster cluster;
        assert_string_equal(tf_cluster_name(i), recorded[i].name);
        assert_int_equal(tf_cluster_find(recorded[i].name, &cluster, NULL), TF_OK);
        const uint64_t digest = XXH3_64bits(text, tf_describe_system(&cluster, text, TEXT_BYTES));
        if (digest != recorded[i].digest)
            fail_msg("%s: 0x%016llx", recorded[i].name, (unsigned long long)digest);
    }
    assert_null(tf_cluster_name(sizeof recorded / sizeof recorded[0]));
    free(text);
}

/* tt-umd throws if the chips of a p300 have other PCIe tiles than by their locations. */
static void test_pcie_of_two_chips(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned location_1; /* chips at location 1, as bits */
    } systems[] = {{"p300", 0x2}, {"quietbox2", 0x5}};
    char *text = malloc(TEXT_BYTES);
    for (unsigned i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        struct tf_cluster cluster;
        assert_int_equal(tf_cluster_find(systems[i].name, &cluster, NULL), TF_OK);
        assert_true(tf_describe_system(&cluster, text, TEXT_BYTES) < TEXT_BYTES);
        const char *at = strstr(text, "harvesting:\n");
        for (unsigned chip = 0; chip < cluster.chips; chip++) {
            at = strstr(at, "pcie_harvesting_mask: ") + strlen("pcie_harvesting_mask: ");
            assert_int_equal(strtoul(at, NULL, 10), systems[i].location_1 >> chip & 1 ? 1 : 2);
        }
    }
    free(text);
}

/* Every field of its own. */
static void test_fields(void **state)
{
    (void)state;
    struct tf_cluster cluster;
    assert_int_equal(tf_cluster_find("8xp150", &cluster, NULL), TF_OK);
    cluster.chip[1].pcie = false;
    cluster.chip[2].asic_location = 255;
    cluster.chip[3].unique_id = UINT64_MAX;
    cluster.chip[4].x = 63;
    cluster.chip[4].y = 62;
    cluster.chip[4].rack = 255;
    cluster.chip[4].shelf = 254;
    cluster.chip[5].board_id |= 0xFull << 60;
    cluster.chip[6].board.banks_off = 1u << 5;
    cluster.chip[6].board.cpus_off = 1u << 2;
    cluster.chip[6].board.columns_off = 1u << 1 | 1u << 13;
    cluster.chip[6].board.eth_off = 1u << 0 | 1u << 13;
    assert_int_equal(tf_cluster_check(&cluster, NULL), TF_OK);
    again(&cluster);
}

/* The length of a text that does not fit, and its beginning. */
static void test_short_room(void **state)
{
    (void)state;
    struct tf_cluster cluster;
    char all[4096], some[64];
    assert_int_equal(tf_cluster_find("n300", &cluster, NULL), TF_OK);
    size_t bytes = tf_describe_system(&cluster, all, sizeof all);
    assert_int_equal(tf_describe_system(&cluster, some, sizeof some), bytes);
    assert_int_equal(strlen(some), sizeof some - 1);
    assert_memory_equal(some, all, sizeof some - 1);
}

/* --- The shapes of tt-umd's examples --- */

#define N300_BOARDS "boards: [[{board_id: 72058994491072686}, {board_type: n300}, {chips: [0, 1]}]]\n"

/* Flow style, few keys, masks without those of Ethernet tiles; ids and locations are made. */
static void test_flow(void **state)
{
    (void)state;
    struct tf_cluster cluster = parse("arch: {\n  1: Wormhole,\n  0: WORMHOLE_B0,\n}\n"
                                      "chips: {0: [0,0,0,0], 1: [1,2,3,4]}\n"
                                      "ethernet_connections: [\n"
                                      "  [{chip: 1, chan: 1}, {chip: 0, chan: 9}, {routing_enabled: true}],\n"
                                      "  [{chip: 0, chan: 8}, {chip: 1, chan: 0}],\n"
                                      "]\n"
                                      "chips_with_mmio: [\n  0: 0,\n]\n"
                                      "harvesting: {0: {noc_translation: true, harvest_mask: 65},\n"
                                      "  1: {noc_translation: true, harvest_mask: 0x21}} # rows\n" N300_BOARDS);
    assert_ptr_equal(cluster.arch, tf_arch_find("wormhole"));
    assert_int_equal(cluster.chips, 2);
    assert_int_equal(cluster.links, 2);
    assert_int_equal(cluster.link[1].end[0].port, 9);
    assert_int_equal(cluster.link[1].end[1].port, 1);
    assert_true(cluster.chip[0].pcie);
    assert_false(cluster.chip[1].pcie);
    assert_int_equal(cluster.chip[0].board.rows_off, 1u << 1 | 1u << 8);
    assert_int_equal(cluster.chip[1].board.rows_off, 1u << 1 | 1u << 7);
    assert_string_equal(cluster.chip[1].board.name, "n300");
    assert_int_equal(cluster.chip[1].x, 1);
    assert_int_equal(cluster.chip[1].y, 2);
    assert_int_equal(cluster.chip[1].rack, 3);
    assert_int_equal(cluster.chip[1].shelf, 4);
    assert_int_equal(cluster.chip[1].asic_location, 1);
    assert_true(cluster.chip[0].unique_id == 0x2618320AE);
    assert_true(cluster.chip[1].unique_id == 0x3618320AE);
    again(&cluster);
}

/* Block style with all keys, and with keys that nobody knows. The chip with PCIe is the second one of its board. */
static void test_block(void **state)
{
    (void)state;
    struct tf_cluster cluster = parse("%YAML 1.2\n---\narch:\n  0: blackhole\n  1: Blackhole\n"
                                      "chips:\n  {}\n"
                                      "chip_unique_ids:\n  1: 9493540888584\n  0: 18446744073709551615\n"
                                      "ethernet_connections:\n"
                                      "  -\n    - chip: 0\n      chan: 11\n    - chip: 1\n      chan: 3\n"
                                      "  -\n    - chip: 1\n      chan: 3\n    - chip: 0\n      chan: 11\n"
                                      "  -\n    - chip: 0\n      chan: 11\n    - chip: 1\n      chan: 3\n"
                                      "ethernet_connections_to_remote_devices:\n"
                                      "  -\n    - chip: 1\n      chan: 7\n"
                                      "    - remote_chip_id: 14251335820\n      chan: 7\n"
                                      "chips_with_mmio:\n  - 0: 7\n"
                                      "io_device_type: PCIe\n"
                                      "harvesting:\n"
                                      "  0:\n    noc_translation: true\n    harvest_mask: 8320\n"
                                      "    dram_harvesting_mask: 8\n    eth_harvesting_mask: 288\n"
                                      "    pcie_harvesting_mask: 1\n    l2cpu_harvesting_mask: 9\n"
                                      "chip_to_bus_id:\n  0: \"0x0041\"\n"
                                      "boards:\n  -\n    - board_id: 4746770444292\n    - board_type: p300\n"
                                      "    - chips:\n        - 1\n        - 0\n"
                                      "asic_locations:\n  0: 1\n  1: 0\n"
                                      "chip_pci_bdfs:\n  0: 0000:41:00.0\n"
                                      "of_another_version:\n  [a, {b: c}, [d]]\n...\n");
    assert_ptr_equal(cluster.arch, tf_arch_find("blackhole"));
    assert_int_equal(cluster.links, 1); /* named from both sides, and twice */
    assert_string_equal(cluster.chip[0].board.name, "p300a");
    assert_int_equal(cluster.chip[0].board.columns_off, 1u << 10 | 1u << 16);
    assert_int_equal(cluster.chip[0].board.banks_off, 1u << 3);
    assert_int_equal(cluster.chip[0].board.eth_off, 1u << 5 | 1u << 8);
    assert_int_equal(cluster.chip[0].board.cpus_off, 1u << 0 | 1u << 1);
    assert_int_equal(cluster.chip[1].board.eth_off, 1u << 5 | 1u << 8); /* the board's */
    assert_true(cluster.chip[0].unique_id == UINT64_MAX);
    assert_int_equal(cluster.chip[0].asic_location, 1);
    assert_null(tf_cluster_peer(&cluster, 1, 7));
    again(&cluster);
}

/* The least that is needed. */
static void test_least(void **state)
{
    (void)state;
    struct tf_cluster cluster = parse("{arch: {0: wormhole_b0}, ethernet_connections: [], chips_with_mmio: [0]}");
    assert_string_equal(cluster.chip[0].board.name, "n150-full");
    assert_true(cluster.chip[0].board_id == 0x18000000001);
    assert_true(cluster.chip[0].unique_id == 0x18000000001);
    again(&cluster);
    cluster = parse("{arch: {0: blackhole, 1: blackhole}, ethernet_connections: [], chips_with_mmio: [0: 3, 1: 1]}");
    assert_string_equal(cluster.chip[1].board.name, "p150");
    assert_true(cluster.chip[1].board_id == 0x40000000002);
    assert_int_equal(cluster.chip[1].board.eth_off, 0x3000);
    again(&cluster);
}

/* Other shapes of the examples: boards without links between them, chips in another order than their places, keys that
   are empty or unknown, masks of all kinds, and a device that is not on PCIe. */
static void test_shapes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned chips, links, pcie;
        const char *board;
        uint64_t unique_id; /* of the last chip */
        unsigned location;
    } rows[] = {
        {"arch: {0: wormhole_b0, 1: wormhole_b0, 2: wormhole_b0, 3: wormhole_b0}\n"
         "chips: {0: [1, 0, 0, 0], 1: [1, 1, 0, 0], 2: [1, 1, 0, 0], 3: [1, 0, 0, 0]}\n"
         "chip_unique_ids: {3: 10226782261, 2: 10226774114, 1: 10226774041, 0: 9957417446}\n"
         "ethernet_connections:\n- [{chip: 0, chan: 14}, {chip: 1, chan: 14}]\n"
         "- [{chip: 2, chan: 15}, {chip: 3, chan: 15}]\n"
         "chips_with_mmio: [0: 0, 2: 2]\n"
         "boards:\n- [{board_id: 72058990196040166}, {board_type: n300}, {chips: [1, 0]}]\n"
         "- [{board_id: 72058994491928601}, {board_type: n300}, {chips: [2, 3]}]\n",
         4, 2, 5, "n300", 10226782261, 1},
        {"arch:\n  0: wormhole_b0\n  1: wormhole_b0\nchips:\n  0:\n    - 0\n    - 0\n    - 0\n    - 0\n"
         "  1:\n    - 1\n    - 0\n    - 0\n    - 0\nethernet_connections:\n  []\nchips_with_mmio:\n  - 0: 1\n  - 1: 0\n"
         "io_device_type: JTAG\nchip_to_bus_id:\n  {}\nchip_pci_bdfs:\n  {}\n"
         "boards:\n  -\n    - board_id: 72058994491973813\n    - board_type: n300\n    - chips:\n"
         "        - 1\n        - 0\n",
         2, 0, 3, "n300", 14521786549, 1},
        {"arch: {0: blackhole, 1: blackhole}\nchips: {}\n"
         "ethernet_connections: [[{chip: 0, chan: 8}, {chip: 1, chan: 3}]]\n"
         "ethernet_connections_to_remote_devices: []\nchips_with_mmio: [0: 0]\n"
         "harvesting: {0: {noc_translation: on, harvest_mask: 272, "
         "eth_harvesting_mask: 288, pcie_harvesting_mask: 1}}\n"
         "boards: [[{board_id: 4746770444292}, {board_type: p300}, {chips: [0, 1]}]]\nasic_locations: {0: 1, 1: 0}",
         2, 1, 1, "p300a", 4746770444292ull << 5, 0},
        {"arch: {0: blackhole}\nchips: {}\nchip_unique_ids: {0: 17716556166399396846}\nethernet_connections: []\n"
         "chips_with_mmio: [0: 0]\n"
         "harvesting: {0: {noc_translation: True, harvest_mask: 192, dram_harvesting_mask: 8,\n"
         "  eth_harvesting_mask: 16383, pcie_harvesting_mask: 2, l2cpu_harvesting_mask: 0}}\n"
         "chip_to_bus_id: {0: \"0x0061\"}\nboards: [[{board_id: 4613626507328}, {board_type: p100}, {chips: [0]}]]\n"
         "chip_pci_bdfs: {0: 0000:61:00.0}",
         1, 0, 1, "p100a", 17716556166399396846ull, 0},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tf_cluster cluster = parse(rows[i].text);
        const struct tf_cluster_chip *last = &cluster.chip[rows[i].chips - 1];
        unsigned pcie = 0;
        for (unsigned k = 0; k < cluster.chips; k++)
            pcie |= (unsigned)cluster.chip[k].pcie << k;
        assert_int_equal(cluster.chips, rows[i].chips);
        assert_int_equal(cluster.links, rows[i].links);
        assert_int_equal(pcie, rows[i].pcie);
        assert_string_equal(last->board.name, rows[i].board);
        assert_true(last->unique_id == rows[i].unique_id);
        assert_int_equal(last->asic_location, rows[i].location);
        again(&cluster);
    }
}

/* Boards take the name that their identifier and their fused-off parts have; drivers' names may have a letter more. */
static void test_boards(void **state)
{
    (void)state;
    static const struct {
        const char *family, *id, *type, *masks, *name;
    } rows[] = {
        {"blackhole", "0x40000000001", "P150", "harvest_mask: 0, eth_harvesting_mask: 0x3000", "p150"},
        {"blackhole", "0x40000000001", "p150a", "harvest_mask: 0, eth_harvesting_mask: 288", "p150a"},
        {"blackhole", "0x40000000001", "p150", "harvest_mask: 192, eth_harvesting_mask: 288", "p150"},
        {"blackhole", "4613626507328", "p100", "harvest_mask: 192, dram_harvesting_mask: 8, eth_harvesting_mask: 16383",
         "p100a"},
        {"blackhole", "0x47330000000", "ubb_blackhole", "harvest_mask: 1", "ubb"},
        {"wormhole_b0", "0x18000000001", "n150", "harvest_mask: 64", "n150"},
        {"wormhole_b0", "0x18000000001", "n150", "harvest_mask: 0", "n150-full"},
        {"wormhole_b0", "0x100035100000000", "ubb", "harvest_mask: 0", "ubb"},
        {"wormhole_b0", "0x100035100000000", "ubb_wormhole", "harvest_mask: 0", "ubb"},
        {"wormhole_b0", "0x100035100000000", "UNKNOWN", "harvest_mask: 0", "ubb"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "arch: {0: %s}\nethernet_connections: []\nchips_with_mmio: [0: 0]\nharvesting: {0: {%s}}\n"
                 "boards: [{board_id: %s, board_type: %s, chips: [0]}]\n",
                 rows[i].family, rows[i].masks, rows[i].id, rows[i].type);
        struct tf_cluster cluster = parse(text);
        assert_string_equal(cluster.chip[0].board.name, rows[i].name);
        again(&cluster);
    }
}

/* --- Refusals --- */

/* A descriptor of two chips; each line can be replaced. */
static const char *const lines[] = {
    "arch: {0: wormhole_b0, 1: wormhole_b0}",
    "chips: {0: [0, 0, 0, 0], 1: [1, 0, 0, 0]}",
    "ethernet_connections: [[{chip: 0, chan: 8}, {chip: 1, chan: 0}]]",
    "chips_with_mmio: [0: 0]",
    "harvesting: {0: {noc_translation: true, harvest_mask: 65}, 1: {noc_translation: true, harvest_mask: 5}}",
    "boards: [[{board_id: 72058994491072686}, {board_type: n300}, {chips: [0, 1]}]]",
    "chip_unique_ids: {0: 1, 1: 2}",
    "other: 1",
};
#define LINES (sizeof lines / sizeof lines[0])
enum { ARCH, CHIPS, LINKS, MMIO, MASKS, BOARDS, IDS, OTHER };

static const struct {
    unsigned line;
    const char *with, *message;
} refusals[] = {
    /* Words */
    {OTHER, "other: 'a", "line 9: found unexpected end of stream"},
    {OTHER, "other: [1", "line 9: did not find expected ',' or ']'"},
    {OTHER, "other: \xFF", "byte 390: invalid leading UTF-8 octet"},
    {OTHER, "other: \"a\\0b\"", "line 8: a word with a NUL"},
    {OTHER, "other: &a 1\nmore: *a", "line 9: an alias: write its value here"},
    {OTHER, "other: 1\n---\nmore: 2", "line 9: a second document begins"},
    {OTHER, "other: 1\nother: 2", "line 9: a map has this key twice"},
    {OTHER, "? [a]\n: 2", "line 8: a key that is not a word"},
    {OTHER, "other: [[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]", "line 8: lists and maps are nested too deeply"},
    /* Chips */
    {ARCH, "", "the descriptor has no `arch`"},
    {ARCH, "arch: [0, 1]", "line 1: arch: a map is needed here, not a list"},
    {ARCH, "arch: wormhole_b0", "line 1: arch: a map is needed here, not \"wormhole_b0\""},
    {ARCH, "arch: {}", "line 1: arch: there are no chips"},
    {ARCH, "arch: {0: wormhole_b0, 2: wormhole_b0}",
     "line 1: arch: chip 1 is missing: chips have numbers without gaps"},
    {ARCH, "arch: {0: wormhole_b0, 32: wormhole_b0}", "line 1: there is no chip 32: `arch` has chips 0 to 31"},
    {ARCH, "arch: {0: wormhole_b0, 0x0: wormhole_b0}", "line 1: arch: chip 0 is here twice"},
    {ARCH, "arch: {0: wormhole_b0, one: wormhole_b0}", "line 1: chip: \"one\" is not a number from 0 to 4294967295"},
    {ARCH, "arch: {0: wormhole_b0, 1: quasar}", "line 1: arch: \"quasar\" is neither wormhole_b0 nor blackhole"},
    {ARCH, "arch: {0: wormhole_b0, 1: [wormhole_b0]}", "line 1: arch: a list is neither wormhole_b0 nor blackhole"},
    {ARCH, "arch: {0: wormhole_b0, 1: blackhole}",
     "line 1: chip 1 is a Blackhole, and others are a Wormhole: a system has one family"},
    {ARCH, "arch: {0: \"\\e[2J\", 1: blackhole}", "line 1: arch: \"\\x1b[2J\" is neither wormhole_b0 nor blackhole"},
    {CHIPS, "chips: {0: [0, 0, 0], 1: [1, 0, 0, 0]}", "line 2: chips: a place is x, y, rack and shelf"},
    {CHIPS, "chips: {0: [0, 0, 0, 0, 0]}", "line 2: chips: a place is x, y, rack and shelf"},
    {CHIPS, "chips: {0: 1}", "line 2: chips: a list is needed here, not \"1\""},
    {CHIPS, "chips: {0: [0, 64, 0, 0]}", "line 2: y: \"64\" is not a number from 0 to 63"},
    {CHIPS, "chips: {0: [0, 0, 256, 0]}", "line 2: rack: \"256\" is not a number from 0 to 255"},
    {CHIPS, "chips: {0: [0, 0, 0, -1]}", "line 2: shelf: \"-1\" is not a number from 0 to 255"},
    {CHIPS, "chips: {2: [0, 0, 0, 0]}", "line 2: there is no chip 2: `arch` has chips 0 to 1"},
    {CHIPS, "chips: {0: [0, 0, 0, 0], 1: [0, 0, 0, 0]}",
     "line 1: chip 1 has no PCIe, and the same coordinates as chip 0: no route leads to it"},
    {IDS, "chip_unique_ids: {0: 18446744073709551616}",
     "line 7: chip_unique_ids: \"18446744073709551616\" is not a number from 0 to 18446744073709551615"},
    {IDS, "chip_unique_ids: {0: 010}",
     "line 7: chip_unique_ids: \"010\" is not a number from 0 to 18446744073709551615"},
    {IDS, "chip_unique_ids: {0: 0x}", "line 7: chip_unique_ids: \"0x\" is not a number from 0 to 18446744073709551615"},
    {IDS, "chip_unique_ids: {0: 0x10000000000000000}",
     "line 7: chip_unique_ids: \"0x10000000000000000\" is not a number from 0 to 18446744073709551615"},
    {IDS, "chip_unique_ids: {0: 4, 1: 4}", "line 1: chips 0 and 1 have the same unique id 4"},
    {IDS, "asic_locations: {0: 256}", "line 7: asic_locations: \"256\" is not a number from 0 to 255"},
    /* PCIe */
    {MMIO, "", "the descriptor has no `chips_with_mmio`"},
    {MMIO, "chips_with_mmio: {0: 0}", "line 4: chips_with_mmio: a list is needed here, not a map"},
    {MMIO, "chips_with_mmio: [[0]]", "line 4: chips_with_mmio: a map is needed here, not a list"},
    {MMIO, "chips_with_mmio: [0: 0, 0]", "line 4: chips_with_mmio: chip 0 is here twice"},
    {MMIO, "chips_with_mmio: [2: 0]", "line 4: there is no chip 2: `arch` has chips 0 to 1"},
    {MMIO, "chips_with_mmio: []", "no chip has PCIe: the host reaches none"},
    {OTHER, "chip_pci_bdfs: {1: \"0000:41:00.0\"}",
     "line 8: chip 1 has an address on a PCIe bus, but chips_with_mmio lacks it"},
    /* Masks */
    {MASKS, "harvesting: {0: 65}", "line 5: harvesting: a map is needed here, not \"65\""},
    {MASKS, "harvesting: {0: {noc_translation: maybe}}",
     "line 5: noc_translation: \"maybe\" is neither true nor false"},
    {MASKS, "harvesting: {0: {noc_translation: false}}",
     "line 5: noc_translation must be true: the chips here translate coordinates"},
    {MASKS, "harvesting: {0: {harvest_mask: 4294967296}}",
     "line 5: harvest_mask: \"4294967296\" is not a number from 0 to 4294967295"},
    {MASKS, "harvesting: {1: {harvest_mask: 1024}}",
     "line 5: chip 1: harvest_mask has more bits than the die has rows of Tensix tiles"},
    {MASKS, "harvesting: {1: {harvest_mask: 1023}}", "line 5: chip 1: all rows of Tensix tiles are fused off"},
    {MASKS, "harvesting: {1: {l2cpu_harvesting_mask: 1}}",
     "line 5: chip 1: l2cpu_harvesting_mask has more bits than the die has L2CPU tiles"},
    {MASKS, "harvesting: {1: {eth_harvesting_mask: 1}}",
     "line 5: chip 1: this family fuses off neither DRAM banks nor Ethernet tiles"},
    /* Boards */
    {BOARDS, "boards: {}", "line 6: boards: a list is needed here, not a map"},
    {BOARDS, "boards: [1]", "line 6: boards: a board has board_id, board_type and chips"},
    {BOARDS, "boards: [[{board_id: 1}]]", "line 6: boards: a board has board_id, board_type and chips"},
    {BOARDS, "boards: [[{board_id: 1}, {chips: [0, 1]}]]", "line 6: board_id: no Wormhole board has 0 in bits 55:36"},
    {BOARDS, "boards: [[{board_id: 0x40000000001}, {chips: [0, 1]}]]",
     "line 6: board_id: no Wormhole board has 0x40 in bits 55:36"},
    {BOARDS, "boards: [[{board_id: 72058994491072686}, {board_type: n150}, {chips: [0, 1]}]]",
     "line 6: board_type: board_id is that of a n300, not \"n150\""},
    {BOARDS, "boards: [[{board_id: 72058994491072686}, {board_type: n300a}, {chips: [0, 1]}]]",
     "line 6: board_type: board_id is that of a n300, not \"n300a\""},
    {BOARDS, "boards: [[{board_id: 72058994491072686}, {board_type: [n300]}, {chips: [0, 1]}]]",
     "line 6: board_type: board_id is that of a n300, not a list"},
    {BOARDS, "boards: [[{board_id: 72058994491072686}, {chips: 0}]]",
     "line 6: chips: a list is needed here, not \"0\""},
    {BOARDS, "boards: [[{board_id: 72058994491072686}, {chips: [0, 0]}]]", "line 6: boards: chip 0 is on two boards"},
    {BOARDS, "boards: [[{board_id: 72058994491072686}, {chips: [0]}]]", "line 6: boards: chip 1 is on no board"},
    {BOARDS, "boards: [[{board_id: 72058994491072686}, {chips: [2]}]]",
     "line 6: there is no chip 2: `arch` has chips 0 to 1"},
    /* Links */
    {LINKS, "", "the descriptor has no `ethernet_connections`"},
    {LINKS, "ethernet_connections: {}", "line 3: ethernet_connections: a list is needed here, not a map"},
    {LINKS, "ethernet_connections: [1]", "line 3: ethernet_connections: a list is needed here, not \"1\""},
    {LINKS, "ethernet_connections: [[{chip: 0, chan: 8}]]", "line 3: a link has two ends"},
    {LINKS, "ethernet_connections: [[{chip: 0, chan: 8}, {chip: 1, chan: 0}, {}, {}]]", "line 3: a link has two ends"},
    {LINKS, "ethernet_connections: [[0, 1]]", "line 3: an end of a link: a map is needed here, not \"0\""},
    {LINKS, "ethernet_connections: [[{chip: 0, chan: 8}, {chip: 1}]]", "line 3: an end of a link has chip and chan"},
    {LINKS, "ethernet_connections: [[{chip: 0, chan: 8}, {chip: 2, chan: 0}]]",
     "line 3: there is no chip 2: `arch` has chips 0 to 1"},
    {LINKS, "ethernet_connections: [[{chip: 0, chan: 8}, {chip: 1, chan: 256}]]",
     "line 3: chan: \"256\" is not a number from 0 to 255"},
    {LINKS, "ethernet_connections: [[{chip: 0, chan: 8}, {chip: 1, chan: 0}, {routing_enabled: 7}]]",
     "line 3: routing_enabled: \"7\" is neither true nor false"},
    {LINKS, "ethernet_connections: [[{chip: 0, chan: 8}, {chip: 1, chan: 16}]]",
     "line 3: a link leads to port 16 of chip 1, which has 16: 0 of its 16 Ethernet tiles are fused off"},
    {LINKS,
     "ethernet_connections:\n- [{chip: 0, chan: 8}, {chip: 1, chan: 0}]\n"
     "- [{chip: 1, chan: 0}, {chip: 0, chan: 9}]",
     "line 5: port 0 of chip 1 has two links"},
    {LINKS, "ethernet_connections: [[{chip: 0, chan: 8}, {chip: 0, chan: 8}]]",
     "line 3: a link joins port 8 of chip 0 with itself"},
    {LINKS, "ethernet_connections: []", "line 1: chip 1 has no PCIe, and no link leads to it from a chip that has"},
    {OTHER, "ethernet_connections_to_remote_devices: [[{chip: 0, chan: 8}, {remote_chip_id: 7, chan: 1}]]",
     "line 8: port 8 of chip 0 has two links"},
    {OTHER, "ethernet_connections_to_remote_devices: [[{chip: 0, chan: 16}, {remote_chip_id: 7, chan: 1}]]",
     "line 8: port 16 of chip 0 does not exist, or is fused off"},
    {OTHER, "ethernet_connections_to_remote_devices: [[{chip: 0, chan: 7}]]", "line 8: a link has two ends"},
    {OTHER, "ethernet_connections_to_remote_devices: [7]",
     "line 8: ethernet_connections_to_remote_devices: a list is needed here, not \"7\""},
};

static void test_refusals(void **state)
{
    (void)state;
    unsigned failures = 0;
    for (unsigned i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        char text[1024] = "";
        for (unsigned k = 0; k < LINES; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s\n",
                     k == refusals[i].line ? refusals[i].with : lines[k]);
        struct tf_cluster cluster = {.chips = 77};
        struct tf_message message = {""};
        assert_int_equal(tf_cluster_parse(text, strlen(text), &cluster, &message), TF_EFORMAT);
        if (strcmp(message.text, refusals[i].message) != 0) {
            print_error("%s\n  instead of: %s\n", message.text, refusals[i].message);
            failures++;
        }
        assert_int_equal(cluster.chips, 77);
        assert_int_equal(tf_cluster_parse(text, strlen(text), &cluster, NULL), TF_EFORMAT);
    }
    assert_int_equal(failures, 0);
}

static void refuse_text(const char *text, size_t bytes, const char *why)
{
    struct tf_cluster cluster;
    struct tf_message message = {""};
    assert_int_equal(tf_cluster_parse(text, bytes, &cluster, &message), TF_EFORMAT);
    assert_string_equal(message.text, why);
}

static void test_whole_texts(void **state)
{
    (void)state;
    size_t room = (1u << 20) + 1;
    char *text = malloc(room);
    refuse_text("", 0, "the text is empty");
    refuse_text("# nothing\n", 10, "the text is empty");
    refuse_text("---\n", 4, "line 2: a cluster descriptor: a map is needed here, not \"\"");
    refuse_text("- 1\n", 4, "line 1: a cluster descriptor: a map is needed here, not a list");
    memset(text, ' ', room);
    refuse_text(text, room, "the text has 1048577 bytes; at most 1048576 are read");
    text[0] = '[';
    for (size_t i = 1; i + 1 < room; i += 2)
        memcpy(text + i, "1,", 2);
    refuse_text(text, room - 1, "line 1: the text has too many words");
    size_t bytes = 0;
    for (unsigned i = 0; i <= 256; i++)
        bytes += (size_t)sprintf(text + bytes, "k%u: 1\n", i);
    refuse_text(text, bytes, "line 257: a map has too many keys");
    free(text);
}

/* The text need not end with a NUL. */
static void test_length(void **state)
{
    (void)state;
    static const char least[] = "{arch: {0: wormhole_b0}, ethernet_connections: [], chips_with_mmio: [0]}";
    char *copy = malloc(sizeof least - 1);
    struct tf_cluster cluster;
    memcpy(copy, least, sizeof least - 1);
    assert_int_equal(tf_cluster_parse(copy, sizeof least - 1, &cluster, NULL), TF_OK);
    free(copy);
}

/* --- Too little memory --- */

static long allocations_left = -1; /* below 0: no limit */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);

static bool is_refused(void)
{
    return allocations_left >= 0 && allocations_left-- <= 0;
}

void *__wrap_malloc(size_t bytes)
{
    return is_refused() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return is_refused() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return is_refused() ? NULL : __real_realloc(old, bytes);
}

static void test_no_memory(void **state)
{
    (void)state;
    char *text = malloc(TEXT_BYTES);
    struct tf_cluster cluster, read = {.chips = 77};
    struct tf_message message = {""};
    assert_int_equal(tf_cluster_find("t3000", &cluster, NULL), TF_OK);
    size_t bytes = tf_describe_system(&cluster, text, TEXT_BYTES);
    int error = TF_ENOMEM;
    long refused = 0;
    for (; error == TF_ENOMEM; refused++) {
        allocations_left = refused;
        message.text[0] = '\0';
        error = tf_cluster_parse(text, bytes, &read, &message);
        allocations_left = -1;
        assert_int_equal(read.chips, error == TF_OK ? 8 : 77);
        assert_int_equal(strncmp(message.text, "too little memory", 17) == 0, error != TF_OK);
    }
    assert_int_equal(error, TF_OK);
    assert_in_range(refused, 20, 100000);
    assert_same(&cluster, &read);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),  cmocka_unit_test(test_recorded),   cmocka_unit_test(test_pcie_of_two_chips),
        cmocka_unit_test(test_fields), cmocka_unit_test(test_short_room), cmocka_unit_test(test_flow),
        cmocka_unit_test(test_block),  cmocka_unit_test(test_least),      cmocka_unit_test(test_boards),
        cmocka_unit_test(test_shapes), cmocka_unit_test(test_refusals),   cmocka_unit_test(test_whole_texts),
        cmocka_unit_test(test_length), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
