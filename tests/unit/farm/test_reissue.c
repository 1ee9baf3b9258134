/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A core that sends a request again with equal registers skips their checks. A write to the NIU's configuration in
 * between makes it check. Both ways end in equal states of the chip and equal counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stress/places.h"
#include "stress/rv_emit.h"
#include "tilefarm/tilefarm.h"

#define NIU 0xFFB20000u
#define NIU_BYTES 0x10000u
#define ROUTER_CFG_0 0x104u
#define CMD_CTRL 0x40u
#define OWN 3u
#define OTHER 100u
#define ROUNDS 300u /* more than a counter of what is outstanding can hold, and than a NIU sends in an epoch */

#define CODE 0x100u
#define CONFIG 0x3000u /* what the program writes in between: a register of its NIU, or of the other one */
#define DATA 0x4000u   /* what requests carry: another word each time */
#define HERE 0x5000u
#define THERE 0x6000u

enum { X_INITIATOR = 8, X_CONFIG, X_ROUND, X_DATA, X_ONE, X_VALUE };

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
};

static const struct request requests[] = {
    {DATA, OWN, THERE, OTHER, 0, WRITE, 64, 0},
    {DATA, OWN, THERE, OTHER, 5 << 10, WRITE | RESP, 300, 0},
    {DATA, OWN, THERE, OWN, 0, WRITE | RESP, 32, 0},
    {DATA, OWN, THERE, OTHER, 0, WRITE | RESP, 4096, 0},
    {DATA, OWN, THERE, OTHER, 0, WRITE | BYTE_MASK, 0xF0F0F, 0},
    {THERE, OTHER, HERE, OWN, 2 << 10, READ, 64, 0},
    {THERE, OTHER, HERE, OWN, 0, READ, 4096, 0},
    {THERE, OTHER, HERE, OWN, 3 << 10, ATOMIC | RESP, 0x107C, 7},
    {THERE, OTHER, HERE, OWN, 0, ATOMIC, 0x107C, 7},
    {NIU + NIU_BYTES + 0x10C, OTHER, HERE, OWN, 0, WRITE | INLINE, 4, 0}, /* a register: its own configuration's */
};

static void set(struct code *code, uint32_t offset, uint32_t value)
{
    li(code, X_VALUE, value);
    put(code, rv_s(SW, X_VALUE, X_INITIATOR, offset));
}

static void fill(struct code *code, const struct request *request)
{
    li(code, X_INITIATOR, NIU);
    set(code, 0x00, request->targ);
    set(code, 0x08, xy(request->targ_tile));
    set(code, 0x0C, request->ret);
    set(code, 0x14, xy(request->ret_tile));
    set(code, 0x18, request->tag);
    set(code, 0x1C, request->ctrl);
    set(code, 0x20, request->length);
    set(code, 0x28, request->at_data);
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
    put(code, rv_s(SW, X_ONE, X_INITIATOR, CMD_CTRL));
    put(code, rv_i(ADDI, X_ROUND, X_ROUND, (uint32_t)-1));
    branch_to(code, BNE, X_ROUND, 0, loop);
    li(code, X_CONFIG, CONFIG);
    put(code, rv_s(SW, 0, X_CONFIG, 0));
    put(code, rv_j(0, 0));
}

struct outcome {
    uint64_t hash, requests, bytes, atomics;
};

static struct outcome run(const struct request *request, unsigned threads, bool anew)
{
    struct tf_config config;
    struct tf_chip *chip;
    struct tf_stats stats;
    enum tf_end end;
    uint32_t word[128], written = NIU + (anew ? 0 : NIU_BYTES) + ROUTER_CFG_0;
    struct code code = {.word = word, .capacity = 128};
    tf_config_init(&config);
    config.threads = threads;
    config.pin = false;
    assert_int_equal(tf_chip_create(&config, &chip, NULL), TF_OK);
    write_program(&code, request);
    assert_true(code.count < code.capacity);
    assert_int_equal(tf_write(chip, at(OWN), CODE, word, code.count * 4), TF_OK);
    assert_int_equal(tf_write(chip, at(OWN), CONFIG, &written, sizeof written), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, OWN, TF_CORE_B, CODE), TF_OK);
    assert_int_equal(tf_core_start(chip, OWN, TF_CORE_B), TF_OK);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    tf_stats(chip, &stats);
    struct outcome outcome = {
        .hash = tf_state_hash(chip),
        .requests = stats.noc_requests,
        .bytes = stats.noc_bytes,
        .atomics = stats.noc_atomics,
    };
    tf_chip_destroy(chip);
    return outcome;
}

static void same_as_anew(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        struct outcome anew = run(&requests[i], 1, true);
        assert_int_equal(anew.requests, ROUNDS);
        assert_int_equal(anew.atomics, (requests[i].ctrl & 3) == ATOMIC ? ROUNDS : 0);
        for (unsigned threads = 1; threads <= 2; threads++) {
            struct outcome repeated = run(&requests[i], threads, false);
            if (repeated.hash != anew.hash)
                fail_msg("request %zu, %u threads: another state than when it is looked at anew", i, threads);
            assert_int_equal(repeated.requests, anew.requests);
            assert_int_equal(repeated.bytes, anew.bytes);
            assert_int_equal(repeated.atomics, anew.atomics);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_anew)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
