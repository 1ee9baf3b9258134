/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STALLWAIT.md: each condition under each block bit, with the real units and delayed completion. An instruction is
 * blocked while its condition lasts, and no longer.
 */
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/tdma.h"
#include "tile/tensix/thcon.h"
#include "tile/tensix/whole/window.h"
#include "unit/tensix/units.h"
#include "tilefarm_address.h"

#define DELAY 60
#define UNPACK_NOTHING (W(UNPACR_NOP) | V(UNPACR_NOP, unpack_pop, 2))
#define SET_REGISTER (W(PACR_SETREG) | 0x800F02) /* of stream 0: the one form that there is */
#define CLEAR(banks) (W(CLEARDVALID) | V(CLEARDVALID, cleardvalid, banks))
#define NOTHING 0

/* The cause of each condition, in order of C0 to C12, and its end. NOTHING: the condition ends by time. */
static const struct {
    uint32_t before[2], after;
    bool store; /* by the T core, of a GPR */
} conditions[] = {
    {{W(ATINCGET)}, NOTHING, false},
    {{UNPACK_NOTHING}, NOTHING, false},
    {{UNPACK_NOTHING | V(UNPACR_NOP, unpacker_select, 1)}, NOTHING, false},
    {{SET_REGISTER}, NOTHING, false},
    {{W(ZEROACC)}, NOTHING, false},
    {{W(SETDVALID) | 1, W(SETDVALID) | 1}, CLEAR(1), false},
    {{W(SETDVALID) | 2, W(SETDVALID) | 2}, CLEAR(2), false},
    {{W(SETDVALID) | 2}, W(SETDVALID) | 1, false},
    {{W(SETDVALID) | 1}, W(SETDVALID) | 2, false},
    {{W(XMOV)}, NOTHING, false},
    {{NOTHING}, NOTHING, true},
    {{W(SFPNOP)}, NOTHING, false},
    {{W(WRCFG) | 120}, NOTHING, false},
};

/* One instruction for each block bit to hold, B0 to B8. */
static const uint32_t held[] = {
    W(SETADC), W(SEMPOST), SET_REGISTER, UNPACK_NOTHING, W(XMOV), W(DMANOP), W(INCRWC), W(WRCFG) | 121, W(SFPNOP),
};

static void begin(struct bare *bare, unsigned condition)
{
    for (unsigned i = 0; i < 2; i++)
        if (conditions[condition].before[i] != NOTHING)
            bare_push(bare, 1, conditions[condition].before[i]);
    if (conditions[condition].store)
        assert_int_equal(tf_tensix_store(&bare->tile, TF_CORE_T1, TF_GPR_BASE + 4 * 1, 5), TF_ACCESS_OK);
}

static bool blocks(const struct bare *bare, unsigned condition, unsigned bit)
{
    const struct tf_gate *gate = &bare->tile.tensix->thread[1].gate;
    return gate->full && gate->word == held[bit] && gate->wait.opcode == TF_OP_STALLWAIT &&
           gate->wait.condition == 1u << condition;
}

static void check(unsigned condition, unsigned bit)
{
    struct bare *bare;
    bare_setup((void **)&bare);
    tf_tensix_delay(&bare->tile, DELAY);
    bare->tile.tensix->tdma->set_reg_base[0] = 0x40000;
    begin(bare, condition);
    bare_push(bare, 1, W(STALLWAIT) | V(STALLWAIT, stall_res, 1u << bit) | V(STALLWAIT, wait_res, 1u << condition));
    bare_push(bare, 1, held[bit]);
    bare_run(bare, DELAY / 2);
    if (!blocks(bare, condition, bit))
        fail_msg("C%u does not block under B%u", condition, bit);
    uint32_t after = conditions[condition].after;
    bare_run(bare, DELAY);
    if (after != NOTHING) {
        if (!blocks(bare, condition, bit))
            fail_msg("time ends C%u", condition);
        bare_push(bare, 2, after);
        bare_run(bare, 10);
    } else {
        bare_run(bare, DELAY);
    }
    if (bare->tile.tensix->thread[1].gate.full)
        fail_msg("C%u still blocks under B%u", condition, bit);
    if (bare->tile.faults.count != 0)
        fail_msg("C%u under B%u: %s", condition, bit, bare->tile.faults.entry[0].text);
    bare_teardown((void **)&bare);
}

