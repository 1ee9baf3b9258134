/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/explore/cores/cores.h"
#include "tile/explore/cores/loads.h"
#include "tile/riscv/exec/exec.h"

#include "host/assert.h"
#include "host/mutant.h"
#include "tile/check.h"
#include "tile/mmio/map/map.h"
#include "tile/mmio/push.h"
#include "tile/riscv/isa/alu.h"
#include "tile/riscv/code/code.h"
#include "tile/riscv/exec/hosted.h"
#include "tile/riscv/hart/csr.h"
#include "tile/riscv/hart/csr_words.h"
#include "tile/riscv/hart/memory.h"
#include "tile/riscv/code/page.h"
#include "tile/order/register.h"
#include "tile/riscv/hart/stop.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tile/riscv/vector/vexec.h"
#include "tile/tensix/isa/isa.h"
#include "tile/state.h"

/* Is an address aligned to the size of the access? If not, record a fault, since Blackhole's pages do not describe
   misaligned accesses. */
static bool aligned(struct tf_tile *tile, struct tf_hart *hart, uint32_t word, uint32_t address, unsigned size)
{
    if ((address & (size - 1)) == 0)
        return true;
    tile->cycle = hart->cycle;
    tf_tile_fault(tile, hart->core, TF_FAULT_UNDEFINED, word, address, "misaligned access of %u bytes", size);
    return false;
}

/* Does the core round the address down? WormholeB0/TensixTile/BabyRISCV/README.md, "Faults / exceptions". */
static bool rounds(struct tf_tile *tile, struct tf_hart *hart, uint32_t word, uint32_t *address, unsigned size)
{
    if (!tile->mode.as_silicon || !tile->arch->rounds_addresses)
        return false;
    tile->cycle = hart->cycle;
    tf_tile_hazard(tile, hart->core, TF_FAULT_UNDEFINED, word, *address, "misaligned access of %u bytes", size);
    *address &= ~(size - 1);
    return true;
}

/* Claim an access of `bytes` bytes to memory (order/order.h). Returns false if the core must stop before the access. */
static bool claims(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, unsigned bytes, bool store)
{
    struct tf_span span = {address, address + bytes - 1};
    return tf_order_claim_memory(tile, hart, span, store) == TF_ACCESS_OK;
}

enum tf_step tf_exec_load(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn, uint32_t address,
                          uint32_t *value, bool *pure)
{
    unsigned size = tf_exec_size(insn);
    uint8_t *data;
    *pure = true;
    if (!claims(tile, hart, address, size, false))
        return TF_STEP_STOP;
    if ((address & (size - 1)) != 0 && !rounds(tile, hart, insn->word, &address, size)) {
        aligned(tile, hart, insn->word, address, size);
        tf_hart_stop(hart);
        return TF_STEP_STOP;
    }
    if (hart->searches && address < tile->arch->l1_bytes) {
        enum tf_search search = tf_search_load(tile, hart, insn->word, address, size, value);
        *pure = search == TF_SEARCH_NOT;
        if (search != TF_SEARCH_NOT)
            return search == TF_SEARCH_DONE ? TF_STEP_NEXT : TF_STEP_STOP;
    }
    if (tf_hart_memory(tile, hart, address, size, &data)) {
        struct tf_check *check = tf_hart_check(tile, address);
        if (check != NULL)
            check->load(check, tf_hart_access(hart, address, size));
        if (TF_HOOK(tile->explore) != NULL && address < tile->arch->l1_bytes) {
            *value = tf_explored_load(tile, hart, address, size);
            return TF_STEP_NEXT;
        }
        *value = tf_hart_load_memory(data, size);
        return TF_STEP_NEXT;
    }
    if (TF_HOOK(tile->explore) != NULL && !tf_explored_load_register(tile, hart, address, size))
        return TF_STEP_STOP;
    enum tf_step step = tf_register_load(tile, hart, address, size, value, pure);
    if (TF_HOOK(tile->check) != NULL && step == TF_STEP_NEXT)
        tile->check->loaded(tile->check, hart->core, hart->pc, address, *value);
    return step;
}

/*
 * A misaligned store to L1 on Blackhole: every word has the value, repeated to 32 bits. The bytes from the address to
 * the end of its 16 bytes are written (tt-exalens, test_l1_mem_access.py).
 */
static bool store_misaligned(struct tf_tile *tile, struct tf_hart *hart, uint32_t word, uint32_t address, unsigned size,
                             uint32_t value)
{
    if (!tile->mode.as_silicon || address > tile->arch->l1_bytes - size)
        return aligned(tile, hart, word, address, size);
    tile->cycle = hart->cycle;
    tf_tile_hazard(tile, hart->core, TF_FAULT_UNDEFINED, word, address, "misaligned store of %u bytes", size);
    uint32_t end = (address & ~15u) + 16 < address + size ? (address & ~15u) + 16 : address + size;
    if (size == 2)
        value = (value & 0xFFFF) * 0x10001;
    for (uint32_t at = address; at < end; at++)
        __atomic_store_n(tile->l1 + at, (uint8_t)(value >> 8 * (at % 4)), __ATOMIC_RELAXED);
    tf_hart_l1_stored(tile, address, end - 1);
    return true;
}

