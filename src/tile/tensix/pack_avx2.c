/* SPDX-License-Identifier: Apache-2.0 */
/* Rows through the packer for hosts with AVX2. */
#if defined(__x86_64__)
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#define TF_PACK_HAS_AVX2
#define TF_PACK_SET tf_pack_avx2
#define TF_PACK_NAME "AVX2"
#include "tile/tensix/pack_kernels.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int tf_pack_avx2_is_not_for_this_host;
#endif
