/* SPDX-License-Identifier: Apache-2.0 */
/* Vector instructions that move elements between places, or that work on a whole mask. RISC-V "V" 1.0, chapters 15,
   16. */
#include "tile/riscv/vector/group.h"
#include "tile/riscv/vector/vother.h"
#include "tile/riscv/vector/vec.h"

#include "tile/state.h"

static enum tf_step to_x(struct tf_vec *vec, uint32_t value)
{
    if (vec->vd != 0)
        vec->hart->x[vec->vd] = value;
    return TF_STEP_NEXT;
}

static enum tf_step count_bits(struct tf_vec *vec, bool first)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < vec->vl; i++) {
        if (!tf_vec_active(vec, i) || !tf_v_bit(vec->from, vec->vs2, i))
            continue;
        if (first)
            return to_x(vec, i);
        count++;
    }
    return to_x(vec, first ? UINT32_MAX : count);
}

/* vmsbf, vmsif, vmsof: set the bits before the first set bit, those up to it, or only that bit. */
static enum tf_step set_first(struct tf_vec *vec)
{
    bool seen = false;
    if (!tf_vec_disjoint(vec, 1, vec->vs2, 1) || !tf_vec_spares_mask(vec))
        return TF_STEP_STOP;
    uint8_t *file = tf_vec_file(vec);
    for (uint32_t i = 0; i < vec->vl; i++) {
        if (!tf_vec_active(vec, i))
            continue;
        bool is_first = !seen && tf_v_bit(vec->from, vec->vs2, i);
        bool before = !seen && !is_first;
        tf_v_set_bit(file, vec->vd, i,
                     vec->id == TF_V_VMSBF_M   ? before
                     : vec->id == TF_V_VMSOF_M ? is_first
                                               : before || is_first);
        seen |= is_first;
    }
    return TF_STEP_NEXT;
}

static enum tf_step iota(struct tf_vec *vec, bool of_mask)
{
    uint32_t count = 0;
    if (!tf_vec_group(vec, vec->vd, vec->sew) || (of_mask && !tf_vec_disjoint(vec, vec->sew, vec->vs2, 1)) ||
        !tf_vec_spares_mask(vec))
        return TF_STEP_STOP;
    uint8_t *file = tf_vec_file(vec);
    for (uint32_t i = 0; i < vec->vl; i++) {
        if (!tf_vec_active(vec, i))
            continue;
        tf_v_set(file, vec->vd, vec->sew, i, of_mask ? count : i);
        count += tf_v_bit(vec->from, vec->vs2, i);
    }
    return TF_STEP_NEXT;
}

static enum tf_step compress(struct tf_vec *vec)
{
    uint32_t count = 0;
    if (!tf_vec_group(vec, vec->vd, vec->sew) || !tf_vec_group(vec, vec->vs2, vec->sew) ||
        !tf_vec_disjoint(vec, vec->sew, vec->vs2, vec->sew) || !tf_vec_disjoint(vec, vec->sew, vec->vs1, 1))
        return TF_STEP_STOP;
    uint8_t *file = tf_vec_file(vec);
    for (uint32_t i = 0; i < vec->vl; i++)
        if (tf_v_bit(vec->from, vec->vs1, i))
            tf_v_set(file, vec->vd, vec->sew, count++, tf_v_get(vec->from, vec->vs2, vec->sew, i));
    return TF_STEP_NEXT;
}

/* vd[i] = vs2[index]; an index beyond VLMAX gives 0. `bits`: width of the elements of vs1; 0 if the index is in x or
   the immediate. */
static enum tf_step gather(struct tf_vec *vec, unsigned bits)
{
    if (!tf_vec_group(vec, vec->vd, vec->sew) || !tf_vec_group(vec, vec->vs2, vec->sew) ||
        !tf_vec_disjoint(vec, vec->sew, vec->vs2, vec->sew) || !tf_vec_spares_mask(vec))
        return TF_STEP_STOP;
    if (bits != 0 && (!tf_vec_group(vec, vec->vs1, bits) || !tf_vec_disjoint(vec, vec->sew, vec->vs1, bits)))
        return TF_STEP_STOP;
    uint32_t scalar = (uint32_t)tf_vec_scalar(vec), vlmax = tf_vec_vlmax(vec);
    uint8_t *file = tf_vec_file(vec);
    for (uint32_t i = 0; i < vec->vl; i++) {
        uint64_t where = bits != 0 ? tf_v_get(vec->from, vec->vs1, bits, i) : scalar;
        if (tf_vec_active(vec, i))
            tf_v_set(file, vec->vd, vec->sew, i,
                     where < vlmax ? tf_v_get(vec->from, vec->vs2, vec->sew, (unsigned)where) : 0);
    }
    return TF_STEP_NEXT;
}

