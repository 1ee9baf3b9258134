/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of a MOP expander. */
#ifndef RACES_TENSIX_MOPS_H
#define RACES_TENSIX_MOPS_H

#include "races/state/state.h"

/* A core stores to the configuration of its MOP expander. */
void mop_configured(struct site *site, unsigned core, uint32_t pc, uint32_t address);

#endif
