/* SPDX-License-Identifier: Apache-2.0 */
/* Assembly of vector instructions, as GNU objdump -M no-aliases spells it, with a space after the mnemonic. */
#include "tile/riscv/isa/vdisasm.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/v.h"
#include "tile/riscv/isa/vfind.h"

struct fields {
    unsigned vd, vs1, vs2, form;
    bool masked;
    const char *mask; /* the operand, or nothing */
};

static struct fields fields_of(uint32_t word)
{
    bool masked = !(word >> 25 & 1);
    return (struct fields){word >> 7 & 31, word >> 15 & 31, word >> 20 & 31,
                           word >> 12 & 7, masked,          masked ? ",v0.t" : ""};
}

/* The second operand of an OP-V instruction. */
static void print_operand(const struct tf_v_info *info, const struct fields *f, char *text, unsigned bytes)
{
    switch (f->form) {
    case TF_V_IVX:
    case TF_V_MVX: snprintf(text, bytes, "%s", tf_rv_x_names[f->vs1]); break;
    case TF_V_FVF: snprintf(text, bytes, "%s", tf_rv_f_names[f->vs1]); break;
    case TF_V_IVI: {
        int imm = (int)f->vs1;
        snprintf(text, bytes, "%d", info->flags & TF_V_UIMM || imm < 16 ? imm : imm - 32);
        break;
    }
    default: snprintf(text, bytes, "v%u", f->vs1); break;
    }
}

/* Print the suffix of a mnemonic with two operands: the kinds of the operands. */
static void print_suffix(const struct tf_v_info *info, const struct fields *f, char *text, unsigned bytes)
{
    static const char second[8] = {'v', 'v', 'v', 'i', 'x', 'f', 'x', 'x'};
    unsigned shape = info->shape;
    const char *first = shape == TF_V_WIDE || shape == TF_V_NARROW ? "w" : "v";
    bool carry = shape == TF_V_CARRY || (shape == TF_V_CARRY_OUT && f->masked);
    if (shape == TF_V_REDUCE || shape == TF_V_REDUCE_WIDE)
        snprintf(text, bytes, ".vs");
    else if (shape == TF_V_MASK)
        snprintf(text, bytes, ".mm");
    else if (shape == TF_V_OTHER && info->forms == 1u << TF_V_MVV)
        snprintf(text, bytes, ".vm"); /* vcompress */
    else
        snprintf(text, bytes, ".%s%c%s", first, second[f->form], carry ? "m" : "");
}

static int print_config(unsigned id, uint32_t word, char *text, unsigned bytes)
{
    struct fields f = fields_of(word);
    const char *name = tf_v_info(id)->mnemonic;
    if (id == TF_V_VSETVL)
        return snprintf(text, bytes, "%s %s,%s,%s", name, tf_rv_x_names[f.vd], tf_rv_x_names[f.vs1],
                        tf_rv_x_names[f.vs2]);
    unsigned vtype = word >> 20 & (id == TF_V_VSETIVLI ? 0x3FF : 0x7FF), lmul = vtype & 7, width = vtype >> 3 & 7;
    char rs1[12], type[32];
    snprintf(rs1, sizeof rs1, "%u", f.vs1);
    if (vtype >> 8 != 0 || width > 3 || lmul == 4)
        snprintf(type, sizeof type, "%u", vtype);
    else
        snprintf(type, sizeof type, "e%u,m%s%u,t%c,m%c", 8u << width, lmul > 4 ? "f" : "",
                 lmul > 4 ? 1u << (8 - lmul) : 1u << lmul, vtype & 0x40 ? 'a' : 'u', vtype & 0x80 ? 'a' : 'u');
    return snprintf(text, bytes, "%s %s,%s,%s", name, tf_rv_x_names[f.vd],
                    id == TF_V_VSETIVLI ? rs1 : tf_rv_x_names[f.vs1], type);
}

