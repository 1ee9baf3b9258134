/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Batches of arithmetic on GPRs, by MOPs, replays and pushes mixed, against the functions of the dispatch table one
 * after another. GPRs are compared after any number of cycles, and so are traces.
 */
#include "tile/tensix/frontend/trace.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/thcon.h"
#include "unit/tensix/bare.h"

#define WORDS_MAX 40000u
#define THREAD 1u

static uint32_t arithmetic(void)
{
    static const uint8_t opcodes[] = {TF_OP_ADDDMAREG,   TF_OP_SUBDMAREG, TF_OP_MULDMAREG, TF_OP_BITWOPDMAREG,
                                      TF_OP_SHIFTDMAREG, TF_OP_CMPDMAREG, TF_OP_SETDMAREG, TF_OP_DMANOP};
    uint32_t opcode = opcodes[bare_random() % sizeof opcodes];
    uint32_t word = (opcode << 24 | (bare_random() & TF_TENSIX_OPERANDS)) & ~tf_tensix_ops[opcode].reserved;
    if (opcode == TF_OP_SETDMAREG)
        return word & ~V(SETDMAREG, set_signals_mode, 1);
    if (opcode == TF_OP_BITWOPDMAREG || opcode == TF_OP_SHIFTDMAREG || opcode == TF_OP_CMPDMAREG)
        return (word & ~V(BITWOPDMAREG, op_sel, 7)) | V(BITWOPDMAREG, op_sel, bare_random() % 2);
    return word;
}

/* The instructions to be executed, in the form that the expanders' own tests have. */
static struct {
    unsigned count, next;
    uint32_t word[WORDS_MAX];
} expected;

static void expect(uint32_t word)
{
    assert_true(expected.count < WORDS_MAX);
    expected.word[expected.count++] = word;
}

static void push_mop(struct bare *bare)
{
    struct tf_mop mop = bare->tile.tensix->thread[THREAD].mop;
    uint32_t word = W(MOP) | V(MOP, mop_type, bare_random() % 2) | V(MOP, loop_count, bare_random() % 40) |
                    (bare_random() & 0xFFFF);
    bare_push(bare, THREAD, word);
    tf_mop_start(&mop, word, 0, 0);
    while (mop.remaining != 0)
        expect(tf_mop_next(&mop).word);
}

static void push_replay(struct bare *bare)
{
    const uint32_t *buffer = bare->tile.tensix->thread[THREAD].replay.buffer;
    unsigned first = bare_random() % TF_REPLAY_ENTRIES, count = 1 + bare_random() % TF_REPLAY_ENTRIES;
    bare_push(bare, THREAD, W(REPLAY) | V(REPLAY, start_idx, first) | V(REPLAY, len, count));
    for (unsigned i = 0; i < count; i++)
        expect(buffer[(first + i) % TF_REPLAY_ENTRIES]);
}

static void push_something(struct bare *bare)
{
    uint32_t choice = bare_random() % 8, word = arithmetic();
    if (choice == 0) {
        push_mop(bare);
    } else if (choice == 1) {
        push_replay(bare);
    } else {
        bare_push(bare, THREAD, word);
        expect(word);
    }
}

static void prepare(struct tf_tensix *tensix)
{
    struct tf_tensix_thread *thread = &tensix->thread[THREAD];
    for (unsigned i = 0; i < TF_GPRS; i++)
        tensix->thcon->gpr[THREAD][i] = bare_random();
    for (unsigned i = 0; i < TF_REPLAY_ENTRIES; i++)
        thread->replay.buffer[i] = arithmetic();
    for (unsigned i = 2; i < TF_MOP_CFG_WORDS; i++)
        thread->mop.config[i] = bare_random() % 4 == 0 ? W(NOP) : arithmetic();
    if (bare_random() % 3 == 0) { /* a MOP of equal instructions */
        uint32_t *config = thread->mop.config;
        config[TF_MOP_START_OP] = config[TF_MOP_END_OP_0] = config[TF_MOP_LOOP_OP_1] = W(NOP);
        config[TF_MOP_LOOP_0_LAST] = config[TF_MOP_LOOP_1_LAST] = config[TF_MOP_LOOP_OP];
    }
    thread->mop.config[0] = bare_random() % 8;
    thread->mop.config[1] = bare_random() % 30;
}

