/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of a chip for the layers above the farm. */
#ifndef FARM_CHIP_H
#define FARM_CHIP_H

#include "farm/chip/state.h"

/* The chip's time, in cycles. */
static inline uint64_t tf_chip_cycles(const struct tf_chip *chip)
{
    return chip->epochs.cycles;
}

#endif
