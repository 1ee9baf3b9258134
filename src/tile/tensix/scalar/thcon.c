/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on GPRs (alu.h), and the cores' window to them. Memory is in thmem.c. */
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/tensix/scalar/thcon.h"

#include "tile/riscv/hart/stop.h"
#include "tilefarm_address.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/pack/packers.h"
#include "tile/tensix/scalar/alu.h"
#include "tile/tensix/thcon.h"
#include "tile/tensix/state.h"

static void combine(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    if (!tf_thcon_alu(tile->tensix->thcon->gpr[thread], word))
        tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "mode %u does not exist",
                        TF_FIELD(word, BITWOPDMAREG, op_sel));
}

#define X(op, first, count)                                                 \
    void tf_exec_##op(struct tf_tile *tile, unsigned thread, uint32_t word) \
    {                                                                       \
        combine(tile, thread, word);                                        \
    }
TF_THCON_PAIR_OPS(X)
#undef X

void tf_exec_SETDMAREG(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    if (!tf_thcon_alu(tile->tensix->thcon->gpr[thread], word))
        tf_exec_SETDMAREG_special(tile, thread, word);
}

void tf_exec_DMANOP(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    (void)tile, (void)thread, (void)word;
}

bool tf_stalls_FLUSHDMA(const struct tf_tile *tile, unsigned thread, uint32_t word)
{
    uint32_t conditions = TF_FIELD(word, FLUSHDMA, flush_spec);
    return tf_gate_waits(tile, thread, conditions != 0 ? conditions : TF_CONDITION_DEFAULT,
                         tile->tensix->thread[thread].cycle);
}

/* The gate has already waited for these conditions. */
void tf_exec_FLUSHDMA(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    (void)tile, (void)thread, (void)word;
}

/* B reaches the GPRs of T0, T1 and T2, in this order. A T core reaches its own. Returns NULL if there is no such
   GPR. */
static uint32_t *gpr_at(struct tf_tile *tile, unsigned from, uint32_t address)
{
    uint32_t index = (address - TF_GPR_BASE) / 4;
    if (from == TF_CORE_B)
        return index < 3 * TF_GPRS ? &tile->tensix->thcon->gpr[index / TF_GPRS][index % TF_GPRS] : NULL;
    if (from < TF_CORE_T0 || from > TF_CORE_T2 || index >= TF_GPRS)
        return NULL;
    return &tile->tensix->thcon->gpr[from - TF_CORE_T0][index];
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
