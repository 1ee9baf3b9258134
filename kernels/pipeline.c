/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three Tensix threads in a pipeline. Blocks of four lines go from T0's thread to T1's, and from there to T2's, through
 * rings of two blocks; semaphores count the blocks. The replay expander of a thread has the instructions for a line.
 * The first two threads run a MOP of template 1 for a round of blocks. The third one runs a MOP of template 0 for each
 * block, with a mask of the lines to subtract.
 */
#include "tilefarm_kernel.h"

#include "tilefarm_tensix.h"
#include "tilefarm_workloads.h"

/* GPRs: addresses of lines in units of 16 bytes, offsets in bytes, masks of offsets. */
enum { FROM, TO, KEY, FROM_OFFSET, TO_OFFSET, FROM_MASK, TO_MASK, LINE = 8, SUM = 12 };

enum { SEMAPHORE_0 = 1, SEMAPHORE_1 = 2 };

#define LOW(gpr) ((gpr)*2)
#define NEXT(offset, mask) TF_TT(BITWOPDMAREG(0, 0, offset, mask, offset))
#define LOAD(gpr, offset, increment, base) TF_TT(LOADIND(0, LOW(offset), increment, gpr, base))
#define STORE(gpr, offset, increment, base) TF_TT(STOREIND(1, 0, 0, LOW(offset), increment, gpr, base))
#define MEMORY_DONE(block) TT_STALLWAIT(block, TF_TT_SCALAR_MEMORY)
#define FOR_LINE(op) op(0) op(1) op(2) op(3)

static uint32_t me, rounds;

static void prepare(uint32_t from, uint32_t from_bytes, uint32_t to, uint32_t to_bytes, uint32_t key)
{
    TF_TT_GPR(FROM) = from / 16;
    TF_TT_GPR(TO) = to / 16;
    TF_TT_GPR(KEY) = key;
    TF_TT_GPR(FROM_OFFSET) = 0;
    TF_TT_GPR(TO_OFFSET) = 0;
    TF_TT_GPR(FROM_MASK) = from_bytes - 16;
    TF_TT_GPR(TO_MASK) = to_bytes - 16;
    tf_settle((uint32_t)(uintptr_t)&TF_TT_GPR(TO_MASK));
    tf_fence();
}

#if TF_CORE == 2
#define XOR(i) TF_TT(BITWOPDMAREG(0, 2, LINE + i, KEY, LINE + i));

static void record(void)
{
    TF_TTINSN(TT_RECORD(0, 9));
    LOAD(LINE, FROM_OFFSET, 3, FROM);
    NEXT(FROM_OFFSET, FROM_MASK);
    TF_TTINSN(MEMORY_DONE(TF_TT_BLOCK_SCALAR));
    FOR_LINE(XOR)
    STORE(LINE, TO_OFFSET, 3, TO);
    NEXT(TO_OFFSET, TO_MASK);
}

static void work(void)
{
    for (uint32_t i = 0; i < TF_PIPE_BYTES / 4; i++)
        TF_WORD(TF_PIPE_IN + i * 4) = tf_k_input(TF_PARAMS->seed + 1, me, i);
    tf_settle(TF_PIPE_IN + TF_PIPE_BYTES - 4);
    prepare(TF_PIPE_IN, TF_PIPE_BYTES, TF_PIPE_RING(0), TF_PIPE_RING_BYTES, tf_k_input(TF_PARAMS->seed, me, 0));
    TF_TT(SEMINIT(2, 0, SEMAPHORE_0 | SEMAPHORE_1));
    tf_tt_wait_idle();
    tf_sem_set(TF_PIPE_READY, 1);
    record();
    static const struct tf_tt_mop_loop mop = {
        .outer = TF_PIPE_BLOCKS,
        .inner = TF_PIPE_LINES,
        .start = TT_SEMWAIT_NOT_FULL(TF_TT_BLOCK_SCALAR, SEMAPHORE_0),
        .loop_0 = TT_REPLAY(0, 9),
        .loop_1 = TT_NOP,
        .loop_0_last = TT_REPLAY(0, 9),
        .loop_1_last = TT_REPLAY(0, 9),
        .end_0 = MEMORY_DONE(TF_TT_BLOCK_SYNC),
        .end_1 = TT_OP_SEMPOST(SEMAPHORE_0),
    };
    tf_tt_mop_loop(&mop);
    for (uint32_t round = 0; round < rounds; round++)
        TF_TTINSN(TT_MOP_LOOP);
}

