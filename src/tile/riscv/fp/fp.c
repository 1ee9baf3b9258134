/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/fp/fp.h"

#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"

/* A binary format of up to 32 bits. */
struct format {
    uint8_t mantissa_bits, exponent_bits;
    int16_t bias;
    bool truncate; /* true: rounds towards zero; false: to nearest even */
};

static const struct format fp32 = {23, 8, 127, false};

static const struct format *format_of(enum tf_fp_half half)
{
    static const struct format fp16 = {10, 5, 15, false};
    static const struct format bf16_rtz = {7, 8, 127, true};
    static const struct format bf16_rtne = {7, 8, 127, false};
    return half == TF_FP_HALF_FP16 ? &fp16 : half == TF_FP_HALF_BF16_RTZ ? &bf16_rtz : &bf16_rtne;
}

static inline uint32_t sign_of(const struct format *f)
{
    return 1u << (f->mantissa_bits + f->exponent_bits);
}

static inline uint32_t infinity_of(const struct format *f)
{
    return ((1u << f->exponent_bits) - 1) << f->mantissa_bits;
}

static inline uint32_t quiet_of(const struct format *f)
{
    return 1u << (f->mantissa_bits - 1);
}

static inline uint32_t canonical_nan(const struct format *f)
{
    return infinity_of(f) | quiet_of(f);
}

static inline bool is_nan(uint32_t a, const struct format *f)
{
    return (a & (sign_of(f) - 1)) > infinity_of(f);
}

static inline bool is_signalling(uint32_t a, const struct format *f)
{
    return is_nan(a, f) && !(a & quiet_of(f));
}

/* Map a number to an integer with the same order. -0 and +0 become equal. The number is no NaN. */
static inline int32_t rank(uint32_t a, const struct format *f)
{
    int32_t magnitude = (int32_t)(a & (sign_of(f) - 1));
    return a & sign_of(f) ? -magnitude : magnitude;
}

enum relation { LESS, LESS_EQUAL, EQUAL };

static uint32_t compare(uint32_t a, uint32_t b, const struct format *f, enum relation relation, uint32_t *fflags)
{
    if (is_nan(a, f) || is_nan(b, f)) {
        bool quiet = relation == EQUAL && !is_signalling(a, f) && !is_signalling(b, f);
        *fflags |= quiet ? 0 : TF_FP_NV;
        return 0;
    }
    int32_t left = rank(a, f);
    int32_t right = rank(b, f);
    return relation == LESS ? left < right : relation == EQUAL ? left == right : left <= right;
}

/* minimumNumber and maximumNumber: if one operand is a NaN, the result is the other one. -0 is below +0. */
static uint32_t choose(uint32_t a, uint32_t b, const struct format *f, bool maximum, uint32_t *fflags)
{
    if (is_signalling(a, f) || is_signalling(b, f)) {
        *fflags |= TF_FP_NV;
    }
    if (is_nan(a, f)) {
        return is_nan(b, f) ? canonical_nan(f) : b;
    }
    if (is_nan(b, f)) {
        return a;
    }
    int32_t left = rank(a, f);
    int32_t right = rank(b, f);
    if (left == right) {
        return maximum ? a & b : a | b; /* they may differ in the sign of a zero */
    }
    return (left < right) != maximum ? a : b;
}

static uint32_t classify(uint32_t a, const struct format *f)
{
    bool negative = a & sign_of(f);
    uint32_t magnitude = a & (sign_of(f) - 1);
    if (is_nan(a, f)) {
        return a & quiet_of(f) ? 1u << 9 : 1u << 8;
    }
    unsigned kind = magnitude == infinity_of(f) ? 0 : magnitude >> f->mantissa_bits ? 1 : magnitude ? 2 : 3;
    return 1u << (negative ? kind : 7 - kind);
}

/* Compute value / 2^amount, rounded; amount is 0..63. */
static inline uint64_t round_shift(uint64_t value, unsigned amount, bool truncate, bool *inexact)
{
    uint64_t kept = value >> amount;
    uint64_t rest = value - (kept << amount);
    *inexact = rest != 0;
    if (amount == 0 || truncate) {
        return kept;
    }
    uint64_t half = 1ull << (amount - 1);
    return kept + (rest > half || (rest == half && (kept & 1)));
}

