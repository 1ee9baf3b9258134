/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of streams that hold data: one core stores to a register, and another one loads it. */
#ifndef RACES_STREAMS_H
#define RACES_STREAMS_H

#include "races/state/state.h"

/* A core stores to a register of a stream, or is about to learn what its load has shown. */
void stream_stored(struct site *site, unsigned core, uint32_t pc, uint32_t address);
void stream_loaded(struct site *site, unsigned core, uint32_t pc, uint32_t address);

/* A request writes to the register. */
void stream_forget(struct site *site, uint32_t address);

/* Forget all accesses to registers of streams. */
void streams_free(struct site *site);

#endif
