/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores to a NIU's registers, to memory, or to both alternately. The port lends registers to the interpreter
 * as fast words. Results equal those of the port's functions.
 */
#include "rig.h"
#include "tile/riscv/control/view.h"
#include "tile/riscv/interp/instances.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define CODE 0x4000u
#define DATA 0x8000u
#define DATA_BYTES 0x200u
#define FIRST_TAKEN 16u /* registers from here on hold values, those from BASES on addresses */
#define BASES 8u
#define BASES_COUNT 8u
#define COUNT 5u
#define BODY 60u
#define ROUNDS 25
#define INITIATOR(noc, i) (TF_PORT_BASE + ((uint32_t)(noc) << 16) + (i)*0x800u)
#define CMD_CTRL (4 * TF_PORT_CMD_CTRL)
#define RELEASE 0x100u /* lets initiators go on that wait */

struct fake_niu {
    uint32_t initiator[TF_PORT_INITIATORS][TF_PORT_INITIATOR_STRIDE];
    uint32_t counter[TF_PORT_COUNTERS];
    struct tf_tile *tile;
    uint64_t log; /* mixed from what only the functions see: requests, misuse */
    uint32_t launched;
};

struct bench {
    struct rig *rig;
    struct fake_niu niu[2];
};

static void note(struct fake_niu *niu, uint64_t what)
{
    niu->log = (niu->log ^ what) * 0x9E3779B97F4A7C15u;
}

static bool of_initiator(uint32_t offset)
{
    return offset < TF_PORT_INITIATORS * 0x800u && offset % 0x800 <= 4 * TF_PORT_NODE_ID;
}

static enum tf_access load(void *opaque, uint32_t offset, uint32_t *value, bool *pure)
{
    const struct fake_niu *niu = opaque;
    *pure = of_initiator(offset) || offset - 0x200 < sizeof niu->counter;
    if (of_initiator(offset))
        *value = niu->initiator[offset / 0x800][offset % 0x800 / 4];
    else if (offset - 0x200 < sizeof niu->counter)
        *value = niu->counter[(offset - 0x200) / 4];
    else
        *value = offset * 0x9E3779B1u ^ niu->launched;
    return TF_ACCESS_OK;
}

static void launch(struct fake_niu *niu, uint32_t *words, uint32_t value, uint32_t pc)
{
    niu->launched++;
    for (unsigned i = 0; i < TF_PORT_CMD_CTRL; i++)
        note(niu, words[i]);
    note(niu, pc);
    note(niu, niu->tile->cycle);
    niu->counter[niu->launched % TF_PORT_COUNTERS]++;
    words[TF_PORT_CMD_CTRL] = value >> 1 & 1;
}

static enum tf_access store(void *opaque, uint32_t offset, uint32_t value, unsigned core, uint32_t pc)
{
    struct fake_niu *niu = opaque;
    uint32_t *words = niu->initiator[offset / 0x800 % TF_PORT_INITIATORS];
    uint32_t word = offset % 0x800 / 4;
    assert_int_equal(core, TF_CORE_B);
    if (offset == RELEASE)
        for (unsigned i = 0; i < TF_PORT_INITIATORS; i++)
            niu->initiator[i][TF_PORT_CMD_CTRL] = 0;
    else if (!of_initiator(offset) || word == TF_PORT_NODE_ID || words[TF_PORT_CMD_CTRL] != 0)
        note(niu, (uint64_t)offset << 32 | value);
    else if (word == TF_PORT_CMD_CTRL && (value & 1))
        launch(niu, words, value, pc);
    else if (word == TF_PORT_PACKET_TAG)
        words[word] = value & TF_PORT_TAG_MASK;
    else if (word != TF_PORT_CMD_CTRL)
        words[word] = value;
    return TF_ACCESS_OK;
}

/* Of all benches with fast words. */
static struct tf_fast_map map;