/* Convert FP32 to the magnitude of an integer. The operand is no NaN. A result of 2^32 or more does not fit 32 bits. */
static uint64_t integer_magnitude(uint32_t a, bool truncate, bool *inexact)
{
    unsigned exponent = a >> 23 & 255;
    uint64_t significand = (a & 0x7fffff) | (exponent ? 0x800000 : 0);
    *inexact = false;
    if (exponent >= 159) {
        return 1ull << 32;
    }
    if (exponent >= 150) {
        return significand << (exponent - 150);
    }
    unsigned amount = 150 - exponent;
    return round_shift(significand, amount < 63 ? amount : 63, truncate, inexact);
}

/* A value out of range gives the nearest end of the range; a NaN gives the upper end. Both are invalid (RISC-V F,
   fcvt). */
static uint32_t to_integer(uint32_t a, bool is_signed, bool truncate, uint32_t *fflags)
{
    uint32_t most = is_signed ? 0x7fffffff : 0xffffffff;
    if (is_nan(a, &fp32)) {
        *fflags |= TF_FP_NV;
        return most;
    }
    bool negative = a >> 31;
    bool inexact;
    uint64_t magnitude = integer_magnitude(a, truncate, &inexact);
    uint64_t limit = !negative ? most : is_signed ? 0x80000000u : 0;
    if (magnitude > limit) {
        *fflags |= TF_FP_NV;
        magnitude = limit;
    } else if (inexact) {
        *fflags |= TF_FP_NX;
    }
    return negative ? (uint32_t)-magnitude : (uint32_t)magnitude;
}

static uint32_t from_integer(uint32_t a, bool is_signed, const struct format *f, uint32_t *fflags)
{
    bool negative = is_signed && a >> 31;
    uint32_t magnitude = negative ? -a : a;
    if (magnitude == 0) {
        return 0;
    }
    unsigned zeros = (unsigned)__builtin_clz(magnitude);
    uint32_t exponent = 31 - zeros + (uint32_t)f->bias;
    bool inexact;
    uint64_t significand = round_shift((uint64_t)magnitude << zeros, 31u - f->mantissa_bits, f->truncate, &inexact);
    /* The leading one of the significand adds 1 to the exponent; rounding up may carry into it. */
    uint32_t result = ((exponent - 1) << f->mantissa_bits) + (uint32_t)significand;
    if (result >= infinity_of(f)) {
        *fflags |= TF_FP_OF | TF_FP_NX;
        result = infinity_of(f);
    }
    *fflags |= inexact ? TF_FP_NX : 0;
    return result | (negative ? sign_of(f) : 0);
}

/* Exact, also for denormals. NaNs keep their sign and payload. */
static uint32_t widen(uint32_t a, const struct format *f)
{
    if (f->bias == fp32.bias) {
        return a << 16;
    }
    uint32_t sign = (a & 0x8000) << 16;
    uint32_t exponent = a >> 10 & 31;
    uint32_t mantissa = a & 0x3ff;
    if (exponent == 31) {
        return sign | 0x7f800000 | mantissa << 13;
    }
    if (exponent == 0) {
        if (mantissa == 0) {
            return sign;
        }
        unsigned shift = (unsigned)__builtin_clz(mantissa) - 21;
        exponent = 1 - shift;
        mantissa = mantissa << shift & 0x3ff;
    }
    return sign | (exponent + 112) << 23 | mantissa << 13;
}

/* Widen an operand of an arithmetic instruction; denormals become zero. */
static uint32_t widen_flushed(uint32_t a, const struct format *f)
{
    return a & infinity_of(f) ? widen(a, f) : (a & 0x8000) << 16;
}

