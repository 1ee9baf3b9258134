/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Tensix coprocessor for device programs: pushing instructions, GPRs, configuration, semaphores, the MOP and replay
 * expanders. Instructions are TT_OP_NAME(operands) of tilefarm_tensix_ops.h, which the build makes. Sources, in the
 * public ISA documentation: BlackholeA0/TensixTile/BabyRISCV/{PushTensixInstruction,ManualTTSync}.md,
 * BlackholeA0/TensixTile/TensixCoprocessor/{STALLWAIT,SyncUnit,BackendConfiguration}.md,
 * WormholeB0/TensixTile/TensixCoprocessor/{MOPExpander,REPLAY,ScalarUnit}.md.
 *
 * TT_* are instructions, as words to push. A push blocks while the FIFO of the thread is full. A pushed instruction may
 * execute before the core's earlier stores have arrived: call tf_settle() first.
 */
#ifndef TILEFARM_TENSIX_H
#define TILEFARM_TENSIX_H

#include "tilefarm_device.h"
#include "tilefarm_tensix_ops.h"

/* ---- Pushing ---- */

/* B: push an instruction to a thread. thread: 0..2 for T0..T2. */
static inline void tf_tt_push_to(unsigned thread, uint32_t word)
{
    TF_WORD(TF_INSTRN_BUF_OF(thread)) = word;
}

/* T0..T2: push an instruction to the core's own thread. The word may be computed. */
static inline void tf_tt_push(uint32_t word)
{
    TF_WORD(TF_INSTRN_BUF_BASE) = word;
}

/* T0..T2: an instruction in the core's own code, with constant operands. Up to four adjacent ones enter the FIFO
   together. op: NAME(operands) of TT_OP_NAME. */
#define TF_TT(op) TF_TTINSN(TT_OP_##op)

/* T0..T2: wait until the thread has executed all pushed instructions and its units are idle. Later loads of L1 see what
   they wrote there. Before a load right after it, call tf_settle(TF_DONE_CHECK) on Wormhole: no fence orders them. */
static inline void tf_tt_wait_idle(void)
{
    TF_WORD(TF_DONE_CHECK) = 0;
    (void)TF_WORD(TF_DONE_CHECK);
    tf_fence();
}

/* T0..T2: wait until no MOP is being expanded. Then the configuration of the MOP expander may change. */
static inline void tf_tt_wait_mop(void)
{
    TF_WORD(TF_MOP_DONE_CHECK) = 0;
    (void)TF_WORD(TF_MOP_DONE_CHECK);
    tf_fence();
}

/* ---- Waiting: bits of block masks and of STALLWAIT's conditions ---- */

enum tf_tt_block {
    TF_TT_BLOCK_TDMA = 1 << 0, /* miscellaneous, mover, scalar, pack, unpack */
    TF_TT_BLOCK_SYNC = 1 << 1,
    TF_TT_BLOCK_PACK = 1 << 2,
    TF_TT_BLOCK_UNPACK = 1 << 3,
    TF_TT_BLOCK_MOVER = 1 << 4,
    TF_TT_BLOCK_SCALAR = 1 << 5,
    TF_TT_BLOCK_MATRIX = 1 << 6,
    TF_TT_BLOCK_CONFIG = 1 << 7,
    TF_TT_BLOCK_VECTOR = 1 << 8,
    TF_TT_BLOCK_ALL = 0x1FF,
};

/* Stall the instructions of a block mask until the conditions hold (enum tf_tt_condition). */
#if TF_TT_CONDITION_BITS > 13
#define TT_STALLWAIT(block, conditions) (0xA2000000u | (uint32_t)(block) << 15 | (uint32_t)(conditions))
#else
#define TT_STALLWAIT(block, conditions) TT_OP_STALLWAIT(block, conditions)
#endif

/* Stall the instructions of a block mask while one of the semaphores of a mask is 0, or is at its maximum. */
#define TT_SEMWAIT_NONZERO(block, semaphores) TT_OP_SEMWAIT(block, semaphores, 1)
#define TT_SEMWAIT_NOT_FULL(block, semaphores) TT_OP_SEMWAIT(block, semaphores, 2)

/* ---- T0..T2: semaphores of the sync unit, 0..7. Instructions name them by masks, these functions by index ---- */

#define TF_TT_SEMAPHORE(index) (TF_SEMAPHORE_BASE + (index)*4u)

/* Returns the value of a semaphore, 0..15. */
static inline uint32_t tf_tt_sem_read(unsigned index)
{
    return TF_WORD(TF_TT_SEMAPHORE(index));
}

/* Add 1 to a semaphore, unless it is 15. It may rise before earlier stores to L1 arrive: call tf_settle() first. */
static inline void tf_tt_sem_post(unsigned index)
{
    tf_fence();
    TF_WORD(TF_TT_SEMAPHORE(index)) = 0;
}

/* Take 1 from a semaphore, unless it is 0. */
static inline void tf_tt_sem_get(unsigned index)
{
    tf_fence();
    TF_WORD(TF_TT_SEMAPHORE(index)) = 1;
}

/* ---- GPRs: T0..T2 access the 64 of their own thread, B those of all three threads ---- */

