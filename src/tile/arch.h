/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chip family as data. Everything that differs between families is a field of struct tf_arch, or a named variant of a
 * function that a field selects. Code asks the table; a constant TF_*_MAX sizes an array and says nothing of a chip.
 *
 *   grid       its size, the kind of each node, the node's number among its kind (DRAM: its channel)
 *   tiles      of each kind with cores: cores, their RAM and instruction sets, L1, streams, register windows
 *   coords     the translation tables of the NIUs, and the coordinates by which each kind of node is known
 *   space      where the NOC finds the registers of nodes without cores
 *   noc        flits, packets, which atomics there are
 *   niu        layout of a NIU, if it differs from Blackhole's
 *   dram       channels and their size; a channel's ports are the DRAM nodes of its number
 *   pcie, arc  the node of the host; telemetry of the management firmware
 *   board      what is fused off; fuse: what can be (board.h)
 *
 * CONTRIBUTING.md says how to add a family.
 */
#ifndef TILE_ARCH_H
#define TILE_ARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "tilefarm_address.h"
#include "tile/map.h"
#include "tilefarm/tilefarm_base.h"

/* These are the largest numbers of any family. */
#define TF_GRID_X_MAX 17u
#define TF_GRID_Y_MAX 12u
#define TF_NODES_MAX (TF_GRID_X_MAX * TF_GRID_Y_MAX)
#define TF_NO_NODE TF_NODES_MAX /* in place of the number of a node: there is none */

#define TF_ETH_TILES_MAX 16u
#define TF_TILES_MAX (TF_TENSIX_TILES_MAX + TF_ETH_TILES_MAX)
#define TF_DRAM_BLOCK_BYTES (2u << 20) /* host memory in which a channel is reserved */

#define TF_DRAM_CHANNELS_MAX 8u
#define TF_NODE_KINDS (TF_NODE_SECURITY + 1)

/* Entries of a NIU's translation table. */
#define TF_TRANSLATE_ENTRIES 32u

/* Extensions of RV32 that the cores of a family may have. riscv/isa/rv.def names the extension of each instruction. */
enum tf_rv_extension {
    TF_EXT_I = 1,
    TF_EXT_M = 1 << 1,
    TF_EXT_ZICSR = 1 << 2,
    TF_EXT_MACHINE = 1 << 3, /* mret, with interrupts */
    TF_EXT_ZBA = 1 << 4,
    TF_EXT_ZBB = 1 << 5,
    TF_EXT_ZAAMO = 1 << 6,
    TF_EXT_F = 1 << 7, /* and Zfh */
    TF_EXT_V = 1 << 8,
    TF_EXT_ALL = 0x1FF,
    TF_EXT_BY_CORE = TF_EXT_MACHINE | TF_EXT_V, /* cores of a chip may differ in these, so executors check */
};

/* Kinds of tiles that have cores. The address map (mmio/map/map.c) and the reset registers (mmio/debug.c) depend on
   them. */
enum tf_tile_kind {
    TF_TILE_TENSIX,
    TF_TILE_ETH,
    TF_TILE_KINDS,
    TF_TILE_DRAM = TF_TILE_KINDS, /* tf_dram_arch.core: such a tile is made when its core is first used */
    TF_TILE_KINDS_ALL,
};

/* An opcode of tensix.def, of a family's coprocessor. */
enum tf_opcode_state { TF_OPCODE_PRESENT, TF_OPCODE_ABSENT, TF_OPCODE_UNSUPPORTED /* tilefarm lacks it */ };

/* A field of an instruction that does not lie where Blackhole has it. A list of them ends with a width of 0. */
struct tf_field_move {
    uint8_t from, width;
    uint8_t to; /* Blackhole's first bit of it; or TF_MOVE_* */
};

#define TF_MOVE_UNSUPPORTED 0xFFu /* values other than 0 are not implemented */
#define TF_MOVE_IGNORED 0xFEu     /* the bits have no effect */

