/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers of the coprocessor that are read before anything has written them: GPRs, LRegs, rows of Dst, banks of SrcA
 * and SrcB. A row or a bank that does not hold zeros has been written, whoever did it. An instruction reads many rows:
 * of these one suffices.
 */
#include <string.h>

#include "races/state.h"
#include "tilefarm_address.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/frontend/isa.h"
#include "tile/tensix/matrix/matrix.h"
#include "tile/tensix/state.h"
#include "tile/tensix/vector/issue.h"
#include "tile/tile.h"

#define GPRS 64u
#define LREGS_ALL 0xFFFFu
#define LREGS_BEFORE 0x87FFu /* of them 8, 9, 10 and 15 are constants; software writes the others */
#define LREGS_CONSTANT (LREGS_BEFORE & ~0xFFu)

enum { FILE_GPR = TF_CHECK_FILES, FILE_LREG };

static const char *const what_reads[2][FILE_LREG + 1] = {
    {"instruction that reads this row of Dst", "instruction that reads this bank of SrcA",
     "instruction that reads this bank of SrcB", "instruction that reads this GPR", "instruction that reads this LReg"},
    {"load of this row of Dst", NULL, NULL, "load of this GPR", NULL},
};

static void report(struct site *site, unsigned by, unsigned file, unsigned number, uint32_t pc, uint64_t cycle)
{
    bool core = by >= TF_CORE_T0;
    unsigned slot = core ? SLOT_CORE + by : SLOT_OF_PUSHED(by);
    const struct who who = {
        .own = {(int)slot, (int)slot},
        .trace = tf_trace_make(slot, 15, pc, time_at(site, cycle)),
        .what = what_reads[core][file],
    };
    found(site, TF_RACE_REGISTER, number, 0, &who);
}

static bool is_zero(const void *data, size_t bytes)
{
    const uint8_t *byte = data;
    return byte[0] == 0 && memcmp(byte, byte + 1, bytes - 1) == 0;
}

/* A row of 32-bit data has its low halves in another row. */
static bool dst_row_written(const struct site *site, unsigned row)
{
    const struct tf_dst *dst = site->tile->tensix->dst;
    unsigned low = row ^ TF_DST_LOW_ROWS;
    return ((site->dst_written[row / 64] >> row % 64 | site->dst_written[low / 64] >> low % 64) & 1) != 0 ||
           tf_dst_is_undefined(dst, row) || !is_zero(dst->bits[row], sizeof dst->bits[row]) ||
           !is_zero(dst->bits[low], sizeof dst->bits[low]);
}

static bool bank_written(const struct site *site, unsigned side, unsigned bank)
{
    const struct tf_tensix *tensix = site->tile->tensix;
    return tensix->fpu->src_writes[side][bank] != 0 ||
           !is_zero(tensix->src_data->datum[side][bank], sizeof tensix->src_data->datum[side][bank]);
}

static void rows(struct tf_check *check, unsigned by, enum tf_check_file file, unsigned first, unsigned count,
                 bool write)
{
    struct site *site = (struct site *)check;
    struct read_rows *read = &site->read_rows[by][file];
    for (unsigned row = first; row < first + count; row++) {
        if (write) {
            site->dst_written[row / 64] |= 1ull << row % 64;
        } else if (!read->filled) {
            if (read->blank == 0)
                read->blank = (uint16_t)(row + 1);
            read->filled = file == TF_CHECK_DST ? dst_row_written(site, row)
                                                : bank_written(site, file - TF_CHECK_SRCA, row);
        }
    }
}

static void report_rows(struct site *site, unsigned by, uint32_t pc, uint64_t cycle)
{
    for (unsigned file = 0; file < TF_CHECK_FILES; file++) {
        struct read_rows *read = &site->read_rows[by][file];
        if (read->blank != 0 && !read->filled)
            report(site, by, file, read->blank - 1u, pc, cycle);
        *read = (struct read_rows){.blank = 0};
    }
}

/* What an instruction reads and writes, as masks by number. */
struct uses {
    uint64_t reads, writes;
};

static uint64_t bit(unsigned number)
{
    return 1ull << (number % GPRS);
}

