/* SPDX-License-Identifier: Apache-2.0 */
/* The registers that an instruction reads and writes, by their numbers in ready[] (tile/timing.h). Only for timed/. */
#ifndef TILE_RISCV_TIMED_FORM_H
#define TILE_RISCV_TIMED_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/riscv/code/page.h"
#include "tile/riscv/isa/decoded.h"
#include "tile/riscv/isa/ids.h"

/* A register: (field & mask) + base. Without a register both are 0: x0 is always known. */
struct tf_timed_register {
    uint8_t mask, base;
};

struct tf_timed_form {
    struct tf_timed_register rs1, rs2, rs3, rd;
};

extern const struct tf_timed_form tf_timed_form[]; /* by enum tf_rv_id */

static inline unsigned tf_timed_register(struct tf_timed_register as, unsigned field)
{
    return (field & as.mask) + as.base;
}

/* The register that an instruction writes; the sink if it writes none. */
static inline unsigned tf_timed_written(const struct tf_timed_form *form, const struct tf_rv_insn *insn)
{
    const unsigned r = tf_timed_register(form->rd, insn->rd);
    return r == 0 ? TF_OP_SINK : r;
}

static inline bool tf_timed_divides(unsigned id)
{
    return id == TF_RV_DIV || id == TF_RV_DIVU || id == TF_RV_REM || id == TF_RV_REMU;
}

static inline bool tf_timed_multiplies(unsigned id)
{
    return id == TF_RV_MUL || id == TF_RV_MULH || id == TF_RV_MULHU || id == TF_RV_MULHSU;
}

#endif
