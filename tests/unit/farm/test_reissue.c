/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A core that sends a request again with equal registers skips their checks, and so does one that moves on to other
 * addresses. A write to the NIU's configuration in between makes it check. Both ways end in equal states of the chip,
 * equal counts, or equal faults.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "stress/places.h"
#include "stress/rv_emit.h"
#include "tilefarm/tilefarm_chip.h"
#include "tilefarm_address.h"

#define NIU TF_NIU_BASE(0)
#define NIU_BYTES 0x10000u
#define ROUTER_CFG_0 0x104u
#define CMD_CTRL 0x40u
#define OWN 3u
#define OTHER 100u
#define ROUNDS 301u /* more requests than a counter of outstanding ones can hold, and than a NIU sends in an epoch */

#define CODE 0x100u
#define CONFIG 0x3000u /* the register that the program writes in between: of its NIU, or of the other one */
#define DATA 0x4000u   /* the data that requests carry: another word each time */
#define OWN_L1 0x5000u
#define OTHER_L1 0x6000u
#define FAR 0x40000u
#define L1 0x180000u
#define DRAM UINT32_MAX /* a node instead of a tile: the first DRAM node */

enum { X_INITIATOR = 8, X_CONFIG, X_ROUND, X_DATA, X_ONE, X_VALUE, X_STEP };
#define X_MOVED 16u /* the sum of additions to targ and ret of each request in turn */
#define TURNS 3u

enum {
    READ = 0,
    ATOMIC = 1,
    WRITE = 2,
    BYTE_MASK = 1 << 2,
    INLINE = 1 << 3,
    RESP = 1 << 4,
    BRCST = 1 << 5,
};

/* Registers of a request; tiles OWN, OTHER. */
struct request {
    uint32_t targ, targ_tile, ret, ret_tile, tag, ctrl, length, at_data;
    uint32_t targ_step, ret_step; /* added to targ and ret before each request */
    bool flips;                   /* exclusive or instead: every other request has the same address */
};

static const struct request requests[] = {
    {DATA, OWN, OTHER_L1, OTHER, 0, WRITE, 64, 0, 0, 0, false},
    {DATA, OWN, OTHER_L1, OTHER, 5 << 10, WRITE | RESP, 300, 0, 0, 0, false},
    {DATA, OWN, OTHER_L1, OWN, 0, WRITE | RESP, 32, 0, 0, 0, false},
    {DATA, OWN, OTHER_L1, OTHER, 0, WRITE | RESP, 4096, 0, 0, 0, false},
    {DATA, OWN, OTHER_L1, OTHER, 0, WRITE | BYTE_MASK, 0xF0F0F, 0, 0, 0, false},
    {OTHER_L1, OTHER, OWN_L1, OWN, 2 << 10, READ, 64, 0, 0, 0, false},
    {OTHER_L1, OTHER, OWN_L1, OWN, 0, READ, 4096, 0, 0, 0, false},
    {OTHER_L1, OTHER, OWN_L1, OWN, 3 << 10, ATOMIC | RESP, 0x107C, 7, 0, 0, false},
    {OTHER_L1, OTHER, OWN_L1, OWN, 0, ATOMIC, 0x107C, 7, 0, 0, false},
    /* a register: its own configuration's */
    {NIU + NIU_BYTES + 0x10C, OTHER, OWN_L1, OWN, 0, WRITE | INLINE, 4, 0, 0, 0, false},
};

