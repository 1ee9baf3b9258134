/* SPDX-License-Identifier: Apache-2.0 */
#ifndef RACES_STATE_INSN_H
#define RACES_STATE_INSN_H

#include "races/state/state.h"

/* Decode the instruction at pc. Returns false if pc is not in L1 or instruction RAM. */
bool insn_at(const struct tf_tile *tile, uint32_t pc, struct tf_rv_insn *insn);

#endif
