/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compare and exchange of an aligned 16-byte line of L1, indivisible against every other access of the host, smaller
 * ones included.
 *
 * On x86-64 it is the instruction itself. __atomic on 16 bytes calls a library that may lock, and so does __sync under
 * ThreadSanitizer. Accesses of 4 bytes would ignore that lock. Annotations tell ThreadSanitizer what the instruction
 * orders. On aarch64 __sync makes casp or ldaxp/stlxp.
 */
#ifndef HOST_LINE_H
#define HOST_LINE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct tf_line {
    uint32_t word[4];
};

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TF_LINE_TOLD 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define TF_LINE_TOLD 1
#endif

#ifdef TF_LINE_TOLD
#include <sanitizer/tsan_interface.h>
#define TF_LINE_RELEASE(line) __tsan_release(line)
#define TF_LINE_ACQUIRE(line) __tsan_acquire(line)
#else
#define TF_LINE_RELEASE(line) ((void)(line))
#define TF_LINE_ACQUIRE(line) ((void)(line))
#endif

/* Reads the line, perhaps torn, as the first guess for tf_line_exchange(), which corrects it. It is one load because
   the host does not forward several stores to the larger loads that follow. */
static inline void tf_line_guess(const uint8_t *line, struct tf_line *guess)
{
#ifdef TF_LINE_TOLD
    const uint32_t *word = (const uint32_t *)(const void *)line;
    for (unsigned i = 0; i < 4; i++)
        guess->word[i] = __atomic_load_n(&word[i], __ATOMIC_RELAXED);
#else
    typedef uint32_t words __attribute__((vector_size(16), may_alias));
    typedef uint32_t unaligned_words __attribute__((vector_size(16), may_alias, aligned(4)));
    *(unaligned_words *)(void *)guess = *(const volatile words *)(const void *)line;
#endif
}

#if defined(__x86_64__)

/* If the line equals *expected, it becomes *desired. Returns true then. Otherwise *expected becomes the value of the
   line. */
static inline bool tf_line_exchange(uint8_t *line, struct tf_line *expected, const struct tf_line *desired)
{
    uint64_t old[2], new[2];
    bool done;
    memcpy(old, expected, sizeof old);
    memcpy(new, desired, sizeof new);
    TF_LINE_RELEASE(line);
    __asm__ volatile("lock cmpxchg16b (%[line])"
                     : "=@ccz"(done), "+a"(old[0]), "+d"(old[1])
                     : [line] "r"(line), "b"(new[0]), "c"(new[1])
                     : "memory");
    TF_LINE_ACQUIRE(line);
    if (!done)
        memcpy(expected, old, sizeof old);
    return done;
}

#elif defined(__aarch64__)

__extension__ typedef unsigned __int128 tf_line_bits;

/* If the line equals *expected, it becomes *desired. Returns true then. Otherwise *expected becomes the value of the
   line. */
static inline bool tf_line_exchange(uint8_t *line, struct tf_line *expected, const struct tf_line *desired)
{
    tf_line_bits old, new, seen;
    memcpy(&old, expected, sizeof old);
    memcpy(&new, desired, sizeof new);
    TF_LINE_RELEASE(line);
    seen = __sync_val_compare_and_swap((tf_line_bits *)(void *)line, old, new);
    TF_LINE_ACQUIRE(line);
    memcpy(expected, &seen, sizeof seen);
    return seen == old;
}

#else
#error "no 16-byte compare and exchange is known for this host"
#endif

#endif