/* Execute a fence before an access, if the core's CSRs order all its accesses. */
static void fence_before(struct tf_tile *tile, struct tf_hart *hart)
{
    if (TF_HOOK(tile->explore) != NULL && tf_csr_strongly_ordered(&hart->csr))
        tf_explored_fence(tile, hart);
}

/* If other orders are explored: does the core stand still before this access? */
static inline bool pauses(struct tf_tile *tile, struct tf_hart *hart, uint32_t address)
{
    return TF_HOOK(tile->explore) != NULL && tf_explored_pauses(tile, hart, address);
}

static enum tf_step exec_store(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    uint32_t address = hart->x[insn->rs1] + (uint32_t)insn->imm;
    unsigned size = tf_exec_size(insn);
    uint32_t value = tf_exec_is_float(insn) ? hart->f[insn->rs2] : hart->x[insn->rs2];
    uint8_t *data;
    if (pauses(tile, hart, address))
        return TF_STEP_STOP;
    fence_before(tile, hart);
    if (!claims(tile, hart, address, size, true))
        return TF_STEP_STOP;
    if ((address & (size - 1)) != 0 && !rounds(tile, hart, insn->word, &address, size))
        return store_misaligned(tile, hart, insn->word, address, size, value) ? TF_STEP_NEXT : TF_STEP_STOP;
    bool memory = tf_hart_memory(tile, hart, address, size, &data), l1 = memory && address < tile->arch->l1_bytes;
    struct tf_check *check = memory ? tf_hart_check(tile, address) : NULL;
    if (check != NULL)
        check->store(check, tf_hart_access(hart, address, size));
    if (memory && (TF_HOOK(tile->explore) == NULL || !l1)) {
        tf_hart_store_memory(tile, address, data, size, value);
        return TF_STEP_NEXT;
    }
    if (size < 4)
        value &= size == 1 ? 0xff : 0xffff;
    if (TF_HOOK(tile->check) != NULL && !memory)
        tile->check->storing(tile->check, hart->core, hart->pc, address, value);
    if (TF_HOOK(tile->explore) != NULL)
        return tf_explored_store(tile, hart, address, size, value);
    return tf_register_store(tile, hart, address, size, value);
}

static enum tf_step exec_load(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    uint32_t address = hart->x[insn->rs1] + (uint32_t)insn->imm;
    uint32_t value;
    bool pure;
    if (pauses(tile, hart, address))
        return TF_STEP_STOP;
    fence_before(tile, hart);
    if (TF_HOOK(tile->explore) != NULL && tf_explored_delay_load(tile, hart, insn, address))
        return TF_STEP_STOP;
    enum tf_step step = tf_exec_load(tile, hart, insn, address, &value, &pure);
    if (step == TF_STEP_NEXT)
        tf_exec_loaded(hart, insn, value);
    if (step == TF_STEP_NEXT && TF_HOOKS && hart->overtaken)
        return tf_explored_loaded(tile, hart);
    return step;
}

static uint32_t amo_result(unsigned id, uint32_t a, uint32_t b)
{
    switch (id) {
#define X(name, result) \
    case TF_RV_##name: return result;
        TF_AMOS(X)
#undef X
    default: return a;
    }
}

/* "These instructions can only target the local L1" (InstructionSet.md). */
static enum tf_step exec_amo(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    uint32_t address = hart->x[insn->rs1];
    uint32_t operand = hart->x[insn->rs2];
    if (!aligned(tile, hart, insn->word, address, 4))
        return TF_STEP_STOP;
    if (address >= tile->arch->l1_bytes) {
        tile->cycle = hart->cycle;
        tf_tile_fault(tile, hart->core, TF_FAULT_UNDEFINED, insn->word, address, "atomic outside L1");
        return TF_STEP_STOP;
    }
    if (pauses(tile, hart, address) || !claims(tile, hart, address, 4, true))
        return TF_STEP_STOP;
    if (TF_HOOK(tile->explore) != NULL)
        tf_explored_atomic(tile, hart);
    if (TF_HOOK(tile->check) != NULL)
        tile->check->amo(tile->check, tf_hart_access(hart, address, 4));
    uint32_t *word = (uint32_t *)(void *)(tile->l1 + address);
    uint32_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
    TF_MUTANT_PAUSE(TORN_AMO)
    if (!tile->mode.shared || TF_MUTANT(TORN_AMO)) {
        __atomic_store_n(word, amo_result(insn->id, old, operand), __ATOMIC_RELAXED);
    } else {
        while (!__atomic_compare_exchange_n(word, &old, amo_result(insn->id, old, operand), false, __ATOMIC_SEQ_CST,
                                            __ATOMIC_RELAXED))
            ;
    }
    if (insn->rd != 0)
        hart->x[insn->rd] = old;
    if (TF_HOOK(tile->explore) != NULL)
        tf_explored_amo(tile, hart, address);
    tf_hart_l1_stored(tile, address, address);
    return TF_STEP_NEXT;
}

