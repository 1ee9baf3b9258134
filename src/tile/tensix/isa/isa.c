/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/isa/isa.h"

#include <stddef.h>

#define MASK(first, width) (((1u << (width)) - 1) << (first))

/* The sum of field masks differs from their union if fields overlap or exceed the operands. */
#define F(op, name, first, width) +(uint64_t)MASK(first, width)
#define OP(name, opcode, unit, block, sync_class, flags, fields) enum { SUM_##name = (int)(0 fields) };
#include "tile/tensix/isa/tensix.def"
#undef OP
#undef F
#define F(op, name, first, width) | MASK(first, width)
#define OP(name, opcode, unit, block, sync_class, flags, fields)                    \
    enum { UNION_##name = (int)(0 fields) };                                        \
    _Static_assert((int)SUM_##name == (int)UNION_##name, #name ": fields overlap"); \
    _Static_assert((UNION_##name & ~(int)TF_TENSIX_OPERANDS) == 0, #name ": a field leaves the operands");
#include "tile/tensix/isa/tensix.def"
#undef OP
#undef F

#define F(op, name, first, width) {#name, first, width},
#define OP(name, opcode, unit, block, sync_class, flags, fields) \
    static const struct tf_tensix_field fields_##name[] = {fields{NULL, 0, 0}};
#include "tile/tensix/isa/tensix.def"
#undef OP
#undef F

/* clang-format off */
#define UNKNOWN {.reserved = TF_TENSIX_OPERANDS, .sync_class = TF_SYNC_NONE}
/* clang-format on */
#define UNKNOWN_4 UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN
#define UNKNOWN_16 UNKNOWN_4, UNKNOWN_4, UNKNOWN_4, UNKNOWN_4
#define UNKNOWN_64 UNKNOWN_16, UNKNOWN_16, UNKNOWN_16, UNKNOWN_16

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
const struct tf_tensix_op tf_tensix_ops[256] = {
    UNKNOWN_64,
    UNKNOWN_64,
    UNKNOWN_64,
    UNKNOWN_64,
#define F(op, name, first, width)
#define OP(name, code, unit_, block_, class_, flags_, list)           \
    [code] = {                                                        \
        .mnemonic = #name,                                            \
        .field = fields_##name,                                       \
        .reserved = TF_TENSIX_OPERANDS & ~(uint32_t)UNION_##name,     \
        .block = block_,                                              \
        .opcode = code,                                               \
        .fields = sizeof fields_##name / sizeof fields_##name[0] - 1, \
        .unit = TF_UNIT_##unit_,                                      \
        .sync_class = TF_SYNC_##class_,                               \
        .flags = flags_,                                              \
    },
#include "tile/tensix/isa/tensix.def"
#undef OP
#undef F
};
#pragma GCC diagnostic pop

const struct tf_tensix_op *tf_tensix_op(uint8_t opcode)
{
    return tf_tensix_ops[opcode].mnemonic != NULL ? &tf_tensix_ops[opcode] : NULL;
}

const char *tf_tensix_unit_name(unsigned unit)
{
    static const char *const name[TF_UNITS] = {
        [TF_UNIT_FRONTEND] = "frontend", [TF_UNIT_SYNC] = "sync",     [TF_UNIT_UNPACK] = "unpack",
        [TF_UNIT_MATRIX] = "matrix",     [TF_UNIT_PACK] = "pack",     [TF_UNIT_VECTOR] = "vector",
        [TF_UNIT_SCALAR] = "scalar",     [TF_UNIT_CONFIG] = "config", [TF_UNIT_MOVER] = "mover",
        [TF_UNIT_MISC] = "misc",
    };
    return unit < TF_UNITS ? name[unit] : "-";
}
