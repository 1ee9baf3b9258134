/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Probes that end where an earlier one did. A memo gives the end, or a probe finds it. In both cases the next probes
 * begin in equal cycles. A tile that executes waits has no memos: it is the model.
 */
#include "tile/riscv/control/view.h"
#include "unless_hostile.h"
#include "rig.h"

#include <string.h>

#include "tile/port.h"
#include "tile/riscv/park/memo.h"
#include "tile/tensix/isa/isa.h"
#include "tilefarm_address.h"

#define NO_CYCLE UINT64_MAX
#define OTHER_CODE (RIG_CODE + 0x200) /* in the decoded page of a program, which never reaches it */
#define BODY_MAX 12u
#define PLACES 4u
#define STATUS (4 * (int32_t)TF_PORT_CMD_CTRL)

struct side {
    struct rig *rig;
    struct tf_hart *hart;
    uint32_t words[TF_PORT_INITIATORS * TF_PORT_INITIATOR_STRIDE];
    uint32_t counters[TF_PORT_COUNTERS];
};

/* A NIU that is its first initiator and the counters. */
static enum tf_access load(void *niu, uint32_t offset, uint32_t *value, bool *pure)
{
    const struct side *side = niu;
    *pure = true;
    *value = offset < 0x200 ? side->words[offset / 4] : side->counters[(offset - 0x200) / 4 % TF_PORT_COUNTERS];
    return TF_ACCESS_OK;
}

/* A request leaves the initiator busy where bit 1 says so. */
static enum tf_access store(void *niu, uint32_t offset, uint32_t value, unsigned core, uint32_t pc)
{
    struct side *side = niu;
    (void)core;
    (void)pc;
    side->counters[0] += offset == (uint32_t)STATUS;
    side->words[offset / 4 % TF_PORT_INITIATOR_STRIDE] = offset == (uint32_t)STATUS ? value >> 1 & 1 : value;
    side->words[TF_PORT_PACKET_TAG] &= TF_PORT_TAG_MASK;
    return TF_ACCESS_OK;
}

/* Words of both sides. */
static struct tf_fast_map map;

/* sides[1] skips waits. */
static void sides_start_core(struct side sides[2], unsigned core, const uint32_t *words, size_t count)
{
    memset(sides, 0, 2 * sizeof sides[0]);
    for (unsigned parking = 0; parking < 2; parking++) {
        struct side *side = &sides[parking];
        side->rig = rig_new(NULL, parking);
        side->hart = rig_start(side->rig, core, words, count);
        side->rig->tile.arch = &rig_arch_with_port;
        side->rig->tile.port = (struct tf_noc_port){.load = load, .store = store, .niu = {side, side}};
        side->rig->tile.fast = (struct tf_fast){.map = &map, .words = (uint32_t *)(void *)side};
        tf_port_register(&side->rig->tile.fast, &map, 0, side->words, side->counters);
    }
}

static void sides_start(struct side sides[2], const uint32_t *words, size_t count)
{
    sides_start_core(sides, TF_CORE_B, words, count);
}

static void sides_free(struct side sides[2])
{
    rig_free(sides[0].rig);
    rig_free(sides[1].rig);
}

static void sides_turn(struct side sides[2], uint64_t cycles)
{
    struct tf_core_view view[2];
    uint64_t deadline = sides[0].hart->cycle + cycles;
    for (unsigned i = 0; i < 2; i++) {
        rig_turn(sides[i].rig, sides[i].hart, deadline);
        tf_hart_look(&sides[i].rig->tile, sides[i].hart, &view[i]);
    }
    view[0].wait_address = view[1].wait_address; /* the order of inputs may differ */
    assert_memory_equal(&view[0], &view[1], sizeof view[0]);
    assert_memory_equal(sides[0].words, sides[1].words, sizeof sides[0].words);
    assert_int_equal(rig_hash(sides[0].rig), rig_hash(sides[1].rig));
}

/* Asks as a probe that begins at pc does: does its way to a store end as a remembered one? If so, the hart is at the
   store. The function then restores the hart. */
static bool is_remembered(struct side *side, uint32_t pc, uint64_t deadline)
{
    struct tf_hart *hart = side->hart, before = *hart;
    hart->pc = pc;
    bool yes = tf_memo_stores(&side->rig->tile, hart, deadline);
    if (yes) {
        assert_int_equal(hart->pc, RIG_CODE + 16);
        assert_int_equal(hart->cycle, before.cycle + 4);
        assert_int_equal(hart->instret, before.instret + 4);
        assert_int_equal(hart->x[9], hart->x[8] & 1);
    } else {
        assert_memory_equal(hart->x, before.x, sizeof hart->x);
        assert_int_equal(hart->cycle, before.cycle);
    }
    *hart = before;
    return yes;
}

