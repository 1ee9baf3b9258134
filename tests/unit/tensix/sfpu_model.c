/* SPDX-License-Identifier: Apache-2.0 */
#include "fma.h"
#include "unit/tensix/sfpu_model.h"

#include <string.h>

#include "tile/tensix/isa/isa.h"
#include "tile/tensix/vector/tables.h"
#include "unit/tensix/sfpu_model_parts.h"

struct fields {
    unsigned op, mod, vd, vc, vb, va, imm12, imm16;
    int32_t simm12;
};

static bool smaller(uint32_t c, uint32_t d)
{
    int64_t x = c >> 31 ? -1 - (int64_t)(c & 0x7FFFFFFF) : (int64_t)c;
    int64_t y = d >> 31 ? -1 - (int64_t)(d & 0x7FFFFFFF) : (int64_t)d;
    return x < y;
}

static uint32_t advance(struct model_lane *l)
{
    uint32_t result = l->prng;
    unsigned taps = (result & 1) + (result >> 1 & 1) + (result >> 21 & 1) + (result >> 31);
    l->prng = (taps % 2 == 0 ? 0x80000000u : 0) | result >> 1;
    return result;
}

static bool boolean_op(unsigned mod, bool a, bool b)
{
    /* Columns: (a, b) = (0, 0), (0, 1), (1, 0), (1, 1). */
    static const char *const truth[] = {"",     "0101", "1010", "0001", "0111", "0010", "1011",
                                        "0100", "1101", "1000", "1110", "0110", "1001"};
    return truth[mod][a * 2 + b] == '1';
}

/* Written by every instruction that sets VD, on the sole condition that VD is writable. */
static void write(struct model_lane *l, unsigned vd, uint32_t x)
{
    if (vd < 8 || vd == 16)
        l->lreg[vd] = x;
}

static unsigned clz(uint32_t x)
{
    unsigned n = 0;
    while (n < 32 && (x >> (31 - n) & 1) == 0)
        n++;
    return n;
}

static uint32_t lut8(uint32_t x)
{
    return x == 0xFF ? 0 : (x >> 7) << 31 | (127 - (x >> 4 & 7)) << 23 | (x & 15) << 19;
}

static uint32_t lut16(uint32_t x)
{
    uint32_t e = x >> 10 & 31;
    return (x >> 15) << 31 | (e == 31 ? 0 : 112 + e) << 23 | (x & 0x3FF) << 13;
}

static uint32_t recip(uint32_t x)
{
    if (x < 0x00800000)
        return 0x7F800000;
    if (x < 0x7E800000)
        return ((253 - (x >> 23)) << 23) | (uint32_t)tf_reciprocal_table[x >> 16 & 0x7F] << 16;
    return 0;
}

static uint32_t expo(uint32_t x)
{
    if (x < 0x00800000)
        return 0x3F800000;
    if (x < 0x3C800000)
        return 0x3F810000 | (x & 0xFFFF);
    if (x < 0x3F320000)
        return 0x3F800000 | (uint32_t)tf_exponential_table[(x >> 16) - 0x3C80] << 16 | (x & 0xFFFF);
    if (x < 0x40000000)
        return 0x40000000 | (uint32_t)tf_exponential_table[(x >> 16) - 0x3C80] << 16 | (x & 0xFFFF);
    return 0x40800000 | (x & 0xFFFF);
}

static uint32_t mul24_add(uint32_t p, uint32_t z)
{
    unsigned z_e = z >> 23 & 0xFF;
    if (z_e == 0)
        return p;
    unsigned r_e = z_e > 129 ? z_e : 129, s = (r_e - z_e) & 31;
    uint32_t grs = ((1u << 23) + (z & 0x7FFFFF)) << 3, m = grs >> s;
    p >>= (r_e - 129) & 31;
    if (m != 0) {
        p += m;
        p += (uint32_t)(((m << s) ^ grs) > 0xFFFF) << 16;
        p &= 0x7FFFFF;
    }
    return p;
}

