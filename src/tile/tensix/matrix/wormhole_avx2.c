/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of Wormhole's matrix unit for hosts with AVX2. */
#if defined(__x86_64__)
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,fma,bmi,bmi2,lzcnt"))), apply_to = function)
#else
#pragma GCC target("avx2,fma,bmi,bmi2,lzcnt")
#endif
#define TF_HOST_WIDTH 8
#define TF_FPU_WORMHOLE
#define TF_FPU_SET tf_fpu_wormhole_avx2
#define TF_FPU_NAME "AVX2"
#include "tile/tensix/matrix/kernels.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int tf_fpu_wormhole_avx2_is_not_for_this_host;
#endif
