/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The packer. Sources: PACR.md of BlackholeA0, and Packers/ of WormholeB0 for the stages after the read interfaces.
 * Blackhole has one packer with four read interfaces of Dst where Wormhole has four packers. The results that Wormhole
 * keeps for each packer (packers.h) are kept for each interface.
 */
#ifndef TILE_TENSIX_PACK_STATE_H
#define TILE_TENSIX_PACK_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/config/state.h"
#include "tile/tensix/pack/format.h"

struct tf_pack_kernels;

#define TF_PACKERS 4u
#define TF_PACK_INTERFACES 4u
#define TF_PACK_LINE_BYTES 16u

/* A stream to L1 (OutputAddressGenerator.md). It writes whole lines; bytes that do not fill a line wait. */
struct tf_pack_stream {
    bool placed;                       /* not NeedsNewAddress */
    uint8_t used;                      /* bytes that wait */
    uint32_t address;                  /* address of the next line */
    uint8_t bytes[TF_PACK_LINE_BYTES]; /* the waiting bytes, then zeros */
};

/* Zero compression (Compression.md). */
struct tf_pack_rows {
    bool open;                            /* a row is under way: the last PACR had Concat */
    bool held;                            /* a datum is held while the zeros after it are counted */
    bool absorbed;                        /* the last datum of the row is one of those zeros */
    bool all_zero;                        /* data of the row so far */
    uint8_t zeros;                        /* zeros after the held datum */
    uint8_t grouped;                      /* data of the group of 32 under way */
    uint32_t datum;                       /* the held datum, after the late conversion */
    uint16_t augmented;                   /* data of the tile so far */
    uint16_t rows;                        /* of the tile so far */
    uint8_t counters[TF_PACK_LINE_BYTES]; /* of the group */
};

/* The words of configuration that decide a datum's conversion, and the conversion decoded from them; not part of the
   state. */
struct tf_pack_plan {
    bool valid;
    const uint32_t *word; /* of configuration: a bank, or a view of it */
    uint64_t writes;      /* tf_backend_config.writes when the words were last compared */
    uint32_t alu[TF_CFG_SPAN(ALU_FORMAT_SPEC_REG_SrcA_val, STACC_RELU_ApplyRelu)];
    uint32_t descale, descale_value; /* INT_DESCALE, INT_DESCALE_VALUES_SEC0 */
    uint32_t reading[TF_CFG_SPAN(PCK_DEST_RD_CTRL_Read_32b_data, TILE_FACE_SET_MAPPING_3_face_set_mapping_0)];
    uint32_t packer[TF_CFG_SPAN(THCON_SEC0_REG1_Out_data_format, THCON_SEC0_REG1_Downsample_mask)];
    struct tf_pack_format format[2]; /* for data from Dst, and from L1 or nowhere */
    const char *why[2];              /* NULL, or why there is no such format */
    bool left_open[2];               /* `why` is a gap of the pages, not misuse */
    bool all_columns;                /* edge masks keep all columns */
    uint8_t kernel;                  /* enum tf_pack_kernel */
    bool early_stochastic;           /* Gasket_srnd_en, and data from Dst are rounded */
    bool late_stochastic;            /* Packer_srnd_en, for formats with shared exponents */
    bool whole_rows;                 /* nothing but whole rows, uncompressed, from Dst to L1 */
    uint8_t shift;                   /* of input addresses, from bytes to data */
    uint8_t accumulate;              /* enum of tile/accumulate.h, or TF_PACK_REPLACES */
    uint32_t edge_datum;             /* replaces masked data */
};

struct tf_pack {
    struct tf_pack_stream data, exponents, row_starts;
    struct tf_pack_rows rows;
    uint16_t block[TF_BFP_BLOCK]; /* data that wait for a shared exponent, then zeros */
    uint8_t blocked;              /* of them */
    uint8_t tile_x;               /* with one read interface: data of the row so far (EdgeMasking.md) */
    uint8_t tile_y, tile_z;       /* TilePosition of PACR.md, and the plane */
    uint16_t lines;               /* lines of the tile written so far */
    struct tf_pack_plan plan;
    const struct tf_pack_kernels *kernels; /* kernels of the vector level; not part of the state */
};

/* Results of a packer for instructions and cores (packers.h). */
struct tf_packer {
    uint32_t all_zero_flags;
    uint16_t acc_tile_size[3]; /* by thread */
    uint16_t last_tile_size;
    uint16_t l1_dest_offset; /* l1_dest_addr_offset */
    uint8_t last_thread;
    uint8_t max_exponent;
    uint8_t histogram[32];
};

/* LastTileSize as a thread sees it. */
static inline uint16_t tf_packer_last_tile_size(const struct tf_packer *packer, unsigned thread)
{
    return packer->last_thread == thread ? packer->last_tile_size : 0;
}

/* ResetAccTileSize of the packers in a mask. */
static inline void tf_packers_reset_sizes(struct tf_packer *packers, uint32_t mask)
{
    for (unsigned i = 0; i < TF_PACKERS; i++)
        for (unsigned thread = 0; thread < 3 && (mask >> i & 1) != 0; thread++)
            packers[i].acc_tile_size[thread] = 0;
}

#endif
