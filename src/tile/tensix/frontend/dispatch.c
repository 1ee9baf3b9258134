/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/dispatch.h"

#include <string.h>

#include "tile/tensix/config/adc.h"
#include "tile/tensix/config/config.h"
#include "tile/tensix/config/rwc.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/frontend/isa.h"
#include "tile/tensix/frontend/sync.h"
#include "tile/tensix/matrix/matrix.h"
#include "tile/tensix/mover/mover.h"
#include "tile/tensix/pack/pack.h"
#include "tile/tensix/pack/packers.h"
#include "tile/tensix/scalar/thcon.h"
#include "tile/tensix/scalar/thmem.h"
#include "tile/tensix/unpack/unpack.h"
#include "tile/tensix/vector/vector.h"

static void nothing(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    (void)tile, (void)thread, (void)word;
}

#define AT(name) [TF_OP_##name] = tf_exec_##name

tf_tensix_execute *const tf_tensix_dispatch[256] = {
    [TF_OP_NOP] = nothing,
    /* sync */
    AT(ATGETM),
    AT(ATRELM),
    AT(STALLWAIT),
    AT(SEMINIT),
    AT(SEMPOST),
    AT(SEMGET),
    AT(SEMWAIT),
    AT(STREAMWAIT),
    /* scalar */
    AT(ADDDMAREG),
    AT(SUBDMAREG),
    AT(MULDMAREG),
    AT(BITWOPDMAREG),
    AT(SHIFTDMAREG),
    AT(CMPDMAREG),
    AT(SETDMAREG),
    AT(DMANOP),
    AT(FLUSHDMA),
    AT(REG2FLOP),
    AT(LOADIND),
    AT(STOREIND),
    AT(LOADREG),
    AT(STOREREG),
    AT(ATINCGET),
    AT(ATINCGETPTR),
    AT(ATCAS),
    AT(ATSWAP),
    /* configuration */
    AT(SETC16),
    AT(WRCFG),
    AT(RDCFG),
    AT(RMWCIB0),
    AT(RMWCIB1),
    AT(RMWCIB2),
    AT(RMWCIB3),
    AT(CFGSHIFTMASK),
    AT(STREAMWRCFG),
    /* address counters */
    AT(SETADC),
    AT(SETADCXX),
    AT(SETADCXY),
    AT(SETADCZW),
    AT(INCADCXY),
    AT(INCADCZW),
    AT(ADDRCRXY),
    AT(ADDRCRZW),
    AT(SETRWC),
    AT(INCRWC),
    /* banks of SrcA and SrcB, packer state */
    AT(SETDVALID),
    AT(CLEARDVALID),
    AT(GATESRCRST),
    AT(CLREXPHIST),
    /* unpackers */
    AT(UNPACR),
    AT(UNPACR_NOP),
    /* packer */
    AT(PACR),
    AT(PACR_SETREG),
    /* mover */
    AT(XMOV),
    /* matrix */
    AT(ZEROACC),
/* clang-format off */
#define X(name) AT(name),
    /* clang-format on */
    TF_FPU_OPS(X) TF_FPU_DROPPED(X)
#undef X
/* vector */
/* clang-format off */
#define X(name, registers) AT(name),
    /* clang-format on */
    TF_SFPU_KERNELS(X) AT(SFPLOAD),
    AT(SFPSTORE),
    AT(SFPLOADMACRO),
#undef X
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
