/* SPDX-License-Identifier: Apache-2.0 */
/* Steps for a library with a Wormhole chip. ttsim shows some registers at few of their places: those are compared. */
#include "driver.h"

#include <stdbool.h>
#include <string.h>

#include "addresses.h"
#include "wormhole/tilefarm_family.h"

#define CONFIG_BYTES 8u

/* Groups of windows: first offset in BAR 0, number of the first, and bits of an offset in a window. */
static const struct {
    uint64_t first;
    unsigned window, windows, bits;
} groups[] = {{0x00000000, 0, 156, 20}, {0x09C00000, 156, 10, 21}, {0x0B000000, 166, 20, 24}};

static uint64_t add(uint64_t value, uint32_t word)
{
    return hash(value, &word, sizeof word);
}

/* Write the configuration of a window, as one or two words, and return the address of its start. */
static uint64_t point(const struct api *api, unsigned window, uint64_t address, uint64_t fields)
{
    unsigned group = window < 156 ? 0 : window < 166 ? 1 : 2, bits = groups[group].bits;
    uint64_t config = address >> bits | fields << (36 - bits);
    uint64_t at = WINDOW_CONFIG + CONFIG_BYTES * window;
    if (window % 2 != 0)
        api->write(at, &config, 8);
    else
        for (unsigned i = 0; i < 2; i++) {
            uint32_t word = (uint32_t)(config >> 32 * i);
            api->write(at + 4 * i, &word, 4);
        }
    uint64_t first = BAR0 + groups[group].first + ((uint64_t)(window - groups[group].window) << bits);
    uint64_t offset = address & ((1u << bits) - 1);
    note_window(first, 1u << bits, fields & 0x3F, fields >> 6 & 0x3F, address - offset);
    return first + offset;
}

static uint64_t at(const struct api *api, unsigned x, unsigned y, uint64_t address)
{
    return point(api, 170, address, x | y << 6);
}

static uint32_t word_at(const struct api *api, unsigned x, unsigned y, uint64_t address)
{
    uint32_t word;
    api->read(at(api, x, y, address), &word, 4);
    return word;
}

static void put_word(const struct api *api, unsigned x, unsigned y, uint64_t address, uint32_t word)
{
    api->write(at(api, x, y, address), &word, 4);
}

/* Node numbers by both names of a tile, by both NOCs' registers. */
uint64_t wormhole_identification(const struct api *api)
{
    /* Nodes of a channel in the order in which it shows their NIUs. ttsim shows a node its own in all places. */
    static const uint8_t dram[6][3][2] = {{{0, 1}, {0, 11}, {0, 0}}, {{0, 7}, {0, 5}, {0, 6}},
                                          {{5, 1}, {5, 11}, {5, 0}}, {{5, 10}, {5, 2}, {5, 9}},
                                          {{5, 4}, {5, 8}, {5, 3}},  {{5, 7}, {5, 5}, {5, 6}}};
    uint64_t value = 0;
    for (unsigned y = 18; y < 28; y++)
        for (unsigned x = 18; x < 26; x++)
            for (unsigned niu = 0; niu < 2; niu++)
                value = add(value, word_at(api, x, y, NIU_AT(0, NODE_ID) + niu * 0x10000));
    for (unsigned y = 0; y < 7; y += 6)
        for (unsigned x = 1; x < 10; x++)
            value = add(value, x == 5 ? 0 : word_at(api, x, y, NIU_AT(0, NODE_ID)));
    for (unsigned i = 0; i < 6; i++)
        for (unsigned port = 0; port < 3; port++)
            value = add(value, word_at(api, dram[i][port][0], dram[i][port][1], 0x10008002C + port * 0x10000) & 0xFFF);
    for (unsigned niu = 0; niu < 2; niu++) {
        value = add(value, word_at(api, 0, 10, 0x88005002C + niu * 0x8000));
        value = add(value, word_at(api, 0, 10, 0x880050100 + niu * 0x8000) & 1 << 14);
    }
    return add(value, word_at(api, 0, 10, 0xFFFB2002C));
}

