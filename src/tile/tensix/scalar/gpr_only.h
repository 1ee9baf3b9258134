/* SPDX-License-Identifier: Apache-2.0 */
/* Stretches of instructions in which a thread has to do with nothing but its own GPRs. */
#ifndef TILE_TENSIX_SCALAR_GPR_ONLY_H
#define TILE_TENSIX_SCALAR_GPR_ONLY_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tensix;
struct tf_tensix_thread;

/*
 * Let the instruction at the gate pass, which nothing holds, and those behind it as long as they are of its kind
 * (alu.h), before cycle `deadline`, waiting for what arrives before cycle `limit`. That is what passing one after
 * another comes to, while no wait is latched, no completion late and no unit held. The gate may be empty. False, with
 * nothing done: the instruction at it is not of that kind.
 */
bool tf_local_run(struct tf_tensix *tensix, unsigned thread, uint64_t limit, uint64_t deadline);

/* If the FIFO's next is a REPLAY that plays, or a MOP, and arrives in time, the expander takes it. */
bool tf_local_expand(struct tf_tensix_thread *thread, uint64_t limit, uint64_t deadline);

#endif
