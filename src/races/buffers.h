/* SPDX-License-Identifier: Apache-2.0 */
/* Circular buffers whose pages the registers of a stream count. */
#ifndef RACES_BUFFERS_H
#define RACES_BUFFERS_H

#include "races/state/state.h"

/* A core stores to a register of a stream, or has loaded one. */
void buffer_stored(struct site *site, unsigned core, uint32_t pc, uint32_t address, uint32_t value);
void buffer_loaded(struct site *site, unsigned core, uint32_t address);

/* A request of the NOC writes a counter of pages. Two that write one counter need an order: if the earlier one comes
   last, the counter goes back. number: as counts_pages() tells it. */
void buffer_sent(struct site *site, const struct who *who, uint32_t address, unsigned number);

#endif
