/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of registers that are not answered yet. */
#ifndef RACES_STATE_UNANSWERED_H
#define RACES_STATE_UNANSWERED_H

#include "races/state/state.h"

/* The clock of a core for an access to L1 by the instruction at pc, if a load of a register may not be answered yet. It
   leaves out such a load, if the access may overtake it. */
const struct tf_view *known_before(struct site *site, unsigned core, uint32_t pc);

/* The clock of a core for any access to L1. */
static inline const struct tf_view *known_at(struct site *site, unsigned core, uint32_t pc)
{
    struct race_core *of = &site->core[core];
    return of->unanswered.valid ? known_before(site, core, pc) : &of->view;
}

/* Can no access overtake the load at pc, because the next instruction needs its value? */
bool needed_next(const struct site *site, unsigned core, uint32_t pc);

/* A core has loaded a register at pc. before: its clock before the load; this function takes the reference. */
void loaded_register(struct site *site, unsigned core, uint32_t pc, struct tf_clock *before);

/* Note that all loads of a core are answered. */
void loads_answered(struct race_core *of);

#endif
