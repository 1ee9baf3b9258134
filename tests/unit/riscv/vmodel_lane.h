/* SPDX-License-Identifier: Apache-2.0 */
/* The results of the model's instructions for one lane. Only for vmodel.c and vmodel_lane.c. */
#ifndef TESTS_RISCV_VMODEL_LANE_H
#define TESTS_RISCV_VMODEL_LANE_H

#include "vmodel.h"

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

static inline wide sx(uint64_t value, unsigned eew)
{
    wide w = value;
    return value >> (eew - 1) & 1 ? w - ((wide)1 << eew) : w;
}

/* one lane: a of vs2, b of vs1, rs1 or the immediate, d of vd; signed values, and raw ones */

struct lane {
    wide a, b, d;
    uint64_t ra, rb, rd;
};

uint32_t vmodel_add32(const struct lane_op *o, uint32_t a, uint32_t b);
uint32_t vmodel_minmax(const struct lane_op *o, uint32_t a, uint32_t b, bool most);
uint32_t vmodel_class32(uint32_t a);
uint64_t vmodel_to_int(const struct lane_op *o, uint32_t a, unsigned width, bool is_signed, bool truncate);
uint32_t vmodel_from_int(const struct lane_op *o, wide value);
uint32_t vmodel_float_lane(const struct lane_op *o, const struct lane *l);
wide vmodel_int_lane(const struct lane_op *o, const struct lane *l);
bool vmodel_compare_lane(const struct lane_op *o, const struct lane *l);

#endif
