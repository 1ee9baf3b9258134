/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile in pprof's format. Source: google/pprof, proto/profile.proto. The output is gzip (RFC 1952) with stored
 * blocks, because readers expect this format, and the file is small.
 */
#ifndef LOOK_PPROF_H
#define LOOK_PPROF_H

#include <stdbool.h>
#include <stdio.h>

struct tf_profile;

/* pprof.c: write pprof's profile.proto. Returns false if the host has no memory. */
bool tf_profile_write_pprof(const struct tf_profile *profile, FILE *file, bool compressed);

#endif
