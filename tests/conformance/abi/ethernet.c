/* SPDX-License-Identifier: Apache-2.0 */
/* Programs on the two cores of Ethernet tiles: started by reset and by the firmware's mailbox, stopped, restarted. */
#include "driver.h"
#include "addresses.h"

#define SOFT_RESET_0 DEBUG_AT(SOFT_RESET_0)
#define BOTH_HELD 0x1800u
#define RESET_PC TF_ETH_CONTROL_BASE /* of E0; that of E1 is 8 further */
#define CHANNELS 12u
#define ROW 25u
#define GO_MESSAGE 0x590u
#define MAILBOX 0x7D020u

static uint32_t column(unsigned channel)
{
    return 20 + channel;
}

/* Words of a program, and the few instructions that the ones below are made of. */
struct code {
    uint32_t word[96];
    unsigned words;
};

static void emit(struct code *code, uint32_t word)
{
    code->word[code->words++] = word;
}

static void li(struct code *code, unsigned rd, uint32_t value)
{
    emit(code, ((value + 0x800) & 0xFFFFF000) | rd << 7 | 0x37);
    emit(code, (value & 0xFFF) << 20 | rd << 15 | rd << 7 | 0x13);
}

static void lw(struct code *code, unsigned rd, unsigned base, uint32_t at)
{
    emit(code, at << 20 | base << 15 | 2 << 12 | rd << 7 | 0x03);
}

static void sw(struct code *code, unsigned rs, unsigned base, uint32_t at)
{
    emit(code, at >> 5 << 25 | rs << 20 | base << 15 | 2 << 12 | (at & 31) << 7 | 0x23);
}

static void add(struct code *code, unsigned rd, unsigned a, unsigned b)
{
    emit(code, b << 20 | a << 15 | rd << 7 | 0x33);
}

static void amoadd(struct code *code, unsigned rd, unsigned rs, unsigned base)
{
    emit(code, rs << 20 | base << 15 | 2 << 12 | rd << 7 | 0x2F);
}

/* Back by two instructions while a and b are equal. */
static void repeat_while_equal(struct code *code, unsigned a, unsigned b)
{
    emit(code, 0xFE000CE3u | b << 20 | a << 15); /* beq a, b, . - 8 */
}

enum { IDLE, RETURN };

static void end(struct code *code, int how)
{
    emit(code, how == IDLE ? 0x0000006F : 0x00008067); /* j . or ret */
}

struct where {
    unsigned channel, core;
    uint32_t program, data;
};

static struct where place(unsigned channel, unsigned core)
{
    return (struct where){channel, core, 0x10000 + core * 0x2000, 0x20000 + core * 0x100};
}

/*
 * Data: 0 input, 4 how often it ran (by an atomic), 8 output, 12 done, 16 what came back over the NOC. The program
 * keeps the output in its local RAM for a while. It adds the input to a counter in a Tensix tile by NOC `core`.
 */
static void make(struct code *code, const struct where *at, int how)
{
    uint32_t niu = TF_NIU_BASE(0) + at->core * 0x10000;
    const uint32_t request[][2] = {
        {0x00, 0x30040 + at->core * 16},
        {0x04, 0},
        {0x08, (1 + at->channel % 3) | 4 << 6},
        {0x0C, at->data + 16},
        {0x10, 0},
        {0x14, column(at->channel) | ROW << 6},
        {0x18, 0},
        {0x1C, 0x11},
        {0x20, 0x107C},
    };
    li(code, 5, at->data);
    li(code, 8, TF_LOCAL_BASE + 0x100);
    li(code, 9, niu);
    lw(code, 6, 5, 0);
    add(code, 7, 6, 6);
    add(code, 7, 7, 6);
    sw(code, 7, 8, 0);
    li(code, 10, 1);
    li(code, 11, at->data + 4);
    amoadd(code, 0, 10, 11);
    lw(code, 12, 9, 0x200);
    for (unsigned i = 0; i < sizeof request / sizeof request[0]; i++) {
        li(code, 13, request[i][1]);
        sw(code, 13, 9, request[i][0]);
    }
    sw(code, 6, 9, 0x28);
    sw(code, 10, 9, 0x40);
    emit(code, 0x00000013);
    lw(code, 13, 9, 0x200);
    repeat_while_equal(code, 12, 13);
    lw(code, 7, 8, 0);
    sw(code, 7, 5, 8);
    li(code, 13, 0xFFFFFFFF);
    sw(code, 13, 5, 12);
    end(code, how);
}

