/* SPDX-License-Identifier: Apache-2.0 */
/* Executing vector instructions: those that configure, and those that compute element by element. */
#include "host/extremes.h"
#include "tile/riscv/hart/csr_words.h"
#include "tile/riscv/hart/stop.h"
#include "tile/riscv/vector/valu.h"
#include "tile/riscv/vector/group.h"
#include "tile/riscv/vector/vexec.h"
#include "tile/riscv/vector/vmem.h"
#include "tile/riscv/vector/vother.h"
#include "tile/state.h"
#include "tile/riscv/isa/vfind.h"

#define VTYPE_RESERVED 0xFFFFFF00u

/* SEW and LMUL of a vtype. Returns false if the combination does not exist for VLEN 128 and elements of at most 32
   bits. */
static bool type_of(uint32_t vtype, unsigned *sew, unsigned *eighths)
{
    unsigned lmul = vtype & 7;
    *sew = 8u << (vtype >> 3 & 7);
    *eighths = lmul < 4 ? 8u << lmul : lmul == 4 ? 0 : 8u >> (8 - lmul);
    return (vtype & VTYPE_RESERVED) == 0 && *eighths != 0 && *sew * 8 <= 32 * (*eighths < 8 ? *eighths : 8);
}

/* The operation of valu.h, as a function. */
static uint64_t compute(struct tf_vec *vec, int64_t a, int64_t b, int64_t d, uint64_t ua, uint64_t ub, uint64_t ud)
{
    unsigned bits = vec->sew;
    switch (vec->id) {
#define X(id, result) \
    case TF_V_##id: return (uint64_t)(result);
        TF_V_ALU(X)
#undef X
    default: return 0;
    }
}

/* Widths of the operands of an instruction, in bits. */
struct widths {
    unsigned d, a, b;
};

static struct widths widths_of(const struct tf_vec *vec)
{
    unsigned sew = vec->sew;
    switch ((enum tf_v_shape)vec->info->shape) {
    case TF_V_WIDEN:
    case TF_V_UNARY_WIDEN: return (struct widths){2 * sew, sew, sew};
    case TF_V_WIDE: return (struct widths){2 * sew, 2 * sew, sew};
    case TF_V_NARROW:
    case TF_V_UNARY_NARROW: return (struct widths){sew, 2 * sew, sew};
    case TF_V_COMPARE:
    case TF_V_CARRY_OUT: return (struct widths){1, sew, sew};
    case TF_V_EXTEND_2: return (struct widths){sew, sew / 2, sew};
    case TF_V_EXTEND_4: return (struct widths){sew, sew / 4, sew};
    default: return (struct widths){sew, sew, sew};
    }
}

/* Which operands are vectors. */
static bool reads_a(const struct tf_vec *vec)
{
    return vec->info->shape != TF_V_MOVE;
}

static bool reads_b(const struct tf_vec *vec)
{
    bool vector = (vec->word >> 12 & 7) <= TF_V_MVV;
    return vector && (vec->info->select == TF_V_ANY || vec->info->shape == TF_V_MOVE);
}

static bool operands_stand(struct tf_vec *vec, struct widths widths)
{
    bool to_mask = widths.d == 1;
    return tf_vec_group(vec, vec->vd, widths.d) && (!reads_a(vec) || tf_vec_group(vec, vec->vs2, widths.a)) &&
           (!reads_b(vec) || tf_vec_group(vec, vec->vs1, widths.b)) &&
           (!reads_a(vec) || tf_vec_overlap(vec, widths.d, vec->vs2, widths.a)) &&
           (!reads_b(vec) || tf_vec_overlap(vec, widths.d, vec->vs1, widths.b)) && (to_mask || tf_vec_spares_mask(vec));
}