/* From some deadline on the answer is yes. It is never yes before the way's end, `cycles` after the present cycle. */
static void assert_parked_from(struct side *side, bool ask(struct side *, uint32_t, uint64_t), uint64_t cycles)
{
    uint64_t cycle = side->hart->cycle, first = cycle;
    while (first < cycle + 1000 && !ask(side, RIG_CODE, first))
        first++;
    assert_in_range(first - cycle, cycles, 300);
    for (uint64_t deadline = first; deadline < first + 100; deadline++)
        assert_true(ask(side, RIG_CODE, deadline));
}

/* Requests in sequence, each after a load of the status. The first ones are as a probe expects them; each possible
   difference follows. */
static void told_or_not(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("there are no memos");
    struct side sides[2];
    const uint32_t words[] = {LW(8, 4, STATUS), ANDI(9, 8, 1),     BNE(9, 0, -8),   LW(10, 7, 8), SW(11, 4, 4),
                              SW(12, 4, 8),     SW(13, 4, STATUS), ADDI(11, 11, 1), JAL(0, -32)};
    sides_start(sides, words, sizeof words / sizeof words[0]);
    for (unsigned i = 0; i < 40; i++)
        sides_turn(sides, 50 + i);
    struct side *side = &sides[1];
    assert_true(is_remembered(side, RIG_CODE, NO_CYCLE));
    assert_false(is_remembered(side, RIG_CODE + 4, NO_CYCLE));
    assert_parked_from(side, is_remembered, 5);
    side->words[TF_PORT_CMD_CTRL] = 2;
    assert_false(is_remembered(side, RIG_CODE, NO_CYCLE)); /* the store would have to wait */
    side->words[TF_PORT_CMD_CTRL] = 1;
    assert_false(is_remembered(side, RIG_CODE, NO_CYCLE)); /* another way */
    side->words[TF_PORT_CMD_CTRL] = 0;
    side->hart->x[7] = RIG_POP - 8;
    assert_false(is_remembered(side, RIG_CODE, NO_CYCLE)); /* the load has an effect */
    side->hart->x[7] = RIG_DATA;
    assert_true(is_remembered(side, RIG_CODE, NO_CYCLE));
    rig_set(side->rig, OTHER_CODE, ADDI(1, 1, 1));
    assert_true(is_remembered(side, RIG_CODE, NO_CYCLE));
    rig_set(side->rig, RIG_CODE + 4, ANDI(9, 8, 3));
    assert_false(is_remembered(side, RIG_CODE, NO_CYCLE));
    rig_set(side->rig, RIG_CODE + 4, words[1]);
    assert_true(is_remembered(side, RIG_CODE, NO_CYCLE));
    sides_free(sides);
}

/* A store to memory ends a probe only if it changes the memory. */
static void stores_to_memory(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("there are no memos");
    struct side sides[2];
    const uint32_t words[] = {LW(8, 7, 0),        ANDI(9, 8, 1),   LHU(10, 3, 2), FENCE,
                              rig_s(1, 11, 3, 6), ADDI(11, 11, 1), JAL(0, -24)};
    sides_start(sides, words, sizeof words / sizeof words[0]);
    for (unsigned i = 0; i < 40; i++)
        sides_turn(sides, 50 + i);
    uint16_t value = (uint16_t)~sides[1].hart->x[11];
    memcpy(sides[1].hart->local + 6, &value, 2);
    assert_true(is_remembered(&sides[1], RIG_CODE, NO_CYCLE));
    value = (uint16_t)~value;
    memcpy(sides[1].hart->local + 6, &value, 2);
    assert_false(is_remembered(&sides[1], RIG_CODE, NO_CYCLE));
    sides[1].hart->x[3]++;
    assert_false(is_remembered(&sides[1], RIG_CODE, NO_CYCLE)); /* a fault */
    sides_free(sides);
}

