/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that write a profile share. */
#ifndef LOOK_PROFILE_PARTS_H
#define LOOK_PROFILE_PARTS_H

#include "look/profile.h"

/* pprof.c. False: no memory. */
bool tf_profile_write_pprof(const struct tf_profile *profile, FILE *file, bool compressed);

/* flame.c: one SVG, or the same within a page. False: no memory. */
bool tf_profile_write_flame(const struct tf_profile *profile, FILE *file);

/* The callees of a call, most cycles first, in *order, which the caller frees. Returns their number; 0 also where there
   is no memory. */
uint32_t tf_profile_callees(const struct tf_profile *profile, uint32_t call, uint32_t **order);

/* All functions in that order, likewise. */
uint32_t tf_profile_functions(const struct tf_profile *profile, uint32_t **order);

static inline uint64_t tf_call_cycles(const struct tf_call *call)
{
    return call->executed_total + call->waited_total;
}

#endif
