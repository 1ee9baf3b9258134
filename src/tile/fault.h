/* SPDX-License-Identifier: Apache-2.0 */
/* The log of a tile's violations. The farm collects it at the end of the epoch. */
#ifndef TILE_FAULT_H
#define TILE_FAULT_H

#include <stdarg.h>

#include "tilefarm/tilefarm_chip.h"

#define TF_TILE_FAULTS_MAX 16

struct tf_fault_log {
    unsigned count;                    /* entries in use */
    uint64_t dropped, dropped_hazards; /* when the log was full */
    struct tf_fault entry[TF_TILE_FAULTS_MAX];
};

struct tf_tile;

/* Record a fault of coprocessor thread core - TF_CORE_T0, pushed from pc. The caller stops the thread. */
void tf_tile_fault_record(struct tf_tile *tile, unsigned core, uint32_t pc, uint64_t cycle,
                          enum tf_fault_category category, uint32_t instruction, uint64_t address, const char *format,
                          ...) __attribute__((format(printf, 8, 9)));

/* tf_tile_fault_record() with the arguments of the format as a list. */
void tf_tile_fault_list(struct tf_tile *tile, unsigned core, uint32_t pc, uint64_t cycle,
                        enum tf_fault_category category, uint32_t instruction, uint64_t address, const char *format,
                        va_list arguments) __attribute__((format(printf, 8, 0)));

/* Record a hazard: nothing stops. Each (core, pc, category) is recorded once per epoch. */
void tf_tile_hazard(struct tf_tile *tile, unsigned core, enum tf_fault_category category, uint32_t instruction,
                    uint64_t address, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Record a hazard of a coprocessor instruction. pc: of the push. */
void tf_tile_hazard_at(struct tf_tile *tile, unsigned core, uint32_t pc, uint64_t cycle,
                       enum tf_fault_category category, uint32_t instruction, const char *format, ...)
    __attribute__((format(printf, 7, 8)));

#endif
