/* SPDX-License-Identifier: Apache-2.0 */
/* The coprocessor. */
#ifndef RACES_UNITS_H
#define RACES_UNITS_H

#include "races/state/state.h"

/* Set the functions of the site's check that units of the coprocessor call. */
void units_attach(struct site *site);

/* An instruction of a thread is past its gate: if the thread's last wait blocks it, that wait has ended. */
void thread_waited(struct site *site, unsigned thread, uint32_t word);

#endif
