/* SPDX-License-Identifier: Apache-2.0 */
/* A family's constants for tests/record. Each has a header of this name; -I chooses one. This is Wormhole's. */
#ifndef TESTS_RECORD_PEER_FAMILY_H
#define TESTS_RECORD_PEER_FAMILY_H

/* The tiles that programs run on, by their translated coordinates: PEER_TILES of them, from tile 0 on. */
#define PEER_TILES 80u
#define PEER_TILE_X(tile) (18u + (tile) % 8)
#define PEER_TILE_Y(tile) (18u + (tile) / 8)

/* T0 begins here out of reset (WormholeB0/TensixTile/BabyRISCV/README.md). Other addresses are configuration. */
#define PEER_T0_CODE 0x6000u
#define PEER_RESET_PC 0

/* A PACR packs four rows. */
#define PEER_PACKERS 4
#define PEER_PACK_SELECT 1 /* the first packer */
#define PEER_PACK_NUMBERS 64

/* Does SrcAFmt alone say how wide MOVA2D and MOVB2D write? If not, libraries disagree (docs/conflicts.md). */
#define PEER_MOVES_BY_FORMAT 1

/* Address modifiers of the matrix unit. */
#define PEER_MODIFIERS 8u
#define PEER_MODIFIER_AB(i) (TT_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcAIncr_WORD + 2 * (i))

/* TABLE(name, file in tests/conformance, function): what can be recorded again. */
#define PEER_UNITS "tensix/units_wormhole.inc"
#define PEER_TABLES(TABLE)                                               \
    TABLE("results_wormhole", "abi/results_wormhole.inc", record_driver) \
    TABLE("units_wormhole", PEER_UNITS, record_units)

#define PEER_UNITS_WANTED                                                                                       \
    [UNIT_vector] = 60, [UNIT_matrix] = 30, [UNIT_move] = 16, [UNIT_unpack] = 30, [UNIT_pack] = 30,             \
    [UNIT_zeroacc] = 16, [UNIT_counter] = 16, [UNIT_vectors] = 128, [UNIT_matrices] = 128, [UNIT_unpacks] = 64, \
    [UNIT_packs] = 64, [UNIT_configs] = 32
/* Of how many cases of each kind a new table of units has the rows; of others it has a hash. */
#define PEER_UNIT_ROWS 0u

#endif