/* A push ends a probe only into an open FIFO, by a T core, and if it declares no resources. */
static void pushes(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("there are no memos");
    enum { WORD = 0x26001234, DECLARES = TF_OP_RESOURCEDECL << 24 };
    const uint32_t ttinsn = (uint32_t)WORD << 2 | WORD >> 30, sw = SW(12, 13, 0);
    for (unsigned i = 0; i < 4; i++) {
        struct side sides[2];
        const bool stores = i % 2 != 0;
        const unsigned core = i < 2 ? TF_CORE_T1 : TF_CORE_B;
        const uint32_t words[] = {LW(8, 7, 0), ANDI(9, 8, 1),        LUI(13, TF_INSTRN_BUF_BASE >> 12),
                                  FENCE,       stores ? sw : ttinsn, ADDI(11, 11, 1),
                                  JAL(0, -24)};
        sides_start_core(sides, core, words, sizeof words / sizeof words[0]);
        for (unsigned k = 0; k < 2; k++) {
            sides[k].rig->device.free_pushes = true;
            sides[k].hart->x[12] = WORD;
        }
        for (unsigned k = 0; k < 40; k++)
            sides_turn(sides, 50 + k);
        struct side *side = &sides[1];
        assert_int_equal(is_remembered(side, RIG_CODE, NO_CYCLE), core == TF_CORE_T1);
        side->hart->x[12] = DECLARES;
        assert_int_equal(is_remembered(side, RIG_CODE, NO_CYCLE), core == TF_CORE_T1 && !stores);
        side->hart->x[12] = WORD;
        side->rig->device.free_pushes = false;
        assert_false(is_remembered(side, RIG_CODE, NO_CYCLE));
        sides_free(sides);
    }
}

/* Asks as a probe that begins at pc does: does its way lead to a remembered wait? If so, the hart is parked. The
   function then restores the hart. */
static bool led(struct side *side, uint32_t pc, uint64_t deadline)
{
    struct tf_hart *hart = side->hart, before = *hart;
    hart->state = TF_CORE_RUNNING;
    hart->pc = pc;
    bool yes = tf_memo_leads(&side->rig->tile, hart, deadline);
    if (yes) {
        assert_int_equal(hart->state, TF_CORE_PARKED);
        assert_int_equal(hart->pc, RIG_CODE + 16);
        assert_int_equal(hart->cycle, before.cycle + 8); /* the way, and a round */
        assert_int_equal(hart->instret, before.instret + 8);
        assert_int_equal(hart->x[11], before.x[11] + 1);
    } else {
        assert_memory_equal(hart->x, before.x, sizeof hart->x);
        assert_int_equal(hart->pc, pc);
        assert_int_equal(hart->cycle, before.cycle);
    }
    *hart = before;
    return yes;
}

/* After some work a hart takes a branch to the loop in which it waits. A probe begins there. */
static void led_or_not(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("there are no memos");
    struct side sides[2];
    enum { WORK = 16 }; /* cycles in which a core that has waited is not probed */
    uint32_t words[8 + WORK] = {ADDI(11, 11, 1), LW(9, 7, 4),    BNE(9, 0, 24), ADDI(0, 0, 0),
                                LW(10, 7, 8),    BEQ(10, 0, -4), SW(0, 7, 8)};
    for (unsigned i = 0; i < WORK; i++)
        words[7 + i] = ADDI(12, 12, 1);
    words[7 + WORK] = JAL(0, -4 * (7 + WORK));
    sides_start(sides, words, sizeof words / sizeof words[0]);
    for (unsigned i = 0; i < 20; i++) {
        for (unsigned k = 0; k < 2; k++)
            rig_set(sides[k].rig, RIG_DATA + 8, 1);
        sides_turn(sides, 400);
        assert_int_equal(sides[1].hart->state, TF_CORE_PARKED);
    }
    struct side *side = &sides[1];
    assert_true(led(side, RIG_CODE, NO_CYCLE));
    assert_false(led(side, RIG_CODE + 4, NO_CYCLE));
    assert_parked_from(side, led, 9);
    rig_set(side->rig, RIG_DATA + 8, 1);
    assert_false(led(side, RIG_CODE, NO_CYCLE)); /* it would not wait */
    rig_set(side->rig, RIG_DATA + 8, 0);
    rig_set(side->rig, RIG_DATA + 4, 1);
    assert_false(led(side, RIG_CODE, NO_CYCLE)); /* another way */
    rig_set(side->rig, RIG_DATA + 4, 0);
    assert_true(led(side, RIG_CODE, NO_CYCLE));
    rig_set(side->rig, OTHER_CODE, ADDI(1, 1, 1));
    assert_true(led(side, RIG_CODE, NO_CYCLE));
    rig_set(side->rig, RIG_CODE, ADDI(11, 11, 2));
    assert_false(led(side, RIG_CODE, NO_CYCLE));
    sides_free(sides);
}

