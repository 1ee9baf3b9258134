/* SPDX-License-Identifier: Apache-2.0 */
#include "host/copy.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>

#include "host/vectors.h"

#define LONG_BYTES (128u * 1024u)
#define STEP_BYTES 64u
#define LANE_BYTES 16u
#define EVEN_BYTES 8192u /* up to this length, vectors are faster, even if both sides are aligned equally */

/* Copy the bytes up to the next multiple of a lane, so that the rest can be stored in whole lanes. */
static size_t begin(uint8_t *to, const uint8_t *from)
{
    size_t head = -(uintptr_t)to % LANE_BYTES;
    memcpy(to, from, head);
    return head;
}

void tf_copy_in(void *to, const void *from, size_t bytes)
{
    if (bytes < LONG_BYTES) {
        tf_copy_between(to, from, bytes);
        return;
    }
    size_t at = begin(to, from);
    for (; at + STEP_BYTES <= bytes; at += STEP_BYTES) {
        const __m128i *source = (const void *)((const uint8_t *)from + at);
        __m128i *target = (void *)((uint8_t *)to + at);
        __m128i a = _mm_loadu_si128(source), b = _mm_loadu_si128(source + 1);
        __m128i c = _mm_loadu_si128(source + 2), d = _mm_loadu_si128(source + 3);
        _mm_stream_si128(target, a);
        _mm_stream_si128(target + 1, b);
        _mm_stream_si128(target + 2, c);
        _mm_stream_si128(target + 3, d);
    }
    memcpy((uint8_t *)to + at, (const uint8_t *)from + at, bytes - at);
    _mm_sfence();
}

/* memcpy() uses string instructions. These take longer if the two sides are aligned differently, which is common. */
__attribute__((target("avx2"))) static void copy_avx2(uint8_t *to, const uint8_t *from, size_t bytes)
{
    size_t at = -(uintptr_t)to % STEP_BYTES;
    memcpy(to, from, at);
    for (; at + 2 * STEP_BYTES <= bytes; at += 2 * STEP_BYTES) {
        const __m256i *source = (const void *)(from + at);
        __m256i *target = (void *)(to + at);
        __m256i a = _mm256_loadu_si256(source), b = _mm256_loadu_si256(source + 1);
        __m256i c = _mm256_loadu_si256(source + 2), d = _mm256_loadu_si256(source + 3);
        _mm256_store_si256(target, a);
        _mm256_store_si256(target + 1, b);
        _mm256_store_si256(target + 2, c);
        _mm256_store_si256(target + 3, d);
    }
    memcpy(to + at, from + at, bytes - at);
}

void tf_copy_packet(void *to, const void *from, size_t bytes)
{
    bool even = ((uintptr_t)to - (uintptr_t)from) % STEP_BYTES == 0;
    if ((bytes <= EVEN_BYTES || !even) && tf_vectors_have_avx2())
        copy_avx2(to, from, bytes);
    else
        memcpy(to, from, bytes);
}

#else

void tf_copy_in(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

void tf_copy_packet(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

#endif
