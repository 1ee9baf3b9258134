/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOST_SORT_H
#define HOST_SORT_H

#include <stddef.h>
#include <stdlib.h>

static inline int tf_compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Sort numbers, the least first. */
static inline void tf_sort_numbers(double *number, size_t count)
{
    qsort(number, count, sizeof *number, tf_compare_numbers);
}

#endif
