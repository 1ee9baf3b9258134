/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host has no memory for requests, for a while. A core faults when its request cannot be sent. All sent requests
 * act and are answered, and no core waits for another answer. Faults without a core are reported too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "chip_wish.h"
#include "farm/chip/arena.h"
#include "farm/chip/chip.h"
#include "stress/places.h"
#include "stress/rv_emit.h"
#include "tilefarm_address.h"

#define NIU TF_NIU_BASE(0)
#define CMD_CTRL 0x40u
#define TID 3u
#define SENDERS 4u
#define TARGET 100u
#define DRAM (9u | 4u << 6)
#define ROUNDS 300u
#define BYTES 2048u /* requests of all senders in one epoch need several chunks */
#define CODE 0x100u
#define DATA 0x4000u
#define OTHER_L1 0x10000u

enum { X_NIU = 8, X_ROUND, X_ONE, X_VALUE };

/* Chunks of arenas for which there still is memory. */
static _Atomic int chunks = INT32_MAX;

/* Is it an arena that allocates? */
static _Thread_local bool in_arena;

void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
bool __real_tf_arena_make_room(struct tf_arena *arena, size_t bytes);
bool __wrap_tf_arena_make_room(struct tf_arena *arena, size_t bytes);
void *__real_tf_arena_take_in_next_chunk(struct tf_arena *arena, size_t bytes);
void *__wrap_tf_arena_take_in_next_chunk(struct tf_arena *arena, size_t bytes);

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    if (in_arena && chunks-- <= 0)
        return NULL;
    return __real_aligned_alloc(alignment, bytes);
}

bool __wrap_tf_arena_make_room(struct tf_arena *arena, size_t bytes)
{
    in_arena = true;
    bool has_room = __real_tf_arena_make_room(arena, bytes);
    in_arena = false;
    return has_room;
}

void *__wrap_tf_arena_take_in_next_chunk(struct tf_arena *arena, size_t bytes)
{
    in_arena = true;
    void *memory = __real_tf_arena_take_in_next_chunk(arena, bytes);
    in_arena = false;
    return memory;
}

static void set(struct code *code, uint32_t offset, uint32_t value)
{
    li(code, X_VALUE, value);
    put(code, rv_s(SW, X_VALUE, X_NIU, offset));
}

/* Writes of the own data to a place of the sender's own, or reads of DRAM. Returns the command's pc. */
static uint32_t write_program(struct code *code, unsigned sender, bool reads)
{
    li(code, X_NIU, NIU);
    set(code, 0x00, DATA);
    set(code, 0x08, reads ? DRAM : xy(sender));
    set(code, 0x0C, reads ? DATA : OTHER_L1 + sender * BYTES);
    set(code, 0x14, reads ? xy(sender) : xy(TARGET));
    set(code, 0x18, TID << 10);
    set(code, 0x1C, reads ? 0 : 1 << 1 | 1 << 4);
    set(code, 0x20, BYTES);
    li(code, X_ONE, 1);
    li(code, X_ROUND, ROUNDS);
    unsigned loop = code->count;
    put(code, rv_i(LW, X_VALUE, X_NIU, CMD_CTRL));
    branch_to(code, BNE, X_VALUE, 0, loop);
    uint32_t pc = CODE + code->count * 4;
    put(code, rv_s(SW, X_ONE, X_NIU, CMD_CTRL));
    put(code, rv_i(ADDI, X_ROUND, X_ROUND, (uint32_t)-1));
    branch_to(code, BNE, X_ROUND, 0, loop);
    put(code, rv_j(0, 0));
    return pc;
}

static struct tf_chip *new_chip(enum tf_mode mode, unsigned threads)
{
    struct chip_wish config;
    struct tf_chip *chip;
    chip_wish_init(&config);
    config.threads = threads;
    config.pin = false;
    config.mode = mode;
    config.go_on_after_fault = true;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    return chip;
}

static uint32_t start(struct tf_chip *chip, unsigned sender, bool reads)
{
    uint32_t word[64];
    uint8_t data[BYTES];
    struct code code = {.word = word, .capacity = 64};
    uint32_t pc = write_program(&code, sender, reads);
    assert_true(code.count < code.capacity);
    memset(data, (int)sender + 1, sizeof data);
    assert_int_equal(tf_write(chip, at(sender), CODE, word, code.count * 4), TF_OK);
    assert_int_equal(tf_write(chip, at(sender), DATA, data, sizeof data), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, sender, TF_CORE_B, CODE), TF_OK);
    assert_int_equal(tf_core_start(chip, sender, TF_CORE_B), TF_OK);
    return pc;
}