/* The fields of the instructions whose low bits, under a mask, are these. The list has all their fields; other bits
   must be 0. */
struct tf_opcode_form {
    uint8_t mask, low;
    const struct tf_field_move *move; /* NULL: the end of the list, and no such form */
};

/* A field that has another name than Blackhole's at this place. The last entry has NULL as its name. */
struct tf_field_name {
    uint8_t opcode, first; /* first: its lowest bit in Blackhole's word */
    uint8_t own_bits;      /* not 0: it is as many low bits of the family's word, for all of Blackhole's fields there */
    const char *name;
};

struct tf_stream_place;

/* The words of backend configuration of families that have them elsewhere than Blackhole (config/family.h). */
struct tf_eth_arch;
struct tf_config_arch;
extern const struct tf_config_arch tf_config_wormhole;

/* Which kernels of the matrix unit and the vector unit a family has. */
enum tf_edition { TF_EDITION_BLACKHOLE, TF_EDITION_WORMHOLE, TF_EDITIONS };

/* Variants of the coprocessor's units. Where all is 0, they are Blackhole's. */
struct tf_units_arch {
    uint8_t edition;              /* enum tf_edition */
    uint8_t unpack_row_data;      /* adjacent data of more than 8 bits in L1 that an unpacker takes as a row */
    bool unpack_counters_by_name; /* address counters 0 of a context belong to T0, not to the issuing thread */
    bool unpack_rows_end;         /* data for rows of SrcA beyond the last are undefined; else they wrap */
    bool fp8_ordinary;            /* FP8 with all bits of exponent and mantissa set is a number like others */
    bool one_fp8;                 /* FP8 has five bits of exponent; there is no other */
    uint8_t packers;              /* PACR instructs up to so many, of one read interface each; at most 4, with `config`.
                                     0: one packer has all interfaces */
    bool keeps_rotated_lanes;     /* SFPSHFT2 shifts in lanes that it rotated out before (tf_vector.rotated) */
    bool no_vector_stalls;        /* software keeps the distance between dependent vector instructions */
    bool throttle_as_set;         /* Throttle_mode says how fast unpackers fetch; else the width of data does, unless
                                     ovrd_default_throttle_mode is set */
    bool moves_by_format;         /* SrcAFmt alone says how wide MOVA2D and MOVB2D write; else Fp32_enabled does, too */
};

/* Cores are numbered by enum tf_core; E0 and E1 of an Ethernet tile have the numbers of B and NC. */
struct tf_tile_arch {
    const char *family; /* title, for messages */
    uint8_t kind;       /* enum tf_tile_kind */
    uint8_t node;       /* enum tf_node_kind */
    uint8_t tiles;      /* in a chip: equal to the number of nodes of this kind */
    uint8_t cores;
    bool coprocessor;
    uint16_t mutexes;                         /* of the coprocessor: existing mutexes, as bits */
    const uint8_t *opcode;                    /* enum tf_opcode_state, by opcode of tensix.def; NULL: all are there */
    const struct tf_opcode_form *const *form; /* by opcode: instructions unlike Blackhole's; NULL: none */
    const struct tf_field_name *field_name;   /* NULL: all are Blackhole's */
    const struct tf_config_arch *config;      /* the words of backend configuration; NULL: Blackhole's */
    struct tf_units_arch units;
    uint8_t streams;                            /* overlay streams, at most TF_STREAMS */
    const struct tf_stream_place *stream_place; /* the registers that streams have; NULL: Blackhole's */
    uint16_t debug_bytes;                       /* of debug registers; 0: as many as Blackhole has */
    bool eth_streams;                           /* streams have the registers of Ethernet tiles of WormholeB0 */
    bool stream_phases;                         /* streams run phases (mmio/streams/phase.h) */
    uint16_t packet_lines;                      /* 16-byte lines of data in a packet of such a stream */
    uint32_t stream_starts; /* bits of MISC_CFG that are a fault: streams would load their configuration */
    bool signals_of_page;   /* signals lie as in DebugDaisychain.md of WormholeB0 */
    uint32_t l1_bytes;      /* a multiple of 1024 */
    uint32_t l1_lost;       /* bytes behind L1 to which silicon takes stores of cores, and forgets them */
    uint16_t iram_bytes;    /* instruction RAM of a core, a multiple of 1024; 0: there is none */
    uint8_t iram_core;
    uint16_t local_bytes[TF_TILE_CORES];  /* core-local RAM, a power of two */
    uint16_t extensions[TF_TILE_CORES];   /* enum tf_rv_extension, as bits, by core */
    bool no_l0;                           /* cores have no L0 data cache, and `fence` is a nop */
    bool keeps_local;                     /* soft reset leaves core-local RAM as it is */
    bool rounds_addresses;                /* cores round a misaligned address down (hazard, or fault) */
    bool single_step;                     /* the debug interface takes one step command for an instruction, not two */
    bool debug_bugs;                      /* the debug interface has the hardware bugs of WormholeB0 (core_debug.c) */
    const char *core_name[TF_TILE_CORES]; /* of a Tensix tile: TF_TENSIX_CORE_NAMES */
    const struct tf_map *map;             /* register windows */
    const struct tf_times *times;         /* durations, for timing mode (times.h); NULL: it has none */
    const struct tf_eth_arch *eth;        /* of an Ethernet tile: its devices and firmware (eth/tables.h) */
};

