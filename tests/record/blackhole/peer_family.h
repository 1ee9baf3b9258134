/* SPDX-License-Identifier: Apache-2.0 */
/* A family's constants for tests/record. Each has a header of this name; -I chooses one. This is Blackhole's. */
#ifndef TESTS_RECORD_PEER_FAMILY_H
#define TESTS_RECORD_PEER_FAMILY_H

/* The tiles that programs run on, by their translated coordinates: PEER_TILES of them, from tile 0 on. */
#define PEER_TILES 70u
#define PEER_TILE_X(tile) (1u + (tile) % 7)
#define PEER_TILE_Y(tile) (2u + (tile) / 7)

/* T cores begin where the debug registers say: where B does. */
#define PEER_T0_CODE PEER_CODE
#define PEER_RESET_PC 1

/* A PACR packs four rows. */
#define PEER_PACKERS 1
#define PEER_PACK_SELECT 0 /* all read interfaces */
#define PEER_PACK_NUMBERS 16

/* Does SrcAFmt alone say how wide MOVA2D and MOVB2D write? If not, libraries disagree (docs/conflicts.md). */
#define PEER_MOVES_BY_FORMAT 0

/* Address modifiers of the matrix unit. */
#define PEER_MODIFIERS 8u
#define PEER_MODIFIER_AB(i) (TT_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcAIncr_WORD + (i))

/* TABLE(name, file in tests/conformance, function): what can be recorded again. */
#define PEER_UNITS "tensix/units.inc"
#define PEER_TABLES(TABLE)                                                    \
    TABLE("config_vectors", "tensix/config_vectors.inc", record_config)       \
    TABLE("frontend_vectors", "tensix/frontend_vectors.inc", record_frontend) \
    TABLE("fp_vectors", "riscv/fp_vectors.inc", record_fp)                    \
    TABLE("identification", "noc/identification.inc", record_identification)  \
    TABLE("requests", "noc/requests.inc", record_requests)                    \
    TABLE("results", "abi/results.inc", record_driver) TABLE("units", PEER_UNITS, record_units)

#define PEER_UNITS_WANTED                                                                                        \
    [UNIT_vector] = 240, [UNIT_matrix] = 160, [UNIT_move] = 60, [UNIT_unpack] = 120, [UNIT_pack] = 120,          \
    [UNIT_zeroacc] = 40, [UNIT_counter] = 60, [UNIT_vectors] = 200, [UNIT_matrices] = 200, [UNIT_unpacks] = 100, \
    [UNIT_packs] = 100
/* Of how many cases of each kind a new table of units has the rows; of others it has a hash. */
#define PEER_UNIT_ROWS 8u

#endif
