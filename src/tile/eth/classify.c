/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page's stages have their names here. The byte order of addresses in registers is on no page: as in the table of
 * headers of TX queues, an address is a little-endian number.
 */
#include "tile/eth/classify.h"

#include <string.h>

#include "tile/eth/frame.h"
#include "tile/eth/parts.h"
#include "tile/eth/rx.h"
#include "tile/eth/word.h"

/* Registers of stages 2 and 7, from TF_ETH_LINK_BASE on. */
enum { EOP_GOOD = 0x8120, ROUTING = 0x8150, ADDRESS_ROUTING = 0x8154 };

/* Registers of the classifier, from TF_ETH_RX_FIRST on. */
enum {
    DEFINED_TYPE = 0x000,
    DEFINED_VLAN = 0x400,
    DEFINED_S_TAG = 0x408,
    DEFINED_C_TAG = 0x410,
    DEFINED_L3 = 0x418,
    DEFINED_SOURCE = 0x420,
    DEFINED_DESTINATION = 0x440,
    DEFINED_L4 = 0x460,
    DEFINED_PORTS = 0x468,
    USER_MAC = 0x800,
    USER_REDUCED_MAC = 0x810,
    REDUCED_MAC = 0x818,
    USER_TYPE = 0x840,
    USER_REDUCED_TYPE = 0x848,
    REDUCED_TYPE = 0x850,
    USER_PROTOCOL = 0x8A0,
    USER_REDUCED_PROTOCOL = 0x8A8,
    REDUCED_PROTOCOL = 0x8B0,
    RULE_PORTS = 0x900,
    RULES = 0x940,
    ROW_MAPPING = 0xC00,
    NO_MATCH = 0xD00, /* labels, actions, VLAN, software metadata, as in rows of the flow table */
    OVERRIDE = 0x1000,
    HEADER_ERRORS = 0x1004,
};

enum { TYPE_VLAN = 0x8100, TYPE_S_VLAN = 0x88A8, TYPE_IPV4 = 0x0800, TYPE_IPV6 = 0x86DD, TYPE_CONTROL = 0x8808 };
enum { NOT_IP = 0, IPV4 = 1, IPV6 = 3 }; /* kinds of rows, and of L3 headers */
enum { ICMP = 0x01, IGMP = 0x02, TCP = 0x06, UDP = 0x11, ICMP_6 = 0x3A };
enum { ACTION_DROP = 1 << 2, ACTION_REMOVE = 1 << 3, ACTION_TIME = 1 << 4 };
enum { ACTION_SOFTWARE = 1 << 5, ACTION_HARDWARE = 1 << 6 };
enum { LABELS, ACTIONS, VLAN, METADATA };
enum { BAD_IPV4 = 1, BAD_IPV6 = 2, BAD_TCP = 4 }; /* bits of HEADER_ERROR_CONTROL */

/* Words of a row of the TCAM (rx.c). */
enum { ROW_KIND = 0, ROW_FROM = 1, ROW_TO = 5, ROW_FROM_FLAGS = 9, ROW_TO_FLAGS = 10, ROW_FROM_PORT = 11 };
enum { ROW_TO_PORT = 12, ROW_PROTOCOL = 13, ROW_TYPE = 14, ROW_PRIORITY = 15 };

/* What stage 3 finds in a frame. */
struct found {
    uint32_t type;
    uint32_t s_tag, c_tag; /* 0: none */
    uint32_t priority;
    uint32_t l3, protocol;
    uint32_t from[4], to[4]; /* addresses of the L3 header; else MAC addresses */
    bool has_l4, udp_rules, tcp_rules;
    uint32_t from_port, to_port;
    uint32_t bad;
    uint32_t type_at; /* offset of the type */
    uint32_t headers; /* bytes of IP and UDP headers behind it */
};

static uint32_t get_16(const struct tf_eth_packet *packet, uint32_t at)
{
    return at + 2 <= packet->frame_bytes ? (uint32_t)packet->frame[at] << 8 | packet->frame[at + 1] : 0;
}

static uint32_t get_32(const struct tf_eth_packet *packet, uint32_t at)
{
    return get_16(packet, at) << 16 | get_16(packet, at + 2);
}

static uint32_t get_8(const struct tf_eth_packet *packet, uint32_t at)
{
    return get_16(packet, at) >> 8;
}

static uint32_t word(const struct tf_eth_rx *rx, uint32_t offset, unsigned index)
{
    return rx->word[offset / 4 + index];
}

