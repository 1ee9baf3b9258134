/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of the packer for hosts with AVX-512 F, BW, DQ and VL. */
#if defined(__x86_64__)
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl")
#endif
#define TF_PACK_HAS_AVX2 /* a row of 16-bit data has 32 bytes */
#define TF_PACK_HAS_AVX512
#define TF_PACK_LANES 16
#define TF_PACK_LARGEST(x) _mm512_reduce_max_epu32((__m512i)(x))
#define TF_PACK_SET tf_pack_avx512
#define TF_PACK_NAME "AVX-512"
#include "tile/tensix/pack/kernels.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int tf_pack_avx512_is_not_for_this_host;
#endif