static uint32_t stochastic(struct model_lane *l, const struct fields *f, uint32_t word)
{
    uint32_t prng = advance(l) & 0x7FFFFF, rounding = bit_range(word, 21, 2), c = l->lreg[f->vc];
    unsigned mod = f->mod & 7;
    if (rounding == 0)
        prng = 0x400000;
    if (rounding == 2)
        prng = 0x7FFFFF;
    if (mod <= 1) {
        uint32_t e = c >> 23 & 0xFF, drop = mod == 0 ? 13 : 16;
        if (e == 0)
            return 0;
        if (e == 255)
            return c & 0xFF800000u;
        uint32_t discarded = c & ((1u << drop) - 1);
        return c - discarded + (discarded >= prng >> (23 - drop) ? 1u << drop : 0);
    }
    bool keep = mod & 1;
    uint32_t sign = keep ? c & 0x80000000u : 0;
    uint32_t most = mod == 2 || mod == 4 ? 255 : mod == 6 ? 65535 : mod == 7 ? 32767 : 127;
    uint64_t mag;
    if (mod == 4 || mod == 5) {
        mag = (uint64_t)(c & 0x7FFFFFFF) << 23;
        mag >>= f->mod & 8 ? bit_range(word, 16, 5) : l->lreg[f->vb] & 31;
        mag = (mag >> 23) + ((mag & 0x7FFFFF) >= prng);
    } else {
        int e = (int)(c >> 23 & 0xFF) - 127;
        if (e < -1)
            return 0;
        mag = 0x800000 | (c & 0x7FFFFF);
        mag = e >= 16 ? (uint64_t)most << 23 : e >= 0 ? mag << e : mag >> -e;
        mag = e >= 16 ? most : (mag >> 23) + ((mag & 0x7FFFFF) >= prng);
    }
    if (mag > most)
        mag = most;
    return (mag == 0 ? 0 : sign) | (uint32_t)mag;
}

static uint32_t shift(uint32_t x, int32_t amount, bool arithmetic)
{
    if (amount >= 0)
        return x << (amount & 31);
    unsigned right = (0u - (uint32_t)amount) & 31;
    return arithmetic && x >> 31 ? ~(~x >> right) : x >> right;
}

/* SFPLUT and the SFPMAD family: the value, which goes to VD or to the register that LReg[7] names. */
static void write_indirect(struct model_lane *l, bool indirect, unsigned vd, uint32_t d)
{
    write(l, indirect && vd != 16 ? l->lreg[7] & 15 : vd, d);
}

static uint32_t with_sign(bool retain, uint32_t d, uint32_t of)
{
    return retain ? (d & 0x7FFFFFFF) | (of & 0x80000000u) : d;
}

static void lut(struct model_lane *l, const struct fields *f, uint32_t word)
{
    uint32_t l3 = l->lreg[3], b = l3 & 0x7FFFFFFF, mod = bit_range(word, 16, 4);
    uint32_t k = l->lreg[b < 0x3F800000 ? 0 : b < 0x40000000 ? 1 : 2];
    uint32_t d = test_fma_fp32(lut8(k >> 8 & 0xFF), b, lut8(k & 0xFF));
    write_indirect(l, mod & 8, f->vd, with_sign(mod & 4, d, l3));
}

static void lutfp32(struct model_lane *l, const struct fields *f)
{
    uint32_t l3 = l->lreg[3], b = l3 & 0x7FFFFFFF, a, c;
    unsigned i = b < 0x3F800000 ? 0 : b < 0x40000000 ? 1 : 2;
    if ((f->mod & 2) == 0) {
        a = l->lreg[i];
        c = l->lreg[4 + i];
    } else if ((f->mod & 10) == 10) {
        a = lut16(l->lreg[i] >> 16);
        c = lut16(l->lreg[i] & 0xFFFF);
    } else {
        uint32_t cut = (f->mod & 3) == 3 ? 0x40800000 : 0x40400000;
        unsigned j = b < 0x3F000000   ? 0
                     : b < 0x3F800000 ? 16
                     : b < 0x3FC00000 ? 0
                     : b < 0x40000000 ? 16
                     : b < cut        ? 0
                                      : 16;
        a = lut16(l->lreg[i] >> j & 0xFFFF);
        c = lut16(l->lreg[4 + i] >> j & 0xFFFF);
    }
    write_indirect(l, f->mod & 8, f->vd, with_sign(f->mod & 4, test_fma_fp32(a, b, c), l3));
}