/* enum tf_core names the cores of a Tensix tile of every family; tf_arch_why_bad() refuses other names. */
#define TF_TENSIX_CORE_NAMES        \
    {                               \
        "B", "NC", "T0", "T1", "T2" \
    }

/* The name of a core of a Tensix tile; "-": there is no such core. */
const char *tf_tensix_core_name(unsigned core);

/* Do bytes from an address on lie in L1? */
static inline bool tf_in_l1(const struct tf_tile_arch *arch, uint64_t address, uint64_t bytes)
{
    return address < arch->l1_bytes && bytes <= arch->l1_bytes - address;
}

/* MemoryOrdering.md: after so many later stores of a core, a store leaves the store queue. */
static inline unsigned tf_stores_emit(const struct tf_tile_arch *arch)
{
    return arch->no_l0 ? 3 : 4;
}

/* A node of the grid. */
struct tf_place {
    uint8_t kind;  /* enum tf_node_kind */
    uint8_t index; /* index among its kind, as in NOC_ENDPOINT_ID: tile, DRAM channel, CPU */
};

/*
 * Coordinates that a chip's firmware sets up (NoC/Coordinates.md), as NOC 0 counts them. NOC 1 counts each from the
 * other end. The first raw_entries of a table are raw coordinates of either NOC.
 */
struct tf_coords_arch {
    uint8_t entry_bits, entries_in_word; /* of a translation table in NIU registers */
    uint8_t raw_entries;
    uint8_t x_entries, y_entries;    /* that firmware sets; later ones are 0 on either NOC. 0: all */
    uint8_t x[TF_TRANSLATE_ENTRIES]; /* raw column of a translated one */
    uint8_t y[TF_TRANSLATE_ENTRIES];
    /*
     * NOC_ID_LOGICAL, by kind of node: the names of a kind are the entries first..last of x and of y. A node without an
     * entry there has its raw coordinates, and so has a kind whose last entry is 0.
     */
    struct {
        uint8_t x_first, x_last, y_first, y_last;
    } name[TF_NODE_KINDS];
    uint32_t rows_as_given;                /* rows, as bits, in which x is not translated */
    uint32_t silent_columns, silent_rows;  /* as bits: tiles there do not receive multicasts */
    uint16_t endpoint_type[TF_NODE_KINDS]; /* NOC_ENDPOINT_ID, bits 23:8 */
    bool dram_groups; /* NOC_ENDPOINT_ID of a DRAM node: the port in bits 7:0, the channel added to bits 15:8 */
};

