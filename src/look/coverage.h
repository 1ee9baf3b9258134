/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage in lcov's format (geninfo(1), "FILES"). A line begins at one instruction or several. Its count is that of
 * the most frequent one. Counts of programs that share a file are added up.
 */
#ifndef LOOK_COVERAGE_H
#define LOOK_COVERAGE_H

#include <stdbool.h>
#include <stdio.h>

struct tf_profile;

/* Coverage of all programs with line tables, in lcov's format. Returns false if the host has no memory. */
bool tf_profile_coverage(struct tf_profile *profile, FILE *file);

#endif