/* Copies whose addresses move, within memories and out of them. */
static const struct request moving[] = {
    {DATA, OWN, OTHER_L1, OTHER, 0, WRITE, 64, 0, 64, 64, false},
    {DATA, OWN, OTHER_L1, OTHER, 0, WRITE | RESP, 256, 0, 0, 256, false},
    {DATA, OWN, OTHER_L1, OTHER, 0, WRITE | RESP, 256, 0, 0, 0x400, true},
    {OTHER_L1, OTHER, OWN_L1, OWN, 0, READ, 64, 0, 0x80, 0, true},
    {DATA, OWN, FAR, OTHER, 3 << 10, WRITE | RESP, 96, 0, 64, -64u, false},
    {DATA, OWN, FAR, OWN, 0, WRITE | RESP, 2048, 0, 128, 64, false},
    {DATA, OWN, OTHER_L1, OTHER, 0, WRITE | RESP, 40, 0, 16, 16, false},      /* other counts of flits */
    {DATA, OWN, OTHER_L1, OTHER, 0, WRITE | RESP, 40, 0, 32, 16, false},      /* then aligned otherwise */
    {DATA, OWN, L1 - 6400, OTHER, 0, WRITE | RESP, 96, 0, 64, 64, false},     /* beyond the target's L1 */
    {L1 - 6400, OWN, OTHER_L1, OTHER, 0, WRITE | RESP, 96, 0, 64, 64, false}, /* beyond the own L1 */
    {DATA, OWN, TF_LOCAL_BASE - 6400, OTHER, 0, WRITE, 64, 0, 64, 64, false}, /* nothing is there */
    {DATA, OWN, FAR, DRAM, 0, WRITE | RESP, 64, 0, 64, 8192, false},
    {FAR, DRAM, OWN_L1, OWN, 0, READ, 1024, 0, 1024, 64, false},
    {FAR - 32, DRAM, OWN_L1 - 64, OWN, 0, READ, 64, 0, 32, 64, false}, /* then it is not aligned */
    {OTHER_L1, OTHER, OWN_L1, OWN, 2 << 10, READ, 64, 0, 64, 128, false},
    {FAR, OTHER, OWN_L1, OWN, 2 << 10, READ, 4096, 0, -64u, 64, false},
    {L1 - 6400, OTHER, OWN_L1, OWN, 0, READ, 64, 0, 64, 64, false},   /* beyond the target's L1 */
    {OTHER_L1, OTHER, L1 - 6400, OWN, 0, READ, 96, 0, 64, 64, false}, /* beyond the own L1 */
    {OTHER_L1, OTHER, OWN_L1, OWN, 3 << 10, ATOMIC | RESP, 0x107C, 7, 64, 64, false},
};

static void set(struct code *code, uint32_t offset, uint32_t value)
{
    li(code, X_VALUE, value);
    put(code, rv_s(SW, X_VALUE, X_INITIATOR, offset));
}

/* Adds to a register of the request. */
static void step(struct code *code, uint32_t offset, uint32_t by, bool flips)
{
    if (by == 0)
        return;
    put(code, rv_i(LW, X_VALUE, X_INITIATOR, offset));
    li(code, X_STEP, by);
    put(code, rv_r(flips ? XOR : ADD, X_VALUE, X_VALUE, X_STEP));
    put(code, rv_s(SW, X_VALUE, X_INITIATOR, offset));
}

static uint32_t place_of(uint32_t tile)
{
    return tile == DRAM ? 0 : xy(tile);
}

static void fill(struct code *code, const struct request *request)
{
    li(code, X_INITIATOR, NIU);
    set(code, 0x00, request->targ);
    set(code, 0x08, place_of(request->targ_tile));
    set(code, 0x0C, request->ret);
    set(code, 0x14, place_of(request->ret_tile));
    set(code, 0x18, request->tag);
    set(code, 0x1C, request->ctrl);
    set(code, 0x20, request->length);
    set(code, 0x28, request->at_data);
}

/* The program ends after its rounds, and restores CONFIG. */
static void end_rounds(struct code *code, unsigned loop)
{
    put(code, rv_i(ADDI, X_ROUND, X_ROUND, (uint32_t)-1));
    branch_to(code, BNE, X_ROUND, 0, loop);
    li(code, X_CONFIG, CONFIG);
    put(code, rv_s(SW, 0, X_CONFIG, 0));
    put(code, rv_j(0, 0));
}