static const uint32_t *counters(struct tf_chip *chip, unsigned tile)
{
    return chip->fabric->node[tf_node_number(chip->arch, at(tile))].niu[0].counter;
}

static void run(struct tf_chip *chip, int chunks_left)
{
    struct tf_run_options options = {.cycles_max = 10000000};
    enum tf_end end;
    chunks = chunks_left;
    int error = tf_run(chip, &options, &end);
    chunks = INT32_MAX;
    assert_int_equal(error, TF_OK);
    assert_int_equal(end, TF_END_QUIET);
}

/* Returns how many cores have faulted, each at its command. */
static unsigned check_faults(struct tf_chip *chip, uint32_t pc)
{
    unsigned faulted = 0;
    for (size_t i = 0; i < tf_fault_count(chip); i++) {
        struct tf_fault fault;
        assert_int_equal(tf_fault_get(chip, i, &fault), TF_OK);
        assert_int_equal(fault.category, TF_FAULT_HOST);
        assert_int_equal(fault.core, TF_CORE_B);
        assert_int_equal(fault.pc, pc);
        assert_non_null(strstr(fault.text, "no memory for a NOC request"));
        faulted++;
    }
    return faulted;
}

static void writes_fault(enum tf_mode mode, unsigned threads, int chunks_left)
{
    struct tf_chip *chip = new_chip(mode, threads);
    uint32_t pc = 0, sent = 0, finished = 0;
    for (unsigned i = 0; i < SENDERS; i++)
        pc = start(chip, i, false);
    run(chip, chunks_left);
    unsigned faulted = check_faults(chip, pc);
    for (unsigned i = 0; i < SENDERS; i++) {
        const uint32_t *counter = counters(chip, i);
        assert_int_equal(counter[TF_MST_REQS_OUTSTANDING + TID], 0);
        assert_int_equal(counter[TF_MST_WRITE_REQS_OUTGOING + TID], 0);
        assert_int_equal(counter[TF_MST_WR_ACK_RECEIVED], counter[TF_MST_NONPOSTED_WR_REQ_SENT]);
        assert_int_equal(counter[TF_MST_CMD_ACCEPTED], counter[TF_MST_NONPOSTED_WR_REQ_SENT]);
        sent += counter[TF_MST_NONPOSTED_WR_REQ_SENT];
        finished += counter[TF_MST_NONPOSTED_WR_REQ_SENT] == ROUNDS;
    }
    struct tf_stats stats;
    tf_stats(chip, &stats);
    assert_int_equal(stats.noc_requests, sent);
    assert_int_equal(stats.noc_bytes, sent * BYTES);
    assert_int_equal(counters(chip, TARGET)[TF_SLV_NONPOSTED_WR_REQ_RECEIVED], sent);
    assert_int_equal(faulted + finished, SENDERS);
    assert_in_range(faulted, 1, SENDERS);
    print_message("%u threads, %d chunks: %u of %u cores faulted\n", threads, chunks_left, faulted, SENDERS);
    tf_chip_destroy(chip);
}

static void requests(void **state)
{
    (void)state;
    writes_fault(TF_MODE_DETERMINISTIC, 1, 0);
    writes_fault(TF_MODE_DETERMINISTIC, 1, 1);
    writes_fault(TF_MODE_DETERMINISTIC, 1, 2);
    writes_fault(TF_MODE_DETERMINISTIC, 2, 2);
    writes_fault(TF_MODE_RELAXED, 1, 0);
}

/* A channel of DRAM has no tile that could fault, so without this no report would say why its answers are missing. */
static void answers(void **state)
{
    (void)state;
    struct tf_chip *chip = new_chip(TF_MODE_DETERMINISTIC, 1);
    struct tf_fault fault;
    for (unsigned i = 0; i < SENDERS; i++)
        start(chip, i, true);
    run(chip, 2);
    assert_in_range(tf_fault_count(chip), 1, TF_FAULTS_KEPT);
    assert_int_equal(tf_fault_get(chip, 0, &fault), TF_OK);
    assert_int_equal(fault.category, TF_FAULT_HOST);
    assert_int_equal(fault.core, TF_CORE_NONE);
    assert_non_null(strstr(fault.text, "no memory for NOC requests"));
    tf_chip_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(requests), cmocka_unit_test(answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
