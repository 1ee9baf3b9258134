/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/port.h"

/* Lines of a NIU: two of each initiator, the second from NOC_CMD_CTRL on, then those of the counters. */
#define COUNTER_LINES (TF_PORT_COUNTERS / TF_FAST_LINE_WORDS)
#define NIU_LINES (2 * TF_PORT_INITIATORS + COUNTER_LINES)
#define FIRST_LINE(noc) (1 + (noc)*NIU_LINES)

_Static_assert(FIRST_LINE(2) == TF_FAST_LINES, "all lines are used");
_Static_assert(NIU_LINES == TF_PORT_LINES, "port.h tells the number");
_Static_assert(TF_PORT_CMD_CTRL == TF_FAST_LINE_WORDS, "NOC_CMD_CTRL begins a line");

#define AT(noc, offset) [((noc)*0x10000u + (offset)) / TF_FAST_LINE_BYTES]
#define INITIATOR(noc, i)                                                \
    AT(noc, (i)*0x800)                                                   \
    = FIRST_LINE(noc) + 2 * (i), AT(noc, (i)*0x800 + TF_FAST_LINE_BYTES) \
    = FIRST_LINE(noc) + 2 * (i) + 1
/* clang-format off */
#define COUNTERS(noc, i) AT(noc, 0x200 + (i) * TF_FAST_LINE_BYTES) = FIRST_LINE(noc) + 2 * TF_PORT_INITIATORS + (i)
/* clang-format on */
#define NIU(noc)                                                                                                    \
    INITIATOR(noc, 0), INITIATOR(noc, 1), INITIATOR(noc, 2), INITIATOR(noc, 3), COUNTERS(noc, 0), COUNTERS(noc, 1), \
        COUNTERS(noc, 2), COUNTERS(noc, 3)

const uint8_t tf_port_lines[TF_FAST_WINDOW_LINES] = {NIU(0), NIU(1)};

/* The difference between an array of words and the addresses of its registers, which begin at `offset` in NIU `noc`. */
static uintptr_t bias(const uint32_t *word, unsigned noc, uint32_t offset)
{
    return (uintptr_t)word - (TF_FAST_BASE + noc * 0x10000u + offset);
}

/* For tf_fast_line.readable and .storable: registers of a line, as bits. */
static uint32_t both_halves(uint32_t registers)
{
    return registers * 0x10001u;
}

static uint32_t first(unsigned count)
{
    return both_halves((1u << count) - 1);
}

void tf_port_register(struct tf_fast *fast, unsigned noc, uint32_t *initiator, uint32_t *counter)
{
    struct tf_fast_line *line = &fast->line[FIRST_LINE(noc)];
    fast->line_of = tf_port_lines;
    for (unsigned i = 0; i < TF_PORT_INITIATORS; i++) {
        uint32_t *word = initiator + i * TF_PORT_INITIATOR_STRIDE;
        *line++ = (struct tf_fast_line){.bias = bias(word, noc, i * 0x800),
                                        .readable = first(TF_FAST_LINE_WORDS),
                                        .storable = first(TF_FAST_LINE_WORDS),
                                        .busy = word + TF_PORT_CMD_CTRL,
                                        .narrow = word + TF_PORT_PACKET_TAG};
        *line++ = (struct tf_fast_line){.bias = bias(word, noc, i * 0x800),
                                        .readable = first(TF_PORT_NODE_ID - TF_PORT_CMD_CTRL + 1)};
    }
    for (unsigned i = 0; i < COUNTER_LINES; i++)
        *line++ = (struct tf_fast_line){.bias = bias(counter, noc, 0x200), .readable = first(TF_FAST_LINE_WORDS)};
}

void tf_port_register_line(struct tf_fast *fast, uint8_t *lines, unsigned noc, unsigned number, uint32_t offset,
                           const uint32_t *word, struct tf_fast_line line)
{
    lines[(noc * 0x10000u + offset) / TF_FAST_LINE_BYTES] = (uint8_t)(FIRST_LINE(noc) + number);
    fast->line_of = lines;
    line.bias = bias(word, noc, offset);
    line.readable = both_halves(line.readable);
    line.storable = both_halves(line.storable);
    fast->line[FIRST_LINE(noc) + number] = line;
}
