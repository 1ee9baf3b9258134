/* SPDX-License-Identifier: Apache-2.0 */
#include "vmodel_lane.h"

#include <math.h>
#include <string.h>

/* ---- registers ---- */

static uint64_t raw(const struct lane_op *o, unsigned reg, unsigned eew, unsigned i)
{
    uint64_t value = 0;
    for (unsigned byte = 0; byte < eew / 8; byte++) {
        unsigned at = i * (eew / 8) + byte;
        value |= (uint64_t)o->old[(reg + at / 16) & 31][at % 16] << (8 * byte);
    }
    return value;
}

static void put(const struct lane_op *o, unsigned reg, unsigned eew, unsigned i, uint64_t value)
{
    for (unsigned byte = 0; byte < eew / 8; byte++) {
        unsigned at = i * (eew / 8) + byte;
        o->m->v[(reg + at / 16) & 31][at % 16] = (uint8_t)(value >> (8 * byte));
    }
}

static bool bit(const struct lane_op *o, unsigned reg, unsigned i)
{
    return o->old[reg][i / 8] & (1 << i % 8);
}

static void put_bit(const struct lane_op *o, unsigned reg, unsigned i, bool value)
{
    uint8_t *byte = &o->m->v[reg][i / 8];
    *byte = (uint8_t)(value ? *byte | (1 << i % 8) : *byte & ~(1 << i % 8));
}

static bool active(const struct lane_op *o, unsigned i)
{
    return o->vm || bit(o, 0, i);
}

/* Register groups as sets of registers; 0 where the group does not exist. */
static uint32_t group(double emul, unsigned reg)
{
    if (emul > 8 || emul < 0.125)
        return 0;
    unsigned count = emul > 1 ? (unsigned)emul : 1;
    return reg % count == 0 ? (uint32_t)(((uint64_t)1 << count) - 1) << reg : 0;
}

static double emul_of(const struct lane_op *o, unsigned eew)
{
    return eew == 1 ? 1 : o->lmul * eew / o->sew;
}

static uint32_t regs(const struct lane_op *o, unsigned reg, unsigned eew)
{
    return group(emul_of(o, eew), reg);
}

/* Section 5.2: "The destination vector register group for a vector instruction can overlap the source only if". */
static bool may_overlap(const struct lane_op *o, unsigned d_eew, unsigned reg, unsigned eew)
{
    uint32_t d = regs(o, o->vd, d_eew), s = regs(o, reg, eew);
    if ((d & s) == 0 || d_eew == eew)
        return true;
    if (d_eew < eew)
        return o->vd == reg;
    /* "in the highest-numbered part of the destination", with a source EMUL of at least 1 */
    return emul_of(o, eew) >= 1 && (d & s) == s && __builtin_clz(d) == __builtin_clz(s);
}

/* ---- shapes ---- */

static bool b_is_vector(const struct lane_op *o)
{
    return o->f3 <= 2;
}

static void fetch_b(const struct lane_op *o, struct lane *l, unsigned i, bool immediate_is_unsigned)
{
    uint64_t value;
    if (b_is_vector(o))
        value = raw(o, o->vs1, o->sew, i);
    else if (o->f3 == 3)
        value = immediate_is_unsigned ? o->vs1 : (uint64_t)(int64_t)sx(o->vs1, 5);
    else if (o->f3 == 5)
        value = o->m->f[o->vs1];
    else
        value = o->m->x[o->vs1];
    l->rb = value & (((uint64_t)1 << o->sew) - 1);
    l->b = sx(l->rb, o->sew);
}

static bool mask_ok(const struct lane_op *o)
{
    return o->vm || o->vd != 0;
}

