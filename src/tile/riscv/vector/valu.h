/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The results of vector instructions for one element. a is the element of vs2, b the other operand, d the old element
 * of vd or the mask bit. In a reduction b is the sum so far. a, b, d are sign-extended (int64_t), ua, ub, ud are
 * zero-extended. `bits` is SEW. The result is cut to the width of vd. Only for vexec.c. Source: RISC-V "V" extension
 * 1.0.
 */
#ifndef TILE_RISCV_VECTOR_VALU_H
#define TILE_RISCV_VECTOR_VALU_H

#include "host/extremes.h"
#include "tile/float.h"
#include "tile/riscv/fp/fp.h"
#include "tile/riscv/vector/vec.h"

/* value / 2^by, rounded by vxrm: to nearest up, to nearest even, down, to odd. by is 0..63. */
static inline uint64_t tf_v_rounding(const struct tf_vec *vec, uint64_t value, unsigned by)
{
    if (by == 0)
        return 0;
    uint64_t half = value >> (by - 1) & 1, rest = value & ((UINT64_C(1) << (by - 1)) - 1), odd = value >> by & 1;
    switch (vec->vxrm) {
    case 0: return half;
    case 1: return half && (rest != 0 || odd);
    case 2: return 0;
    default: return !odd && (half || rest != 0);
    }
}

static inline uint64_t tf_v_round_u(const struct tf_vec *vec, uint64_t value, uint64_t by)
{
    return (value >> by) + tf_v_rounding(vec, value, (unsigned)by);
}

static inline int64_t tf_v_round_s(const struct tf_vec *vec, int64_t value, uint64_t by)
{
    return (value >> by) + (int64_t)tf_v_rounding(vec, (uint64_t)value, (unsigned)by);
}

static inline uint64_t tf_v_clip_u(struct tf_vec *vec, uint64_t value)
{
    uint64_t clipped = tf_min(value, (UINT64_C(1) << vec->sew) - 1);
    vec->saturated |= clipped != value;
    return clipped;
}

static inline uint64_t tf_v_clip_s(struct tf_vec *vec, int64_t value)
{
    int64_t most = (INT64_C(1) << (vec->sew - 1)) - 1, clipped = tf_clamp(value, ~most, most);
    vec->saturated |= clipped != value;
    return (uint64_t)clipped;
}

static inline uint64_t tf_v_subtract_u(struct tf_vec *vec, uint64_t a, uint64_t b)
{
    vec->saturated |= a < b;
    return a < b ? 0 : a - b;
}

/* FP32 to an integer of SEW bits, by a conversion to 32 bits. */
static inline uint64_t tf_v_convert(struct tf_vec *vec, uint64_t a, bool is_signed, bool truncate)
{
    uint32_t fflags = 0;
    uint32_t whole = tf_fcvt_int((uint32_t)a, is_signed, truncate, &fflags);
    int64_t value = is_signed ? (int64_t)(int32_t)whole : (int64_t)whole;
    int64_t most = (INT64_C(1) << (vec->sew - is_signed)) - 1, least = is_signed ? -most - 1 : 0;
    if (value < least || value > most) {
        fflags = TF_FP_NV;
        value = value < least ? least : most;
    }
    vec->fflags |= fflags;
    return (uint64_t)value;
}

#define TF_V_FMA(x, y, z) tf_fma((uint32_t)(x), (uint32_t)(y), (uint32_t)(z), TF_FMA_FP32, &vec->fflags)
#define TF_V_FP2(function, x, y) function((uint32_t)(x), (uint32_t)(y), &vec->fflags)

