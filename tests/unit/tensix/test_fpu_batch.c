/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Batches of the matrix unit (matrix/math.h): MVMULs that are pushed, of MOPs and of replays, with what ends a batch
 * between them, faults too. Another coprocessor executes one instruction after another, with the portable kernels. The
 * state is equal to its state after any number of cycles.
 */
#include "host/hostile.h"
#include "tile/tensix/frontend/trace.h"
#include "tile/tensix/issue/run.h"
#include "tile/tensix/matrix/issue.h"
#include "tile/tensix/matrix/kernel_set.h"
#include "tile/tensix/matrix/matrix.h"
#include "unit/tensix/batch_pair.h"
#include "unit/tensix/fpu.h"

#define ROUNDS 60u /* of each set of kernels */
#define TURNS 24u

/* In a batch the count of passed instructions does not change from one product to the next. */
static struct {
    const struct tf_fpu_kernels *by;
    struct tf_fpu_kernels counting;
    const struct tf_tensix *tensix;
    uint64_t passed, products, batched;
} seen;

static void count_product(void)
{
    seen.products++;
    seen.batched += seen.tensix->frontend->passed == seen.passed;
    seen.passed = seen.tensix->frontend->passed;
}

static void count_multiply(const struct tf_fpu_job *job)
{
    count_product();
    seen.by->multiply(job);
}

static void count_multiply_int(const struct tf_fpu_job *job)
{
    count_product();
    seen.by->multiply_int(job);
}

/* Change values that a batch has looked up, or that an instruction looks up. */
static uint32_t configuring_word(void)
{
    static const uint32_t thread_fields[] = {
        TF_THREAD_CFG_CFG_STATE_ID_StateID,       TF_THREAD_CFG_DEST_TARGET_REG_CFG_MATH_Offset,
        TF_THREAD_CFG_FIDELITY_BASE_Phase,        TF_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcAIncr,
        TF_THREAD_CFG_ADDR_MOD_DST_SEC0_DestIncr, TF_THREAD_CFG_ADDR_MOD_BIAS_SEC0_BiasIncr,
    };
    static const uint32_t fields[] = {TF_CFG_DEST_REGW_BASE_Base, TF_CFG_DEST_ACCESS_CFG_remap_addrs,
                                      TF_CFG_ALU_FORMAT_SPEC_REG0_SrcA, TF_CFG_ALU_FORMAT_SPEC_REG1_SrcB};
    if (one_in(2))
        return W(RMWCIB0) | V(RMWCIB0, cfg_reg_addr, fields[bare_random() % 4] >> 16) |
               (bare_random() & (V(RMWCIB0, data, 7) | V(RMWCIB0, mask, 7)));
    uint32_t which = bare_random() % 6, index = (thread_fields[which] >> 16) + (which >= 3 ? bare_random() % 8 : 0);
    return W(SETC16) | V(SETC16, setc16_reg, index) | (bare_random() & (one_in(2) ? 0xFFFF : 7));
}

static uint32_t other_word(void)
{
    static const uint8_t opcodes[] = {TF_OP_ADDDMAREG, TF_OP_INCRWC, TF_OP_SETRWC, TF_OP_ZEROACC,
                                      TF_OP_ELWADD,    TF_OP_GAPOOL, TF_OP_MOVA2D, TF_OP_NOP};
    switch (bare_random() % 6) {
    case 0: return configuring_word();
    case 1: return vector_word(false);
    case 2: /* SrcA or SrcB changes */
        return W(MOVD2A) | (bare_random() & V(MOVD2A, src, 0x3F)) | V(MOVD2A, instr_mod, 2);
    case 3: return random_operands(TF_OP_MVMUL); /* it may release banks */
    case 4:                                      /* AutoTTSync counts what is pushed from now on, or no longer does */
        return W(SETC16) | V(SETC16, setc16_reg, TF_THREAD_CFG_TRISC_SYNC) |
               (one_in(3) ? TF_TRISC_SYNC_TRACK_INSTRUCTIONS : 0);
    default: return random_operands(opcodes[bare_random() % sizeof opcodes]);
    }
}

static uint32_t any_word(void)
{
    const uint32_t row = V(MVMUL, dst, one_in(4) ? bare_random() % TF_DST_ROWS : bare_random() % 8 * 8);
    if (one_in(10))
        return one_in(8) ? W(MVMUL) | 1u << 13 : other_word(); /* a reserved bit: a fault */
    return W(MVMUL) | row | V(MVMUL, addr_mode, bare_random() % 8) | V(MVMUL, instr_mod19, one_in(5));
}

static void choose_formats(struct bare *bare)
{
    static const uint8_t formats[] = {BF16, BF16, FP16, TF32, INT8};
    const unsigned format = formats[bare_random() % sizeof formats];
    fpu_format(bare, format, format);
    CFG_SET(bare, ALU_ACC_CTRL_INT8_math_enabled, format == INT8);
    CFG_SET(bare, ALU_ACC_CTRL_Fp32_enabled, one_in(3));
    CFG_SET(bare, ALU_ROUNDING_MODE_Fpu_srnd_en, one_in(4));
}

