/* SPDX-License-Identifier: Apache-2.0 */
/* The multiply-add of the cores as a model of the vector unit. */
#ifndef TESTS_FMA_H
#define TESTS_FMA_H

#include "tile/riscv/fp/fma.h"

/* x * y + z, as FP32, without exceptions. */
static inline uint32_t test_fma_fp32(uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t exceptions = 0;
    return tf_fma(x, y, z, TF_FMA_FP32, &exceptions);
}

#endif