static void test_conditions_and_block_bits(void **state)
{
    (void)state;
    for (unsigned condition = 0; condition < sizeof conditions / sizeof conditions[0]; condition++)
        for (unsigned bit = 0; bit < sizeof held / sizeof held[0]; bit++)
            check(condition, bit);
}

/* ScalarUnit.md: while an instruction occupies the unit, no other thread's may enter. Other units continue. */
static void test_scalar_unit_taken(void **state)
{
    (void)state;
    static const uint32_t owner[] = {W(ATCAS) | V(ATCAS, cmp_val, 5), W(ATINCGETPTR), W(FLUSHDMA) | 1};
    static const uint32_t kept_out[] = {
        W(ADDDMAREG), W(SUBDMAREG), W(MULDMAREG), W(BITWOPDMAREG), W(SHIFTDMAREG), W(CMPDMAREG),
        W(SETDMAREG), W(DMANOP),    W(LOADIND),   W(ATSWAP),       W(ATINCGET),    W(FLUSHDMA),
    };
    for (unsigned i = 0; i < sizeof owner / sizeof owner[0]; i++)
        for (unsigned k = 0; k < sizeof kept_out / sizeof kept_out[0]; k++) {
            struct bare *bare;
            bare_setup((void **)&bare);
            tf_tensix_delay(&bare->tile, DELAY);
            if (owner[i] >> 24 == TF_OP_FLUSHDMA)
                bare_push(bare, 0, W(LOADIND));
            bare_push(bare, 0, owner[i]);
            bare_run(bare, 5);
            bare_push(bare, 1, kept_out[k]);
            bare_push(bare, 2, W(SETADC));
            bare_run(bare, 10);
            if (!bare->tile.tensix->thread[1].gate.full)
                fail_msg("0x%08x enters while 0x%08x occupies the scalar unit", kept_out[k], owner[i]);
            assert_false(bare->tile.tensix->thread[2].gate.full);
            set_l1_word(bare, 0, 5);
            bare_run(bare, 2 * DELAY);
            assert_false(bare->tile.tensix->thread[0].gate.full || bare->tile.tensix->thread[1].gate.full);
            bare_teardown((void **)&bare);
        }
}

/* The paths by which instructions come. */
enum { PUSHED, REPLAYED, FROM_MOP, WAYS };

#define NOP W(NOP)

/* Fill the replay buffer. */
static void record(struct bare *bare, unsigned thread, uint32_t word)
{
    bare_push(bare, thread, W(REPLAY) | V(REPLAY, load_mode, 1));
    for (unsigned i = 0; i < TF_REPLAY_ENTRIES; i++) {
        bare_push(bare, thread, word);
        bare_run(bare, 1);
    }
}

/* `count` times the word, by one of the ways, at tile->cycle. */
static void push_by(struct bare *bare, unsigned thread, unsigned way, uint32_t word, unsigned count)
{
    struct tf_tensix_thread *to = &bare->tile.tensix->thread[thread];
    const uint32_t loop[TF_MOP_CFG_WORDS] = {1, count, NOP, NOP, NOP, word, NOP, word, word};
    memcpy(to->mop.config, loop, sizeof loop);
    if (way == FROM_MOP)
        bare_push(bare, thread, W(MOP) | V(MOP, mop_type, 1));
    else if (way == REPLAYED)
        bare_push(bare, thread, W(REPLAY) | V(REPLAY, len, count));
    else
        while (count-- > 0)
            bare_push(bare, thread, word);
}

/*
 * Arithmetic is kept out from the cycle on in which T1's instruction comes to the unit, though no turn ends there:
 * T0's of that cycle has gone before it, T2's has not.
 */
static void check_kept_out(uint32_t owner, unsigned owner_way, unsigned thread, unsigned way)
{
    static const unsigned begins = 10, count = 25;
    const uint32_t add = W(ADDDMAREG) | V(ADDDMAREG, op_b_is_const, 1) | V(ADDDMAREG, op_b_reg_index, 1) |
                         V(ADDDMAREG, result_reg_index, 7) | V(ADDDMAREG, op_a_reg_index, 7);
    struct bare *bare;
    bare_setup((void **)&bare);
    struct tf_tensix *tensix = bare->tile.tensix;
    tensix->src->to_matrix[TF_SRC_A][0] = owner >> 24 == TF_OP_STOREIND;
    record(bare, thread, add);
    record(bare, 1, owner);
    push_by(bare, thread, way, add, count);
    bare->tile.cycle += begins;
    push_by(bare, 1, owner_way, owner, 1);
    if (owner >> 24 == TF_OP_FLUSHDMA) {
        tf_tensix_delay(&bare->tile, DELAY);
        tensix->busy->until[TF_BUSY_SCALAR][1] = bare->tile.cycle + DELAY;
    }
    bare_run(bare, 40);
    unsigned before = begins + (thread < 1);
    if (tensix->thcon->gpr[thread][7] != before)
        fail_msg("0x%08x, way %u: T%u, way %u, has passed %u instead of %u", owner, owner_way, thread, way,
                 tensix->thcon->gpr[thread][7], before);
    set_l1_word(bare, 0, 5);
    tensix->src->to_matrix[TF_SRC_A][0] = false;
    bare_run(bare, 2 * DELAY);
    assert_int_equal(tensix->thcon->gpr[thread][7], count);
    assert_int_equal(bare->tile.faults.count, 0);
    bare_teardown((void **)&bare);
}

