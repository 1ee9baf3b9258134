/* SPDX-License-Identifier: Apache-2.0 */
/* Contention across links, for `tilefarm stress --system`: a workload that no list has. */
#ifndef CLI_SYSTEMS_CONTEND_H
#define CLI_SYSTEMS_CONTEND_H

#include <stdint.h>

#include "cli/systems/workload.h"

/* Its scale is the number of messages that each end of a link sends. It can be set up again on the same system. */
extern const struct tf_system_workload tf_system_contend;

/* The invariant of docs/design.md that the last verify() has found broken. NULL: no single one. */
const char *tf_contend_invariant(const void *state);

/* What the programs have done: messages over links, atomics and writes of Tensix tiles. */
uint64_t tf_contend_messages(const void *state);
uint64_t tf_contend_requests(const void *state);

#endif