static uint32_t cast(struct model_lane *l, unsigned mod, uint32_t c)
{
    if ((mod & 3) == 2)
        return c >> 31 ? 0 - c : c;
    if ((mod & 3) == 3)
        return c >> 31 ? 0x80000000u | (0 - c) : c;
    uint32_t mag = c & 0x7FFFFFFF, lz = mag != 0 ? clz(mag) : 157, norm = mag << (lz & 31);
    uint32_t d = (c & 0x80000000u) + ((157 - lz) << 23) + (norm >> 8);
    if (mod & 1)
        return d + ((norm & 0xFE) > (advance(l) >> 9 & 0xFE));
    return d + ((norm & 0x80) != 0 && (norm & 0x17F) != 0);
}

static void mov(struct model_lane *l, const struct fields *f, bool on)
{
    uint32_t x;
    if (!on && f->mod != 2)
        return;
    if (f->mod & 8) {
        x = f->vc < 4     ? l->template[f->vc]
            : f->vc < 8   ? l->sequence[f->vc - 4]
            : f->vc == 8  ? l->misc
            : f->vc == 9  ? advance(l)
            : f->vc == 15 ? l->config
                          : 0;
    } else {
        x = l->lreg[f->vc] ^ (f->mod & 1 ? 0x80000000u : 0);
    }
    write(l, f->vd, x);
}

static uint32_t approximate(const struct model_lane *l, const struct fields *f)
{
    uint32_t x = l->lreg[f->vc], sign = x & 0x80000000u;
    if (f->mod == 0)
        return sign + recip(x - sign);
    if (f->mod == 1)
        return l->lreg[f->vb] >> 31 ? recip(x - sign) : x;
    return sign + expo(x - sign);
}

/* Instructions in which disabled lanes take part. False: the instruction is none of them. */
static bool any_lane(struct model_lane *l, const struct fields *f, bool on)
{
    uint32_t c = l->lreg[f->vc], d_old = l->lreg[f->vd];
    switch (f->op) {
    case TF_OP_SFPLE:
    case TF_OP_SFPGT: {
        bool gt = smaller(c, d_old), result = f->op == TF_OP_SFPGT ? gt : !gt;
        if (on && (f->mod & 8))
            write(l, f->vd, result ? 0xFFFFFFFF : 0);
        if (on && (f->mod & 1))
            l->flag = result;
        if ((f->mod & 2) != 0 && l->depth != 0) {
            bool *top = &l->stack_flag[l->depth - 1];
            *top = f->mod & 4 ? *top || result : *top && result;
        }
        return true;
    }
    case TF_OP_SFPMOV: mov(l, f, on); return true;
    case TF_OP_SFPENCC:
        if (f->mod & 2)
            l->use = f->imm12 & 1;
        else if (f->mod & 1)
            l->use = !l->use;
        l->flag = f->mod & 8 ? f->imm12 >> 1 & 1 : true;
        return true;
    case TF_OP_SFPCOMPC: {
        bool top_use = l->depth == 0 || l->stack_use[l->depth - 1];
        bool top_flag = l->depth == 0 || l->stack_flag[l->depth - 1];
        l->flag = top_use && l->use ? top_flag && !l->flag : false;
        return true;
    }
    case TF_OP_SFPPUSHC: {
        if (f->mod == 0)
            l->depth++;
        bool *flag = &l->stack_flag[l->depth - 1], *use = &l->stack_use[l->depth - 1];
        if (f->mod == 13)
            l->flag = !l->flag;
        *flag = f->mod >= 14                  ? f->mod == 14
                : f->mod == 0 || f->mod == 13 ? l->flag
                                              : boolean_op(f->mod, *flag, l->flag);
        *use = f->mod >= 14 ? true : l->use;
        return true;
    }
    case TF_OP_SFPPOPC: {
        bool flag = l->depth != 0 && l->stack_flag[l->depth - 1], use = l->depth != 0 && l->stack_use[l->depth - 1];
        if (f->mod == 0)
            l->depth--;
        l->use = f->mod <= 12 ? use : f->mod == 13 ? l->use : true;
        l->flag = f->mod == 0    ? flag
                  : f->mod <= 12 ? boolean_op(f->mod, l->flag, flag)
                  : f->mod == 13 ? !l->flag
                                 : f->mod == 14;
        return true;
    }
    default: return false;
    }
}

