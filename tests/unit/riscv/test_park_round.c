/* SPDX-License-Identifier: Apache-2.0 */
/* Loops in which a hart has waited before. A hart that recognises them, and one that probes them, leave them in equal
   states. */
#include "rig.h"
#include "tile/riscv/control/view.h"
#include "tile/riscv/waits/waits.h"

#include <string.h>

/* A loop that waits, and a way back to it on which turns end; words[] ends with the jump to the loop. */
#define LEAVING 20u

static void wait_and_return(uint32_t *words, int32_t offset)
{
    words[0] = LW(8, 7, offset);
    words[1] = BEQ(8, 0, -4);
    words[2] = SW(0, 7, offset);
    for (unsigned i = 0; i < LEAVING; i++)
        words[3 + i] = ADDI(9, 9, 1);
}

/* A probe that a turn begins, between two transfers, reaches a loop that a memo might know: no memo exists yet. */
static void recalled_at_a_turn(void **state)
{
    (void)state;
    struct rig *rig[2];
    struct tf_hart *hart[2];
    uint32_t words[5 + LEAVING];
    wait_and_return(words, 0);
    words[3 + LEAVING] = JAL(0, 4);
    words[4 + LEAVING] = JAL(0, -4 * (int32_t)(4 + LEAVING));
    for (unsigned parking = 0; parking < 2; parking++) {
        rig[parking] = rig_new(NULL, parking);
        hart[parking] = rig_start(rig[parking], TF_CORE_T1, words, 5 + LEAVING);
    }
    static const uint16_t turns[] = {400, 10, 1000, 10, 1000, 500};
    for (unsigned i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        struct tf_core_view view[2];
        for (unsigned parking = 0; parking < 2; parking++) {
            if (turns[i] == 10)
                rig_set(rig[parking], RIG_DATA, i);
            rig_turn(rig[parking], hart[parking], hart[parking]->cycle + turns[i]);
            tf_hart_look(&rig[parking]->tile, hart[parking], &view[parking]);
        }
        assert_int_equal(hart[1]->state, turns[i] == 10 ? TF_CORE_RUNNING : TF_CORE_PARKED);
        assert_memory_equal(&view[0], &view[1], sizeof view[0]);
    }
    assert_int_equal(hart[1]->x[9], 2 * LEAVING);
    rig_free(rig[0]);
    rig_free(rig[1]);
}

static void store_by_other(struct rig *rig, uint64_t cycle, uint32_t word)
{
    struct tf_hart *other = &rig->tile.hart[TF_CORE_T2];
    tf_hart_release(&rig->tile, other, 0x9000, cycle);
    other->x[6] = word;
    other->x[5] = RIG_CODE;
    rig_turn(rig, other, cycle + 50);
}

/* Another hart changes code and changes it back: the loop is known. After one more change it is not, parked or
   recalled. */
static void code_changes_back(void **state)
{
    (void)state;
    const uint32_t writer[] = {SW(6, 5, 0), EBREAK}, before = LW(8, 7, 0), after = LW(8, 7, 16);
    for (unsigned recalled = 0; recalled < 2; recalled++) {
        struct rig *rig = rig_new(NULL, true);
        uint32_t words[2 * (3 + LEAVING) + 1];
        wait_and_return(words, 0);
        wait_and_return(words + 3 + LEAVING, 8);
        words[2 * (3 + LEAVING)] = JAL(0, -8 * (int32_t)(3 + LEAVING));
        struct tf_hart *hart = rig_start(rig, TF_CORE_B, words, sizeof words / sizeof words[0]);
        rig_put(rig, 0x9000, writer, 2);
        rig_turn(rig, hart, 300);
        if (recalled) { /* the first loop has been left for the second while its code changes */
            rig_set(rig, RIG_DATA, 1);
            rig_turn(rig, hart, hart->cycle + 300);
        }
        assert_int_equal(hart->state, TF_CORE_PARKED);
        store_by_other(rig, hart->cycle, after);
        store_by_other(rig, hart->cycle, before);
        if (recalled)
            rig_set(rig, RIG_DATA + 8, 1);
        rig_turn(rig, hart, hart->cycle + 300);
        assert_int_equal(hart->state, TF_CORE_PARKED);
        rig_set(rig, RIG_DATA + 16, 1);
        store_by_other(rig, hart->cycle, after);
        assert_false(tf_hart_waiting(&rig->tile, hart));
        uint32_t left = hart->x[9];
        rig_turn(rig, hart, hart->cycle + 300);
        assert_int_equal(hart->x[9], left + LEAVING);
        rig_free(rig);
    }
}

