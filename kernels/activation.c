/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Apply a function to each number of a tensor, on the vector unit in fp32. A tile goes from SrcA to Dst, then through
 * LRegs in 32 steps of four rows and every other column. The replay expander holds the instructions of a step.
 */
#include "tilefarm_stream.h"
#include "tilefarm_workloads.h"

static const struct tf_tensor_kind kinds[] = TF_ACTIVATION_KINDS;

#if TF_CORE == 3
#include "tilefarm_sfpu.h"

enum { STEP = 7 }; /* the address modifier that advances to the next step */

/*
 * With waits, a step has more instructions than the replay expander holds. So the core pushes the instructions of each
 * step, and loads the constants with the first step.
 */
/* clang-format off */
#if TF_SFP_MODIFIES
#define IS_FIRST 1
#define BEGIN(count) TF_TTINSN(TT_RECORD(0, count)); TF_TT(SFPLOAD(0, TF_SFP_BF16, 0, 0))
#else
static bool constants_set;
#define IS_FIRST (!constants_set)
#define BEGIN(count) TF_TT(SFPLOAD(0, TF_SFP_BF16, 0, 0))
#endif
/* clang-format on */
#define END(lreg)                                              \
    TF_SFP_WAIT;                                               \
    TF_TT(SFP_STOCH_RND(0, 0, 0, lreg, lreg, TF_SFP_TO_BF16)); \
    TF_UPPER_MODIFIERS;                                        \
    TF_TT(SFPSTORE(lreg, TF_SFP_BF16, STEP, 0));               \
    TF_LOWER_MODIFIERS

/* Each record_*() records the instructions of a step, or pushes them, and returns their number. */

static uint32_t record_exp(void)
{
    if (IS_FIRST) {
        TF_SFP_EXP_CONSTANTS;
        TF_SFP_CONSTANT(4, TF_SFP_LOG2E);
    }
    BEGIN(2 + TF_SFP_EXP_COUNT + 2);
    TF_TT(SFPMUL(0, 4, 9, 1, 0));
    TF_SFP_WAIT;
    TF_SFP_EXP;
    END(3);
    return 2 + TF_SFP_EXP_COUNT + 2;
}

static uint32_t record_sigmoid(void)
{
    if (IS_FIRST) {
        TF_SFP_EXP_CONSTANTS;
        TF_SFP_CONSTANT(4, TF_SFP_MINUS_LOG2E);
    }
    BEGIN(3 + TF_SFP_EXP_COUNT + TF_SFP_RECIPROCAL_COUNT + 2);
    TF_TT(SFPMUL(0, 4, 9, 1, 0));
    TF_SFP_WAIT;
    TF_SFP_EXP;
    TF_TT(SFPADD(10, 3, 10, 3, 0));
    TF_SFP_WAIT;
    TF_SFP_RECIPROCAL(3);
    END(1);
    return 3 + TF_SFP_EXP_COUNT + TF_SFP_RECIPROCAL_COUNT + 2;
}

/* x / (1 + exp(-2 sqrt(2 / pi) (x + 0.044715 x^3))) */
static uint32_t record_gelu(void)
{
    if (IS_FIRST) {
        TF_SFP_EXP_CONSTANTS;
        TF_SFP_CONFIGURE(14, 0xBDD2D3E8); /* -0.044715 * 2 sqrt(2 / pi) log2(e) */
        TF_SFP_CONSTANT(4, 0xC0135761);   /* -2 sqrt(2 / pi) log2(e) */
    }
    BEGIN(5 + TF_SFP_EXP_COUNT + TF_SFP_RECIPROCAL_COUNT + 3);
    TF_TT(SFPMUL(0, 0, 9, 1, 0));
    TF_SFP_WAIT;
    TF_TT(SFPMAD(1, 14, 4, 1, 0));
    TF_SFP_WAIT;
    TF_TT(SFPMUL(1, 0, 9, 1, 0));
    TF_SFP_WAIT;
    TF_SFP_EXP;
    TF_TT(SFPADD(10, 3, 10, 3, 0));
    TF_SFP_WAIT;
    TF_SFP_RECIPROCAL(3);
    TF_TT(SFPMUL(1, 0, 9, 1, 0));
    END(1);
    return 5 + TF_SFP_EXP_COUNT + TF_SFP_RECIPROCAL_COUNT + 3;
}