/* Instructions that access GPRs. Of several registers that one may access, the first one counts as read. */
static struct uses gprs_of(uint32_t word)
{
#define F(op, field) bit(TF_FIELD(word, op, field))
#define ADDRESS(op) F(op, addr_reg_index)
    struct uses uses = {0, 0};
    switch (word >> 24) {
    case TF_OP_ADDDMAREG:
    case TF_OP_SUBDMAREG:
    case TF_OP_MULDMAREG:
    case TF_OP_BITWOPDMAREG:
    case TF_OP_SHIFTDMAREG:
    case TF_OP_CMPDMAREG: /* the same fields */
        uses = (struct uses){F(ADDDMAREG, op_a_reg_index), F(ADDDMAREG, result_reg_index)};
        if (!TF_FIELD(word, ADDDMAREG, op_b_is_const))
            uses.reads |= F(ADDDMAREG, op_b_reg_index);
        break;
    case TF_OP_SETDMAREG:
        uses.writes = (TF_FIELD(word, SETDMAREG, set_signals_mode) ? 15ull : 1ull)
                      << TF_FIELD(word, SETDMAREG, reg_index_16b) / 2;
        break;
    case TF_OP_LOADIND:
        uses = (struct uses){ADDRESS(LOADIND) | bit(TF_FIELD(word, LOADIND, offset_index) / 2),
                             15ull << TF_FIELD(word, LOADIND, data_reg_index)};
        break;
    case TF_OP_STOREIND:
        uses.reads = ADDRESS(STOREIND) | F(STOREIND, data_reg_index) | bit(TF_FIELD(word, STOREIND, offset_index) / 2);
        break;
    case TF_OP_ATINCGET: uses = (struct uses){ADDRESS(ATINCGET) | F(ATINCGET, data_reg_index), 0}; break;
    case TF_OP_ATINCGETPTR: uses = (struct uses){ADDRESS(ATINCGETPTR), F(ATINCGETPTR, data_reg_index)}; break;
    case TF_OP_ATSWAP: uses.reads = ADDRESS(ATSWAP) | F(ATSWAP, data_reg_index); break;
    case TF_OP_ATCAS: uses.reads = ADDRESS(ATCAS); break;
    case TF_OP_STOREREG: uses.reads = F(STOREREG, tdma_data_reg_index); break;
    case TF_OP_LOADREG: uses.writes = F(LOADREG, tdma_data_reg_index); break;
    case TF_OP_REG2FLOP: uses.reads = F(REG2FLOP, reg_index); break;
    case TF_OP_WRCFG: uses.reads = F(WRCFG, gpr_address); break;
    case TF_OP_RDCFG: uses.writes = F(RDCFG, gpr_address); break;
    default: break;
    }
#undef ADDRESS
#undef F
    return uses;
}

/* Operands of instructions of the vector unit, by opcode: VB, VC, VD and VA are read; VD is written. */
enum { B = 1, C = 2, D = 4, A = 8, W = 16, ODD_IMMEDIATE = 32 /* VB is not read if Mod1 is odd */ };

static const uint8_t operands[TF_SFPU_OPCODES] = {
#define AT(name) [TF_OP_##name - TF_OP_SFPLOAD]
    AT(SFPLOAD) = W,
    AT(SFPLOADI) = W,
    AT(SFPSTORE) = D,
    AT(SFPLUT) = W,
    AT(SFPMULI) = C | W,
    AT(SFPADDI) = C | W,
    AT(SFPDIVP2) = C | W,
    AT(SFPEXEXP) = C | W,
    AT(SFPEXMAN) = C | W,
    AT(SFPMOV) = C | W,
    AT(SFPABS) = C | W,
    AT(SFPAND) = B | C | W,
    AT(SFPOR) = B | C | W,
    AT(SFPXOR) = B | C | W,
    AT(SFPNOT) = C | W,
    AT(SFPLZ) = C | W,
    AT(SFPMAD) = A | B | C | W,
    AT(SFPADD) = A | B | C | W,
    AT(SFPMUL) = A | B | C | W,
    AT(SFPMUL24) = A | B | C | W,
    AT(SFPCAST) = C | W,
    AT(SFPSWAP) = B | C | W,
    AT(SFPLE) = B | C,
    AT(SFPGT) = B | C,
    AT(SFPLUTFP32) = W,
    AT(SFPARECIP) = C | W,
    AT(SFP_STOCH_RND) = C | W,
    AT(SFPSHFT2) = W,
    AT(SFPSETCC) = C,
    AT(SFPIADD) = B | C | W | ODD_IMMEDIATE,
    AT(SFPSETEXP) = B | C | W | ODD_IMMEDIATE,
    AT(SFPSETMAN) = B | C | W | ODD_IMMEDIATE,
    AT(SFPSETSGN) = B | C | W | ODD_IMMEDIATE,
#undef AT
};

