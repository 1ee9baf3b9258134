/* SPDX-License-Identifier: Apache-2.0 */
/* The packets of a tile's overlay streams: the NIU decodes them as it decodes an initiator's registers. */
#include "noc/event.h"
#include "noc/requests/initiator.h"
#include "noc/requests/overlay.h"
#include "noc/requests/request.h"
#include "tile/mmio/streams/packet.h"
#include "tile/mmio/streams/peer.h"
#include "tile/why.h"
#include "tile/riscv/hart/stop.h"

#define WHO 0xFFFu /* coordinates in NOC_ID_LOGICAL */

static void fill(const struct tf_niu *niu, const struct tf_stream_packet *packet, uint32_t *regs)
{
    const unsigned to = packet->bytes == 0 ? TF_NIU_TARG_LO : TF_NIU_RET_LO;
    regs[to] = (uint32_t)packet->address;
    regs[to + 1] = (uint32_t)(packet->address >> 32);
    regs[to + 2] = packet->hi;
    regs[TF_NIU_PACKET_TAG] = packet->tag;
    regs[TF_NIU_CTRL] = packet->ctrl;
    if (packet->bytes == 0) {
        regs[TF_NIU_AT_DATA] = packet->word;
        if (packet->says_who)
            regs[TF_NIU_AT_DATA] |= tf_niu_config_word(niu, TF_NIU_ID_LOGICAL) & WHO;
        return;
    }
    regs[TF_NIU_TARG_LO] = packet->data;
    regs[TF_NIU_AT_LEN_BE] = packet->bytes;
    regs[TF_NIU_AT_DATA] = packet->header;
}

static void fault(struct tf_niu *niu, const struct tf_stream_packet *packet, enum tf_fault_category category,
                  uint64_t address, const char *why)
{
    struct tf_tile *tile = niu->node->tile;
    struct tf_noc_xy to = tf_noc_unpack_xy(packet->hi, 0);
    char text[TF_NOC_PLACE_BYTES];
    tf_tile_fault_at(tile, TF_CORE_NONE, 0, tile->cycle, category, 0, address,
                     "stream %u, NOC %u to %s 0x%llX: %s (%s)", packet->stream, niu->noc,
                     tf_noc_place_text(niu, to, text), (unsigned long long)address, why, niu->fabric->arch->title);
}

/* Returns false if the stream has stopped. */
static bool send(struct tf_niu *niu, const struct tf_stream_packet *packet)
{
    uint32_t regs[TF_NIU_INITIATOR_WORDS] = {0};
    struct tf_noc_command command;
    struct tf_tile *tile = niu->node->tile;
    fill(niu, packet, regs);
    const char *why = tf_noc_decode_words(niu, regs, &command);
    if (why != NULL)
        fault(niu, packet, (enum tf_fault_category)command.category, command.fault_address, why);
    else if (!tf_niu_issue_for_stream(niu, &command, packet->ctrl))
        fault(niu, packet, TF_FAULT_HOST, packet->address, "the host has no memory for a NOC request");
    else if (!tf_stream_sent(tile, packet))
        fault(niu, packet, tf_mmio_why_category(tile), packet->address, tf_mmio_why(tile));
    else
        return true;
    tf_stream_stop(tile, packet);
    return false;
}

static void issue_streams(struct tf_niu *niu)
{
    struct tf_stream_packet packet;
    unsigned first = 0;
    while (tf_niu_may_issue(niu) && (tf_stream_next_packet(niu->node->tile, niu->noc, first, &packet) ||
                                     tf_stream_next_packet(niu->node->tile, niu->noc, 0, &packet))) {
        if (!send(niu, &packet))
            return;
        first = packet.stream + 1;
    }
}

void tf_niu_begin_epoch(struct tf_niu *niu)
{
    tf_niu_issue_queued(niu);
    if (niu->node->tile->mmio.stream_sends[niu->noc] != 0)
        issue_streams(niu);
}
