/* SPDX-License-Identifier: Apache-2.0 */
/* The observers of a chip. No result depends on them. */
#ifndef FARM_OBSERVERS_H
#define FARM_OBSERVERS_H

#include <stdbool.h>
#include <stddef.h>

#include "host/hook.h"

struct tf_noc_log;
struct tf_path_record;
struct tf_races;
struct tf_riscv_trace;
struct tf_said;

struct tf_observers {
    struct tf_riscv_trace *riscv; /* by Tensix tile; NULL: no core is traced */
    struct tf_said *said;         /* by tile; NULL: not recorded */
    struct tf_noc_log *noc_log;   /* NULL: requests are not logged */
    struct tf_races *races;       /* NULL: no race checker */
    struct tf_path_record *path;  /* NULL: the critical path is not recorded */
    struct tf_observer *marker;   /* by tile, of no core, for ordered memory; else NULL */
};

/* Does an observer follow each request? */
static inline bool tf_hear_requests(const struct tf_observers *observers)
{
    return TF_HOOK(observers->noc_log) != NULL || TF_HOOK(observers->races) != NULL;
}

#endif