/* Instructions that have an effect even if VD cannot be written, or that write elsewhere. */
static void enabled_lane(struct model_lane *l, const struct fields *f, uint32_t word)
{
    uint32_t b = l->lreg[f->vb], c = l->lreg[f->vc], d_old = l->lreg[f->vd];
    bool writable = f->vd < 8 || f->vd == 16;
    switch (f->op) {
    case TF_OP_SFPSETCC:
        if (!l->use || (f->mod & 8))
            l->flag = false;
        else if (f->mod & 1)
            l->flag = f->imm12 & 1;
        else
            l->flag = f->mod == 0 ? c >> 31 : f->mod == 2 ? c != 0 : f->mod == 4 ? !(c >> 31) : c == 0;
        break;
    case TF_OP_SFP_STOCH_RND: write(l, f->vd, stochastic(l, f, word)); break;
    case TF_OP_SFPCAST:
        if (writable || (f->mod & 3) == 1)
            write(l, f->vd, cast(l, f->mod, c));
        break;
    case TF_OP_SFPMAD:
    case TF_OP_SFPADD:
    case TF_OP_SFPMUL: {
        uint32_t a = l->lreg[f->mod & 4 ? l->lreg[7] & 15 : f->va];
        uint32_t d = test_fma_fp32(a, b ^ (f->mod & 1 ? 0x80000000u : 0), c ^ (f->mod & 2 ? 0x80000000u : 0));
        write_indirect(l, f->mod & 8, f->vd, d);
        break;
    }
    case TF_OP_SFPADDI:
        write_indirect(l, f->mod & 8, f->vd,
                       test_fma_fp32(f->imm16 << 16, 0x3F800000, d_old ^ (f->mod & 2 ? 0x80000000u : 0)));
        break;
    case TF_OP_SFPMULI:
        write_indirect(l, f->mod & 8, f->vd, test_fma_fp32(f->imm16 << 16, d_old ^ (f->mod & 2 ? 0x80000000u : 0), 0));
        break;
    case TF_OP_SFPMUL24: {
        uint32_t a = l->lreg[f->mod & 4 ? l->lreg[7] & 15 : f->va];
        uint32_t p = f->mod & 1 ? (uint32_t)((uint64_t)(a & 0x7FFFFF) * (b & 0x7FFFFF) >> 23) : a * b & 0x7FFFFF;
        write_indirect(l, f->mod & 8, f->vd, mul24_add(p, c));
        break;
    }
    case TF_OP_SFPLUT: lut(l, f, word); break;
    case TF_OP_SFPLUTFP32: lutfp32(l, f); break;
    default: break;
    }
}

