/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"

#include "tile/riscv/isa/flags.h"
#include "tile/riscv/isa/v.h"
#include "tile/riscv/isa/vfind.h"
#include "tilefarm/tilefarm_base.h"

static const struct tf_rv_info rv_info[TF_RV_COUNT] = {
#define RV(id, mnemonic, mask, match, format, extension, flags) \
    [TF_RV_##id] = {mnemonic, mask, match, TF_RV_FMT_##format, flags, TF_EXT_##extension},
#include "tile/riscv/isa/rv.def"
#undef RV
    [TF_RV_TTINSN] = {".ttinsn", 0, 0, TF_RV_FMT_WORD, STORE, 0},
    [TF_RV_VECTOR] = {".insn", 0, 0, TF_RV_FMT_WORD, 0, TF_EXT_V},
    [TF_RV_ILLEGAL] = {".word", 0, 0, TF_RV_FMT_WORD, 0, 0},
};

/* Bits high..low of the word, moved so that the lowest one becomes bit `to`. */
static inline uint32_t field(uint32_t word, unsigned high, unsigned low, unsigned to)
{
    return (word >> low & ((2u << (high - low)) - 1)) << to;
}

int32_t tf_rv_immediate(uint32_t word, unsigned format)
{
    uint32_t sign = (uint32_t)((int32_t)word >> 31);
    switch (format) {
    case TF_RV_FMT_I:
    case TF_RV_FMT_LOAD:
    case TF_RV_FMT_FLOAD:
    case TF_RV_FMT_JALR: return (int32_t)word >> 20;
    case TF_RV_FMT_SHIFT: return (int32_t)field(word, 24, 20, 0);
    case TF_RV_FMT_STORE:
    case TF_RV_FMT_FSTORE: return (int32_t)(sign << 11 | field(word, 30, 25, 5) | field(word, 11, 7, 0));
    case TF_RV_FMT_BRANCH:
        return (int32_t)(sign << 12 | field(word, 7, 7, 11) | field(word, 30, 25, 5) | field(word, 11, 8, 1));
    case TF_RV_FMT_U: return (int32_t)(word & 0xfffff000);
    case TF_RV_FMT_J:
        return (int32_t)(sign << 20 | field(word, 19, 12, 12) | field(word, 20, 20, 11) | field(word, 30, 21, 1));
    case TF_RV_FMT_CSR:
    case TF_RV_FMT_CSRI:
    case TF_RV_FMT_FENCE: return (int32_t)field(word, 31, 20, 0);
    default: return 0;
    }
}

static inline unsigned major_opcode(uint32_t word)
{
    return word >> 2 & 31;
}

/* The first row whose major opcode is this one or a higher one. The rows of rv.def are in ascending order of major
   opcodes. */
static unsigned first_row(unsigned major)
{
    unsigned low = 0, high = TF_RV_LISTED;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (major_opcode(rv_info[middle].match) < major)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The major opcode and funct3 of a word, as a number. */
#define KEY(word) (((word) >> 2 & 31) << 3 | ((word) >> 12 & 7))

/*
 * The last row with a key. Most words are decoded without a search. Replays of parked cores decode often (rows
 * `ping-pong` and `cb`).
 */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
static const uint8_t row_of[256] = {
#define RV(id, mnemonic, mask, match, ...) [KEY(match)] = TF_RV_##id,
#include "tile/riscv/isa/rv.def"
#undef RV
};
#pragma GCC diagnostic pop

_Static_assert(TF_RV_LISTED <= 256, "a row is a byte");

static unsigned find(uint32_t word, unsigned extensions)
{
    unsigned major = major_opcode(word), probable = row_of[KEY(word)];
    if ((word & rv_info[probable].mask) == rv_info[probable].match)
        return rv_info[probable].extension & ~extensions ? (unsigned)TF_RV_ILLEGAL : probable;
    for (unsigned id = first_row(major); id < TF_RV_LISTED && major_opcode(rv_info[id].match) == major; id++) {
        if ((word & rv_info[id].mask) == rv_info[id].match) {
            return rv_info[id].extension & ~extensions ? (unsigned)TF_RV_ILLEGAL : id;
        }
    }
    return TF_RV_ILLEGAL;
}

void tf_rv_decode_as(uint32_t word, unsigned extensions, struct tf_rv_insn *out)
{
    out->word = word;
    out->rd = (uint8_t)(word >> 7 & 31);
    out->rs1 = (uint8_t)(word >> 15 & 31);
    out->rs2 = (uint8_t)(word >> 20 & 31);
    out->rs3 = (uint8_t)(word >> 27);
    if ((word & 3) != 3) {
        out->id = TF_RV_TTINSN;
        out->imm = (int32_t)(word >> 2 | word << 30);
        return;
    }
    unsigned id = find(word, extensions);
    unsigned vector = id == TF_RV_ILLEGAL && extensions & TF_EXT_V ? tf_v_find(word) : (unsigned)TF_V_COUNT;
    out->id = (uint16_t)(vector != TF_V_COUNT ? (unsigned)TF_RV_VECTOR : id);
    out->imm = vector != TF_V_COUNT ? (int32_t)vector : tf_rv_immediate(word, rv_info[id].format);
}

const struct tf_rv_info *tf_rv_info(unsigned id)
{
    return &rv_info[id < TF_RV_COUNT ? id : TF_RV_ILLEGAL];
}

const char *tf_csr_name(unsigned address)
{
    switch (address) {
#define CSR(address, name, kind, word, mask, reset) \
    case address:                                   \
        return #name;
#include "tile/riscv/isa/csr.def"
#undef CSR
    default: return NULL;
    }
}

/* The operands of each format that are x registers. F_RD says that rd is an f register. */
enum { RD = 1, RS1 = 2, RS2 = 4, EACH = 8, F_RD = 16 };

static const uint8_t registers[] = {
    [TF_RV_FMT_NONE] = 0,
    [TF_RV_FMT_R] = RD | RS1 | RS2,
    [TF_RV_FMT_R1] = RD | RS1,
    [TF_RV_FMT_I] = RD | RS1,
    [TF_RV_FMT_SHIFT] = RD | RS1,
    [TF_RV_FMT_LOAD] = RD | RS1,
    [TF_RV_FMT_STORE] = RS1 | RS2,
    [TF_RV_FMT_FLOAD] = F_RD | RS1,
    [TF_RV_FMT_FSTORE] = RS1,
    [TF_RV_FMT_AMO] = RD | RS1 | RS2,
    [TF_RV_FMT_BRANCH] = RS1 | RS2,
    [TF_RV_FMT_U] = RD,
    [TF_RV_FMT_J] = RD,
    [TF_RV_FMT_JALR] = RD | RS1,
    [TF_RV_FMT_CSR] = RD | RS1,
    [TF_RV_FMT_CSRI] = RD,
    [TF_RV_FMT_FENCE] = 0,
    [TF_RV_FMT_R4] = F_RD,
    [TF_RV_FMT_FR] = F_RD,
    [TF_RV_FMT_FFF] = F_RD,
    [TF_RV_FMT_FCMP] = RD,
    [TF_RV_FMT_FXF] = RD,
    [TF_RV_FMT_FFX] = F_RD | RS1,
    [TF_RV_FMT_LR] = RD | RS1,
    [TF_RV_FMT_WORD] = EACH,
};

uint32_t tf_rv_x_read(const struct tf_rv_insn *insn)
{
    unsigned operands = registers[tf_rv_info(insn->id)->format];
    if (operands == EACH)
        return ~1u;
    return ((operands & RS1 ? 1u << insn->rs1 : 0) | (operands & RS2 ? 1u << insn->rs2 : 0)) & ~1u;
}

uint32_t tf_rv_x_written(const struct tf_rv_insn *insn)
{
    unsigned operands = registers[tf_rv_info(insn->id)->format];
    if (operands == EACH)
        return ~1u;
    return (operands & RD ? 1u << insn->rd : 0) & ~1u;
}

uint8_t tf_rv_destination(const struct tf_rv_insn *insn)
{
    unsigned operands = registers[tf_rv_info(insn->id)->format];
    return operands & RD ? insn->rd : operands & F_RD ? (uint8_t)(32 + insn->rd) : 0;
}

bool tf_rv_is_listed(const struct tf_rv_insn *insn)
{
    return insn->id < TF_RV_LISTED;
}

unsigned tf_rv_ids(void)
{
    return TF_RV_COUNT;
}
