/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of the unpackers for hosts with AVX2. */
#if defined(__x86_64__)
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt"))), apply_to = function)
#else
#pragma GCC target("avx2,bmi,bmi2,lzcnt")
#endif
#define TF_UNPACK_WIDTH 8
#define TF_UNPACK_BYTES(from) _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)(from)))
#define TF_UNPACK_SET tf_unpack_avx2
#define TF_UNPACK_NAME "AVX2"
#include "tile/tensix/unpack/kernels.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int tf_unpack_avx2_is_not_for_this_host;
#endif