#if TF_CORE == 0
#define TF_TT_GPR(thread, index) TF_WORD(TF_GPR_BASE + ((thread)*64u + (index)) * 4u)
#else
#define TF_TT_GPR(index) TF_WORD(TF_GPR_BASE + (index)*4u)
#endif

/* Load a constant into a GPR by two instructions: bits 15:0, and bits 31:16. index: 0..63. */
#define TT_SET_GPR_LOW(index, value) TT_OP_SETDMAREG((value) >> 14 & 3, (value)&0x3FFF, 0, (index)*2)
#define TT_SET_GPR_HIGH(index, value) TT_OP_SETDMAREG((value) >> 30 & 3, (value) >> 16 & 0x3FFF, 0, (index)*2 + 1)

/* ---- Configuration ---- */

/* A word of Config. bank: 0 or 1; a store to bank 2 changes both. word: TT_CFG_NAME_WORD of tilefarm_tensix_ops.h. */
#define TF_TT_CFG(bank, word) TF_WORD(TF_CFG_BASE + ((bank)*TT_CFG_WORDS + (word)) * 4u)

/* Write or read a field of Config by its name. A write loads the word, and stores it with the new field. */
#define TF_TT_CFG_SET(bank, name, value)                                                                       \
    (TF_TT_CFG(bank, TT_CFG_##name##_WORD) = (TF_TT_CFG(bank, TT_CFG_##name##_WORD) & ~TT_CFG_##name##_MASK) | \
                                             ((uint32_t)(value) << TT_CFG_##name##_SHIFT & TT_CFG_##name##_MASK))
#define TF_TT_CFG_GET(bank, name) \
    ((TF_TT_CFG(bank, TT_CFG_##name##_WORD) & TT_CFG_##name##_MASK) >> TT_CFG_##name##_SHIFT)

/* Write a field of ThreadConfig. All other fields of its word become 0. */
#define TT_SETC16_FIELD(name, value) \
    TT_OP_SETC16(TT_THREAD_CFG_##name##_WORD, (uint32_t)(value) << TT_THREAD_CFG_##name##_SHIFT)

/* ---- T0..T2: MOP expander ---- */

#define TT_NOP TT_OP_NOP

/* Set the nine words of configuration, when no MOP is being expanded. */
static inline void tf_tt_mop_config(const uint32_t config[9])
{
    tf_tt_wait_mop();
    for (unsigned i = 0; i < 9; i++)
        TF_WORD(TF_MOP_CFG_BASE + i * 4) = config[i];
}

/*
 * Template 1: outer times { start, inner times { loop_0, loop_1 }, end_0, end_1 }. outer, inner: 0..127. start, loop_1,
 * end_0, end_1: TT_NOP for none; without end_0 there is no end_1. The last instruction of the inner loop is loop_0_last
 * in the last round of the outer loop, and loop_1_last in the others.
 */
struct tf_tt_mop_loop {
    uint32_t outer, inner, start, end_0, end_1, loop_0, loop_1, loop_0_last, loop_1_last;
};

/* Configure template 1, when no MOP is being expanded. TT_MOP_LOOP runs it. */
static inline void tf_tt_mop_loop(const struct tf_tt_mop_loop *mop)
{
    const uint32_t config[9] = {mop->outer,  mop->inner,  mop->start,       mop->end_0,      mop->end_1,
                                mop->loop_0, mop->loop_1, mop->loop_0_last, mop->loop_1_last};
    tf_tt_mop_config(config);
}

/*
 * Template 0, for each bit of a mask. If the bit is clear: a0, with has_a123 also a1, a2, a3, and with has_b also b. If
 * the bit is set: skip_a, and with has_b also skip_b. has_b, has_a123: 0 or 1.
 */
struct tf_tt_mop_list {
    uint32_t has_b, has_a123, b, a0, a1, a2, a3, skip_a, skip_b;
};

/* Configure template 0, when no MOP is being expanded. TT_MOP_LIST runs it. */
static inline void tf_tt_mop_list(const struct tf_tt_mop_list *mop)
{
    const uint32_t config[9] = {
        0, mop->has_b | mop->has_a123 << 1, mop->b, mop->a0, mop->a1, mop->a2, mop->a3, mop->skip_a, mop->skip_b};
    tf_tt_mop_config(config);
}

#define TT_MOP_LOOP TT_OP_MOP(1, 0, 0)

/* Run template 0 over `count` bits of a mask, 1..128. mask_low: bits 15:0. The last TT_OP_MOP_CFG sets bits 31:16. */
#define TT_MOP_LIST(count, mask_low) TT_OP_MOP(0, (count)-1, mask_low)

/* ---- Replay expander: 32 entries. first: 0..31. count: 1..32 instructions ---- */

/* Record the next `count` instructions, without and with executing them; execute recorded ones. */
#define TT_RECORD(first, count) TT_OP_REPLAY(first, count, 0, 1)
#define TT_RECORD_AND_RUN(first, count) TT_OP_REPLAY(first, count, 1, 1)
#define TT_REPLAY(first, count) TT_OP_REPLAY(first, count, 0, 0)

#endif