/* Packets of the NOCs, and kinds of requests. */
struct tf_noc_arch {
    uint8_t flit_log2;          /* log2 of the bytes of a flit, the unit of data counters; at most TF_FLIT_LOG2_MAX */
    uint8_t mask_bytes;         /* bytes under the byte mask of a write: 32 or 64 */
    uint8_t dram_align;         /* source and target of DRAM data must be equal modulo this many bytes */
    uint16_t packet_bytes;      /* limit of data in a packet, up to TF_PACKET_BYTES_MAX; longer requests are split */
    bool inline_unsafe;         /* inline writes to L1 have a hardware bug: hazards, or faults by configuration */
    bool inline_masked;         /* inline writes to L1 repeat the word, under a mask of 16 bytes */
    bool edge_answers_as_zero;  /* PCIe and ARC tiles answer writes as of transaction 0, a hardware bug: hazards */
    bool emu_spec_atomics;      /* the emulator's specification describes its atomics (TF_ATOMICS_EMU_SPEC) */
    uint16_t atomics;           /* existing opcodes (bits 15:12 of NOC_AT_LEN_BE), as bits */
    const char *no_such_atomic; /* the fault's sentence for other opcodes */
};

#define TF_FLIT_LOG2_MAX 6u
#define TF_PACKET_BYTES_MAX 16384u

#define TF_ARC_CSM_BYTES 0x80000u      /* of all families so far */
#define TF_ARC_TELEMETRY_VALUES 0x200u /* where they begin there, in the order of the family's table */

/* Addresses on the NOC that are not memory. The NIU of NOC 1 is niu_bytes after the NIU of NOC 0. */
struct tf_space_arch {
    uint64_t registers_first;                    /* of a tile with cores, up to 4 GiB */
    uint64_t niu_first, niu_bytes;               /* in a tile with cores, a DRAM node or an empty one */
    uint64_t niu_high_of_empty;                  /* added to niu_first in an empty node */
    uint64_t niu_high;                           /* added to niu_first in all other nodes */
    uint64_t niu_copies_first, niu_copies_bytes; /* copies of a NIU in such a node; in an empty one below 4 GiB */
    uint64_t pcie_niu_first, pcie_niu_bytes;
    uint64_t pcie_dbi_first, pcie_dbi_bytes; /* registers of the PCIe controller */
    uint64_t core_l1_first, core_l1_bytes;   /* L1 of a DRAM tile's core; 0 bytes: it has no core */
    uint32_t core_registers;               /* bits 31:0 of its first register; from there to the NIUs all are its own */
    uint64_t arc_csm_first, arc_csm_bytes; /* memory of the management processor; TF_ARC_CSM_BYTES or 0 */
    uint64_t arc_telemetry_first, arc_telemetry_bytes; /* the start of that memory at a second place */
    uint64_t arc_apb_first, arc_apb_bytes;             /* its registers */
    uint64_t arc_dram_bytes; /* its addresses below this one lead to the same ones of DRAM channel 0; 0: none do */
    uint64_t arc_niu_first, arc_niu_stride, arc_niu_bytes;
    /* 0: as on Blackhole. Otherwise a node without cores shows only the NIU of the requesting NOC, at each multiple of
       this in niu_copies. A DRAM node also shows the NIUs of all ports of its channel, from dram_nius_first on, NOC 0
       and 1 alternately. */
    uint32_t niu_repeat_bytes;
    uint64_t dram_nius_first;
    uint32_t dram_nius_stride;
    uint8_t dram_nius_ports;                     /* of a channel */
    uint8_t dram_nius_row[TF_DRAM_CHANNELS_MAX]; /* by channel: which of its nodes, counted in rows, comes first */
};

/* The PCIe tile (noc/nodes/pcie.c). */
struct tf_pcie_arch {
    uint16_t iatu_first;             /* of the iATU's registers in BAR 2 */
    uint8_t iatu_words;              /* of an outbound region: 9, or 7 without control 3 and upper limit */
    uint64_t host_first, host_bytes; /* NOC addresses that the outbound iATU takes to the host; 0 bytes: 64 windows */
    bool inbound;                    /* software can set regions of the inbound iATU */
};

