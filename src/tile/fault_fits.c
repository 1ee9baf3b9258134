/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/fault_fits.h"

#include <string.h>

#include "host/saved.h"
#include "tilefarm/tilefarm_chip.h"

bool tf_fault_fits(const struct tf_fault *fault)
{
    return (unsigned)fault->category <= TF_FAULT_INTERNAL && tf_saved_is_flag(&fault->hazard) &&
           (fault->core < TF_TILE_CORES || fault->core == TF_CORE_NONE) &&
           memchr(fault->text, '\0', sizeof fault->text) != NULL;
}