static uint32_t record_reciprocal(void)
{
    BEGIN(1 + TF_SFP_RECIPROCAL_COUNT + 2);
    TF_SFP_RECIPROCAL(0);
    END(1);
    return 1 + TF_SFP_RECIPROCAL_COUNT + 2;
}

/* x * (1 / sqrt(x)). Newton steps refine a guess at 1 / sqrt(x): a constant minus half of the bits of x. */
static uint32_t record_square_root(void)
{
    if (IS_FIRST) {
        TF_SFP_CONSTANT(4, 0x5F3759DF);
        TF_SFP_CONSTANT(5, 0x3FC00000);                                  /* 1.5 */
        TF_SFP_CONSTANT(6, TF_SFP_MODIFIES ? 0x3F000000u : 0xBF000000u); /* 0.5, or -0.5 */
    }
    BEGIN(5 + 9 + 3);
    TF_TT(SFPMUL(0, 6, 9, 3, 0));
    TF_TT(SFPMOV(0, 1, 0));
    TF_TT(SFPSHFT(0xFFF, 0, 1, 1));
    TF_TT(SFPIADD(0, 4, 1, 6));
    for (unsigned i = 0; i < 3; i++) {
        TF_TT(SFPMUL(1, 1, 9, 2, 0));
        TF_SFP_WAIT;
        TF_TT(SFPMAD(3, 2, 5, 2, TF_SFP_MODIFIES)); /* without negation LReg 3 is negative */
        TF_SFP_WAIT;
        TF_TT(SFPMUL(1, 2, 9, 1, 0));
        TF_SFP_WAIT;
    }
    TF_TT(SFPMUL(1, 0, 9, 1, 0));
    END(1);
    return 5 + 9 + 3;
}

static uint32_t record(unsigned op)
{
    switch (op) {
    case TF_ACTIVATION_EXP: return record_exp();
    case TF_ACTIVATION_SIGMOID: return record_sigmoid();
    case TF_ACTIVATION_GELU: return record_gelu();
    case TF_ACTIVATION_RECIPROCAL: return record_reciprocal();
    default: return record_square_root();
    }
}

static void prepare(const struct tf_tensor_kind *kind)
{
    (void)kind;
    tf_math_begin();
    TF_ADDR_MOD(0, TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(1, TF_INCREMENT(8), TF_INCREMENT(0), TF_INCREMENT(8), TF_INCREMENT(0));
    TF_ADDR_MOD(7, TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(2), TF_INCREMENT(0));
    TF_TT(SFPENCC(3, 0, 10));
#if TF_SFP_MODIFIES
    uint32_t step = TT_REPLAY(0, record(kind->op));
    const struct tf_tt_mop_loop mop = {
        .outer = 1,
        .inner = 16,
        .start = TT_NOP,
        .loop_0 = step,
        .loop_1 = TT_NOP,
        .loop_0_last = step,
        .loop_1_last = step,
        .end_0 = TT_NOP,
        .end_1 = TT_NOP,
    };
    tf_tt_mop_loop(&mop);
#endif
}

static void calculate(unsigned op)
{
#if TF_SFP_MODIFIES
    (void)op;
    TF_TTINSN(TT_MOP_LOOP); /* a MOP of 16 steps, two times: ttsim's FIFO holds no more */
    TF_TTINSN(TT_MOP_LOOP);
#else
    for (unsigned step = 0; step < 32; step++, constants_set = true)
        record(op);
#endif
}

static void work(const struct tf_stream_job *job)
{
    prepare(job->kind);
    for (uint32_t i = 0; i < job->count; i++) {
        tf_math_take(i & 1);
        for (unsigned row = 0; row < 64; row += 8)
            TF_TT(MOVA2D(0, 0, 1, 2, 0));
        TF_TT(SETRWC(1, 0, 0, 0, 0, 0xF));
        TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_VECTOR, TF_TT_MATRIX));
        calculate(job->kind->op);
        TF_TT(SETRWC(0, 0, 0, 0, 0, 0xF));
        tf_math_give();
    }
}
#else
#define work tf_stream_role
#endif

int main(void)
{
    const struct tf_stream_job job = tf_stream_job(kinds, 1);
    return tf_stream_run(&job, work);
}