/* The program runs in two copies, one skipped and one executed. This has their turns, the changes between, and the
   observations. */
struct pair {
    struct rig *rig[2];
    struct tf_hart *hart[2]; /* [1] skips waits */
};

static struct pair pair_of(const uint32_t *words, size_t count)
{
    struct pair pair;
    for (unsigned parking = 0; parking < 2; parking++) {
        pair.rig[parking] = rig_new(NULL, parking);
        pair.hart[parking] = rig_start(pair.rig[parking], TF_CORE_T1, words, count);
    }
    return pair;
}

static void pair_turn(struct pair *pair, uint64_t cycles)
{
    struct tf_core_view view[2];
    uint64_t deadline = pair->hart[0]->cycle + cycles;
    for (unsigned i = 0; i < 2; i++) {
        rig_turn(pair->rig[i], pair->hart[i], deadline);
        tf_hart_look(&pair->rig[i]->tile, pair->hart[i], &view[i]);
    }
    view[0].wait_address = view[1].wait_address; /* the order of inputs may differ */
    assert_memory_equal(&view[0], &view[1], sizeof view[0]);
}

static void pair_free(struct pair *pair)
{
    rig_free(pair->rig[0]);
    rig_free(pair->rig[1]);
}

/* A loop of four transfers polls four places of three sizes. Each of three exits leaves it, at each position. */
static void recalled_and_left_anywhere(void **state)
{
    (void)state;
    const uint32_t words[] = {
        LW(8, 7, 0),
        JAL(0, 4),
        LBU(9, 7, 5),
        BNE(9, 0, 24),
        rig_i(0x03, 1, 10, 3, 6),
        rig_i(0x03, 0, 11, 7, 9),
        BNE(10, 0, 12),
        ADDI(0, 9, 5),
        BEQ(8, 0, -32),
        ADDI(12, 12, 1),
        ADD(13, 13, 10),
        SW(0, 7, 0),
        SW(0, 7, 4),
        SW(0, 3, 4),
        ADDI(14, 0, 20),
        ADDI(14, 14, -1),
        BNE(14, 0, -4),
        JAL(0, -68),
    };
    struct pair pair = pair_of(words, sizeof words / sizeof words[0]);
    for (unsigned i = 0; i < 2; i++)
        rig_set(pair.rig[i], RIG_DATA + 8, 0x8000); /* a negative byte, during this whole test */
    pair_turn(&pair, 700);
    assert_int_equal(pair.hart[1]->state, TF_CORE_PARKED);
    for (unsigned place = 0; place < 3; place++)
        for (unsigned wait = 0; wait < 10; wait++) {
            pair_turn(&pair, 300 + wait);
            for (unsigned i = 0; i < 2; i++) {
                if (place < 2)
                    rig_set(pair.rig[i], RIG_DATA + 4 * place, place == 0 ? 1 : 0x7700);
                else
                    pair.hart[i]->local[7] = 0x80; /* the sign of a halfword */
            }
            uint64_t executed = pair.rig[1]->tile.figures.executed;
            pair_turn(&pair, 2000);
            assert_int_equal(pair.hart[1]->state, TF_CORE_PARKED);
            assert_true(pair.rig[1]->tile.figures.executed < executed + 150);
        }
    assert_int_equal(pair.hart[1]->x[12], 30);
    assert_int_equal(pair.hart[1]->x[11], 0xFFFFFF80u);
    assert_int_equal(pair.hart[1]->x[13], (uint32_t)(10 * -0x8000));
    pair_free(&pair);
}