/* An address of `bytes` bytes as a little-endian number. */
static void get_address(const struct tf_eth_packet *packet, uint32_t at, uint32_t bytes, uint32_t to[4])
{
    memset(to, 0, 16);
    for (uint32_t i = 0; i < bytes && at + bytes <= packet->frame_bytes; i++)
        to[i / 4] |= (uint32_t)packet->frame[at + bytes - 1 - i] << 8 * (i % 4);
}

/* ---- Stage 3: headers ---- */

static void find_tags(const struct tf_eth_rx *rx, const struct tf_eth_packet *packet, struct found *found)
{
    uint32_t at = 2 * TF_ETH_MAC_BYTES;
    if (get_16(packet, at) == TYPE_S_VLAN && get_16(packet, at + 4) == TYPE_VLAN) {
        found->s_tag = get_32(packet, at);
        at += 4;
    }
    if (get_16(packet, at) == TYPE_VLAN) {
        found->c_tag = get_32(packet, at);
        at += 4;
    }
    found->priority = (found->s_tag != 0 ? found->s_tag : found->c_tag) >> 13 & 7;
    found->type_at = at;
    found->type = get_16(packet, at);
    for (unsigned i = 0; i < 2; i++)
        if ((word(rx, DEFINED_TYPE, i) & 0xFFFF) == found->type) {
            found->type = word(rx, DEFINED_TYPE, i) >> 16;
            break;
        }
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t how = word(rx, DEFINED_VLAN, i) >> 16 & 3;
        if ((word(rx, DEFINED_VLAN, i) & 0xFFFF) != found->type || (how != 1 && how != 3))
            continue;
        found->c_tag = word(rx, DEFINED_C_TAG, i);
        found->s_tag = how == 3 ? word(rx, DEFINED_S_TAG, i) : found->s_tag;
        break;
    }
}

static void find_defined_l3(const struct tf_eth_rx *rx, unsigned i, struct found *found)
{
    const uint32_t kind = word(rx, DEFINED_L3, i) >> 24 & 7;
    if (kind != 5 && kind != 7)
        return;
    found->l3 = kind == 5 ? IPV4 : IPV6;
    found->protocol = word(rx, DEFINED_L3, i) >> 16 & 0xFF;
    for (unsigned j = 0; j < (kind == 5 ? 1u : 4u); j++) {
        found->from[j] = word(rx, DEFINED_SOURCE, i + (3 - j) * 2);
        found->to[j] = word(rx, DEFINED_DESTINATION, i + (3 - j) * 2);
    }
}

static bool is_unsupported_next(uint32_t next)
{
    static const uint8_t list[] = {0, 43, 44, 50, 51, 60, 135, 139, 140, 253, 254};
    return memchr(list, (int)next, sizeof list) != NULL;
}

/* Returns the offset of the L4 header. 0: it is not in the frame. */
static uint32_t find_l3(const struct tf_eth_rx *rx, const struct tf_eth_packet *packet, struct found *found)
{
    const uint32_t at = found->type_at + 2;
    for (unsigned i = 0; i < 2; i++)
        if ((word(rx, DEFINED_L3, i) & 0xFFFF) == found->type) {
            find_defined_l3(rx, i, found);
            return 0;
        }
    if (found->type == TYPE_IPV4) {
        found->l3 = IPV4;
        found->protocol = get_8(packet, at + 9);
        found->bad |= (get_8(packet, at) & 15) != 5 ? BAD_IPV4 : 0;
        get_address(packet, at + 12, 4, found->from);
        get_address(packet, at + 16, 4, found->to);
        return at + 20;
    }
    if (found->type != TYPE_IPV6)
        return 0;
    found->l3 = IPV6;
    found->protocol = get_8(packet, at + 6);
    found->bad |= is_unsupported_next(found->protocol) ? BAD_IPV6 : 0;
    get_address(packet, at + 8, 16, found->from);
    get_address(packet, at + 24, 16, found->to);
    return at + 40;
}

static void find_l4(const struct tf_eth_rx *rx, const struct tf_eth_packet *packet, uint32_t at, struct found *found)
{
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t fields = word(rx, DEFINED_L4, i), ports = word(rx, DEFINED_PORTS, i);
        if ((fields & 0xFF) != found->protocol)
            continue;
        found->has_l4 = true;
        found->tcp_rules = fields >> 8 & 1;
        found->udp_rules = fields >> 12 & 1;
        found->to_port = ports & 0xFFFF;
        found->from_port = ports >> 16;
        return;
    }
    if (at == 0 || (found->protocol != UDP && found->protocol != TCP))
        return;
    found->has_l4 = true;
    found->udp_rules = found->protocol == UDP;
    found->tcp_rules = found->protocol == TCP;
    found->from_port = get_16(packet, at);
    found->to_port = get_16(packet, at + 2);
    if (found->protocol == TCP && get_8(packet, at + 12) >> 4 != 5)
        found->bad |= BAD_TCP;
}

