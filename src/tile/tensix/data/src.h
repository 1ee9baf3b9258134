/* SPDX-License-Identifier: Apache-2.0 */
/* SrcA and SrcB: their data, and how their banks change hands (TensixCoprocessor/SrcASrcB.md). */
#ifndef TILE_TENSIX_DATA_SRC_H
#define TILE_TENSIX_DATA_SRC_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/data/srcbanks.h"

#define TF_SRC_ROWS 64u
#define TF_SRC_COLUMNS 16u

struct tf_tile;
struct tf_tensix;

struct tf_src {
    uint32_t datum[2][2][TF_SRC_ROWS][TF_SRC_COLUMNS]; /* [SrcA, SrcB][bank]; 19 bits each */
    uint8_t unpack_row[2][3]; /* where unpacker 0 and 1 begin, by thread: 0, 16, 32 or 48 */
};

/* The rows of a bank, for who writes to them: what was made of them before holds no longer. */
uint32_t (*tf_src_write(struct tf_tensix *tensix, unsigned side, unsigned bank))[TF_SRC_COLUMNS];

/* The unpackers' bank of one side goes to the matrix unit, and they to the other bank (SETDVALID.md). */
void tf_src_give(struct tf_tile *tile, unsigned thread, unsigned side);

/* The matrix unit's bank of one side goes back to the unpackers, the matrix unit to the other bank; or one of these. */
void tf_src_release(struct tf_tile *tile, unsigned side, bool hand_back, bool flip);

/* STOREIND's third form (STOREIND_Src.md): must it wait for the bank? No side effects. */
bool tf_src_store_waits(const struct tf_tile *tile, uint32_t word);

/* STOREIND's third form: two GPRs, to the address that it forms, 20 bits. */
void tf_src_store(struct tf_tile *tile, unsigned thread, uint32_t word, uint32_t address, const uint32_t data[2]);

/* A bit for each column whose data are held in reset: what is written there is lost. */
uint32_t tf_src_columns_held(const struct tf_tensix *tensix, unsigned side);

/* Bits of SOFT_RESET_0 have become set: what they do to SrcA and SrcB (SoftReset.md). */
void tf_src_reset(struct tf_tile *tile, uint32_t entering);

void tf_exec_SETDVALID(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_CLEARDVALID(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_GATESRCRST(struct tf_tile *tile, unsigned thread, uint32_t word);

#endif
