/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm_numbers.h
 * Numbers in the formats of the coprocessor, as they lie in L1 and DRAM (WormholeB0/TensixTile/TensixCoprocessor/
 * FloatBitPatterns.md and Unpackers/FormatConversion.md of the public ISA documentation).
 *
 * fp32, tf32 and bf16 have infinities and NaNs, as IEEE 754 and the vector unit read them; the matrix unit takes them
 * for finite numbers. tf32 takes 32 bits: the lowest 13 are zero. fp16, fp8 (e5m2) and fp8_e4m3 have neither: numbers
 * too large become the largest number. Numbers too small to be normal become 0. int8 and int32 are a sign and a
 * magnitude. In bfp8, bfp4 and bfp2 sixteen numbers share an exponent; those of a tile of 1024 numbers come first, 64
 * bytes.
 *
 * The numbers of a tile of 32 by 32 are in memory order here. That is four faces of 16 by 16, each row by row: upper
 * left, upper right, lower left, lower right.
 *
 * Any thread may call these functions.
 */
#ifndef TILEFARM_NUMBERS_H
#define TILEFARM_NUMBERS_H

#include "tilefarm/tilefarm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Name of the format at `index`, from 0 on: "fp32". NULL: there are no more. */
TF_API const char *tf_format_name(unsigned index);

/**
 * Find a format by its name.
 * @return its number, as fields of the configuration take it; 26 for fp8_e4m3, which is 10 and a mode bit. TF_EINVAL:
 *         there is no such format.
 */
TF_API int tf_format_find(const char *name);

/** Bytes that `count` numbers take. 0: no such format, or not whole tiles in a format of shared exponents. */
TF_API size_t tf_format_bytes(int format, size_t count);

/**
 * Convert numbers to a format, rounded to the nearest, ties to even.
 * @param count  a multiple of 1024 for bfp8, bfp4 and bfp2.
 * @param[out] bytes  room for tf_format_bytes().
 * @return TF_OK; TF_EINVAL (format, count); TF_ERANGE: a number that the format lacks, such as a NaN or a large
 *         integer; what `bytes` holds is then not specified.
 */
TF_API int tf_numbers_encode(int format, const double *numbers, size_t count, void *bytes);

/** Convert numbers of a format to doubles, exactly. The rules of tf_numbers_encode(). @return TF_OK, TF_EINVAL. */
TF_API int tf_numbers_decode(int format, const void *bytes, size_t count, double *numbers);

#ifdef __cplusplus
}
#endif
#endif
