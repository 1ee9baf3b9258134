/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of families: every rule of tf_arch_why_bad(), just inside its limit and just outside. A table may come from
 * outside the library, so a wrong one gets a sentence and never a chip.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tile/niu_words.h"
#include "tile/arch.h"
#include "tile/node_text.h"
#include "tilefarm/tilefarm_chip.h"

/* A number in a table, and the sentence about it; NULL: it is right. The table is Wormhole's, which has all parts. */
struct change {
    const char *name;
    size_t offset, bytes;
    uint64_t value;
    const char *why;
};

#define SET(member, number, sentence)                                                                    \
    {                                                                                                    \
        .name = #member " = " #number, .offset = offsetof(struct tf_arch, member),                       \
        .bytes = sizeof((struct tf_arch *)NULL)->member, .value = (uint64_t)(number), .why = (sentence), \
    }

static struct tf_arch changed(const struct change *change)
{
    struct tf_arch arch = tf_arch_wormhole;
    memcpy((uint8_t *)&arch + change->offset, &change->value, change->bytes); /* hosts are little-endian */
    return arch;
}

static void check(const struct change *change, size_t count)
{
    for (; count != 0; change++, count--) {
        const struct tf_arch arch = changed(change);
        const char *why = tf_arch_why_bad(&arch);
        if (why != change->why && (why == NULL || change->why == NULL || strcmp(why, change->why) != 0))
            fail_msg("%s: %s", change->name, why == NULL ? "taken" : why);
    }
}

#define CHECK(changes) check(changes, sizeof(changes) / sizeof *(changes))

static void families_are_right(void **state)
{
    (void)state;
    assert_null(tf_arch_why_bad(&tf_arch_blackhole));
    assert_null(tf_arch_why_bad(&tf_arch_wormhole));
}

static void grids_have_limits(void **state)
{
    (void)state;
    const char *const grid = "the grid is empty or too large";
    const char *const nodes = "the grid and the table differ in the number of tiles of a kind";
    const struct change changes[] = {
        SET(grid_x, 0, grid),
        SET(grid_x, 1, nodes),
        SET(grid_x, TF_GRID_X_MAX + 1, grid),
        SET(grid_y, 0, grid),
        SET(grid_y, 1, nodes),
        SET(grid_y, TF_GRID_Y_MAX + 1, grid),
        SET(tile[TF_TILE_TENSIX].tiles, 0, NULL), /* such a chip has no tile to be made */
        SET(tile[TF_TILE_TENSIX].tiles, 79, nodes),
        SET(tile[TF_TILE_TENSIX].tiles, 81, nodes),
        SET(tile[TF_TILE_TENSIX].tiles, TF_TENSIX_TILES_MAX, nodes),
        SET(tile[TF_TILE_TENSIX].tiles, TF_TENSIX_TILES_MAX + 1, "too many Tensix tiles"),
        SET(tile[TF_TILE_ETH].tiles, 15, nodes),
        SET(dram.channel_bytes, TF_DRAM_BLOCK_BYTES, NULL),
        SET(dram.channel_bytes, TF_DRAM_BLOCK_BYTES + 1, "the size of a DRAM channel is not a multiple of 2 MiB"),
    };
    CHECK(changes);
}

static void packets_and_requests_have_limits(void **state)
{
    (void)state;
    const char *const flit = "a flit has fewer than 16 bytes, or more than 64";
    const char *const packet = "a packet is empty or too long";
    const char *const masks = "requests do not support the byte mask or the alignment of DRAM";
    const char *const words = "the entries of a translation table do not fit their words";
    const struct change changes[] = {
        SET(noc.flit_log2, 3, flit),
        SET(noc.flit_log2, 4, NULL),
        SET(noc.flit_log2, TF_FLIT_LOG2_MAX, NULL),
        SET(noc.flit_log2, TF_FLIT_LOG2_MAX + 1, flit),
        SET(noc.packet_bytes, 0, packet),
        SET(noc.packet_bytes, 1, NULL),
        SET(noc.packet_bytes, TF_PACKET_BYTES_MAX, NULL),
        SET(noc.packet_bytes, TF_PACKET_BYTES_MAX + 1, packet),
        SET(noc.mask_bytes, 32, NULL),
        SET(noc.mask_bytes, 64, NULL),
        SET(noc.mask_bytes, 16, masks),
        SET(noc.mask_bytes, 33, masks),
        SET(noc.dram_align, 0, masks),
        SET(noc.dram_align, 1, NULL),
        SET(noc.dram_align, 3, masks),
        SET(noc.dram_align, 48, masks),
        SET(noc.dram_align, 64, NULL),
        SET(coords.entry_bits, 0, words),
        SET(coords.entries_in_word, 0, words),
        SET(coords.entries_in_word, 5, words), /* 30 places for 32 entries */
        SET(coords.entry_bits, 33, words),
        SET(noc.no_such_atomic, 0, "the text of the fault for a missing atomic is absent"),
    };
    CHECK(changes);
}

