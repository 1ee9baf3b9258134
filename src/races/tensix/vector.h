/* SPDX-License-Identifier: Apache-2.0 */
/* LRegs that the vector unit reads before anything has written them; sub-units that meet SFPLOADMACRO. */
#ifndef RACES_TENSIX_VECTOR_H
#define RACES_TENSIX_VECTOR_H

#include "races/state/state.h"

/* Set the functions of the site's check that the vector unit calls. */
void vector_attach(struct site *site);

/* An instruction of the vector unit has passed the gate of a thread, and has acted: check its LRegs. */
void lregs_passed(struct site *site, unsigned t, uint32_t word, uint32_t pc, uint64_t cycle);

#endif
