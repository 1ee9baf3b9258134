/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of NIUs that describe a command. Stores to them wait until the NIU has accepted the last command:
   NOC_CMD_CTRL is 0 (NoC/MemoryMap.md). */
#include <string.h>

#include "noc/niu_layout.h"
#include "races/commands.h"
#include "races/paths.h"
#include "races/state/state.h"
#include "tile/niu_words.h"
#include "tile/run/tile.h"

/* Two cores use one initiator. A store of the second to its registers must come after all of the first. */
static void share(struct site *site, unsigned core, uint32_t address, tf_trace *last, const struct who *who)
{
    const unsigned other = *last == 0 ? core : tf_trace_slot(*last) - SLOT_STORES;
    struct who sharer = *who;
    sharer.fix = "two cores use one initiator of the NIU: give each its own, or order the two by a flag or a lock";
    if (other != core && !tf_view_knows(who->view, TF_ACTOR(site->number, SLOT_CORE + other), tf_trace_time(*last)))
        found(site, TF_RACE_DATA, address, *last, &sharer);
    *last = who->trace;
}

static bool is_command(const struct site *site, uint32_t address, unsigned noc)
{
    if (address < TF_NIU_BASE(noc) || address >= TF_NIU_BASE(noc + 1))
        return false;
    const uint32_t offset = tf_niu_layout_common(site->all->fabric->arch->niu, address & 0xFFFF);
    return offset / TF_NIU_INITIATOR_STRIDE < TF_NIU_INITIATORS &&
           offset % TF_NIU_INITIATOR_STRIDE / 4 == TF_NIU_CMD_CTRL;
}

struct commands commands_queued(const struct site *site, unsigned core, unsigned noc)
{
    const struct race_core *of = &site->core[core];
    struct commands commands = {.count = 0};
    for (unsigned i = 0; i < QUEUED_MOST; i++) {
        const struct queued *store = &of->queued[i];
        if (store->time <= of->emitted || !is_command(site, store->address, noc))
            continue;
        commands.count++;
        if (commands.last < store->time)
            commands.last = store->time;
    }
    return commands;
}

void command_stored(struct site *site, unsigned core, uint32_t pc, uint32_t address, uint32_t offset)
{
    const unsigned noc = address >> 16 & 1, initiator = offset / TF_NIU_INITIATOR_STRIDE,
                   word = offset % TF_NIU_INITIATOR_STRIDE / 4;
    const struct who who = {
        .view = &site->core[core].view,
        .own = {(int)(SLOT_CORE + core), (int)(SLOT_STORES + core)},
        .trace = tf_trace_make(SLOT_STORES + core, TF_WORD_BYTES, pc, core_time(site, core)),
        .write = true,
        .fix = "the NIU may not have accepted the command yet: poll NOC_CMD_CTRL until it is 0 before storing to its "
               "registers",
    };
    if (initiator >= TF_NIU_INITIATORS || word > TF_NIU_CMD_CTRL)
        return;
    share(site, core, address, &site->described[noc][initiator], &who);
    tf_trace *command = &site->command[noc][initiator];
    if (*command != 0 && *command != who.trace)
        found(site, TF_RACE_DATA, address, *command, &who);
    *command = 0; /* one report suffices */
    if (word == TF_NIU_CMD_CTRL)
        *command = who.trace;
}

void command_loaded(struct site *site, unsigned core, uint32_t address, uint32_t offset, uint32_t value)
{
    const unsigned initiator = offset / TF_NIU_INITIATOR_STRIDE, word = offset % TF_NIU_INITIATOR_STRIDE / 4;
    if (initiator >= TF_NIU_INITIATORS || word != TF_NIU_CMD_CTRL || (value & 1) != 0)
        return;
    site->command[address >> 16 & 1][initiator] = 0;
    path_accepted(site, core, address >> 16 & 1);
}

void commands_taken(struct site *site, unsigned core, unsigned noc)
{
    path_accepted(site, core, noc);
    memset(site->command[noc], 0, sizeof site->command[noc]);
}
