/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which vector instructions the host has, as levels. A level names one set of features for all kernels:
 *   TF_VECTORS_PORTABLE  what the compiler makes for every host
 *   TF_VECTORS_AVX2      AVX2, FMA, BMI2
 *   TF_VECTORS_AVX512    those, and AVX-512 F, BW, CD, DQ and VL
 * Kernels of all levels give the same bits. Every function may be called on any thread.
 */
#ifndef HOST_VECTORS_H
#define HOST_VECTORS_H

#include <stdbool.h>
#include <stddef.h>

#include "tilefarm/tilefarm_base.h"

#define TF_VECTOR_LEVELS ((unsigned)TF_VECTORS_AVX512 + 1) /* TF_VECTORS_BEST among them */

/* Returns true if the host has the level. Always true of TF_VECTORS_BEST and TF_VECTORS_PORTABLE; false of a number
   that enum tf_vectors lacks. */
bool tf_vectors_exist(enum tf_vectors level);

/* The level, with TF_VECTORS_BEST replaced by the widest. TF_VECTORS_BEST: the host lacks the level. */
enum tf_vectors tf_vectors_resolve(enum tf_vectors level);

/* "auto", "portable", "avx2" or "avx512". False, and *level is left alone, if the text is none of them. */
bool tf_vectors_parse(const char *text, enum tf_vectors *level);
const char *tf_vectors_name(enum tf_vectors level);

/* Returns true if the host has the features of TF_VECTORS_AVX2, for single functions that test as they are called. */
static inline bool tf_vectors_have_avx2(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

/* One element for each level, for tables of kernels: {NULL, portable, avx2, avx512}. */
#if defined(__x86_64__)
/* clang-format off */
#define TF_VECTORS_TABLE(prefix) {NULL, &prefix##_portable, &prefix##_avx2, &prefix##_avx512}
#else
#define TF_VECTORS_TABLE(prefix) {NULL, &prefix##_portable, NULL, NULL}
/* clang-format on */
#endif

#endif
