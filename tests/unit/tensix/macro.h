/* SPDX-License-Identifier: Apache-2.0 */
/* Vector instructions, and sequences of SFPLOADMACRO, on a bare tile. */
#ifndef TESTS_UNIT_TENSIX_MACRO_H
#define TESTS_UNIT_TENSIX_MACRO_H

#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/vector/vector.h"
#include "unit/tensix/bare.h"

#define MATH 1u

enum { STAY = 7, NEXT = 6 }; /* address modifiers: add 0 and 2 to the row counter */
enum { SRCB = 0, FP16B = 2, UINT16 = 6, LO16 = 9, LO16_ONLY = 14 };

static inline uint32_t ldm(unsigned index, unsigned vd, unsigned mod0, unsigned modifier, unsigned offset)
{
    return W(SFPLOADMACRO) | ((index << 2) + (vd & 3)) << 20 | mod0 << 16 | modifier << 13 | offset | vd >> 2;
}

static inline uint32_t ld(unsigned vd, unsigned mod0, unsigned modifier, unsigned offset)
{
    return W(SFPLOAD) | vd << 20 | mod0 << 16 | modifier << 13 | offset;
}

static inline uint32_t st(unsigned vd, unsigned mod0, unsigned modifier, unsigned offset)
{
    return W(SFPSTORE) | vd << 20 | mod0 << 16 | modifier << 13 | offset;
}

/* op VD, VC, VB (or the immediate's low bits), VA, Mod1 */
static inline uint32_t op(unsigned opcode, unsigned vd, unsigned vc, unsigned vb, unsigned va, unsigned mod1)
{
    return opcode << 24 | va << 16 | vb << 12 | vc << 8 | vd << 4 | mod1;
}

#define OP(name, vd, vc, vb, va, mod1) op(TF_OP_##name, vd, vc, vb, va, mod1)
#define LOADI(vd, mod0, value) (W(SFPLOADI) | (uint32_t)(vd) << 20 | (uint32_t)(mod0) << 16 | (value))
#define SEQUENCE(simple, mad, round, store) \
    ((uint32_t)(simple) | (uint32_t)(mad) << 8 | (uint32_t)(round) << 16 | (uint32_t)(store) << 24)
#define TEMPLATE(i) (4 + (i))
#define STORE 3
#define AFTER(delay) ((delay) << 3)
#define AS_VB 0x80
#define OWN_VD 0x80
#define L16 0x40

static inline void issue(struct bare *bare, uint32_t word)
{
    bare->tile.cycle++;
    tf_tensix_dispatch[word >> 24](&bare->tile, MATH, word);
    assert_int_equal(bare->tile.faults.count, 0);
}

static inline void set_lreg(struct bare *bare, unsigned index, uint32_t value)
{
    struct tf_vector *vector = tf_sfpu_get(&bare->tile);
    for (unsigned lane = 0; lane < TF_LANES; lane++)
        vector->lreg[index][lane] = value;
}

static inline uint32_t lreg(struct bare *bare, unsigned index)
{
    return bare->tile.tensix->vector->lreg[index][5];
}

static inline void configure(struct bare *bare, unsigned to, uint32_t value)
{
    issue(bare, LOADI(0, 10, value & 0xFFFF));
    issue(bare, LOADI(0, 8, value >> 16));
    issue(bare, W(SFPCONFIG) | to << 4);
}

static inline void setup(struct bare *bare, unsigned srcb_format)
{
    struct tf_tensix *tensix = bare->tile.tensix;
    assert_non_null(tf_sfpu_get(&bare->tile));
    assert_non_null(tf_dst_get(&bare->tile));
    tensix->config->thread[MATH][TF_THREAD_CFG_ADDR_MOD_DST_SEC6_DestIncr >> 16] = 2;
    for (unsigned bank = 0; bank < 2; bank++)
        tensix->config->bank[bank][TF_CFG_WORD(ALU_FORMAT_SPEC_REG1_SrcB)] =
            tf_cfg_put(0, TF_CFG_ALU_FORMAT_SPEC_REG1_SrcB, srcb_format);
    issue(bare, W(SFPENCC) | V(SFPENCC, instr_mod1, 10) | V(SFPENCC, imm12_math, 3));
}

/* More cycles than any delay, in which nothing else is issued: what SFPLOADMACRO has scheduled executes. */
static inline void run_out(struct bare *bare)
{
    for (unsigned cycle = 0; cycle < 10; cycle++)
        issue(bare, W(SFPNOP));
}

#endif
