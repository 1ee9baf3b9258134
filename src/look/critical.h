/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of the critical path of a run in timing mode (tilefarm_times.h). */
#ifndef LOOK_CRITICAL_H
#define LOOK_CRITICAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "debug/symbols.h"
#include "tilefarm/tilefarm_cluster.h"
#include "tilefarm/tilefarm_times.h"

struct tf_system;

#define TF_CRITICAL_LINE_BYTES 300u

/* The path of a chip, or of a system, that records it. */
struct tf_critical {
    struct {
        struct tf_chip *chip;
        struct tf_symbols *symbols; /* NULL: none are known */
    } of[TF_CLUSTER_CHIPS_MAX];     /* by number of the chip */
    bool system;                    /* they are those of a system */
    struct tf_system_path_part *part;
    size_t count;
};

/* Get the path. Returns an error of tf_path_read(). */
int tf_critical_open(struct tf_critical *path, struct tf_chip *chip, struct tf_symbols *symbols);

/* The same of a system. symbols: by chip. */
int tf_critical_open_system(struct tf_critical *path, struct tf_system *system, struct tf_symbols *const *symbols);
void tf_critical_close(struct tf_critical *path);

/* The tables of the chip that a part is about. */
const struct tf_arch *tf_critical_arch(const struct tf_critical *path, const struct tf_system_path_part *part);

/* The place of a part's instruction: "kernel.c:12", "main+0x10", "0x00005a10"; "-": it has none. In an inlined function
   of the device library it is the line of the call. */
const char *tf_critical_line(const struct tf_critical *path, const struct tf_system_path_part *part,
                             char text[TF_CRITICAL_LINE_BYTES]);

/* Cycles of a line; or of a kind. */
struct tf_critical_sum {
    char name[TF_CRITICAL_LINE_BYTES];
    uint64_t cycles;
};

struct tf_critical_sums {
    struct tf_critical_sum *sum; /* the largest first; the caller frees it. NULL: no memory */
    size_t count;
    uint64_t whole;
};

/* Add up all parts: by lines, or by kinds. */
struct tf_critical_sums tf_critical_add_up(const struct tf_critical *path, bool by_line);

/* The share of a sum, in percent. */
double tf_critical_percent(const struct tf_critical_sums *sums, size_t i);

#endif
