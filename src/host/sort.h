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

/* Sort numbers, at least one, and return their median: the mean of the middle two if their number is even. */
static inline double tf_median(double *number, size_t count)
{
    tf_sort_numbers(number, count);
    return (number[(count - 1) / 2] + number[count / 2]) / 2;
}

#endif
