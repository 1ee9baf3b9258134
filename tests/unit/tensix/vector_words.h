/* SPDX-License-Identifier: Apache-2.0 */
/* Random instructions, those of the vector unit among them. */
#ifndef TESTS_UNIT_TENSIX_VECTOR_WORDS_H
#define TESTS_UNIT_TENSIX_VECTOR_WORDS_H

#include "tile/tensix/isa/sfpu.h"
#include "unit/tensix/bare.h"

static inline bool one_in(uint32_t times)
{
    return bare_random() % times == 0;
}

static inline uint32_t random_operands(uint32_t opcode)
{
    return opcode << 24 | (bare_random() & TF_TENSIX_OPERANDS & ~tf_tensix_ops[opcode].reserved);
}

/* Those of the kinds that execute_batch() knows by themselves, mostly without modifiers. */
static inline uint32_t known_word(void)
{
    static const uint8_t opcodes[] = {TF_OP_SFPLOAD, TF_OP_SFPSTORE, TF_OP_SFPMAD, TF_OP_SFPADD, TF_OP_SFPMUL};
    static const uint8_t constants[] = {9, 10};
    uint32_t word = random_operands(opcodes[bare_random() % sizeof opcodes]);
    if (word >> 24 <= TF_OP_SFPSTORE) {
        static const uint32_t known[] = {TF_FMT_SRCB, TF_FMT_BF16, TF_FMT_FP32, TF_FMT_INT32};
        word &= one_in(8) ? ~0u : ~0x00800000u;
        return one_in(4) ? word : (word & ~0x000F0000u) | known[bare_random() % 4] << 16;
    }
    word &= one_in(8) ? ~0u : ~0x80u;
    word &= one_in(4) ? ~0u : ~0xFu;
    if (one_in(3))
        word = (word & ~0x000F0000u) | (uint32_t)constants[bare_random() % 2] << 16;
    return one_in(3) ? (word & ~0x0F00u) | (uint32_t)constants[bare_random() % 2] << 8 : word;
}

/* Any of the vector unit's; few of them are refused, and few change the lanes for good. */
static inline uint32_t vector_word(bool with_macros)
{
    static const uint8_t opcodes[] = {
#define SFPU(name, unit, registers, reads, may_read, may_write, traits) TF_OP_##name,
#include "tile/tensix/isa/sfpu.def"
#undef SFPU
    };
    static const uint8_t modes[] = {0, 1, 2, 4, 8, 10};
    if (!one_in(3))
        return known_word();
    uint32_t word = random_operands(opcodes[bare_random() % sizeof opcodes]);
    switch (word >> 24) {
    case TF_OP_SFPLOADI: return one_in(32) ? word : (word & ~0x008F0000u) | (uint32_t)modes[bare_random() % 6] << 16;
    case TF_OP_SFPSHFT2: return one_in(32) ? word : (word & ~15u) | bare_random() % 7;
    case TF_OP_SFPPUSHC:
    case TF_OP_SFPPOPC: return one_in(8) ? word : word | 1;
    case TF_OP_SFPCONFIG: return one_in(4) ? word : W(SFPNOP);
    case TF_OP_SFPLOADMACRO: return with_macros && one_in(4) ? word : W(SFPNOP);
    default: return word;
    }
}

#endif
