/* SPDX-License-Identifier: Apache-2.0 */
/* Harts apart from computing: they block, pause, take interrupts, tell the time, and reset each other. */
#include "rig.h"

#include <string.h>

#include "tile/order/order.h"
#include "tile/riscv/hart.h"
#include "tile/riscv/hart/observed.h"
#include "tile/riscv/hart/retry.h"
#include "tile/riscv/control/view.h"
#include "tile/riscv/waits/waits.h"
#include "tilefarm_address.h"

#define CODE 0x4000u
#define DATA 0x8000u
#define HANDLER 0x6000u

static struct tf_hart *start(struct rig *rig, unsigned core, const uint32_t *words, size_t count)
{
    rig_put(rig, CODE, words, count);
    struct tf_hart *hart = &rig->tile.hart[core];
    tf_hart_release(&rig->tile, hart, CODE, hart->cycle);
    hart->x[7] = DATA;
    return hart;
}

/* The first cycle at or after `cycle` in which a core that blocked in cycle `first` tries again. */
static uint64_t retry(uint64_t first, uint64_t cycle)
{
    uint64_t steps = (cycle - first + TF_ORDER_RETRY_CYCLES - 1) / TF_ORDER_RETRY_CYCLES;
    return first + steps * TF_ORDER_RETRY_CYCLES;
}

static void blocks_and_goes_on(void **state)
{
    (void)state;
    for (unsigned store = 0; store < 2; store++) {
        struct rig *rig = rig_new(NULL, true);
        const uint32_t words[] = {ADDI(8, 0, 5), store ? SW(8, 6, 0) : LW(8, 6, 0), ADDI(9, 8, 1), EBREAK};
        struct tf_hart *hart = start(rig, TF_CORE_T0, words, 4);
        hart->x[6] = RIG_GATE;
        uint64_t first = hart->cycle + 1; /* of the access */
        rig_turn(rig, hart, 100);
        for (uint64_t deadline = 100; deadline < 1000; deadline += 100) {
            rig_turn(rig, hart, deadline);
            assert_int_equal(hart->state, TF_CORE_BLOCKED);
            assert_int_equal(hart->pc, CODE + 4);
            assert_int_equal(hart->wait_address, RIG_GATE);
            assert_int_equal(hart->wait_store, store);
            assert_int_equal(hart->cycle, retry(first, deadline)); /* when it tries again */
            assert_int_equal(hart->instret, 1);
            assert_true(tf_hart_waiting(&rig->tile, hart));
        }
        tf_hart_catch_up(&rig->tile, hart, 5000);
        struct tf_core_view view;
        tf_hart_look(&rig->tile, hart, &view);
        assert_int_equal(view.cycle, retry(first, 5000));
        assert_int_equal(view.wait_address, RIG_GATE);
        rig->device.gate = 1;
        assert_false(tf_hart_waiting(&rig->tile, hart));
        rig_turn(rig, hart, 5100);
        assert_int_equal(rig->device.last_cycle, retry(first, 5000));
        assert_int_equal(hart->state, TF_CORE_PAUSED);
        assert_int_equal(hart->instret, 4);
        assert_int_equal(hart->cycle, 5100);
        if (store)
            assert_int_equal(rig->device.stored, 5);
        else
            assert_int_equal(hart->x[9], 0x600e);
        rig_free(rig);
    }
}

/* "cycle" and "instret" at any instruction, by loads that see tile->cycle and by the CSRs. */
static void exact_time(void **state)
{
    (void)state;
    struct rig *rig = rig_new(NULL, true);
    const uint32_t words[] = {
        ADDI(9, 9, 1),   CSRR(8, 0xc00), CSRR(10, 0xc02), JAL(0, 4),       LW(11, 6, 0), LUI(12, 5),
        CSRR(13, 0xb00), BNE(12, 0, 8),  FENCE,           CSRR(14, 0xb02), EBREAK,
    };
    struct tf_hart *hart = &rig->tile.hart[TF_CORE_B];
    rig_turn(rig, hart, 1000);
    hart = start(rig, TF_CORE_B, words, 11);
    hart->x[6] = RIG_POP;
    rig_turn(rig, hart, 1100);
    assert_int_equal(hart->x[8], 1);
    assert_int_equal(hart->x[10], 2);
    assert_int_equal(rig->device.last_cycle, 1004);
    assert_int_equal(hart->x[13], 6);
    assert_int_equal(hart->x[14], 8);
    assert_int_equal(hart->instret, 10);
    rig_free(rig);
}

