/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction set of the Tensix coprocessor as tables, made from tensix.def. */
#ifndef TILE_TENSIX_ISA_ISA_H
#define TILE_TENSIX_ISA_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilefarm_address.h"

#define TF_TENSIX_OPERANDS 0x00FFFFFFu /* an instruction without its opcode */

/* Execution units (TensixCoprocessor/README.md, "Backend"). */
enum tf_tensix_unit {
    TF_UNIT_FRONTEND, /* MOP, MOP_CFG, REPLAY, RESOURCEDECL, NOP */
    TF_UNIT_SYNC,
    TF_UNIT_UNPACK,
    TF_UNIT_MATRIX,
    TF_UNIT_PACK,
    TF_UNIT_VECTOR,
    TF_UNIT_SCALAR,
    TF_UNIT_CONFIG,
    TF_UNIT_MOVER,
    TF_UNIT_MISC,
    TF_UNITS,
};

/* Bits of a block mask (STALLWAIT.md). */
enum tf_tensix_block {
    TF_BLOCK_B0 = 1 << 0, /* miscellaneous, mover, scalar, pack, unpack */
    TF_BLOCK_B1 = 1 << 1, /* sync */
    TF_BLOCK_B2 = 1 << 2, /* pack */
    TF_BLOCK_B3 = 1 << 3, /* unpack */
    TF_BLOCK_B4 = 1 << 4, /* mover */
    TF_BLOCK_B5 = 1 << 5, /* scalar */
    TF_BLOCK_B6 = 1 << 6, /* matrix */
    TF_BLOCK_B7 = 1 << 7, /* configuration */
    TF_BLOCK_B8 = 1 << 8, /* vector */
    TF_BLOCK_ALL = 0x1FF,
};

enum tf_tensix_flag {
    TF_TENSIX_SRCA = 1 << 0,     /* waits for the matrix unit's bank of SrcA */
    TF_TENSIX_SRCB = 1 << 1,     /* waits for the matrix unit's bank of SrcB */
    TF_TENSIX_WAITS = 1 << 2,    /* has a condition of its own (mutexes, memory, FLUSHDMA) */
    TF_TENSIX_MEMORY = 1 << 3,   /* its memory request may outlast it (ScalarUnit.md) */
    TF_TENSIX_REGISTER = 1 << 4, /* may store to a register in the cores' address space */
};

/* Classes of Auto TTSync. RESOURCEDECL says by number which resources a class uses. */
enum tf_sync_class {
    TF_SYNC_GPRS, /* arithmetic on GPRs */
    TF_SYNC_ATOMIC,
    TF_SYNC_FLOP,
    TF_SYNC_INDIRECT, /* loads and stores of L1 */
    TF_SYNC_SHIFT_CFG,
    TF_SYNC_STORE_REG,
    TF_SYNC_LOAD_REG,
    TF_SYNC_FLUSH,
    TF_SYNC_WRITE_CFG,
    TF_SYNC_READ_CFG,
    TF_SYNC_MOVE,
    TF_SYNC_UNPACK,
    TF_SYNC_PACK,
    TF_SYNC_MOP,
    TF_SYNC_REPLAY,
    TF_SYNC_OTHER,
    TF_SYNC_NONE = 0xFF, /* uses no resource */
};

struct tf_tensix_field {
    const char *name;
    uint8_t first, width;
};

struct tf_tensix_op {
    const char *mnemonic;
    const struct tf_tensix_field *field; /* `fields` of them, ascending */
    uint32_t reserved;                   /* bits 23:0 that belong to no field */
    uint16_t block;                      /* enum tf_tensix_block */
    uint8_t opcode;
    uint8_t fields;
    uint8_t unit;       /* enum tf_tensix_unit */
    uint8_t sync_class; /* enum tf_sync_class */
    uint8_t flags;      /* enum tf_tensix_flag */
};

/* TF_OP_SEMWAIT = 0xA6 and so on; TF_FIELD_SEMWAIT_sem_sel = first bit | width << 8. */
enum tf_tensix_opcode {
#define F(op, name, first, width)
#define OP(name, opcode, unit, block, sync_class, flags, fields) TF_OP_##name = opcode,
#include "tile/tensix/isa/tensix.def"
#undef OP
#undef F
};

