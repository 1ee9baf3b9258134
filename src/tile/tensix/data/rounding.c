/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/data/rounding.h"

#include <string.h>

#include "tile/tensix/soft_reset.h"

void tf_rounding_advance(struct tf_rounding *rounding, unsigned rows)
{
    for (unsigned row = 0; row < rows; row++)
        for (unsigned column = 0; column < TF_ROUNDING_COLUMNS; column++)
            rounding->matrix[row][column] = tf_prng_step(rounding->matrix[row][column]);
}

/* The chain runs through all generators (BackendConfiguration.md: "all the PRNGs"). */
void tf_rounding_seed(struct tf_rounding *rounding, uint32_t seed)
{
    seed = tf_prng_seed(rounding->matrix[0], TF_ROUNDING_ROWS * TF_ROUNDING_COLUMNS, seed);
    seed = tf_prng_seed(rounding->early[0], TF_ROUNDING_INTERFACES * TF_ROUNDING_COLUMNS, seed);
    tf_prng_seed(rounding->late, TF_ROUNDING_COLUMNS, seed);
}

/* The page names the packer's generators of the early conversion. Those of the late conversion are reset with them. */
void tf_rounding_reset(struct tf_rounding *rounding, uint32_t leaving)
{
    if (leaving & TF_RESET_MATRIX)
        memset(rounding->matrix, 0, sizeof rounding->matrix);
    if (leaving & TF_RESET_DST) {
        memset(rounding->early, 0, sizeof rounding->early);
        memset(rounding->late, 0, sizeof rounding->late);
    }
}

void tf_rounding_hash(const struct tf_rounding *rounding, struct tf_hash *hash)
{
    static const struct tf_rounding after_reset;
    if (memcmp(rounding, &after_reset, sizeof after_reset) != 0)
        tf_hash_bytes(hash, rounding, sizeof *rounding);
}