/* The turn ends at the first control transfer at or past the deadline, taken or not. Instructions before that do not
   run a second time. */
static void turns_end_at_transfers(void **state)
{
    (void)state;
    struct rig *rig = rig_new(NULL, true);
    const uint32_t words[] = {ADDI(8, 8, 1), ADDI(8, 8, 1), BNE(0, 0, 8), ADDI(8, 8, 1),
                              ADDI(8, 8, 1), ADDI(8, 8, 1), JAL(0, -24)};
    struct tf_hart *hart = start(rig, TF_CORE_NC, words, 7);
    static const uint8_t ends[] = {3, 3, 3, 7, 7, 7, 7, 10, 10, 10, 14};
    for (unsigned deadline = 1; deadline <= 11; deadline++) {
        rig_turn(rig, hart, deadline);
        assert_int_equal(hart->cycle, ends[deadline - 1]);
        assert_int_equal(hart->instret, ends[deadline - 1]);
    }
    assert_int_equal(rig->tile.figures.executed, 14);
    rig_free(rig);
}

static void debug_pause(void **state)
{
    (void)state;
    const uint32_t pauses[] = {EBREAK, ECALL};
    for (unsigned i = 0; i < 2; i++) {
        struct rig *rig = rig_new(NULL, true);
        const uint32_t words[] = {ADDI(8, 8, 1), pauses[i], ADDI(8, 8, 1), JAL(0, -12)};
        struct tf_hart *hart = start(rig, TF_CORE_T2, words, 4);
        rig_turn(rig, hart, 50);
        assert_int_equal(hart->state, TF_CORE_PAUSED);
        assert_int_equal(hart->pc, CODE + 8);
        assert_int_equal(hart->x[8], 1);
        assert_int_equal(hart->instret, 2);
        assert_true(tf_hart_waiting(&rig->tile, hart));
        rig_turn(rig, hart, 90);
        assert_int_equal(hart->instret, 2);
        tf_hart_resume(&rig->tile, hart);
        rig_turn(rig, hart, 100);
        assert_int_equal(hart->state, TF_CORE_PAUSED);
        assert_int_equal(hart->x[8], 3);
        tf_hart_resume(&rig->tile, hart);
        tf_hart_pause(&rig->tile, hart);
        rig_turn(rig, hart, 200);
        assert_int_equal(hart->x[8], 3);
        rig_free(rig);
    }
}

/* Records of the instructions of start_recorded(). */
static const struct tf_retired expected_records[] = {
    {.bytes = 0},
    {.address = DATA + 8, .bytes = 4, .stores = true},
    {.address = DATA + 9, .bytes = 1, .loads = true},
    {.address = DATA + 0x3E, .bytes = 2, .loads = true},
    {.address = DATA + 0x43, .bytes = 1, .stores = true},
    {.address = DATA + 0x40, .bytes = 4, .loads = true, .stores = true},
    {.bytes = 0},
    {.bytes = 0},
};
enum { RECORDS = sizeof expected_records / sizeof expected_records[0] };

static struct tf_hart *start_recorded(struct rig *rig)
{
    const uint32_t words[RECORDS] = {
        ADDI(8, 0, 5),  SW(8, 7, 8),  LBU(7, 7, 9), /* it changes its own address */
        LHU(9, 10, -2), SB(8, 10, 3), rig_amo(0, 9, 10, 8), FENCE, JAL(0, 0),
    };
    struct tf_hart *hart = start(rig, TF_CORE_B, words, RECORDS);
    hart->x[10] = DATA + 0x40;
    rig->device.pause_behind = UINT32_MAX;
    tf_hart_watch(hart, true);
    return hart;
}

