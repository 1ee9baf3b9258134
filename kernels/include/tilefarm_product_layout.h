/* SPDX-License-Identifier: Apache-2.0 */
/*
 * eth-matmul: a product of matrices whose depth is spread over the chips of a ring. The first Tensix tile of a chip has
 * that chip's part of A and B in L1. The result is a row of as many tiles as there are chips, and each chip gets it
 * all. kernels/eth_matmul.c and the host share this file.
 */
#ifndef TILEFARM_PRODUCT_LAYOUT_H
#define TILEFARM_PRODUCT_LAYOUT_H

#include "tilefarm_layout.h"
#include "tilefarm_link_layout.h"

#define TF_P_MAGIC 0x7F504431u

#define TF_P_CORES 5u        /* of a Tensix tile */
#define TF_P_DEPTH 4u        /* tiles of a chip: columns of A, rows of B */
#define TF_P_BYTES 2048u     /* of a tile in bf16 */
#define TF_P_SPACING 16u     /* one in so many numbers of a column of B is not 0, so each sum is a number of bf16 */
#define TF_P_JOB TF_K_SHARED /* struct tf_product_job */
#define TF_P_READY (TF_K_SHARED + 0x400u)
#define TF_P_PAGES 0x40000u /* circular buffers */
#define TF_P_INBOX(i) (TF_L_BUFFER + (i)*TF_P_BYTES)
#define TF_P_RESULT(tile) (0xA0000u + (tile)*TF_P_BYTES)
/* A of even rounds, A of odd rounds, and the matrix that changes no other one. */
#define TF_P_A(round, k) (0xB0000u + ((round) % 2u * TF_P_DEPTH + (k)) * TF_P_BYTES)
#define TF_P_IDENTITY (0xB0000u + 2u * TF_P_DEPTH * TF_P_BYTES)
#define TF_P_B(tile, k) (0xC0000u + ((tile)*TF_P_DEPTH + (k)) * TF_P_BYTES)

#ifndef __ASSEMBLER__
#include <stdint.h>

struct tf_product_job {
    uint32_t magic;
    uint32_t chips, me; /* place in the ring */
    uint32_t rounds;
    uint32_t in_xy, out_xy; /* ports that receive and send: raw coordinates on NOC 0, as x | y << 6 */
};
#endif

#endif