static void parts_of_requests_have_their_places(void **state)
{
    (void)state;
    for (unsigned i = 0; i < TF_NIU_LAYOUT_WORDS; i++) {
        struct tf_niu_arch niu = *tf_arch_wormhole.niu;
        struct tf_arch arch = tf_arch_wormhole;
        arch.niu = &niu;
        niu.word[i] = TF_NIU_NO_WORD;
        assert_null(tf_arch_why_bad(&arch));
        niu.word[i] = (uint8_t)(i + 1);
        const char *why = tf_arch_why_bad(&arch);
        if (i < TF_NIU_ALIKE)
            assert_string_equal(why, "addresses or the length of a request lie elsewhere");
        else
            assert_null(why);
    }
}

static void tiles_have_limits(void **state)
{
    (void)state;
    const char *const kind = "a kind of tile is at the index of another kind";
    const char *const cores = "a tile has no core, or too many";
    const char *const lacks = "a tile with a coprocessor lacks cores that push to it";
    const char *const l1 = "the size of L1 is not a multiple of 1 KiB, or is too large";
    const char *const packers = "there are more packers than four, or there is no table of their configuration";
    const struct change changes[] = {
        SET(tile[TF_TILE_TENSIX].kind, TF_TILE_ETH, kind),
        SET(tile[TF_TILE_TENSIX].node, TF_NODE_ETH, kind),
        SET(tile[TF_TILE_ETH].kind, TF_TILE_TENSIX, kind),
        SET(tile[TF_TILE_ETH].node, TF_NODE_TENSIX, kind),
        SET(tile[TF_TILE_ETH].cores, 0, cores),
        SET(tile[TF_TILE_ETH].cores, TF_TILE_CORES + 1, cores),
        SET(tile[TF_TILE_TENSIX].cores, TF_TILE_CORES - 1, lacks),
        SET(tile[TF_TILE_TENSIX].map, 0, "a tile has no map of its registers"),
        SET(tile[TF_TILE_TENSIX].l1_bytes, 0, l1),
        SET(tile[TF_TILE_TENSIX].l1_bytes, 1024, NULL),
        SET(tile[TF_TILE_TENSIX].l1_bytes, 1025, l1),
        SET(tile[TF_TILE_TENSIX].l1_bytes, TF_L1_BYTES_MAX, l1), /* with 16 KiB of instruction RAM */
        SET(tile[TF_TILE_TENSIX].l1_bytes, TF_L1_BYTES_MAX - 16384, NULL),
        SET(tile[TF_TILE_TENSIX].iram_bytes, 1023, l1),
        SET(tile[TF_TILE_TENSIX].iram_bytes, 0, NULL),
        SET(tile[TF_TILE_ETH].eth, 0, "an Ethernet tile has no table of its devices"),
        SET(tile[TF_TILE_TENSIX].units.packers, 4, NULL),
        SET(tile[TF_TILE_TENSIX].units.packers, 5, packers),
        SET(tile[TF_TILE_TENSIX].config, 0, packers),
    };
    CHECK(changes);
}

