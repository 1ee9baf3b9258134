/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of the unpackers for hosts with AVX-512 F, BW, CD, DQ and VL. */
#if defined(__x86_64__)
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi,bmi2,lzcnt"))), \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi,bmi2,lzcnt")
#endif
#define TF_UNPACK_WIDTH 16
#define TF_UNPACK_BYTES(from) _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)(from)))
#define TF_UNPACK_SET tf_unpack_avx512
#define TF_UNPACK_NAME "AVX-512"
#include "tile/tensix/unpack/kernels.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int tf_unpack_avx512_is_not_for_this_host;
#endif
