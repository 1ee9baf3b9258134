/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of L1 and a register. Sources: eth_fw_api.h of tt-metal, of both families; tools/triage/check_eth_status.py
 * there; wormhole_eth.hpp, blackhole_eth.hpp and LinkTrainingStatus of tt-umd.
 */
#include "tile/eth/status.h"

#include <string.h>

#include "tile/eth/store.h"
#include "tile/eth/word.h"

/* --- TF_ETH_FACTS_OF_NODE --- */
enum { NODE_TRAINING = 0x1104, NODE_LINK = 0x1ED4, NODE_RETRAINED = 0x1EDC };
enum { TRAINING = 0, TRAINED = 1, LINK_UP = 6 };

/* --- TF_ETH_FACTS_OF_PORT --- */
enum { PORT = 0x7CC04, PORT_UP = 1, PORT_DOWN = 2 };
enum { LIVE_RETRAINED = 0x7CE00, LIVE_UP = 0x7CE04, LIVE_FLAPS = 0x7CE08 };
enum { LIVE_FRAMES = 0x7CE20, LIVE_FRAMES_OK = 0x7CE28, LIVE_BYTES = 0x7CE38, LIVE_BYTES_OK = 0x7CE40 };
enum { LIVE_RECEIVED = 0x7CE50, LIVE_RECEIVED_OK = 0x7CE58, LIVE_REFUSED = 0x7CE68 };
enum { LIVE_RECEIVED_BYTES = 0x7CE70, LIVE_RECEIVED_BYTES_OK = 0x7CE78 };
enum { LIVE_RESENT = 0x7CEA0, LIVE_DROPPED = 0x7CEB8 }; /* by queue */
#define PCS_STATUS (TF_ETH_LINK_BASE + 0x800C)
enum { RX_DROPPED = 0x4C };

static void set(struct tf_tile *tile, uint32_t address, uint32_t value)
{
    tf_eth_store_l1(tile, address, &value, sizeof value);
}

static void set_64(struct tf_tile *tile, uint32_t address, uint64_t value)
{
    tf_eth_store_l1(tile, address, &value, sizeof value);
}

static void count(struct tf_tile *tile, uint32_t address)
{
    uint32_t value;
    memcpy(&value, tile->l1 + address, sizeof value);
    set(tile, address, value + 1);
}

static bool knows_port(const struct tf_tile *tile)
{
    return tf_eth_arch_of(tile)->facts == TF_ETH_FACTS_OF_PORT;
}

void tf_eth_status_count(struct tf_tile *tile)
{
    const struct tf_eth_arch *arch = tf_eth_arch_of(tile);
    const struct tf_eth_link *link = tile->mmio.eth->link;
    if (link == NULL || !knows_port(tile))
        return;
    set_64(tile, LIVE_FRAMES, link->frames);
    set_64(tile, LIVE_FRAMES_OK, link->frames);
    set_64(tile, LIVE_BYTES, link->bytes);
    set_64(tile, LIVE_BYTES_OK, link->bytes);
    set_64(tile, LIVE_RECEIVED, link->arrived);
    set_64(tile, LIVE_RECEIVED_OK, link->arrived);
    set_64(tile, LIVE_REFUSED, link->refused);
    set_64(tile, LIVE_RECEIVED_BYTES, link->arrived_bytes);
    set_64(tile, LIVE_RECEIVED_BYTES_OK, link->arrived_bytes);
    for (unsigned i = 0; i < arch->tx.queues; i++) {
        set_64(tile, LIVE_RESENT + 8 * i, link->window[i].resent);
        set_64(tile, LIVE_DROPPED + 8 * i, *tf_eth_word(tile, arch->rx_first + i * arch->tx.stride + RX_DROPPED));
    }
}

void tf_eth_status_changed(struct tf_tile *tile)
{
    const bool down = tile->mmio.eth->link->down;
    if (!knows_port(tile)) {
        set(tile, NODE_TRAINING, down ? TRAINING : TRAINED);
        set(tile, NODE_LINK, down ? 0 : LINK_UP);
        if (!down)
            count(tile, NODE_RETRAINED);
        return;
    }
    *tf_eth_word(tile, PCS_STATUS) = !down;
    set(tile, PORT, down ? PORT_DOWN : PORT_UP);
    set(tile, LIVE_UP, !down);
    count(tile, down ? LIVE_FLAPS : LIVE_RETRAINED);
    tf_eth_status_count(tile);
}