/* A remembered loop uses the present registers: its addresses, and the values that it compares with. */
static void recalled_with_other_registers(void **state)
{
    (void)state;
    const uint32_t words[] = {LW(8, 7, 0),     BNE(8, 10, -4),   ADDI(7, 7, 8),  ADDI(10, 10, 3),
                              ADDI(14, 0, 20), ADDI(14, 14, -1), BNE(14, 0, -4), JAL(0, -28)};
    struct pair pair = pair_of(words, sizeof words / sizeof words[0]);
    for (unsigned i = 0; i < 2; i++)
        pair.hart[i]->x[10] = 1;
    for (unsigned round = 0; round < 12; round++) {
        pair_turn(&pair, 700);
        assert_int_equal(pair.hart[1]->state, TF_CORE_PARKED);
        for (unsigned i = 0; i < 2; i++)
            rig_set(pair.rig[i], RIG_DATA + 8 * round, 3 * round + 1 + (round % 3 == 1));
        if (round % 3 != 1)
            continue;
        pair_turn(&pair, 700); /* this is not the value that it waits for */
        assert_int_equal(pair.hart[1]->state, TF_CORE_PARKED);
        for (unsigned i = 0; i < 2; i++)
            rig_set(pair.rig[i], RIG_DATA + 8 * round, 3 * round + 1);
    }
    pair_free(&pair);
}

/* A poll by a function without a frame: links, an address from pc, a jump by register. It is called from two places, so
   one body makes two loops. A round that begins and ends with different registers is no round. */
static void recalled_with_calls(void **state)
{
    (void)state;
    const uint32_t words[] = {
        JAL(1, 44),     BEQ(10, 0, -4), SW(0, 7, 0),    ADDI(14, 0, 20), ADDI(14, 14, -1),
        BNE(14, 0, -4), JAL(1, 20),     BEQ(10, 0, -4), SW(0, 7, 0),     ADDI(12, 12, 1),
        JAL(0, -40),    AUIPC(11, 0),   LUI(15, 5),     LW(10, 7, 0),    JALR(0, 1, 0),
    };
    struct pair pair = pair_of(words, sizeof words / sizeof words[0]);
    for (unsigned round = 0; round < 12; round++) {
        pair_turn(&pair, 700 + round);
        assert_int_equal(pair.hart[1]->state, TF_CORE_PARKED);
        assert_int_equal(pair.hart[1]->x[12], round / 2);
        for (unsigned i = 0; i < 2; i++)
            rig_set(pair.rig[i], RIG_DATA, 1);
    }
    pair_free(&pair);
}

/* A jump back to the loop, which a register now leads out of. */
static void leads_elsewhere(void **state)
{
    (void)state;
    const uint32_t words[] = {
        LW(8, 7, 0),    BNE(8, 0, 8),    JALR(0, 5, 0),    SW(0, 7, 0),    ADDI(12, 12, 1), BLTU(12, 15, 8),
        ADDI(5, 5, 44), ADDI(14, 0, 20), ADDI(14, 14, -1), BNE(14, 0, -4), JAL(0, -40),     EBREAK,
    };
    struct pair pair = pair_of(words, sizeof words / sizeof words[0]);
    for (unsigned i = 0; i < 2; i++) {
        pair.hart[i]->x[5] = RIG_CODE;
        pair.hart[i]->x[15] = 3;
    }
    for (unsigned round = 0; round < 3; round++) {
        pair_turn(&pair, 700);
        assert_int_equal(pair.hart[1]->state, TF_CORE_PARKED);
        for (unsigned i = 0; i < 2; i++)
            rig_set(pair.rig[i], RIG_DATA, 1);
    }
    pair_turn(&pair, 700);
    assert_int_equal(pair.hart[1]->state, TF_CORE_PAUSED);
    assert_int_equal(pair.hart[1]->x[12], 3);
    pair_free(&pair);
}

