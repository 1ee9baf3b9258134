/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The n-th allocation of tilefarm's own code fails, and not those of other libraries: the program is linked with --wrap
 * for each function here. TF_STEP tries each n of so many.
 */
#ifndef STRESS_FAILING_H
#define STRESS_FAILING_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "random.h"
#include "tilefarm/tilefarm_chip.h"

/* The allocation that fails, counted from 1; 0: none. */
static unsigned fails_at, asked;
static bool failed;
static __thread bool other_thread; /* allocations of a client do not count */

/* What is allocated: pointers, each in one of the places after that of its hash. */
#define PLACES 65536u
static void *taken_at[PLACES];
static unsigned taken;

static inline void **place_of(const void *pointer)
{
    unsigned place = (unsigned)((uintptr_t)pointer >> 4) * 2654435761u;
    while (taken_at[place % PLACES] != NULL && taken_at[place % PLACES] != pointer)
        place++;
    return &taken_at[place % PLACES];
}

static inline void *took(void *pointer)
{
    if (pointer == NULL || other_thread)
        return pointer;
    assert_in_range(++taken, 1, PLACES / 2);
    *place_of(pointer) = pointer;
    return pointer;
}

/* Entries behind that of the pointer move to where they are found again. Other libraries may have allocated it. */
static inline void gave(const void *pointer)
{
    void **place = pointer == NULL || other_thread ? NULL : place_of(pointer);
    if (place == NULL || *place == NULL)
        return;
    taken--;
    *place = NULL;
    for (unsigned next = (unsigned)(place - taken_at + 1) % PLACES; taken_at[next] != NULL;
         next = (next + 1) % PLACES) {
        void *moved = taken_at[next];
        taken_at[next] = NULL;
        *place_of(moved) = moved;
    }
}

static inline bool refuses(void)
{
    if (fails_at == 0 || other_thread || ++asked != fails_at)
        return false;
    failed = true;
    errno = ENOMEM;
    return true;
}

#define WRAP(name, parameters, arguments)                        \
    void *__real_##name parameters;                              \
    void *__wrap_##name parameters;                              \
    void *__wrap_##name parameters                               \
    {                                                            \
        return refuses() ? NULL : took(__real_##name arguments); \
    }
WRAP(malloc, (size_t bytes), (bytes))
WRAP(calloc, (size_t count, size_t bytes), (count, bytes))
WRAP(aligned_alloc, (size_t alignment, size_t bytes), (alignment, bytes))
WRAP(strdup, (const char *text), (text))

void *__real_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes)
{
    if (refuses())
        return NULL;
    gave(old);
    void *grown = __real_realloc(old, bytes);
    return took(grown != NULL ? grown : old) == grown ? grown : NULL;
}

void __real_free(void *pointer);
void __wrap_free(void *pointer);
void __wrap_free(void *pointer)
{
    gave(pointer);
    __real_free(pointer);
}

/*
 * Try an operation with each of its allocations failing in turn. try() returns the result of the call and undoes it if
 * it succeeded; it checks all else itself. Each failure is `error`, or the operation does without the memory. Large
 * memory counts with AddressSanitizer alone, where it is allocated (tf_zeroed_take()).
 */
static inline void fail_each(int (*try)(void), int error, unsigned least)
{
    assert_int_equal(try(), TF_OK); /* what is allocated once */
    unsigned step = (unsigned)test_environment("TF_STEP", 1), n = 1, refused = 0;
    unsigned before = taken, kept = before;
    for (failed = true; failed; n += step) {
        fails_at = n, asked = 0, failed = false;
        int result = try();
        fails_at = 0;
        if (result != TF_OK && (result != error || !failed))
            fail_msg("allocation %u fails: %s", n, tf_strerror(result));
        refused += result != TF_OK;
        /* A chip that does without some memory has fewer allocations, until it is replaced. */
        if (taken > before || (taken < kept && (result != TF_OK || !failed)))
            fail_msg("allocation %u fails: %u allocations are not freed, of %u before", n, taken, kept);
        kept = taken;
    }
    print_message("%u allocations, %u of them needed\n", n - 1 - step, refused);
    assert_true(step != 1 || refused >= least);
    assert_int_equal(try(), TF_OK);
    assert_int_equal(taken, before);
}

#endif
