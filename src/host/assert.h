/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TF_ASSERT(condition): an invariant of the code, which no program on the chip and no caller can break. Builds with
 * -DTILEFARM_ASSERT=ON (all presets but release) check it, print it and abort. Others do not evaluate it. An error of
 * the program on the chip is a fault, never an assertion.
 */
#ifndef HOST_ASSERT_H
#define HOST_ASSERT_H

#ifdef TF_ASSERTS
#include <stdio.h>
#include <stdlib.h>

static inline _Noreturn void tf_assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "tilefarm: %s:%d: internal error: %s does not hold\n", file, line, condition);
    abort();
}

#define TF_ASSERT(condition) ((condition) ? (void)0 : tf_assert_failed(#condition, __FILE__, __LINE__))
#else
#define TF_ASSERT(condition) ((void)sizeof((condition) ? 1 : 0))
#endif

#endif