/* A remembered loop may poll at most four places. A sixth load repeats one of them. */
static void not_remembered(void **state)
{
    (void)state;
    const uint32_t words[] = {
        LW(8, 7, 0),    LW(9, 7, 8), LW(10, 7, 16),   LW(11, 7, 24),    LW(13, 7, 32),  LW(14, 7, 0),
        BEQ(8, 0, -24), SW(0, 7, 0), ADDI(14, 0, 20), ADDI(14, 14, -1), BNE(14, 0, -4), JAL(0, -44),
    };
    for (unsigned places = 4; places < 6; places++) {
        struct pair pair = pair_of(words, sizeof words / sizeof words[0]);
        for (unsigned i = 0; i < 2 && places == 4; i++)
            rig_set(pair.rig[i], RIG_CODE + 16, FENCE);
        for (unsigned round = 0; round < 4; round++) {
            pair_turn(&pair, 700);
            assert_int_equal(pair.hart[1]->state, TF_CORE_PARKED);
            for (unsigned i = 0; i < 2; i++)
                rig_set(pair.rig[i], RIG_DATA, 1);
        }
        pair_free(&pair);
    }
}

/*
 * A register closes a loop, and the first round of the loop replaces its value. The core comes to the loop at every
 * moment between probes. A probe that begins there fails because of that value, but the loop is known. Skipped and
 * executed harts wait from the same cycle on, because others see whether a hart waits.
 */
static void waits_from_the_same_moment(void **state)
{
    (void)state;
    const uint32_t words[] = {LW(8, 7, 0),    BNE(8, 0, 8),     JALR(0, 6, 0),  SW(0, 7, 0),
                              ADD(14, 13, 0), ADDI(14, 14, -1), BNE(14, 0, -4), JAL(0, -28)};
    struct pair pair = pair_of(words, sizeof words / sizeof words[0]);
    for (unsigned i = 0; i < 2; i++)
        pair.hart[i]->x[6] = RIG_CODE;
    for (unsigned delay = 300; delay < 800; delay++) {
        pair_turn(&pair, 5000);
        assert_int_equal(pair.hart[1]->state, TF_CORE_PARKED);
        for (unsigned i = 0; i < 2; i++) {
            pair.hart[i]->x[13] = delay;
            rig_set(pair.rig[i], RIG_DATA, 1);
        }
        pair_turn(&pair, 2 * delay + 160);
    }
    pair_free(&pair);
}

/* A loop that loads a word, may compute something of it, and branches back. It has three or four words. */
static unsigned random_poll(uint64_t *random, uint32_t *words)
{
    const uint32_t base = test_random_below(random, 4) == 0 ? 3 : 7, to = test_random_below(random, 2) ? 8 : 9;
    const uint32_t less = 8 + test_random_below(random, 3);
    const int32_t imm = (int32_t)test_random_below(random, 64) - 32;
    const uint32_t some[] = {ADDI(to, 8, imm), ANDI(to, 8, imm), rig_r(0x20, 0, to, 8, less),
                             rig_i(0x13, 4, to, 8, imm)};
    static const uint8_t branch[] = {0, 1, 4, 5, 6, 7};
    unsigned count = 0, kind = test_random_below(random, 5);
    words[count++] = LW(8, base, 16);
    if (test_random_below(random, 4) == 0)
        words[count++] = JAL(0, 4);
    if (kind < 4)
        words[count++] = some[kind];
    uint32_t result = kind < 4 ? to : 8, other = test_random_below(random, 2) ? 0 : 10;
    uint32_t f3 = branch[test_random_below(random, 6)];
    words[count] = test_random_below(random, 2) ? rig_b(f3, result, other, -4 * (int32_t)count)
                                                : rig_b(f3, other, result, -4 * (int32_t)count);
    return count + 1;
}