static void each_core_has_ram_a_name_and_extensions(void **state)
{
    (void)state;
    const char *const ram = "the size of a core's RAM is not a power of two";
    const char *const name = "a core of a Tensix tile has another name than that of enum tf_core";
    const char *const differ = "cores differ in extensions other than vectors and interrupts";
    const char *const other = "T9";
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        const unsigned extensions = tf_arch_wormhole.tile[TF_TILE_TENSIX].extensions[core];
        struct change changes[] = {
            SET(tile[TF_TILE_TENSIX].local_bytes[0], 0, ram),
            SET(tile[TF_TILE_TENSIX].local_bytes[0], 3072, ram),
            SET(tile[TF_TILE_TENSIX].local_bytes[0], 4096, NULL),
            SET(tile[TF_TILE_TENSIX].core_name[0], 0, name),
            SET(tile[TF_TILE_TENSIX].core_name[0], (uintptr_t)other, name),
            SET(tile[TF_TILE_TENSIX].extensions[0], extensions ^ TF_EXT_M, differ),
            SET(tile[TF_TILE_TENSIX].extensions[0], extensions ^ TF_EXT_ZBB, differ),
            SET(tile[TF_TILE_TENSIX].extensions[0], extensions ^ TF_EXT_V, NULL),
            SET(tile[TF_TILE_TENSIX].extensions[0], extensions ^ TF_EXT_MACHINE, NULL),
        };
        for (unsigned i = 0; i < sizeof changes / sizeof *changes; i++)
            changes[i].offset += core * changes[i].bytes;
        CHECK(changes);
    }
}

/* The number of a place of this kind, the `skip` next one. */
static unsigned find_place(enum tf_node_kind kind, unsigned skip)
{
    for (unsigned i = 0; i < tf_arch_nodes(&tf_arch_wormhole); i++)
        if (tf_arch_wormhole.place[i].kind == kind && skip-- == 0)
            return i;
    fail();
    return 0;
}

static void places_are_numbered(void **state)
{
    (void)state;
    const unsigned tensix = find_place(TF_NODE_TENSIX, 40), dram = find_place(TF_NODE_DRAM, 3);
    const uint8_t index = tf_arch_wormhole.place[tensix].index, channels = tf_arch_wormhole.dram.channels;
    struct tf_arch arch = tf_arch_wormhole;
    arch.place[dram].kind = TF_NODE_KINDS;
    assert_string_equal(tf_arch_why_bad(&arch), "a node has no kind");
    arch = tf_arch_wormhole;
    arch.place[dram].index = channels;
    assert_string_equal(tf_arch_why_bad(&arch), "a DRAM node is a port of a missing channel");
    arch.place[dram].index = (uint8_t)(channels - 1);
    assert_null(tf_arch_why_bad(&arch));
    arch = tf_arch_wormhole;
    for (int change = -1; change <= 1; change++) {
        arch.place[tensix].index = (uint8_t)(index + change);
        if (change == 0)
            assert_null(tf_arch_why_bad(&arch));
        else
            assert_string_equal(tf_arch_why_bad(&arch), "the Tensix tiles are not numbered in rows");
    }
}

/* A port has one number in commands and in texts. Fused-off Ethernet tiles do not count. */
static void ports_have_one_number(void **state)
{
    struct tf_arch arch = tf_arch_blackhole;
    struct tf_coord node;
    unsigned port = 0;
    (void)state;
    for (unsigned i = 0; i < tf_arch_nodes(&arch); i++)
        if (arch.place[i].kind == TF_NODE_ETH && (arch.place[i].index == 5 || arch.place[i].index == 8))
            arch.place[i].kind = TF_NODE_EMPTY;
    for (; tf_port_coord(&arch, port, &node) == TF_OK; port++) {
        char text[TF_NODE_TEXT_BYTES], wanted[TF_NODE_TEXT_BYTES];
        snprintf(wanted, sizeof wanted, "port %u (%u,%u)", port, node.x, node.y);
        assert_string_equal(tf_node_text(&arch, node, text), wanted);
    }
    assert_int_equal(port, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families_are_right),
        cmocka_unit_test(grids_have_limits),
        cmocka_unit_test(packets_and_requests_have_limits),
        cmocka_unit_test(parts_of_requests_have_their_places),
        cmocka_unit_test(tiles_have_limits),
        cmocka_unit_test(each_core_has_ram_a_name_and_extensions),
        cmocka_unit_test(places_are_numbered),
        cmocka_unit_test(ports_have_one_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