static uint32_t body_word(uint64_t *random, unsigned at, unsigned body)
{
    static const uint8_t bases[] = {3, 4, 7, 7};
    static const uint8_t kinds[] = {0, 2, 2, 5};
    uint32_t rd = 14 + test_random_below(random, 5), rs = 10 + test_random_below(random, 9),
             base = bases[test_random_below(random, 4)];
    int32_t place = (int32_t)(4 + 4 * test_random_below(random, PLACES));
    int32_t distance = (int32_t)test_random_below(random, body - at < 4 ? body - at : 4) + 1;
    switch (test_random_below(random, 8)) {
    case 0: return ADD(rd, rd, rs);
    case 1: return ADDI(rd, rs, (int32_t)test_random_below(random, 3));
    case 2: return ANDI(rd, rs, 3);
    case 3: return rig_i(0x03, base == 4 ? 2 : kinds[test_random_below(random, 4)], rd, base, place);
    case 4: return LW(rd, 4, test_random_below(random, 2) ? STATUS : 0x200);
    case 5: return rig_b(test_random_below(random, 2), rs, test_random_below(random, 2) ? 0 : rd, distance * 4);
    default:
        return base == 4 ? SW(rs, 4, test_random_below(random, 4) ? place : STATUS)
                         : rig_s(test_random_below(random, 3), rs, base, place);
    }
}

/* Wait for a word, execute a body so many times, and wait again. */
static unsigned random_program(uint64_t *random, uint32_t *words, unsigned *body)
{
    unsigned n = 0;
    *body = 1 + test_random_below(random, BODY_MAX);
    words[n++] = LW(8, 7, 0);
    words[n++] = BEQ(8, 0, -4);
    words[n++] = SW(0, 7, 0);
    words[n++] = ADDI(9, 0, 1 + (int32_t)test_random_below(random, 30));
    for (unsigned i = 0; i < *body; i++)
        words[n++] = body_word(random, i, *body);
    words[n++] = ADDI(10, 10, (int32_t)test_random_below(random, 2));
    words[n++] = ADDI(9, 9, -1);
    words[n++] = BNE(9, 0, -4 * (int32_t)(*body + 2));
    words[n] = JAL(0, -4 * (int32_t)n);
    return n + 1;
}

static void disturb(struct side sides[2], uint64_t *random, unsigned body)
{
    uint32_t what = test_random_below(random, 8), value = test_random_below(random, 3),
             at = test_random_below(random, body);
    uint32_t place = 4 + 4 * test_random_below(random, PLACES), word = body_word(random, at, body);
    for (unsigned i = 0; i < 2; i++) {
        if (what < 4)
            rig_set(sides[i].rig, RIG_DATA, 1);
        else if (what == 4)
            rig_set(sides[i].rig, RIG_DATA + place, value);
        else if (what == 5)
            sides[i].words[TF_PORT_CMD_CTRL] = value;
        else if (what == 6)
            memcpy(sides[i].hart->local + place, &value, 4);
        else
            rig_set(sides[i].rig, RIG_CODE + 16 + at * 4, word);
    }
}

static void random_ends(void **state)
{
    (void)state;
    uint64_t random = test_seed(1);
    for (unsigned i = 0; i < 800; i++) {
        struct side sides[2];
        uint32_t words[BODY_MAX + 8];
        unsigned body, count = random_program(&random, words, &body);
        uint32_t stride = test_random_below(&random, 3) ? 400 : 30;
        sides_start(sides, words, count);
        for (unsigned round = 0; round < 40; round++) {
            disturb(sides, &random, body);
            sides_turn(sides, 1 + test_random_below(&random, stride));
        }
        sides_free(sides);
    }
}

/*
 * A way that reads a CSR is never remembered: no step of a memo reads one. The way lies where the number of the CSR is
 * the address of its second instruction, to which a step of another kind would go.
 */
static void reads_a_csr(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("there are no memos");
    enum { MSTATUS = 0x300, LOOP = MSTATUS - 4 };
    const uint32_t start[] = {JAL(0, LOOP - (int32_t)RIG_CODE)};
    const uint32_t loop[] = {CSRR(15, MSTATUS), SW(15, 7, 0), LW(9, 7, 0), ADD(10, 10, 9), SW(0, 7, 0), JAL(0, -20)};
    struct side sides[2];
    sides_start(sides, start, 1);
    for (unsigned i = 0; i < 2; i++)
        rig_put(sides[i].rig, LOOP, loop, sizeof loop / sizeof loop[0]);
    for (unsigned i = 0; i < 40; i++)
        sides_turn(sides, 1000 + i);
    sides_free(sides);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(told_or_not), cmocka_unit_test(stores_to_memory), cmocka_unit_test(pushes),
        cmocka_unit_test(led_or_not),  cmocka_unit_test(random_ends),      cmocka_unit_test(reads_a_csr),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