/* fcvt.h.s: denormals are converted. */
static uint32_t narrow(uint32_t a, const struct format *f, uint32_t *fflags)
{
    uint32_t sign = a >> 16 & 0x8000;
    if (is_nan(a, &fp32)) {
        *fflags |= is_signalling(a, &fp32) ? TF_FP_NV : 0;
        return canonical_nan(f);
    }
    if ((a & 0x7fffffff) == 0x7f800000) {
        return sign | infinity_of(f);
    }
    uint32_t field = a >> 23 & 255;
    uint32_t significand = (a & 0x7fffff) | (field ? 0x800000 : 0);
    int32_t exponent = (int32_t)(field ? field : 1) - (fp32.bias - f->bias);
    unsigned drop = 23u - f->mantissa_bits;
    unsigned amount = exponent > 0 ? drop : drop + (unsigned)(1 - exponent);
    bool inexact;
    uint32_t rounded = (uint32_t)round_shift(significand, amount < 63 ? amount : 63, f->truncate, &inexact);
    uint32_t result = (exponent > 0 ? (uint32_t)(exponent - 1) << f->mantissa_bits : 0) + rounded;
    if (result >= infinity_of(f)) {
        *fflags |= TF_FP_OF | TF_FP_NX;
        return sign | infinity_of(f);
    }
    if (inexact) {
        /* A result is tiny if it is below the normal range even when rounded to full precision (RISC-V F, "fcsr"). */
        bool ignored;
        bool below = exponent <= 0 || significand < 0x800000;
        bool near = exponent == 0 || exponent == 1;
        unsigned full = drop - (unsigned)exponent;
        bool rounds_up = near && round_shift(significand, full, f->truncate, &ignored) >> f->mantissa_bits == 2;
        *fflags |= TF_FP_NX | (below && !rounds_up ? TF_FP_UF : 0);
    }
    return sign | result;
}

uint32_t tf_fmin_s(uint32_t a, uint32_t b, uint32_t *fflags)
{
    return choose(a, b, &fp32, false, fflags);
}

uint32_t tf_fmax_s(uint32_t a, uint32_t b, uint32_t *fflags)
{
    return choose(a, b, &fp32, true, fflags);
}

uint32_t tf_feq_s(uint32_t a, uint32_t b, uint32_t *fflags)
{
    return compare(a, b, &fp32, EQUAL, fflags);
}

uint32_t tf_flt_s(uint32_t a, uint32_t b, uint32_t *fflags)
{
    return compare(a, b, &fp32, LESS, fflags);
}

uint32_t tf_fle_s(uint32_t a, uint32_t b, uint32_t *fflags)
{
    return compare(a, b, &fp32, LESS_EQUAL, fflags);
}

uint32_t tf_fclass_s(uint32_t a)
{
    return classify(a, &fp32);
}

static uint32_t fcvt_w_s(uint32_t a, uint32_t *fflags)
{
    return to_integer(a, true, false, fflags);
}

static uint32_t fcvt_wu_s(uint32_t a, uint32_t *fflags)
{
    return to_integer(a, false, false, fflags);
}

uint32_t tf_fcvt_int(uint32_t a, bool is_signed, bool truncate, uint32_t *fflags)
{
    return to_integer(a, is_signed, truncate, fflags);
}

uint32_t tf_fcvt_s_w(uint32_t a, uint32_t *fflags)
{
    return from_integer(a, true, &fp32, fflags);
}

uint32_t tf_fcvt_s_wu(uint32_t a, uint32_t *fflags)
{
    return from_integer(a, false, &fp32, fflags);
}

/* An f register's .h value (RISC-V Zfh, NaN boxing as in D). */
static inline uint32_t unbox(uint32_t a, const struct format *f)
{
    return a >> 16 == 0xffff ? a & 0xffff : canonical_nan(f);
}

/* Instructions of the form x * y + z (fmadd, fadd, fmul ...), on widened operands. Returns false for another
   instruction. */
static bool arithmetic_h(unsigned id, uint32_t a, uint32_t b, uint32_t c, enum tf_fp_half half, uint32_t *result,
                         uint32_t *fflags)
{
    const struct format *f = format_of(half);
    const uint32_t minus = 0x80000000;
    uint32_t x = widen_flushed(unbox(a, f), f);
    uint32_t y = widen_flushed(unbox(b, f), f);
    uint32_t z = widen_flushed(unbox(c, f), f);
    switch (id) {
    case TF_RV_FMADD_H: break;
    case TF_RV_FMSUB_H: z ^= minus; break;
    case TF_RV_FNMSUB_H: x ^= minus; break;
    case TF_RV_FNMADD_H:
        x ^= minus;
        z ^= minus;
        break;
    case TF_RV_FADD_H:
        z = y;
        y = 0x3f800000;
        break;
    case TF_RV_FSUB_H:
        z = y ^ minus;
        y = 0x3f800000;
        break;
    case TF_RV_FMUL_H: z = (x ^ y) & minus; break;
    default: return false;
    }
    *result = tf_fp_box(tf_fma(x, y, z, (enum tf_fma_format)half, fflags));
    return true;
}

