/* SPDX-License-Identifier: Apache-2.0 */
/* Making a system of chips and links, and what it tells between runs. */
#ifndef SYSTEM_SYSTEM_H
#define SYSTEM_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

struct tf_message;
struct tf_system;
struct tf_system_config;

/* Between runs: would a run end as quiet at once? */
bool tf_system_is_quiet(const struct tf_system *system);

/* Let time pass up to a cycle on a system that is quiet. Of a system over ranks, all of them call it, or its leader. */
void tf_system_pass(struct tf_system *system, uint64_t cycle);

/* Forget a tf_system_stop() that has ended no run. */
void tf_system_go_on(struct tf_system *system);

/* Let some time pass before on_progress is called: that brings all tiles up to date. */
void tf_system_defer_progress(struct tf_system *system);

/* Complete the configuration of a program, as tf_config_take() does for a chip. Its cluster may be NULL. */
int tf_system_config_take(const struct tf_system_config *theirs, struct tf_system_config *whole,
                          struct tf_message *message);

/* tf_system_create(). like: NULL, or a system whose chips' tables the new chips share; it must outlive them. */
int tf_system_create_like(const struct tf_system_config *config, const struct tf_system *like, struct tf_system **out,
                          struct tf_message *message);

#endif
