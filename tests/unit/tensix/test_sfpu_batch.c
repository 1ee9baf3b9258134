/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Batches of the vector unit (vector/run.c, vector/execute.h): pushed, by MOPs and by replays, with what ends a batch
 * between them, faults too. A traced coprocessor executes one instruction after another, here with the portable
 * kernels. The state is equal to its state after any number of cycles.
 */
#include "host/hostile.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/frontend/trace.h"
#include "tile/tensix/frontend/frontend.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/issue/run.h"
#include "tile/tensix/vector/batch.h"
#include "tile/tensix/vector/vector.h"
#include "unit/tensix/batch_pair.h"

#define ROUNDS 60u /* of each set of kernels */
#define TURNS 24u

/* The number of instructions executed in batches, so that a test without any batch fails. */
static struct {
    const struct tf_sfpu_kernels *by;
    struct tf_sfpu_kernels counting;
    uint64_t rows, ended, instructions;
} rows;

static uint32_t count_row(struct tf_sfpu_batch *batch, const struct tf_sfpu_words *words)
{
    uint32_t done = rows.by->execute(batch, words);
    rows.rows += done > 1;
    rows.ended += done != 0 && done < words->count;
    rows.instructions += done;
    return done;
}

/*
 * SFPLOADMACRO is among the instructions of a round. A scheduled instruction may fault while another thread issues. Its
 * thread then stops at the end of the turn, or after one more instruction. So turns are alike in such rounds.
 */
static bool with_macros;

/* Words */

/* Values that a batch has looked up change. */
static uint32_t configuring_word(void)
{
    static const uint32_t fields[] = {TF_CFG_DEST_REGW_BASE_Base, TF_CFG_DEST_SP_BASE_Base,
                                      TF_CFG_DEST_ACCESS_CFG_remap_addrs, TF_CFG_ALU_FORMAT_SPEC_REG1_SrcB};
    static const uint32_t thread_fields[] = {
        TF_THREAD_CFG_CFG_STATE_ID_StateID,
        TF_THREAD_CFG_DEST_TARGET_REG_CFG_MATH_Offset,
        TF_THREAD_CFG_SFPU_STACK_Incr,
        TF_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcAIncr,
        TF_THREAD_CFG_ADDR_MOD_DST_SEC0_DestIncr,
        TF_THREAD_CFG_ADDR_MOD_BIAS_SEC0_BiasIncr,
    };
    if (one_in(3))
        return W(RMWCIB0) | V(RMWCIB0, cfg_reg_addr, fields[bare_random() % 4] >> 16) |
               (bare_random() & (V(RMWCIB0, data, 0xFF) | V(RMWCIB0, mask, 0xFF)));
    if (one_in(3))
        return W(RMWCIB3) | V(RMWCIB3, cfg_reg_addr, TF_CFG_ALU_ACC_CTRL_SFPU_Fp32_enabled >> 16) |
               (bare_random() & V(RMWCIB3, data, 0x40)) | V(RMWCIB3, mask, 0x40);
    uint32_t which = bare_random() % 6, index = (thread_fields[which] >> 16) + (which >= 3 ? bare_random() % 8 : 0);
    return W(SETC16) | V(SETC16, setc16_reg, index) | (bare_random() & (one_in(2) ? 0xFFFF : 7));
}

/* All lanes are enabled, or some. */
static uint32_t enabling_word(void)
{
    return one_in(2) ? W(SFPENCC) | V(SFPENCC, instr_mod1, 10) | V(SFPENCC, imm12_math, 3)
                     : W(SFPCONFIG) | V(SFPCONFIG, config_dest, 15) | V(SFPCONFIG, instr_mod1, 1);
}

static uint32_t other_word(void)
{
    static const uint8_t opcodes[] = {TF_OP_ADDDMAREG, TF_OP_MULDMAREG, TF_OP_INCRWC, TF_OP_ZEROACC, TF_OP_NOP};
    switch (bare_random() % 9) {
    case 0:
    case 1: return configuring_word();
    case 2:
    case 3: return enabling_word();
    case 4: /* some of the operands are reserved: a fault */
        return one_in(4) ? W(SFPNOP) | (bare_random() & TF_TENSIX_OPERANDS) : vector_word(with_macros);
    case 6: /* no instruction has one of these opcodes: a fault */
        return one_in(4) ? (TF_OP_SFPARECIP + 1 + bare_random() % 6) << 24 : vector_word(with_macros);
    case 5: /* AutoTTSync counts what is pushed from now on, or no longer does */
        return W(SETC16) | V(SETC16, setc16_reg, TF_THREAD_CFG_TRISC_SYNC) |
               (one_in(3) ? TF_TRISC_SYNC_TRACK_INSTRUCTIONS : 0);
    case 7: /* a wait that is met immediately: what it blocks passes a cycle later, also in the next turn */
        return W(STALLWAIT) | V(STALLWAIT, stall_res, bare_random() % 512);
    default: return random_operands(opcodes[bare_random() % sizeof opcodes]);
    }
}

