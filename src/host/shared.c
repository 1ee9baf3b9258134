/* SPDX-License-Identifier: Apache-2.0 */
#include "host/shared.h"

#include <stdbool.h>
#include <string.h>
#ifdef __aarch64__
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include "host/line.h"
#include "host/mutant.h"
#include "host/vectors.h"

#define LINE_BYTES 16u
#define WIDE_BYTES 256u

static bool aligned(const void *pointer, unsigned bytes)
{
    return ((uintptr_t)pointer & (bytes - 1)) == 0;
}

/*
 * Lines of shared memory are moved by one or two host instructions each. On x86-64 and aarch64 these tear no aligned
 * word of 4 or 8 bytes. On hosts with AVX or LSE2 they tear no line either: some atomics change lines. Hosts of aarch64
 * without LSE2 exchange a line. ThreadSanitizer does not know that, so it is given accesses to words.
 */
#ifndef TF_LINE_TOLD
/* Moves whole vectors from or to places that others may access. Returns how many bytes it moved. */
#define MOVE(name, vector, attributes)                                                     \
    attributes static uint64_t name(uint8_t *to, const uint8_t *from, uint64_t bytes)      \
    {                                                                                      \
        const volatile vector *source = (const volatile vector *)(const void *)from;       \
        volatile vector *target = (volatile vector *)(void *)to;                           \
        uint64_t count = bytes / sizeof(vector), i = 0;                                    \
        for (; i + 4 <= count; i += 4) {                                                   \
            vector a = source[i], b = source[i + 1], c = source[i + 2], d = source[i + 3]; \
            target[i] = a;                                                                 \
            target[i + 1] = b;                                                             \
            target[i + 2] = c;                                                             \
            target[i + 3] = d;                                                             \
        }                                                                                  \
        for (; i < count; i++)                                                             \
            target[i] = source[i];                                                         \
        return count * sizeof(vector);                                                     \
    }

typedef uint64_t any_line __attribute__((vector_size(LINE_BYTES), may_alias, aligned(1)));
MOVE(move_lines, any_line, )

#ifdef __x86_64__
typedef uint64_t two_lines __attribute__((vector_size(2 * LINE_BYTES), may_alias, aligned(1)));
MOVE(move_two_lines, two_lines, __attribute__((target("avx2"))))
#endif

/* Which of the two places of a move others may access. */
enum shared { SHARED_TO = 1, SHARED_FROM = 2 };

#ifdef __aarch64__
static struct tf_line load_line(const uint8_t *from)
{
    struct tf_line seen, same;
    tf_line_guess(from, &seen);
    do
        same = seen;
    while (!tf_line_exchange((uint8_t *)(uintptr_t)from, &seen, &same)); /* it stays as it is */
    return seen;
}

static void store_line(uint8_t *to, const struct tf_line *line)
{
    struct tf_line old;
    tf_line_guess(to, &old);
    while (!tf_line_exchange(to, &old, line))
        ;
}

static uint64_t exchange_lines(uint8_t *to, const uint8_t *from, uint64_t bytes, unsigned shared)
{
    const uint64_t count = bytes / LINE_BYTES;
    for (uint64_t at = 0; at < count * LINE_BYTES; at += LINE_BYTES) {
        struct tf_line line;
        if (shared & SHARED_FROM)
            line = load_line(from + at);
        else
            memcpy(&line, from + at, sizeof line);
        if (shared & SHARED_TO)
            store_line(to + at, &line);
        else
            memcpy(to + at, &line, sizeof line);
    }
    return count * LINE_BYTES;
}
#endif

static uint64_t move(uint8_t *to, const uint8_t *from, uint64_t bytes, unsigned shared)
{
#ifdef __aarch64__
    if (!(getauxval(AT_HWCAP) & HWCAP_USCAT)) /* LSE2 */
        return exchange_lines(to, from, bytes, shared);
#endif
    (void)shared;
#ifdef __x86_64__
    if (bytes >= WIDE_BYTES && tf_vectors_have_avx2())
        return move_two_lines(to, from, bytes);
#endif
    return move_lines(to, from, bytes);
}