static void watched_harts_record_instructions(void **state)
{
    (void)state;
    struct rig *rig = rig_new(NULL, true);
    struct tf_hart *hart = start_recorded(rig);
    for (unsigned i = 0; i < RECORDS + 3; i++) {
        unsigned at = i < RECORDS ? i : RECORDS - 1;
        rig_turn(rig, hart, i + 1);
        assert_int_equal(hart->cycle, i + 1);
        assert_int_equal(hart->instret, i + 1);
        assert_int_equal(rig->device.retired, i + 1);
        const struct tf_retired *did = &rig->device.last_retired;
        assert_int_equal(did->pc, CODE + 4 * at);
        assert_int_equal(did->bytes, expected_records[at].bytes);
        if (did->bytes != 0)
            assert_int_equal(did->address, expected_records[at].address);
        assert_int_equal(did->loads, expected_records[at].loads);
        assert_int_equal(did->stores, expected_records[at].stores);
    }
    assert_int_equal(hart->state, TF_CORE_RUNNING); /* the core has not parked */
    assert_int_equal(rig->tile.figures.executed, RECORDS + 3);
    rig_free(rig);
}

static void watched_harts_pause_and_park(void **state)
{
    (void)state;
    struct rig *rig = rig_new(NULL, true);
    struct tf_hart *hart = start_recorded(rig);
    rig_turn(rig, hart, RECORDS + 3);
    rig->device.pause_behind = CODE + 4 * (RECORDS - 1);
    rig_turn(rig, hart, 1000);
    assert_int_equal(hart->state, TF_CORE_PAUSED);
    assert_int_equal(hart->pc, CODE + 4 * (RECORDS - 1));
    assert_int_equal(rig->device.retired, RECORDS + 4);
    tf_hart_watch(hart, false);
    tf_hart_resume(&rig->tile, hart);
    rig_turn(rig, hart, 2000);
    assert_int_equal(hart->state, TF_CORE_PARKED);
    assert_int_equal(rig->device.retired, RECORDS + 4);
    tf_hart_watch(hart, true); /* a parked core is woken */
    rig_turn(rig, hart, 3000);
    assert_int_equal(hart->state, TF_CORE_PAUSED);
    assert_int_equal(rig->device.retired, RECORDS + 5);
    rig_free(rig);
}

/* An instruction that does not retire leaves no record. One that cannot be fetched is a fault. */
static void watched_harts_block_and_fault(void **state)
{
    (void)state;
    struct rig *rig = rig_new(NULL, true);
    const uint32_t words[] = {LW(8, 6, 0), EBREAK, JALR(0, 9, 0)};
    struct tf_hart *hart = start(rig, TF_CORE_T1, words, 3);
    rig->device.pause_behind = UINT32_MAX;
    tf_hart_watch(hart, true);
    hart->x[6] = RIG_GATE;
    rig_turn(rig, hart, 100);
    assert_int_equal(hart->state, TF_CORE_BLOCKED);
    assert_int_equal(rig->device.retired, 0);
    rig->device.gate = 1;
    rig_turn(rig, hart, 200);
    assert_int_equal(hart->state, TF_CORE_PAUSED);
    assert_int_equal(rig->device.retired, 2);
    assert_int_equal(hart->pc, CODE + 8);
    hart->x[9] = RIG_L1_BYTES;
    tf_hart_resume(&rig->tile, hart);
    rig_turn(rig, hart, 300);
    assert_int_equal(hart->state, TF_CORE_FAULTED);
    assert_int_equal(rig->tile.faults.count, 1);
    assert_int_equal(rig->device.retired, 3);
    assert_int_equal(hart->instret, 3);
    rig_free(rig);
}

