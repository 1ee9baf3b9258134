/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/matrix/scratch.h"

#include <stdlib.h>

#include "host/hostile.h"

struct tf_scratch *tf_scratch_create(void)
{
    if (TF_HOSTILE)
        return NULL;
    struct tf_scratch *scratch = aligned_alloc(64, sizeof *scratch);
    if (scratch != NULL)
        scratch->borrower = NULL;
    return scratch;
}

void tf_scratch_destroy(struct tf_scratch *scratch)
{
    free(scratch);
}
