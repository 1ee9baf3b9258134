/* SPDX-License-Identifier: Apache-2.0 */
/* Steps without programs: configuration space, memory, windows, endpoints. */
#include "driver.h"

#include <stdbool.h>
#include <string.h>

#include "addresses.h"
#include "blackhole/tilefarm_family.h"

static uint64_t add(uint64_t value, uint32_t word)
{
    return hash(value, &word, sizeof word);
}

uint64_t step_config_space(const struct api *api)
{
    uint64_t value = 0;
    for (uint32_t offset = 0; offset < 0x40; offset += 4)
        value = add(value, api->config_read(0, offset));
    value = add(value, api->config_read(1 << 3, 0));
    for (uint32_t offset = 0x04; offset < 0x40; offset += 4) {
        if (offset == 0x08 || (offset >= 0x28 && offset != 0x30 && offset != 0x3C))
            continue;
        uint32_t before = api->config_read(0, offset);
        api->config_write(0, offset, 0xFFFFFFFF);
        value = add(value, api->config_read(0, offset));
        api->config_write(0, offset, before);
        value = add(value, api->config_read(0, offset));
    }
    return value;
}

/* Node numbers, seen from both sides of each tile that shows them in ttsim too. */
uint64_t step_identification(const struct api *api)
{
    uint64_t value = 0;
    for (unsigned y = 1; y < 12; y++)
        for (unsigned x = 1; x < 17; x++) {
            if (x == 8 || x == 9)
                continue;
            value = add(value, get32(api, x, y, NIU_AT(0, NODE_ID)));
            value = add(value, get32(api, x, y, NIU_AT(1, NODE_ID)));
            if (y != 1)
                value = add(value, get32(api, x, y, NIU_AT(0, ID_LOGICAL)));
        }
    for (unsigned noc = 0; noc < 2; noc++) {
        uint32_t word;
        api->read(BAR0 + 0x1FD04044 + noc * 0x10000, &word, 4);
        value = add(value, word);
        api->read(BAR0 + 0x1FD04100 + noc * 0x10000, &word, 4);
        value = add(value, word);
        value = add(value, get32(api, 8, 0, 0x80050044 + noc * 0x8000));
        value = add(value, get32(api, 8, 0, 0x80050100 + noc * 0x8000));
    }
    return add(value, get32(api, 19, 24, 0xFFFFFFFFFF000044));
}

/* Something into every tile with memory, then all of it back. */
uint64_t step_patterns(const struct api *api)
{
    static uint8_t data[70000];
    uint64_t value = 0;
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned y = 0; y < 12; y++)
            for (unsigned x = 0; x < 17; x++) {
                bool dram = x == 0 || x == 9;
                if (x == 8 || (y == 0 && !dram))
                    continue;
                unsigned to_x = dram ? 17 + (x == 0) : x, to_y = dram ? 12 + y : y;
                uint32_t bytes = 1 + (x * 7919 + y * 104729) % sizeof data;
                uint64_t address = 0x4000 + x * 331 + y * 1009 + (dram ? (uint64_t)y << 25 : 0);
                fill(data, bytes, y * 17 + x);
                if (pass == 0)
                    put(api, to_x, to_y, address, data, bytes);
                else
                    get(api, to_x, to_y, address, data, bytes);
                value = pass == 0 ? value : hash(value, data, bytes);
            }
    return value;
}

/* First and last bytes of memories, odd sizes, and what was never written. */
uint64_t step_edges(const struct api *api)
{
    static const struct {
        unsigned x, y;
        uint64_t end;
    } places[] = {{1, 2, 0x180000}, {16, 11, 0x180000}, {1, 1, 0x70000}, {17, 12, 0xFFA00000}, {18, 23, 0xFFA00000}};
    uint64_t value = 0;
    uint8_t data[64];
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++)
        for (uint32_t bytes = 1; bytes <= sizeof data; bytes += 7) {
            fill(data, bytes, bytes);
            put(api, places[i].x, places[i].y, places[i].end - bytes, data, bytes);
            put(api, places[i].x, places[i].y, bytes * 128 + 3, data, bytes);
            memset(data, 0, sizeof data);
            get(api, places[i].x, places[i].y, places[i].end - bytes, data, bytes);
            value = hash(value, data, bytes);
            get(api, places[i].x, places[i].y, bytes * 128 + 2, data, bytes);
            value = hash(value, data, bytes);
        }
    get(api, 18, 12, 0x7654321, data, sizeof data);
    return hash(value, data, sizeof data);
}

