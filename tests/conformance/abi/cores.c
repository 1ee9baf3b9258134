/* SPDX-License-Identifier: Apache-2.0 */
/* Steps in which the chip works: cores started and stopped, requests of all tiles at once. */
#include "driver.h"
#include "addresses.h"

#define SOFT_RESET_0 DEBUG_AT(SOFT_RESET_0)
#define ALL_HELD 0x47800u
#define NIU TF_NIU_BASE(0)

/* The few instructions that the programs below are made of. */
static uint32_t lui(unsigned rd, uint32_t value)
{
    return (value & 0xFFFFF000) | rd << 7 | 0x37;
}
static uint32_t addi(unsigned rd, unsigned rs, int value)
{
    return (uint32_t)value << 20 | rs << 15 | rd << 7 | 0x13;
}
static uint32_t add(unsigned rd, unsigned a, unsigned b)
{
    return b << 20 | a << 15 | rd << 7 | 0x33;
}
static uint32_t lw(unsigned rd, unsigned rs, int at)
{
    return (uint32_t)at << 20 | rs << 15 | 2 << 12 | rd << 7 | 3;
}
static uint32_t sw(unsigned rs, unsigned base, int at)
{
    return ((uint32_t)at >> 5) << 25 | rs << 20 | base << 15 | 2 << 12 | ((uint32_t)at & 31) << 7 | 0x23;
}
static uint32_t jump(int by)
{
    uint32_t to = (uint32_t)by;
    return (to >> 20 & 1) << 31 | (to >> 1 & 0x3FF) << 21 | (to >> 11 & 1) << 20 | (to >> 12 & 0xFF) << 12 | 0x6F;
}

static const struct {
    uint32_t held, program, data, pc, override;
} cores[] = {
    {0x800, 0x0, 0x8000, 0, 0},
    {0x40000, 0x1000, 0x9000, DEBUG_AT(NCRISC_RESET_PC), DEBUG_AT(NCRISC_RESET_PC_OVERRIDE)},
    {0x1000, 0x2000, 0xA000, DEBUG_AT(TRISC0_RESET_PC), DEBUG_AT(TRISC_RESET_PC_OVERRIDE)},
    {0x2000, 0x3000, 0xB000, DEBUG_AT(TRISC1_RESET_PC), DEBUG_AT(TRISC_RESET_PC_OVERRIDE)},
    {0x4000, 0x4000, 0xC000, DEBUG_AT(TRISC2_RESET_PC), DEBUG_AT(TRISC_RESET_PC_OVERRIDE)},
};

/* Two words of data: input and how often it ran; output = 3 * input + its number; then nothing any more. */
static void load(const struct api *api, unsigned x, unsigned y, unsigned core, uint32_t input)
{
    uint32_t at = cores[core].data;
    const uint32_t code[] = {
        lui(5, at),   lw(6, 5, 0), add(7, 6, 6),  add(7, 7, 6), addi(7, 7, (int)core + 1),
        sw(7, 5, 8),  lw(6, 5, 4), addi(6, 6, 1), sw(6, 5, 4),  addi(6, 0, -1),
        sw(6, 5, 12), jump(0),
    };
    put(api, x, y, cores[core].program, code, sizeof code);
    put32(api, x, y, at, input);
    put32(api, x, y, at + 12, 0);
    if (cores[core].pc != 0) {
        put32(api, x, y, cores[core].pc, cores[core].program);
        put32(api, x, y, cores[core].override, cores[core].pc == DEBUG_AT(NCRISC_RESET_PC) ? 1 : 7);
    }
}

static uint64_t collect(const struct api *api, unsigned x, unsigned y, unsigned core, uint64_t value)
{
    for (unsigned turns = 0; turns < 1000 && get32(api, x, y, cores[core].data + 12) == 0; turns++)
        api->clock(10);
    uint32_t data[4];
    get(api, x, y, cores[core].data, data, sizeof data);
    return hash(value, data, sizeof data);
}

/* Each core of each tile alone: start, stop, start again; then all five of some tiles together. */
uint64_t step_cores(const struct api *api)
{
    uint64_t value = 0;
    for (unsigned y = 2; y < 12; y++)
        for (unsigned x = 1; x < 17; x++) {
            if (x == 8 || x == 9)
                continue;
            unsigned core = (x + y) % 5;
            for (unsigned run = 0; run < 2; run++) {
                load(api, x, y, core, x * 100 + y + run * 10000);
                put32(api, x, y, SOFT_RESET_0, ALL_HELD & ~cores[core].held);
                value = collect(api, x, y, core, value);
                put32(api, x, y, SOFT_RESET_0, ALL_HELD);
                api->clock(5);
            }
            uint32_t held = get32(api, x, y, SOFT_RESET_0);
            value = hash(value, &held, sizeof held);
        }
    for (unsigned x = 1; x < 8; x++) {
        for (unsigned core = 0; core < 5; core++)
            load(api, x, 2, core, 7 * core + x);
        put32(api, x, 2, SOFT_RESET_0, 0);
        for (unsigned core = 0; core < 5; core++)
            value = collect(api, x, 2, core, value);
        put32(api, x, 2, SOFT_RESET_0, ALL_HELD);
    }
    return value;
}