/* Something into every Tensix tile and DRAM node, then all of it back, by the other ports of DRAM. */
uint64_t wormhole_patterns(const struct api *api)
{
    static uint8_t data[70000];
    uint64_t value = 0;
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned y = 0; y < 12; y++)
            for (unsigned x = 0; x < 10; x++) {
                bool dram = x == 0 || x == 5, exists = !dram || x == 5 || y < 2 || (y > 4 && y < 8) || y == 11;
                uint32_t bytes = 1 + (x * 7919 + y * 104729) % sizeof data;
                uint64_t address = 0x14000 + x * 331 + y * 1009 + (dram ? (uint64_t)y << 27 : 0);
                if (!exists || (!dram && (y == 0 || y == 6)))
                    continue;
                fill(data, bytes, y * 17 + x);
                if (pass == 0)
                    api->write(at(api, x, y, address), data, bytes);
                else
                    api->read(at(api, x, dram && x == 5 && y == 3 ? 8 : y, address), data, bytes);
                value = pass == 0 ? value : hash(value, data, bytes);
            }
    return value;
}

/* Every window at a tile of its own, and the registers and memories that BAR 4 reaches. */
uint64_t wormhole_windows(const struct api *api)
{
    uint64_t value = 0;
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < 185; i++) {
            unsigned x = 18 + i % 8, y = 18 + i / 8 % 10;
            uint32_t data[13];
            uint64_t to = point(api, i, 0x100000 + i * 52, x | y << 6 | (uint64_t)(i % 3) << 26);
            for (unsigned k = 0; k < 13; k++)
                data[k] = i * 1000 + k;
            if (pass == 0)
                api->write(to, data, sizeof data);
            else
                api->read(to, data, sizeof data);
            value = hash(value, data, sizeof data);
        }
    uint32_t word = 0x12345;
    point(api, 185, 0x100000, 18 | 18 << 6);
    api->write(BAR4 + 0x100000 + 0x40000, &word, 4); /* the last window is the first one of BAR 4 */
    value = add(value, word_at(api, 1, 1, 0x140000));
    api->read(BAR4 + 0x01F30060, &word, 4);
    return add(value, word);
}

uint64_t wormhole_multicast(const struct api *api)
{
    static const uint8_t boxes[][4] = {{18, 18, 25, 27}, {19, 19, 21, 22}, {1, 1, 9, 11}, {24, 23, 24, 23}};
    uint64_t value = 0;
    for (unsigned i = 0; i < sizeof boxes / sizeof boxes[0]; i++) {
        uint8_t data[100];
        fill(data, sizeof data, 77 + i);
        uint64_t fields = boxes[i][2] | boxes[i][3] << 6 | boxes[i][0] << 12 | boxes[i][1] << 18 | 1 << 25;
        api->write(point(api, 5 + 60 * i, 0x20001 + i * 50, fields), data, sizeof data);
    }
    for (unsigned y = 18; y < 28; y++)
        for (unsigned x = 18; x < 26; x++) {
            uint8_t data[300];
            api->read(at(api, x, y, 0x20000), data, sizeof data);
            value = hash(value, data, sizeof data);
        }
    return value;
}

static void region(const struct api *api, unsigned i, uint32_t base, uint32_t limit, uint64_t target)
{
    const uint32_t words[][2] = {{0x04, 0},
                                 {0x00, 0},
                                 {0x08, base},
                                 {0x0C, 0},
                                 {0x10, limit},
                                 {0x14, (uint32_t)target},
                                 {0x18, (uint32_t)(target >> 32)},
                                 {0x04, 1u << 31}};
    for (unsigned k = 0; k < sizeof words / sizeof words[0]; k++)
        api->write(BAR2 + 0x1200 + i * 0x200 + words[k][0], &words[k][1], 4);
}

/* To the PCIe tile and so back into the host's memory, with and without regions. */
uint64_t wormhole_host_memory(const struct api *api)
{
    static const uint32_t places[] = {0x40, 0xF80, 0x40000010, 0xFFFDFE00, 0x5550000};
    uint8_t data[300];
    uint64_t value = 0;
    host_fill(1);
    region(api, 0, 0, 0x3FFF, 0x123456000);
    region(api, 4, 0x40000000, 0x4FFFFFFF, 0x8080);
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
        uint32_t bytes = 1 + i * 37;
        api->read(at(api, 0, 3, 0x800000000 + places[i]), data, bytes);
        value = hash(value, data, bytes);
        fill(data, bytes, 99 + i);
        api->write(at(api, 0, 3, 0x800000000 + places[i] + 64), data, bytes);
    }
    for (unsigned i = 0; i < 7; i++) {
        uint32_t word;
        api->read(BAR2 + 0x1200 + 4 * 0x200 + 4 * i, &word, 4);
        value = add(value, word);
    }
    return host_hash(value);
}