/* vd of d_eew, vs2 of a_eew, vs1 of SEW. */
static bool lanes(const struct lane_op *o, unsigned d_eew, unsigned a_eew, bool is_float)
{
    if (!regs(o, o->vd, d_eew) || !regs(o, o->vs2, a_eew) || !may_overlap(o, d_eew, o->vs2, a_eew) || !mask_ok(o))
        return false;
    if (b_is_vector(o) && (!regs(o, o->vs1, o->sew) || !may_overlap(o, d_eew, o->vs1, o->sew)))
        return false;
    for (unsigned i = 0; i < o->m->vl; i++) {
        struct lane l;
        if (!active(o, i))
            continue;
        l.ra = raw(o, o->vs2, a_eew, i);
        l.rd = raw(o, o->vd, d_eew, i);
        l.a = sx(l.ra, a_eew);
        l.d = sx(l.rd, d_eew);
        fetch_b(o, &l, i, o->f6 >= 0x25);
        put(o, o->vd, d_eew, i, is_float ? vmodel_float_lane(o, &l) : (uint64_t)vmodel_int_lane(o, &l));
    }
    return true;
}

static bool compares(const struct lane_op *o)
{
    if (!regs(o, o->vs2, o->sew) || !may_overlap(o, 1, o->vs2, o->sew))
        return false;
    if (b_is_vector(o) && (!regs(o, o->vs1, o->sew) || !may_overlap(o, 1, o->vs1, o->sew)))
        return false;
    for (unsigned i = 0; i < o->m->vl; i++) {
        struct lane l;
        l.ra = raw(o, o->vs2, o->sew, i);
        l.a = sx(l.ra, o->sew);
        fetch_b(o, &l, i, false);
        if (active(o, i))
            put_bit(o, o->vd, i, vmodel_compare_lane(o, &l));
    }
    return true;
}

/* vadc, vmadc, vsbc, vmsbc, vmerge, vmv.v, and those of floating point. */
static bool carries(const struct lane_op *o)
{
    bool out = o->f6 == 0x11 || o->f6 == 0x13, is_move = o->f6 == 0x17 && o->vm;
    if (is_move ? o->vs2 != 0 : !out && (o->vm || o->vd == 0))
        return false;
    if (!regs(o, o->vd, out ? 1 : o->sew))
        return false;
    if (!is_move && (!regs(o, o->vs2, o->sew) || !may_overlap(o, out ? 1 : o->sew, o->vs2, o->sew)))
        return false;
    if (b_is_vector(o) && (!regs(o, o->vs1, o->sew) || !may_overlap(o, out ? 1 : o->sew, o->vs1, o->sew)))
        return false;
    for (unsigned i = 0; i < o->m->vl; i++) {
        struct lane l;
        l.ra = raw(o, o->vs2, o->sew, i);
        fetch_b(o, &l, i, false);
        bool carry = !o->vm && bit(o, 0, i);
        wide sum = (wide)l.ra + l.rb + carry, difference = (wide)l.ra - l.rb - carry;
        switch (o->f6) {
        case 0x10: put(o, o->vd, o->sew, i, (uint64_t)sum); break;
        case 0x11: put_bit(o, o->vd, i, sum >= (wide)1 << o->sew); break;
        case 0x12: put(o, o->vd, o->sew, i, (uint64_t)difference); break;
        case 0x13: put_bit(o, o->vd, i, difference < 0); break;
        default: put(o, o->vd, o->sew, i, is_move || carry ? l.rb : l.ra); break;
        }
    }
    return true;
}