/* The register written in between has no effect on the end state. */
static void write_program(struct code *code, const struct request *request)
{
    fill(code, request);
    li(code, X_DATA, DATA);
    li(code, X_ROUND, ROUNDS);
    li(code, X_ONE, 1);
    li(code, X_CONFIG, CONFIG);
    put(code, rv_i(LW, X_CONFIG, X_CONFIG, 0));
    unsigned loop = code->count;
    put(code, rv_i(LW, X_VALUE, X_INITIATOR, CMD_CTRL));
    branch_to(code, BNE, X_VALUE, 0, loop);
    put(code, rv_s(SW, X_ROUND, X_DATA, 0));
    put(code, rv_s(SW, 0, X_CONFIG, 0));
    step(code, 0x00, request->targ_step, request->flips);
    step(code, 0x0C, request->ret_step, request->flips);
    put(code, rv_s(SW, X_ONE, X_INITIATOR, CMD_CTRL));
    end_rounds(code, loop);
}

static void await_command(struct code *code)
{
    unsigned loop = code->count;
    put(code, rv_i(LW, X_VALUE, X_INITIATOR, CMD_CTRL));
    branch_to(code, BNE, X_VALUE, 0, loop);
}

/* An address that moves with each round. */
static void set_moved(struct code *code, uint32_t offset, uint32_t address, uint32_t moved, uint32_t by, bool flips)
{
    li(code, X_VALUE, address);
    put(code, rv_r(ADD, X_VALUE, X_VALUE, moved));
    put(code, rv_s(SW, X_VALUE, X_INITIATOR, offset));
    li(code, X_STEP, by);
    put(code, rv_r(flips ? XOR : ADD, moved, moved, X_STEP));
}

/* The same with requests in turn. */
static void write_turns(struct code *code, const struct request *const turns[TURNS])
{
    li(code, X_INITIATOR, NIU);
    li(code, X_DATA, DATA);
    li(code, X_ROUND, ROUNDS);
    li(code, X_ONE, 1);
    li(code, X_CONFIG, CONFIG);
    put(code, rv_i(LW, X_CONFIG, X_CONFIG, 0));
    for (unsigned i = 0; i < 2 * TURNS; i++)
        li(code, X_MOVED + i, 0);
    unsigned loop = code->count;
    put(code, rv_s(SW, X_ROUND, X_DATA, 0));
    for (unsigned i = 0; i < TURNS && turns[i] != NULL; i++) {
        const struct request *request = turns[i];
        await_command(code);
        put(code, rv_s(SW, 0, X_CONFIG, 0));
        fill(code, request);
        set_moved(code, 0x00, request->targ, X_MOVED + 2 * i, request->targ_step, request->flips);
        set_moved(code, 0x0C, request->ret, X_MOVED + 2 * i + 1, request->ret_step, request->flips);
        put(code, rv_s(SW, X_ONE, X_INITIATOR, CMD_CTRL));
    }
    end_rounds(code, loop);
}

struct outcome {
    uint64_t hash, requests, bytes, atomics;
    size_t faults;
    struct tf_fault fault; /* if there is one */
};

/* Where requests move, all words differ. */
static void fill_memories(struct tf_chip *chip)
{
    static uint32_t pattern[0x4000];
    for (uint32_t i = 0; i < 0x4000; i++)
        pattern[i] = 0x9E3779B9u * (i + 1);
    const struct tf_coord node[] = {at(OWN), at(OTHER), {0, 0}};
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(tf_write(chip, node[i], DATA, pattern, sizeof pattern), TF_OK);
        assert_int_equal(tf_write(chip, node[i], FAR, pattern, sizeof pattern), TF_OK);
    }
}

