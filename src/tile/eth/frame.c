/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/eth/frame.h"

#include <stdlib.h>
#include <string.h>

#include "host/shared.h"
#include "tile/eth/parts.h"
#include "tile/eth/word.h"

/* Words of a TX queue: Wormhole's addresses and type, Blackhole's choice of headers. */
enum { CONTROL = 0x00 / 4, TO_HIGH = 0x50 / 4, TO_LOW = 0x54 / 4, FROM_HIGH = 0x58 / 4, FROM_LOW = 0x5C / 4 };
enum { TYPE = 0x60 / 4, CHOICE = 0x80 / 4 };
#define CONTROL_USE_TYPE (1u << 2)

/* Words of an entry of the table of headers. */
enum { INSERT = 0x00 / 4, CUSTOM = 0x04 / 4, MAC_FROM = 0x10 / 4, MAC_TO = 0x18 / 4, USE_TYPE = 0x20 / 4 };
enum { VLAN_1 = 0x24 / 4, VLAN_2 = 0x28 / 4, L3 = 0x30 / 4, L4 = 0x60 / 4, ROW_WORDS = 0x80 / 4 };
#define ROWS 10u

enum { INSERT_VLAN_1 = 1u << 0, INSERT_VLAN_2 = 1u << 4, INSERT_L3 = 1u << 8, INSERT_L4 = 1u << 16 };
enum { INSERT_CHECKSUM = 1u << 18, INSERT_ICRC = 1u << 26 };
enum { IPV4 = 0, IPV6 = 1, RESERVED = 2, CUSTOM_HEADER = 3 };
enum { UDP = 0, TCP = 1 };
#define L3_TYPE(insert) ((insert) >> 12 & 3)
#define L4_TYPE(insert) ((insert) >> 20 & 3)
#define PROTOCOL_TCP 6u
#define PROTOCOL_UDP 17u

/* The place of this bit is on the page (MAC_RX_ADDR_ROUTING: bit 216 of a frame). The places of numbers and address in
   the header of a TT-link packet are on no page: these are ours, and only raw buffers show them. */
enum { TT_SEQUENCE = 0, TT_ACKNOWLEDGED = 1, TT_ADDRESS = 2, TT_MMIO = 13 };

static const uint32_t *queue_of(const struct tf_tile *tile, unsigned queue)
{
    const struct tf_eth_arch *arch = tf_eth_arch_of(tile);
    return tf_eth_word(tile, arch->tx.first + queue * arch->tx.stride);
}

static const uint32_t *row_of(const struct tf_tile *tile, unsigned row)
{
    return tf_eth_word(tile, tf_eth_arch_of(tile)->tx.headers) + row * ROW_WORDS;
}

unsigned tf_eth_frame_row(const struct tf_tile *tile, unsigned queue, enum tf_eth_kind kind)
{
    const unsigned shift = kind == TF_ETH_RAW ? 0 : kind == TF_ETH_REGISTER ? 4 : 8;
    return tf_eth_arch_of(tile)->tx.headers != 0 ? queue_of(tile, queue)[CHOICE] >> shift & 15 : 0;
}

static uint32_t l3_bytes(const uint32_t *row)
{
    if (!(row[INSERT] & INSERT_L3))
        return 0;
    return L3_TYPE(row[INSERT]) == IPV4 ? 20 : L3_TYPE(row[INSERT]) == IPV6 ? 40 : row[CUSTOM] & 0xFFFF;
}

static uint32_t l4_bytes(const uint32_t *row)
{
    if (!(row[INSERT] & INSERT_L4))
        return 0;
    return L4_TYPE(row[INSERT]) == UDP ? 8 : L4_TYPE(row[INSERT]) == TCP ? 20 : row[CUSTOM] >> 16;
}

static uint32_t vlan_bytes(const uint32_t *row)
{
    return !(row[INSERT] & INSERT_VLAN_1) ? 0 : row[INSERT] & INSERT_VLAN_2 ? 8 : 4;
}

const char *tf_eth_frame_why_not(const struct tf_tile *tile, unsigned row)
{
    if (tf_eth_arch_of(tile)->tx.headers == 0)
        return NULL;
    if (row >= ROWS)
        return "the table of headers has 10 entries";
    const uint32_t *entry = row_of(tile, row);
    if (entry[INSERT] & INSERT_ICRC)
        return "inserting a RoCE checksum is not implemented";
    if ((entry[INSERT] & INSERT_L3 && L3_TYPE(entry[INSERT]) == RESERVED) ||
        (entry[INSERT] & INSERT_L4 && L4_TYPE(entry[INSERT]) == RESERVED))
        return "INSERT_CTL has a reserved type of header";
    if (l3_bytes(entry) > 40 || l3_bytes(entry) % 2 != 0)
        return "CUSTOM_HDR_L3 is not an even number up to 40";
    if (l4_bytes(entry) > 20 || l4_bytes(entry) % 2 != 0)
        return "CUSTOM_HDR_L4 is not an even number up to 20";
    return NULL;
}

static uint8_t *put_16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
    return at + 2;
}

static uint8_t *put_32(uint8_t *at, uint32_t value)
{
    return put_16(put_16(at, value >> 16), value & 0xFFFF);
}

/* Addresses are little-endian numbers: "MAC_SA (in reverse byte order)". */
static uint8_t *put_reversed_mac(uint8_t *at, const uint32_t *word)
{
    put_16(at, word[1] & 0xFFFF);
    put_32(at + 2, word[0]);
    return at + TF_ETH_MAC_BYTES;
}

