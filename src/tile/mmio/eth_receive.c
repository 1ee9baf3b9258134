/* SPDX-License-Identifier: Apache-2.0 */
/* The RX queues of an Ethernet tile: EthernetTxRx.md, "RX Queue Memory Map", of both families. */
#include <string.h>

#include "tile/fault.h"
#include "tile/mmio/eth_parts.h"
#include "tile/riscv/code/code.h"

/* Words of a queue. */
enum { LINES = 0x14 / 4, ENDED = 0x28 / 4, LOCAL_SEQUENCE = 0x40 / 4 };

static void fault(struct tf_tile *tile, enum tf_fault_category category, uint32_t address, const char *why)
{
    tf_tile_fault_record(tile, TF_CORE_NONE, 0, tile->cycle, category, 0, address, "an Ethernet packet arrives, but %s",
                         why);
}

static void write_l1(struct tf_tile *tile, const struct tf_eth_packet *packet)
{
    if (!tf_in_l1(tile->arch, packet->to, packet->bytes)) {
        fault(tile, TF_FAULT_UNDEFINED, packet->to, "its data would be written beyond L1");
        return;
    }
    memcpy(tile->l1 + packet->to, packet->data, packet->bytes);
    tf_tile_l1_written(tile, packet->to, packet->bytes);
}

static void write_register(struct tf_tile *tile, const struct tf_eth_packet *packet)
{
    uint32_t value;
    memcpy(&value, packet->data, sizeof value);
    if (tf_mmio_store(tile, TF_FROM_NOC, packet->to, sizeof value, value) != TF_ACCESS_OK)
        fault(tile, tf_mmio_why_category(tile), packet->to, tf_mmio_why(tile));
}

void tf_eth_receive(struct tf_tile *tile, const struct tf_eth_packet *packet)
{
    const struct tf_eth_arch *arch = tf_eth_arch_of(tile);
    uint32_t *queue = tf_eth_word(tile, arch->rx_first + packet->queue * arch->tx.stride);
    queue[ENDED]++;
    queue[LINES] += (packet->bytes + arch->tx.line_bytes - 1) / arch->tx.line_bytes;
    queue[LOCAL_SEQUENCE] = (queue[LOCAL_SEQUENCE] + 1) & 0xFF;
    if (packet->kind == TF_ETH_REGISTER)
        write_register(tile, packet);
    else if (packet->kind == TF_ETH_L1)
        write_l1(tile, packet);
}
