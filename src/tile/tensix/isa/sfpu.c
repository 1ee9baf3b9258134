/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the instructions of the vector unit by opcode, and the LRegs that they use. The tables are made from
   sfpu.def. */
#include "tile/tensix/isa/sfpu.h"

const struct tf_sfpu_op tf_sfpu_ops[TF_SFPU_OPCODES] = {
#define ROW(name, unit, registers, kernel, traits) \
    [TF_OP_##name - TF_OP_SFPLOAD] = {TF_SUB_##unit, TF_REGISTERS_##registers, kernel, traits},
#define SFPU(name, unit, registers, reads, may_read, may_write, traits) \
    ROW(name, unit, registers, TF_KERNEL_##name, traits)
#define MOVE(name, unit, registers, reads, may_read, may_write, traits) \
    ROW(name, unit, registers, TF_SFPU_KERNEL_COUNT, traits)
#include "tile/tensix/isa/sfpu.def"
#undef SFPU
#undef ROW
};

bool tf_sfpu_is_indirect(uint32_t word, unsigned vd)
{
    const struct tf_sfpu_op *op = tf_sfpu_op(word);
    const uint32_t mode = op->registers == TF_REGISTERS_HIGH ? word >> 16 : word;
    return op->unit == TF_SUB_MAD && (mode & 8) != 0 && vd != TF_LREG_MACRO;
}

#define L(n) (1u << (n))
#define NONE 0u
#define LOW_FOUR 0xFu
#define GENERAL 0xFFu
#define ALL 0xFFFFu
#define BACKDOOR 0x7800u /* LReg[11] to LReg[14], which only SFPCONFIG writes */
#define VA L(word >> 16 & 15)
#define VB L(vb)
#define VC L(vc)
#define VD L(vd)
#define RESULT (indirect ? GENERAL : VD & TF_LREGS_WRITABLE)
#define INDEX (indirect ? L(TF_LREG_INDEX) : NONE)
#define MOD0 (word >> 16 & 15)
#define MOD1 (word & 15)

struct tf_sfpu_uses tf_sfpu_uses(uint32_t word, unsigned vd, unsigned vb, unsigned vc)
{
    const bool indirect = tf_sfpu_is_indirect(word, vd);
    switch (word >> 24) {
#define SFPU(name, unit, registers, reads, may_read, may_write, traits) \
    case TF_OP_##name:                                                  \
        return (struct tf_sfpu_uses){reads, may_read, may_write};
#include "tile/tensix/isa/sfpu.def"
#undef SFPU
    default: return (struct tf_sfpu_uses){NONE, NONE, NONE};
    }
}