static uint64_t put_lines(uint8_t *to, const uint8_t *from, uint64_t bytes)
{
    return aligned(to, LINE_BYTES) ? move(to, from, bytes, SHARED_TO) : 0;
}

static uint64_t get_lines(uint8_t *to, const uint8_t *from, uint64_t bytes)
{
    return aligned(from, LINE_BYTES) ? move(to, from, bytes, SHARED_FROM) : 0;
}

static uint64_t copy_lines(uint8_t *to, const uint8_t *from, uint64_t bytes)
{
    return aligned(to, LINE_BYTES) && aligned(from, LINE_BYTES) ? move(to, from, bytes, SHARED_TO | SHARED_FROM) : 0;
}
#else
static uint64_t put_lines(uint8_t *to, const uint8_t *from, uint64_t bytes)
{
    (void)to, (void)from, (void)bytes;
    return 0;
}

static uint64_t get_lines(uint8_t *to, const uint8_t *from, uint64_t bytes)
{
    (void)to, (void)from, (void)bytes;
    return 0;
}

static uint64_t copy_lines(uint8_t *to, const uint8_t *from, uint64_t bytes)
{
    (void)to, (void)from, (void)bytes;
    return 0;
}
#endif

void tf_shared_put(uint8_t *to, const void *from, uint64_t bytes)
{
    const uint8_t *source = from;
    while (bytes != 0) {
        uint64_t word, piece = put_lines(to, source, bytes);
        if (piece == 0) {
            piece = bytes >= 8 && aligned(to, 8) ? 8 : bytes >= 4 && aligned(to, 4) ? 4 : 1;
            if (TF_MUTANT(TORN_COPY))
                piece = 1;
            TF_MUTANT_PAUSE(TORN_COPY)
            memcpy(&word, source, piece);
            if (piece == 8)
                __atomic_store_n((uint64_t *)(void *)to, word, __ATOMIC_RELAXED);
            else if (piece == 4)
                __atomic_store_n((uint32_t *)(void *)to, (uint32_t)word, __ATOMIC_RELAXED);
            else
                __atomic_store_n(to, *source, __ATOMIC_RELAXED);
        }
        to += piece;
        source += piece;
        bytes -= piece;
    }
}

void tf_shared_get(void *to, const uint8_t *from, uint64_t bytes)
{
    uint8_t *target = to;
    while (bytes != 0) {
        uint64_t word = 0, piece = get_lines(target, from, bytes);
        if (piece == 0) {
            piece = bytes >= 8 && aligned(from, 8) ? 8 : bytes >= 4 && aligned(from, 4) ? 4 : 1;
            if (piece == 8)
                word = __atomic_load_n((const uint64_t *)(const void *)from, __ATOMIC_RELAXED);
            else if (piece == 4)
                word = __atomic_load_n((const uint32_t *)(const void *)from, __ATOMIC_RELAXED);
            else
                word = __atomic_load_n(from, __ATOMIC_RELAXED);
            memcpy(target, &word, piece);
        }
        target += piece;
        from += piece;
        bytes -= piece;
    }
}

void tf_shared_copy(uint8_t *to, const uint8_t *from, uint64_t bytes)
{
    bool disjoint = (uintptr_t)to - (uintptr_t)from >= bytes && (uintptr_t)from - (uintptr_t)to >= bytes;
    uint64_t done = disjoint ? copy_lines(to, from, bytes) : 0;
    uint8_t buffer[512];
    while (done < bytes) {
        uint64_t piece = bytes - done < sizeof buffer ? bytes - done : sizeof buffer;
        tf_shared_get(buffer, from + done, piece);
        tf_shared_put(to + done, buffer, piece);
        done += piece;
    }
}