/* undefined_as_silicon: outcomes that tt-exalens tests on Blackhole (test_l1_mem_access.py). */
static void misaligned_stores_as_silicon(void **state)
{
    (void)state;
    static const struct {
        uint8_t offset, size;
        uint32_t word[3]; /* at DATA + (offset & ~3) */
    } line[] = {
        {1, 4, {0x112233EF, 0xDEADBE44, 0xDEADBEEF}},
        {6, 4, {0x1122BEEF, 0xDEAD3344, 0xDEADBEEF}},
        {11, 4, {0x11ADBEEF, 0xDE223344, 0xDEADBEEF}},
        {13, 4, {0x112233EF, 0xDEADBEEF, 0xDEADBEEF}}, /* nothing beyond the sixteenth byte */
        {15, 4, {0x11ADBEEF, 0xDEADBEEF, 0xDEADBEEF}},
        {1, 2, {0xDE4433EF, 0xDEADBEEF, 0xDEADBEEF}},
        {3, 2, {0x33ADBEEF, 0xDEADBE44, 0xDEADBEEF}},
        {15, 2, {0x33ADBEEF, 0xDEADBEEF, 0xDEADBEEF}},
    };
    const uint32_t words[] = {rig_s(2, 9, 8, 0), rig_s(1, 9, 8, 0), JAL(0, 0)};
    for (unsigned i = 0; i < sizeof line / sizeof line[0]; i++) {
        struct rig *rig = rig_new(NULL, true);
        rig->tile.mode.as_silicon = true;
        struct tf_hart *hart = start(rig, TF_CORE_B, words + (line[i].size == 2), 2);
        if (line[i].size == 4)
            rig_put(rig, CODE + 4, words + 2, 1);
        hart->x[8] = DATA + line[i].offset;
        hart->x[9] = 0x11223344;
        for (unsigned word = 0; word < 8; word++)
            rig_set(rig, DATA + 4 * word, 0xDEADBEEF);
        rig_turn(rig, hart, 50);
        for (unsigned word = 0; word < 3; word++)
            assert_int_equal(rig_word(rig, DATA + (line[i].offset & ~3u) + 4 * word), line[i].word[word]);
        assert_int_equal(hart->pc, CODE + 4);
        assert_int_not_equal(hart->state, TF_CORE_FAULTED);
        rig_free(rig);
    }
    struct rig *rig = rig_new(NULL, true); /* local RAM and loads are not known */
    rig->tile.mode.as_silicon = true;
    struct tf_hart *hart = start(rig, TF_CORE_B, words, 2);
    hart->x[8] = RIG_LOCAL + 1;
    rig_turn(rig, hart, 50);
    assert_int_equal(hart->state, TF_CORE_FAULTED);
    rig_free(rig);
}

/* Blackhole's base firmware for Ethernet tiles stores behind L1. By default that is a fault. */
static void stores_behind_l1_are_lost(void **state)
{
    (void)state;
    const uint32_t words[] = {rig_s(2, 9, 8, 0), rig_s(0, 9, 8, 0xF), JAL(0, 0)};
    for (unsigned way = 0; way < 3; way++) {
        struct rig *rig = rig_new(NULL, true);
        struct tf_tile_arch arch = *rig->tile.arch;
        arch.l1_lost = 256;
        rig->tile.arch = &arch;
        rig->tile.mode.as_silicon = way > 0;
        struct tf_hart *hart = start(rig, TF_CORE_B, words, 3);
        hart->x[8] = arch.l1_bytes + (way == 2 ? 0xF8 : 0xF0); /* the third way goes on beyond these bytes */
        rig_turn(rig, hart, 50);
        assert_int_equal(hart->pc, CODE + 4 * (way == 0 ? 0 : way == 1 ? 2 : 1));
        assert_int_equal(hart->state == TF_CORE_FAULTED, way != 1);
        rig_free(rig);
    }
}