enum tf_step tf_exec_csr(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn, uint32_t *value)
{
    enum tf_access access = tf_csr_sees_coprocessor(insn) ? tf_order_claim_coprocessor(tile, hart) : TF_ACCESS_OK;
    if (access != TF_ACCESS_OK)
        return TF_STEP_STOP;
    if (TF_HOOK(tile->explore) != NULL && tf_csr_changes(insn))
        tf_explored_csr(tile, hart);
    tile->cycle = hart->cycle;
    access = tf_csr_execute(tile, hart, insn, value);
    if (access != TF_ACCESS_OK)
        return TF_STEP_STOP;
    if (insn->rd != 0)
        hart->x[insn->rd] = *value;
    return TF_STEP_NEXT;
}

enum tf_step tf_exec_push_claimed(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    uint32_t word = (uint32_t)insn->imm;
    enum tf_access access;
    tile->cycle = hart->cycle;
    if (hart->core == TF_CORE_NC) {
        access = tf_mmio_store(tile, hart->core, TF_INSTRN_BUF_BASE, 4, word);
    } else if (tile->tensix != NULL) {
        access = tf_mmio_push(tile, hart->core, 0, word);
    } else {
        tf_tile_fault(tile, hart->core, TF_FAULT_UNIMPLEMENTED, insn->word, 0,
                      "the tile has no coprocessor to push to");
        access = TF_ACCESS_FAULT;
    }
    return tf_register_accessed(tile, hart, access, TF_INSTRN_BUF_BASE, true);
}

static enum tf_step exec_push(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    if (tf_register_claim_store(tile, hart, TF_AT_PUSH0, TF_INSTRN_BUF_BASE, (uint32_t)insn->imm) != TF_ACCESS_OK)
        return TF_STEP_STOP;
    return tf_exec_push_claimed(tile, hart, insn);
}

static enum tf_step exec_system(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    tile->cycle = hart->cycle;
    switch (insn->id) {
    case TF_RV_ECALL: /* these pause the core, and do nothing else: WormholeB0/TensixTile/BabyRISCV/DebugInterface.md */
    case TF_RV_EBREAK:
        if (!claims(tile, hart, 0, 1, false)) /* a call to the host reads strings */
            return TF_STEP_STOP;
        if (insn->id == TF_RV_ECALL || !tf_hosted_call(tile, hart))
            hart->state = TF_CORE_PAUSED;
        return TF_STEP_NEXT;
    case TF_RV_MRET: return tf_csr_mret(tile, hart, insn->word) == TF_ACCESS_OK ? TF_STEP_TRANSFER : TF_STEP_STOP;
    default: break;
    }
    tf_tile_fault(tile, hart->core, TF_FAULT_UNDEFINED, insn->word, 0,
                  "illegal instruction: this core of %s does not have it", tile->arch->family);
    return TF_STEP_STOP;
}

static enum tf_step exec_vector(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    if (TF_HOOK(tile->explore) != NULL)
        tf_explored_atomic(tile, hart);
    if (hart->v != NULL)
        return tf_v_execute(tile, hart, insn);
    tile->cycle = hart->cycle;
    tf_tile_fault(tile, hart->core, TF_FAULT_UNDEFINED, insn->word, 0, "the core has no vector instructions");
    return TF_STEP_STOP;
}

enum tf_step tf_exec(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    enum tf_exec_kind kind = tf_exec_kind[insn->id];
    /* These kinds are the most frequent here. The host predicts their branches better than one indirect jump. */
    if (kind == TF_EXEC_STORE)
        return exec_store(tile, hart, insn);
    if (kind == TF_EXEC_LOAD)
        return exec_load(tile, hart, insn);
    if (kind == TF_EXEC_PURE) {
        bool fences = insn->id == TF_RV_FENCE && !tile->arch->no_l0;
        if (TF_HOOK(tile->explore) != NULL && fences)
            tf_explored_fence(tile, hart);
        if (TF_HOOK(tile->check) != NULL && fences)
            tile->check->fence(tile->check, hart->core);
        return tf_exec_pure(hart, insn);
    }
    uint32_t value;
    switch (kind) {
    case TF_EXEC_AMO: return exec_amo(tile, hart, insn);
    case TF_EXEC_CSR: return tf_exec_csr(tile, hart, insn, &value);
    case TF_EXEC_PUSH: return exec_push(tile, hart, insn);
    case TF_EXEC_VECTOR: return exec_vector(tile, hart, insn);
    default: return exec_system(tile, hart, insn);
    }
}
