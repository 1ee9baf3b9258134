/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm_base.h
 * What all public headers name: errors, families, boards, modes, cores and places of a chip. tilefarm.h includes it.
 */
#ifndef TILEFARM_BASE_H
#define TILEFARM_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TF_API __attribute__((visibility("default")))
#else
#define TF_API
#endif

#define TF_TILE_CORES 5u          /**< Number of enum tf_core; a tile may have fewer cores. */
#define TF_TENSIX_TILES_MAX 140u  /**< Of any family: sizes arrays. */
#define TF_L1_BYTES_MAX 0x180000u /**< Of any tile of any family. */

#define TF_WORKERS_MAX 256u /**< Worker threads of a chip. */

/** Error codes; tf_strerror() gives a sentence for each. */
enum tf_error {
    TF_OK = 0,
    TF_EINVAL = -1,  /**< An argument is outside its stated range. */
    TF_ENOMEM = -2,  /**< The host has too little memory or address space. */
    TF_EIO = -3,     /**< A file could not be read or written. */
    TF_EFORMAT = -4, /**< A file has the wrong format, or is damaged. */
    TF_ERANGE = -5,  /**< An address range runs past the end of its memory, or an index past its list. */
    TF_ENODEV = -6,  /**< There is no such tile, core or channel. */
    TF_EACCESS = -7, /**< The chip refuses the access (alignment, size, an unmapped register). */
    TF_ESYS = -8,    /**< The host refused a thread or another resource. */
};

/** The RISC-V cores of a Tensix tile, in the order in which they take turns. */
enum tf_core {
    TF_CORE_B = 0,  /**< Data movement 0 ("BRISC"). */
    TF_CORE_NC = 1, /**< Data movement 1 ("NCRISC"). */
    TF_CORE_T0 = 2, /**< Unpack ("TRISC0"). */
    TF_CORE_T1 = 3, /**< Math ("TRISC1"). */
    TF_CORE_T2 = 4, /**< Pack ("TRISC2"). */
};

/** A node of the NOC, in raw NOC 0 coordinates. */
struct tf_coord {
    uint8_t x; /**< Below tf_shape.grid_x. */
    uint8_t y; /**< Below tf_shape.grid_y. */
};

/** A chip family. */
struct tf_arch;

/** The sizes of a family's chips. */
struct tf_shape {
    const char *name;        /**< As tf_arch_find() takes it: "blackhole". */
    const char *title;       /**< As reports write it: "Blackhole". */
    unsigned grid_x, grid_y; /**< Nodes of the NOC. */
    unsigned tensix_tiles;   /**< At most TF_TENSIX_TILES_MAX. */
    unsigned eth_tiles;
    unsigned cores;    /**< RISC-V cores of a Tensix tile, at most TF_TILE_CORES. */
    uint32_t l1_bytes; /**< L1 of a Tensix tile, at most TF_L1_BYTES_MAX. */
    unsigned dram_channels;
    uint64_t dram_channel_bytes;
    unsigned clock_mhz;   /**< Of the tiles. */
    uint64_t reserved[4]; /**< 0: room for later versions. */
};

/** The kind of a node (BlackholeA0/NoC/README.md; NOC_ENDPOINT_ID in MemoryMap.md). */
enum tf_node_kind {
    TF_NODE_EMPTY,
    TF_NODE_TENSIX,
    TF_NODE_ETH,
    TF_NODE_DRAM,
    TF_NODE_PCIE,
    TF_NODE_ARC,
    TF_NODE_L2CPU,
    TF_NODE_SECURITY,
};

/** How time and order work; see docs/running.md, "Modes". */
enum tf_mode {
    TF_MODE_DETERMINISTIC, /**< The outcome does not depend on the number of threads. */
    TF_MODE_RELAXED,       /**< Workers do not wait for each other; the order of requests depends on the host. */
};

/** The document that defines NOC atomics where two documents differ. */
enum tf_atomics {
    TF_ATOMICS_ISA,      /**< The public ISA documentation. */
    TF_ATOMICS_EMU_SPEC, /**< The Blackhole emulator specification. */
};

/** The vector instructions of the host that simulate coprocessors. Results do not depend on them. */
enum tf_vectors {
    TF_VECTORS_BEST,     /**< The widest that the host has. */
    TF_VECTORS_PORTABLE, /**< None beyond the baseline of the compiler: for every host. */
    TF_VECTORS_AVX2,
    TF_VECTORS_AVX512,
};

/**
 * The board of a chip, and the parts of the chip that are fused off, as bits. A node that is fused off has its NIUs and
 * nothing else. Telemetry, the translation tables of the NIUs, and tf_chip_arch() follow the board.
 */
struct tf_board {
    char name[12];        /**< From tf_board_name(): "p100a". All fields empty or 0: the family's first board. */
    uint32_t product;     /**< Bits 55:36 of the board's identifier. */
    uint32_t columns_off; /**< Columns of Tensix tiles, by raw NOC 0 x. */
    uint32_t rows_off;    /**< Rows of Tensix tiles, by raw NOC 0 y. */
    uint32_t banks_off;   /**< DRAM channels; at most one. */
    uint32_t eth_off;     /**< Ethernet tiles, by number. */
    uint32_t cpus_off;    /**< L2CPU tiles, by number. */
};

/** The cause of an error: one line, without a newline. */
struct tf_message {
    char text[256];
};

#ifdef __cplusplus
}
#endif
#endif