static bool reduces(const struct lane_op *o, bool widening)
{
    unsigned eew = widening ? 2 * o->sew : o->sew;
    if (!regs(o, o->vs2, o->sew))
        return false;
    uint64_t sum = raw(o, o->vs1, eew, 0);
    for (unsigned i = 0; i < o->m->vl; i++) {
        uint64_t element = raw(o, o->vs2, o->sew, i);
        wide a = sx(element, o->sew), s = sx(sum, eew);
        if (!active(o, i))
            continue;
        switch (o->f3 == 1 ? OPF(o->f6) : o->f3 == 2 ? OPM(o->f6) : OPI(o->f6)) {
        case OPI(0x30): sum += element; break;
        case OPI(0x31): sum += (uint64_t)a; break;
        case OPM(0): sum += element; break;
        case OPM(1): sum &= element; break;
        case OPM(2): sum |= element; break;
        case OPM(3): sum ^= element; break;
        case OPM(4): sum = element < sum ? element : sum; break;
        case OPM(5): sum = a < s ? element : sum; break;
        case OPM(6): sum = element > sum ? element : sum; break;
        case OPM(7): sum = a > s ? element : sum; break;
        case OPF(1):
        case OPF(3): sum = vmodel_add32(o, (uint32_t)sum, (uint32_t)element); break;
        default: sum = vmodel_minmax(o, (uint32_t)sum, (uint32_t)element, o->f6 == 7); break;
        }
        sum &= ~(uint64_t)0 >> (64 - eew);
    }
    if (o->m->vl != 0)
        put(o, o->vd, eew, 0, sum);
    return true;
}

static bool extends(const struct lane_op *o)
{
    if (o->vs1 < 2 || o->vs1 > 7)
        return false;
    unsigned by = 2u << (3 - o->vs1 / 2);
    if (o->sew / by < 8 || !regs(o, o->vd, o->sew) || !regs(o, o->vs2, o->sew / by) ||
        !may_overlap(o, o->sew, o->vs2, o->sew / by) || !mask_ok(o))
        return false;
    for (unsigned i = 0; i < o->m->vl; i++) {
        uint64_t a = raw(o, o->vs2, o->sew / by, i);
        if (active(o, i))
            put(o, o->vd, o->sew, i, o->vs1 % 2 ? (uint64_t)sx(a, o->sew / by) : a);
    }
    return true;
}

static bool converts(const struct lane_op *o)
{
    bool widening = o->vs1 >> 3 == 1, narrowing = o->vs1 >> 3 == 2;
    unsigned kind = o->vs1 & 7, d_eew = widening ? 2 * o->sew : o->sew, a_eew = narrowing ? 2 * o->sew : o->sew;
    bool to_float = kind == 2 || kind == 3, to_integer = kind < 2 || kind >= 6;
    /* the floating-point side must be 32 bits wide */
    if (o->vs1 >= 24 || (!to_float && !to_integer) || (to_float ? d_eew : a_eew) != 32 || d_eew > 32 || a_eew > 32)
        return false;
    if (!regs(o, o->vd, d_eew) || !regs(o, o->vs2, a_eew) || !may_overlap(o, d_eew, o->vs2, a_eew) || !mask_ok(o))
        return false;
    for (unsigned i = 0; i < o->m->vl; i++) {
        uint64_t a = raw(o, o->vs2, a_eew, i);
        if (!active(o, i))
            continue;
        if (to_float)
            put(o, o->vd, d_eew, i, vmodel_from_int(o, kind & 1 ? sx(a, a_eew) : (wide)a));
        else
            put(o, o->vd, d_eew, i, vmodel_to_int(o, (uint32_t)a, d_eew, kind & 1, kind >= 6));
    }
    return true;
}

static bool mask_logic(const struct lane_op *o)
{
    if (!o->vm)
        return false;
    for (unsigned i = 0; i < o->m->vl; i++) {
        bool a = bit(o, o->vs2, i), b = bit(o, o->vs1, i), r = false;
        switch (o->f6) {
        case 0x18: r = a && !b; break;
        case 0x19: r = a && b; break;
        case 0x1a: r = a || b; break;
        case 0x1b: r = a != b; break;
        case 0x1c: r = a || !b; break;
        case 0x1d: r = !(a && b); break;
        case 0x1e: r = !(a || b); break;
        case 0x1f: r = a == b; break;
        }
        put_bit(o, o->vd, i, r);
    }
    return true;
}

