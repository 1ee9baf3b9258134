/* SPDX-License-Identifier: Apache-2.0 */
/* A vector instruction that is being executed. Only for the files of this folder. */
#ifndef TILE_RISCV_VECTOR_VEC_H
#define TILE_RISCV_VECTOR_VEC_H

#include <stdbool.h>
#include <string.h>

#include "tile/riscv/hart/step.h"
#include "tile/riscv/isa/v.h"
#include "tile/riscv/isa/vfind.h"
#include "tile/state.h"

struct tf_vec {
    struct tf_tile *tile;
    struct tf_hart *hart;
    const struct tf_v_info *info;
    unsigned id;      /* enum tf_v_id */
    uint32_t word;    /* of the instruction */
    unsigned sew;     /* in bits */
    unsigned eighths; /* LMUL times 8 */
    uint32_t vl;
    unsigned vd, vs1, vs2;
    bool masked;
    unsigned vxrm;
    bool saturated;                /* to be or-ed into vxsat */
    uint32_t fflags;               /* to be or-ed into fcsr */
    uint8_t from[TF_V_FILE_BYTES]; /* the registers before the instruction */
};

/* Registers of a group, at least 1. */
static inline unsigned tf_vec_registers(const struct tf_vec *vec, unsigned bits)
{
    unsigned eighths = bits == 1 ? 8 : bits * vec->eighths / vec->sew;
    return eighths <= 8 ? 1 : eighths / 8;
}

static inline uint32_t tf_vec_vlmax(const struct tf_vec *vec)
{
    return TF_V_BYTES * vec->eighths / vec->sew;
}

/* Elements and mask bits; hosts are little-endian. */
static inline uint64_t tf_v_get(const uint8_t *registers, unsigned reg, unsigned bits, unsigned index)
{
    uint64_t value = 0;
    memcpy(&value, registers + reg * TF_V_BYTES + index * bits / 8, bits / 8);
    return value;
}

static inline int64_t tf_v_extend(uint64_t value, unsigned bits)
{
    return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static inline void tf_v_set(uint8_t *registers, unsigned reg, unsigned bits, unsigned index, uint64_t value)
{
    memcpy(registers + reg * TF_V_BYTES + index * bits / 8, &value, bits / 8);
}

static inline bool tf_v_bit(const uint8_t *registers, unsigned reg, unsigned index)
{
    return registers[reg * TF_V_BYTES + index / 8] >> index % 8 & 1;
}

static inline void tf_v_set_bit(uint8_t *registers, unsigned reg, unsigned index, bool value)
{
    uint8_t *byte = &registers[reg * TF_V_BYTES + index / 8];
    *byte = (uint8_t)((*byte & ~(1u << index % 8)) | (unsigned)value << index % 8);
}

static inline bool tf_vec_active(const struct tf_vec *vec, unsigned index)
{
    return !vec->masked || tf_v_bit(vec->from, 0, index);
}

#endif