static void find(const struct tf_eth_rx *rx, const struct tf_eth_packet *packet, struct found *found)
{
    memset(found, 0, sizeof *found);
    find_tags(rx, packet, found);
    const uint32_t l4 = find_l3(rx, packet, found);
    if (found->l3 != NOT_IP)
        find_l4(rx, packet, l4, found);
    if (l4 != 0)
        found->headers = l4 - found->type_at - 2 + (found->protocol == UDP ? 8 : 0);
    if (found->l3 != NOT_IP)
        return;
    get_address(packet, 0, TF_ETH_MAC_BYTES, found->to);
    get_address(packet, TF_ETH_MAC_BYTES, TF_ETH_MAC_BYTES, found->from);
}

/* ---- Stage 3: augmentation ---- */

static uint32_t reduce_type(const struct tf_eth_rx *rx, uint32_t type)
{
    static const uint16_t list[] = {0,      0x0800, 0x86DD, 0x0806, 0x8035, 0x0842, 0x8902, 0x22E7,
                                    0x22E9, 0x8940, 0x88F7, 0x888E, 0x88CC, 0x8915, 0x88B7};
    for (unsigned i = 0; i < 2; i++)
        if ((word(rx, USER_TYPE, i) & 0xFFFF) == type)
            return word(rx, USER_REDUCED_TYPE, i) & 15;
    for (unsigned i = 0; i < sizeof list / sizeof list[0]; i++)
        if (i == 0 ? type < 0x600 : list[i] == type)
            return word(rx, REDUCED_TYPE, i) & 15;
    return 0;
}

static uint32_t reduce_mac(const struct tf_eth_rx *rx, const uint32_t to[4])
{
    static const struct {
        uint32_t high, low, low_mask;
    } list[] = {{0x0180, 0xC200000E, ~0u},  {0x0180, 0xC2000000, ~15u}, {0x0180, 0xC2000010, ~15u},
                {0x0180, 0xC2000020, ~15u}, {0x0180, 0xC2000030, ~0u},  {0x0180, 0xC2000000, 0xFF000000},
                {0x011B, 0x19000000, ~0u}};
    for (unsigned i = 0; i < 2; i++)
        if (word(rx, USER_MAC, 2 * i) == to[0] && (word(rx, USER_MAC, 2 * i + 1) & 0xFFFF) == to[1])
            return word(rx, USER_REDUCED_MAC, i) & 15;
    for (unsigned i = 0; i < sizeof list / sizeof list[0]; i++)
        if (to[1] == list[i].high && (to[0] & list[i].low_mask) == list[i].low)
            return word(rx, REDUCED_MAC, i) & 15;
    return 0;
}

static uint32_t reduce_protocol(const struct tf_eth_rx *rx, uint32_t protocol)
{
    static const uint8_t list[] = {ICMP, IGMP, TCP, UDP, ICMP_6};
    for (unsigned i = 0; i < 2; i++)
        if ((word(rx, USER_PROTOCOL, i) & 0xFF) == protocol)
            return word(rx, USER_REDUCED_PROTOCOL, i) & 15;
    for (unsigned i = 0; i < sizeof list; i++)
        if (list[i] == protocol)
            return word(rx, REDUCED_PROTOCOL, i) & 15;
    return 0;
}

static uint32_t reduce_port(const struct tf_eth_rx *rx, const struct found *found, uint32_t port, bool destination)
{
    for (unsigned i = 0; i < 16; i++) {
        const uint32_t rule = word(rx, RULES, i), low = word(rx, RULE_PORTS, i) & 0xFFFF;
        const uint32_t high = word(rx, RULE_PORTS, i) >> 16;
        const bool applies = (rule >> 12 & 1 ? found->tcp_rules : found->udp_rules) && (rule >> 8 & 1) == destination;
        const bool matches = rule >> 4 & 1 ? low <= port && port <= high : port == low || port == high;
        if (applies && matches)
            return rule & 15;
    }
    return 0;
}

/* ---- Stages 4 and 5: the row of the flow table ---- */