/* Wormhole, "MAC Addresses": the first octet is the lowest byte. */
static uint8_t *put_mac(uint8_t *at, uint32_t low, uint32_t high)
{
    memcpy(at, &low, 4);
    memcpy(at + 4, &high, 2);
    return at + TF_ETH_MAC_BYTES;
}

/* The sum of the Internet checksum (RFC 1071). */
static uint32_t add_up(uint32_t sum, const uint8_t *data, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        sum += i % 2 == 0 ? (uint32_t)data[i] << 8 : data[i];
    while (sum >> 16 != 0)
        sum = (sum & 0xFFFF) + (sum >> 16);
    return sum;
}

static void fill_l3(uint8_t *l3, uint32_t type, uint32_t behind)
{
    if (type == IPV6)
        put_16(l3 + 4, behind);
    if (type != IPV4)
        return;
    put_16(l3 + 2, 20 + behind);
    put_16(l3 + 10, 0);
    put_16(l3 + 10, ~add_up(0, l3, 20) & 0xFFFF);
}

/* bytes: of the L4 header and what follows. Without a known L3 header there is no pseudo-header, and no checksum. */
static void fill_l4_checksum(const uint32_t *row, const uint8_t *l3, uint8_t *l4, uint32_t bytes)
{
    const uint32_t insert = row[INSERT], l3_type = L3_TYPE(insert), type = L4_TYPE(insert);
    if (!(insert & INSERT_CHECKSUM) || !(insert & INSERT_L3) || l3_type > IPV6 || type > TCP)
        return;
    uint8_t *checksum = l4 + (type == UDP ? 6 : 16);
    uint32_t sum = bytes + (type == UDP ? PROTOCOL_UDP : PROTOCOL_TCP);
    sum = l3_type == IPV4 ? add_up(sum, l3 + 12, 8) : add_up(sum, l3 + 8, 32);
    put_16(checksum, 0);
    sum = ~add_up(sum, l4, bytes) & 0xFFFF;
    put_16(checksum, sum == 0 && type == UDP ? 0xFFFF : sum);
}

/* The headers of Blackhole, in front of `bytes` bytes that are there already. */
static void put_headers_of_row(const uint32_t *row, uint8_t *frame, uint32_t bytes)
{
    const uint32_t l3_size = l3_bytes(row), l4_size = l4_bytes(row);
    uint8_t *at = put_reversed_mac(put_reversed_mac(frame, &row[MAC_TO]), &row[MAC_FROM]);
    if (vlan_bytes(row) != 0)
        at = put_32(at, row[VLAN_1]);
    if (vlan_bytes(row) == 8)
        at = put_32(at, row[VLAN_2]);
    at = put_16(at, row[USE_TYPE] & 0xFF ? row[USE_TYPE] >> 16 : l3_size + l4_size + bytes);
    uint8_t *l3 = at, *l4 = at + l3_size;
    memcpy(l3, &row[L3], l3_size);
    memcpy(l4, &row[L4], l4_size);
    if (l3_size != 0)
        fill_l3(l3, L3_TYPE(row[INSERT]), l4_size + bytes);
    if (l4_size == 0)
        return;
    if (L4_TYPE(row[INSERT]) == UDP)
        put_16(l4 + 4, 8 + bytes);
    fill_l4_checksum(row, l3, l4, l4_size + bytes);
}

static void put_header_of_queue(const uint32_t *queue, uint8_t *frame, uint32_t bytes)
{
    uint8_t *at = put_mac(frame, queue[TO_LOW], queue[TO_HIGH]);
    at = put_mac(at, queue[FROM_LOW], queue[FROM_HIGH]);
    put_16(at, queue[CONTROL] & CONTROL_USE_TYPE ? queue[TYPE] : bytes);
}

static void put_tt_link(uint8_t *at, const struct tf_eth_content *content)
{
    memset(at, 0, TF_ETH_TT_LINK_BYTES);
    at[TT_SEQUENCE] = content->sequence;
    at[TT_ACKNOWLEDGED] = content->acknowledged;
    memcpy(at + TT_ADDRESS, &content->to, 4);
    at[TT_MMIO] = content->kind == TF_ETH_REGISTER;
}

struct tf_eth_packet *tf_eth_frame_make(const struct tf_tile *tile, const struct tf_eth_content *content)
{
    const bool has_table = tf_eth_arch_of(tile)->tx.headers != 0;
    const uint32_t *row = has_table ? row_of(tile, content->row) : NULL;
    const uint32_t inserted = has_table ? vlan_bytes(row) + l3_bytes(row) + l4_bytes(row) : 0;
    const uint32_t tt_link = content->kind != TF_ETH_RAW ? TF_ETH_TT_LINK_BYTES : 0;
    const uint32_t head = TF_ETH_HEADER_BYTES + inserted + tt_link;
    const uint32_t payload = content->kind == TF_ETH_REGISTER ? TF_ETH_REGISTER_BYTES : content->bytes;
    struct tf_eth_packet *packet = malloc(sizeof *packet + head + payload);
    if (packet == NULL)
        return NULL;
    *packet = (struct tf_eth_packet){.to = content->to,
                                     .bytes = content->bytes,
                                     .head = head,
                                     .frame_bytes = head + payload,
                                     .kind = content->kind,
                                     .queue = content->queue};
    memset(packet->frame + head, 0, payload);
    if (tile->mode.shared)
        tf_shared_get(packet->frame + head, content->data, content->bytes);
    else
        memcpy(packet->frame + head, content->data, content->bytes);
    if (tt_link != 0)
        put_tt_link(packet->frame + head - tt_link, content);
    if (has_table)
        put_headers_of_row(row, packet->frame, tt_link + payload);
    else
        put_header_of_queue(queue_of(tile, content->queue), packet->frame, tt_link + payload);
    return packet;
}