static void prepare(const struct pair *pair)
{
    struct tf_tensix *tensix = pair->in_rows->tile.tensix, *other = pair->one_by_one->tile.tensix;
    const bool small = one_in(2);
    for (unsigned i = 0; i < 4 * TF_SRC_ROWS * TF_SRC_COLUMNS; i++)
        (&tensix->src_data->datum[0][0][0][0])[i] = fpu_random_src(small ? 15 : 127, 4, small ? 0x1F : 0xFF);
    for (unsigned i = 0; i < TF_DST_ROWS * TF_DST_COLUMNS; i++)
        tensix->dst->bits[i / TF_DST_COLUMNS][i % TF_DST_COLUMNS] = (uint16_t)(bare_random() & 0xFF7F);
    choose_formats(pair->in_rows);
    for (unsigned t = 0; t < TF_TENSIX_THREADS; t++) {
        struct tf_tensix_thread *thread = &tensix->thread[t];
        memcpy(tensix->config->thread[t], tensix->config->thread[0], sizeof tensix->config->thread[0]);
        for (unsigned i = 0; i < TF_REPLAY_ENTRIES; i++)
            thread->replay.buffer[i] = any_word();
        for (unsigned i = 2; i < TF_MOP_CFG_WORDS; i++)
            thread->mop.config[i] = one_in(4) ? W(NOP) : one_in(6) ? expanding_word() : any_word();
        thread->mop.config[0] = bare_random() % 8;
        thread->mop.config[1] = bare_random() % 30;
        /* At first, address modifiers advance by a group of rows. */
        for (unsigned i = 0; i < 8; i++) {
            tensix->config->thread[t][(TF_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcAIncr >> 16) + i] =
                (uint16_t)(one_in(2) ? bare_random() % 3 * 0x808 : 0);
            tensix->config->thread[t][(TF_THREAD_CFG_ADDR_MOD_DST_SEC0_DestIncr >> 16) + i] = bare_random() % 2 * 8;
        }
        other->thread[t].replay = thread->replay;
        other->thread[t].mop = thread->mop;
    }
    *other->src_data = *tensix->src_data;
    *other->dst = *tensix->dst;
    *other->config = *tensix->config;
}

/* The unpackers give banks to the matrix unit, which waits for them. */
static void give_banks(struct tf_tile *tile)
{
    for (unsigned side = TF_SRC_A; side <= TF_SRC_B; side++)
        while (tf_src_matrix_waits(tile->tensix->src, side))
            tf_src_give(tile, 0, side);
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
    if (memcmp(a->dst, b->dst, sizeof *a->dst) != 0)
        return "Dst";
    if (memcmp(a->rwc, b->rwc, TF_TENSIX_THREADS * sizeof *a->rwc) != 0 || a->fpu->srca_row != b->fpu->srca_row)
        return "counters";
    return bare_hash(pair->in_rows) != bare_hash(pair->one_by_one) ? "something" : NULL;
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
        run_both(pair, cycle, end, false);
        const char *what = difference(pair);
        if (what != NULL)
            fail_msg("%s, round %u, turn %u: they differ in %s", seen.by->name, round, turn, what);
        faults += compare_faults(pair);
        trace->thread[0].count = trace->thread[1].count = trace->thread[2].count = 0;
        give_banks(&pair->in_rows->tile);
        give_banks(&pair->one_by_one->tile);
        cycle = end;
    }
    return faults;
}

static void test_set(void **state)
{
    const enum tf_vectors choice = *(const enum tf_vectors *)*state;
    unsigned faults = 0;
    seen.by = tf_fpu_kernels_of(TF_EDITION_BLACKHOLE, choice);
    if (seen.by == NULL) {
        assert_int_not_equal(choice, TF_VECTORS_PORTABLE);
        print_message("this host cannot run set %u\n", choice);
        return;
    }
    seen.counting = *seen.by;
    seen.counting.multiply = count_multiply;
    seen.counting.multiply_int = count_multiply_int;
    seen.products = seen.batched = 0;
    bare_seed();
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct pair pair;
        bare_setup((void **)&pair.in_rows);
        bare_setup((void **)&pair.one_by_one);
        fpu_fresh((void **)&pair.in_rows);
        fpu_fresh((void **)&pair.one_by_one);
        assert_true(tf_fpu_choose(&pair.one_by_one->tile, TF_VECTORS_PORTABLE));
        assert_true(tf_trace_begin(&pair.one_by_one->tile));
        seen.tensix = pair.in_rows->tile.tensix;
        seen.tensix->fpu->kernels = &seen.counting;
        prepare(&pair);
        faults += run_round(&pair, round);
        bare_teardown((void **)&pair.in_rows);
        bare_teardown((void **)&pair.one_by_one);
    }
    print_message("%s: %llu products, %llu of them after another one of a batch, %u faults\n", seen.by->name,
                  (unsigned long long)seen.products, (unsigned long long)seen.batched, faults);
    assert_true(TF_HOSTILE || (seen.products > ROUNDS * 60 && seen.batched > ROUNDS * 30 && faults > ROUNDS));
}

int main(void)
{
    return with_all_vectors(test_set);
}
