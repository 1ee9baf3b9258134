/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "races/counts.h"
#include "races/syncs.h"
#include "races/state/state.h"
#include "tile/mailbox.h"
#include "tile/overlay.h"
#include "tile/run/tile.h"
#include "tilefarm_address.h"

#define ROOM_FIRST 64u

static uint32_t place_of(const struct syncs *syncs, uint32_t key)
{
    uint32_t at = (uint32_t)(key * 0x9E3779B1u >> 7) & (syncs->room - 1);
    while (syncs->sync[at].used && syncs->sync[at].key != key)
        at = (at + 1) & (syncs->room - 1);
    return at;
}

static bool grow(struct syncs *syncs)
{
    struct syncs wider = {.count = syncs->count, .room = syncs->room == 0 ? ROOM_FIRST : syncs->room * 2};
    wider.sync = calloc(wider.room, sizeof *wider.sync);
    if (wider.sync == NULL)
        return false;
    for (uint32_t i = 0; i < syncs->room; i++)
        if (syncs->sync[i].used)
            wider.sync[place_of(&wider, syncs->sync[i].key)] = syncs->sync[i];
    free(syncs->sync);
    *syncs = wider;
    return true;
}

struct sync *sync_at(const struct syncs *syncs, uint32_t key)
{
    if (syncs->room == 0)
        return NULL;
    struct sync *sync = &syncs->sync[place_of(syncs, key)];
    return sync->used ? sync : NULL;
}

struct tf_view *sync_find(const struct syncs *syncs, uint32_t key)
{
    struct sync *sync = sync_at(syncs, key);
    return sync != NULL ? &sync->view : NULL;
}

struct tf_view *sync_view(struct syncs *syncs, uint32_t key)
{
    if (syncs->count * 2 >= syncs->room && !grow(syncs))
        return sync_find(syncs, key);
    struct sync *sync = &syncs->sync[place_of(syncs, key)];
    syncs->count += !sync->used;
    sync->used = true;
    sync->key = key;
    return &sync->view;
}

void syncs_free(struct syncs *syncs)
{
    for (uint32_t i = 0; i < syncs->room; i++) {
        tf_view_clear(&syncs->sync[i].view);
        count_forget(&syncs->sync[i]);
    }
    free(syncs->sync);
}

/* Mailboxes.md, PCBufs.md: the two sides of a FIFO have different addresses. */
static uint32_t fifo_key(unsigned core, uint32_t address, bool store)
{
    if (address >= TF_MAILBOX_BASE) {
        unsigned named = tf_mailbox_window(address), own = tf_mailbox_number(core);
        return TF_MAILBOX_BASE | (store ? own << 8 | named << 4 : named << 8 | own << 4);
    }
    unsigned reader = core == TF_CORE_B ? address >> 16 & 3 : core - TF_CORE_T0;
    return TF_PC_BUF_OF(reader);
}

bool counts_pages(const struct site *site, uint32_t address, unsigned *number)
{
    uint32_t bits;
    return tf_overlay_find(site->tile->arch->stream_place, address % TF_STREAM_BYTES / 4, number, &bits) &&
           (*number == TF_OVERLAY_PAGES_TAKEN || *number == TF_OVERLAY_PAGES_PUT);
}

uint32_t sync_key(const struct site *site, unsigned core, uint32_t address, bool store)
{
    unsigned number;
    if (address >= TF_MAILBOX_BASE && address < TF_CFG_BASE)
        return fifo_key(core, address, store);
    if (address >= TF_PC_BUF_BASE && address < TF_MAILBOX_BASE)
        return core == TF_CORE_B || address == TF_PC_BUF_BASE ? fifo_key(core, address, store) : address;
    /* An update of one register shows in others. But who reads how many pages were put in learns nothing of those taken
       out. */
    if (address >= TF_STREAM_BASE && address < TF_MOP_CFG_BASE)
        return counts_pages(site, address, &number) ? address : address & ~(TF_STREAM_BYTES - 1);
    if (address >= TF_DEBUG_BASE && address < TF_LOCAL_OF_B_BASE)
        return address;
    return 0;
}