static void test_scalar_unit_taken_within_a_turn(void **state)
{
    (void)state;
    static const uint32_t owner[] = {W(ATCAS) | V(ATCAS, cmp_val, 5), W(ATINCGETPTR), W(FLUSHDMA) | 1, W(STOREIND)};
    for (unsigned i = 0; i < sizeof owner / sizeof owner[0]; i++)
        for (unsigned owner_way = 0; owner_way < WAYS; owner_way++)
            for (unsigned way = 0; way < WAYS; way++) {
                check_kept_out(owner[i], owner_way, 0, way);
                check_kept_out(owner[i], owner_way, 2, way);
            }
}

/* T1's STOREIND holds the scalar unit until T2 gives its bank, and then faults. T0 continues in the next cycle. */
static void test_fault_frees_scalar_unit(void **state)
{
    struct bare *bare = *state;
    struct tf_tensix *tensix = bare->tile.tensix;
    const uint32_t add = W(ADDDMAREG) | V(ADDDMAREG, op_b_is_const, 1) | V(ADDDMAREG, op_b_reg_index, 1) |
                         V(ADDDMAREG, result_reg_index, 7) | V(ADDDMAREG, op_a_reg_index, 7);
    tensix->src->to_matrix[TF_SRC_A][0] = true;
    tensix->thcon->gpr[1][0] = 0x10000; /* no row */
    bare_push(bare, 1, W(STOREIND));
    bare->tile.cycle += 2;
    for (unsigned i = 0; i < 5; i++, bare->tile.cycle++) /* a core pushes one a cycle */
        bare_push(bare, 0, add);
    bare->tile.cycle += 3;
    bare_push(bare, 2, W(CLEARDVALID) | V(CLEARDVALID, cleardvalid, 1));
    bare_run(bare, 40);
    assert_true(tensix->thread[1].faulted);
    assert_int_equal(bare->tile.faults.count, 1);
    assert_int_equal(tensix->thcon->gpr[0][7], 5);
}

/* A latched wait blocks only the packer. An instruction of the matrix unit passes it, and waits for its bank. It passes
   within the turn, when T2 has given the bank. */
static void test_other_wait_is_latched(void **state)
{
    static const uint32_t waits[] = {
        W(SEMWAIT) | V(SEMWAIT, stall_res, 1 << 2) | V(SEMWAIT, sem_sel, 1) | V(SEMWAIT, wait_sem_cond, 1),
        W(STALLWAIT) | V(STALLWAIT, stall_res, 1 << 2) | V(STALLWAIT, wait_res, 1 << 7),
    };
    (void)state;
    for (unsigned i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        struct bare *bare;
        bare_setup((void **)&bare);
        bare_push(bare, 1, waits[i]);
        bare_push(bare, 1, W(TRNSPSRCB));
        bare_push(bare, 1, W(SEMPOST) | V(SEMPOST, sem_sel, 1 << 1));
        bare->tile.cycle += 20;
        bare_push(bare, 2, W(SETDVALID) | 2);
        bare_run(bare, 30);
        assert_int_equal(bare->tile.tensix->thread[1].gate.wait.opcode, waits[i] >> 24);
        assert_int_equal(bare->tile.tensix->sync->value[1], 1);
        assert_int_equal(bare->tile.faults.count, 0);
        bare_teardown((void **)&bare);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions_and_block_bits),
        cmocka_unit_test(test_scalar_unit_taken),
        cmocka_unit_test(test_scalar_unit_taken_within_a_turn),
        cmocka_unit_test(test_other_wait_is_latched),
        cmocka_unit_test_setup_teardown(test_fault_frees_scalar_unit, bare_setup, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
