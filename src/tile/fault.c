/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tile/state.h"
#include "tile/word.h"

/* When the log is full, a fault replaces the last hazard, because the report of a stopped run must have the fault. */
static struct tf_fault *new_entry(struct tf_fault_log *log, bool hazard)
{
    if (log->count < TF_TILE_FAULTS_MAX)
        return &log->entry[log->count++];
    for (unsigned i = TF_TILE_FAULTS_MAX; i-- > 0 && !hazard;) {
        if (!log->entry[i].hazard)
            continue;
        log->dropped_hazards++;
        return &log->entry[i];
    }
    if (hazard)
        log->dropped_hazards++;
    else
        log->dropped++;
    return NULL;
}

/* The word of L1 at the pc of a core; 0 if there is none. */
static uint32_t instruction_at(const struct tf_tile *tile, unsigned core, uint32_t pc)
{
    if (core >= TF_TILE_CORES || pc % 4 != 0 || pc >= tile->arch->l1_bytes)
        return 0;
    return tf_tile_word(tile, pc);
}

static void record(struct tf_tile *tile, const struct tf_fault *what, const char *format, va_list arguments)
{
    struct tf_fault *fault = new_entry(&tile->faults, what->hazard);
    if (fault == NULL)
        return;
    *fault = *what;
    fault->tile = tile->coord;
    if (fault->instruction == 0) /* a register or the NOC found it, and knows only the pc */
        fault->instruction = instruction_at(tile, fault->core, fault->pc);
    if (vsnprintf(fault->text, sizeof fault->text, format, arguments) >= (int)sizeof fault->text)
        strcpy(fault->text + sizeof fault->text - sizeof "...", "..."); /* a reader sees that more would follow */
}

static struct tf_fault describe(unsigned core, uint32_t pc, uint64_t cycle, enum tf_fault_category category,
                                uint32_t instruction, uint64_t address)
{
    return (struct tf_fault){
        .category = category,
        .core = core < TF_TILE_CORES ? (uint8_t)core : TF_CORE_NONE,
        .pc = pc,
        .instruction = instruction,
        .address = address,
        .cycle = cycle,
    };
}

static uint32_t pc_of(const struct tf_tile *tile, unsigned core)
{
    return core < TF_TILE_CORES ? tile->hart[core].pc : 0;
}

void tf_tile_fault_list(struct tf_tile *tile, unsigned core, uint32_t pc, uint64_t cycle,
                        enum tf_fault_category category, uint32_t instruction, uint64_t address, const char *format,
                        va_list arguments)
{
    struct tf_fault fault = describe(core, pc, cycle, category, instruction, address);
    record(tile, &fault, format, arguments);
}

void tf_tile_fault_record(struct tf_tile *tile, unsigned core, uint32_t pc, uint64_t cycle,
                          enum tf_fault_category category, uint32_t instruction, uint64_t address, const char *format,
                          ...)
{
    va_list arguments;
    va_start(arguments, format);
    tf_tile_fault_list(tile, core, pc, cycle, category, instruction, address, format, arguments);
    va_end(arguments);
}

static bool is_noted(const struct tf_fault_log *log, const struct tf_fault *hazard)
{
    for (unsigned i = 0; i < log->count; i++) {
        const struct tf_fault *noted = &log->entry[i];
        if (noted->hazard && noted->core == hazard->core && noted->pc == hazard->pc &&
            noted->category == hazard->category)
            return true;
    }
    return false;
}

static void note_hazard(struct tf_tile *tile, struct tf_fault *hazard, const char *format, va_list arguments)
{
    hazard->hazard = true;
    if (!is_noted(&tile->faults, hazard))
        record(tile, hazard, format, arguments);
}

void tf_tile_hazard(struct tf_tile *tile, unsigned core, enum tf_fault_category category, uint32_t instruction,
                    uint64_t address, const char *format, ...)
{
    struct tf_fault hazard = describe(core, pc_of(tile, core), tile->cycle, category, instruction, address);
    va_list arguments;
    va_start(arguments, format);
    note_hazard(tile, &hazard, format, arguments);
    va_end(arguments);
}

void tf_tile_hazard_at(struct tf_tile *tile, unsigned core, uint32_t pc, uint64_t cycle,
                       enum tf_fault_category category, uint32_t instruction, const char *format, ...)
{
    struct tf_fault hazard = describe(core, pc, cycle, category, instruction, 0);
    va_list arguments;
    va_start(arguments, format);
    note_hazard(tile, &hazard, format, arguments);
    va_end(arguments);
}
