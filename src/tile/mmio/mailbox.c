/* SPDX-License-Identifier: Apache-2.0 */
/* FIFOs between pairs of B, T0, T1, T2. Source: BlackholeA0/TensixTile/BabyRISCV/Mailboxes.md. */
#include "tile/mmio/mailbox.h"

#include "tile/mailbox.h"
#include "tile/state.h"

/* A mailbox holds four values, and all mailboxes of one writer hold four together. The second bound is tighter. */
static unsigned room(const struct tf_mmio *mmio, unsigned writer)
{
    unsigned count = 0;
    for (unsigned reader = 0; reader < TF_MAILBOX_CORES; reader++)
        count += mmio->mailbox[writer][reader].count;
    return TF_MAILBOX_ENTRIES - count;
}

static bool full(const struct tf_mmio *mmio, unsigned writer)
{
    return room(mmio, writer) == 0;
}

unsigned tf_mailbox_room(const struct tf_tile *tile, unsigned writer)
{
    return room(&tile->mmio, tf_mailbox_number(writer));
}

/* Must an access wait? */
static inline bool blocks(const struct tf_tile *tile, unsigned from, uint32_t address, bool store)
{
    if (store)
        return full(&tile->mmio, tf_mailbox_number(from));
    return !(address & 4) && tile->mmio.mailbox[tf_mailbox_window(address)][tf_mailbox_number(from)].count == 0;
}

enum tf_access tf_mailbox_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    struct tf_mailbox *box = &tile->mmio.mailbox[tf_mailbox_window(address)][tf_mailbox_number(from)];
    *pure = (address & 4) != 0;
    if (blocks(tile, from, address, false))
        return TF_ACCESS_BLOCK;
    if (address & 4) {
        *value = box->count != 0;
        return TF_ACCESS_OK;
    }
    *value = box->entry[box->head];
    box->head = (box->head + 1) % TF_MAILBOX_ENTRIES;
    box->count--;
    return TF_ACCESS_OK;
}

bool tf_mailbox_load_acts(const struct tf_tile *tile, unsigned from, uint32_t address)
{
    return !(address & 4) && !blocks(tile, from, address, false);
}

enum tf_access tf_mailbox_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    if (blocks(tile, from, address, true))
        return TF_ACCESS_BLOCK;
    struct tf_mailbox *box = &tile->mmio.mailbox[tf_mailbox_number(from)][tf_mailbox_window(address)];
    box->entry[(box->head + box->count) % TF_MAILBOX_ENTRIES] = value;
    box->count++;
    return TF_ACCESS_OK;
}

bool tf_mailbox_would_block(struct tf_tile *tile, unsigned from, uint32_t address, bool store)
{
    return blocks(tile, from, address, store);
}

void tf_mailbox_discard(struct tf_tile *tile, unsigned writer)
{
    for (unsigned reader = 0; reader < TF_MAILBOX_CORES; reader++)
        tile->mmio.mailbox[tf_mailbox_number(writer)][reader].count = 0;
}

void tf_mailbox_hash(const struct tf_mmio *mmio, struct tf_hash *hash)
{
    for (unsigned writer = 0; writer < TF_MAILBOX_CORES; writer++)
        for (unsigned reader = 0; reader < TF_MAILBOX_CORES; reader++) {
            const struct tf_mailbox *box = &mmio->mailbox[writer][reader];
            tf_hash_u32(hash, box->count);
            for (unsigned i = 0; i < box->count; i++)
                tf_hash_u32(hash, box->entry[(box->head + i) % TF_MAILBOX_ENTRIES]);
        }
}