static bool to_scalars(const struct lane_op *o)
{
    uint32_t count = 0, first = ~0u;
    if (o->f3 == 2 && o->vs1 == 0) {
        if (!o->vm)
            return false;
        if (o->vd != 0)
            o->m->x[o->vd] = (uint32_t)sx(raw(o, o->vs2, o->sew, 0), o->sew);
        return true;
    }
    if (o->vs1 != 16 && o->vs1 != 17)
        return false;
    for (unsigned i = o->m->vl; i-- > 0;)
        if (active(o, i) && bit(o, o->vs2, i)) {
            count++;
            first = i;
        }
    if (o->vd != 0)
        o->m->x[o->vd] = o->vs1 == 16 ? count : first;
    return true;
}

static bool mask_unary(const struct lane_op *o)
{
    bool found = false;
    unsigned count = 0;
    if (o->vs1 == 16 || o->vs1 == 17) {
        uint32_t d = regs(o, o->vd, o->sew);
        if (!d || !mask_ok(o) || (o->vs1 == 17 ? o->vs2 != 0 : (d >> o->vs2 & 1) != 0))
            return false;
        for (unsigned i = 0; i < o->m->vl; i++) {
            if (!active(o, i))
                continue;
            put(o, o->vd, o->sew, i, o->vs1 == 17 ? i : count);
            count += bit(o, o->vs2, i);
        }
        return true;
    }
    if (o->vs1 < 1 || o->vs1 > 3 || o->vd == o->vs2 || !mask_ok(o))
        return false;
    for (unsigned i = 0; i < o->m->vl; i++) {
        if (!active(o, i))
            continue;
        bool this_one = bit(o, o->vs2, i) && !found;
        bool after_first = found;
        found = found || this_one;
        put_bit(o, o->vd, i, o->vs1 == 1 ? !this_one && !after_first : o->vs1 == 2 ? this_one : !after_first);
    }
    return true;
}

/* Section 16.3 to 16.5. No overlap of vd with what a gather, a compression or a slide up reads. */
static bool permutes(const struct lane_op *o)
{
    uint32_t d = regs(o, o->vd, o->sew), s = regs(o, o->vs2, o->sew);
    bool e16 = o->f6 == 0x0e && o->f3 == 0, one = o->f3 == 6 || o->f3 == 5;
    if (!d || !s || !mask_ok(o) || ((d & s) != 0 && o->f6 != 0x0f))
        return false;
    unsigned index_eew = e16 ? 16 : o->sew;
    if (o->f3 == 0 && (!regs(o, o->vs1, index_eew) || (d & regs(o, o->vs1, index_eew)) != 0))
        return false;
    uint64_t scalar = o->f3 == 5 ? o->m->f[o->vs1] : o->f3 == 3 ? o->vs1 : o->m->x[o->vs1];
    uint64_t by = one ? 1 : scalar;
    for (unsigned i = 0; i < o->m->vl; i++) {
        uint64_t from;
        if (!active(o, i))
            continue;
        if (o->f6 == 0x0c || e16)
            from = o->f3 == 0 ? raw(o, o->vs1, index_eew, i) : scalar;
        else if (o->f6 == 0x0f)
            from = i + by;
        else if (i >= by)
            from = i - by;
        else if (one) {
            put(o, o->vd, o->sew, i, scalar);
            continue;
        } else
            continue;
        if (o->f6 == 0x0f && one && i == o->m->vl - 1)
            put(o, o->vd, o->sew, i, scalar);
        else
            put(o, o->vd, o->sew, i, from < o->vlmax ? raw(o, o->vs2, o->sew, (unsigned)from) : 0);
    }
    return true;
}

static bool compresses(const struct lane_op *o)
{
    uint32_t d = regs(o, o->vd, o->sew), s = regs(o, o->vs2, o->sew);
    unsigned count = 0;
    if (!o->vm || !d || !s || (d & s) != 0 || (d >> o->vs1 & 1) != 0)
        return false;
    for (unsigned i = 0; i < o->m->vl; i++)
        if (bit(o, o->vs1, i))
            put(o, o->vd, o->sew, count++, raw(o, o->vs2, o->sew, i));
    return true;
}

