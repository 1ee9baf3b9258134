/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/hart/stop.h"

#include <stdarg.h>

#include "tile/fault.h"
#include "tile/riscv/hart/wake.h"
#include "tile/state.h"

void tf_hart_stop(struct tf_hart *hart)
{
    if (hart->state == TF_CORE_PARKED)
        tf_park_wake(NULL, hart);
    hart->state = TF_CORE_FAULTED;
}

static void stop(struct tf_tile *tile, unsigned core)
{
    if (core < TF_TILE_CORES)
        tf_hart_stop(&tile->hart[core]);
}

void tf_tile_fault(struct tf_tile *tile, unsigned core, enum tf_fault_category category, uint32_t instruction,
                   uint64_t address, const char *format, ...)
{
    uint32_t pc = core < TF_TILE_CORES ? tile->hart[core].pc : 0;
    va_list arguments;
    if (tile->tries)
        return;
    va_start(arguments, format);
    tf_tile_fault_list(tile, core, pc, tile->cycle, category, instruction, address, format, arguments);
    va_end(arguments);
    stop(tile, core);
}

void tf_tile_fault_at(struct tf_tile *tile, unsigned core, uint32_t pc, uint64_t cycle, enum tf_fault_category category,
                      uint32_t instruction, uint64_t address, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    tf_tile_fault_list(tile, core, pc, cycle, category, instruction, address, format, arguments);
    va_end(arguments);
    stop(tile, core);
}
