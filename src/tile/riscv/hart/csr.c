/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/hart/csr.h"

#include <string.h>

#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tile/riscv/hart/csr_words.h"
#include "tile/riscv/hart/stop.h"
#include "tile/tensix/frontend/status.h"
#include "tile/state.h"

#define CFG0_PMC_CLEAR_ON_READ (1u << 8)
#define CFG0_FREEZE_STATUS (1u << 29)

enum kind {
    KIND_STORED,
    KIND_CFG0,
    KIND_CYCLE,
    KIND_CYCLEH,
    KIND_INSTRET,
    KIND_INSTRETH,
    KIND_HPM,     /* event counters: the events are undocumented, so these stay 0 */
    KIND_STATUS,  /* status of the coprocessor, unless frozen */
    KIND_SSTATUS, /* scratch on B and NC; on T cores a register of an undocumented stream, unless frozen */
};

struct definition {
    const char *name;
    uint16_t address;
    uint8_t kind; /* enum kind */
    uint8_t word; /* enum tf_csr_word */
    uint32_t mask;
};

static const struct definition definitions[] = {
#define CSR(address, name, kind, word, mask, reset) {#name, address, KIND_##kind, TF_CSR_##word, mask},
#include "tile/riscv/isa/csr.def"
#undef CSR
};

/* A chip resets the words of all its cores when it is made: row `startup` pays for the copy. */
static const uint32_t reset_words[TF_CSR_WORDS] = {
#define CSR(address, name, kind, word, mask, reset) [TF_CSR_##word] = reset,
#define COUNTER(address, name, kind)
#include "tile/riscv/isa/csr.def"
#undef CSR
};

#define DEFINITIONS (sizeof definitions / sizeof definitions[0])

