/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of figures that are others in the hostile build, in programs whose other tests run there. After cmocka.h. */
#ifndef TESTS_UNLESS_HOSTILE_H
#define TESTS_UNLESS_HOSTILE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/hostile.h"

/* Skip this test in the hostile build; `why` says what is different there. */
#define SKIP_WHEN_HOSTILE(why) \
    do {                       \
        (void)(why);           \
        if (TF_HOSTILE)        \
            skip();            \
    } while (0)

#endif
