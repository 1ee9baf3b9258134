/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/gate_fault.h"

#include <stdarg.h>
#include <stdio.h>

#include "tile/fault.h"
#include "tile/tensix/isa/disasm.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"

void tf_tensix_fault(struct tf_tile *tile, unsigned t, enum tf_fault_category category, uint64_t address,
                     const char *format, ...)
{
    struct tf_tensix_thread *thread = &tile->tensix->thread[t];
    char instruction[120], what[120];
    tf_tensix_disassemble_of(tile->arch, thread->gate.word, instruction, sizeof instruction);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    thread->faulted = true;
    tf_tile_fault_record(tile, TF_CORE_T0 + t, thread->gate.pc, thread->cycle, category, thread->gate.word, address,
                         "Tensix T%u: %s: %s", t, what, instruction);
}