/* Change one thing of a poll: the word that it loads, or the condition of its branch. */
static void change_poll(uint64_t *random, uint32_t *words, unsigned count)
{
    if (test_random_below(random, 2))
        words[0] += 4u << 20;
    else if ((words[count - 1] >> 12 & 7) < 6)
        words[count - 1] ^= 4u << 12; /* BEQ and BNE become BLT and BGE, and the reverse */
}

/* A loop that polls twice in one way, as compilers make it: the first branch leaves it, and the second goes back. In
   other cases the two polls differ, in one thing or in many. */
static unsigned random_polls(uint64_t *random, uint32_t *words)
{
    uint32_t other[8];
    unsigned count = random_poll(random, words), others = count;
    if (test_random_below(random, 4) == 0)
        others = random_poll(random, other);
    else
        memcpy(other, words, count * sizeof words[0]);
    if (test_random_below(random, 3) == 0)
        change_poll(random, other, others);
    uint32_t jump = other[others - 1], leave = words[count - 1];
    words[count - 1] = rig_b((leave >> 12 & 7) ^ 1, leave >> 15 & 31, leave >> 20 & 31, 4 * (int32_t)(others + 1));
    memcpy(words + count, other, others * sizeof words[0]);
    words[count + others - 1] = rig_b(jump >> 12 & 7, jump >> 15 & 31, jump >> 20 & 31,
                                      -4 * (int32_t)(count + others - 1));
    return count + others;
}

static void set_polled(struct pair *pair, const uint32_t *value)
{
    for (unsigned i = 0; i < 2; i++)
        for (unsigned word = 0; word < 2; word++) {
            rig_set(pair->rig[i], RIG_DATA + 16 + 4 * word, value[word]);
            memcpy(pair->hart[i]->local + 16 + 4 * word, &value[word], sizeof value[word]);
        }
}

/* Each kind of poll, waiting or not. Skipped and executed harts wait from the same cycle on, and leave in equal
   states. */
static void polls(void **state)
{
    (void)state;
    uint64_t random = test_seed(1);
    unsigned polled = 0;
    for (unsigned program = 0; program < 800; program++) {
        uint32_t words[24], value[2];
        unsigned count = program % 2 ? random_polls(&random, words) : random_poll(&random, words);
        const uint32_t rest[] = {ADDI(12, 12, 1),
                                 ADD(13, 13, 8),
                                 ADD(13, 13, 9),
                                 ADDI(14, 0, 9),
                                 ADDI(14, 14, -1),
                                 BNE(14, 0, -4),
                                 JAL(0, -4 * (int32_t)(count + 6))};
        memcpy(words + count, rest, sizeof rest);
        struct pair pair = pair_of(words, count + 7);
        pair.hart[0]->x[10] = pair.hart[1]->x[10] = test_random_below(&random, 8);
        for (unsigned turns = 0; turns < 10; turns++) {
            for (unsigned word = 0; word < 2; word++)
                value[word] = test_random_below(&random, 2) ? test_random_below(&random, 8) : rig_operand(&random);
            set_polled(&pair, value);
            pair_turn(&pair, 150 + test_random_below(&random, 600));
            polled += pair.hart[1]->state == TF_CORE_PARKED;
        }
        pair_free(&pair);
    }
    assert_true(polled > 600);
}

/*
 * A way to a poll, of up to ten instructions, through jumps forwards and backwards. The poll follows its last word.
 * Returns the number of words. The first word is entered last: way_entry().
 */
