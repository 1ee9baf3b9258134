/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/eth/store.h"

#include <string.h>

#include "host/shared.h"
#include "tile/eth/parts.h"
#include "tile/fault.h"
#include "tile/why.h"
#include "tile/riscv/code/code.h"

void tf_eth_packet_fault(struct tf_tile *tile, enum tf_fault_category category, uint32_t address, const char *why)
{
    tf_tile_fault_record(tile, TF_CORE_NONE, 0, tile->cycle, category, 0, address, "an Ethernet packet arrives, but %s",
                         why);
}

void tf_eth_store_l1(struct tf_tile *tile, uint32_t to, const void *data, uint32_t bytes)
{
    if (tile->mode.shared)
        tf_shared_put(tile->l1 + to, data, bytes);
    else
        memcpy(tile->l1 + to, data, bytes);
    tf_tile_l1_written(tile, to, bytes);
}

void tf_eth_store_register(struct tf_tile *tile, uint32_t to, const uint8_t *data)
{
    uint32_t value;
    memcpy(&value, data, sizeof value);
    if (tile->mmio.bus->store(tile, TF_FROM_NOC, to, sizeof value, value) != TF_ACCESS_OK)
        tf_eth_packet_fault(tile, tf_mmio_why_category(tile), to, tf_mmio_why(tile));
}
