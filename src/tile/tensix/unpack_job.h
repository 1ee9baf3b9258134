/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The work of an UNPACR, after configuration and address counters have been read. Source: WormholeB0 TensixCoprocessor
 * UNPACR_Regular.md, from "Start by reading some configuration" to "Check that various settings are compatible".
 */
#ifndef TILE_TENSIX_UNPACK_JOB_H
#define TILE_TENSIX_UNPACK_JOB_H

#include <stdbool.h>
#include <stdint.h>

#define TF_UNPACK_ALL UINT32_MAX

struct tf_unpack_job {
    uint8_t side; /* TF_SRC_A for unpacker 0, TF_SRC_B for unpacker 1 */
    uint8_t thread;
    uint8_t context, adc; /* WhichContext, WhichADC */
    uint8_t in_format, out_format;
    uint8_t kind;     /* enum tf_unpack_kind */
    uint8_t bits;     /* of a datum in L1 */
    uint8_t row_data; /* adjacent data of a row in L1, 16 or 32 */
    bool bfp, forced; /* shared exponents; forced: one for all, in `exponent` */
    uint8_t exponent;
    bool compressed;
    bool discontiguous;       /* Tileize_mode: row_stride is configured */
    bool zero;                /* AllDatumsAreZero */
    bool to_dst, wide;        /* into Dst, and 32 bits of it */
    bool transpose, absolute; /* Haloize_mode; SRCA_SET_SetOvrdWithAddr */
    bool rows_end;            /* rows beyond SrcA's last are undefined */
    bool interleave;
    uint8_t upsample; /* zeroes or gaps after each datum */
    uint8_t col_shift;
    uint8_t first_row;       /* SrcRow: the unpacker's row in its bank */
    uint64_t datum_bits;     /* address of the next datum, in bits */
    uint64_t exponent_16ths; /* of its exponent, in sixteenths of a byte */
    uint64_t delta_nibbles;  /* of its run of zeroes, in half bytes */
    uint64_t limit_bytes, fifo_bytes;
    uint32_t row_stride; /* bytes */
    uint32_t count;      /* data to read, or TF_UNPACK_ALL */
    uint32_t drop, left; /* data to skip, then to write: only if compressed, else 0 and TF_UNPACK_ALL */
    uint32_t out;        /* OutAddr, in data */
};

/* An address after the end of the FIFO in L1 that the job reads wraps to its begin. per_byte: units of the address in a
   byte. */
static inline uint64_t tf_unpack_wrap(const struct tf_unpack_job *job, uint64_t address, unsigned per_byte)
{
    return address > job->limit_bytes * per_byte ? address - job->fifo_bytes * per_byte : address;
}

#endif