/* fast: with fast words. */
static void open_bench(struct bench *bench, struct tf_code_cache *cache, bool fast)
{
    memset(bench, 0, sizeof *bench);
    bench->rig = rig_new(cache, true);
    struct tf_noc_port *port = &bench->rig->tile.port;
    bench->rig->tile.arch = &rig_arch_with_port;
    *port = (struct tf_noc_port){.load = load, .store = store};
    const struct tf_fast words = {.map = &map, .words = (uint32_t *)(void *)bench};
    for (unsigned noc = 0; noc < 2; noc++) {
        struct fake_niu *niu = &bench->niu[noc];
        niu->tile = &bench->rig->tile;
        for (unsigned i = 0; i < TF_PORT_INITIATORS; i++)
            niu->initiator[i][TF_PORT_NODE_ID] = 0x1234500u + noc;
        port->niu[noc] = niu;
        if (fast)
            tf_port_register(&words, &map, noc, niu->initiator[0], niu->counter);
    }
    if (fast)
        bench->rig->tile.fast = words;
}

static void assert_same(const struct bench *a, const struct bench *b)
{
    const struct tf_hart *x = &a->rig->tile.hart[TF_CORE_B], *y = &b->rig->tile.hart[TF_CORE_B];
    struct tf_core_view view[2];
    tf_hart_look(&a->rig->tile, x, &view[0]);
    tf_hart_look(&b->rig->tile, y, &view[1]);
    assert_memory_equal(&view[0], &view[1], sizeof view[0]);
    assert_memory_equal(x->local, y->local, x->local_bytes);
    assert_memory_equal(a->rig->tile.l1, b->rig->tile.l1, RIG_L1_BYTES);
    for (unsigned noc = 0; noc < 2; noc++) {
        assert_memory_equal(a->niu[noc].initiator, b->niu[noc].initiator, sizeof a->niu[noc].initiator);
        assert_memory_equal(a->niu[noc].counter, b->niu[noc].counter, sizeof a->niu[noc].counter);
        assert_int_equal(a->niu[noc].launched, b->niu[noc].launched);
        assert_int_equal(a->niu[noc].log, b->niu[noc].log);
    }
}

static struct tf_hart *start(struct bench *bench, const uint32_t *words, size_t count)
{
    struct tf_hart *hart = &bench->rig->tile.hart[TF_CORE_B];
    rig_put(bench->rig, CODE, words, count);
    tf_hart_release(&bench->rig->tile, hart, CODE, hart->cycle);
    return hart;
}

static uint32_t value_register(uint64_t *random)
{
    return FIRST_TAKEN + test_random_below(random, 32 - FIRST_TAKEN);
}

/* A run of stores, or a load, and often an instruction that is fused with it. */
static size_t random_accesses(uint64_t *random, uint32_t *words)
{
    uint32_t base = BASES + test_random_below(random, BASES_COUNT);
    int32_t at = (int32_t)test_random_below(random, 20) * 4 - 8;
    size_t count = 0, run = 1 + test_random_below(random, 7);
    switch (test_random_below(random, 4)) {
    case 0:
        words[count++] = LW(value_register(random), base, at);
        words[count++] = test_random_below(random, 2) ? ADDI(value_register(random), FIRST_TAKEN, 3)
                                                      : ANDI(value_register(random), FIRST_TAKEN, 1);
        break;
    case 1: {
        uint32_t value = value_register(random);
        words[count++] = LW(value, base, at);
        words[count++] = BNE(value, FIRST_TAKEN, 8);
        words[count++] = ADD(FIRST_TAKEN, FIRST_TAKEN, value);
        break;
    }
    default:
        for (size_t i = 0; i < run; i++) {
            if (test_random_below(random, 8) == 0)
                base = BASES + test_random_below(random, BASES_COUNT);
            words[count++] = SW(test_random_below(random, 8) ? value_register(random) : 0, base, at);
            at = test_random_below(random, 8) ? at + 4 : (int32_t)test_random_below(random, 20) * 4 - 8;
        }
        break;
    }
    return count;
}

/* A loop in which each instruction accesses each of the places. */
static size_t random_program(uint64_t *random, uint32_t *words)
{
    size_t count = 0;
    while (count < BODY)
        count += random_accesses(random, words + count);
    words[count++] = ADDI(4, BASES, 0);
    for (uint32_t i = 0; i < BASES_COUNT - 1; i++)
        words[count++] = ADDI(BASES + i, BASES + i + 1, 0);
    words[count++] = ADDI(BASES + BASES_COUNT - 1, 4, 0);
    words[count++] = ADDI(COUNT, COUNT, -1);
    words[count] = BNE(COUNT, 0, -(int32_t)count * 4);
    count++;
    words[count++] = EBREAK;
    return count;
}

