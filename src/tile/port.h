/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tile's port to the NOCs: the registers of its two NIUs. Initiators and counters are words. Most are fast words
 * (fast.h); handlers serve all other registers.
 */
#ifndef TILE_PORT_H
#define TILE_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"
#include "tilefarm_address.h"
#include "tile/fast.h"

#define TF_PORT_BASE TF_NIU_BASE(0) /* NIU 1 is 0x10000 above */

/* Registers of an initiator, at multiples of 0x800. In a NIU's array of words, initiators are STRIDE words apart. */
#define TF_PORT_INITIATORS 4u
#define TF_PORT_INITIATOR_WORDS 17u
#define TF_PORT_INITIATOR_STRIDE 32u
#define TF_PORT_CMD_CTRL 16u /* while it is not 0, stores to the initiator have no effect */
#define TF_PORT_NODE_ID 17u
#define TF_PORT_PACKET_TAG 6u
#define TF_PORT_TAG_MASK TF_FAST_NARROW_MASK

/* Counters, at 0x200. */
#define TF_PORT_COUNTERS 64u

struct tf_noc_port {
    /* Handlers. `offset` counts from the first register of a NIU, and is a multiple of 4. *pure becomes true if reads
       have no effect, and only a delivery or an issue changes the value. */
    enum tf_access (*load)(void *niu, uint32_t offset, uint32_t *value, bool *pure);
    enum tf_access (*store)(void *niu, uint32_t offset, uint32_t value, unsigned core, uint32_t pc);
    void *niu[2];
};

/* Store a word to the NIU register at an address in the fast window; the port must have a handler. It never blocks. */
static inline enum tf_access tf_port_store(const struct tf_noc_port *port, uint32_t address, uint32_t value,
                                           unsigned core, uint32_t pc)
{
    return port->store(port->niu[address >> 16 & 1], address & 0xFFFFu, value, core, pc);
}

/* Load the word of the register at such an address. It never blocks. */
static inline enum tf_access tf_port_load(const struct tf_noc_port *port, uint32_t address, uint32_t *value, bool *pure)
{
    return port->load(port->niu[address >> 16 & 1], address & 0xFFFFu, value, pure);
}

/* Sixteen registers of a NIU, as bits: those whose loads read their word, and those whose stores write it. */
struct tf_port_line {
    uint16_t readable, storable;
};

/*
 * Enter fast words of NIU `noc`, 0 or 1, into a map. `fast` has the words of one tile; other tiles have theirs at equal
 * distances from tf_fast.words. These are 16 registers, whose first is at `offset`, with the words from `word` on.
 */
void tf_port_register_line(const struct tf_fast *fast, struct tf_fast_map *map, unsigned noc, uint32_t offset,
                           const uint32_t *word, struct tf_port_line line);

/* Enter TF_PORT_INITIATORS initiators and TF_PORT_COUNTERS counters in Blackhole's layout. */
void tf_port_register(const struct tf_fast *fast, struct tf_fast_map *map, unsigned noc, const uint32_t *initiator,
                      const uint32_t *counter);

#endif