/* Instructions that change only VD, and flags with it. */
static void writable_lane(struct model_lane *l, const struct fields *f)
{
    uint32_t b = l->lreg[f->vb], c = l->lreg[f->vc], d_old = l->lreg[f->vd];
    switch (f->op) {
    case TF_OP_SFPABS:
        if (c >> 31)
            c = f->mod & 1 ? (c > 0xFF800000u ? c : c & 0x7FFFFFFF) : 0 - c;
        write(l, f->vd, c);
        break;
    case TF_OP_SFPAND: write(l, f->vd, (f->mod & 1 ? b : d_old) & c); break;
    case TF_OP_SFPOR: write(l, f->vd, (f->mod & 1 ? b : d_old) | c); break;
    case TF_OP_SFPXOR: write(l, f->vd, d_old ^ c); break;
    case TF_OP_SFPNOT: write(l, f->vd, ~c); break;
    case TF_OP_SFPDIVP2: {
        uint32_t e = c >> 23 & 0xFF;
        e = !(f->mod & 1) ? f->imm12 & 0xFF : e == 255 ? e : (e + f->imm12) & 0xFF;
        write(l, f->vd, (c & 0x807FFFFF) | e << 23);
        break;
    }
    case TF_OP_SFPEXEXP: {
        uint32_t d = (c >> 23 & 0xFF) - (f->mod & 1 ? 0 : 127);
        write(l, f->vd, d);
        if (f->vd < 8 && (f->mod & 2))
            l->flag = d >> 31;
        if (f->vd < 8 && (f->mod & 8))
            l->flag = !l->flag;
        break;
    }
    case TF_OP_SFPEXMAN: write(l, f->vd, (c & 0x7FFFFF) + (f->mod & 1 ? 0 : 0x800000)); break;
    case TF_OP_SFPIADD: {
        uint32_t d = f->mod & 1 ? c + (uint32_t)f->simm12 : f->mod & 2 ? c - d_old : c + d_old;
        write(l, f->vd, d);
        if (f->vd < 8 && !(f->mod & 4))
            l->flag = d >> 31;
        if (f->vd < 8 && (f->mod & 8))
            l->flag = !l->flag;
        break;
    }
    case TF_OP_SFPLZ:
        if (f->mod & 4)
            c &= 0x7FFFFFFF;
        write(l, f->vd, clz(c));
        if (f->vd < 8 && (f->mod & 2))
            l->flag = c != 0;
        if (f->vd < 8 && (f->mod & 8))
            l->flag = !l->flag;
        break;
    case TF_OP_SFPSHFT:
        write(l, f->vd, shift((f->mod & 5) == 5 ? c : d_old, f->mod & 1 ? f->simm12 : (int32_t)c, f->mod & 2));
        break;
    case TF_OP_SFPSETEXP:
        write(l, f->vd,
              (c & 0x807FFFFF) | (f->mod & 1   ? f->imm12 & 0xFF
                                  : f->mod & 2 ? d_old >> 23 & 0xFF
                                               : d_old & 0xFF)
                                     << 23);
        break;
    case TF_OP_SFPSETMAN: write(l, f->vd, (c & 0xFF800000u) | (f->mod & 1 ? f->imm12 << 11 : d_old & 0x7FFFFF)); break;
    case TF_OP_SFPSETSGN:
        write(l, f->vd, (c & 0x7FFFFFFF) | (f->mod & 1 ? (f->imm12 & 1) << 31 : d_old & 0x80000000u));
        break;
    case TF_OP_SFPARECIP: write(l, f->vd, approximate(l, f)); break;
    default: break;
    }
}

/* The lane is one that VD < 12 || DISABLE_BACKDOOR_LOAD holds for; `on` is LaneEnabled. */
static void one_lane(struct model_lane *l, const struct fields *f, uint32_t word, bool on)
{
    if (any_lane(l, f, on) || !on)
        return;
    enabled_lane(l, f, word);
    if (f->vd < 8 || f->vd == 16)
        writable_lane(l, f);
}

static bool loadi(struct model *m, uint32_t word)
{
    unsigned vd = bit_range(word, 20, 4), mod = bit_range(word, 16, 4);
    uint32_t imm = word & 0xFFFF;
    for (unsigned i = 0; i < 32 && vd < 8; i++) {
        struct model_lane *l = &m->lane[i];
        uint32_t old = l->lreg[vd], value;
        switch (mod) {
        case 0: value = imm << 16; break;
        case 1: value = (imm >> 15) << 31 | ((imm >> 10 & 31) + 112) << 23 | (imm & 0x3FF) << 13; break;
        case 2: value = imm; break;
        case 4: value = imm & 0x8000 ? imm | 0xFFFF0000u : imm; break;
        case 8: value = imm << 16 | (old & 0xFFFF); break;
        case 10: value = (old & 0xFFFF0000u) | imm; break;
        default: return false;
        }
        if (enabled(l, i))
            l->lreg[vd] = value;
    }
    return true;
}

