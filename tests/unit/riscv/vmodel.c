/* SPDX-License-Identifier: Apache-2.0 */
#include "vmodel.h"

#include <math.h>
#include <string.h>

#include "tile/riscv/fma.h"

typedef __int128 wide;

/* An instruction on its way. */
struct lane_op {
    struct vmodel *m;
    unsigned f6, f3, vm, vs2, vs1, vd;
    unsigned sew, vlmax;
    double lmul;
    uint8_t old[32][16];
};

#define OPI(funct6) (funct6)
#define OPM(funct6) (0x40 | (funct6))
#define OPF(funct6) (0x80 | (funct6))

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

static wide sx(uint64_t value, unsigned eew)
{
    wide w = value;
    return value >> (eew - 1) & 1 ? w - ((wide)1 << eew) : w;
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

/* ---- fixed point, section 12; "roundoff" of section 3.8 ---- */

static wide roundoff(const struct lane_op *o, wide v, unsigned d)
{
    if (d == 0)
        return v;
    wide unit = (wide)1 << d;
    wide floor = v >= 0 ? v / unit : -((-v + unit - 1) / unit);
    wide rest = v - floor * unit;
    bool up;
    switch (o->m->vxrm) {
    case 0: up = rest >= unit / 2; break;
    case 1: up = rest > unit / 2 || (rest == unit / 2 && floor % 2 != 0); break;
    case 2: up = false; break;
    default: up = rest != 0 && floor % 2 == 0; break;
    }
    return floor + up;
}

static wide saturate(const struct lane_op *o, wide v, bool is_signed)
{
    wide most = is_signed ? ((wide)1 << (o->sew - 1)) - 1 : ((wide)1 << o->sew) - 1;
    wide least = is_signed ? -most - 1 : 0;
    if (v > most || v < least)
        o->m->vxsat = 1;
    return v > most ? most : v < least ? least : v;
}

/* ---- floating point ---- */

enum { NX = 1, NV = 16 };

static float value_of(uint32_t a)
{
    float value;
    memcpy(&value, &a, 4);
    return value;
}

static bool nan32(uint32_t a)
{
    return (a & 0x7fffffff) > 0x7f800000;
}

static bool snan32(uint32_t a)
{
    return nan32(a) && !(a & 0x400000);
}

static uint32_t fma32(const struct lane_op *o, uint32_t x, uint32_t y, uint32_t z, bool negate_xy, bool negate_z)
{
    uint32_t minus = 0x80000000u, flags = 0;
    uint32_t result = tf_fma(negate_xy ? x ^ minus : x, y, negate_z ? z ^ minus : z, TF_FMA_FP32, &flags);
    o->m->fflags |= flags;
    return result;
}

static uint32_t add32(const struct lane_op *o, uint32_t a, uint32_t b)
{
    return fma32(o, a, 0x3f800000, b, false, false);
}

static uint32_t mul32(const struct lane_op *o, uint32_t a, uint32_t b)
{
    return fma32(o, a, b, (a ^ b) & 0x80000000u, false, false);
}

static uint32_t minmax(const struct lane_op *o, uint32_t a, uint32_t b, bool most)
{
    if (snan32(a) || snan32(b))
        o->m->fflags |= NV;
    if (nan32(a) && nan32(b))
        return 0x7fc00000;
    if (nan32(a) || nan32(b))
        return nan32(a) ? b : a;
    if (value_of(a) == value_of(b))
        return (a >> 31 != 0) == most ? b : a; /* -0 < +0 */
    return (value_of(a) < value_of(b)) == most ? b : a;
}

static bool order(const struct lane_op *o, uint32_t a, uint32_t b, const char *relation)
{
    if (nan32(a) || nan32(b)) {
        if (relation[0] != '=' || snan32(a) || snan32(b))
            o->m->fflags |= NV;
        return false;
    }
    float x = value_of(a), y = value_of(b);
    return relation[0] == '=' ? x == y : relation[1] == '=' ? x <= y : x < y;
}

static uint32_t class32(uint32_t a)
{
    bool minus = a >> 31;
    uint32_t magnitude = a & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return magnitude & 0x400000 ? 0x200 : 0x100;
    if (magnitude == 0x7f800000)
        return minus ? 1 : 0x80;
    if (magnitude == 0)
        return minus ? 8 : 0x10;
    if (magnitude < 0x800000)
        return minus ? 4 : 0x20;
    return minus ? 2 : 0x40;
}

static uint64_t to_int(const struct lane_op *o, uint32_t a, unsigned width, bool is_signed, bool truncate)
{
    double most = ldexp(1, (int)width - (is_signed ? 1 : 0)) - 1, least = is_signed ? -most - 1 : 0;
    if (nan32(a)) {
        o->m->fflags |= NV;
        return (uint64_t)most;
    }
    double exact = value_of(a), whole = truncate ? trunc(exact) : rint(exact);
    if (whole > most || whole < least) {
        o->m->fflags |= NV;
        return (uint64_t)(int64_t)(whole > most ? most : least);
    }
    if (whole != exact)
        o->m->fflags |= NX;
    return (uint64_t)(int64_t)whole;
}

static uint32_t from_int(const struct lane_op *o, wide value)
{
    float result = (float)(double)value; /* at most 33 bits: exact as double */
    if ((double)result != (double)value)
        o->m->fflags |= NX;
    uint32_t bits;
    memcpy(&bits, &result, 4);
    return bits;
}

/* ---- one lane: a of vs2, b of vs1, rs1 or the immediate, d of vd; signed values, and raw ones ---- */

struct lane {
    wide a, b, d;
    uint64_t ra, rb, rd;
};

static uint32_t float_lane(const struct lane_op *o, const struct lane *l)
{
    uint32_t a = (uint32_t)l->ra, b = (uint32_t)l->rb, d = (uint32_t)l->rd, minus = 0x80000000u;
    switch (o->f6) {
    case 0x00: return add32(o, a, b);
    case 0x02: return add32(o, a, b ^ minus);
    case 0x27: return add32(o, b, a ^ minus);
    case 0x24: return mul32(o, a, b);
    case 0x04: return minmax(o, a, b, false);
    case 0x06: return minmax(o, a, b, true);
    case 0x08: return (a & ~minus) | (b & minus);
    case 0x09: return (a & ~minus) | (minus & ~b);
    case 0x0a: return a ^ (b & minus);
    case 0x28: return fma32(o, b, d, a, false, false);
    case 0x29: return fma32(o, b, d, a, true, true);
    case 0x2a: return fma32(o, b, d, a, false, true);
    case 0x2b: return fma32(o, b, d, a, true, false);
    case 0x2c: return fma32(o, b, a, d, false, false);
    case 0x2d: return fma32(o, b, a, d, true, true);
    case 0x2e: return fma32(o, b, a, d, false, true);
    default: return fma32(o, b, a, d, true, false);
    }
}

static wide int_lane(const struct lane_op *o, const struct lane *l)
{
    unsigned sew = o->sew, shift = (unsigned)(l->rb % sew), shift2 = (unsigned)(l->rb % (2 * sew));
    wide a = l->a, b = l->b, d = l->d, ua = l->ra, ub = l->rb;
    switch (o->f6 | (o->f3 == 2 || o->f3 == 6 ? 0x40 : 0)) {
    case OPI(0x00): return a + b;
    case OPI(0x02): return a - b;
    case OPI(0x03): return b - a;
    case OPI(0x04): return ua < ub ? ua : ub;
    case OPI(0x05): return a < b ? a : b;
    case OPI(0x06): return ua < ub ? ub : ua;
    case OPI(0x07): return a < b ? b : a;
    case OPI(0x09): return a & b;
    case OPI(0x0a): return a | b;
    case OPI(0x0b): return a ^ b;
    case OPI(0x20): return saturate(o, ua + ub, false);
    case OPI(0x21): return saturate(o, a + b, true);
    case OPI(0x22): return saturate(o, ua - ub, false);
    case OPI(0x23): return saturate(o, a - b, true);
    case OPI(0x25): return ua << shift;
    case OPI(0x27): return saturate(o, roundoff(o, a * b, sew - 1), true);
    case OPI(0x28): return ua >> shift;
    case OPI(0x29): return a >> shift;
    case OPI(0x2a): return roundoff(o, ua, shift);
    case OPI(0x2b): return roundoff(o, a, shift);
    case OPI(0x2c): return ua >> shift2;
    case OPI(0x2d): return a >> shift2;
    case OPI(0x2e): return saturate(o, roundoff(o, ua, shift2), false);
    case OPI(0x2f): return saturate(o, roundoff(o, a, shift2), true);
    case OPM(0x08): return roundoff(o, ua + ub, 1);
    case OPM(0x09): return roundoff(o, a + b, 1);
    case OPM(0x0a): return roundoff(o, ua - ub, 1);
    case OPM(0x0b): return roundoff(o, a - b, 1);
    case OPM(0x24): return (ua * ub) >> sew;
    case OPM(0x25): return a * b;
    case OPM(0x26): return (a * ub) >> sew;
    case OPM(0x27): return (a * b) >> sew;
    case OPM(0x29): return b * d + a;
    case OPM(0x2b): return -(b * d) + a;
    case OPM(0x2d): return b * a + d;
    case OPM(0x2f): return -(b * a) + d;
    case OPM(0x30):
    case OPM(0x34): return ua + ub;
    case OPM(0x31):
    case OPM(0x35): return a + b;
    case OPM(0x32):
    case OPM(0x36): return ua - ub;
    case OPM(0x33):
    case OPM(0x37): return a - b;
    case OPM(0x38): return ua * ub;
    case OPM(0x3a): return a * ub;
    case OPM(0x3b): return a * b;
    case OPM(0x3c): return ub * ua + d;
    case OPM(0x3d): return b * a + d;
    case OPM(0x3e): return ub * a + d;
    default: return b * ua + d; /* vwmaccsu */
    }
}

static bool compare_lane(const struct lane_op *o, const struct lane *l)
{
    uint32_t a = (uint32_t)l->ra, b = (uint32_t)l->rb;
    if (o->f3 == 1 || o->f3 == 5)
        switch (o->f6) {
        case 0x18: return order(o, a, b, "==");
        case 0x19: return order(o, a, b, "<=");
        case 0x1b: return order(o, a, b, "<");
        case 0x1c: return !order(o, a, b, "==");
        case 0x1d: return order(o, b, a, "<");
        default: return order(o, b, a, "<=");
        }
    switch (o->f6) {
    case 0x18: return l->ra == l->rb;
    case 0x19: return l->ra != l->rb;
    case 0x1a: return l->ra < l->rb;
    case 0x1b: return l->a < l->b;
    case 0x1c: return l->ra <= l->rb;
    case 0x1d: return l->a <= l->b;
    case 0x1e: return l->ra > l->rb;
    default: return l->a > l->b;
    }
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
        put(o, o->vd, d_eew, i, is_float ? float_lane(o, &l) : (uint64_t)int_lane(o, &l));
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
            put_bit(o, o->vd, i, compare_lane(o, &l));
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
        case OPF(3): sum = add32(o, (uint32_t)sum, (uint32_t)element); break;
        default: sum = minmax(o, (uint32_t)sum, (uint32_t)element, o->f6 == 7); break;
        }
        sum &= ~(uint64_t)0 >> (64 - eew);
    }
    if (o->m->vl != 0)
        put(o, o->vd, eew, 0, sum);
    return true;
}

static bool extends(const struct lane_op *o)
{
    unsigned by = 2u << (3 - o->vs1 / 2);
    if (o->vs1 < 2 || o->vs1 > 7 || o->sew / by < 8 || !regs(o, o->vd, o->sew) || !regs(o, o->vs2, o->sew / by) ||
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
            put(o, o->vd, d_eew, i, from_int(o, kind & 1 ? sx(a, a_eew) : (wide)a));
        else
            put(o, o->vd, d_eew, i, to_int(o, (uint32_t)a, d_eew, kind & 1, kind >= 6));
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
        bool later = found;
        found = found || this_one;
        put_bit(o, o->vd, i, o->vs1 == 1 ? !this_one && !later : o->vs1 == 2 ? this_one : !later);
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
            put(o, o->vd, 32, i, class32((uint32_t)raw(o, o->vs2, 32, i)));
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