static enum tf_step by_elements(struct tf_vec *vec)
{
    struct widths widths = widths_of(vec);
    bool a_vector = reads_a(vec), b_vector = reads_b(vec), to_mask = widths.d == 1;
    bool carry = vec->info->shape == TF_V_CARRY || vec->info->shape == TF_V_CARRY_OUT;
    int64_t a = 0, b = tf_vec_scalar(vec), d = 0;
    uint64_t ua = 0, ub = (uint64_t)b & ((UINT64_C(1) << vec->sew) - 1), ud = 0;
    b = tf_v_extend(ub, vec->sew);
    if (!operands_stand(vec, widths))
        return TF_STEP_STOP;
    uint8_t *file = tf_vec_file(vec);
    for (uint32_t i = 0; i < vec->vl; i++) {
        bool mask = tf_vec_active(vec, i);
        if (!mask && !carry)
            continue;
        if (a_vector) {
            ua = tf_v_get(vec->from, vec->vs2, widths.a, i);
            a = tf_v_extend(ua, widths.a);
        }
        if (b_vector) {
            ub = tf_v_get(vec->from, vec->vs1, widths.b, i);
            b = tf_v_extend(ub, widths.b);
        }
        if (carry) {
            ud = vec->masked && mask;
        } else if (!to_mask) {
            ud = tf_v_get(vec->from, vec->vd, widths.d, i);
            d = tf_v_extend(ud, widths.d);
        }
        uint64_t result = compute(vec, a, b, d, ua, ub, ud);
        if (to_mask)
            tf_v_set_bit(file, vec->vd, i, result & 1);
        else
            tf_v_set(file, vec->vd, widths.d, i, result);
    }
    return TF_STEP_NEXT;
}

static enum tf_step by_mask_bits(struct tf_vec *vec)
{
    uint8_t *file = tf_vec_file(vec);
    for (uint32_t i = 0; i < vec->vl; i++) {
        uint64_t a = tf_v_bit(vec->from, vec->vs2, i), b = tf_v_bit(vec->from, vec->vs1, i);
        tf_v_set_bit(file, vec->vd, i, compute(vec, 0, 0, 0, a, b, 0) & 1);
    }
    return TF_STEP_NEXT;
}

/* The destination vd and the operand vs1 are single registers, which may overlap any group. Sums of floating point are
   taken in order, too. */
static enum tf_step reduce(struct tf_vec *vec, unsigned bits)
{
    if (!tf_vec_group(vec, vec->vs2, vec->sew))
        return TF_STEP_STOP;
    uint64_t sum = tf_v_get(vec->from, vec->vs1, bits, 0);
    for (uint32_t i = 0; i < vec->vl; i++) {
        if (!tf_vec_active(vec, i))
            continue;
        uint64_t a = tf_v_get(vec->from, vec->vs2, vec->sew, i);
        sum = compute(vec, tf_v_extend(a, vec->sew), tf_v_extend(sum, bits), 0, a, sum, 0);
        sum &= UINT64_MAX >> (64 - bits);
    }
    if (vec->vl != 0)
        tf_v_set(tf_vec_file(vec), vec->vd, bits, 0, sum);
    return TF_STEP_NEXT;
}

