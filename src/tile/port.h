/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tile's way out: the registers of its two NIUs. Most of what cores do there is to fill in an initiator's registers
 * and to look at counters; those are plain words, and who executes instructions may go to them directly.
 */
#ifndef TILE_PORT_H
#define TILE_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/access.h"
#include "tile/address.h"

#define TF_PORT_BASE TF_NIU_BASE(0)

/* Words of an initiator, from multiples of 0x800 on; the last is NOC_CMD_CTRL, and NOC_NODE_ID is behind it. They lie
   as far apart as a few shifts of an address tell. */
#define TF_PORT_INITIATORS 4u
#define TF_PORT_INITIATOR_WORDS 17u
#define TF_PORT_INITIATOR_STRIDE 32u
#define TF_PORT_OFFSET_MASK (4 * TF_PORT_INITIATOR_STRIDE - 1)
#define TF_PORT_CMD_CTRL 16u
#define TF_PORT_NODE_ID 17u
#define TF_PORT_PACKET_TAG 6u
#define TF_PORT_TAG_MASK 0xFFFFu

/* Counters, at 0x200. */
#define TF_PORT_COUNTERS 64u

/* Words that are looked at most, NOC_CMD_CTRL and NOC_NODE_ID, of all initiators of both NIUs. */
#define TF_PORT_STATUSES (2 * TF_PORT_INITIATORS * 2)

struct tf_noc_port {
    /* `offset` is relative to a NIU's registers, a multiple of 4. *pure: equal reads have no effect and change only
       when something is delivered or issued. */
    enum tf_access (*load)(void *niu, uint32_t offset, uint32_t *value, bool *pure);
    enum tf_access (*store)(void *niu, uint32_t offset, uint32_t value, unsigned core, uint32_t pc);
    void *niu[2];
    /* Of each NIU, the words of its initiators, and its counters. NULL: load() and store() do all. */
    uint32_t *initiator[2];
    const uint32_t *counter[2];
    const uint32_t *status[TF_PORT_STATUSES]; /* by tf_port_status_number() */
};

/* Is it a word of a NIU's registers? */
static inline bool tf_port_reaches(uint32_t address)
{
    return (address & 0xFFFE0003u) == TF_PORT_BASE;
}

/* How far behind the first one's the words of the initiator at an address lie. */
static inline unsigned tf_port_initiator_at(uint32_t address)
{
    return address / (0x800 / TF_PORT_INITIATOR_STRIDE) & (TF_PORT_INITIATORS - 1) * TF_PORT_INITIATOR_STRIDE;
}

/* Where the words lie of the initiator that has one at an address; NULL: none has. */
static inline uint32_t *tf_port_initiator(const struct tf_noc_port *port, uint32_t address)
{
    uint32_t *words = port->initiator[address >> 16 & 1];
    if ((address & 0xFFFEE783u) != TF_PORT_BASE || words == NULL)
        return NULL;
    return words + tf_port_initiator_at(address);
}

/* Of one of the words that are looked at most. */
static inline unsigned tf_port_status_number(uint32_t address)
{
    return (address >> 16 & 1) << 3 | (address >> 11 & 3) << 1 | (address >> 2 & 1);
}

#define TF_PORT_STATUS_ADDRESS(number)                                                        \
    (TF_PORT_BASE + 4 * TF_PORT_CMD_CTRL + ((uint32_t)(number) >> 3 << 16) + (((number) >> 1 & 3u) << 11) + \
     (((number) & 1u) << 2))

/* Fill in `status`, when `initiator` is. */
static inline void tf_port_note_statuses(struct tf_noc_port *port)
{
    for (unsigned i = 0; i < TF_PORT_STATUSES; i++) {
        uint32_t address = TF_PORT_STATUS_ADDRESS(i);
        port->status[i] = port->initiator[i / (TF_PORT_STATUSES / 2)] + tf_port_initiator_at(address) +
                          (address >> 2 & (TF_PORT_INITIATOR_STRIDE - 1));
    }
}

/* The one of them at an address; NULL: it is another. */
static inline const uint32_t *tf_port_status(const struct tf_noc_port *port, uint32_t address)
{
    if ((address & 0xFFFEE7FBu) != TF_PORT_BASE + 4 * TF_PORT_CMD_CTRL)
        return NULL;
    return port->status[tf_port_status_number(address)];
}

/* The counter at an address, or NULL. */
static inline const uint32_t *tf_port_counter(const struct tf_noc_port *port, uint32_t address)
{
    const uint32_t *counters = port->counter[address >> 16 & 1];
    if ((address & 0xFFFEFF03u) != TF_PORT_BASE + 0x200 || counters == NULL)
        return NULL;
    return counters + (address >> 2 & (TF_PORT_COUNTERS - 1));
}

/* Where the register at an address lies, if loading it is no more than to read that word; else NULL. */
static inline const uint32_t *tf_port_word(const struct tf_noc_port *port, uint32_t address)
{
    const uint32_t *words = tf_port_initiator(port, address);
    unsigned word = address >> 2 & (TF_PORT_INITIATOR_STRIDE - 1);
    if (words != NULL)
        return word <= TF_PORT_NODE_ID ? words + word : NULL;
    return tf_port_counter(port, address);
}

/* Is the register at this distance from an initiator's first one that only keeps what is stored there? Then
   tf_port_keep(), while NOC_CMD_CTRL is 0, and when that is done, tf_port_kept(). */
static inline bool tf_port_keeps(uint32_t offset)
{
    return (offset & ~0x3Cu) == 0;
}

static inline void tf_port_keep(uint32_t *words, uint32_t offset, uint32_t value)
{
    *(uint32_t *)(void *)((uint8_t *)words + offset) = value;
}

static inline void tf_port_kept(uint32_t *words)
{
    words[TF_PORT_PACKET_TAG] &= TF_PORT_TAG_MASK;
}

#endif