static uint32_t any_word(void)
{
    return one_in(16) ? other_word() : vector_word(with_macros);
}

/* State */

static uint32_t interesting(void)
{
    static const uint32_t corner[] = {0,          0x80000000, 1,          0x00800000, 0x3F800000,
                                      0xBF800000, 0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000,
                                      0xFFFFFFFF, 0x0D800000, 0x7D000000};
    switch (bare_random() % 8) {
    case 0: return corner[bare_random() % (sizeof corner / sizeof corner[0])];
    case 1: return bare_random();
    case 2: return bare_random() & 0xFFFF0000;
    default: return (bare_random() & 0x807FFFFF) | (127 - 16 + bare_random() % 32) << 23;
    }
}

/* New data for both, since results soon become infinite or zero. */
static void refresh(const struct pair *pair)
{
    struct tf_vector *vector = tf_sfpu_get(&pair->in_rows->tile), *other = tf_sfpu_get(&pair->one_by_one->tile);
    bool certain = one_in(2);
    for (unsigned i = 0; i < 8 * TF_LANES; i++)
        vector->lreg[i / TF_LANES][i % TF_LANES] = certain ? (bare_random() & 0x807FFFFF) |
                                                                 (127 - 4 + bare_random() % 8) << 23
                                                           : interesting();
    memcpy(other->lreg, vector->lreg, 8 * sizeof vector->lreg[0]);
}

/* SFPLOADMACRO schedules this, until SFPCONFIG changes it: two instructions, with a store or without. */
static void prepare_macros(struct tf_vector *vector, struct tf_vector *other)
{
    struct tf_macro_config macro = {.misc = bare_random() & 0xFFF};
    macro.template[0] = random_operands(TF_OP_SFPIADD);
    macro.template[1] = random_operands(TF_OP_SFPMAD);
    macro.template[2] = random_operands(TF_OP_SFPABS);
    macro.template[3] = random_operands(TF_OP_SFPMUL);
    for (unsigned i = 0; i < 4; i++)
        macro.sequence[i] = ((bare_random() & 0xF8) | (4 + bare_random() % 2 * 2)) |
                            ((bare_random() & 0xF8) | (5 + bare_random() % 2 * 2)) << 8 |
                            ((bare_random() & 0xF8) | bare_random() % 2 * 3) << 24;
    for (unsigned column = 0; column < TF_LANE_COLUMNS; column++)
        vector->macro[column] = other->macro[column] = macro;
}

static void prepare(const struct pair *pair)
{
    struct tf_dst *dst = tf_dst_get(&pair->in_rows->tile);
    struct tf_tensix *tensix = pair->in_rows->tile.tensix, *other = pair->one_by_one->tile.tensix;
    for (unsigned i = 0; i < TF_DST_ROWS * TF_DST_COLUMNS; i++)
        dst->bits[i / TF_DST_COLUMNS][i % TF_DST_COLUMNS] = (uint16_t)bare_random();
    *tf_dst_get(&pair->one_by_one->tile) = *dst;
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        struct tf_tensix_thread *thread = &tensix->thread[t];
        for (unsigned i = 0; i < TF_REPLAY_ENTRIES; i++)
            thread->replay.buffer[i] = any_word();
        for (unsigned i = 2; i < TF_MOP_CFG_WORDS; i++)
            thread->mop.config[i] = one_in(4) ? W(NOP) : one_in(6) ? expanding_word() : any_word();
        thread->mop.config[0] = bare_random() % 8;
        thread->mop.config[1] = bare_random() % 30;
        /* Address modifiers that add to the counter of Dst, at first. */
        for (unsigned i = 0; i < 8; i++)
            tensix->config->thread[t][(TF_THREAD_CFG_ADDR_MOD_DST_SEC0_DestIncr >> 16) + i] = bare_random() % 8;
        other->thread[t].replay = thread->replay;
        other->thread[t].mop = thread->mop;
    }
    *other->config = *tensix->config;
    for (unsigned i = 0; i < TF_LANES; i++)
        tensix->vector->prng[i] = other->vector->prng[i] = bare_random();
    prepare_macros(tensix->vector, other->vector);
    refresh(pair);
}

