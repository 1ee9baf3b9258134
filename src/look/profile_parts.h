/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the writers of profiles share. */
#ifndef LOOK_PROFILE_PARTS_H
#define LOOK_PROFILE_PARTS_H

#include "look/profile.h"

/* flame.c: write a flame graph, one SVG, which a page may contain. Returns false if the host has no memory. */
bool tf_profile_write_flame(const struct tf_profile *profile, FILE *file);

/* The cycles of a call with its callees, and waits included. */
static inline uint64_t tf_call_cycles(const struct tf_call *call)
{
    return call->executed_total + call->waited_total;
}

#endif
