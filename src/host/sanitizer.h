/* SPDX-License-Identifier: Apache-2.0 */
/* Is this code built with a sanitizer? By gcc's macros, and clang's __has_feature(). */
#ifndef HOST_SANITIZER_H
#define HOST_SANITIZER_H

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

#endif