static void configure(struct model *m, const struct fields *f)
{
    static const uint32_t constants[] = {0xBF800000, 0x37800000, 0xBF2CC4C7, 0xBEB08FF9};
    struct model_lane before[8];
    memcpy(before, m->lane, sizeof before);
    for (unsigned i = 0; i < 32; i++) {
        struct model_lane *l = &m->lane[i];
        const struct model_lane *from = &before[i & 7];
        if ((f->mod & 8) && !(f->imm16 >> (i & 7) * 2 & 1))
            continue;
        if (from->use && !from->flag)
            continue;
        uint32_t value = f->mod & 1 ? f->imm16 : from->lreg[0], *to;
        if (f->vd < 4) {
            l->template[f->vd] = from->lreg[0];
        } else if (f->vd < 8) {
            l->sequence[f->vd - 4] = value;
        } else if (f->vd >= 11 && f->vd <= 14) {
            l->lreg[f->vd] = f->mod & 1 ? constants[f->vd - 11] : from->lreg[0];
        } else if (f->vd == 8 || f->vd == 15) {
            uint32_t limit = f->vd == 8 ? 0xFFF : 0x3FFFF, old;
            to = f->vd == 8 ? &l->misc : &l->config;
            old = *to;
            value &= limit;
            unsigned how = f->mod & 6;
            *to = how == 0 ? value : how == 2 ? old | value : how == 4 ? old & value : old ^ value;
            if (f->vd == 15 && (f->mod & 1))
                *to |= old & 0x30000;
        }
    }
}

static void swap(struct model *m, const struct fields *f)
{
    static const uint32_t gets_min[16] = {0,          0xFFFFFFFF, 0x0000FFFF, 0x00FF00FF, 0xFF0000FF,
                                          0x000000FF, 0x0000FF00, 0x00FF0000, 0xFF000000};
    for (unsigned i = 0; i < 32; i++) {
        struct model_lane *l = &m->lane[i];
        if (!(f->vd < 12 || no_backdoor(l)) || !enabled(l, i))
            continue;
        uint32_t c = l->lreg[f->vc], d = l->lreg[f->vd];
        bool should = true;
        if (f->mod != 0) {
            bool min = smaller(c, d) || (c == d && c >> 31);
            should = gets_min[f->mod] >> i & 1 ? min : !min;
            if (l->config & 0x100)
                should = !should;
        }
        if (!should)
            continue;
        unsigned limit = l->config & 4 ? 4 : 8;
        if (f->vc < limit)
            l->lreg[f->vc] = d;
        if (f->vd < limit)
            l->lreg[f->vd] = c;
        if (l->config & 4) {
            uint32_t *ca = &l->lreg[4 + (f->vc & 3)], *da = &l->lreg[4 + (f->vd & 3)], t = *ca;
            *ca = *da;
            *da = t;
        }
    }
}

static void transpose(struct model *m, const struct fields *f)
{
    struct model_lane before[32];
    memcpy(before, m->lane, sizeof before);
    for (unsigned lane = 0; lane < 32; lane++) {
        struct model_lane *l = &m->lane[lane];
        if (!(f->vd < 12 || no_backdoor(l)) || !enabled(l, lane))
            continue;
        for (unsigned r = 0; r < 8; r++)
            l->lreg[r] = before[(r & 3) * 8 + lane % 8].lreg[(r & 4) + lane / 8];
    }
}

static bool shift2(struct model *m, const struct fields *f)
{
    struct model_lane old[32];
    memcpy(old, m->lane, sizeof old);
    if (f->mod > 6)
        return false;
    for (unsigned i = 0; i < 32; i++) {
        struct model_lane *l = &m->lane[i];
        uint32_t rotated = i & 7 ? old[i - 1].lreg[f->vc] : old[i + 7].lreg[f->vc];
        if (!(f->vd < 12 || no_backdoor(l)) || !enabled(l, i))
            continue;
        if (f->mod <= 2) {
            l->lreg[0] = old[i].lreg[1];
            l->lreg[1] = old[i].lreg[2];
            l->lreg[2] = old[i].lreg[3];
            l->lreg[3] = f->mod == 0 ? 0 : f->mod == 1 ? (i < 24 ? old[i + 8].lreg[0] : 0) : rotated;
        } else if (f->mod == 3) {
            write(l, f->vd, rotated);
        } else if (f->mod == 4) {
            write(l, f->vd, i & 7 ? rotated : 0);
        } else {
            write(l, f->vd, shift(old[i].lreg[f->vb], f->mod == 5 ? (int32_t)old[i].lreg[f->vc] : f->simm12, false));
        }
    }
    return true;
}