static unsigned random_way(uint64_t *random, uint32_t *words)
{
    unsigned count = 0;
    if (test_random_below(random, 3) == 0)
        return 0;
    if (test_random_below(random, 2)) { /* its end, which a jump backwards leads to */
        for (unsigned i = test_random_below(random, 4); i > 0; i--)
            words[count++] = ADDI(12, 12, 1);
        words[count++] = 0; /* becomes a jump to the poll */
    }
    const unsigned second = count;
    for (unsigned i = test_random_below(random, 6); i > 0; i--)
        words[count++] = test_random_below(random, 3) == 0 ? JAL(0, 4) : ADDI(12, 12, 2);
    if (second != 0) {
        words[count] = JAL(0, -4 * (int32_t)count);
        count++;
        words[second - 1] = JAL(0, 4 * (int32_t)(count - second + 1));
    }
    return count;
}

/* Where a way begins: behind the end that a jump backwards leads to, if there is one. */
static unsigned way_entry(const uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if ((words[i] & 0x7F) == 0x6F && words[i] != JAL(0, 4) && i + 1 < count)
            return i + 1;
    return 0;
}

/*
 * Turns as short as a tick. One hart has its memory of rounds taken away before each turn, so it must probe. At the end
 * of each turn both are in equal states, parked or not: others see that.
 */
static void short_turns_with_and_without_memory(void **state)
{
    (void)state;
    uint64_t random = test_seed(2);
    unsigned parked = 0;
    for (unsigned program = 0; program < 3000; program++) {
        uint32_t words[64], value[2];
        unsigned count = random_way(&random, words), way = count;
        count += program % 2 ? random_polls(&random, words + way) : random_poll(&random, words + way);
        const uint32_t resets[] = {SW(11, 7, 16), SW(11, 7, 20), SW(11, 3, 16), SW(11, 3, 20)};
        memcpy(words + count, resets, sizeof resets);
        unsigned end = count + 4 + test_random_below(&random, 24);
        for (unsigned i = count + 4; i < end; i++) /* a probe that begins at such a jump has a way backwards */
            words[i] = test_random_below(&random, 5) == 0 ? JAL(0, 4) : ADDI(12, 12, 1);
        words[end] = JAL(0, 4 * ((int32_t)way_entry(words, way) - (int32_t)end));
        struct pair pair = {.rig = {rig_new(NULL, true), rig_new(NULL, true)}};
        for (unsigned i = 0; i < 2; i++) {
            pair.hart[i] = rig_start(pair.rig[i], TF_CORE_T1, words, end + 1);
            pair.hart[i]->x[10] = 1;
            pair.hart[i]->x[11] = program % 3;
        }
        for (unsigned turns = 0; turns < 60; turns++) {
            for (unsigned word = 0; word < 2; word++)
                value[word] = test_random_below(&random, 4);
            if (turns % 3 == 0)
                set_polled(&pair, value);
            memset(pair.hart[0]->park.memo_at, 0, sizeof pair.hart[0]->park.memo_at);
            pair_turn(&pair, 1 + test_random_below(&random, 70));
            assert_int_equal(pair.hart[0]->state, pair.hart[1]->state);
            parked += pair.hart[1]->state == TF_CORE_PARKED;
        }
        pair_free(&pair);
    }
    assert_true(parked > 10000);
}

/* The device's pure words are registers of a stream: loads do not change them. */
static void make_streams(struct rig *rig, struct tf_tile_arch *arch)
{
    static const struct tf_map map = {
        .by_range = {[0xB2] = TF_AT_OVERLAY, [0xB3 ... 0xFF] = TF_AT_DEBUG},
        .window = {[TF_AT_OVERLAY] = {.first = RIG_PURE, .last = RIG_PURE + 0xFFFF},
                   [TF_AT_DEBUG] = {.first = RIG_PURE + 0x10000, .last = 0xFFFFFFFF}},
    };
    *arch = *rig->tile.arch;
    arch->map = &map;
    rig->tile.arch = arch;
}