/* The list is in ascending order of addresses. */
static const struct definition *find(unsigned address)
{
    size_t low = 0;
    size_t high = DEFINITIONS;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (definitions[middle].address == address) {
            return &definitions[middle];
        }
        if (definitions[middle].address < address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

void tf_csr_reset(struct tf_csrs *csr, uint64_t cycle, uint64_t instret)
{
    memset(csr, 0, sizeof *csr);
    memcpy(csr->word, reset_words, sizeof reset_words);
    csr->cycle_offset = -cycle;
    csr->instret_offset = -instret;
}

static inline bool is_t_core(const struct tf_hart *hart)
{
    return hart->core >= TF_CORE_T0;
}

static inline bool frozen(const struct tf_hart *hart)
{
    return hart->csr.word[TF_CSR_CFG0] & CFG0_FREEZE_STATUS;
}

static uint32_t live_status(const struct tf_tile *tile, const struct tf_hart *hart, unsigned word)
{
    return tile->tensix ? tf_tensix_status(tile, hart->core, word == TF_CSR_TT_CFG_BSTATUS) : 0;
}

static enum tf_access read_status(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn,
                                  const struct definition *def, uint32_t *value)
{
    *value = hart->csr.word[def->word];
    if (frozen(hart) || (def->kind == KIND_SSTATUS && !is_t_core(hart))) {
        return TF_ACCESS_OK;
    }
    if (def->kind == KIND_SSTATUS) {
        tf_tile_fault(tile, hart->core, TF_FAULT_UNPREDICTABLE, insn->word, def->address,
                      "which stream %s shows on a T core is undocumented", def->name);
        return TF_ACCESS_FAULT;
    }
    *value = live_status(tile, hart, def->word);
    return TF_ACCESS_OK;
}

/* Cycle and instret of the accessing instruction. */
static enum tf_access read_csr(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn,
                               const struct definition *def, uint32_t *value)
{
    struct tf_csrs *csr = &hart->csr;
    switch ((enum kind)def->kind) {
    case KIND_STORED:
    case KIND_CFG0: *value = csr->word[def->word]; break;
    case KIND_CYCLE: *value = (uint32_t)(hart->cycle + csr->cycle_offset); break;
    case KIND_CYCLEH: *value = (uint32_t)((hart->cycle + csr->cycle_offset) >> 32); break;
    case KIND_INSTRET: *value = (uint32_t)(hart->instret + csr->instret_offset); break;
    case KIND_INSTRETH: *value = (uint32_t)((hart->instret + csr->instret_offset) >> 32); break;
    case KIND_HPM:
        *value = csr->word[def->word];
        if (csr->word[TF_CSR_CFG0] & CFG0_PMC_CLEAR_ON_READ) {
            csr->word[def->word] = 0;
        }
        break;
    case KIND_STATUS:
    case KIND_SSTATUS: return read_status(tile, hart, insn, def, value);
    }
    return TF_ACCESS_OK;
}

/* Change one half of a counter. The next instruction reads the written value (Privileged ISA, "mcycle, minstret"). */
static void write_counter(uint64_t *offset, uint64_t count, bool high, uint32_t value)
{
    uint64_t next = count + 1 + *offset;
    uint64_t changed = high ? (uint64_t)value << 32 | (uint32_t)next : (next >> 32 << 32) | value;
    *offset += changed - next;
}

/* The status registers keep their values when cfg0 freezes them. */
static void write_cfg0(const struct tf_tile *tile, struct tf_hart *hart, uint32_t value)
{
    struct tf_csrs *csr = &hart->csr;
    if (value & CFG0_FREEZE_STATUS && !frozen(hart)) {
        for (unsigned word = TF_CSR_TT_CFG_QSTATUS; word <= TF_CSR_TT_CFG_BSTATUS; word++) {
            csr->word[word] = live_status(tile, hart, word);
        }
    }
    csr->word[TF_CSR_CFG0] = value;
}

static void write_csr(const struct tf_tile *tile, struct tf_hart *hart, const struct definition *def, uint32_t value)
{
    struct tf_csrs *csr = &hart->csr;
    switch ((enum kind)def->kind) {
    case KIND_CFG0: write_cfg0(tile, hart, value); break;
    case KIND_CYCLE:
    case KIND_CYCLEH: write_counter(&csr->cycle_offset, hart->cycle, def->kind == KIND_CYCLEH, value); break;
    case KIND_INSTRET:
    case KIND_INSTRETH: write_counter(&csr->instret_offset, hart->instret, def->kind == KIND_INSTRETH, value); break;
    case KIND_SSTATUS:
        if (is_t_core(hart) && !frozen(hart)) {
            break; /* the hardware overwrites it immediately */
        }
        csr->word[def->word] = value;
        break;
    case KIND_STATUS:
        if (frozen(hart)) {
            csr->word[def->word] = value;
        }
        break;
    case KIND_STORED:
    case KIND_HPM: csr->word[def->word] = (csr->word[def->word] & ~def->mask) | (value & def->mask); break;
    }
}

static bool is_write_only_form(const struct tf_rv_insn *insn)
{
    return insn->id == TF_RV_CSRRW || insn->id == TF_RV_CSRRWI;
}

static bool writes(const struct tf_rv_insn *insn)
{
    return is_write_only_form(insn) || insn->rs1 != 0;
}

static uint32_t combine(const struct tf_rv_insn *insn, uint32_t old, uint32_t operand)
{
    switch (insn->id) {
    case TF_RV_CSRRS:
    case TF_RV_CSRRSI: return old | operand;
    case TF_RV_CSRRC:
    case TF_RV_CSRRCI: return old & ~operand;
    default: return operand;
    }
}

enum tf_access tf_csr_execute(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn, uint32_t *rd)
{
    unsigned address = (unsigned)insn->imm & 0xfff;
    const struct definition *def = find(address);
    uint32_t old = 0;
    if (!def) {
        tf_tile_fault(tile, hart->core, TF_FAULT_UNDEFINED, insn->word, address, "there is no CSR 0x%03x", address);
        return TF_ACCESS_FAULT;
    }
    bool immediate = insn->id == TF_RV_CSRRWI || insn->id == TF_RV_CSRRSI || insn->id == TF_RV_CSRRCI;
    uint32_t operand = immediate ? insn->rs1 : insn->rs1 ? hart->x[insn->rs1] : 0;
    if (!(is_write_only_form(insn) && insn->rd == 0)) {
        enum tf_access access = read_csr(tile, hart, insn, def, &old);
        if (access != TF_ACCESS_OK) {
            return access;
        }
    }
    /* A handler's writes have no effect: a hardware bug (PIC.md, "Interrupt handlers"). */
    if (writes(insn) && !hart->csr.in_handler) {
        write_csr(tile, hart, def, combine(insn, old, operand));
    }
    *rd = old;
    return TF_ACCESS_OK;
}

bool tf_csr_has_effect(const struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    const struct definition *def = find((unsigned)insn->imm & 0xfff);
    if (!def || writes(insn)) {
        return true;
    }
    switch ((enum kind)def->kind) {
    case KIND_STORED:
    case KIND_CFG0:
    case KIND_STATUS: return false;
    case KIND_HPM: return (hart->csr.word[TF_CSR_CFG0] & CFG0_PMC_CLEAR_ON_READ) != 0;
    case KIND_SSTATUS: return is_t_core(hart) && !frozen(hart);
    default: return true;
    }
}

bool tf_csr_changes(const struct tf_rv_insn *insn)
{
    const struct definition *def = find((unsigned)insn->imm & 0xfff);
    return def && def->kind != KIND_STORED && def->kind != KIND_CFG0;
}

bool tf_csr_sees_coprocessor(const struct tf_rv_insn *insn)
{
    const struct definition *def = find((unsigned)insn->imm & 0xfff);
    return def && (def->kind == KIND_STATUS || def->kind == KIND_SSTATUS || (def->kind == KIND_CFG0 && writes(insn)));
}

void tf_csr_interrupt_enter(struct tf_hart *hart, uint32_t handler_pc)
{
    hart->csr.restore_pc = hart->pc;
    hart->csr.word[TF_CSR_INTP_RESTORE_PC] = hart->pc;
    hart->csr.in_handler = true;
    hart->pc = handler_pc;
}

enum tf_access tf_csr_mret(struct tf_tile *tile, struct tf_hart *hart, uint32_t word)
{
    bool has_machine = tile->arch->extensions[hart->core] & TF_EXT_MACHINE;
    if (!has_machine || !hart->csr.in_handler) {
        tf_tile_fault(tile, hart->core, TF_FAULT_UNDEFINED, word, 0,
                      has_machine ? "mret outside of an interrupt handler" : "mret exists on B and NC only");
        return TF_ACCESS_FAULT;
    }
    hart->csr.in_handler = false;
    hart->pc = hart->csr.restore_pc;
    return TF_ACCESS_OK;
}

void tf_csr_hash(const struct tf_csrs *csr, struct tf_hash *hash)
{
    tf_hash_bytes(hash, csr->word, TF_CSR_WORDS * sizeof csr->word[0]);
    tf_hash_u64(hash, csr->cycle_offset);
    tf_hash_u64(hash, csr->instret_offset);
    tf_hash_u32(hash, csr->restore_pc);
    tf_hash_u32(hash, csr->in_handler);
}

unsigned tf_csr_words(void)
{
    return TF_CSR_WORDS;
}