#define TF_FUSE_COLUMNS 16u

#define TF_NIU_LAYOUT_WORDS 18u
#define TF_NIU_RANGES 8u
#define TF_NIU_NO_WORD 0xFFu

/*
 * Layout of a NIU's registers, as a mapping to Blackhole's (tile/niu_words.h).
 * Words of initiators come first, then ranges. Wormhole: initiators 0x400 apart, NOC_CMD_CTRL at 0x28, NOC_NODE_ID at
 * 0x2C, coordinates above 4 bits of the address.
 */
struct tf_niu_arch {
    uint8_t initiator_stride_log2;     /* in bytes */
    uint8_t word[TF_NIU_LAYOUT_WORDS]; /* of an initiator, by offset / 4: Blackhole's word; TF_NIU_NO_WORD: none. The
                                          first TF_NIU_ALIKE have Blackhole's places */
    uint8_t address_high_bits;         /* address bits below coordinates in NOC_*_ADDR_MID; 0: those are in *_HI */
    bool writes_back;                  /* translated coordinates, and ports of the first router, to an initiator */
    uint16_t pending;                  /* register with the low bits of all NOC_CMD_CTRL; 0: none */
    uint16_t debug_first, debug_bytes; /* read-only registers that no page describes */
    struct {
        uint16_t first, bytes; /* registers outside initiators; bytes 0: the end of the list */
        uint16_t common;       /* Blackhole's offset of the first */
    } range[TF_NIU_RANGES];
};

struct tf_dram_arch {
    uint8_t channels;
    uint64_t channel_bytes;          /* a multiple of TF_DRAM_BLOCK_BYTES */
    const struct tf_tile_arch *core; /* of each DRAM tile, with `tiles` 0; NULL: there is none */
};

/* Telemetry of the management firmware for the host. */
struct tf_telemetry {
    uint16_t tag;
    uint32_t value;
};

/* A word of the older telemetry at the start of CSM: some bits of a tag's value, shifted up. Without a tag it is a
   constant. */
struct tf_older_telemetry {
    uint8_t word, tag;
    uint8_t from, bits, to;
    uint32_t value;
};

struct tf_arc_arch {
    const struct tf_telemetry *telemetry;
    uint8_t telemetry_entries;
    bool messages_in_scratch; /* by scratch registers 3 to 5, without queues */
    uint32_t post_code;       /* in scratch register 0 */
    const struct tf_older_telemetry *older;
    uint8_t older_entries;
};

/* Boards of a family, and the names that firmware gives to the remaining nodes if some are fused off. */
struct tf_fuse_arch {
    const struct tf_board *board; /* the first is that of the family's table */
    uint8_t boards;
    uint8_t columns;                    /* of Tensix tiles; 0: columns cannot be fused off */
    uint8_t column[TF_FUSE_COLUMNS];    /* raw columns, in the order of the die: for telemetry and the last names */
    uint8_t rows, row[TF_FUSE_COLUMNS]; /* the same of rows, for the answer to ARC_GET_HARVESTING */
    uint8_t eth_tiles, eth_off_min;     /* Ethernet tiles of the die; the rest has names if eth_off_min are off. 0: no
                                        Ethernet tile and no DRAM bank can be fused off */
    uint8_t unnamed_column;             /* an empty node: the target of names without a tile */
    uint8_t cpus;
    bool place_in_ids;       /* the unique id of a chip is its board's identifier with its place on the board */
    const char *galaxy_type; /* as tt-umd calls the board of a Galaxy */
};

