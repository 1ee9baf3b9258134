/* SPDX-License-Identifier: Apache-2.0 */
/* FIFOs from B to T0, T1, T2. Source: BlackholeA0/TensixTile/BabyRISCV/PCBufs.md. */
#include "tile/mmio/pcbuf.h"

#include "tile/tensix/issue/run.h"
#include "tilefarm_address.h"
#include "tile/state.h"

static unsigned buffer_of(unsigned from, uint32_t address)
{
    return from == TF_CORE_B ? (address >> 16) - (TF_PC_BUF_BASE >> 16) : from - TF_CORE_T0;
}

static bool waits_to_read(const struct tf_hart *hart)
{
    return hart->state == TF_CORE_BLOCKED && !hart->wait_store && (hart->wait_address & ~3u) == TF_PC_BUF_BASE;
}

/* B's load blocks until three things hold: the buffer is empty, the T core waits for a value, and its thread is
   idle. */
static bool b_waits(const struct tf_tile *tile, unsigned thread)
{
    if (tf_mmio_override_busy(&tile->mmio, thread))
        return false;
    bool idle = tile->tensix == NULL || tf_tensix_thread_idle(tile, thread, tile->cycle);
    return tile->mmio.pcbuf[thread].count != 0 || !waits_to_read(&tile->hart[TF_CORE_T0 + thread]) || !idle;
}

/* Must an access wait? */
static inline bool blocks(const struct tf_tile *tile, unsigned from, unsigned thread, bool store)
{
    unsigned count = tile->mmio.pcbuf[thread].count;
    if (from == TF_CORE_B)
        return store ? count == TF_PCBUF_ENTRIES : b_waits(tile, thread);
    return !store && count == 0 && !(tf_mmio_override(&tile->mmio, thread) & 1);
}

enum tf_access tf_pcbuf_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    unsigned thread = buffer_of(from, address);
    struct tf_pcbuf *buffer = &tile->mmio.pcbuf[thread];
    *pure = false;
    if (blocks(tile, from, thread, false))
        return TF_ACCESS_BLOCK;
    if (from == TF_CORE_B) {
        *value = 0;
        return TF_ACCESS_OK;
    }
    if (buffer->count == 0) {
        *value = tf_mmio_override(&tile->mmio, thread) >> 2;
        return TF_ACCESS_OK;
    }
    *value = buffer->entry[buffer->head];
    buffer->head = (buffer->head + 1) % TF_PCBUF_ENTRIES;
    buffer->count--;
    return TF_ACCESS_OK;
}

bool tf_pcbuf_load_acts(const struct tf_tile *tile, unsigned from)
{
    return from != TF_CORE_B && tile->mmio.pcbuf[from - TF_CORE_T0].count != 0;
}

enum tf_access tf_pcbuf_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    unsigned thread = buffer_of(from, address);
    struct tf_pcbuf *buffer = &tile->mmio.pcbuf[thread];
    if (blocks(tile, from, thread, true))
        return TF_ACCESS_BLOCK;
    if (from != TF_CORE_B)
        return TF_ACCESS_OK; /* a T core's stores are discarded */
    buffer->entry[(buffer->head + buffer->count) % TF_PCBUF_ENTRIES] = value;
    buffer->count++;
    return TF_ACCESS_OK;
}

bool tf_pcbuf_would_block(struct tf_tile *tile, unsigned from, uint32_t address, bool store)
{
    return blocks(tile, from, buffer_of(from, address), store);
}

void tf_pcbuf_discard(struct tf_tile *tile, unsigned thread)
{
    tile->mmio.pcbuf[thread].count = 0;
}

void tf_pcbuf_hash(const struct tf_mmio *mmio, struct tf_hash *hash)
{
    for (unsigned thread = 0; thread < TF_PCBUFS; thread++) {
        const struct tf_pcbuf *buffer = &mmio->pcbuf[thread];
        tf_hash_u32(hash, buffer->count);
        for (unsigned i = 0; i < buffer->count; i++)
            tf_hash_u32(hash, buffer->entry[(buffer->head + i) % TF_PCBUF_ENTRIES]);
    }
}