/* A transfer each way, which ends with a word in the host's memory. */
uint64_t wormhole_dma(const struct api *api)
{
    static const uint32_t read[][2] = {{0x02C, 1},      {0x0A8, 0}, {0x300, 0x10}, {0x0CC, 0x7000}, {0x0D0, 0},
                                       {0x0DC, 0xFACA}, {0x0D4, 0}, {0x0D8, 0},    {0x308, 10000},  {0x30C, 0x1234},
                                       {0x310, 0},      {0x318, 0}, {0x314, 0},    {0x030, 0}};
    static const uint32_t write[][2] = {{0x00C, 1},      {0x054, 0},      {0x200, 0x10}, {0x060, 0x7100}, {0x064, 0},
                                        {0x070, 0xBEEF}, {0x068, 0},      {0x06C, 0},    {0x208, 5000},   {0x20C, 0},
                                        {0x210, 0},      {0x214, 0x8004}, {0x218, 0},    {0x010, 0}};
    static uint8_t data[10100];
    uint32_t offset = (uint32_t)(point(api, 3, 0x30010, 20 | 20 << 6) - BAR0);
    host_fill(2);
    for (unsigned i = 0; i < sizeof read / sizeof read[0]; i++)
        api->write(BAR2 + read[i][0], read[i][0] == 0x314 ? &offset : &read[i][1], 4);
    for (unsigned i = 0; i < sizeof write / sizeof write[0]; i++)
        api->write(BAR2 + write[i][0], write[i][0] == 0x20C ? &offset : &write[i][1], 4);
    api->read(at(api, 20, 20, 0x30000), data, sizeof data);
    return host_hash(hash(0, data, sizeof data));
}

static uint32_t telemetry(const struct api *api, uint32_t tag)
{
    uint64_t table = 0x800000000 + word_at(api, 0, 10, 0x8800301D0);
    uint64_t values = 0x800000000 + word_at(api, 0, 10, 0x8800301D4);
    for (uint32_t i = 0, count = word_at(api, 0, 10, table + 4); i < count; i++) {
        uint32_t entry = word_at(api, 0, 10, table + 8 + 4 * i);
        if ((entry & 0xFFFF) == tag)
            return word_at(api, 0, 10, values + 4 * (entry >> 16));
    }
    return 0xDEAD;
}

/* The telemetry that the peer has, the older telemetry's firmware version, and messages by scratch registers. */
uint64_t wormhole_arc(const struct api *api)
{
    static const uint8_t codes[] = {0x11, 0x57, 0x58, 0x90, 0xA0, 0x34, 0x2C, 0xBA};
    uint64_t value = 0;
    static const uint8_t tags[] = {1, 2, 3, 4, 11, 13, 14, 15, 16, 21, 22, 28, 32, 52};
    uint32_t word;
    for (uint32_t i = 0; i < sizeof tags; i++)
        value = add(value, telemetry(api, tags[i]));
    value = add(value, word_at(api, 0, 10, 0x8800301D8));
    value = add(value, word_at(api, 0, 10, 0x880030060));
    value = add(value, word_at(api, 0, 10, 0x810000000 + 49 * 4));
    for (uint32_t i = 0; i < sizeof codes; i++) {
        put_word(api, 0, 10, 0x88003006C, i);
        put_word(api, 0, 10, 0x880030074, 0xAA00u | codes[i]);
        word = 1 << 16;
        api->write(BAR0 + 0x1FF30100, &word, 4);
        for (uint32_t offset = 0x6C; offset <= 0x74; offset += 4) {
            api->read(BAR0 + 0x1FF30000 + offset, &word, 4);
            value = add(value, word);
        }
        api->read(BAR0 + 0x1FF30100, &word, 4);
        value = add(value, word);
    }
    put_word(api, 0, 10, 0x810012344, 0x777);
    api->read(BAR0 + 0x1FE92344, &word, 4);
    return add(value, word);
}
