/* SPDX-License-Identifier: Apache-2.0 */
/* The latest waits of cores and threads, for reports. */
#include "races/state/waits.h"
#include "races/state/state.h"
#include "tilefarm_address.h"

void note_wait(struct waits *waits, const char *what, uint32_t address, uint32_t pc, uint32_t time)
{
    struct wait *last = &waits->wait[waits->newest];
    if (last->what == what && last->address == address && last->pc == pc) {
        last->last = time;
        return;
    }
    waits->newest = (waits->newest + 1) % WAITS;
    waits->wait[waits->newest] = (struct wait){what, address, pc, time, time};
}

struct wait last_wait(const struct waits *waits, uint32_t time)
{
    for (unsigned i = 0; i < WAITS; i++) {
        struct wait wait = waits->wait[(waits->newest + WAITS - i) % WAITS];
        if (wait.what == NULL || wait.first > time)
            continue;
        if (wait.last > time)
            wait.last = wait.first;
        return wait;
    }
    return (struct wait){.what = NULL};
}

const char *register_waited(uint32_t address)
{
    if (address >= TF_NIU_BASE(0) && address < TF_NIU_BASE(2))
        return "a counter of requests";
    if (address >= TF_MAILBOX_BASE && address < TF_CFG_BASE)
        return "a mailbox";
    if (address >= TF_SEMAPHORE_BASE && address < TF_MAILBOX_BASE)
        return "a semaphore";
    if (address >= TF_PC_BUF_BASE && address < TF_MAILBOX_BASE)
        return "a PCBuf";
    return address >= TF_STREAM_BASE && address < TF_MOP_CFG_BASE ? "a stream register" : "a register";
}
