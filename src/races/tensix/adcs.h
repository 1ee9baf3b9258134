/* SPDX-License-Identifier: Apache-2.0 */
/* Address counters (ADCs) of a thread that an instruction of another thread sets, by an override of the thread. */
#ifndef RACES_TENSIX_ADCS_H
#define RACES_TENSIX_ADCS_H

#include "races/state/state.h"

/* An instruction has passed the gate of a thread: check the address counters that it sets or uses. Before
   config_passed(). */
void adcs_passed(struct site *site, unsigned t, uint32_t word, uint32_t pc);

#endif
