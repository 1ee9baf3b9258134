/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals of the debug daisychain: cores that wait for each other, frontends, and lanes. Their meaning:
 * WormholeB0/TensixTile/DebugDaisychain.md, groups C and D, "Tensix Frontend", LaneEnabled. Their places on Blackhole:
 * tt-exalens, hardware/blackhole/functional_worker_debug_bus_signals.py. For Wormhole that file agrees with the page.
 * On Blackhole only the frontends have moved. Bits of a mailbox's last answer are zero, since no core keeps it.
 */
#include "tile/tensix/issue/run.h"
#include "tilefarm_address.h"
#include "tile/arch.h"
#include "tile/mailbox.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/debug/waits.h"
#include "tile/tensix/frontend/frontend.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"

enum { DAISY_FRONTEND = 1, DAISY_WAITS = 7 };
enum { SIGNAL_MAILBOX_B = 1, SIGNAL_T0 = 18, SIGNAL_T2_END = 24, SIGNAL_LANES = 28 };

/* The address of a core's blocked load; 0 if it has none. */
static uint32_t awaited(const struct tf_tile *tile, unsigned core)
{
    const struct tf_hart *hart = &tile->hart[core];
    return hart->state == TF_CORE_BLOCKED && !hart->wait_store ? hart->wait_address & ~3u : 0;
}

/* Four bits. Bit i is set if reader i does not wait for this writer. */
static void put_mailboxes(const struct tf_tile *tile, unsigned writer, unsigned first, uint32_t *bits)
{
    for (unsigned i = 0; i < TF_MAILBOX_CORES; i++)
        tf_signal_put(bits, first + i, awaited(tile, tf_mailbox_core(i)) != TF_MAILBOX_OF(writer));
}

static uint32_t next_in_pcbuf(const struct tf_pcbuf *buffer)
{
    return buffer->count != 0 ? buffer->entry[buffer->head] : 0;
}

/* Group D of a T core, up to the bits of its FIFO. */
static void put_pcbuf(const struct tf_tile *tile, unsigned t, uint32_t *bits)
{
    const struct tf_pcbuf *buffer = &tile->mmio.pcbuf[t];
    uint32_t own = awaited(tile, TF_CORE_T0 + t);
    tf_signal_put(bits, 0, next_in_pcbuf(buffer) >> 9);
    tf_signal_put(bits, 23, buffer->count == 0);
    tf_signal_put(bits, 24, buffer->count == TF_PCBUF_ENTRIES);
    tf_signal_put(bits, 25, !tf_frontend_mops_done(&tile->tensix->thread[t]));
    tf_signal_put(bits, 26, !tf_tensix_thread_idle(tile, t, tile->cycle));
    tf_signal_put(bits, 28, awaited(tile, TF_CORE_B) == TF_PC_BUF_BASE + (t << 16));
    tf_signal_put(bits, 30, own > TF_PC_BUF_BASE && own < TF_SEMAPHORE_BASE);
    tf_signal_put(bits, 31, own == TF_PC_BUF_BASE);
}

/* The rest of the group, if no MOP is under way (is_known()). The expander emits nothing while the group is read. */
static void put_fifo(const struct tf_fifo *fifo, uint32_t *bits)
{
    if (fifo->count != 0)
        tf_signal_put(bits, 86, fifo->entry[fifo->first].word);
    tf_signal_put(bits, 118, fifo->count != 0);
    tf_signal_put(bits, 125, fifo->count > TF_FIFO_OPEN);
    tf_signal_put(bits, 126, fifo->count == 0);
}

static void put_frontend(const struct tf_tensix_thread *thread, unsigned first, unsigned empty, uint32_t *bits)
{
    if (thread->gate.full)
        tf_signal_put(bits, first, thread->gate.word);
    tf_signal_put(bits, empty, !thread->gate.full);
    tf_signal_put(bits, empty + 2, thread->mid.count >= TF_MID_ENTRIES);
    tf_signal_put(bits, empty + 3, thread->mid.count == 0);
}

/* LaneEnabled has 4 by 8 bits; the signal shows them as 8 by 4. */
static void put_lanes(const struct tf_tensix *tensix, uint32_t *bits)
{
    uint32_t enabled = tensix->vector == NULL ? UINT32_MAX : tf_lanes_enabled(tensix->vector);
    for (unsigned bit = 0; bit < 32; bit++)
        tf_signal_put(bits, bit, enabled >> (bit % 4 * 8 + bit / 4) & 1);
}

/* The last words of the group have bits of a MOP under way that are not modelled. */
static bool is_known(const struct tf_tensix_thread *thread, unsigned word)
{
    return word < 2 || thread->mop.remaining == 0;
}

bool tf_signal_of_waits(const struct tf_tile *tile, uint32_t daisy, uint32_t signal, unsigned word, uint32_t *bits)
{
    const struct tf_tensix *tensix = tile->tensix;
    if (daisy == DAISY_FRONTEND && (signal == 4 || signal == 8 || signal == 12)) {
        bool by_page = tile->arch->signals_of_page;
        put_frontend(&tensix->thread[(12 - signal) / 4], by_page ? 55 : 40, by_page ? 87 : 73, bits);
    } else if (daisy != DAISY_WAITS) {
        return false;
    } else if (signal == SIGNAL_MAILBOX_B) {
        put_mailboxes(tile, 0, 115, bits);
    } else if (signal == SIGNAL_LANES) {
        put_lanes(tensix, bits);
    } else if (signal >= SIGNAL_T0 && signal < SIGNAL_T2_END) {
        unsigned t = (signal - SIGNAL_T0) / 2;
        if (signal % 2 == 0) {
            put_mailboxes(tile, 1 + t, 106, bits);
            tf_signal_put(bits, 119, next_in_pcbuf(&tile->mmio.pcbuf[t]) & 0x1FF);
            return true;
        }
        put_pcbuf(tile, t, bits);
        put_fifo(&tensix->thread[t].fifo, bits);
        return is_known(&tensix->thread[t], word);
    } else {
        return false;
    }
    return true;
}
