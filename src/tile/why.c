/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/why.h"

#include "tile/state.h"

const char *tf_mmio_why(struct tf_tile *tile)
{
    return tile->mmio.why != NULL ? tile->mmio.why : "the access is refused";
}

enum tf_fault_category tf_mmio_why_category(const struct tf_tile *tile)
{
    return (enum tf_fault_category)tile->mmio.why_category;
}
