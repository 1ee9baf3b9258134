/* SPDX-License-Identifier: Apache-2.0 */
/* Does the wait of a parked hart go on? */
#ifndef TILE_RISCV_HART_LOOK_H
#define TILE_RISCV_HART_LOOK_H

#include <stdint.h>

#include "tile/state.h"

/* The value of an input that has `at`, now. */
static inline uint32_t tf_input_value(const struct tf_input *input)
{
    return __atomic_load_n(input->at, __ATOMIC_RELAXED) >> input->shift & input->mask;
}

enum tf_park_look {
    TF_PARK_SAME,
    TF_PARK_CHANGED,
    TF_PARK_UNKNOWN, /* call tf_park_unchanged() */
};

/* Compare the inputs of a parked hart, if all of them are words. Bench rows `idle` and `barrier-700` pay for this. */
static inline enum tf_park_look tf_park_look(const struct tf_tile *tile, const struct tf_hart *hart)
{
    const struct tf_park *park = &hart->park;
    if (!park->words_only || park->generation != tile->code_generation)
        return TF_PARK_UNKNOWN;
    for (const struct tf_input *input = park->input, *end = input + park->inputs; input != end; input++)
        if (tf_input_value(input) != input->value)
            return TF_PARK_CHANGED;
    return TF_PARK_SAME;
}

#endif