struct request {
    uint64_t target, ret;
    uint32_t target_xy, ret_xy, control, length, data;
};

static void issue(const struct api *api, unsigned x, unsigned y, unsigned noc, const struct request *request)
{
    uint32_t niu = NIU + noc * 0x10000;
    const uint32_t words[][2] = {
        {0x00, (uint32_t)request->target},
        {0x04, (uint32_t)(request->target >> 32)},
        {0x08, request->target_xy},
        {0x0C, (uint32_t)request->ret},
        {0x10, (uint32_t)(request->ret >> 32)},
        {0x14, request->ret_xy},
        {0x18, 0},
        {0x1C, request->control},
        {0x20, request->length},
        {0x28, request->data},
        {0x40, 1},
    };
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        put32(api, x, y, niu + words[i][0], words[i][1]);
}

static void wait_for(const struct api *api, unsigned x, unsigned y, uint32_t niu_register, uint32_t value)
{
    for (unsigned turns = 0; turns < 1000 && get32(api, x, y, NIU + niu_register) != value; turns++)
        api->clock(10);
}

/* Every tile adds to counters in eight tiles and in an Ethernet tile; only the sums do not depend on the order. */
uint64_t step_atomics(const struct api *api)
{
    uint64_t value = 0;
    for (unsigned round = 0; round < 3; round++)
        for (unsigned y = 2; y < 12; y++)
            for (unsigned x = 1; x < 17; x++) {
                if (x == 8 || x == 9)
                    continue;
                unsigned to_x = round == 2 ? 22 : 1 + (x + round) % 7, to_y = round == 2 ? 25 : 2 + y % 3;
                issue(api, x, y, 0,
                      &(struct request){.target = 0x30000 + round * 16,
                                        .target_xy = to_x | to_y << 6,
                                        .ret = 0x31000,
                                        .ret_xy = x | y << 6,
                                        .control = 0x11,
                                        .length = 0x107C,
                                        .data = x * y + round});
                wait_for(api, x, y, 0x200, round + 1);
            }
    for (unsigned y = 2; y < 5; y++)
        for (unsigned x = 1; x < 8; x++)
            for (unsigned round = 0; round < 2; round++) {
                uint32_t sum = get32(api, x, y, 0x30000 + round * 16);
                value = hash(value, &sum, sizeof sum);
            }
    uint32_t sum = get32(api, 22, 25, 0x30020);
    return hash(value, &sum, sizeof sum);
}

static unsigned next_tile(unsigned x)
{
    return x == 7 ? 10 : x == 16 ? 1 : x + 1;
}

/* A tile writes to its right neighbour and to DRAM, reads that back, writes to the host's memory, and reads it. */
static void copy_from(const struct api *api, unsigned x, unsigned y, uint8_t *data, size_t bytes)
{
    uint32_t own = x | y << 6, next = next_tile(x) | y << 6, place = (y * 17 + x) * 4096;
    uint32_t dram = 17 + x % 2 + ((12 + y) << 6);
    fill(data, bytes, y * 100 + x);
    put(api, x, y, 0x50000, data, bytes);
    issue(api, x, y, 0,
          &(struct request){
              .target = 0x50000, .target_xy = own, .ret = 0x60000, .ret_xy = next, .control = 0x12, .length = 4096});
    wait_for(api, x, y, 0x204, 1);
    issue(api, x, y, 1,
          &(struct request){
              .target = 0x50040, .target_xy = own, .ret = place, .ret_xy = dram, .control = 0x12, .length = 2048});
    wait_for(api, x, y, 0x10204, 1);
    issue(api, x, y, 0,
          &(struct request){
              .target = place, .target_xy = dram, .ret = 0x70000, .ret_xy = own, .control = 0x10, .length = 1024});
    wait_for(api, x, y, 0x208, 1);
    issue(api, x, y, 0,
          &(struct request){.target = 0x50100,
                            .target_xy = own,
                            .ret = 1ull << 60 | (x * 256),
                            .ret_xy = 19 | 24 << 6,
                            .control = 0x12,
                            .length = 64});
    wait_for(api, x, y, 0x204, 2);
    issue(api, x, y, 1,
          &(struct request){.target = 1ull << 60 | (x * 64),
                            .target_xy = 19 | 24 << 6,
                            .ret = 0x71000,
                            .ret_xy = own,
                            .control = 0x10,
                            .length = 64});
    wait_for(api, x, y, 0x10208, 1);
}

uint64_t step_copies(const struct api *api)
{
    static uint8_t data[4096];
    uint64_t value = 0;
    for (unsigned y = 2; y < 12; y++)
        for (unsigned x = 1; x < 17; x++)
            if (x != 8 && x != 9)
                copy_from(api, x, y, data, sizeof data);
    for (unsigned y = 2; y < 12; y++)
        for (unsigned x = 1; x < 17; x++) {
            if (x == 8 || x == 9)
                continue;
            get(api, x, y, 0x60000, data, sizeof data);
            value = hash(value, data, sizeof data);
            get(api, x, y, 0x70000, data, 1024);
            value = hash(value, data, 1024);
            get(api, x, y, 0x71000, data, 64);
            value = hash(value, data, 64);
        }
    return value;
}