/* TEN-2932: with ENABLE_DEST_INDEX in any lane, LReg[4] to LReg[7] are for loads, swaps and transposing. */
static bool spoils_indices(const struct model *m, const struct fields *f)
{
    bool follow = false, writes = f->vd >= 4 && f->vd < 8;
    for (unsigned i = 0; i < 8; i++)
        follow |= m->lane[i].config >> 2 & 1;
    if (f->op == TF_OP_SFPSETCC || f->op == TF_OP_SFPENCC || f->op == TF_OP_SFPPUSHC || f->op == TF_OP_SFPPOPC ||
        f->op == TF_OP_SFPCOMPC || (f->op == TF_OP_SFPSHFT2 && f->mod <= 2) ||
        ((f->op == TF_OP_SFPGT || f->op == TF_OP_SFPLE) && f->mod < 8))
        writes = false;
    return follow && writes;
}

static bool objects(const struct model *m, const struct fields *f, bool (*concerns)(const struct model_lane *l))
{
    for (unsigned i = 0; i < 32; i++) {
        unsigned depth = m->lane[i].depth;
        if (f->vd >= 12 && !concerns(&m->lane[i]))
            continue;
        if (f->op == TF_OP_SFPPUSHC && (f->mod == 0 ? depth == 8 : depth == 0))
            return true;
        if (f->op == TF_OP_SFPPOPC && f->mod == 0 && depth == 0)
            return true;
    }
    return false;
}

/* Template writes in lanes where VD >= 12 means that. Returns whether any lane executes the instruction. */
static bool backdoor(struct model *m, unsigned vd, uint32_t word)
{
    bool any = false;
    struct model_lane before[8];
    memcpy(before, m->lane, sizeof before);
    for (unsigned i = 0; i < 32; i++) {
        const struct model_lane *from = &before[i & 7];
        if (no_backdoor(&m->lane[i]))
            any = true;
        else if (!from->use || from->flag)
            m->lane[i].template[vd - 12] = word;
    }
    return any;
}

bool model_execute(struct model *m, uint32_t word)
{
    struct fields f = {
        .op = word >> 24,
        .mod = word & 15,
        .vd = bit_range(word, 4, 4),
        .vc = bit_range(word, 8, 4),
        .vb = bit_range(word, 12, 4),
        .va = bit_range(word, 16, 4),
        .imm12 = bit_range(word, 12, 12),
        .imm16 = bit_range(word, 8, 16),
    };
    f.simm12 = f.imm12 & 0x800 ? (int32_t)f.imm12 - 4096 : (int32_t)f.imm12;
    if (f.op <= TF_OP_SFPLUT)
        f.vd = bit_range(word, 20, 4);
    if (f.vd >= 12 && f.op != TF_OP_SFPCONFIG && f.op != TF_OP_SFPNOP && !backdoor(m, f.vd, word))
        return true;
    switch (f.op) {
    case TF_OP_SFPNOP: return true;
    case TF_OP_SFPLOADI: return loadi(m, word);
    case TF_OP_SFPLOAD: model_load(m, word); return true;
    case TF_OP_SFPSTORE: model_store(m, word); return true;
    case TF_OP_SFPCONFIG: configure(m, &f); return true;
    case TF_OP_SFPSWAP: swap(m, &f); return true;
    case TF_OP_SFPTRANSP: transpose(m, &f); return true;
    default: break;
    }
    if (spoils_indices(m, &f))
        return false;
    if (f.op == TF_OP_SFPSHFT2)
        return shift2(m, &f);
    if (objects(m, &f, no_backdoor))
        return false;
    for (unsigned i = 0; i < 32; i++)
        if (f.vd < 12 || no_backdoor(&m->lane[i]))
            one_lane(&m->lane[i], &f, word, enabled(&m->lane[i], i));
    return true;
}

void model_reset(struct model *m)
{
    memset(m, 0, sizeof *m);
    for (unsigned i = 0; i < 32; i++) {
        uint32_t *r = m->lane[i].lreg;
        r[8] = 0x3F56594B;
        r[10] = 0x3F800000;
        r[11] = 0xBF800000;
        r[12] = 0x37800000;
        r[13] = 0xBF2CC4C7;
        r[14] = 0xBEB08FF9;
        r[15] = 2 * i;
    }
}