/* WormholeB0 BabyRISCV/README.md: addresses are rounded down. By default that is a fault. */
static void misaligned_accesses_round_down(void **state)
{
    (void)state;
    const uint32_t words[] = {LW(10, 8, 0), rig_i(0x03, 1, 11, 8, 2), rig_s(2, 9, 8, 4), rig_s(1, 9, 8, 10), JAL(0, 0)};
    for (unsigned way = 0; way < 4; way++) {
        struct rig *rig = rig_new(NULL, true);
        struct tf_tile_arch arch = *rig->tile.arch;
        uint32_t data = way & 1 ? RIG_LOCAL : DATA;
        arch.rounds_addresses = true;
        rig->tile.arch = &arch;
        rig->tile.mode.as_silicon = way < 2;
        struct tf_hart *hart = start(rig, TF_CORE_B, words, 5);
        hart->x[8] = data + 1;
        hart->x[9] = 0x11223344;
        for (unsigned i = 0; i < 4; i++)
            if (way & 1)
                memcpy(hart->local + 4 * (size_t)i, (uint32_t[]){0xDEADBEEF}, 4);
            else
                rig_set(rig, data + 4 * i, 0xDEADBEEF);
        rig_turn(rig, hart, 50);
        if (way >= 2) {
            assert_int_equal(hart->state, TF_CORE_FAULTED);
        } else {
            const uint32_t expected[] = {0xDEADBEEF, 0x11223344, 0x3344BEEF, 0xDEADBEEF};
            for (unsigned i = 0; i < 4; i++) {
                uint32_t word;
                if (way == 1)
                    memcpy(&word, hart->local + 4 * (size_t)i, 4);
                else
                    word = rig_word(rig, data + 4 * i);
                assert_int_equal(word, expected[i]);
            }
            assert_int_equal(hart->x[10], 0xDEADBEEF);
            assert_int_equal(hart->x[11], 0xFFFFDEAD);
            assert_int_equal(hart->pc, CODE + 16);
            assert_int_not_equal(hart->state, TF_CORE_FAULTED);
        }
        rig_free(rig);
    }
}

/* A turn begins with the entry into the handler, from running, parked and blocked. mret returns to that very
   instruction. */
static void interrupts(void **state)
{
    (void)state;
    const uint32_t handler[] = {ADDI(20, 20, 1), CSRR(21, 0xbca), MRET};
    const uint32_t loops[3][3] = {
        {ADDI(8, 8, 1), SW(8, 7, 0), JAL(0, -8)},
        {LW(8, 7, 0), BEQ(8, 0, -4), EBREAK},
        {LW(8, 6, 0), JAL(0, -4), EBREAK},
    };
    for (unsigned i = 0; i < 3; i++) {
        struct rig *rig = rig_new(NULL, true);
        rig_put(rig, HANDLER, handler, 3);
        struct tf_hart *hart = start(rig, TF_CORE_B, loops[i], 3);
        hart->x[6] = RIG_GATE;
        rig->device.interrupt_pc = HANDLER;
        rig_turn(rig, hart, 200);
        uint32_t pc = hart->pc;
        assert_int_equal(hart->state, i == 0 ? TF_CORE_RUNNING : i == 1 ? TF_CORE_PARKED : TF_CORE_BLOCKED);
        rig->device.interrupt = true;
        assert_false(tf_hart_waiting(&rig->tile, hart));
        uint64_t instret = hart->instret;
        rig_turn(rig, hart, hart->cycle + 1);
        assert_int_equal(rig->device.taken, 1);
        assert_int_equal(hart->x[20], 1);
        assert_int_equal(hart->x[21], pc);
        assert_int_equal(hart->pc, pc);
        assert_int_equal(hart->instret, instret + 3);
        rig_turn(rig, hart, 1000);
        assert_int_equal(hart->x[20], 1);
        assert_int_equal(hart->state, i == 0 ? TF_CORE_RUNNING : i == 1 ? TF_CORE_PARKED : TF_CORE_BLOCKED);
        rig_free(rig);
    }
    /* A handler is not interrupted. */
    struct rig *rig = rig_new(NULL, true);
    const uint32_t busy[] = {ADDI(20, 20, 1), JAL(0, -4)};
    const uint32_t words[] = {JAL(0, 0)};
    rig_put(rig, HANDLER, busy, 2);
    struct tf_hart *hart = start(rig, TF_CORE_B, words, 1);
    rig->device.interrupt_pc = HANDLER;
    for (unsigned i = 1; i < 10; i++) {
        rig->device.interrupt = true;
        rig_turn(rig, hart, i * 10);
    }
    assert_int_equal(rig->device.taken, 1);
    /* mret on a core that has none. */
    const uint32_t mret[] = {MRET};
    hart = start(rig, TF_CORE_T0, mret, 1);
    rig_turn(rig, hart, 10);
    assert_int_equal(hart->state, TF_CORE_FAULTED);
    rig_free(rig);
}