struct tf_arch {
    const char *name;        /* as on the command line */
    const char *title;       /* as in reports */
    const char *driver_name; /* as in tt-umd's descriptions; NULL: the name */
    uint8_t grid_x, grid_y;
    uint16_t pcie_node; /* number of the PCIe node of the host; TF_NO_NODE: none */
    struct tf_tile_arch tile[TF_TILE_KINDS];
    struct tf_dram_arch dram;
    struct tf_coords_arch coords;
    struct tf_space_arch space;
    struct tf_noc_arch noc;
    const struct tf_niu_arch *niu; /* NULL: Blackhole's */
    struct tf_pcie_arch pcie;
    struct tf_arc_arch arc;
    struct tf_board board;           /* of this table: its name, and the nodes that telemetry reports as fused off */
    const struct tf_fuse_arch *fuse; /* NULL: there is one board, and nothing can be fused off */
    const char *soc_features;        /* of tt-umd's description of a chip, as YAML; NULL: none */
    uint16_t clock_mhz;              /* of the tiles */
    uint16_t eth_gbps;               /* of each direction of a link (EthernetTile/README.md) */
    uint32_t eth_info;               /* L1 address, in an Ethernet tile, of the chip's description; 0: none */
    uint8_t off[TF_NODES_MAX];       /* enum tf_node_kind of a node that is fused off, and so empty; 0: none */
    struct tf_place place[TF_NODES_MAX]; /* at y * grid_x + x, raw NOC 0 coordinates */
};

/* The families by name and title; the first is the default one. Tables, lists and help texts are made from it. */
/* clang-format off */
#define TF_FAMILIES(FIRST, MORE) FIRST(blackhole, "Blackhole") MORE(wormhole, "Wormhole")
/* clang-format on */

#define TF_FAMILY_TABLE(name, title) extern const struct tf_arch tf_arch_##name;
TF_FAMILIES(TF_FAMILY_TABLE, TF_FAMILY_TABLE)
#undef TF_FAMILY_TABLE

/* The family itself; the default one for NULL. */
const struct tf_arch *tf_arch_or_default(const struct tf_arch *arch);

static inline unsigned tf_arch_nodes(const struct tf_arch *arch)
{
    return (unsigned)arch->grid_x * arch->grid_y;
}

/* The number of the node at a coordinate. */
static inline uint16_t tf_node_number(const struct tf_arch *arch, struct tf_coord coord)
{
    return (uint16_t)(coord.y * arch->grid_x + coord.x);
}

/* The number of the port at an Ethernet tile: fused-off tiles do not count, so it may be less than that of the tile. */
unsigned tf_arch_port(const struct tf_arch *arch, struct tf_coord node);

/* Where the code at pc lies in the memory of L1 and instruction RAM. Beyond both: it cannot be fetched. */
static inline uint32_t tf_code_place(const struct tf_tile_arch *arch, uint32_t pc)
{
    if (pc < arch->l1_bytes)
        return pc;
    return pc - TF_IRAM_BASE < arch->iram_bytes ? arch->l1_bytes + (pc - TF_IRAM_BASE) : UINT32_MAX;
}

/* The address of the code at a place. */
static inline uint32_t tf_code_address(const struct tf_tile_arch *arch, uint32_t place)
{
    return place < arch->l1_bytes ? place : TF_IRAM_BASE + (place - arch->l1_bytes);
}

static inline uint32_t tf_code_bytes(const struct tf_tile_arch *arch)
{
    return arch->l1_bytes + arch->iram_bytes;
}

/* Tiles with cores, of all kinds. */
static inline unsigned tf_arch_tiles(const struct tf_arch *arch)
{
    unsigned tiles = 0;
    for (unsigned kind = 0; kind < TF_TILE_KINDS; kind++)
        tiles += arch->tile[kind].tiles;
    return tiles;
}

/* The extensions of RV32 that any core of a chip has, as bits. Cores share decoded code, which may hold instructions of
   all these extensions. */
unsigned tf_arch_extensions(const struct tf_arch *arch);

/* Returns NULL, or a sentence that describes an error in a table. Used for tables from outside the library. */
const char *tf_arch_why_bad(const struct tf_arch *arch);

#endif
