/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/dispatch.h"

#include <string.h>

#include "tile/tensix/isa/isa.h"

void tf_exec_NOP(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    (void)tile, (void)thread, (void)word;
}

tf_tensix_execute *const tf_tensix_dispatch[256] = {
#define F(op, name, first, width)
#define OP(name, opcode, unit, block, sync_class, flags, fields) [opcode] = tf_exec_##name,
#define UNEXECUTED(name, opcode, unit, block, sync_class, flags, fields)
#include "tile/tensix/isa/tensix.def"
#undef OP
#undef F
};

static bool is_dropped(uint8_t opcode)
{
#define X(name) TF_OP_##name,
    static const uint8_t dropped[] = { TF_FPU_DROPPED(X) };
#undef X
    return memchr(dropped, opcode, sizeof dropped) != NULL;
}

/* The expanders take MOP, MOP_CFG, REPLAY and RESOURCEDECL before they come to the gate. */
bool tf_tensix_implemented(uint8_t opcode)
{
    return (tf_tensix_dispatch[opcode] != NULL && !is_dropped(opcode)) ||
           (tf_tensix_op(opcode) != NULL && tf_tensix_ops[opcode].unit == TF_UNIT_FRONTEND);
}
