/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of NIUs that describe a command. */
#ifndef RACES_COMMANDS_H
#define RACES_COMMANDS_H

#include "races/state/state.h"

/* A core stores to a register of a NIU, or has loaded one. offset: in the NIU, by Blackhole's layout. */
void command_stored(struct site *site, unsigned core, uint32_t pc, uint32_t address, uint32_t offset);
void command_loaded(struct site *site, unsigned core, uint32_t address, uint32_t offset, uint32_t value);

/* The commands for a NIU that may be in a core's store queue. */
struct commands {
    unsigned count;
    uint32_t last; /* time of the newest one; 0: none */
};
struct commands commands_queued(const struct site *site, unsigned core, unsigned noc);

/* A core knows that a NIU has accepted all commands. */
void commands_taken(struct site *site, unsigned core, unsigned noc);

#endif
