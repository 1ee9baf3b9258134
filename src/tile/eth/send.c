/* SPDX-License-Identifier: Apache-2.0 */
/* EthernetTxRx.md, "TX Queue Memory Map" and ETH_TXQ_CMD, of both families. */
#include "tile/eth/send.h"

#include "host/extremes.h"
#include "tile/check.h"
#include "tile/eth/frame.h"
#include "tile/eth/late.h"
#include "tile/eth/resend.h"
#include "tile/eth/trail.h"
#include "tile/eth/wire.h"
#include "tile/eth/word.h"
#include "tile/path/path.h"
#include "tile/riscv/hart/access_fault.h"

/* Words of a queue. */
enum { COMMAND = 0x04 / 4, STATUS = 0x08 / 4, MAX_PACKET = 0x0C / 4, FROM = 0x14 / 4, BYTES = 0x18 / 4, TO = 0x1C / 4 };
enum { TRANSFERS = 0x30 / 4, STARTED = 0x34 / 4, ENDED = 0x3C / 4, LINES = 0x40 / 4, REGISTER_DATA = 0x44 / 4 };
enum { SEND_RAW = 1, SEND_L1 = 2, SEND_REGISTER = 4 };

#define STATUS_ONGOING (1u << 16)

bool tf_eth_is_command(const struct tf_eth_arch *arch, uint32_t address)
{
    uint32_t offset = address - arch->tx.first;
    return offset < arch->tx.queues * arch->tx.stride && offset % arch->tx.stride == 4 * COMMAND;
}

static unsigned queue_of(const struct tf_eth_arch *arch, uint32_t address)
{
    return (address - arch->tx.first) / arch->tx.stride;
}

static enum tf_eth_kind kind_of(uint32_t command)
{
    return command == SEND_REGISTER ? TF_ETH_REGISTER : command == SEND_L1 ? TF_ETH_L1 : TF_ETH_RAW;
}

/* The reason why a command is wrong, or NULL. */
static const char *why_not_send(const struct tf_tile *tile, const uint32_t *queue, unsigned number, uint32_t command)
{
    uint32_t from = queue[FROM], bytes = queue[BYTES], l1 = tile->arch->l1_bytes;
    if (command == SEND_REGISTER)
        return number >= tf_eth_arch_of(tile)->tx.register_queues ? "this TX queue sends no MMIO write packets"
               : queue[TO] % 4 != 0 ? "ETH_TXQ_DEST_ADDR of an MMIO write is not a multiple of 4"
                                    : NULL;
    if (command != SEND_RAW && command != SEND_L1)
        return "ETH_TXQ_CMD takes 1, 2 or 4";
    if (from > l1 || bytes > l1 - from)
        return "an Ethernet packet's data are beyond L1";
    return command == SEND_L1 && (from | bytes | queue[TO]) % 16 != 0
               ? "addresses and length of a TT-link L1 write are not multiples of 16"
               : NULL;
}

/* Has the queue taken its last command? */
static bool is_ready(const struct tf_tile *tile, unsigned queue)
{
    const struct tf_eth_link *link = tile->mmio.eth->link;
    return link == NULL ||
           (tile->cycle >= link->accepted[queue] && tf_eth_unacknowledged(link, queue, tile->cycle) < TF_ETH_WINDOW);
}

/* Bytes of each packet but the last one. A TT-link packet that is sent is a write of a word, or its payload is a
   multiple of 16. */
static uint32_t part_of(const struct tf_tile *tile, const uint32_t *queue, uint32_t command)
{
    const bool sends = tile->mmio.eth->link != NULL;
    const uint32_t limit = queue[MAX_PACKET];
    if (limit == 0 || (command == SEND_REGISTER && sends))
        return UINT32_MAX;
    return command == SEND_L1 && sends ? tf_max(limit & ~15u, 16) : limit;
}

/* A queue without a link, or whose link is down, sends raw packets once, and nothing arrives. */
static bool send_part(struct tf_tile *tile, struct tf_eth_load *load)
{
    const struct tf_eth_link *link = tile->mmio.eth->link;
    if (link == NULL || load->bytes == 0)
        tf_eth_wire_count(tile, load->queue, load->bytes);
    else if (load->kind != TF_ETH_RAW)
        return tf_eth_resend_begin(tile, load);
    else
        return tf_eth_wire_send(tile, load) != 0;
    return true;
}

static bool send_parts(struct tf_tile *tile, struct tf_eth_load load, uint32_t part)
{
    uint32_t left = load.bytes;
    do {
        load.bytes = tf_min(left, part);
        if (!send_part(tile, &load))
            return false;
        left -= load.bytes;
        load.from += load.bytes;
        load.to += load.kind == TF_ETH_L1 ? load.bytes : 0;
    } while (left != 0);
    return true;
}