static void set_registers(struct tf_hart *hart, uint64_t seed, unsigned first)
{
    const uint32_t place[BASES_COUNT] = {
        DATA + 0x80,         INITIATOR(0, 1) + 8,     RIG_LOCAL + 0x80,
        INITIATOR(1, 3) + 8, INITIATOR(0, 0) + 0x208, INITIATOR(1, 0) + RELEASE,
        INITIATOR(1, 2),     INITIATOR(0, 3) - 12,
    };
    uint64_t random = seed;
    for (unsigned i = FIRST_TAKEN; i < 32; i++)
        hart->x[i] = rig_operand(&random);
    for (unsigned i = 0; i < BASES_COUNT; i++)
        hart->x[BASES + i] = place[(first + i) % BASES_COUNT];
    hart->x[COUNT] = ROUNDS;
}

/* Two tiles that share decoded code run alternately. Each has a model whose functions do all accesses. */
static void random_programs(void **state)
{
    (void)state;
    uint64_t random = test_seed(1);
    for (unsigned i = 0; i < 60; i++) {
        struct tf_code_cache *cache = tf_code_cache_create(TF_EXT_ALL, &tf_interp_instances);
        struct bench bench[4];
        struct tf_hart *hart[4];
        uint32_t words[BODY + 40];
        size_t count = random_program(&random, words);
        uint64_t seed = random;
        for (unsigned b = 0; b < 4; b++) {
            open_bench(&bench[b], b < 2 ? cache : NULL, b < 2);
            hart[b] = start(&bench[b], words, count);
            set_registers(hart[b], seed, b % 2);
        }
        while (hart[2]->state == TF_CORE_RUNNING || hart[3]->state == TF_CORE_RUNNING) {
            uint64_t deadline = hart[0]->cycle + 1 + test_random_below(&random, 200);
            for (unsigned b = 0; b < 4; b++)
                rig_turn(bench[b].rig, hart[b], deadline);
            assert_same(&bench[0], &bench[2]);
            assert_same(&bench[1], &bench[3]);
        }
        assert_int_equal(hart[0]->state, TF_CORE_PAUSED);
        assert_ptr_equal(bench[0].rig->tile.code.page[CODE / TF_CODE_PAGE_BYTES],
                         bench[1].rig->tile.code.page[CODE / TF_CODE_PAGE_BYTES]);
        for (unsigned b = 0; b < 4; b++)
            rig_free(bench[b].rig);
        tf_code_cache_destroy(cache);
    }
}

/* Loads from one place after another: a register, L1, local RAM, a counter, a register again. Then stores in this
   way. */
static void one_instruction_everywhere(void **state)
{
    (void)state;
    static const uint32_t place[] = {
        INITIATOR(0, 2) + CMD_CTRL,
        DATA,
        INITIATOR(0, 3) + 4 * TF_PORT_NODE_ID,
        RIG_LOCAL + 4,
        INITIATOR(1, 0) + 0x2FC,
        INITIATOR(0, 1),
        DATA + 4,
        INITIATOR(1, 1) + 8,
    };
    enum { PLACES = sizeof place / sizeof place[0] };
    const uint32_t words[] = {LW(9, 7, 0), ADDI(9, 9, 1), SW(9, 8, 0), EBREAK, JAL(0, -16)};
    struct bench bench;
    open_bench(&bench, NULL, true);
    struct tf_hart *hart = start(&bench, words, 5);
    bench.niu[1].counter[63] = 41;
    for (uint32_t i = 0; i < 3 * PLACES; i++) {
        uint32_t from = place[i % PLACES], to = place[(i * 3 + 1) % PLACES], value;
        bool pure, launches = to == INITIATOR(0, 2) + CMD_CTRL, kept = !launches && to != place[2] && to != place[4];
        uint32_t launched = bench.niu[0].launched;
        if (from < RIG_L1_BYTES)
            value = rig_word(bench.rig, from);
        else if (from - RIG_LOCAL < hart->local_bytes)
            memcpy(&value, hart->local + (from - RIG_LOCAL), 4);
        else
            load(&bench.niu[from >> 16 & 1], from & 0xFFFF, &value, &pure);
        hart->x[7] = from;
        hart->x[8] = to;
        rig_turn(bench.rig, hart, hart->cycle + 4);
        assert_int_equal(hart->state, TF_CORE_PAUSED);
        assert_int_equal(hart->x[9], value + 1);
        assert_int_equal(bench.niu[0].launched, launched + (launches && (value + 1) % 2 != 0));
        bench.niu[0].initiator[2][TF_PORT_CMD_CTRL] = 0;
        if (kept && to < RIG_L1_BYTES)
            assert_int_equal(rig_word(bench.rig, to), value + 1);
        else if (kept && to - RIG_LOCAL >= hart->local_bytes)
            assert_int_equal(bench.niu[to >> 16 & 1].initiator[to >> 11 & 3][to >> 2 & 15], value + 1);
        tf_hart_resume(&bench.rig->tile, hart);
    }
    rig_free(bench.rig);
}

