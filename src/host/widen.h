/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vectors of 16-bit data as vectors of 32-bit lanes, for kernels of `width` lanes. gcc's __builtin_convertvector takes
 * four instructions of AVX2 for what one does (rows `unpack-*`, `unpack-add-pack`). Wider hosts: include <immintrin.h>.
 */
#ifndef HOST_WIDEN_H
#define HOST_WIDEN_H

/* Zero-extended, as vector type `to`. `width` is 4, 8 or 16, or a macro for it. */
#define TF_WIDEN_U16(width, half, to) TF_WIDEN_U16_OF(width, half, to)
#define TF_WIDEN_U16_OF(width, half, to) TF_WIDEN_U16_##width(half, to)
#define TF_WIDEN_U16_4(half, to) __builtin_convertvector(half, to)
#define TF_WIDEN_U16_8(half, to) ((to)_mm256_cvtepu16_epi32((__m128i)(half)))
#define TF_WIDEN_U16_16(half, to) ((to)_mm512_cvtepu16_epi32((__m256i)(half)))

/* Sign-extended. */
#define TF_WIDEN_I16(width, half, to) TF_WIDEN_I16_OF(width, half, to)
#define TF_WIDEN_I16_OF(width, half, to) TF_WIDEN_I16_##width(half, to)
#define TF_WIDEN_I16_4(half, to) __builtin_convertvector(half, to)
#define TF_WIDEN_I16_8(half, to) ((to)_mm256_cvtepi16_epi32((__m128i)(half)))
#define TF_WIDEN_I16_16(half, to) ((to)_mm512_cvtepi16_epi32((__m256i)(half)))

#endif