/* One request, or several alternately. */
static struct outcome run(const struct request *const turns[TURNS], unsigned threads, bool decoded)
{
    struct chip_wish config;
    struct tf_chip *chip;
    struct tf_stats stats;
    enum tf_end end;
    uint32_t word[512], written = NIU + (decoded ? 0 : NIU_BYTES) + ROUTER_CFG_0;
    struct code code = {.word = word, .capacity = 512};
    chip_wish_init(&config);
    config.threads = threads;
    config.pin = false;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    if (turns[1] == NULL)
        write_program(&code, turns[0]);
    else
        write_turns(&code, turns);
    assert_true(code.count < code.capacity);
    assert_int_equal(tf_write(chip, at(OWN), CODE, word, code.count * 4), TF_OK);
    assert_int_equal(tf_write(chip, at(OWN), CONFIG, &written, sizeof written), TF_OK);
    fill_memories(chip);
    assert_int_equal(tf_core_set_pc(chip, OWN, TF_CORE_B, CODE), TF_OK);
    assert_int_equal(tf_core_start(chip, OWN, TF_CORE_B), TF_OK);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_true(end == TF_END_QUIET || end == TF_END_FAULT);
    tf_stats(chip, &stats);
    struct outcome outcome = {
        .faults = tf_fault_count(chip),
        .hash = tf_state_hash(chip),
        .requests = stats.noc_requests,
        .bytes = stats.noc_bytes,
        .atomics = stats.noc_atomics,
    };
    if (outcome.faults != 0)
        assert_int_equal(tf_fault_get(chip, 0, &outcome.fault), TF_OK);
    tf_chip_destroy(chip);
    return outcome;
}

/* A request that is decoded each time, and a repeated request, have equal outcomes. */
static struct outcome compare(const struct request *const turns[TURNS], size_t number)
{
    struct outcome decoded = run(turns, 1, true);
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct outcome repeated = run(turns, threads, false);
        if (decoded.faults == 0 && repeated.hash != decoded.hash) /* a core that faults keeps the address of CONFIG */
            fail_msg("request %zu, %u threads: another state than when it is looked at anew", number, threads);
        assert_int_equal(repeated.requests, decoded.requests);
        assert_int_equal(repeated.bytes, decoded.bytes);
        assert_int_equal(repeated.atomics, decoded.atomics);
        assert_int_equal(repeated.faults, decoded.faults);
        assert_string_equal(repeated.fault.text, decoded.fault.text);
        assert_int_equal(repeated.fault.cycle, decoded.fault.cycle);
    }
    return decoded;
}

static void same_as_anew(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        struct outcome outcome = compare((const struct request *const[TURNS]){&requests[i]}, i);
        assert_int_equal(outcome.requests, ROUNDS);
        assert_int_equal(outcome.atomics, (requests[i].ctrl & 3) == ATOMIC ? ROUNDS : 0);
        assert_int_equal(outcome.faults, 0);
    }
}

static void same_as_anew_elsewhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof moving / sizeof moving[0]; i++) {
        struct outcome outcome = compare((const struct request *const[TURNS]){&moving[i]}, i);
        assert_true(outcome.faults != 0 ? outcome.requests < ROUNDS : outcome.requests == ROUNDS);
    }
}

/* An initiator remembers a packet of each of two kinds. */
static void same_as_anew_in_turn(void **state)
{
    (void)state;
    static const struct request *const turns[][TURNS] = {
        {&requests[5], &requests[1]},
        {&requests[6], &requests[3]},
        {&requests[7], &requests[0]},
        {&requests[8], &requests[5]},
        {&requests[4], &requests[5]},
        {&requests[9], &requests[5], &requests[1]},
        {&requests[5], &requests[1], &requests[6]},
        {&requests[1], &requests[0], &requests[5]},
        {&moving[14], &moving[1]},
        {&moving[3], &moving[2]},
        {&moving[12], &moving[11]},
        {&moving[15], &moving[5], &moving[0]},
        {&moving[18], &moving[4]},
        {&moving[16], &moving[1]},
        {&moving[5], &moving[17]},
        {&requests[5], &moving[9]},
    };
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        struct outcome outcome = compare(turns[i], i);
        const unsigned all = ROUNDS * (turns[i][2] != NULL ? 3 : 2);
        assert_true(outcome.faults != 0 ? outcome.requests < all : outcome.requests == all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_as_anew),
        cmocka_unit_test(same_as_anew_elsewhere),
        cmocka_unit_test(same_as_anew_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
