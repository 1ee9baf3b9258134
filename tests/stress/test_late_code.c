/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Relaxed mode: a worker stores into a page of L1 in the moment in which the page's owner decodes it. In any order of
 * the two, the owner has decoded the new words. Or a mark, or a request that was handed to it, makes it decode
 * them again. Until it has done so, the request is not answered, and a later signal of the writer has not arrived.
 * Invariant R7 of docs/design.md.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "chip_wish.h"
#include "farm/chip/chip.h"
#include "host/shared.h"
#include "stress/places.h"
#include "tile/run/awaited.h"
#include "tile/run/awaited.h"
#include "tile/riscv/code/page.h"
#include "random.h"

#ifdef TF_LINE_TOLD
#define ROUNDS 1000u /* under ThreadSanitizer */
#else
#define ROUNDS 5000u
#endif
#define PAGE 64u
#define TO (PAGE * TF_CODE_PAGE_BYTES)
#define FROM 0x5000u
#define RETURN 0x6000u
#define SIGNAL 0x7000u
#define BYTES 64u
#define WAIT_SPINS 20000u
#define JITTER 64u
#define STEP 4u
#define STEP_PART 16u /* of the delay loop: a host may take microseconds, or milliseconds, to run the other thread */
#define DELAY_MAX (1u << 20)
#define DELAY_YIELDS 4096u
#define TID 1u

enum kind { COPY, SWAP, SWAP_LINE, WRITE, INLINE, KINDS };

static const char *const names[KINDS] = {"copy", "swap", "swap of a line", "write", "inline write"};

static struct {
    struct tf_chip *chip;
    struct tf_node *source, *target;
    struct tf_worker *worker; /* that visits the source; the test's own thread is the target's owner */
    _Atomic unsigned go, done;
    enum kind kind;
    bool answered;
    uint32_t word;     /* to store */
    unsigned delay[2]; /* delays of the writer and of the owner, adjusted so that neither comes first for long */
} race;

static void wait_for(const _Atomic unsigned *what, unsigned value)
{
    for (unsigned spins = 0; *what != value; spins++)
        if (spins > WAIT_SPINS)
            sched_yield();
}

static void pass(unsigned delay)
{
    if (delay > DELAY_YIELDS) /* both may have one core */
        sched_yield();
    for (volatile unsigned i = 0; i < delay; i++)
        continue;
}

static uint8_t *outstanding(void)
{
    return (uint8_t *)&race.source->niu[0].counter[TF_MST_REQS_OUTSTANDING + TID];
}

static void describe(struct tf_noc_request *request)
{
    memset(request, 0, sizeof *request);
    request->source = request->answer = race.source->number;
    request->target = race.target->number;
    request->address = TO;
    request->answered = race.answered;
    request->tid = TID;
    switch (race.kind) {
    case SWAP:
        request->kind = TF_NOC_ATOMIC;
        request->return_address = RETURN;
        request->op = (struct tf_noc_atomic){.kind = TF_NOC_AT_SWAP, .data = race.word};
        break;
    case SWAP_LINE:
        request->kind = TF_NOC_ATOMIC;
        request->return_address = RETURN;
        request->op = (struct tf_noc_atomic){.kind = TF_NOC_AT_SWAP_MASK, .data = race.word, .mask = 0xFF};
        break;
    case INLINE:
        request->kind = TF_NOC_WRITE_INLINE;
        request->length = 4;
        request->at_data = race.word;
        break;
    default:
        request->kind = TF_NOC_WRITE;
        request->length = BYTES;
        request->source_address = FROM;
        break;
    }
}

static void store_code(void)
{
    struct tf_noc_sink *sink = &race.worker->sink;
    struct tf_noc_request described;
    for (unsigned i = 0; i < BYTES / 4; i++)
        memcpy(race.source->l1 + FROM + 4 * i, &race.word, 4);
    describe(&described);
    bool short_way = race.kind != WRITE && race.kind != INLINE;
    pass(race.delay[0]);
    if (short_way && sink->transact(sink, &described, 0))
        return;
    bool writes = described.kind == TF_NOC_WRITE;
    if (writes)
        described.data = race.source->l1 + FROM;
    if (described.answered)
        __atomic_fetch_add(outstanding(), 1, __ATOMIC_RELAXED);
    sink->issue(sink, &described, writes ? BYTES : 0, TF_CORE_B, 0, 0);
}

/* An unanswered increment, by the fast path if that may be taken. */
static void signal_code(void)
{
    struct tf_noc_sink *sink = &race.worker->sink;
    struct tf_noc_request described = {.kind = TF_NOC_ATOMIC, .address = SIGNAL};
    described.source = race.source->number;
    described.target = race.target->number;
    described.op = (struct tf_noc_atomic){.kind = TF_NOC_AT_INCREMENT, .data = 1, .mask = ~0u};
    if (sink->transact(sink, &described, 0))
        return;
    sink->issue(sink, &described, 0, TF_CORE_B, 0, 0);
}

static void *writer(void *unused)
{
    for (unsigned round = 1; round <= ROUNDS; round++) {
        wait_for(&race.go, round);
        store_code();
        signal_code();
        race.done = round;
    }
    return unused;
}

