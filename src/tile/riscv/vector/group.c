/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/vector/group.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tile/riscv/hart/stop.h"
#include "tile/riscv/isa/vdisasm.h"

enum tf_step tf_vec_refuse(struct tf_vec *vec, const char *format, ...)
{
    char why[120];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    char name[48];
    int length = tf_v_disassemble(vec->id, vec->word, name, sizeof name);
    (void)length;
    name[strcspn(name, " ")] = 0;
    vec->tile->cycle = vec->hart->cycle;
    tf_tile_fault(vec->tile, vec->hart->core, TF_FAULT_UNDEFINED, vec->word, 0, "%s: %s", name, why);
    return TF_STEP_STOP;
}

bool tf_vec_group(struct tf_vec *vec, unsigned reg, unsigned bits)
{
    unsigned eighths = bits == 1 ? 8 : bits * vec->eighths / vec->sew;
    unsigned registers = tf_vec_registers(vec, bits);
    if (eighths >= 1 && eighths <= 64 && reg % registers == 0)
        return true;
    if (eighths < 1 || eighths > 64)
        tf_vec_refuse(vec, "a group of %u-bit elements would have %s registers", bits,
                      eighths > 64 ? "more than 8" : "no");
    else
        tf_vec_refuse(vec, "v%u does not begin a group of %u registers", reg, registers);
    return false;
}

static bool meet(const struct tf_vec *vec, unsigned d_bits, unsigned reg, unsigned bits)
{
    return vec->vd < reg + tf_vec_registers(vec, bits) && reg < vec->vd + tf_vec_registers(vec, d_bits);
}

static bool overlaps(struct tf_vec *vec, unsigned reg)
{
    tf_vec_refuse(vec, "the destination v%u overlaps the source v%u", vec->vd, reg);
    return false;
}

bool tf_vec_disjoint(struct tf_vec *vec, unsigned d_bits, unsigned reg, unsigned bits)
{
    return !meet(vec, d_bits, reg, bits) || overlaps(vec, reg);
}

bool tf_vec_overlap(struct tf_vec *vec, unsigned d_bits, unsigned reg, unsigned bits)
{
    if (d_bits == bits || !meet(vec, d_bits, reg, bits))
        return true;
    unsigned d_end = vec->vd + tf_vec_registers(vec, d_bits), end = reg + tf_vec_registers(vec, bits);
    bool narrower = d_bits < bits && vec->vd == reg;
    bool wider = d_bits > bits && d_end == end && (bits == 1 || bits * vec->eighths / vec->sew >= 8);
    return narrower || wider || overlaps(vec, reg);
}

bool tf_vec_spares_mask(struct tf_vec *vec)
{
    if (!vec->masked || vec->vd != 0)
        return true;
    tf_vec_refuse(vec, "the destination overlaps the mask v0");
    return false;
}

int64_t tf_vec_scalar(const struct tf_vec *vec)
{
    switch (vec->word >> 12 & 7) {
    case TF_V_IVI: return vec->info->flags & TF_V_UIMM ? vec->vs1 : tf_v_extend(vec->vs1, 5);
    case TF_V_FVF: return (int32_t)vec->hart->f[vec->vs1];
    default: return vec->vs1 != 0 ? (int32_t)vec->hart->x[vec->vs1] : 0;
    }
}

uint8_t *tf_vec_file(struct tf_vec *vec)
{
    vec->hart->v_written = true;
    return vec->hart->v;
}