/*
 * A loop polls a register of a stream, alone or beside a word of L1. The remembered loop waits from the same moment on.
 * It ends in the same cycle, whichever of the two changes.
 */
static void polls_registers(void **state)
{
    (void)state;
    struct tf_tile_arch arch[2];
    uint32_t words[7 + LEAVING];
    for (unsigned both = 0; both < 2; both++) {
        const uint32_t loop[] = {LW(8, 4, 0),   both ? LW(9, 7, 0) : ADDI(9, 0, 0),
                                 ADD(10, 8, 9), BEQ(10, 0, -12),
                                 SW(0, 4, 0),   SW(0, 7, 0)};
        memcpy(words, loop, sizeof loop);
        for (unsigned i = 0; i < LEAVING; i++)
            words[6 + i] = ADDI(12, 12, 1);
        words[6 + LEAVING] = JAL(0, -4 * (int32_t)(6 + LEAVING));
        struct pair pair = pair_of(words, 7 + LEAVING);
        for (unsigned i = 0; i < 2; i++)
            make_streams(pair.rig[i], &arch[i]);
        pair_turn(&pair, 1000);
        for (unsigned wait = 0; wait < 40; wait++) {
            pair_turn(&pair, 300 + wait);
            assert_int_equal(pair.hart[1]->state, TF_CORE_PARKED);
            for (unsigned i = 0; i < 2; i++) {
                if (both && wait % 2 != 0)
                    rig_set(pair.rig[i], RIG_DATA, 1);
                else
                    pair.rig[i]->device.pure[0] = 1;
            }
            uint64_t executed = pair.rig[1]->tile.figures.executed;
            pair_turn(&pair, 180 + wait * 7);
            assert_int_equal(pair.hart[1]->x[12], (wait + 1) * LEAVING);
            assert_true(pair.rig[1]->tile.figures.executed < executed + LEAVING + 16);
        }
        pair_free(&pair);
    }
}

/* In relaxed mode a hart that executes its wait is compared at every wait with its state at the beginning, f
   included. */
static void waits_with_other_floats(void **state)
{
    (void)state;
    uint32_t words[6 + LEAVING];
    wait_and_return(words, 0);
    words[3 + LEAVING] = rig_i(0x07, 2, 1, 7, 4); /* flw f1, 4(x7) */
    words[4 + LEAVING] = JAL(0, -4 * (int32_t)(4 + LEAVING));
    for (unsigned parking = 0; parking < 2; parking++) {
        struct rig *rig = rig_new(NULL, parking);
        rig->tile.mode.shared = true;
        struct tf_hart *hart = rig_start(rig, TF_CORE_T1, words, 5 + LEAVING);
        for (uint32_t round = 0; round < 6; round++) {
            rig_set(rig, RIG_DATA + 4, 0x3F800000u + round);
            rig_set(rig, RIG_DATA, round != 0);
            rig_turn(rig, hart, hart->cycle + 400);
            rig_turn(rig, hart, hart->cycle + 400);
            assert_int_equal(hart->state, TF_CORE_PARKED);
            assert_true(tf_hart_waiting(&rig->tile, hart));
            assert_int_equal(hart->f[1], round != 0 ? 0x3F800000u + round : 0);
        }
        rig_free(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recalled_at_a_turn),
        cmocka_unit_test(code_changes_back),
        cmocka_unit_test(recalled_and_left_anywhere),
        cmocka_unit_test(recalled_with_other_registers),
        cmocka_unit_test(recalled_with_calls),
        cmocka_unit_test(leads_elsewhere),
        cmocka_unit_test(not_remembered),
        cmocka_unit_test(waits_from_the_same_moment),
        cmocka_unit_test(polls),
        cmocka_unit_test(short_turns_with_and_without_memory),
        cmocka_unit_test(polls_registers),
        cmocka_unit_test(waits_with_other_floats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