static uint32_t execute_h(unsigned id, uint32_t a, uint32_t b, enum tf_fp_half half, uint32_t *fflags)
{
    const struct format *f = format_of(half);
    uint32_t ha = unbox(a, f);
    uint32_t hb = unbox(b, f);
    switch (id) {
    case TF_RV_FSGNJ_H: return tf_fp_box((ha & 0x7fff) | (hb & 0x8000));
    case TF_RV_FSGNJN_H: return tf_fp_box((ha & 0x7fff) | (~hb & 0x8000));
    case TF_RV_FSGNJX_H: return tf_fp_box(ha ^ (hb & 0x8000));
    case TF_RV_FMIN_H: return tf_fp_box(choose(ha, hb, f, false, fflags));
    case TF_RV_FMAX_H: return tf_fp_box(choose(ha, hb, f, true, fflags));
    case TF_RV_FLE_H: return compare(ha, hb, f, LESS_EQUAL, fflags);
    case TF_RV_FLT_H: return compare(ha, hb, f, LESS, fflags);
    case TF_RV_FEQ_H: return compare(ha, hb, f, EQUAL, fflags);
    case TF_RV_FCLASS_H: return classify(ha, f);
    case TF_RV_FCVT_S_H:
        *fflags |= is_signalling(ha, f) ? TF_FP_NV : 0;
        return is_nan(ha, f) ? canonical_nan(&fp32) : widen(ha, f);
    case TF_RV_FCVT_H_S: return tf_fp_box(narrow(a, f, fflags));
    case TF_RV_FCVT_W_H: return to_integer(widen(ha, f), true, f->truncate, fflags);
    case TF_RV_FCVT_WU_H: return to_integer(widen(ha, f), false, f->truncate, fflags);
    case TF_RV_FCVT_H_W: return tf_fp_box(from_integer(a, true, f, fflags));
    case TF_RV_FCVT_H_WU: return tf_fp_box(from_integer(a, false, f, fflags));
    case TF_RV_FMV_X_H: return (uint32_t)(int32_t)(int16_t)a;
    case TF_RV_FMV_H_X: return tf_fp_box(a & 0xffff);
    default: return 0;
    }
}

uint32_t tf_fp_execute(unsigned id, uint32_t a, uint32_t b, uint32_t c, enum tf_fp_half half, uint32_t *fflags)
{
    const uint32_t minus = 0x80000000;
    uint32_t result;
    switch (id) {
    case TF_RV_FMADD_S: return tf_fma(a, b, c, TF_FMA_FP32, fflags);
    case TF_RV_FMSUB_S: return tf_fma(a, b, c ^ minus, TF_FMA_FP32, fflags);
    case TF_RV_FNMSUB_S: return tf_fma(a ^ minus, b, c, TF_FMA_FP32, fflags);
    case TF_RV_FNMADD_S: return tf_fma(a ^ minus, b, c ^ minus, TF_FMA_FP32, fflags);
    case TF_RV_FADD_S: return tf_fadd_s(a, b, fflags);
    case TF_RV_FSUB_S: return tf_fsub_s(a, b, fflags);
    case TF_RV_FMUL_S: return tf_fmul_s(a, b, fflags);
    case TF_RV_FSGNJ_S: return (a & ~minus) | (b & minus);
    case TF_RV_FSGNJN_S: return (a & ~minus) | (~b & minus);
    case TF_RV_FSGNJX_S: return a ^ (b & minus);
    case TF_RV_FMIN_S: return tf_fmin_s(a, b, fflags);
    case TF_RV_FMAX_S: return tf_fmax_s(a, b, fflags);
    case TF_RV_FLE_S: return tf_fle_s(a, b, fflags);
    case TF_RV_FLT_S: return tf_flt_s(a, b, fflags);
    case TF_RV_FEQ_S: return tf_feq_s(a, b, fflags);
    case TF_RV_FCVT_W_S: return fcvt_w_s(a, fflags);
    case TF_RV_FCVT_WU_S: return fcvt_wu_s(a, fflags);
    case TF_RV_FCVT_S_W: return tf_fcvt_s_w(a, fflags);
    case TF_RV_FCVT_S_WU: return tf_fcvt_s_wu(a, fflags);
    case TF_RV_FMV_X_W:
    case TF_RV_FMV_W_X: return a;
    case TF_RV_FCLASS_S: return tf_fclass_s(a);
    default: return arithmetic_h(id, a, b, c, half, &result, fflags) ? result : execute_h(id, a, b, half, fflags);
    }
}
