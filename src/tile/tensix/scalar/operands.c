/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/scalar/operands.h"

#include <stdbool.h>

#include "tile/tensix/isa/isa.h"

/* The number of GPRs in an operand. */
enum extent { NONE, ONE, TWO, THREE, FOUR };

static uint64_t mask_of(unsigned gpr, enum extent extent)
{
    return extent <= ONE ? (uint64_t)extent << gpr : ((1ull << extent) - 1) << (gpr & ~3u);
}

static void use(struct tf_gpr_uses *uses, unsigned gpr, enum extent reads, enum extent writes, bool late)
{
    const uint64_t read = mask_of(gpr, reads), written = mask_of(gpr, writes);
    uses->reads |= read & (0 - read);
    uses->others |= read & (read - 1);
    uses->writes |= written;
    uses->late |= late ? written : 0;
}

/* A field of 7 bits counts halves. */
#define OPERAND(op, name, width, reads, writes, late)                         \
    _Static_assert((width) == 6 || (width) == 7, #op ", " #name ": 64 GPRs"); \
    use(&uses, TF_FIELD(word, op, name) >> ((width)-6), reads, writes, late);
#define W(op, name) TF_FIELD(word, op, name)
#define F(op, name, first, width)
#define GPR(op, name, first, width, reads, writes) OPERAND(op, name, width, reads, writes, false)
#define LATE(op, name, first, width, reads, writes) OPERAND(op, name, width, reads, writes, true)
#define OP(name, opcode, unit, block, sync_class, flags, fields) \
    case opcode: {                                               \
        fields                                                   \
    } break;

struct tf_gpr_uses tf_gpr_uses(uint32_t word)
{
    struct tf_gpr_uses uses = {0, 0, 0, 0};
    switch (word >> 24) {
#include "tile/tensix/isa/tensix.def"
    default: break;
    }
    return uses;
}