/* Every window of BAR 0 and BAR 4 at a tile of its own. */
uint64_t step_windows(const struct api *api)
{
    uint64_t value = 0;
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < 210; i++) {
            unsigned x = 1 + i % 7, y = 2 + i / 7 % 10;
            uint64_t base = i < 202 ? BAR0 + (uint64_t)i * 0x200000 : BAR4 + (uint64_t)(i - 202) * 0x100000000;
            uint32_t offset = 0x100000 + i * 52, data[13];
            const uint32_t word[3] = {0, i < 202 ? x << 11 | y << 17 : x | y << 6, i < 202 ? (i % 3) << 6 : 0};
            for (unsigned k = 0; k < 3; k++)
                api->write(WINDOW_CONFIG + 12 * i + 4 * k, &word[k], 4);
            for (unsigned k = 0; k < 13; k++)
                data[k] = i * 1000 + k;
            if (pass == 0)
                api->write(base + offset, data, sizeof data);
            else
                api->read(base + offset, data, sizeof data);
            value = hash(value, data, sizeof data);
        }
    return value;
}

uint64_t step_multicast(const struct api *api)
{
    static const uint8_t boxes[][4] = {{1, 2, 16, 11}, {3, 4, 5, 6}, {7, 7, 10, 8}, {12, 9, 12, 9}};
    uint64_t value = 0;
    for (unsigned i = 0; i < sizeof boxes / sizeof boxes[0]; i++) {
        const uint32_t x0 = boxes[i][0], y0 = boxes[i][1], x1 = boxes[i][2], y1 = boxes[i][3];
        const uint32_t word[3] = {0, x1 << 11 | y1 << 17 | x0 << 23 | y0 << 29, y0 >> 3 | 1 << 5};
        uint8_t data[100];
        fill(data, sizeof data, 77 + i);
        for (unsigned k = 0; k < 3; k++)
            api->write(WINDOW_CONFIG + 12 * 5 + 4 * k, &word[k], 4);
        api->write(BAR0 + 5 * 0x200000 + 0x20001 + i * 50, data, sizeof data);
    }
    for (unsigned y = 2; y < 12; y++)
        for (unsigned x = 1; x < 17; x++) {
            uint8_t data[256];
            if (x == 8 || x == 9)
                continue;
            get(api, x, y, 0x20000, data, sizeof data);
            value = hash(value, data, sizeof data);
        }
    return value;
}

static uint8_t memory[1 << 16];

void host_reads(uint64_t address, void *data, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        ((uint8_t *)data)[i] = memory[(address + i) % sizeof memory];
}

void host_writes(uint64_t address, const void *data, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        memory[(address + i) % sizeof memory] = ((const uint8_t *)data)[i];
}

void host_fill(uint32_t seed)
{
    fill(memory, sizeof memory, seed);
}

uint64_t host_hash(uint64_t value)
{
    return hash(value, memory, sizeof memory);
}

static void region(const struct api *api, unsigned i, uint64_t base, uint64_t limit, uint64_t target)
{
    const uint32_t words[][2] = {
        {0x08, (uint32_t)base},   {0x0C, (uint32_t)(base >> 32)},
        {0x10, (uint32_t)limit},  {0x20, (uint32_t)(limit >> 32)},
        {0x14, (uint32_t)target}, {0x18, (uint32_t)(target >> 32)},
        {0x00, 1 << 13},          {0x04, 1u << 31},
    };
    for (unsigned k = 0; k < 8; k++)
        api->write(BAR2 + 0x1000 + i * 0x200 + words[k][0], &words[k][1], 4);
}

/* From the host's own window to the PCIe tile and so back into its memory, with and without regions. */
uint64_t step_host_memory(const struct api *api)
{
    uint8_t data[300];
    uint64_t value = 0;
    fill(memory, sizeof memory, 1);
    region(api, 0, 0x0, 0xFFF, 0x123456000);
    region(api, 3, 0x100000000, 0x1000000FF, 0x8080);
    static const uint64_t places[] = {
        0x40, 1ull << 60, 1ull << 60 | 0xF80, 1ull << 60 | 0x100000010, 0x7ull << 58 | 0x555, 0x2ull << 58 | 0xABC};
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
        uint32_t bytes = 1 + i * 37;
        get(api, 19, 24, places[i], data, bytes);
        value = hash(value, data, bytes);
        fill(data, bytes, 99 + i);
        put(api, 2, 0, places[i] + 64, data, bytes);
    }
    for (unsigned i = 0; i < 9; i++) {
        uint32_t word;
        api->read(BAR2 + 0x1600 + 4 * i, &word, 4);
        value = add(value, word);
    }
    return hash(value, memory, sizeof memory);
}

