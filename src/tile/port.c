/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/port.h"

#include "host/assert.h"

_Static_assert(TF_PORT_CMD_CTRL == TF_FAST_LINE_WORDS, "stores to an initiator reach one line");

const struct tf_fast_map tf_fast_none = {.busy = 0};

/* The place of a word, for struct tf_fast_map. */
static uint16_t place_of(const struct tf_fast *fast, const uint32_t *word)
{
    ptrdiff_t place = word - fast->words;
    TF_ASSERT(place > 0 && place <= UINT16_MAX);
    return (uint16_t)place;
}

void tf_port_register_line(const struct tf_fast *fast, struct tf_fast_map *map, unsigned noc, uint32_t offset,
                           const uint32_t *word, struct tf_port_line line)
{
    uint32_t first = tf_fast_number(TF_NIU_BASE(noc) + offset);
    for (unsigned i = 0; i < TF_FAST_LINE_WORDS; i++) {
        uint16_t place = place_of(fast, word + i);
        map->load[first + i] = line.readable >> i & 1 ? place : 0;
        map->store[first + i] = line.storable >> i & 1 ? place : 0;
    }
}

void tf_port_register(const struct tf_fast *fast, struct tf_fast_map *map, unsigned noc, const uint32_t *initiator,
                      const uint32_t *counter)
{
    const unsigned last = TF_PORT_NODE_ID - TF_PORT_CMD_CTRL;
    map->busy = TF_PORT_CMD_CTRL;
    map->narrow = TF_PORT_PACKET_TAG;
    for (unsigned i = 0; i < TF_PORT_INITIATORS; i++) {
        const uint32_t *word = initiator + i * TF_PORT_INITIATOR_STRIDE;
        tf_port_register_line(fast, map, noc, i * 0x800, word,
                              (struct tf_port_line){.readable = 0xFFFF, .storable = 0xFFFF});
        tf_port_register_line(fast, map, noc, i * 0x800 + TF_FAST_LINE_BYTES, word + TF_FAST_LINE_WORDS,
                              (struct tf_port_line){.readable = (uint16_t)((2u << last) - 1)});
    }
    for (unsigned i = 0; i < TF_PORT_COUNTERS; i += TF_FAST_LINE_WORDS)
        tf_port_register_line(fast, map, noc, 0x200 + 4 * i, counter + i, (struct tf_port_line){.readable = 0xFFFF});
}
