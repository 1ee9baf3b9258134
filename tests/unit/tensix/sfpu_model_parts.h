/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the two files of the model share. */
#ifndef TESTS_UNIT_TENSIX_SFPU_MODEL_PARTS_H
#define TESTS_UNIT_TENSIX_SFPU_MODEL_PARTS_H

#include "unit/tensix/sfpu_model.h"

static inline uint32_t bit_range(uint32_t word, unsigned first, unsigned width)
{
    return word >> first & ((1u << width) - 1);
}

static inline bool no_backdoor(const struct model_lane *l)
{
    return l->config & 2;
}

static inline bool enabled(const struct model_lane *l, unsigned lane)
{
    if (l->config >> (12 + lane / 8) & 1)
        return false;
    return l->use ? l->flag : true;
}

/* SFPLOAD and SFPSTORE. */
void model_load(struct model *m, uint32_t word);
void model_store(struct model *m, uint32_t word);

#endif
