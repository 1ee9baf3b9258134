/* SPDX-License-Identifier: Apache-2.0 */
/* Is this code built with a sanitizer? By gcc's macros, and clang's __has_feature(). */
#ifndef HOST_SANITIZER_H
#define HOST_SANITIZER_H

#include <stddef.h>

#ifdef __has_feature
#define TF_CLANG_HAS(feature) __has_feature(feature)
#else
#define TF_CLANG_HAS(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || TF_CLANG_HAS(address_sanitizer)
#define TF_WITH_ASAN 1
#else
#define TF_WITH_ASAN 0
#endif

#if defined(__SANITIZE_THREAD__) || TF_CLANG_HAS(thread_sanitizer)
#define TF_WITH_TSAN 1
#else
#define TF_WITH_TSAN 0
#endif

/*
 * Files that read much memory in tight loops are compiled without the sanitizer's checks (TF_NO_CHECKS of
 * CMakeLists.txt), which take most of a short run. They say what they are about to read. AddressSanitizer checks all
 * of it. ThreadSanitizer checks the first byte: its shadow of the rest would cost as much as its checks.
 */
#ifdef TF_SANITIZED
void tf_sanitizer_address(const void *memory, size_t bytes);
void tf_sanitizer_race(const void *memory);
#else
static inline void tf_sanitizer_address(const void *memory, size_t bytes)
{
    (void)memory;
    (void)bytes;
}

static inline void tf_sanitizer_race(const void *memory)
{
    (void)memory;
}
#endif

#endif
