/* SPDX-License-Identifier: Apache-2.0 */
/* A profile as text: tables for people, folded stacks, coverage for lcov. */
#ifndef LOOK_PROFILE_TEXT_H
#define LOOK_PROFILE_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "look/profile.h"

/* The form that the suffix of a file name selects. */
enum tf_profile_form tf_profile_form_of(const char *path);

/* Write a profile in one of the forms. Returns false if the host has no memory. */
bool tf_profile_write(const struct tf_profile *profile, enum tf_profile_form form, FILE *file);

#endif