/* X(id, result) */
/* clang-format off */
#define TF_V_ALU(X)                                                        \
    X(VADD, ua + ub)                                                       \
    X(VSUB, ua - ub)                                                       \
    X(VRSUB, ub - ua)                                                      \
    X(VMINU, ua < ub ? ua : ub)                                            \
    X(VMIN, a < b ? a : b)                                                 \
    X(VMAXU, ua > ub ? ua : ub)                                            \
    X(VMAX, a > b ? a : b)                                                 \
    X(VAND, ua & ub)                                                       \
    X(VOR, ua | ub)                                                        \
    X(VXOR, ua ^ ub)                                                       \
    X(VADC, ua + ub + ud)                                                  \
    X(VMADC, (ua + ub + ud) >> bits)                                       \
    X(VSBC, ua - ub - ud)                                                  \
    X(VMSBC, ua < ub + ud)                                                 \
    X(VMERGE, ud ? ub : ua)                                                \
    X(VMV_V, ub)                                                           \
    X(VMSEQ, ua == ub)                                                     \
    X(VMSNE, ua != ub)                                                     \
    X(VMSLTU, ua < ub)                                                     \
    X(VMSLT, a < b)                                                        \
    X(VMSLEU, ua <= ub)                                                    \
    X(VMSLE, a <= b)                                                       \
    X(VMSGTU, ua > ub)                                                     \
    X(VMSGT, a > b)                                                        \
    X(VSADDU, tf_v_clip_u(vec, ua + ub))                                   \
    X(VSADD, tf_v_clip_s(vec, a + b))                                      \
    X(VSSUBU, tf_v_subtract_u(vec, ua, ub))                                \
    X(VSSUB, tf_v_clip_s(vec, a - b))                                      \
    X(VSLL, ua << (ub & (bits - 1)))                                       \
    X(VSMUL, tf_v_clip_s(vec, tf_v_round_s(vec, a * b, bits - 1)))         \
    X(VSRL, ua >> (ub & (bits - 1)))                                       \
    X(VSRA, a >> (ub & (bits - 1)))                                        \
    X(VSSRL, tf_v_round_u(vec, ua, ub & (bits - 1)))                       \
    X(VSSRA, tf_v_round_s(vec, a, ub & (bits - 1)))                        \
    X(VNSRL, ua >> (ub & (2 * bits - 1)))                                  \
    X(VNSRA, a >> (ub & (2 * bits - 1)))                                   \
    X(VNCLIPU, tf_v_clip_u(vec, tf_v_round_u(vec, ua, ub & (2 * bits - 1)))) \
    X(VNCLIP, tf_v_clip_s(vec, tf_v_round_s(vec, a, ub & (2 * bits - 1)))) \
    X(VWREDSUMU, ua + ub)                                                  \
    X(VWREDSUM, a + b)                                                     \
    X(VREDSUM, ua + ub)                                                    \
    X(VREDAND, ua & ub)                                                    \
    X(VREDOR, ua | ub)                                                     \
    X(VREDXOR, ua ^ ub)                                                    \
    X(VREDMINU, ua < ub ? ua : ub)                                         \
    X(VREDMIN, a < b ? a : b)                                              \
    X(VREDMAXU, ua > ub ? ua : ub)                                         \
    X(VREDMAX, a > b ? a : b)                                              \
    X(VAADDU, tf_v_round_u(vec, ua + ub, 1))                               \
    X(VAADD, tf_v_round_s(vec, a + b, 1))                                  \
    X(VASUBU, tf_v_round_s(vec, (int64_t)(ua - ub), 1))                    \
    X(VASUB, tf_v_round_s(vec, a - b, 1))                                  \
    X(VZEXT_VF4, ua)                                                       \
    X(VSEXT_VF4, a)                                                        \
    X(VZEXT_VF2, ua)                                                       \
    X(VSEXT_VF2, a)                                                        \
    X(VMANDN, ua & ~ub)                                                    \
    X(VMAND, ua & ub)                                                      \
    X(VMOR, ua | ub)                                                       \
    X(VMXOR, ua ^ ub)                                                      \
    X(VMORN, ua | ~ub)                                                     \
    X(VMNAND, ~(ua & ub))                                                  \
    X(VMNOR, ~(ua | ub))                                                   \
    X(VMXNOR, ~(ua ^ ub))                                                  \
    X(VMULHU, ua * ub >> bits)                                             \
    X(VMUL, ua * ub)                                                       \
    X(VMULHSU, a * (int64_t)ub >> bits)                                    \
    X(VMULH, a * b >> bits)                                                \
    X(VMADD, ub * ud + ua)                                                 \
    X(VNMSUB, ua - ub * ud)                                                \
    X(VMACC, ub * ua + ud)                                                 \
    X(VNMSAC, ud - ub * ua)                                                \
    X(VWADDU, ua + ub)                                                     \
    X(VWADD, a + b)                                                        \
    X(VWSUBU, ua - ub)                                                     \
    X(VWSUB, a - b)                                                        \
    X(VWADDU_W, ua + ub)                                                   \
    X(VWADD_W, a + b)                                                      \
    X(VWSUBU_W, ua - ub)                                                   \
    X(VWSUB_W, a - b)                                                      \
    X(VWMULU, ua * ub)                                                     \
    X(VWMULSU, a * (int64_t)ub)                                            \
    X(VWMUL, a * b)                                                        \
    X(VWMACCU, ub * ua + ud)                                               \
    X(VWMACC, b * a + d)                                                   \
    X(VWMACCUS, (int64_t)ub * a + d)                                       \
    X(VWMACCSU, b * (int64_t)ua + d)                                       \
    X(VFADD, TF_V_FP2(tf_fadd_s, ua, ub))                                  \
    X(VFREDUSUM, TF_V_FP2(tf_fadd_s, ub, ua))                              \
    X(VFSUB, TF_V_FP2(tf_fsub_s, ua, ub))                                  \
    X(VFREDOSUM, TF_V_FP2(tf_fadd_s, ub, ua))                              \
    X(VFMIN, TF_V_FP2(tf_fmin_s, ua, ub))                                  \
    X(VFREDMIN, TF_V_FP2(tf_fmin_s, ub, ua))                               \
    X(VFMAX, TF_V_FP2(tf_fmax_s, ua, ub))                                  \
    X(VFREDMAX, TF_V_FP2(tf_fmax_s, ub, ua))                               \
    X(VFSGNJ, (ua & ~TF_FP32_SIGN) | (ub & TF_FP32_SIGN))                  \
    X(VFSGNJN, (ua & ~TF_FP32_SIGN) | (~ub & TF_FP32_SIGN))                \
    X(VFSGNJX, ua ^ (ub & TF_FP32_SIGN))                                   \
    X(VFCVT_XU_F, tf_v_convert(vec, ua, false, false))                     \
    X(VFCVT_X_F, tf_v_convert(vec, ua, true, false))                       \
    X(VFCVT_F_XU, tf_fcvt_s_wu((uint32_t)ua, &vec->fflags))                \
    X(VFCVT_F_X, tf_fcvt_s_w((uint32_t)ua, &vec->fflags))                  \
    X(VFCVT_RTZ_XU_F, tf_v_convert(vec, ua, false, true))                  \
    X(VFCVT_RTZ_X_F, tf_v_convert(vec, ua, true, true))                    \
    X(VFWCVT_F_XU, tf_fcvt_s_wu((uint32_t)ua, &vec->fflags))               \
    X(VFWCVT_F_X, tf_fcvt_s_w((uint32_t)a, &vec->fflags))                  \
    X(VFNCVT_XU_F, tf_v_convert(vec, ua, false, false))                    \
    X(VFNCVT_X_F, tf_v_convert(vec, ua, true, false))                      \
    X(VFNCVT_RTZ_XU_F, tf_v_convert(vec, ua, false, true))                 \
    X(VFNCVT_RTZ_X_F, tf_v_convert(vec, ua, true, true))                   \
    X(VFCLASS, tf_fclass_s((uint32_t)ua))                                  \
    X(VFMERGE, ud ? ub : ua)                                               \
    X(VFMV_V, ub)                                                          \
    X(VMFEQ, TF_V_FP2(tf_feq_s, ua, ub))                                   \
    X(VMFLE, TF_V_FP2(tf_fle_s, ua, ub))                                   \
    X(VMFLT, TF_V_FP2(tf_flt_s, ua, ub))                                   \
    X(VMFNE, !TF_V_FP2(tf_feq_s, ua, ub))                                  \
    X(VMFGT, TF_V_FP2(tf_flt_s, ub, ua))                                   \
    X(VMFGE, TF_V_FP2(tf_fle_s, ub, ua))                                   \
    X(VFMUL, TF_V_FP2(tf_fmul_s, ua, ub))                                  \
    X(VFRSUB, TF_V_FP2(tf_fsub_s, ub, ua))                                 \
    X(VFMADD, TF_V_FMA(ub, ud, ua))                                        \
    X(VFNMADD, TF_V_FMA(ub ^ TF_FP32_SIGN, ud, ua ^ TF_FP32_SIGN))         \
    X(VFMSUB, TF_V_FMA(ub, ud, ua ^ TF_FP32_SIGN))                         \
    X(VFNMSUB, TF_V_FMA(ub ^ TF_FP32_SIGN, ud, ua))                        \
    X(VFMACC, TF_V_FMA(ub, ua, ud))                                        \
    X(VFNMACC, TF_V_FMA(ub ^ TF_FP32_SIGN, ua, ud ^ TF_FP32_SIGN))         \
    X(VFMSAC, TF_V_FMA(ub, ua, ud ^ TF_FP32_SIGN))                         \
    X(VFNMSAC, TF_V_FMA(ub ^ TF_FP32_SIGN, ua, ud))
/* clang-format on */

#endif