static enum tf_step slide_up(struct tf_vec *vec, uint32_t by, bool with_scalar)
{
    if (!tf_vec_group(vec, vec->vd, vec->sew) || !tf_vec_group(vec, vec->vs2, vec->sew) ||
        !tf_vec_disjoint(vec, vec->sew, vec->vs2, vec->sew) || !tf_vec_spares_mask(vec))
        return TF_STEP_STOP;
    uint8_t *file = tf_vec_file(vec);
    if (with_scalar && vec->vl != 0 && tf_vec_active(vec, 0))
        tf_v_set(file, vec->vd, vec->sew, 0, (uint64_t)tf_vec_scalar(vec));
    for (uint32_t i = by; i < vec->vl; i++)
        if (tf_vec_active(vec, i))
            tf_v_set(file, vec->vd, vec->sew, i, tf_v_get(vec->from, vec->vs2, vec->sew, i - by));
    return TF_STEP_NEXT;
}

static enum tf_step slide_down(struct tf_vec *vec, uint32_t by, bool with_scalar)
{
    if (!tf_vec_group(vec, vec->vd, vec->sew) || !tf_vec_group(vec, vec->vs2, vec->sew) || !tf_vec_spares_mask(vec))
        return TF_STEP_STOP;
    uint32_t vlmax = tf_vec_vlmax(vec);
    uint8_t *file = tf_vec_file(vec);
    for (uint32_t i = 0; i < vec->vl; i++) {
        uint64_t value = 0;
        if (with_scalar && i == vec->vl - 1)
            value = (uint64_t)tf_vec_scalar(vec);
        else if (by < vlmax && i < vlmax - by)
            value = tf_v_get(vec->from, vec->vs2, vec->sew, i + by);
        if (tf_vec_active(vec, i))
            tf_v_set(file, vec->vd, vec->sew, i, value);
    }
    return TF_STEP_NEXT;
}

/* vmv1r.v, vmv2r.v and so on copy whole registers, for any vl and vtype. */
static enum tf_step move_registers(struct tf_vec *vec, unsigned count)
{
    if (vec->vd % count != 0 || vec->vs2 % count != 0)
        return tf_vec_refuse(vec, "v%u or v%u does not begin a group of %u registers", vec->vd, vec->vs2, count);
    memcpy(tf_vec_file(vec) + vec->vd * TF_V_BYTES, vec->from + vec->vs2 * TF_V_BYTES, count * TF_V_BYTES);
    return TF_STEP_NEXT;
}

static enum tf_step set_element_0(struct tf_vec *vec)
{
    if (vec->vl != 0)
        tf_v_set(tf_vec_file(vec), vec->vd, vec->sew, 0, (uint64_t)tf_vec_scalar(vec));
    return TF_STEP_NEXT;
}

enum tf_step tf_vec_other(struct tf_vec *vec)
{
    bool vector = (vec->word >> 12 & 7) == TF_V_IVV;
    uint64_t first = tf_v_get(vec->from, vec->vs2, vec->sew, 0);
    switch (vec->id) {
    case TF_V_VRGATHER: return gather(vec, vector ? vec->sew : 0);
    case TF_V_VRGATHEREI16: return gather(vec, 16);
    case TF_V_VSLIDEUP: return slide_up(vec, (uint32_t)tf_vec_scalar(vec), false);
    case TF_V_VSLIDE1UP:
    case TF_V_VFSLIDE1UP: return slide_up(vec, 1, true);
    case TF_V_VSLIDEDOWN: return slide_down(vec, (uint32_t)tf_vec_scalar(vec), false);
    case TF_V_VSLIDE1DOWN:
    case TF_V_VFSLIDE1DOWN: return slide_down(vec, 1, true);
    case TF_V_VMV1R:
    case TF_V_VMV2R:
    case TF_V_VMV4R:
    case TF_V_VMV8R: return move_registers(vec, vec->info->select + 1u);
    case TF_V_VMV_X_S: return to_x(vec, (uint32_t)tf_v_extend(first, vec->sew));
    case TF_V_VFMV_F_S: vec->hart->f[vec->vd] = (uint32_t)first; return TF_STEP_NEXT;
    case TF_V_VMV_S_X:
    case TF_V_VFMV_S_F: return set_element_0(vec);
    case TF_V_VCPOP_M: return count_bits(vec, false);
    case TF_V_VFIRST_M: return count_bits(vec, true);
    case TF_V_VIOTA_M: return iota(vec, true);
    case TF_V_VID_V: return iota(vec, false);
    case TF_V_VCOMPRESS: return compress(vec);
    default: return set_first(vec);
    }
}