/* What is compared with the rows of the frame's kind. */
static void make_key(const struct tf_eth_rx *rx, const struct found *found, uint32_t key[TF_ETH_RX_PATTERN_WORDS])
{
    memset(key, 0, TF_ETH_RX_PATTERN_WORDS * sizeof *key);
    key[ROW_KIND] = found->l3;
    memcpy(&key[ROW_FROM], found->from, sizeof found->from);
    memcpy(&key[ROW_TO], found->to, sizeof found->to);
    if (found->l3 == NOT_IP) {
        key[ROW_TO_FLAGS] = reduce_mac(rx, found->to);
        key[ROW_TYPE] = found->type | reduce_type(rx, found->type) << 16;
        key[ROW_PRIORITY] = found->priority;
        return;
    }
    key[ROW_PROTOCOL] = found->protocol | reduce_protocol(rx, found->protocol) << 16;
    if (!found->has_l4)
        return;
    key[ROW_FROM_PORT] = found->from_port | reduce_port(rx, found, found->from_port, false) << 16;
    key[ROW_TO_PORT] = found->to_port | reduce_port(rx, found, found->to_port, true) << 16;
}

#define ALL 0xFFFFFFFFu

static bool matches(const struct tf_eth_rx *rx, unsigned row, const uint32_t key[TF_ETH_RX_PATTERN_WORDS])
{
    /* The bits of each word that rows of a kind have: IPv4, IPv6, and not IP. */
    static const uint32_t ip[TF_ETH_RX_PATTERN_WORDS] = {3,   ALL, ALL, ALL, ALL,     ALL,     ALL,
                                                         ALL, ALL, 0,   0,   0xFFFFF, 0xFFFFF, 0xF00FF};
    static const uint32_t not_ip[TF_ETH_RX_PATTERN_WORDS] = {3, ALL,     0xFFFF, 0, 0, ALL, 0xFFFF,  0,
                                                             0, 0xF0000, 15,     0, 0, 0,   0xFFFFF, 7};
    const uint32_t *bits = key[ROW_KIND] == NOT_IP ? not_ip : ip;
    const uint32_t *value = rx->pattern[0][row], *mask = rx->pattern[1][row];
    if ((value[ROW_KIND] & 3) != key[ROW_KIND])
        return false;
    for (unsigned i = ROW_KIND + 1; i < TF_ETH_RX_PATTERN_WORDS; i++) {
        const bool is_upper = key[ROW_KIND] == IPV4 && i > ROW_FROM && i != ROW_TO && i < ROW_FROM_FLAGS;
        if (!is_upper && ((key[i] ^ value[i]) & bits[i] & ~mask[i]) != 0)
            return false;
    }
    return true;
}

static const uint32_t *find_flow(const struct tf_eth_rx *rx, const struct found *found)
{
    uint32_t key[TF_ETH_RX_PATTERN_WORDS];
    int best = -1;
    if (rx->enabled == 0)
        return &rx->word[NO_MATCH / 4];
    make_key(rx, found, key);
    for (unsigned row = 0; row < TF_ETH_RX_ROWS; row++) {
        const uint32_t priority = word(rx, ROW_MAPPING, row) & 7;
        if (rx->enabled >> row & 1 && matches(rx, row, key) &&
            (best < 0 || priority > (word(rx, ROW_MAPPING, (unsigned)best) & 7)))
            best = (int)row;
    }
    return best < 0 ? &rx->word[NO_MATCH / 4] : rx->flow[word(rx, ROW_MAPPING, (unsigned)best) >> 16 & 63];
}

/* ---- Stage 6: keep, and change ---- */

static bool has_tag(uint32_t required, uint32_t tag)
{
    return (required >> 15 & 1) == 0 || (tag != 0 && (tag & 0xFFF) == (required & 0xFFF));
}

static bool is_dropped(const struct tf_eth_rx *rx, const struct found *found, const uint32_t *flow)
{
    const uint32_t decision = word(rx, OVERRIDE, 0) & 3;
    if (found->bad != 0)
        return (found->bad & ~word(rx, HEADER_ERRORS, 0)) != 0;
    if (decision == 0)
        return false;
    return decision == 1 || flow[ACTIONS] & ACTION_DROP || !has_tag(flow[VLAN] & 0xFFFF, found->c_tag) ||
           !has_tag(flow[VLAN] >> 16, found->s_tag);
}

static void put_prefix(struct tf_eth_arrival *arrival, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        arrival->prefix[arrival->prefix_bytes++] = (uint8_t)(value >> (24 - 8 * i));
}

