/* SPDX-License-Identifier: Apache-2.0 */
#include "vmodel_lane.h"

#include <math.h>
#include <string.h>

#include "tile/riscv/fp/fma.h"

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

uint32_t vmodel_add32(const struct lane_op *o, uint32_t a, uint32_t b)
{
    return fma32(o, a, 0x3f800000, b, false, false);
}

static uint32_t mul32(const struct lane_op *o, uint32_t a, uint32_t b)
{
    return fma32(o, a, b, (a ^ b) & 0x80000000u, false, false);
}

uint32_t vmodel_minmax(const struct lane_op *o, uint32_t a, uint32_t b, bool most)
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

uint32_t vmodel_class32(uint32_t a)
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

uint64_t vmodel_to_int(const struct lane_op *o, uint32_t a, unsigned width, bool is_signed, bool truncate)
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

uint32_t vmodel_from_int(const struct lane_op *o, wide value)
{
    float result = (float)(double)value; /* at most 33 bits: exact as double */
    if ((double)result != (double)value)
        o->m->fflags |= NX;
    uint32_t bits;
    memcpy(&bits, &result, 4);
    return bits;
}

uint32_t vmodel_float_lane(const struct lane_op *o, const struct lane *l)
{
    uint32_t a = (uint32_t)l->ra, b = (uint32_t)l->rb, d = (uint32_t)l->rd, minus = 0x80000000u;
    switch (o->f6) {
    case 0x00: return vmodel_add32(o, a, b);
    case 0x02: return vmodel_add32(o, a, b ^ minus);
    case 0x27: return vmodel_add32(o, b, a ^ minus);
    case 0x24: return mul32(o, a, b);
    case 0x04: return vmodel_minmax(o, a, b, false);
    case 0x06: return vmodel_minmax(o, a, b, true);
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

wide vmodel_int_lane(const struct lane_op *o, const struct lane *l)
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

bool vmodel_compare_lane(const struct lane_op *o, const struct lane *l)
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
