/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a link. */
#include "tile/eth/connect.h"

#include <stdlib.h>

#include "host/extremes.h"
#include "tile/eth/late.h"
#include "tile/eth/parts.h"
#include "tile/eth/resend.h"
#include "tile/eth/status.h"
#include "tile/eth/wire.h"
#include "tile/mmio/reset.h"
#include "tile/eth/packets.h"
#include "tile/eth/word.h"

static void apply_outage(struct tf_tile *tile)
{
    struct tf_eth_link *link = tile->mmio.eth->link;
    link->down = link->line.outages != 0 && link->line.outage[0].from == 0;
    if (link->down)
        tf_eth_status_changed(tile);
}

/* The bit of a core that runs firmware is clear. Drivers follow no link of a tile whose bit is set (tt-umd,
   discover_remote_devices()). Without a link it stays set, as in ttsim. */
static void show_firmware(struct tf_tile *tile)
{
    tile->mmio.debug.soft_reset &= ~tf_debug_reset_bit(tile, 0);
}

bool tf_eth_connect(struct tf_tile *tile, const struct tf_eth_line *line)
{
    struct tf_eth_link *link = calloc(1, sizeof *link);
    if (link == NULL)
        return false;
    tf_eth_disconnect(tile);
    tf_eth_list_init(&link->sent);
    tf_eth_list_init(&link->held);
    for (unsigned i = 0; i < TF_ETH_QUEUES_MAX; i++)
        link->window[i].notified = UINT64_MAX;
    link->line = *line;
    tile->mmio.eth->link = link;
    show_firmware(tile);
    for (const struct tf_eth_word *word = tf_eth_arch_of(tile)->joined; word->address != 0; word++)
        *tf_eth_word(tile, word->address) = word->value;
    apply_outage(tile);
    return tile->explore == NULL || tf_eth_late_attach(tile);
}

void tf_eth_disconnect(struct tf_tile *tile)
{
    struct tf_eth_link *link = tile->mmio.eth->link;
    if (link == NULL)
        return;
    tf_eth_list_free(&link->sent);
    tf_eth_list_free(&link->held);
    tf_eth_resend_end(link);
    free(link->slot);
    free(link->update);
    tf_eth_late_detach(link);
    free(link);
    tile->mmio.eth->link = NULL;
}

void tf_eth_move_line(struct tf_tile *tile, const struct tf_eth_line *line)
{
    tile->mmio.eth->link->line = *line;
}

/* The cycle at which the link goes down or up. */
static uint64_t change_of(const struct tf_eth_link *link)
{
    const struct tf_eth_outage *outage = link->line.outage;
    if (link->outage == link->line.outages)
        return UINT64_MAX;
    return link->down ? outage[link->outage].until : outage[link->outage].from;
}

uint64_t tf_eth_due(const struct tf_tile *tile)
{
    const struct tf_eth_link *link = tile->mmio.eth->link;
    return link->down ? change_of(link) : tf_min(change_of(link), tf_eth_resend_due(tile));
}

void tf_eth_act(struct tf_tile *tile)
{
    struct tf_eth_link *link = tile->mmio.eth->link;
    while (change_of(link) <= tile->cycle) {
        link->outage += link->down;
        link->down = !link->down;
        tf_eth_status_changed(tile);
        if (!link->down)
            tf_eth_resend_all(tile);
    }
    if (!link->down)
        tf_eth_resend_act(tile);
}

struct tf_eth_packet *tf_eth_take_sent(struct tf_tile *tile)
{
    struct tf_eth_list *sent = &tile->mmio.eth->link->sent;
    struct tf_eth_packet *first = sent->first;
    tf_eth_list_init(sent);
    return first;
}

bool tf_eth_has_sent(const struct tf_tile *tile)
{
    const struct tf_eth_link *link = tile->mmio.eth->link;
    return link->sent.first != NULL || link->updates != 0;
}

void tf_eth_link_hash(const struct tf_eth_link *link, struct tf_hash *hash)
{
    tf_eth_wire_hash(link, hash);
    tf_eth_resend_hash(link, hash);
    for (unsigned i = 0; i < TF_ETH_QUEUES_MAX; i++)
        tf_hash_u64(hash, link->accepted[i]);
    tf_hash_u64(hash, link->arrived);
    tf_hash_u64(hash, link->arrived_bytes);
    tf_hash_u64(hash, link->refused);
    tf_hash_u32(hash, link->outage << 1 | link->down);
    tf_eth_packets_hash(link->sent.first, hash);
    tf_eth_packets_hash(link->held.first, hash);
}
