/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of Wormhole's vector unit for hosts with AVX-512 F, BW, CD, DQ and VL. */
#if defined(__x86_64__)
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi,bmi2,lzcnt"))), \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512cd,avx512dq,avx512vl,bmi,bmi2,lzcnt")
#endif
#define TF_HOST_WIDTH 16
#define TF_SFPU_WORMHOLE
#define TF_SFPU_SET tf_sfpu_wormhole_avx512
#define TF_SFPU_NAME "AVX-512"
#include "tile/tensix/vector/kernels.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int tf_sfpu_wormhole_avx512_is_not_for_this_host;
#endif
