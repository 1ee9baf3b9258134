/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/why.h"
#include "tile/tensix/data/registers.h"

#include "tile/check.h"
#include "tile/tensix/frontend/gate_fault.h"
#include "tilefarm_address.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/state.h"

static bool is_tdma(uint32_t address)
{
    return address < TF_TDMA_BASE + TF_TDMA_BYTES;
}

static bool is_register(struct tf_tile *tile, unsigned thread, uint32_t address)
{
    if (address >= TF_TDMA_BASE)
        return true;
    tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, address,
                    "0x%08x is below the registers that the scalar unit can reach", address);
    return false;
}

static void register_fault(struct tf_tile *tile, unsigned thread, uint32_t address)
{
    tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, address, "0x%08x on %s: %s", address, tile->arch->family,
                    is_tdma(address) ? "TDMA-RISC refuses it" : tf_mmio_why(tile));
}

bool tf_register_load(struct tf_tile *tile, unsigned thread, uint32_t address, uint32_t *value)
{
    bool pure;
    *value = 0;
    if (!is_register(tile, thread, address))
        return false;
    if (TF_HOOK(tile->check) != NULL)
        tile->check->unit_register(tile->check, thread, address, false);
    enum tf_access access = is_tdma(address) ? tile->mmio.bus->tdma_load(tile, TF_FROM_NOC, address, value, &pure)
                                             : tile->mmio.bus->load(tile, TF_FROM_NOC, address, 4, value, &pure);
    if (access != TF_ACCESS_OK)
        register_fault(tile, thread, address);
    return access == TF_ACCESS_OK;
}

void tf_register_store(struct tf_tile *tile, unsigned thread, uint32_t address, uint32_t value)
{
    if (!is_register(tile, thread, address))
        return;
    if (TF_HOOK(tile->check) != NULL)
        tile->check->unit_register(tile->check, thread, address, true);
    enum tf_access access = is_tdma(address) ? tile->mmio.bus->tdma_store(tile, TF_FROM_NOC, address, value)
                                             : tile->mmio.bus->store(tile, TF_FROM_NOC, address, 4, value);
    if (access == TF_ACCESS_OK && TF_HOOK(tile->observer) != NULL)
        tf_observe_written(tile, address, 4, TF_WROTE_SCALAR);
    if (access != TF_ACCESS_OK)
        register_fault(tile, thread, address);
    else
        tf_gate_reconsider(tile, TF_CHANGE_ANY); /* another thread may be waiting for the stream register */
}