/* Print the operand of an instruction with one operand or none. The other field selects the instruction. */
static int print_unary(unsigned id, const struct fields *f, char *text, unsigned bytes)
{
    const struct tf_v_info *info = tf_v_info(id);
    char second[8], suffix[8];
    print_operand(info, f, second, sizeof second);
    if (info->shape == TF_V_MOVE) {
        print_suffix(info, f, suffix, sizeof suffix);
        return snprintf(text, bytes, "%s.%c v%u,%s", info->mnemonic, suffix[2], f->vd, second);
    }
    if (id == TF_V_VID_V)
        return snprintf(text, bytes, "%s v%u%s", info->mnemonic, f->vd, f->mask);
    if (info->flags & TF_V_SELECT2)
        return snprintf(text, bytes, "%s v%u,%s", info->mnemonic, f->vd, second);
    if (info->flags & TF_V_TO_X)
        return snprintf(text, bytes, "%s %s,v%u%s", info->mnemonic, tf_rv_x_names[f->vd], f->vs2, f->mask);
    if (info->flags & TF_V_TO_F)
        return snprintf(text, bytes, "%s %s,v%u", info->mnemonic, tf_rv_f_names[f->vd], f->vs2);
    return snprintf(text, bytes, "%s v%u,v%u%s", info->mnemonic, f->vd, f->vs2, f->mask);
}

static int print_memory(unsigned id, uint32_t word, char *text, unsigned bytes)
{
    static const uint8_t widths[8] = {8, 0, 0, 0, 0, 16, 32, 64};
    const struct tf_v_info *info = tf_v_info(id);
    struct fields f = fields_of(word);
    unsigned shape = info->shape, fields = (word >> 29) + 1, width = widths[f.form];
    const char *index = shape == TF_V_INDEXED ? "i" : "";
    char name[24], third[8] = "";
    if (shape == TF_V_BITS)
        snprintf(name, sizeof name, "%s", info->mnemonic);
    else if (shape == TF_V_WHOLE && info->flags & TF_V_IS_STORE)
        snprintf(name, sizeof name, "%s%ur.v", info->mnemonic, fields);
    else if (shape == TF_V_WHOLE)
        snprintf(name, sizeof name, "%s%ure%u.v", info->mnemonic, fields, width);
    else if (fields > 1)
        snprintf(name, sizeof name, "%sseg%ue%s%u%s.v", info->mnemonic, fields, index, width,
                 shape == TF_V_FIRST_FAULT ? "ff" : "");
    else
        snprintf(name, sizeof name, "%se%s%u%s.v", info->mnemonic, index, width, shape == TF_V_FIRST_FAULT ? "ff" : "");
    if (shape == TF_V_STRIDED)
        snprintf(third, sizeof third, ",%s", tf_rv_x_names[f.vs2]);
    if (shape == TF_V_INDEXED)
        snprintf(third, sizeof third, ",v%u", f.vs2);
    return snprintf(text, bytes, "%s v%u,(%s)%s%s", name, f.vd, tf_rv_x_names[f.vs1], third, f.mask);
}

int tf_v_disassemble(unsigned id, uint32_t word, char *text, unsigned bytes)
{
    const struct tf_v_info *info = tf_v_info(id);
    struct fields f = fields_of(word);
    char suffix[8], second[8];
    if (info->shape == TF_V_CONFIG)
        return print_config(id, word, text, bytes);
    if (id >= TF_V_FIRST_MEMORY)
        return print_memory(id, word, text, bytes);
    if (info->select != TF_V_ANY)
        return print_unary(id, &f, text, bytes);
    print_suffix(info, &f, suffix, sizeof suffix);
    print_operand(info, &f, second, sizeof second);
    bool carry = info->shape == TF_V_CARRY || (info->shape == TF_V_CARRY_OUT && f.masked);
    const char *mask = carry ? ",v0" : f.mask;
    if (info->flags & TF_V_SWAPPED)
        return snprintf(text, bytes, "%s%s v%u,%s,v%u%s", info->mnemonic, suffix, f.vd, second, f.vs2, mask);
    return snprintf(text, bytes, "%s%s v%u,v%u,%s%s", info->mnemonic, suffix, f.vd, f.vs2, second, mask);
}