/* The word that passes in a cycle stands in the trace, where there is one. */
static void check_traced(struct tf_tensix *tensix, unsigned n, uint32_t word, uint64_t cycle)
{
    if (tensix->trace == NULL)
        return;
    const struct tf_trace_list *list = &tensix->trace->thread[THREAD];
    assert_true(n < list->count);
    assert_int_equal(list->entry[n].word, word);
    assert_true(list->entry[n].cycle == cycle || (TF_HOSTILE && list->entry[n].cycle > cycle));
    assert_int_equal(list->entry[n].pc, 0x6000);
    tensix->trace->thread[THREAD].count *= n + 1 != list->count;
}

/*
 * Run for some cycles, and the shadow for as many instructions as could pass in them. In the hostile build what follows
 * a MOP of no instructions is pushed a cycle later, so fewer pass.
 */
static void run_both(struct bare *bare, struct bare *shadow)
{
    unsigned cycles = 1 + bare_random() % 60, left = expected.count - expected.next;
    uint64_t began = bare->tile.cycle, before = bare->tile.tensix->frontend->passed;
    bare_run(bare, cycles);
    unsigned passed = (unsigned)(bare->tile.tensix->frontend->passed - before);
    assert_true(passed == (cycles < left ? cycles : left) || (TF_HOSTILE && passed < cycles && passed < left));
    for (unsigned i = 0; i < passed; i++) {
        uint32_t word = expected.word[expected.next++];
        check_traced(bare->tile.tensix, i, word, began + i);
        tf_tensix_dispatch[word >> 24](&shadow->tile, THREAD, word);
    }
    assert_memory_equal(bare->tile.tensix->thcon->gpr, shadow->tile.tensix->thcon->gpr,
                        sizeof shadow->tile.tensix->thcon->gpr);
}

static void test_batches(void **state)
{
    (void)state;
    bare_seed();
    for (unsigned round = 0; round < 60; round++) {
        struct bare *bare, *shadow;
        bare_setup((void **)&bare);
        bare_setup((void **)&shadow);
        if (round % 2 != 0)
            assert_true(tf_trace_begin(&bare->tile));
        prepare(bare->tile.tensix);
        memcpy(shadow->tile.tensix->thcon, bare->tile.tensix->thcon, sizeof *bare->tile.tensix->thcon);
        expected.count = expected.next = 0;
        uint64_t passed = 0;
        for (unsigned turn = 0; turn < 30; turn++) {
            /* Each push is executed before the next one, so that room is left and cycles can be counted. */
            for (unsigned i = bare_random() % 20; i-- > 0;)
                push_something(bare);
            while (expected.next != expected.count)
                run_both(bare, shadow);
            passed += expected.count;
            expected.count = expected.next = 0;
        }
        assert_int_equal(bare->tile.tensix->frontend->passed, passed);
        assert_int_equal(bare->tile.faults.count, 0);
        assert_true(round % 2 == 0 || bare->tile.tensix->trace->thread[THREAD].count == 0);
        bare_teardown((void **)&bare);
        bare_teardown((void **)&shadow);
    }
}

/* An instruction without arithmetic ends a batch. It faults; the instructions before it have been executed. */
static void test_batch_ends_in_a_fault(void **state)
{
    struct bare *bare = *state;
    const uint32_t add = W(ADDDMAREG) | V(ADDDMAREG, op_b_is_const, 1) | V(ADDDMAREG, op_b_reg_index, 1) |
                         V(ADDDMAREG, result_reg_index, 7) | 7;
    const uint32_t bad[] = {W(BITWOPDMAREG) | V(BITWOPDMAREG, op_sel, 3), add | 1u << 18, W(DMANOP) | 1};
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned n = 0; n < 5; n++)
            bare_push(bare, i, add);
        bare_push(bare, i, bad[i]);
        bare_push(bare, i, add);
        bare_run(bare, 20);
        assert_int_equal(bare->tile.tensix->thcon->gpr[i][7], 5);
        assert_true(bare->tile.tensix->thread[i].faulted);
        assert_int_equal(bare->tile.faults.count, i + 1);
        assert_int_equal(bare->tile.faults.entry[i].instruction, bad[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batches),
        cmocka_unit_test_setup_teardown(test_batch_ends_in_a_fault, bare_setup, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