static bool moves_registers(const struct lane_op *o)
{
    unsigned count = o->vs1 + 1;
    if (!o->vm || (count != 1 && count != 2 && count != 4 && count != 8) || o->vd % count != 0 || o->vs2 % count != 0)
        return false;
    for (unsigned i = 0; i < count; i++)
        memcpy(o->m->v[o->vd + i], o->old[o->vs2 + i], 16);
    return true;
}

static bool set_first_element(const struct lane_op *o, uint32_t value)
{
    if (!o->vm || o->vs2 != 0)
        return false;
    if (o->m->vl != 0)
        put(o, o->vd, o->sew, 0, value);
    return true;
}

static bool opi(const struct lane_op *o)
{
    static const char forms[64][4] = {
        [0x00] = "vxi", [0x02] = "vx",  [0x03] = "xi",  [0x04] = "vx",  [0x05] = "vx",  [0x06] = "vx",  [0x07] = "vx",
        [0x09] = "vxi", [0x0a] = "vxi", [0x0b] = "vxi", [0x0c] = "vxi", [0x0e] = "vxi", [0x0f] = "xi",  [0x10] = "vxi",
        [0x11] = "vxi", [0x12] = "vx",  [0x13] = "vx",  [0x17] = "vxi", [0x18] = "vxi", [0x19] = "vxi", [0x1a] = "vx",
        [0x1b] = "vx",  [0x1c] = "vxi", [0x1d] = "vxi", [0x1e] = "xi",  [0x1f] = "xi",  [0x20] = "vxi", [0x21] = "vxi",
        [0x22] = "vx",  [0x23] = "vx",  [0x25] = "vxi", [0x27] = "vxi", [0x28] = "vxi", [0x29] = "vxi", [0x2a] = "vxi",
        [0x2b] = "vxi", [0x2c] = "vxi", [0x2d] = "vxi", [0x2e] = "vxi", [0x2f] = "vxi", [0x30] = "v",   [0x31] = "v",
    };
    if (strchr(forms[o->f6], o->f3 == 0 ? 'v' : o->f3 == 3 ? 'i' : 'x') == NULL)
        return false;
    if (o->f6 == 0x27 && o->f3 == 3)
        return moves_registers(o);
    if (o->f6 >= 0x30)
        return o->sew < 32 && reduces(o, true);
    if (o->f6 >= 0x2c)
        return o->sew < 32 && lanes(o, o->sew, 2 * o->sew, false);
    if (o->f6 >= 0x18 && o->f6 <= 0x1f)
        return compares(o);
    if (o->f6 >= 0x10 && o->f6 <= 0x17)
        return carries(o);
    if (o->f6 >= 0x0c && o->f6 <= 0x0f)
        return permutes(o);
    return lanes(o, o->sew, o->sew, false);
}

static bool opm(const struct lane_op *o)
{
    bool vector = o->f3 == 2;
    if (o->f6 < 8)
        return vector && reduces(o, false);
    if (o->f6 <= 0x0b || (o->f6 >= 0x24 && o->f6 <= 0x27))
        return lanes(o, o->sew, o->sew, false);
    if (o->f6 == 0x0e || o->f6 == 0x0f)
        return !vector && permutes(o);
    if (o->f6 == 0x10)
        return vector ? to_scalars(o) : set_first_element(o, o->m->x[o->vs1]);
    if (o->f6 == 0x12)
        return vector && extends(o);
    if (o->f6 == 0x14)
        return vector && mask_unary(o);
    if (o->f6 == 0x17)
        return vector && compresses(o);
    if (o->f6 >= 0x18 && o->f6 <= 0x1f)
        return vector && mask_logic(o);
    if (o->f6 == 0x29 || o->f6 == 0x2b || o->f6 == 0x2d || o->f6 == 0x2f)
        return lanes(o, o->sew, o->sew, false);
    if (o->f6 < 0x30 || o->f6 == 0x39 || (o->f6 == 0x3e && vector) || o->sew == 32)
        return false;
    return lanes(o, 2 * o->sew, o->f6 >= 0x34 && o->f6 <= 0x37 ? 2 * o->sew : o->sew, false);
}