static void change(const struct tf_eth_packet *packet, const struct found *found, const uint32_t *flow, unsigned eop,
                   struct tf_eth_arrival *arrival)
{
    const uint32_t actions = flow[ACTIONS];
    if (found->bad != 0)
        return;
    if (actions & ACTION_SOFTWARE)
        put_prefix(arrival, flow[METADATA]);
    if (actions & ACTION_HARDWARE)
        put_prefix(arrival, (packet->frame_bytes & 0x3FFF) | eop << 14 | (actions & 3) << 20 |
                                (actions & ACTION_TIME ? 1u << 22 : 0) | (flow[LABELS] & 31) << 24);
    if (!(actions & ACTION_REMOVE) || arrival->prefix_bytes != 0)
        return;
    arrival->tags = found->type_at - 2 * TF_ETH_MAC_BYTES;
    arrival->headers = found->headers;
}

/* ---- Stages 2 and 7 ---- */

/* The code of a frame without errors. */
static unsigned eop_of(const struct tf_eth_packet *packet)
{
    enum { DATA, FLOW_CONTROL, PRIORITY_FLOW_CONTROL, UNSUPPORTED_CONTROL = 5 };
    if (get_16(packet, 2 * TF_ETH_MAC_BYTES) != TYPE_CONTROL)
        return DATA;
    const uint32_t code = get_16(packet, TF_ETH_HEADER_BYTES);
    return code == 0x0001 ? FLOW_CONTROL : code == 0x0101 ? PRIORITY_FLOW_CONTROL : UNSUPPORTED_CONTROL;
}

static unsigned byte_at(const struct tf_eth_packet *packet, const struct tf_eth_arrival *arrival, uint32_t at)
{
    if (at < sizeof arrival->prefix && at < arrival->prefix_bytes)
        return arrival->prefix[at];
    at -= arrival->prefix_bytes;
    at += (at >= TF_ETH_HEADER_BYTES ? arrival->headers : 0) + (at >= 2 * TF_ETH_MAC_BYTES ? arrival->tags : 0);
    return at < packet->frame_bytes ? packet->frame[at] : 0;
}

static int route_by_address(const struct tf_eth_packet *packet, const struct tf_eth_arrival *arrival, uint32_t routes)
{
    enum { BROADCAST = 0, MULTICAST = 4, UNICAST = 8, MMIO = 2 };
    unsigned all = 0xFF;
    for (uint32_t i = 0; i < TF_ETH_MAC_BYTES; i++)
        all &= byte_at(packet, arrival, i);
    unsigned shift = all == 0xFF ? BROADCAST : byte_at(packet, arrival, 0) & 1 ? MULTICAST : UNICAST;
    shift += byte_at(packet, arrival, 216 / 8) & 1 ? MMIO : 0;
    return (int)(routes >> shift & 3);
}

static void classify(const struct tf_tile *tile, const struct tf_eth_packet *packet, struct tf_eth_arrival *arrival)
{
    static const uint32_t no_flow[TF_ETH_RX_FLOW_WORDS];
    const struct tf_eth_rx *rx = tile->mmio.eth->rx;
    const uint32_t *flow = no_flow;
    const unsigned eop = eop_of(packet);
    if (!((*tf_eth_word(tile, TF_ETH_LINK_BASE + EOP_GOOD) ^ TF_ETH_EOP_GOOD_RESET) >> eop & 1))
        return;
    if (rx != NULL) {
        struct found found;
        find(rx, packet, &found);
        flow = find_flow(rx, &found);
        if (is_dropped(rx, &found, flow))
            return;
        change(packet, &found, flow, eop, arrival);
    }
    if ((*tf_eth_word(tile, TF_ETH_LINK_BASE + ROUTING) & 3) == 2)
        arrival->queue = (int)(flow[ACTIONS] & 3);
    else
        arrival->queue = route_by_address(packet, arrival, *tf_eth_word(tile, TF_ETH_LINK_BASE + ADDRESS_ROUTING));
}

/* Firmware routes AB:00:00:00:00:00 to queue 0 and AA:00:00:00:00:00 to queue 1. No page has the registers for it. */
static int queue_of_mac(const struct tf_eth_packet *packet)
{
    static const uint8_t zero[TF_ETH_MAC_BYTES - 1];
    if (memcmp(packet->frame + 1, zero, sizeof zero) != 0)
        return -1;
    return packet->frame[0] == 0xAB ? 0 : packet->frame[0] == 0xAA ? 1 : -1;
}

void tf_eth_classify(const struct tf_tile *tile, const struct tf_eth_packet *packet, struct tf_eth_arrival *arrival)
{
    *arrival = (struct tf_eth_arrival){.queue = -1};
    if (!tf_eth_arch_of(tile)->classifier)
        arrival->queue = queue_of_mac(packet);
    else
        classify(tile, packet, arrival);
    if (arrival->queue >= (int)tf_eth_arch_of(tile)->tx.queues)
        arrival->queue = -1;
}
