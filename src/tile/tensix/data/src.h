/* SPDX-License-Identifier: Apache-2.0 */
/* SrcA and SrcB: their data, and how banks pass between unpackers and matrix unit (TensixCoprocessor/SrcASrcB.md). */
#ifndef TILE_TENSIX_DATA_SRC_H
#define TILE_TENSIX_DATA_SRC_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/config/state.h"
#include "tile/tensix/data/report.h"
#include "tile/tensix/srcbanks.h"

#define TF_SRC_ROWS 64u
#define TF_SRC_COLUMNS 16u

struct tf_tile;
struct tf_tensix;

struct tf_src {
    uint32_t datum[2][2][TF_SRC_ROWS][TF_SRC_COLUMNS]; /* [SrcA, SrcB][bank]; 19 bits each */
    uint8_t unpack_row[2][3];                          /* where unpacker 0 and 1 begin, by thread: 0, 16, 32 or 48 */
};

/*
 * The rows of a bank, for an instruction of `thread` that writes `count` rows from `first` on. A caller that reports
 * its rows to the race checker itself passes a count of 0. Operands that the matrix unit derived from the bank become
 * invalid.
 */
uint32_t (*tf_src_write(struct tf_tile *tile, unsigned thread, unsigned side, unsigned bank, unsigned first,
                        unsigned count))[TF_SRC_COLUMNS];

/* Report an access to rows of a bank to a race checker. */
static inline void tf_src_report(const struct tf_tile *tile, unsigned thread, unsigned side, unsigned bank,
                                 unsigned row, unsigned count, enum tf_check_use use)
{
    tf_report_rows(tile, thread, TF_CHECK_SRCA + side, bank * TF_SRC_ROWS + row, count, use);
}

/* The row at which an unpacker begins in a bank (SRCA_SET_Base, SRCB_SET_Base). */
static inline unsigned tf_src_base(const struct tf_backend_config *config, unsigned thread, unsigned side)
{
    return (side == TF_SRC_A ? TF_THREAD_CFG(config, thread, SRCA_SET_Base)
                             : TF_THREAD_CFG(config, thread, SRCB_SET_Base))
           << 4;
}

/* Gives the unpackers' bank of a side to the matrix unit; the unpackers move on to the other bank (SETDVALID.md). */
void tf_src_give(struct tf_tile *tile, unsigned thread, unsigned side);

/*
 * Releases the matrix unit's bank of a side, for an instruction of `thread`. hand_back: the bank goes back to the
 * unpackers. It is a hazard if they own it already. flip: the matrix unit moves on to the other bank. While the side's
 * client is held in reset, nothing happens.
 */
void tf_src_release(struct tf_tile *tile, unsigned thread, unsigned side, bool hand_back, bool flip);

/* Returns true if STOREIND's third form (STOREIND_Src.md) must wait for the bank. No side effects. */
bool tf_src_store_waits(const struct tf_tile *tile, uint32_t word);

/* Executes STOREIND's third form: stores two GPRs to an address of 20 bits. */
void tf_src_store(struct tf_tile *tile, unsigned thread, uint32_t word, uint32_t address, const uint32_t data[2]);

/* A mask of the columns that are held in reset: writes to them are lost. */
uint32_t tf_src_columns_held(const struct tf_tensix *tensix, unsigned side);

/* Resets SrcA and SrcB as the bits of SOFT_RESET_0 that have become set demand (SoftReset.md). */
void tf_src_reset(struct tf_tile *tile, uint32_t entering);

#endif