static bool classifies(const struct lane_op *o)
{
    if (o->vs1 != 16 || !regs(o, o->vd, 32) || !regs(o, o->vs2, 32) || !mask_ok(o))
        return false;
    for (unsigned i = 0; i < o->m->vl; i++)
        if (active(o, i))
            put(o, o->vd, 32, i, vmodel_class32((uint32_t)raw(o, o->vs2, 32, i)));
    return true;
}

static bool opf(const struct lane_op *o)
{
    bool vector = o->f3 == 1;
    if (o->f6 == 0x12)
        return vector && converts(o);
    if (o->sew != 32)
        return false;
    switch (o->f6) {
    case 0x01:
    case 0x03:
    case 0x05:
    case 0x07: return vector && reduces(o, false);
    case 0x0e:
    case 0x0f: return !vector && permutes(o);
    case 0x10:
        if (!vector)
            return set_first_element(o, o->m->f[o->vs1]);
        o->m->f[o->vd] = (uint32_t)raw(o, o->vs2, 32, 0);
        return o->vm && o->vs1 == 0;
    case 0x13: return vector && classifies(o);
    case 0x17: return !vector && carries(o);
    case 0x1d:
    case 0x1f: return !vector && compares(o);
    case 0x18:
    case 0x19:
    case 0x1b:
    case 0x1c: return compares(o);
    case 0x27: return !vector && lanes(o, 32, 32, true);
    case 0x00:
    case 0x02:
    case 0x04:
    case 0x06:
    case 0x08:
    case 0x09:
    case 0x0a:
    case 0x24: return lanes(o, 32, 32, true);
    default: return o->f6 >= 0x28 && o->f6 <= 0x2f && lanes(o, 32, 32, true);
    }
}

/* ---- configuration and memory ---- */

/* Section 3.4; fractions for which SEW <= LMUL * ELEN, with ELEN 32. */
static bool take_vtype(uint32_t vtype, unsigned *sew, double *lmul)
{
    int log = (vtype & 7) >= 4 ? (int)(vtype & 7) - 8 : (int)(vtype & 7);
    *sew = 8u << (vtype >> 3 & 7);
    *lmul = ldexp(1, log);
    return vtype < 256 && (vtype & 7) != 4 && *sew <= 32 && *sew <= *lmul * 32;
}

static bool configures(struct vmodel *m, uint32_t word)
{
    unsigned rd = word >> 7 & 31, rs1 = word >> 15 & 31, sew, old_sew;
    double lmul, old_lmul;
    uint32_t vtype, avl;
    if (word >> 31 == 0)
        vtype = word >> 20;
    else if (word >> 30 == 3)
        vtype = word >> 20 & 0x3ff;
    else if (word >> 25 == 0x40)
        vtype = m->x[word >> 20 & 31];
    else
        return false;
    if (!take_vtype(vtype, &sew, &lmul))
        return false;
    unsigned vlmax = (unsigned)(128 * lmul / sew);
    if (word >> 30 == 3)
        avl = rs1;
    else if (rs1 != 0)
        avl = m->x[rs1];
    else if (rd != 0)
        avl = ~0u;
    else if (take_vtype(m->vtype, &old_sew, &old_lmul) && old_sew / old_lmul == sew / lmul)
        avl = m->vl;
    else
        return false;
    m->vl = avl > vlmax ? vlmax : avl;
    m->vtype = vtype;
    if (rd != 0)
        m->x[rd] = m->vl;
    return true;
}

static bool transfer(const struct lane_op *o, bool store, unsigned reg, unsigned eew, unsigned i, uint32_t address)
{
    const struct vmodel *m = o->m;
    unsigned bytes = eew / 8;
    if (address % bytes != 0 || address > m->memory_bytes - bytes)
        return false;
    for (unsigned byte = 0; byte < bytes; byte++) {
        unsigned at = i * bytes + byte;
        if (store)
            m->memory[address + byte] = o->old[reg + at / 16][at % 16];
        else
            o->m->v[reg + at / 16][at % 16] = m->memory[address + byte];
    }
    return true;
}

