/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/eth/rx.h"

#include <stdlib.h>
#include <string.h>

#include "host/saved.h"

#define ROWS TF_ETH_RX_ROWS

/* Offsets of registers with an effect. */
enum {
    TCAM_ROW_UPDATE = 0xD40,
    TCAM_ROW_STATUS = 0xD44,
    TCAM_FLUSH = 0xD60,
    TCAM_UPDATE = 0xDF0,
    TCAM_READ = 0xE00, /* TCAM_TUPLE_TYPE_READ to TCAM_PRIORITY_READ: hardware writes them */
    TCAM_READ_END = 0xE58,
    FTABLE = 0xE80, /* FTABLE_LABELS, _ACTIONS, _VLAN, _SW_METADATA */
    FTABLE_UPDATE = 0xEA0,
};

#define GO (1u << 31)
#define ROW(value) ((value) % ROWS)
#define ROW_ENABLE (1u << 8)
#define ROW_WRITE (1u << 16)
#define TCAM_MASK (1u << 8)
#define TCAM_WRITE (1u << 9)
#define TCAM_WRITE_NOT_IP (1u << 10)
#define FTABLE_WRITE (1u << 8)

enum { NOT_IP = 1, IP = 2 };

/* The parts of a TCAM row: the registers that write and read each part, and the bit of TCAM_UPDATE that stores it. */
static const struct part {
    uint16_t write, read;
    uint8_t words, update, kinds;
    uint32_t bits;
} parts[] = {
    {0xD80, 0xE00, 1, 21, NOT_IP | IP, UINT32_MAX}, /* TUPLE_TYPE */
    {0xD90, 0xE10, 4, 20, NOT_IP | IP, UINT32_MAX}, /* SA */
    {0xDA0, 0xE20, 4, 19, NOT_IP | IP, UINT32_MAX}, /* DA */
    {0xDB0, 0xE30, 1, 20, NOT_IP, 0xFFFF0000},      /* NON_IP_ADDR_FLAGS of SA */
    {0xDB0, 0xE30, 1, 19, NOT_IP, 0x0000FFFF},      /* and of DA */
    {0xDB4, 0xE34, 1, 18, IP, UINT32_MAX},          /* SRC_PORT */
    {0xDB8, 0xE48, 1, 17, IP, UINT32_MAX},          /* DST_PORT */
    {0xDBC, 0xE4C, 1, 16, IP, UINT32_MAX},          /* PROTOCOL */
    {0xDC0, 0xE50, 1, 22, NOT_IP, UINT32_MAX},      /* ETHERTYPE */
    {0xDC4, 0xE54, 1, 23, NOT_IP, UINT32_MAX},      /* PRIORITY */
};

struct tf_eth_rx *tf_eth_rx_create(void)
{
    return calloc(1, sizeof(struct tf_eth_rx));
}

uint32_t tf_eth_rx_load(const struct tf_eth_rx *rx, uint32_t offset)
{
    return rx->word[offset / 4];
}

static void update_bits(uint32_t *to, const uint32_t *from, const struct part *part)
{
    for (unsigned i = 0; i < part->words; i++)
        to[i] = (to[i] & ~part->bits) | (from[i] & part->bits);
}

/* The parts of a row are consecutive. The first value is the kind, which defines the meaning of the others. */
static void update_pattern(struct tf_eth_rx *rx, uint32_t value)
{
    uint32_t *pattern = rx->pattern[(value & TCAM_MASK) != 0][ROW(value)];
    bool write = value & TCAM_WRITE;
    bool not_ip = write ? value & TCAM_WRITE_NOT_IP : rx->pattern[0][ROW(value)][0] % 4 == 0;
    for (const struct part *part = parts; part < parts + sizeof parts / sizeof parts[0]; pattern += part++->words) {
        if (!(part->kinds & (not_ip ? NOT_IP : IP)))
            continue;
        if (!write)
            update_bits(&rx->word[part->read / 4], pattern, part);
        else if (value >> part->update & 1)
            update_bits(pattern, &rx->word[part->write / 4], part);
    }
}

static void update_row(struct tf_eth_rx *rx, uint32_t value)
{
    uint64_t row = 1ull << ROW(value);
    if (!(value & ROW_WRITE))
        rx->word[TCAM_ROW_STATUS / 4] = ROW(value) | (rx->enabled & row ? ROW_ENABLE : 0);
    else if (value & ROW_ENABLE)
        rx->enabled |= row;
    else
        rx->enabled &= ~row;
}

static void update_flow(struct tf_eth_rx *rx, uint32_t value)
{
    if (value & FTABLE_WRITE)
        memcpy(rx->flow[ROW(value)], &rx->word[FTABLE / 4], sizeof rx->flow[0]);
    else
        memcpy(&rx->word[FTABLE / 4], rx->flow[ROW(value)], sizeof rx->flow[0]);
}

void tf_eth_rx_store(struct tf_eth_rx *rx, uint32_t offset, uint32_t value)
{
    if (offset == TCAM_ROW_STATUS || (offset >= TCAM_READ && offset < TCAM_READ_END))
        return;
    rx->word[offset / 4] = value;
    if (offset == TCAM_FLUSH && value == 1) {
        rx->enabled = 0;
        memset(rx->pattern, 0xFF, sizeof rx->pattern);
    }
    if (!(value & GO))
        return;
    if (offset == TCAM_ROW_UPDATE)
        update_row(rx, value);
    else if (offset == TCAM_UPDATE)
        update_pattern(rx, value);
    else if (offset == FTABLE_UPDATE)
        update_flow(rx, value);
}

void tf_eth_rx_hash(const struct tf_eth_rx *rx, struct tf_hash *hash)
{
    tf_hash_bytes(hash, rx, sizeof *rx);
}

void tf_eth_rx_state(struct tf_saved *saved, struct tf_eth_rx *rx)
{
    tf_saved_memory(saved, rx, sizeof *rx);
}
