/* SPDX-License-Identifier: Apache-2.0 */
/* GPRs that instructions of a thread and cores share. */
#ifndef RACES_TENSIX_GPRS_H
#define RACES_TENSIX_GPRS_H

#include "races/state/state.h"

/* An instruction of a thread has passed the gate: check the GPRs that it uses. */
void gprs_passed(struct site *site, unsigned t, const struct tf_gpr_uses *uses, uint32_t pc, uint64_t cycle);

/* A core stores to a GPR, or has loaded one: check for instructions that may not have used it yet. */
void gpr_stored(struct site *site, unsigned core, uint32_t pc, uint32_t address);
void gpr_loaded(struct site *site, unsigned core, uint32_t pc, uint32_t address);

/* A host has sent this tile something: stores to GPRs that came before what the host knows have arrived. */
void gprs_told(struct site *site);

#endif
