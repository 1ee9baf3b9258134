/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the writers of profiles share. */
#ifndef LOOK_PROFILE_PARTS_H
#define LOOK_PROFILE_PARTS_H

#include "look/profile.h"

/* pprof.c: write pprof's profile.proto. Returns false if the host has no memory. */
bool tf_profile_write_pprof(const struct tf_profile *profile, FILE *file, bool compressed);

/* flame.c: write a flame graph, one SVG, which a page may contain. Returns false if the host has no memory. */
bool tf_profile_write_flame(const struct tf_profile *profile, FILE *file);

/* Sort the callees of a call, most cycles first. *order has their indices; the caller frees it. Returns their number; 0
   also if the host has no memory. */
uint32_t tf_profile_callees(const struct tf_profile *profile, uint32_t call, uint32_t **order);

/* Sort all functions, most cycles first, in the same way. */
uint32_t tf_profile_functions(const struct tf_profile *profile, uint32_t **order);

/* The cycles of a call with its callees, and waits included. */
static inline uint64_t tf_call_cycles(const struct tf_call *call)
{
    return call->executed_total + call->waited_total;
}

#endif