uint64_t step_dma(const struct api *api)
{
    static const uint32_t words[][2] = {{0x11C, 10000}, {0x120, 0x1234}, {0x124, 0}, {0x128, 0x1000},
                                        {0x12C, 0},     {0x100, 1},      {0x104, 1}};
    static uint8_t data[10100];
    uint32_t left;
    fill(memory, sizeof memory, 2);
    aim(api, 5, 5, 0);
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        api->write(BAR2 + words[i][0], &words[i][1], 4);
    api->read(BAR2 + 0x11C, &left, 4);
    get(api, 5, 5, 0xFF0, data, sizeof data);
    return hash(left, data, sizeof data);
}

/* Telemetry by tag, and a message of each kind through the queue. */
uint64_t step_arc(const struct api *api)
{
    static const uint8_t codes[] = {0x11, 0x57, 0x58, 0x90, 0xA0, 0xC7};
    uint64_t value = 0;
    uint32_t table = get32(api, 8, 0, 0x80030434), values = get32(api, 8, 0, 0x80030430);
    uint32_t count = get32(api, 8, 0, table + 4);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t entry = get32(api, 8, 0, table + 8 + 4 * i);
        uint32_t tag = entry & 0xFFFF;
        if (tag == 34 || tag == 36 || tag == 37 || tag == 40)
            continue; /* ttsim has no such entries */
        value = add(value, tag);
        value = add(value,
                    tag == 28 ? 0x12050000 : get32(api, 8, 0, values + 4 * (entry >> 16))); /* bundle: 18.5 there */
    }
    value = add(value, get32(api, 8, 0, 0x80030408));
    uint32_t control = get32(api, 8, 0, 0x8003042C), queue = get32(api, 8, 0, control);
    uint32_t entries = get32(api, 8, 0, control + 4) & 0xFF;
    for (uint32_t i = 0; i < sizeof codes; i++) {
        const uint32_t message[8] = {codes[i], i};
        uint32_t answer[8];
        put(api, 8, 0, queue + 32 + i % entries * 32, message, sizeof message);
        put32(api, 8, 0, queue, (i + 1) % (2 * entries));
        if (i % 2)
            put32(api, 8, 0, 0x800B0000, 0);
        else
            put32(api, 8, 0, 0x80030100, 1 << 16);
        get(api, 8, 0, queue + 32 + entries * 32 + i % entries * 32, answer, sizeof answer);
        value = hash(value, answer, sizeof answer);
        value = add(value, get32(api, 8, 0, queue + 0x10) | get32(api, 8, 0, queue + 0x14) << 16);
    }
    put32(api, 8, 0, 0x80030064, 0x1234);
    value = add(value, get32(api, 8, 0, 0x80030064));
    return add(value, get32(api, 8, 0, 0x80030100));
}

/* Data that firmware leaves in L1, the go message's answer, and registers that drivers read. */
uint64_t step_ethernet(const struct api *api)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < 12; i++) {
        unsigned x = 20 + i;
        for (uint32_t address = 0x7CC00; address < 0x7D000; address += 4)
            if ((address >= 0x7CFC0 && address < 0x7CFCC) || /* ttsim describes the chip only where a link is up */
                address == 0x7CF0C || address == 0x7CF10)    /* it lacks these entries of the firmware's table */
                value = add(value, 0);
            else
                value = add(value, address == 0x7CC70 ? 0 : get32(api, x, 25, address));
        uint32_t beat = get32(api, x, 25, 0x7CC70);
        value = add(value, get32(api, x, 25, 0x7CC70) - beat);
        put32(api, x, 25, 0x590, 0x40123456);
        value = add(value, get32(api, x, 25, 0x590));
        put32(api, x, 25, TF_LOCAL_OF_B_BASE, 0);
        put32(api, x, 25, DEBUG_AT(SOFT_RESET_0), 0x47800);
        value = add(value, get32(api, x, 25, TF_ETH_LINK_BASE + 0x8154));
        value = add(value, get32(api, x, 25, TF_ETH_LINK_BASE));
        value = add(value, get32(api, x, 25, TF_ETH_LINK_BASE + 0x4000));
        value = add(value, get32(api, x, 25, TF_LOCAL_OF_B_BASE + 0x8));
    }
    return value;
}