/* The hart overwrites words of a run of stores. One run becomes two, or none. */
static void runs_written_over(void **state)
{
    (void)state;
    enum { RUN = 8 };
    const uint32_t in_place[] = {ADDI(20, 20, 1), SW(21, 8, 0x100), SW(21, 7, 0x3C)};
    for (unsigned at = 0; at < RUN; at++)
        for (unsigned what = 0; what < sizeof in_place / sizeof in_place[0]; what++) {
            struct bench bench[2];
            for (unsigned b = 0; b < 2; b++) {
                uint32_t words[RUN + 6];
                for (uint32_t i = 0; i < RUN; i++)
                    words[i] = SW(16 + i, 7, (int32_t)i * 4);
                for (uint32_t i = 0; i < 3; i++)
                    words[RUN + i] = ADDI(16 + i, 16 + i, 5);
                words[RUN + 3] = SW(10, 9, 0);
                words[RUN + 4] = ADDI(COUNT, COUNT, -1);
                words[RUN + 5] = BNE(COUNT, 0, -(RUN + 5) * 4);
                open_bench(&bench[b], NULL, b == 0);
                struct tf_hart *hart = start(&bench[b], words, RUN + 6);
                for (unsigned i = 16; i < 32; i++)
                    hart->x[i] = i * 0x01010101u;
                hart->x[7] = INITIATOR(1, 2) + 4;
                hart->x[8] = DATA;
                hart->x[9] = DATA + 4;
                hart->x[COUNT] = 1000;
                rig_turn(bench[b].rig, hart, hart->cycle + 60);
                hart->x[9] = CODE + at * 4;
                hart->x[10] = in_place[what];
                rig_turn(bench[b].rig, hart, hart->cycle + 60);
                hart->x[10] = SW(16 + at, 7, (int32_t)at * 4);
                hart->x[22] = 0xABCD1234;
                rig_turn(bench[b].rig, hart, hart->cycle + 60);
            }
            assert_same(&bench[0], &bench[1]);
            assert_int_equal(bench[0].niu[1].initiator[2][1 + 6], 0xABCD1234);
            for (unsigned b = 0; b < 2; b++)
                rig_free(bench[b].rig);
        }
}

/* Registers and memory that loops poll: 0 with a high probability, or another value. */
static void set_polled(struct bench *bench, uint64_t random)
{
    for (unsigned noc = 0; noc < 2; noc++) {
        for (unsigned i = 0; i < TF_PORT_INITIATORS; i++)
            bench->niu[noc].initiator[i][TF_PORT_CMD_CTRL] = test_random_below(&random, 3) == 0
                                                                 ? test_random_below(&random, 4)
                                                                 : 0;
        bench->niu[noc].counter[5] = test_random_below(&random, 3) == 0;
    }
    rig_set(bench->rig, DATA + CMD_CTRL, test_random_below(&random, 2));
}

enum { POLLING = 15 };

/* Three loops that poll, and loops that almost poll. */
static void random_polls(uint64_t *random, uint32_t *words)
{
    const uint32_t loop[POLLING] = {
        LW(16, 7, CMD_CTRL), ANDI(16, 16, (int32_t)test_random_below(random, 4)),
        BNE(16, 0, -8),      ADDI(20, 20, 1),
        LW(17, 8, 0x214),    BNE(17, 0, -4),
        ADD(20, 20, 20),     LW(18, 7, CMD_CTRL),
        BNE(18, 0, -4),      ADDI(20, 20, 1),
        LW(19, 8, 0x214),    ANDI(19, 19, 1),
        BNE(19, 0, -8),      SW(10, 11, 0),
        JAL(0, -56),
    };
    const uint32_t similar[] = {BNE(16, 22, -8), BNE(22, 0, -8),  BNE(16, 0, 8),
                                ADDI(16, 16, 1), ANDI(16, 22, 1), ANDI(21, 16, 1)};
    memcpy(words, loop, sizeof loop);
    if (test_random_below(random, 3) != 0)
        words[test_random_below(random, 2) ? 2 : 5] = similar[test_random_below(random, 3)];
    if (test_random_below(random, 3) == 0)
        words[1] = similar[3 + test_random_below(random, 3)];
}