static uint32_t answers(void)
{
    const uint32_t *counter = race.source->niu[0].counter;
    return counter[TF_MST_WR_ACK_RECEIVED] + counter[TF_MST_ATOMIC_RESP_RECEIVED];
}

static uint32_t signals(void)
{
    return __atomic_load_n((uint32_t *)(void *)(race.target->l1 + SIGNAL), __ATOMIC_RELAXED);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* The thread that came first waits longer next time, or the other thread waits less. */
static void adjust(bool owner_first)
{
    unsigned *longer = &race.delay[owner_first], *shorter = &race.delay[!owner_first];
    if (*shorter >= STEP)
        *shorter -= STEP + (*shorter - STEP) / STEP_PART;
    else
        *longer = (*longer + STEP + *longer / STEP_PART) % DELAY_MAX; /* the host may have let only one of them run */
}

/* From now on every request wakes the owner: a core waits for a counter of its NIU. A wake does not report code. */
static void await_all(void)
{
    static const uint32_t poll[] = {
        0xFFB20337, /* lui x6, 0xFFB20 */
        0x20032283, /* lw x5, 0x200(x6) */
        0xFFDFF06F, /* j -4 */
    };
    const uint32_t pc = 0x1000;
    enum tf_end end;
    unsigned tile = race.target->tile->index;
    assert_int_equal(tf_tile_awaits(race.target->tile), 0);
    assert_int_equal(tf_write(race.chip, race.target->coord, pc, poll, sizeof poll), TF_OK);
    assert_int_equal(tf_core_set_pc(race.chip, tile, TF_CORE_B, pc), TF_OK);
    assert_int_equal(tf_core_start(race.chip, tile, TF_CORE_B), TF_OK);
    assert_int_equal(tf_run(race.chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    assert_int_equal(tf_tile_awaits(race.target->tile), TF_AWAITED_ALL);
    race.worker->relaxed.owned = race.source->number;
}

/* Requests that were handed to the owner are done, and marked code is dropped. So the new words are decoded now, and
   the request is answered if it asks for an answer. */
static void finish(unsigned round)
{
    struct tf_tile *tile = race.target->tile;
    enum tf_end end;
    assert_int_equal(tf_run(race.chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    race.worker->relaxed.owned = race.source->number;
    if (tf_code_page_make(tile, TO)->insn[0].word != race.word)
        fail_msg("round %u, %s: the owner has decoded it again, and not what was stored", round, names[race.kind]);
    assert_int_equal(*outstanding(), 0);
}

/* Returns whether the owner came first. */
static bool one_round(unsigned round, uint64_t *random)
{
    struct tf_tile *tile = race.target->tile;
    const struct tf_site *site = &race.chip->site[race.target->number];
    race.kind = next_random(random) % KINDS;
    race.answered = next_random(random) % 2;
    race.word = 0x13 + (round % 2 << 7);
    unsigned delay = race.delay[1] + next_random(random) % JITTER;
    uint32_t answered = answers();
    race.go = round;
    pass(delay);
    const struct tf_code_page *page = tf_code_page_make(tile, TO);
    assert_non_null(page);
    wait_for(&race.done, round);
    bool old = page->insn[0].word != race.word, marked = tile->stale_page[PAGE],
         handed = __atomic_load_n(&site->relaxed.handed.stack.head, __ATOMIC_RELAXED) != NULL;
    if (old && !marked && !handed)
        fail_msg("round %u, %s: the owner keeps what it has decoded", round, names[race.kind]);
    if (old && answers() != answered)
        fail_msg("round %u, %s: answered before the owner knows", round, names[race.kind]);
    if (old && signals() != round - 1)
        fail_msg("round %u, %s: a signal came before the owner knows", round, names[race.kind]);
    if (marked || handed)
        finish(round);
    assert_int_equal(answers(), answered + race.answered);
    assert_int_equal(signals(), round);
    tf_code_written(tile, TO, TF_CODE_PAGE_BYTES, TF_WROTE_OTHER);
    adjust(old);
    return old;
}

static void decoded_while_written(void **state)
{
    (void)state;
    struct chip_wish config;
    pthread_t thread;
    uint64_t random = test_seed(1);
    unsigned owner_first = 0;
    chip_wish_init(&config);
    config.mode = TF_MODE_RELAXED;
    config.arch = family;
    config.threads = 2;
    config.pin = false;
    assert_int_equal(chip_wish_create(&config, &race.chip, NULL), TF_OK);
    race.source = &race.chip->fabric->node[tf_node_number(race.chip->arch, at(0))];
    race.target = &race.chip->fabric->node[tf_node_number(race.chip->arch, at(1))];
    race.worker = &race.chip->workers.worker[1];
    race.worker->relaxed.owned = race.source->number;
    assert_int_equal(pthread_create(&thread, NULL, writer, NULL), 0);
    for (unsigned round = 1; round <= ROUNDS; round++) {
        if (round == ROUNDS / 2)
            await_all();
        owner_first += one_round(round, &random);
    }
    pthread_join(thread, NULL);
    print_message("in %u of %u rounds the owner came first\n", owner_first, ROUNDS);
    tf_chip_destroy(race.chip);
}

int main(int count, char **argument)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(decoded_while_written)};
    choose_family(count, argument);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
