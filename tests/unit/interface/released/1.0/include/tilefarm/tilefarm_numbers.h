/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm_numbers.h
 * Numbers in the formats of the coprocessor, as they lie in L1 and DRAM. Sources: FloatBitPatterns.md and
 * Unpackers/FormatConversion.md of the public ISA documentation (WormholeB0/TensixTile/TensixCoprocessor).
 *
 * fp32, tf32 and bf16 have infinities and NaNs, as in IEEE 754 and in the vector unit; the matrix unit reads these as
 * finite numbers. A tf32 number has 32 bits, and its lowest 13 are zero. fp16, fp8 (e5m2) and fp8_e4m3 have neither
 * infinities nor NaNs: a number too large becomes the largest one. A number too small to be normal becomes 0. int8 and
 * int32 are a sign and a magnitude. In bfp8, bfp4 and bfp2, sixteen numbers share an exponent. A tile of 1024 numbers
 * begins with its 64 exponents, of one byte each.
 *
 * The numbers of a tile of 32 by 32 are in memory order: four faces of 16 by 16, each row by row. The order of the
 * faces is upper left, upper right, lower left, lower right.
 *
 * Any thread may call these functions.
 */
#ifndef TILEFARM_NUMBERS_H
#define TILEFARM_NUMBERS_H

#include "tilefarm/tilefarm_chip.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Name of the format at `index`, from 0 on: "fp32". NULL: there are no more. */
TF_API const char *tf_format_name(unsigned index);

/**
 * Find a format by its name.
 * @return its number in configuration fields (fp8_e4m3: 26, which stands for 10 and a mode bit). TF_EINVAL: there is no
 *         such format.
 */
TF_API int tf_format_find(const char *name);

/** The size in bytes of `count` numbers. 0: there is no such format, or `count` is not a multiple of 1024 in a format
 *  with shared exponents. */
TF_API size_t tf_format_bytes(int format, size_t count);

/**
 * Convert numbers to a format, rounded to the nearest, ties to even.
 * @param count  a multiple of 1024 for bfp8, bfp4 and bfp2.
 * @param[out] bytes  room for tf_format_bytes().
 * @return TF_OK; TF_EINVAL (format, count); TF_ERANGE: the format lacks one of the numbers, such as a NaN or a large
 *         integer, and the content of `bytes` is undefined.
 */
TF_API int tf_numbers_encode(int format, const double *numbers, size_t count, void *bytes);

/** Convert numbers of a format to doubles, exactly. The rules of tf_numbers_encode() apply.
 *  @return TF_OK, TF_EINVAL. */
TF_API int tf_numbers_decode(int format, const void *bytes, size_t count, double *numbers);

#ifdef __cplusplus
}
#endif
#endif