/* Tell a race checker of TT-link packets, whose first number was `first`. */
static void tell(struct tf_tile *tile, unsigned from, const struct tf_eth_load *load, uint64_t first)
{
    struct tf_check *check = tile->check;
    if (TF_HOOK(check) == NULL || check->sent == NULL || load->kind == TF_ETH_RAW)
        return;
    const uint64_t count = tile->mmio.eth->link->window[load->queue].next - first;
    const struct tf_check_packet packet = {
        .number = first,
        .count = count,
        .cycle = tile->cycle,
        .address = load->from,
        .bytes = load->kind == TF_ETH_L1 ? load->bytes : 0,
        .core = from,
        .queue = load->queue,
    };
    if (count != 0)
        check->sent(check, &packet);
}

enum tf_access tf_eth_send(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t command)
{
    const struct tf_eth_arch *arch = tf_eth_arch_of(tile);
    const unsigned number = queue_of(arch, address);
    uint32_t *queue = tf_eth_word(tile, arch->tx.first + number * arch->tx.stride);
    struct tf_eth_link *link = tile->mmio.eth->link;
    if (link == NULL && !arch->tx.sends)
        return tf_mmio_fault(tile, from, TF_FAULT_UNSUPPORTED, address,
                             "nothing can be sent: the link of the Ethernet tile is down");
    const enum tf_eth_kind kind = kind_of(command);
    const unsigned row = tf_eth_frame_row(tile, number, kind);
    const char *why = why_not_send(tile, queue, number, command);
    if (why == NULL && !is_ready(tile, number))
        why = "ETH_TXQ_CMD is written before the TX queue has taken the last command";
    if (why == NULL)
        why = tf_eth_frame_why_not(tile, row);
    if (why != NULL)
        return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address, why);
    struct tf_eth_load load = {
        .from = queue[FROM],
        .to = kind != TF_ETH_RAW ? queue[TO] : 0,
        .bytes = kind == TF_ETH_REGISTER ? 4 : queue[BYTES],
        .value = queue[REGISTER_DATA],
        .kind = (uint8_t)kind,
        .queue = (uint8_t)number,
        .row = (uint8_t)row,
    };
    const uint64_t turn = link != NULL ? tf_max(link->free, tile->cycle + 1) : 0;
    const uint64_t first = link != NULL ? link->window[number].next : 0;
    queue[TRANSFERS]++;
    if (link != NULL)
        tf_eth_trail_command(tile, from, &load);
    if (link != NULL && TF_HOOK(link->late) != NULL)
        tf_eth_late_command(tile, from);
    const bool sent = send_parts(tile, load, part_of(tile, queue, command));
    tf_path_unref(load.path);
    if (!sent)
        return tf_mmio_fault(tile, from, TF_FAULT_HOST, address, "the host has no memory for an Ethernet packet");
    if (link != NULL && TF_HOOK(link->late) != NULL)
        tf_eth_late_command(tile, TF_FROM_NOC);
    if (link != NULL)
        tell(tile, from, &load, first);
    if (link != NULL) /* a raw packet's data are read while it is sent */
        link->accepted[number] = kind == TF_ETH_RAW ? tf_max(link->free, tile->cycle + 1) : turn;
    return TF_ACCESS_OK;
}

bool tf_eth_load_sending(const struct tf_tile *tile, uint32_t address, uint32_t *value, bool *pure)
{
    const struct tf_eth_arch *arch = tf_eth_arch_of(tile);
    const struct tf_eth_link *link = tile->mmio.eth->link;
    uint32_t offset = address - arch->tx.first;
    if (offset >= arch->tx.queues * arch->tx.stride || link == NULL)
        return false;
    const unsigned number = queue_of(arch, address);
    const bool ready = is_ready(tile, number);
    const struct tf_eth_early early = tf_eth_wire_early(link, number, tile->cycle);
    bool settled = ready;
    switch (offset % arch->tx.stride / 4) {
    case COMMAND: *value = !arch->tx.has_status && !ready; break;
    case STATUS:
        if (!arch->tx.has_status)
            return false;
        *value = ready ? 0 : STATUS_ONGOING;
        break;
    case TRANSFERS: *value = *tf_eth_word(tile, address) - !ready; break;
    case STARTED:
        *value = *tf_eth_word(tile, address) - early.started;
        settled = early.started == 0;
        break;
    case ENDED:
        *value = *tf_eth_word(tile, address) - early.ended;
        settled = early.ended == 0;
        break;
    case LINES:
        *value = *tf_eth_word(tile, address) - early.lines;
        settled = early.ended == 0;
        break;
    default: return false;
    }
    *pure = *pure && settled;
    return true;
}
