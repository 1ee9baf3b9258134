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

#define TF_PORT_BASE 0xFFB20000u

/* Words of an initiator, from multiples of 0x800 on; the last is NOC_CMD_CTRL. */
#define TF_PORT_INITIATOR_WORDS 17u
#define TF_PORT_CMD_CTRL 16u
#define TF_PORT_PACKET_TAG 6u
#define TF_PORT_TAG_MASK 0xFFFFu

/* Counters, at 0x200; those from NARROW_FIRST on have 8 bits. */
#define TF_PORT_COUNTERS 64u
#define TF_PORT_NARROW_FIRST 16u
#define TF_PORT_NARROW_COUNT 32u

struct tf_noc_port {
    /* `offset` is relative to a NIU's registers, a multiple of 4. *pure: equal reads have no effect and change only
       when something is delivered or issued. */
    enum tf_access (*load)(void *niu, uint32_t offset, uint32_t *value, bool *pure);
    enum tf_access (*store)(void *niu, uint32_t offset, uint32_t value, unsigned core, uint32_t pc);
    void *niu[2];
    /* Of each NIU, the words of its initiators one after another, and its counters. NULL: load() and store() do all. */
    uint32_t *initiator[2];
    const uint32_t *counter[2];
    const uint32_t *node_id[2];   /* NOC_NODE_ID, behind NOC_CMD_CTRL of each initiator */
};

/* Is it a word of a NIU's registers? */
static inline bool tf_port_reaches(uint32_t address)
{
    return (address & 0xFFFE0003u) == TF_PORT_BASE;
}

/* Where the register at an address lies, if loading it is no more than to read that word under *mask; else NULL. */
static inline const uint32_t *tf_port_word(const struct tf_noc_port *port, uint32_t address, uint32_t *mask)
{
    unsigned noc = address >> 16 & 1, word = address >> 2 & 63;
    *mask = UINT32_MAX;
    if ((address & 0xFFFEFF03u) == TF_PORT_BASE + 0x200 && port->counter[noc] != NULL) {
        if (word - TF_PORT_NARROW_FIRST < TF_PORT_NARROW_COUNT)
            *mask = 0xFF;
        return port->counter[noc] + word;
    }
    if ((address & 0xFFFEE703u) != TF_PORT_BASE || port->initiator[noc] == NULL)
        return NULL;
    if (word < TF_PORT_INITIATOR_WORDS)
        return port->initiator[noc] + (address >> 11 & 3) * TF_PORT_INITIATOR_WORDS + word;
    return word == TF_PORT_INITIATOR_WORDS ? port->node_id[noc] : NULL;
}

/* Words of the initiator whose register at an address does nothing but keep what is stored there. NULL: it is another
   register, or the initiator waits, and store() must. */
static inline uint32_t *tf_port_open(const struct tf_noc_port *port, uint32_t address)
{
    uint32_t *words = port->initiator[address >> 16 & 1];
    if ((address & 0xFFFEE7C3u) != TF_PORT_BASE || words == NULL)
        return NULL;
    words += (address >> 11 & 3) * TF_PORT_INITIATOR_WORDS;
    return words[TF_PORT_CMD_CTRL] == 0 ? words : NULL;
}

static inline void tf_port_keep(uint32_t *words, uint32_t address, uint32_t value)
{
    unsigned word = address >> 2 & 15;
    words[word] = word == TF_PORT_PACKET_TAG ? value & TF_PORT_TAG_MASK : value;
}

/* Is it another register of the same initiator that only keeps? */
static inline bool tf_port_beside(uint32_t address, uint32_t other)
{
    return ((address ^ other) & ~0x3Cu) == 0;
}

#endif
