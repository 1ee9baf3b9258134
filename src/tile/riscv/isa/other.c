/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/isa/other.h"

#include <stddef.h>
#include <stdio.h>

#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/disasm.h"
#include "tile/riscv/isa/flags.h"

/* The cores that have an instruction. */
enum { CORES_32 = 1, CORES_64 = 2, CORES_ANY = CORES_32 | CORES_64 };

static const struct {
    struct tf_rv_info info;
    unsigned cores;
} rows[] = {
#define OTHER(mnemonic, mask, match, format, flags, cores) \
    {{mnemonic, mask, match, TF_RV_FMT_##format, flags, 0}, CORES_##cores},
#include "tile/riscv/isa/other.def"
};

/* The immediates of compressed instructions. */
enum places {
#define PLACES(name, ...) PLACES_##name,
#include "tile/riscv/isa/other.def"
};

#define X (-1)
static const struct {
    int sign;      /* the value of the sign bit; 0: unsigned */
    int8_t of[11]; /* the bit of the immediate that bit 12, 11, .. 2 of the word is; X: none */
} immediates[] = {
#define PLACES(name, sign, ...) [PLACES_##name] = {sign, {__VA_ARGS__}},
#include "tile/riscv/isa/other.def"
};
#undef X

static const struct short_row {
    const char *mnemonic;
    uint16_t mask, match;
    const char *operands;
    enum places places;
    enum needs { NEEDS_NOTHING, NEEDS_IMM, NEEDS_HIGH, NEEDS_LOW } needs;
    unsigned cores;
} short_rows[] = {
#define SHORT(mnemonic, mask, match, operands, places, needs, cores) \
    {mnemonic, mask, match, operands, PLACES_##places, NEEDS_##needs, CORES_##cores},
#include "tile/riscv/isa/other.def"
};

static int immediate_of(uint16_t word, enum places places)
{
    int value = 0;
    for (unsigned i = 0; i < 11; i++)
        if (immediates[places].of[i] >= 0)
            value |= (word >> (12 - i) & 1) << immediates[places].of[i];
    return (value ^ immediates[places].sign) - immediates[places].sign;
}

/* One operand of a compressed instruction, by its letter (other.def). */
static int print_operand(char letter, uint16_t word, int immediate, uint64_t target, char *text, unsigned bytes)
{
    unsigned high = word >> 7 & 31, low = word >> 2 & 31, high_of_8 = 8 + (high & 7), low_of_8 = 8 + (low & 7);
    switch (letter) {
    case 'd': return snprintf(text, bytes, "%s", tf_rv_x_names[high]);
    case 's': return snprintf(text, bytes, "%s", tf_rv_x_names[low]);
    case 'S': return snprintf(text, bytes, "%s", tf_rv_x_names[high_of_8]);
    case 'D': return snprintf(text, bytes, "%s", tf_rv_x_names[low_of_8]);
    case 'g': return snprintf(text, bytes, "%s", tf_rv_f_names[high]);
    case 'f': return snprintf(text, bytes, "%s", tf_rv_f_names[low]);
    case 'G': return snprintf(text, bytes, "%s", tf_rv_f_names[low_of_8]);
    case 'p': return snprintf(text, bytes, "sp");
    case 'i': return snprintf(text, bytes, "%d", immediate);
    case 'x': return snprintf(text, bytes, "0x%x", (unsigned)immediate);
    case 'u': return snprintf(text, bytes, "0x%x", (unsigned)immediate & 0xfffff);
    case 't': return snprintf(text, bytes, "0x%llx", (unsigned long long)target);
    default: return snprintf(text, bytes, "%c", letter);
    }
}

static bool is_row(const struct short_row *row, uint16_t word, unsigned core)
{
    if ((word & row->mask) != row->match || (row->cores & core) == 0)
        return false;
    switch (row->needs) {
    case NEEDS_IMM: return immediate_of(word, row->places) != 0;
    case NEEDS_HIGH: return (word >> 7 & 31) != 0;
    case NEEDS_LOW: return (word >> 2 & 31) != 0;
    default: return true;
    }
}

static int print_short(uint16_t word, uint64_t pc, unsigned core, char *text, unsigned bytes)
{
    const struct short_row *row = short_rows, *end = row + sizeof short_rows / sizeof *row;
    while (row < end && !is_row(row, word, core))
        row++;
    if (row == end)
        return snprintf(text, bytes, ".2byte 0x%x", word);
    int immediate = immediate_of(word, row->places);
    uint64_t target = (pc + (uint64_t)(int64_t)immediate) & (core == CORES_64 ? UINT64_MAX : UINT32_MAX);
    char line[64];
    int length = snprintf(line, sizeof line, "%s%s", row->mnemonic, row->operands[0] != 0 ? " " : "");
    for (const char *letter = row->operands; *letter != 0; letter++)
        length += print_operand(*letter, word, immediate, target, line + length, sizeof line - (unsigned)length);
    return snprintf(text, bytes, "%s", line);
}

int tf_other_disassemble(uint32_t word, uint64_t pc, bool wide, char *text, unsigned bytes)
{
    unsigned core = wide ? CORES_64 : CORES_32;
    if (tf_other_bytes((uint16_t)word) == 2)
        return print_short((uint16_t)word, pc, core, text, bytes);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if ((word & rows[i].info.mask) == rows[i].info.match && (rows[i].cores & core) != 0)
            return tf_riscv_disassemble_as(word, &rows[i].info, pc, wide, text, bytes);
    return tf_riscv_disassemble_as(word, NULL, pc, wide, text, bytes);
}
