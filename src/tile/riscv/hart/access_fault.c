/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/hart/access_fault.h"

#include "tile/riscv/hart/stop.h"
#include "tile/state.h"

enum tf_access tf_mmio_fault(struct tf_tile *tile, unsigned from, enum tf_fault_category category, uint32_t address,
                             const char *why)
{
    if (from < TF_FROM_NOC) {
        tf_tile_fault(tile, from, category, 0, address, "%s (0x%08X on %s)", why, address, tile->arch->family);
        return TF_ACCESS_FAULT;
    }
    tile->mmio.why = why;
    tile->mmio.why_category = (uint8_t)category;
    return TF_ACCESS_FAULT;
}