static void resets(void **state)
{
    (void)state;
    struct rig *rig = rig_new(NULL, true);
    const uint32_t words[] = {SW(8, 6, 0), ADDI(9, 9, 1), SW(10, 6, 4), JAL(0, -8)};
    const uint32_t other[] = {ADDI(9, 9, 1), JAL(0, -4)};
    rig_put(rig, HANDLER, other, 2);
    struct tf_hart *b = start(rig, TF_CORE_B, words, 4);
    struct tf_hart *t1 = &rig->tile.hart[TF_CORE_T1];
    b->x[6] = RIG_CORE_RESET;
    b->x[8] = TF_CORE_T1;
    b->x[10] = TF_CORE_T1 << 20 | HANDLER;
    rig_turn(rig, b, 4);
    assert_int_equal(t1->state, TF_CORE_RUNNING);
    assert_int_equal(t1->pc, HANDLER);
    assert_int_equal(t1->cycle, 2);
    rig_turn(rig, t1, 4);
    assert_int_equal(t1->x[9], 1);
    /* A core resets itself. */
    b->x[8] = TF_CORE_B;
    b->pc = CODE;
    uint64_t instret = b->instret;
    rig_turn(rig, b, 50);
    assert_int_equal(b->state, TF_CORE_RESET);
    assert_int_equal(b->cycle, 50);
    assert_int_equal(b->instret, instret);
    assert_int_equal(b->x[9], 0);
    assert_true(tf_hart_waiting(&rig->tile, b));
    rig_free(rig);
}

static void atomics(void **state)
{
    (void)state;
    static const uint8_t ops[] = {0, 1, 4, 8, 12, 16, 20, 24, 28};
    uint64_t random = test_seed(1);
    for (unsigned i = 0; i < 9; i++) {
        for (unsigned n = 0; n < 30; n++) {
            uint32_t result[2], old[2];
            uint32_t a = rig_operand(&random);
            uint32_t b = rig_operand(&random);
            for (unsigned shared = 0; shared < 2; shared++) {
                struct rig *rig = rig_new(NULL, true);
                rig->tile.mode.shared = shared;
                const uint32_t words[] = {rig_amo(ops[i], 8, 7, 9), EBREAK};
                struct tf_hart *hart = start(rig, TF_CORE_B, words, 2);
                rig_set(rig, DATA, a);
                hart->x[9] = b;
                rig_turn(rig, hart, 10);
                result[shared] = rig_word(rig, DATA);
                old[shared] = hart->x[8];
                rig_free(rig);
            }
            assert_int_equal(old[0], a);
            assert_int_equal(old[1], a);
            assert_int_equal(result[0], result[1]);
        }
    }
    static const uint32_t bad[] = {RIG_L1_BYTES, DATA + 2, RIG_LOCAL, RIG_PURE, 0xfffffffc};
    for (unsigned i = 0; i < 5; i++) {
        struct rig *rig = rig_new(NULL, true);
        const uint32_t words[] = {rig_amo(0, 8, 7, 9), EBREAK};
        struct tf_hart *hart = start(rig, TF_CORE_B, words, 2);
        hart->x[7] = bad[i];
        rig_turn(rig, hart, 10);
        assert_int_equal(hart->state, TF_CORE_FAULTED);
        assert_int_equal(rig->tile.faults.entry[0].address, bad[i]);
        rig_free(rig);
    }
}

