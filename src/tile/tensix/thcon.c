/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on GPRs, and the cores' window to them. Memory is in thmem.c. */
#include "tile/tensix/thcon.h"

#include "tile/tensix/isa.h"
#include "tile/tensix/state.h"

#define REGFILE_BASE 0xFFE00000u

/* The operands of an instruction that combines two values into a third. */
struct operands {
    uint32_t *result;
    uint32_t left, right;
};

#define OPERANDS(tile, thread, word, op)                                                                     \
    operands((tile), (thread), TF_FIELD(word, op, op_b_is_const), TF_FIELD(word, op, result_reg_index),       \
             TF_FIELD(word, op, op_b_reg_index), TF_FIELD(word, op, op_a_reg_index))

static struct operands operands(struct tf_tile *tile, unsigned thread, bool constant, unsigned result, unsigned b,
                                unsigned a)
{
    uint32_t *gpr = tile->tensix->thcon.gpr[thread];
    return (struct operands){.result = &gpr[result], .left = gpr[a], .right = constant ? b : gpr[b]};
}

void tf_exec_ADDDMAREG(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct operands o = OPERANDS(tile, thread, word, ADDDMAREG);
    *o.result = o.left + o.right;
}

void tf_exec_SUBDMAREG(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct operands o = OPERANDS(tile, thread, word, SUBDMAREG);
    *o.result = o.left - o.right;
}

void tf_exec_MULDMAREG(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct operands o = OPERANDS(tile, thread, word, MULDMAREG);
    *o.result = (o.left & 0xFFFF) * (o.right & 0xFFFF);
}

static void no_such_mode(struct tf_tile *tile, unsigned thread, uint32_t mode)
{
    tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "mode %u does not exist", mode);
}

void tf_exec_BITWOPDMAREG(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct operands o = OPERANDS(tile, thread, word, BITWOPDMAREG);
    uint32_t mode = TF_FIELD(word, BITWOPDMAREG, op_sel);
    switch (mode) {
    case 0: *o.result = o.left & o.right; break;
    case 1: *o.result = o.left | o.right; break;
    case 2: *o.result = o.left ^ o.right; break;
    default: no_such_mode(tile, thread, mode);
    }
}

void tf_exec_SHIFTDMAREG(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct operands o = OPERANDS(tile, thread, word, SHIFTDMAREG);
    uint32_t mode = TF_FIELD(word, SHIFTDMAREG, op_sel);
    switch (mode) {
    case 0: *o.result = o.left << (o.right & 31); break;
    case 1: *o.result = o.left >> (o.right & 31); break;
    default: no_such_mode(tile, thread, mode);
    }
}

void tf_exec_CMPDMAREG(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct operands o = OPERANDS(tile, thread, word, CMPDMAREG);
    uint32_t mode = TF_FIELD(word, CMPDMAREG, op_sel);
    switch (mode) {
    case 0: *o.result = o.left > o.right; break;
    case 1: *o.result = o.left < o.right; break;
    case 2: *o.result = o.left == o.right; break;
    default: no_such_mode(tile, thread, mode);
    }
}

void tf_exec_SETDMAREG(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    if (TF_FIELD(word, SETDMAREG, set_signals_mode)) {
        tf_exec_SETDMAREG_special(tile, thread, word);
        return;
    }
    uint32_t value = word >> 8 & 0xFFFF;
    uint32_t half = TF_FIELD(word, SETDMAREG, reg_index_16b);
    uint32_t *gpr = &tile->tensix->thcon.gpr[thread][half >> 1];
    *gpr = half & 1 ? (*gpr & 0xFFFF) | value << 16 : (*gpr & 0xFFFF0000u) | value;
}

void tf_exec_DMANOP(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    (void)tile, (void)thread, (void)word;
}

/* The gate has waited for its conditions. */
void tf_exec_FLUSHDMA(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    (void)tile, (void)thread, (void)word;
}

/* B sees all three threads' GPRs one after another, a T core its own. NULL: beyond them. */
static uint32_t *gpr_at(struct tf_tile *tile, unsigned from, uint32_t address)
{
    uint32_t index = (address - REGFILE_BASE) / 4;
    if (from == TF_CORE_B)
        return index < 3 * TF_GPRS ? &tile->tensix->thcon.gpr[index / TF_GPRS][index % TF_GPRS] : NULL;
    if (from < TF_CORE_T0 || from > TF_CORE_T2 || index >= TF_GPRS)
        return NULL;
    return &tile->tensix->thcon.gpr[from - TF_CORE_T0][index];
}

static enum tf_access no_gpr(struct tf_tile *tile, unsigned from, uint32_t address)
{
    tf_tile_fault(tile, from, TF_FAULT_UNDEFINED, 0, address, "there is no Tensix GPR at 0x%08x for this core",
                  address);
    return TF_ACCESS_FAULT;
}

enum tf_access tf_gpr_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    const uint32_t *gpr = gpr_at(tile, from, address);
    if (gpr == NULL)
        return no_gpr(tile, from, address);
    *value = *gpr;
    *pure = true;
    return TF_ACCESS_OK;
}

enum tf_access tf_gpr_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    uint32_t *gpr = gpr_at(tile, from, address);
    if (gpr == NULL)
        return no_gpr(tile, from, address);
    *gpr = value;
    return TF_ACCESS_OK;
}
