/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A rig for the coprocessor's units on a peer: a program of T0. It brings data from L1 to Dst, SrcA and SrcB by the
 * unpackers, and executes the instructions of a case. Then it brings 64 rows of Dst back to L1 by the packer, bit for
 * bit.
 */
#ifndef TESTS_RECORD_UNIT_RIG_H
#define TESTS_RECORD_UNIT_RIG_H

#include "record/peer.h"

#define RIG_ROWS 64u
#define RIG_COLUMNS 16u
#define RIG_WORDS (RIG_ROWS * RIG_COLUMNS)
#define RIG_DST_DATA 0x100000u /* in L1: what Dst holds at the beginning, 32 bits each */
#define RIG_A_DATA 0x110000u   /* what SrcA and SrcB are unpacked from */
#define RIG_B_DATA 0x120000u
#define RIG_RESULT 0x130000u

#define RIG_FIELD(name, value) ((uint32_t)(value) << TT_CFG_##name##_SHIFT & TT_CFG_##name##_MASK)

enum rig_format { RIG_FP32 = 0, RIG_FP16 = 1, RIG_TF32 = 4, RIG_BF16 = 5, RIG_INT32 = 8, RIG_INT8 = 14 };

/* Push an instruction, and wait until the coprocessor has executed it. */
void rig_push(struct peer_code *code, uint32_t word);
/* Write a word of the first bank of the configuration. */
void rig_config(struct peer_code *code, unsigned word, uint32_t value);
/* The initial state of all cases. Rows 0 to 63 of Dst, as words, are the data at RIG_DST_DATA. */
void rig_begin(struct peer_code *code);
/* Unpack 1,024 numbers at RIG_A_DATA (0) or RIG_B_DATA (1), of one format in L1 and of another there, and hand over. */
void rig_unpack(struct peer_code *code, unsigned unpacker, enum rig_format from, enum rig_format to);
/* Formats of the matrix unit, whether Dst has 32 bits, and other fields of those two words. */
void rig_math(struct peer_code *code, enum rig_format src, bool wide, uint32_t other);
/* Rows of Dst to RIG_RESULT, four by each PACR. */
struct rig_packer {
    bool wide; /* Dst is read as words */
    uint8_t from, to, relu;
    uint16_t threshold;
    unsigned first_row, rows;
};
void rig_pack(struct peer_code *code, const struct rig_packer *packer);
/* All 64 rows to RIG_RESULT, as words. */
void rig_end(struct peer_code *code);

#endif
