/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of T cores that push instructions of the coprocessor, and read the clock around blocks of them. */
#ifndef TIMING_PUSHES_H
#define TIMING_PUSHES_H

#include "stress/rv_emit.h"
#include "tilefarm/tilefarm_chip.h"
#include "tilefarm_address.h"

enum {
    WORDS_MAX = 2048,
    POINTS_MAX = 8,
    CODE = 0x4000,      /* of thread t at t times this */
    RESULTS = 0x100000, /* in L1: of thread t, 256 bytes each; before them the list of n */
};

/* Registers of the programs. */
enum { N = 10, T0, T1, AT_RESULT, AT_LIST, AT_END, AT_CLOCK, AT_PC, AT, VALUE, DIVISOR };

static inline void push(struct code *code, uint32_t word)
{
    put(code, word << 2 | word >> 30);
}

static inline void configure(struct code *code, unsigned word, uint32_t value)
{
    li(code, AT, TF_CFG_BASE + 4 * word);
    li(code, VALUE, value);
    put(code, rv_s(SW, VALUE, AT, 0));
}

/* Wait until the thread has passed all instructions. */
static inline void put_drain(struct code *code)
{
    put(code, rv_s(SW, 0, AT_PC, 4));
    put(code, rv_i(LW, T1, AT_PC, 4));
    put(code, rv_r(ADD, T1, T1, 0));
}

/* The points, one after another: `block` runs n times between two readings of the clock. */
static inline void put_points(struct code *code, unsigned thread, unsigned points, const uint32_t *block,
                              unsigned count)
{
    li(code, AT_CLOCK, TF_DEBUG_BASE + TF_DEBUG_CLOCK_L);
    li(code, AT_PC, TF_PC_BUF_OF(0));
    li(code, AT_LIST, RESULTS);
    li(code, AT_RESULT, RESULTS + 256 * (thread + 1));
    li(code, AT_END, RESULTS + 4 * points);
    unsigned next = code->count;
    put(code, rv_i(LW, N, AT_LIST, 0));
    put_drain(code);
    put(code, rv_r(ADD, N, N, 0));
    put(code, rv_i(LW, T0, AT_CLOCK, 0));
    put(code, rv_r(ADD, T0, T0, 0));
    unsigned begin = code->count;
    for (unsigned i = 0; i < count; i++)
        push(code, block[i]);
    put(code, rv_i(ADDI, N, N, 0xFFF));
    branch_to(code, BNE, N, 0, begin);
    put(code, rv_i(LW, T1, AT_CLOCK, 0));
    put(code, rv_r(SUB, T1, T1, T0));
    put(code, rv_s(SW, T1, AT_RESULT, 0));
    put(code, rv_i(ADDI, AT_RESULT, AT_RESULT, 4));
    put(code, rv_i(ADDI, AT_LIST, AT_LIST, 4));
    branch_to(code, BNE, AT_LIST, AT_END, next);
}

/* The core stays there. */
static inline void put_end(struct code *code)
{
    jump_to(code, 0, code->count);
}

/* Load a program, and start the core of a thread with it. Returns false after an error. */
static inline bool start(struct tf_chip *on, struct tf_coord tile, unsigned thread, const struct code *code)
{
    const enum tf_core core = (enum tf_core)(TF_CORE_T0 + thread);
    return code->count < code->capacity && tf_write(on, tile, CODE * thread, code->word, code->count * 4) == TF_OK &&
           tf_core_set_pc(on, 0, core, CODE * thread) == TF_OK && tf_core_start(on, 0, core) == TF_OK;
}

#endif