/* vsetvli, vsetivli, vsetvl. */
static enum tf_step configure(struct tf_vec *vec)
{
    struct tf_hart *hart = vec->hart;
    uint32_t *csr = hart->csr.word, vtype, wanted, vl;
    unsigned sew, eighths;
    switch (vec->id) {
    case TF_V_VSETVLI: vtype = vec->word >> 20 & 0x7FF; break;
    case TF_V_VSETIVLI: vtype = vec->word >> 20 & 0x3FF; break;
    default: vtype = vec->vs2 != 0 ? hart->x[vec->vs2] : 0; break;
    }
    if (!type_of(vtype, &sew, &eighths))
        return tf_vec_refuse(vec, "vtype 0x%x is not supported, and there is no vill to report it", vtype);
    uint32_t vlmax = TF_V_BYTES * eighths / sew;
    if (vec->id == TF_V_VSETIVLI) {
        wanted = vec->vs1;
    } else if (vec->vs1 != 0) {
        wanted = hart->x[vec->vs1];
    } else if (vec->vd != 0) {
        wanted = UINT32_MAX;
    } else {
        unsigned old_sew, old_eighths;
        wanted = csr[TF_CSR_VL];
        if (!type_of(csr[TF_CSR_VTYPE], &old_sew, &old_eighths) || TF_V_BYTES * old_eighths / old_sew != vlmax)
            return tf_vec_refuse(vec, "this form keeps vl, but VLMAX would change");
    }
    vl = tf_min(wanted, vlmax);
    csr[TF_CSR_VL] = vl;
    csr[TF_CSR_VTYPE] = vtype;
    if (vec->vd != 0)
        hart->x[vec->vd] = vl;
    return TF_STEP_NEXT;
}

static enum tf_step refuse_width(struct tf_vec *vec)
{
    if (vec->info->sews == TF_V_SEW_NONE)
        return tf_vec_refuse(vec, "T2 does not have this vector instruction");
    return tf_vec_refuse(vec, "reserved for elements of %u bits", vec->sew);
}

static enum tf_step execute(struct tf_vec *vec)
{
    unsigned shape = vec->info->shape;
    if (shape >= TF_V_UNIT)
        return tf_vec_memory(vec);
    switch (shape) {
    case TF_V_MASK: return by_mask_bits(vec);
    case TF_V_REDUCE: return reduce(vec, vec->sew);
    case TF_V_REDUCE_WIDE: return reduce(vec, 2 * vec->sew);
    case TF_V_OTHER: return tf_vec_other(vec);
    default: return by_elements(vec);
    }
}

static struct tf_vec begin(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    return (struct tf_vec){
        .tile = tile,
        .hart = hart,
        .info = tf_v_info((unsigned)insn->imm),
        .id = (unsigned)insn->imm,
        .word = insn->word,
        .vl = hart->csr.word[TF_CSR_VL],
        .vd = insn->rd,
        .vs1 = insn->rs1,
        .vs2 = insn->rs2,
        .masked = !(insn->word >> 25 & 1),
        .vxrm = hart->csr.word[TF_CSR_VXRM],
    };
}

enum tf_step tf_v_execute(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    uint32_t *csr = hart->csr.word;
    struct tf_vec vec = begin(tile, hart, insn);
    if (vec.info->shape == TF_V_CONFIG)
        return configure(&vec);
    /* CSR instructions can write vl and vtype. */
    if (!type_of(csr[TF_CSR_VTYPE], &vec.sew, &vec.eighths))
        return tf_vec_refuse(&vec, "vtype 0x%x is not supported", csr[TF_CSR_VTYPE]);
    if (vec.vl > tf_vec_vlmax(&vec))
        return tf_vec_refuse(&vec, "vl is %u, more than VLMAX %u", vec.vl, tf_vec_vlmax(&vec));
    if (!(vec.info->sews & vec.sew))
        return refuse_width(&vec);
    memcpy(vec.from, hart->v, sizeof vec.from);
    enum tf_step step = execute(&vec);
    csr[TF_CSR_VXSAT] |= vec.saturated;
    tf_csr_raise_fflags(&hart->csr, vec.fflags);
    return step;
}

void tf_v_reach(struct tf_hart *hart, const struct tf_rv_insn *insn, struct tf_retired *retired)
{
    struct tf_vec vec = begin(NULL, hart, insn);
    if (vec.info->shape < TF_V_UNIT || !type_of(hart->csr.word[TF_CSR_VTYPE], &vec.sew, &vec.eighths) ||
        vec.vl > tf_vec_vlmax(&vec))
        return;
    memcpy(vec.from, hart->v, sizeof vec.from);
    tf_vec_reach(&vec, retired);
}
