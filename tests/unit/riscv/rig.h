/* SPDX-License-Identifier: Apache-2.0 */
/* Harts without the rest of the chip: a tile whose registers are a fake device, and a small assembler. */
#ifndef TESTS_RISCV_RIG_H
#define TESTS_RISCV_RIG_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include <cmocka.h>

#include "random.h"
#include "tile/riscv/code/code.h"
#include "tile/riscv/control/control.h"
#include "tile/riscv/hart.h"
#include "tile/riscv/hart/observed.h"
#include "tile/riscv/hart/stop.h"
#include "tile/run/tile.h"

#define RIG_CODE 0x4000u
#define RIG_DATA 0x8000u

/*
 * The device, where the tile has no port of a test's own. PURE: words that loads may watch. POP: each load gives the
 * next number. GATE: blocks until opened.
 */
#define RIG_PURE 0xFFB20000u
#define RIG_PURE_WORDS 32u
#define RIG_POP 0xFFB30000u
#define RIG_GATE 0xFFB40000u
#define RIG_CORE_RESET 0xFFB50000u   /* a store of n puts core n into reset */
#define RIG_CORE_RELEASE 0xFFB50004u /* a store of n << 20 | pc lets core n go at pc */
#define RIG_COPY 0xFFB60000u         /* a store of n copies 1 KiB in L1 from RIG_COPIED to n, as a mover would */
#define RIG_COPIED 0x21000u
#define RIG_LOCAL 0xFFB00000u

/* Less than the chip's, which would cost more to make and to compare than all that these tests run. */
#define RIG_L1_BYTES 0x22000u

struct rig_device {
    uint32_t pure[RIG_PURE_WORDS];
    uint32_t popped;
    uint32_t gate;   /* accesses that are let through */
    uint32_t stored; /* last store through the gate */
    uint32_t pushed; /* Tensix words */
    uint32_t last_push;
    bool free_pushes; /* T cores may push before others reach their cycle */
    uint64_t last_cycle;
    uint32_t loads;                                         /* all loads of registers */
    uint32_t load_stores, load_stores_at, load_stores_word; /* the load of this number lets a word be stored in L1 */
    bool interrupt;                                         /* for core B */
    uint32_t interrupt_pc;
    int taken;
    uint32_t retired; /* by watched harts */
    struct tf_retired last_retired;
    uint32_t pause_behind;       /* a watched hart pauses after the instruction here */
    uint32_t coprocessor_stores; /* 1 to this address, once, in its next turn */
};

struct rig {
    struct tf_code_cache *cache;
    bool own_cache;
    struct tf_tile tile;
    struct rig_device device;
};

/* A tile with one hart's code at `pc` of L1; all cores in reset. Cache: NULL for one of its own. */
struct rig *rig_new(struct tf_code_cache *cache, bool parking);
void rig_free(struct rig *rig);
void rig_put(struct rig *rig, uint32_t address, const uint32_t *words, size_t count);
/* The port of the tile if a test gives it one: 0xFFB20000 to 0xFFB3FFFF are NIUs. */
extern const struct tf_tile_arch rig_arch_with_port;

/* A core's program, at RIG_CODE, and the core out of reset: x3, x4 and x7 are RIG_LOCAL, RIG_PURE and RIG_DATA. */
struct tf_hart *rig_start(struct rig *rig, unsigned core, const uint32_t *words, size_t count);
/* A core's turn up to the deadline, and what the order of the tile leaves for after the turns. */
void rig_turn(struct rig *rig, struct tf_hart *hart, uint64_t deadline);
/* Before a turn: nothing that the hart waits for is looked for in this turn. It is executed, as if it did not wait. */
void rig_keep_running(struct tf_hart *hart);
uint32_t rig_word(const struct rig *rig, uint32_t address);
void rig_set(struct rig *rig, uint32_t address, uint32_t value);
uint64_t rig_hash(struct rig *rig);

/* Often a corner of the 32-bit range. */
uint32_t rig_operand(uint64_t *random);

static inline uint32_t rig_r(uint32_t f7, uint32_t f3, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return f7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | 0x33;
}

static inline uint32_t rig_i(uint32_t opcode, uint32_t f3, uint32_t rd, uint32_t rs1, int32_t imm)
{
    return ((uint32_t)imm & 0xfff) << 20 | rs1 << 15 | f3 << 12 | rd << 7 | opcode;
}

static inline uint32_t rig_s(uint32_t f3, uint32_t rs2, uint32_t rs1, int32_t imm)
{
    uint32_t i = (uint32_t)imm;
    return (i >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | (i & 31) << 7 | 0x23;
}

static inline uint32_t rig_b(uint32_t f3, uint32_t rs1, uint32_t rs2, int32_t imm)
{
    uint32_t i = (uint32_t)imm;
    return (i >> 12 & 1) << 31 | (i >> 5 & 63) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | (i >> 1 & 15) << 8 |
           (i >> 11 & 1) << 7 | 0x63;
}

static inline uint32_t rig_j(uint32_t rd, int32_t imm)
{
    uint32_t i = (uint32_t)imm;
    return (i >> 20 & 1) << 31 | (i >> 1 & 0x3ff) << 21 | (i >> 11 & 1) << 20 | (i >> 12 & 0xff) << 12 | rd << 7 | 0x6f;
}

static inline uint32_t rig_u(uint32_t opcode, uint32_t rd, uint32_t high)
{
    return high << 12 | rd << 7 | opcode;
}

static inline uint32_t rig_amo(uint32_t f5, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return f5 << 27 | rs2 << 20 | rs1 << 15 | 2 << 12 | rd << 7 | 0x2f;
}

#define ADDI(rd, rs1, imm) rig_i(0x13, 0, rd, rs1, imm)
#define ADD(rd, rs1, rs2) rig_r(0, 0, rd, rs1, rs2)
#define ANDI(rd, rs1, imm) rig_i(0x13, 7, rd, rs1, imm)
#define LW(rd, rs1, imm) rig_i(0x03, 2, rd, rs1, imm)
#define LBU(rd, rs1, imm) rig_i(0x03, 4, rd, rs1, imm)
#define LHU(rd, rs1, imm) rig_i(0x03, 5, rd, rs1, imm)
#define SW(rs2, rs1, imm) rig_s(2, rs2, rs1, imm)
#define SB(rs2, rs1, imm) rig_s(0, rs2, rs1, imm)
#define BEQ(rs1, rs2, imm) rig_b(0, rs1, rs2, imm)
#define BNE(rs1, rs2, imm) rig_b(1, rs1, rs2, imm)
#define BLTU(rs1, rs2, imm) rig_b(6, rs1, rs2, imm)
#define JAL(rd, imm) rig_j(rd, imm)
#define JALR(rd, rs1, imm) rig_i(0x67, 0, rd, rs1, imm)
#define LUI(rd, high) rig_u(0x37, rd, high)
#define AUIPC(rd, high) rig_u(0x17, rd, high)
#define CSRR(rd, csr) rig_i(0x73, 2, rd, 0, csr)
#define FENCE 0x0ff0000fu
#define EBREAK 0x00100073u
#define ECALL 0x00000073u
#define MRET 0x30200073u

#endif