/* The address that a hart polls changes from round to round, and the hart overwrites the words of the loops. */
static void polls(void **state)
{
    (void)state;
    const uint32_t base[] = {INITIATOR(0, 1), INITIATOR(1, 3), INITIATOR(0, 1), DATA, INITIATOR(0, 0) + 4};
    const uint32_t others[] = {ANDI(19, 18, 1), BNE(16, 22, -8), BNE(18, 23, -4), ADDI(21, 21, 1)};
    uint64_t random = test_seed(1);
    for (unsigned program = 0; program < 100; program++) {
        uint32_t words[POLLING];
        struct bench bench[2];
        struct tf_hart *hart[2];
        random_polls(&random, words);
        for (unsigned b = 0; b < 2; b++) {
            open_bench(&bench[b], NULL, b == 0);
            hart[b] = start(&bench[b], words, POLLING);
        }
        for (unsigned turn = 0; turn < 60; turn++) {
            uint32_t at = test_random_below(&random, POLLING - 2),
                     to = test_random_below(&random, 3) != 0 ? DATA : CODE + 4 * at;
            uint32_t word = test_random_below(&random, 3) != 0 ? words[at] : others[test_random_below(&random, 4)];
            uint32_t first = test_random_below(&random, 5), noc = test_random_below(&random, 2),
                     cycles = 1 + test_random_below(&random, 80);
            uint64_t set = test_random(&random) | 1u;
            uint64_t deadline = hart[0]->cycle + cycles;
            for (unsigned b = 0; b < 2; b++) {
                hart[b]->x[7] = base[first];
                hart[b]->x[8] = INITIATOR(noc, 0);
                hart[b]->x[21] = turn + 1;
                hart[b]->x[22] = turn / 8 % 2;
                hart[b]->x[23] = turn / 16 % 2;
                hart[b]->x[10] = word;
                hart[b]->x[11] = to;
                set_polled(&bench[b], set);
                rig_turn(bench[b].rig, hart[b], deadline);
            }
            assert_same(&bench[0], &bench[1]);
        }
        for (unsigned b = 0; b < 2; b++)
            rig_free(bench[b].rig);
    }
}

/* Many threads execute one decoded code. Some of them find registers where others find memory. */
#define THREADS 4u

static void *run_single(void *argument)
{
    struct bench *bench = argument;
    struct tf_hart *hart = &bench->rig->tile.hart[TF_CORE_B];
    while (hart->state == TF_CORE_RUNNING)
        rig_turn(bench->rig, hart, hart->cycle + 100);
    return NULL;
}

static void threads(void **state)
{
    (void)state;
    uint64_t random = test_seed(1);
    struct tf_code_cache *cache = tf_code_cache_create(TF_EXT_ALL, &tf_interp_instances);
    static struct bench bench[THREADS];
    pthread_t thread[THREADS];
    uint32_t words[BODY + 40];
    size_t count = random_program(&random, words);
    for (unsigned t = 0; t < THREADS; t++) {
        open_bench(&bench[t], cache, true);
        set_registers(start(&bench[t], words, count), 1, t);
    }
    for (unsigned t = 0; t < THREADS; t++)
        assert_int_equal(pthread_create(&thread[t], NULL, run_single, &bench[t]), 0);
    for (unsigned t = 0; t < THREADS; t++) {
        struct bench single;
        assert_int_equal(pthread_join(thread[t], NULL), 0);
        open_bench(&single, NULL, false);
        set_registers(start(&single, words, count), 1, t);
        run_single(&single);
        /* The page is shared, or it is a copy because one of its words was written. Here no hart writes. */
        assert_same(&bench[t], &single);
        rig_free(single.rig);
    }
    for (unsigned t = 0; t < THREADS; t++)
        rig_free(bench[t].rig);
    tf_code_cache_destroy(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs),   cmocka_unit_test(one_instruction_everywhere),
        cmocka_unit_test(runs_written_over), cmocka_unit_test(polls),
        cmocka_unit_test(threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
