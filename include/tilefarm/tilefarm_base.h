/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm_base.h
 * What all public headers name: errors, families and their sizes, cores and places of a chip. tilefarm.h includes it.
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

/** The cause of an error: one line, without a newline. */
struct tf_message {
    char text[256];
};

#ifdef __cplusplus
}
#endif
#endif