static const char *difference(const struct pair *pair)
{
    struct tf_tensix *a = pair->in_rows->tile.tensix, *b = pair->one_by_one->tile.tensix;
    tf_tensix_wake(&pair->in_rows->tile);
    tf_tensix_wake(&pair->one_by_one->tile);
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
        if (a->thread[t].cycle != b->thread[t].cycle || a->thread[t].faulted != b->thread[t].faulted)
            return "when a thread stops";
    if (a->frontend->passed != b->frontend->passed)
        return "how many passed";
    if (memcmp(a->vector->lreg, b->vector->lreg, sizeof a->vector->lreg) != 0)
        return "registers";
    if (memcmp(a->dst, b->dst, sizeof *a->dst) != 0)
        return "Dst";
    if (memcmp(a->rwc, b->rwc, TF_TENSIX_THREADS * sizeof *a->rwc) != 0)
        return "counters";
    return bare_hash(pair->in_rows) != bare_hash(pair->one_by_one) ? "something" : NULL;
}

static void compare(const struct pair *pair, unsigned round, unsigned turn)
{
    const char *what = difference(pair);
    if (what != NULL)
        fail_msg("%s, round %u, turn %u: they differ in %s", rows.by->name, round, turn, what);
}

static unsigned run_round(const struct pair *pair, unsigned round)
{
    unsigned threads = one_in(2) ? 1u << bare_random() % 3 : 1 + bare_random() % 7, faults = 0;
    uint64_t cycle = 0;
    struct tf_tensix_trace *trace = pair->one_by_one->tile.tensix->trace;
    for (unsigned turn = 0; turn < TURNS; turn++) {
        uint64_t end = cycle + 1 + bare_random() % 80;
        for (unsigned t = 0; t < TF_TENSIX_THREADS; t++)
            if (threads >> t & 1)
                push_some(pair, t, cycle, end, any_word);
        run_both(pair, cycle, end, with_macros);
        compare(pair, round, turn);
        faults += compare_faults(pair);
        trace->thread[0].count = trace->thread[1].count = trace->thread[2].count = 0;
        if (one_in(2))
            refresh(pair);
        cycle = end;
    }
    return faults;
}

static void test_set(void **state)
{
    const enum tf_vectors choice = *(const enum tf_vectors *)*state;
    unsigned faults = 0;
    rows.by = tf_sfpu_kernels_of(TF_EDITION_BLACKHOLE, choice);
    if (rows.by == NULL) {
        assert_int_not_equal(choice, TF_VECTORS_PORTABLE);
        print_message("this host cannot run set %u\n", choice);
        return;
    }
    rows.counting = *rows.by;
    rows.counting.execute = count_row;
    rows.rows = rows.ended = rows.instructions = 0;
    bare_seed();
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct pair pair;
        with_macros = one_in(3);
        bare_setup((void **)&pair.in_rows);
        bare_setup((void **)&pair.one_by_one);
        assert_true(tf_sfpu_choose(&pair.one_by_one->tile, TF_VECTORS_PORTABLE));
        assert_true(tf_trace_begin(&pair.one_by_one->tile));
        tf_sfpu_get(&pair.in_rows->tile)->kernels = &rows.counting;
        prepare(&pair);
        faults += run_round(&pair, round);
        bare_teardown((void **)&pair.in_rows);
        bare_teardown((void **)&pair.one_by_one);
    }
    print_message("%s: %llu instructions, %llu rows, %llu ended early, %u faults\n", rows.by->name,
                  (unsigned long long)rows.instructions, (unsigned long long)rows.rows, (unsigned long long)rows.ended,
                  faults);
    /* Batches are shorter if a FIFO holds less. */
    assert_true(TF_HOSTILE || (rows.instructions > ROUNDS * 200 && rows.rows > ROUNDS * 20 && rows.ended > ROUNDS &&
                               faults > ROUNDS));
}

int main(void)
{
    return with_all_vectors(test_set);
}
