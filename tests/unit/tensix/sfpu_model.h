/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vector unit once more, one lane at a time, straight from the functional models of the ISA pages: what the tests
 * compare with. No fast paths, no masks.
 */
#ifndef TESTS_UNIT_TENSIX_SFPU_MODEL_H
#define TESTS_UNIT_TENSIX_SFPU_MODEL_H

#include <stdbool.h>
#include <stdint.h>

struct model_lane {
    uint32_t lreg[17];
    bool flag, use;
    bool stack_flag[8], stack_use[8];
    unsigned depth;
    uint32_t config;
    uint32_t template[4], sequence[4], misc;
    uint32_t prng;
};

struct model {
    struct model_lane lane[32];
    uint16_t dst[1024][16];
    bool undefined[1024];
    unsigned math_offset; /* DEST_TARGET_REG_CFG_MATH_Offset */
    unsigned dst_counter; /* RWCs.Dst */
    unsigned sp, sp_step; /* RWCs.Sp, SFPU_STACK_Incr */
    unsigned srcb_format; /* what MOD0_FMT_SRCB resolves to */
    bool remap_addrs, swizzle_32b;
    bool wormhole; /* for SFPLOAD and SFPSTORE alone */
};

void model_reset(struct model *model);

/* False: the pages say that this is undefined. SFPLOADMACRO is not among the instructions. */
bool model_execute(struct model *model, uint32_t word);

unsigned model_row16(const struct model *model, unsigned row);
unsigned model_row32(const struct model *model, unsigned row);

#endif