/* Instructions whose operands depend on their modes. */
static struct uses special_lregs_of(uint32_t word, struct uses uses, unsigned vb, unsigned vc, uint64_t written)
{
    enum { INDIRECT = 12, LOW_FOUR = 0xF, HIGH_FOUR = 0xF0, LUT_INPUT = 8 };
    unsigned mod1 = word & 15;
    switch (word >> 24) {
    case TF_OP_SFPMOV: uses.reads = mod1 & 8 ? 0 : uses.reads; break;
    case TF_OP_SFPXOR: uses.reads = vb == vc ? 0 : uses.reads; break;
    case TF_OP_SFPSETCC: uses.reads = mod1 & 9 ? 0 : uses.reads; break;
    case TF_OP_SFPLE:
    case TF_OP_SFPGT: uses.writes = mod1 & 8 ? bit(word >> 4 & 15) : 0; break;
    case TF_OP_SFPSWAP: uses.writes |= bit(vc); break;
    case TF_OP_SFPSHFT:
        uses.writes = bit(word >> 4 & 15);
        uses.reads = (mod1 & 5) == 5 ? bit(vc) : mod1 & 1 ? bit(vb) : bit(vb) | bit(vc);
        break;
    case TF_OP_SFPMAD:
    case TF_OP_SFPADD:
    case TF_OP_SFPMUL:
    case TF_OP_SFPMUL24:
        if ((mod1 & INDIRECT) != 0)
            uses = (struct uses){bit(vb) | bit(vc), 0xFF};
        break;
    case TF_OP_SFPLUT:
    case TF_OP_SFPLUTFP32: uses.reads = LUT_INPUT; break;
    case TF_OP_SFPTRANSP:
        uses.writes = ((written & LOW_FOUR) != 0 ? LOW_FOUR : 0) | ((written & HIGH_FOUR) != 0 ? HIGH_FOUR : 0);
        break;
    case TF_OP_SFPSHFT2: uses.writes |= LOW_FOUR; break;
    case TF_OP_SFPCONFIG:
        uses.reads = mod1 & 1 ? 0 : 1;
        uses.writes = bit(word >> 4 & 15);
        break;
    case TF_OP_SFPLOADMACRO: uses.writes = LREGS_ALL; break;
    default: break;
    }
    return uses;
}

static struct uses lregs_of(uint32_t word, uint64_t written)
{
    const struct tf_sfpu_op *op = tf_sfpu_op(word);
    bool moves = op->kernel == TF_SFPU_KERNEL_COUNT;
    enum tf_sfpu_registers of = moves ? TF_REGISTERS_HIGH : (enum tf_sfpu_registers)op->registers;
    unsigned vd = tf_sfpu_vd(of, word), vb = tf_sfpu_vb(of, word), vc = tf_sfpu_vc(of, word);
    unsigned has = operands[(word >> 24) - TF_OP_SFPLOAD];
    struct uses uses = {0, has & W ? bit(vd) : 0};
    if ((has & B) != 0 && !((has & ODD_IMMEDIATE) != 0 && (word & 1) != 0))
        uses.reads |= bit(vb);
    uses.reads |= (has & C ? bit(vc) : 0) | (has & D ? bit(vd) : 0) | (has & A ? bit(word >> 16 & 15) : 0);
    return special_lregs_of(word, uses, vb, vc, written);
}

static void use(struct site *site, unsigned t, unsigned file, struct uses uses, uint64_t *written, uint32_t pc,
                uint64_t cycle)
{
    for (uint64_t blank = uses.reads & ~*written; blank != 0; blank &= blank - 1)
        report(site, t, file, (unsigned)__builtin_ctzll(blank), pc, cycle);
    *written |= uses.writes;
}

void registers_passed(struct site *site, unsigned t, uint32_t word, uint32_t pc, uint64_t cycle)
{
    const struct tf_tensix *tensix = site->tile->tensix;
    unsigned opcode = word >> 24;
    report_rows(site, t, pc, cycle);
    if (opcode == TF_OP_ZEROACC && tensix->dst != NULL)
        for (unsigned i = 0; i < TF_DST_ROWS / 64; i++)
            site->dst_written[i] |= tensix->dst->undefined[i];
    if (opcode >= TF_OP_SFPLOAD && opcode < TF_OP_SFPLOAD + TF_SFPU_OPCODES) {
        struct uses uses = lregs_of(word, site->lregs_written);
        if (tensix->vector != NULL && tensix->vector->scheduled)
            uses.reads = 0; /* what SFPLOADMACRO has scheduled may write them */
        use(site, t, FILE_LREG, uses, &site->lregs_written, pc, cycle);
    } else {
        use(site, t, FILE_GPR, gprs_of(word), &site->gprs_written[t], pc, cycle);
    }
}

void gpr_written(struct site *site, unsigned core, uint32_t address)
{
    unsigned index = (address - TF_GPR_BASE) / 4, t = core == TF_CORE_B ? index / GPRS : core - TF_CORE_T0;
    if (t < THREADS)
        site->gprs_written[t] |= bit(index);
}

void register_loaded(struct site *site, unsigned core, uint32_t pc, uint32_t address)
{
    uint64_t cycle = site->tile->hart[core].cycle;
    if (core >= TF_CORE_T0 && address >= TF_GPR_BASE && address < TF_GPR_BASE + GPRS * 4) {
        unsigned index = (address - TF_GPR_BASE) / 4;
        if ((site->gprs_written[core - TF_CORE_T0] & bit(index)) == 0)
            report(site, core, FILE_GPR, index, pc, cycle);
    } else if (core >= TF_CORE_T0) {
        report_rows(site, core, pc, cycle);
    }
}

void registers_attach(struct site *site)
{
    site->check.rows = rows;
    site->lregs_written = LREGS_CONSTANT;
}
