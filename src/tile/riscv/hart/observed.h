/* SPDX-License-Identifier: Apache-2.0 */
/* What observers of a core get (tile/observe.h). */
#ifndef TILE_RISCV_HART_OBSERVED_H
#define TILE_RISCV_HART_OBSERVED_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/riscv/isa/decoded.h"

/* The events of an instruction that may pause its core for a debugger. */
struct tf_retired {
    uint32_t pc;
    uint32_t address, bytes; /* range of memory that it accessed */
    bool loads, stores;
};

/* An instruction of a core. */
struct tf_observed {
    struct tf_rv_insn insn;
    uint64_t cycle;
    struct tf_retired reach; /* of a vector instruction: the range that holds all its elements */
};

#endif