static void load(const struct api *api, const struct where *at, uint32_t input, int how)
{
    struct code code = {.words = 0};
    make(&code, at, how);
    put(api, column(at->channel), ROW, at->program, code.word, code.words * 4);
    put32(api, column(at->channel), ROW, at->data, input);
    put32(api, column(at->channel), ROW, at->data + 12, 0);
}

static void wait_for(const struct api *api, unsigned channel, uint32_t address, uint32_t mask, uint32_t value)
{
    for (unsigned turns = 0; turns < 1000 && (get32(api, column(channel), ROW, address) & mask) != value; turns++)
        api->clock(10);
}

static uint64_t collect(const struct api *api, const struct where *at, uint64_t value)
{
    uint32_t data[4]; /* not what came back: that depends on who was first, where several add */
    wait_for(api, at->channel, at->data + 12, UINT32_MAX, UINT32_MAX);
    get(api, column(at->channel), ROW, at->data, data, sizeof data);
    value = hash(value, data, sizeof data);
    const uint32_t words[] = {get32(api, column(at->channel), ROW, SOFT_RESET_0),
                              get32(api, column(at->channel), ROW, RESET_PC),
                              get32(api, column(at->channel), ROW, RESET_PC + 8)};
    return hash(value, words, sizeof words);
}

static uint64_t one_by_one(const struct api *api, uint64_t value)
{
    for (unsigned channel = 0; channel < CHANNELS; channel++)
        for (unsigned core = 0; core < 2; core++)
            for (unsigned run = 0; run < 2; run++) {
                struct where at = place(channel, core);
                load(api, &at, 100 * channel + 10 * core + run, IDLE);
                put32(api, column(channel), ROW, RESET_PC + core * 8, at.program);
                put32(api, column(channel), ROW, SOFT_RESET_0, BOTH_HELD & ~(0x800u << core));
                value = collect(api, &at, value);
                uint32_t got = get32(api, column(channel), ROW, at.data + 16);
                value = hash(value, &got, sizeof got);
                put32(api, column(channel), ROW, SOFT_RESET_0, BOTH_HELD);
                put32(api, column(channel), ROW, RESET_PC + core * 8, 0);
                api->clock(5);
            }
    return value;
}

/* All of them at once; then the sums in Tensix tiles. */
static uint64_t in_one_call(const struct api *api, uint64_t value)
{
    for (unsigned channel = 0; channel < CHANNELS; channel++) {
        for (unsigned core = 0; core < 2; core++) {
            struct where at = place(channel, core);
            load(api, &at, 7 * channel + core + 1, IDLE);
            put32(api, column(channel), ROW, RESET_PC + core * 8, at.program);
        }
        put32(api, column(channel), ROW, SOFT_RESET_0, 0);
    }
    for (unsigned channel = 0; channel < CHANNELS; channel++) {
        for (unsigned core = 0; core < 2; core++) {
            struct where at = place(channel, core);
            value = collect(api, &at, value);
        }
        put32(api, column(channel), ROW, SOFT_RESET_0, BOTH_HELD);
        put32(api, column(channel), ROW, RESET_PC, 0);
        put32(api, column(channel), ROW, RESET_PC + 8, 0);
    }
    for (unsigned i = 0; i < 6; i++) {
        uint32_t sum = get32(api, 1 + i / 2, 4, 0x30040 + i % 2 * 16);
        value = hash(value, &sum, sizeof sum);
    }
    return value;
}

/* The firmware starts E0 when its mailbox asks for it, and says "done" when the program returns. */
static uint64_t by_mailbox(const struct api *api, uint64_t value)
{
    for (unsigned channel = 0; channel < CHANNELS; channel++)
        for (unsigned run = 0; run < 2; run++) {
            struct where at = place(channel, 0);
            load(api, &at, 1000 + channel, RETURN);
            put32(api, column(channel), ROW, GO_MESSAGE, 0x80000000 | channel);
            put32(api, column(channel), ROW, MAILBOX + 4, at.program);
            put32(api, column(channel), ROW, MAILBOX, 0xCA110002);
            value = collect(api, &at, value);
            wait_for(api, channel, GO_MESSAGE, 0xFF000000, 0);
            uint32_t words[6] = {get32(api, column(channel), ROW, GO_MESSAGE)};
            get(api, column(channel), ROW, MAILBOX, words + 1, 16);
            words[5] = get32(api, column(channel), ROW, 0x7CC70);
            words[5] = get32(api, column(channel), ROW, 0x7CC70) - words[5]; /* the firmware's heart beats again */
            value = hash(value, words, sizeof words);
        }
    return value;
}

uint64_t step_ethernet_cores(const struct api *api)
{
    return by_mailbox(api, in_one_call(api, one_by_one(api, 0)));
}
