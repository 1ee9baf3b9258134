/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of the packer for hosts with AVX2. */
#if defined(__x86_64__)
#include <immintrin.h>
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#include <stdint.h>

typedef uint32_t eight_words __attribute__((vector_size(32)));

static inline uint32_t largest_of_eight(eight_words x)
{
    __m256i eight = (__m256i)x;
    __m128i most = _mm_max_epu32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
    most = _mm_max_epu32(most, _mm_shuffle_epi32(most, 0x4E));
    most = _mm_max_epu32(most, _mm_shuffle_epi32(most, 0xB1));
    return (uint32_t)_mm_cvtsi128_si32(most);
}

#define TF_PACK_HAS_AVX2
#define TF_PACK_LANES 8
#define TF_PACK_LARGEST(x) largest_of_eight(x)
#define TF_PACK_SET tf_pack_avx2
#define TF_PACK_NAME "AVX2"
#include "tile/tensix/pack/kernels.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
typedef int tf_pack_avx2_is_not_for_this_host;
#endif