static void pushes(void **state)
{
    (void)state;
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        struct rig *rig = rig_new(NULL, true);
        const uint32_t words[] = {0x26001234u << 2, 0xA2000001u << 2 | 2, EBREAK};
        struct tf_hart *hart = start(rig, core, words, 3);
        rig_turn(rig, hart, 10);
        if (core == TF_CORE_NC) {
            assert_int_equal(hart->state, TF_CORE_FAULTED);
            assert_int_equal(rig->tile.faults.entry[0].address, TF_INSTRN_BUF_BASE);
        } else {
            assert_int_equal(rig->device.pushed, 2);
            assert_int_equal(rig->device.last_push, 0xA2000001u);
        }
        rig_free(rig);
    }
    /* While the debug bus has the FIFO, pushes of T1 are lost. */
    struct rig *rig = rig_new(NULL, true);
    const uint32_t lost[] = {0x26001234u << 2, EBREAK};
    rig->tile.mmio.debug.word[0xA0 / 4] = 1 << 1;
    rig_turn(rig, start(rig, TF_CORE_T1, lost, 2), 10);
    assert_int_equal(rig->tile.hart[TF_CORE_T1].state, TF_CORE_PAUSED);
    assert_int_equal(rig->device.pushed, 0);
    rig_free(rig);
    rig = rig_new(NULL, true);
    const uint32_t words[] = {0x26001234u << 2};
    rig->tile.tensix = NULL;
    struct tf_hart *hart = start(rig, TF_CORE_T0, words, 1);
    rig_turn(rig, hart, 10);
    assert_int_equal(rig->tile.faults.entry[0].category, TF_FAULT_UNIMPLEMENTED);
    rig_free(rig);
}

/* Loads and stores of f registers, in L1, local RAM and registers; arithmetic through fp.h. */
static void floating_point(void **state)
{
    (void)state;
    struct rig *rig = rig_new(NULL, true);
    const uint32_t words[] = {
        rig_i(0x07, 2, 1, 7, 0),                  /* flw f1 */
        rig_i(0x07, 2, 0, 6, 4),                  /* flw f0, from a register */
        0x00000053u | 2 << 7 | 1 << 15 | 0 << 20, /* fadd.s f2, f1, f0 */
        rig_s(2, 2, 7, 8) ^ 0x23 ^ 0x27,          /* fsw f2 */
        rig_i(0x07, 1, 3, 7, 2),                  /* flh f3 */
        rig_s(1, 3, 7, 12) ^ 0x23 ^ 0x27,         /* fsh f3 */
        0xa0002053u | 9 << 7 | 1 << 15 | 1 << 20, /* feq.s x9, f1, f1 */
        0xe0000053u | 0 << 7 | 1 << 15,           /* fmv.x.w x0, f1 */
        EBREAK,
    };
    struct tf_hart *hart = start(rig, TF_CORE_T1, words, 9);
    hart->x[6] = RIG_PURE;
    rig_set(rig, DATA, 0x3f800000);
    rig_set(rig, DATA + 12, 0xaaaaaaaa);
    rig->device.pure[1] = 0x40000000;
    rig_turn(rig, hart, 20);
    assert_int_equal(hart->state, TF_CORE_PAUSED);
    assert_int_equal(hart->f[1], 0x3f800000);
    assert_int_equal(hart->f[0], 0x40000000);
    assert_int_equal(rig_word(rig, DATA + 8), 0x40400000);
    assert_int_equal(hart->f[3], 0xffff3f80);
    assert_int_equal(rig_word(rig, DATA + 12), 0xaaaa3f80);
    assert_int_equal(hart->x[9], 1);
    assert_int_equal(hart->x[0], 0);
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_and_goes_on),
        cmocka_unit_test(exact_time),
        cmocka_unit_test(turns_end_at_transfers),
        cmocka_unit_test(debug_pause),
        cmocka_unit_test(interrupts),
        cmocka_unit_test(resets),
        cmocka_unit_test(misaligned_stores_as_silicon),
        cmocka_unit_test(stores_behind_l1_are_lost),
        cmocka_unit_test(misaligned_accesses_round_down),
        cmocka_unit_test(watched_harts_record_instructions),
        cmocka_unit_test(watched_harts_pause_and_park),
        cmocka_unit_test(watched_harts_block_and_fault),
        cmocka_unit_test(atomics),
        cmocka_unit_test(pushes),
        cmocka_unit_test(floating_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