/* Their number. */
enum {
#define F(op, name, first, width)
#define OP(name, opcode, unit, block, sync_class, flags, fields) +1
    TF_TENSIX_OPS = 0
#include "tile/tensix/isa/tensix.def"
#undef OP
#undef F
};

enum tf_tensix_layout {
#define F(op, name, first, width) TF_FIELD_##op##_##name = (first) | (width) << 8,
#define OP(name, opcode, unit, block, sync_class, flags, fields) fields
#include "tile/tensix/isa/tensix.def"
#undef OP
#undef F
};

/* A field of an instruction word: TF_FIELD(word, SEMWAIT, sem_sel). */
#define TF_FIELD(word, op, name) tf_tensix_bits(word, TF_FIELD_##op##_##name & 0xFF, TF_FIELD_##op##_##name >> 8)

static inline uint32_t tf_tensix_bits(uint32_t word, unsigned first, unsigned width)
{
    return word >> first & ((1u << width) - 1);
}

/* By opcode; entries of unknown opcodes have no mnemonic and reserve every bit. */
extern const struct tf_tensix_op tf_tensix_ops[256];

/* NULL for an unknown opcode. */
const struct tf_tensix_op *tf_tensix_op(uint8_t opcode);

/* The opcode exists, and no reserved bit is set. */
static inline bool tf_tensix_valid(uint32_t word)
{
    return tf_tensix_ops[word >> 24].mnemonic != NULL && (word & tf_tensix_ops[word >> 24].reserved) == 0;
}

/* Does a STOREIND store to SrcA or SrcB? */
static inline bool tf_storeind_to_src(uint32_t word)
{
    return !TF_FIELD(word, STOREIND, mem_hier_sel) && !TF_FIELD(word, STOREIND, size_sel);
}

/* May an instruction of this opcode stall on a condition of its own? */
static inline bool tf_tensix_may_wait(const struct tf_tensix_op *op, uint32_t word)
{
    return (op->flags & TF_TENSIX_WAITS) != 0 && (op->opcode != TF_OP_STOREIND || tf_storeind_to_src(word));
}

/* May the instruction store to a debug register? Such a store may push instructions of other threads, or reset units.
   The address of a STOREIND is in a GPR. */
static inline bool tf_tensix_may_store_debug(uint32_t word)
{
    if (word >> 24 == TF_OP_STOREIND)
        return !TF_FIELD(word, STOREIND, mem_hier_sel);
    return word >> 24 == TF_OP_STOREREG &&
           TF_FIELD(word, STOREREG, reg_addr) >> 10 == (TF_DEBUG_BASE - TF_REGISTERS_BASE) >> 12;
}

/* May the instruction stall in the scalar unit, and so keep others out of it (ScalarUnit.md)? Other threads must not
   run ahead of it. Nor may they run ahead of a store to a debug register. */
static inline bool tf_tensix_may_occupy(uint32_t word)
{
    const struct tf_tensix_op *op = &tf_tensix_ops[word >> 24];
    return op->unit == TF_UNIT_SCALAR && (tf_tensix_may_wait(op, word) || tf_tensix_may_store_debug(word));
}

/* A name for an execution unit. */
const char *tf_tensix_unit_name(unsigned unit);

/*
 * The kind of an instruction. The frontend decodes it once and keeps it with the word. It has a range for each unit
 * that executes batches. A unit numbers its own kinds from 0 (kind.h). Saved chips hold these numbers.
 */
enum tf_kind {
    TF_KIND_UNKNOWN,   /* not decoded yet */
    TF_KIND_UNBATCHED, /* not executed in batches: a MOP, a REPLAY, or it may occupy the scalar unit */
    TF_KIND_OTHER,     /* any other that is not executed in batches, or that faults */
    TF_KIND_VECTOR,    /* the first of the vector unit */
    TF_KIND_MATRIX = TF_KIND_VECTOR + 15, /* an MVMUL that the matrix unit executes in batches */
    TF_KIND_SCALAR = TF_KIND_VECTOR + 16, /* the first of the scalar unit */
};

#endif
