/* SPDX-License-Identifier: Apache-2.0 */
/* For tests whose forked children start threads. */
#ifndef TESTS_FRESH_STACKS_H
#define TESTS_FRESH_STACKS_H

#include <pthread.h>
#include <stddef.h>

/*
 * ThreadSanitizer takes a thread of a forked child for one of the parent's if both have the same stack. A stack larger
 * than the parent's cannot be the same.
 */
static inline void use_fresh_stacks(void)
{
    pthread_attr_t attributes;
    size_t bytes;
    pthread_getattr_default_np(&attributes);
    pthread_attr_getstacksize(&attributes, &bytes);
    pthread_attr_setstacksize(&attributes, 2 * bytes);
    pthread_setattr_default_np(&attributes);
    pthread_attr_destroy(&attributes);
}

#endif
