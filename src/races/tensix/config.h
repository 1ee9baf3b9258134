/* SPDX-License-Identifier: Apache-2.0 */
/* Words of the backend configuration that cores store, and instructions that read them. */
#ifndef RACES_TENSIX_CONFIG_H
#define RACES_TENSIX_CONFIG_H

#include "races/state/state.h"

/* A core stores to a word of the configuration. Report the units that may not have read the old value yet. */
void store_config(struct site *site, unsigned core, uint32_t pc, uint32_t address, uint32_t value);

/* Does Auto TTSync let a T core's pushed instructions wait for its stores of this kind (TF_TRISC_SYNC_TRACK_*)? */
bool stores_synchronized(const struct site *site, unsigned core, uint32_t track);

/* The mover is about to write a range of the configuration, by byte offset. from: the data; NULL: zeros. */
void config_moved(struct site *site, const struct who *who, uint32_t offset, const uint8_t *from, uint32_t bytes);

/* A core has loaded a word of the configuration: its stores that have left the queue have arrived. */
void config_loaded(struct site *site, unsigned core);

/* A STALLWAIT of a thread has waited for its core's stores to the configuration. */
void config_awaited(struct site *site, unsigned thread);

/* A unit works for a thread. The instruction at the thread's gate has read the configuration. */
void config_read(struct site *site, unsigned thread, enum tf_check_unit unit);

/* An instruction has passed the gate of a thread, and has acted: check its reads of the configuration. */
void config_passed(struct site *site, unsigned thread, uint32_t word, uint32_t pc);

#endif