#elif TF_CORE == 3
#define ADD(i) TF_TT(ADDDMAREG(0, LINE + i, KEY, LINE + i));

static void record(void)
{
    TF_TTINSN(TT_RECORD(0, 10));
    LOAD(LINE, FROM_OFFSET, 3, FROM);
    NEXT(FROM_OFFSET, FROM_MASK);
    TF_TTINSN(MEMORY_DONE(TF_TT_BLOCK_SCALAR));
    FOR_LINE(ADD)
    TF_TT(MULDMAREG(0, LINE + 3, LINE, LINE + 3));
    STORE(LINE, TO_OFFSET, 3, TO);
    NEXT(TO_OFFSET, TO_MASK);
    TF_TTINSN(TT_RECORD(10, 5));
    TF_TTINSN(TT_SEMWAIT_NONZERO(TF_TT_BLOCK_SCALAR, SEMAPHORE_0));
    TF_TTINSN(TT_SEMWAIT_NOT_FULL(TF_TT_BLOCK_SCALAR, SEMAPHORE_1));
    TF_TTINSN(MEMORY_DONE(TF_TT_BLOCK_SYNC));
    TF_TT(SEMGET(SEMAPHORE_0));
    TF_TT(SEMPOST(SEMAPHORE_1));
}

static void work(void)
{
    prepare(TF_PIPE_RING(0), TF_PIPE_RING_BYTES, TF_PIPE_RING(1), TF_PIPE_RING_BYTES,
            tf_k_input(TF_PARAMS->seed, me, 1));
    record();
    static const struct tf_tt_mop_loop mop = {
        .outer = TF_PIPE_BLOCKS,
        .inner = TF_PIPE_LINES, /* rounds of two instructions */
        .start = TT_REPLAY(10, 2),
        .loop_0 = TT_REPLAY(0, 5),
        .loop_1 = TT_REPLAY(5, 5),
        .loop_0_last = TT_REPLAY(5, 5),
        .loop_1_last = TT_REPLAY(5, 5),
        .end_0 = TT_REPLAY(12, 3),
        .end_1 = TT_NOP,
    };
    tf_tt_mop_loop(&mop);
    for (uint32_t round = 0; round < rounds; round++)
        TF_TTINSN(TT_MOP_LOOP);
}

#else
#define ADD(i) TF_TT(ADDDMAREG(0, SUM + i, LINE + i, SUM + i));
#define SUB(i) TF_TT(SUBDMAREG(0, SUM + i, LINE + i, SUM + i));
#define GATHER(op)                              \
    LOAD(LINE, FROM_OFFSET, 3, FROM);           \
    NEXT(FROM_OFFSET, FROM_MASK);               \
    LOAD(SUM, TO_OFFSET, 0, TO);                \
    TF_TTINSN(MEMORY_DONE(TF_TT_BLOCK_SCALAR)); \
    FOR_LINE(op)                                \
    STORE(SUM, TO_OFFSET, 3, TO);               \
    NEXT(TO_OFFSET, TO_MASK)

static void work(void)
{
    prepare(TF_PIPE_RING(1), TF_PIPE_RING_BYTES, TF_PIPE_OUT, TF_PIPE_BYTES, 0);
    TF_TTINSN(TT_RECORD(0, 20));
    GATHER(ADD);
    GATHER(SUB);
    static const struct tf_tt_mop_list mop = {
        .a0 = TT_REPLAY(0, 10),
        .skip_a = TT_REPLAY(10, 10),
        .has_b = 0,
    };
    tf_tt_mop_list(&mop);
    TF_TT(MOP_CFG(0));
    for (uint32_t i = 0; i < rounds * TF_PIPE_BLOCKS; i++) {
        TF_TTINSN(TT_SEMWAIT_NONZERO(TF_TT_BLOCK_SCALAR, SEMAPHORE_1));
        tf_tt_push(TT_MOP_LIST(TF_PIPE_LINES, TF_PIPE_MASK(TF_PARAMS->seed, i % TF_PIPE_BLOCKS)));
        TF_TTINSN(MEMORY_DONE(TF_TT_BLOCK_SYNC));
        TF_TT(SEMGET(SEMAPHORE_1));
    }
}
#endif

int main(void)
{
    me = tf_my_tile();
    rounds = TF_PARAMS->scale;
    if (TF_CORE != 2)
        tf_sem_wait_min(TF_PIPE_READY, 1); /* T0 has set the semaphores, whose first values are undefined */
    work();
    tf_tt_wait_idle();
    TF_RESULT[0] = rounds;
    return 0;
}