static bool accesses_memory(struct lane_op *o, uint32_t word)
{
    static const unsigned eews[8] = {8, 0, 0, 0, 0, 16, 32, 64};
    bool store = (word & 0x7f) == 0x27;
    unsigned eew = eews[o->f3], mop = word >> 26 & 3, fields = (word >> 29) + 1, lumop = o->vs2;
    uint32_t base = o->m->x[o->vs1];
    if (eew == 0 || eew == 64 || word >> 28 & 1)
        return false;
    if (mop == 0 && lumop == 11) { /* mask */
        if (!o->vm || fields != 1 || eew != 8)
            return false;
        for (unsigned i = 0; i < (o->m->vl + 7) / 8; i++)
            if (!transfer(o, store, o->vd, 8, i, base + i))
                return false;
        return true;
    }
    if (mop == 0 && lumop == 8) { /* whole registers */
        if (!o->vm || (fields & (fields - 1)) != 0 || (store && eew != 8) || o->vd % fields != 0)
            return false;
        for (unsigned i = 0; i < fields * 128 / eew; i++)
            if (!transfer(o, store, o->vd, eew, i, base + i * eew / 8))
                return false;
        return true;
    }
    if (mop == 0 && lumop != 0 && (lumop != 16 || store))
        return false;
    bool indexed = mop & 1;
    unsigned d_eew = indexed ? o->sew : eew;
    double emul = emul_of(o, d_eew);
    unsigned each = emul > 1 ? (unsigned)emul : 1;
    if (!regs(o, o->vd, d_eew) || (!store && !mask_ok(o)))
        return false;
    if (fields > 1 && (each * fields > 8 || o->vd + each * fields > 32))
        return false;
    if (indexed) {
        uint32_t s = regs(o, o->vs2, eew), d = (uint32_t)((((uint64_t)1 << each * fields) - 1) << o->vd);
        if (!s || (!store && (fields == 1 ? !may_overlap(o, d_eew, o->vs2, eew) : (d & s) != 0)))
            return false;
    }
    for (unsigned i = 0; i < o->m->vl; i++)
        for (unsigned field = 0; field < fields && active(o, i); field++) {
            uint32_t offset = mop == 0   ? i * fields * eew / 8
                              : mop == 2 ? i * o->m->x[o->vs2]
                                         : (uint32_t)raw(o, o->vs2, eew, i);
            if (transfer(o, store, o->vd + field * each, d_eew, i, base + offset + field * d_eew / 8))
                continue;
            if (mop != 0 || lumop != 16 || i == 0)
                return false;
            o->m->vl = i;
            return true;
        }
    return true;
}

bool vmodel_step(struct vmodel *m, uint32_t word)
{
    struct lane_op o = {.m = m,
                        .f6 = word >> 26,
                        .vm = word >> 25 & 1,
                        .vs2 = word >> 20 & 31,
                        .vs1 = word >> 15 & 31,
                        .f3 = word >> 12 & 7,
                        .vd = word >> 7 & 31};
    if ((word & 0x7f) == 0x57 && o.f3 == 7)
        return configures(m, word);
    if (!take_vtype(m->vtype, &o.sew, &o.lmul))
        return false;
    o.vlmax = (unsigned)(128 * o.lmul / o.sew);
    if (m->vl > o.vlmax)
        return false;
    memcpy(o.old, m->v, sizeof o.old);
    if ((word & 0x7f) == 0x07 || (word & 0x7f) == 0x27)
        return accesses_memory(&o, word);
    if ((word & 0x7f) != 0x57)
        return false;
    switch (o.f3) {
    case 1:
    case 5: return opf(&o);
    case 2:
    case 6: return opm(&o);
    default: return opi(&o);
    }
}
