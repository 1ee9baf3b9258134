/* SPDX-License-Identifier: Apache-2.0 */
/* The trace of coprocessor instructions, from the tiles' records to on_tensix. */
#include "farm/chip/chip.h"
#include "tile/tensix/debug/disasm.h"
#include "tile/tensix/debug/trace.h"
#include "tile/tensix/state.h"

bool tf_traces_begin(struct tf_chip *chip)
{
    for (unsigned i = 0; i < tf_chip_tensix_tiles(chip) && chip->config.on_tensix != NULL; i++)
        if (chip->config.tensix_traced[i] && !tf_trace_begin(&chip->tile[i]))
            return false;
    return true;
}

void tf_trace_report(struct tf_worker *worker, struct tf_tile *tile)
{
    const struct tf_config *config = &worker->chip->config;
    if (tile->tensix != NULL && tile->tensix->trace != NULL)
        worker->trace_lost |= !tf_trace_hand_over(tile, config->on_tensix, config->user);
}

void tf_traces_report(struct tf_chip *chip)
{
    for (unsigned i = 0; i < tf_chip_tensix_tiles(chip) && chip->config.on_tensix != NULL; i++)
        tf_trace_report(&chip->worker[0], &chip->tile[i]);
}

size_t tf_tensix_text(uint32_t instruction, char *text, size_t bytes)
{
    return (size_t)tf_tensix_disassemble(instruction, text, bytes > 4096 ? 4096 : (unsigned)bytes);
}
