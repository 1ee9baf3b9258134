/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A family that exists only here: 3 x 3 nodes, and two Tensix tiles with 256 KiB of L1 and less core-local RAM. Its
 * coprocessor has two packers and no vector unit. Its NIUs have a form of their own. One DRAM channel of 64 MiB has two
 * ports. Tiles and DRAM have translated names. Nothing is for hosts.
 */
#include "tile/niu_words.h"
#include "toy_family.h"

#include "tile/tensix/isa/isa.h"

/* clang-format off */
#define NIL       {TF_NODE_EMPTY, 0}
#define TNS(tile) {TF_NODE_TENSIX, tile}
#define MEM       {TF_NODE_DRAM, 0}
/* clang-format on */

/* Fewer windows than Blackhole's: no TDMA-RISC, no PIC, no Dst, the cores' RAM for themselves alone. */
/* clang-format off */
static const struct tf_map toy_map = {
    .by_range = {
        [0xB0] = TF_AT_OWN_LOCAL, [0xB2] = TF_AT_NIU0, [0xB3] = TF_AT_NIU1,    [0xE0] = TF_AT_GPRS,
        [0xB8] = TF_AT_MOP,       [0xE4] = TF_AT_PUSH0,     [0xE8] = TF_AT_PCBUF0,  [0xEC] = TF_AT_MAILBOX,
        [0xEF] = TF_AT_CONFIG,
    },
    .shared = 0xFFB1,
    .by_block = {[0x2] = TF_AT_DEBUG},
    .window = {
        [TF_AT_OWN_LOCAL] = {0xFFB00000, 0xFFB00FFF, TF_BY_NONE, TF_WORDS, 0},
        [TF_AT_DEBUG] = {0xFFB12000, 0xFFB12FFF, TF_BY_ALL, TF_WORDS, 0},
        [TF_AT_NIU0] = {0xFFB20000, 0xFFB2FFFF, TF_BY_ALL, TF_WORDS, 0},
        [TF_AT_NIU1] = {0xFFB30000, 0xFFB3FFFF, TF_BY_ALL, TF_WORDS, 0},
        [TF_AT_MOP] = {0xFFB80000, 0xFFB80023, TF_BY_T, TF_WORDS, 0},
        [TF_AT_GPRS] = {0xFFE00000, 0xFFE00FFF, TF_BY_BT, TF_WORD_STORES, 0},
        [TF_AT_PUSH0] = {0xFFE40000, 0xFFE4FFFF, TF_BY_BT, TF_WORDS, 0},
        [TF_AT_PCBUF0] = {0xFFE80000, 0xFFE8FFFF, TF_BY_BT, TF_WORDS, 0},
        [TF_AT_MAILBOX] = {0xFFEC0000, 0xFFEC3FFF, TF_BY_B | TF_BY_T, TF_WORDS, 0},
        [TF_AT_CONFIG] = {0xFFEF0000, 0xFFEFFFFF, TF_BY_BT, TF_WORD_STORES, 0},
    },
};
/* clang-format on */

static const uint8_t toy_opcodes[256] = {
#define F(...)
#define OP(name, opcode, unit, block, class, flags, fields) \
    [opcode] = TF_UNIT_##unit == TF_UNIT_VECTOR ? TF_OPCODE_ABSENT : TF_OPCODE_PRESENT,
#include "tile/tensix/isa/tensix.def"
};

#define B_HAS (TF_EXT_ALL & ~(TF_EXT_F | TF_EXT_V | TF_EXT_ZBB))
#define T_HAS (B_HAS & ~TF_EXT_MACHINE)

/* clang-format off */
const struct tf_arch toy_family = {
    .name = "toy",
    .title = "Toy",
    .grid_x = 3,
    .grid_y = 3,
    .pcie_node = TF_NO_NODE,
    .tile = {
        [TF_TILE_TENSIX] = {
            .family = "Toy",
            .kind = TF_TILE_TENSIX,
            .node = TF_NODE_TENSIX,
            .tiles = 2,
            .cores = 5,
            .coprocessor = true,
            .mutexes = 1u << 0 | 1u << 6,
            .opcode = toy_opcodes,
            .config = &tf_config_wormhole,
            .units = {.packers = 2},
            .streams = 16,
            .l1_bytes = TOY_L1_BYTES,
            .local_bytes = {TOY_LOCAL_BYTES, 2048, 2048, 2048, 2048},
            .extensions = {B_HAS, B_HAS, T_HAS, T_HAS, T_HAS},
            .core_name = TF_TENSIX_CORE_NAMES,
            .map = &toy_map,
        },
    },
    .dram = {.channels = 1, .channel_bytes = TOY_DRAM_BYTES},
    .coords = {
        .entry_bits = 5,
        .entries_in_word = 6,
        .x = {0, 1, 2, [8] = 2, 0},
        .y = {0, 1, 2, [8] = 1, 0, 2},
        .name = {[TF_NODE_TENSIX] = {8, 9, 8, 8}, [TF_NODE_DRAM] = {8, 9, 9, 10}},
        .endpoint_type = {[TF_NODE_TENSIX] = 0x0100, [TF_NODE_DRAM] = 0x0800},
    },
    .space = {
        .registers_first = 0xFF000000,
        .niu_first = TF_NIU_BASE(0),
        .niu_bytes = TF_NIU_BYTES,
        .niu_high = 0xFFFFFFFF00000000,
    },
    .noc = {
        .flit_log2 = 5,
        .mask_bytes = 32,
        .dram_align = 32,
        .packet_bytes = 4096,
        .inline_masked = true,
        .atomics = 1u << 1 | 1u << 3 | 1u << 4,
        .no_such_atomic = "Toy's NIUs lack this atomic",
    },
    .niu = &toy_niu,
    .place = {
        MEM,    NIL, NIL,
        TNS(0), NIL, TNS(1),
        NIL,    NIL, MEM,
    },
};
/* clang-format on */

#define NO TF_NIU_NO_WORD

/* Initiators 0x400 apart, coordinates above 4 bits of the address, as on Wormhole. NOC_AT_DATA and NOC_CMD_CTRL lie
   where neither chip has them; configuration and counters at Blackhole's places. */
/* clang-format off */
const struct tf_niu_arch toy_niu = {
    .initiator_stride_log2 = 10,
    .word = {
        TF_NIU_TARG_LO, TF_NIU_TARG_MID, NO, TF_NIU_RET_LO, TF_NIU_RET_MID, NO, TF_NIU_PACKET_TAG, TF_NIU_CTRL,
        TF_NIU_AT_LEN_BE, NO, TF_NIU_AT_DATA, TF_NIU_CMD_CTRL, TF_NIU_NODE_ID / 4, NO, NO, NO, NO, NO,
    },
    .address_high_bits = 4,
    .range = {{0x50, 4, TF_NIU_CLEAR_TIDS}, {0x100, 0x80, TF_NIU_CONFIG}, {0x200, 0x100, TF_NIU_COUNTER}},
};
/* clang-format on */
