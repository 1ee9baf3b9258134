/* SPDX-License-Identifier: Apache-2.0 */
/* One core or thread: what it waits for, and who could end it. */
#include "farm/waits/waits.h"
#include "farm/waits/who.h"
#include "noc/requests/layout_registers.h"
#include "noc/niu.h"
#include "noc/niu_layout.h"
#include "noc/noc.h"
#include "tile/tensix/whole/status.h"
#include "tilefarm_address.h"
#include "tile/map.h"
#include "tile/mailbox.h"
#include "tile/overlay.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"

#define INPUTS_NAMED 3u

bool tf_core_is_done(const struct tf_hart *hart)
{
    if (hart->state == TF_CORE_PARKED)
        return hart->park.inputs == 0 && hart->park.period == 1;
    return hart->state == TF_CORE_PAUSED;
}

static const char *state_of(const struct tf_hart *hart)
{
    switch (hart->state) {
    case TF_CORE_RESET: return "which is in reset";
    case TF_CORE_FAULTED: return "which stopped on a fault";
    case TF_CORE_RUNNING: return "which runs";
    default: return tf_core_is_done(hart) ? "which has ended" : "which also waits";
    }
}

/* "T0, which has ended" */
static void name_core(struct tf_text *text, const struct tf_tile *tile, unsigned core)
{
    tf_text_add(text, "%s, %s", tile->arch->core_name[core], state_of(&tile->hart[core]));
}

static void at_mailbox(struct tf_text *text, const struct tf_tile *tile, unsigned core, uint32_t address, bool store)
{
    unsigned other = tf_mailbox_core(tf_mailbox_window(address));
    if (!store) {
        tf_text_add(text, "a value in its empty mailbox from %s: ", tile->arch->core_name[other]);
        name_core(text, tile, other);
        tf_text_add(text, ", must write one");
        return;
    }
    tf_text_add(text, "room in a full mailbox:");
    unsigned writer = tf_mailbox_number(core);
    for (unsigned reader = 0; reader < TF_MAILBOX_CORES; reader++) {
        unsigned count = tile->mmio.mailbox[writer][reader].count;
        if (count == 0)
            continue;
        tf_text_add(text, " %u not read by ", count);
        name_core(text, tile, tf_mailbox_core(reader));
        tf_text_add(text, ";");
    }
}

void tf_describe_semaphore(struct tf_text *text, const struct tf_tile *tile, unsigned i)
{
    const struct tf_sync *sync = tile->tensix->sync;
    tf_text_add(text, "semaphore %u is %u of %u", i, sync->value[i], sync->max[i]);
    if (sync->poster[i] == 0)
        tf_text_add(text, ", and nobody has posted it");
    else if (sync->poster[i] > TF_POSTER_CORE)
        tf_text_add(text, ", posted last by core %s", tile->arch->core_name[sync->poster[i] - 1 - TF_POSTER_CORE]);
    else
        tf_text_add(text, ", posted last by thread T%u", sync->poster[i] - 1u);
}

static void at_pcbuf(struct tf_text *text, const struct tf_tile *tile, unsigned core, uint32_t address, bool store)
{
    unsigned t = core == TF_CORE_B ? (address - TF_PC_BUF_BASE) / TF_PC_BUF_BYTES : core - TF_CORE_T0;
    if (core == TF_CORE_B) {
        tf_text_add(text,
                    store ? "room in the PCBuf of T%u, which holds %u values; its reader is "
                          : "the PCBuf of T%u (%u values) to be empty, and its thread to be idle; its reader is ",
                    t, tile->mmio.pcbuf[t].count);
        name_core(text, tile, TF_CORE_T0 + t);
    } else if (address - TF_SEMAPHORE_BASE < TF_SEMAPHORE_BYTES && tile->tensix != NULL) {
        tf_describe_semaphore(text, tile, (address - TF_SEMAPHORE_BASE) / 4);
    } else if (address == TF_PC_BUF_BASE) {
        tf_text_add(text, "a value in its empty PCBuf: ");
        name_core(text, tile, TF_CORE_B);
        tf_text_add(text, ", must write one");
    } else {
        tf_text_add(text, "thread T%u of the coprocessor to be idle", t);
    }
}

static void at_fifo(struct tf_text *text, const struct tf_tile *tile, unsigned core, uint32_t address)
{
    unsigned t = core == TF_CORE_B ? (address - TF_INSTRN_BUF_BASE) / TF_INSTRN_BUF_BYTES : core - TF_CORE_T0;
    tf_text_add(text, "room in the full instruction FIFO of thread T%u", t);
    if (tile->tensix != NULL && tile->tensix->thread[t].faulted)
        tf_text_add(text, ", which stopped on a fault");
    else if (tile->tensix != NULL && tile->tensix->thread[t].gate.full)
        tf_text_add(text, ", which also waits");
}

/* --- counters of NIUs --- */

#define NO_PAIR 255

static const struct {
    const char *name;
    uint8_t pair; /* the counter of sent requests, which this counter may reach */
} counters[TF_NIU_COUNTERS] = {
#define C(name_, pair_) [TF_##name_] = {#name_, pair_}
    C(MST_ATOMIC_RESP_RECEIVED, TF_MST_NONPOSTED_ATOMIC_SENT),
    C(MST_WR_ACK_RECEIVED, TF_MST_NONPOSTED_WR_REQ_SENT),
    C(MST_RD_RESP_RECEIVED, TF_MST_RD_REQ_SENT),
    C(MST_RD_DATA_WORD_RECEIVED, NO_PAIR),
    C(MST_CMD_ACCEPTED, NO_PAIR),
    C(MST_RD_REQ_SENT, NO_PAIR),
    C(MST_NONPOSTED_ATOMIC_SENT, TF_MST_NONPOSTED_ATOMIC_STARTED),
    C(MST_POSTED_ATOMIC_SENT, NO_PAIR),
    C(MST_NONPOSTED_WR_DATA_WORD_SENT, NO_PAIR),
    C(MST_POSTED_WR_DATA_WORD_SENT, NO_PAIR),
    C(MST_NONPOSTED_WR_REQ_SENT, TF_MST_NONPOSTED_WR_REQ_STARTED),
    C(MST_POSTED_WR_REQ_SENT, TF_MST_POSTED_WR_REQ_STARTED),
    C(MST_NONPOSTED_WR_REQ_STARTED, NO_PAIR),
    C(MST_POSTED_WR_REQ_STARTED, NO_PAIR),
    C(MST_RD_REQ_STARTED, NO_PAIR),
    C(MST_NONPOSTED_ATOMIC_STARTED, NO_PAIR),
    C(SLV_ATOMIC_RESP_SENT, NO_PAIR),
    C(SLV_WR_ACK_SENT, NO_PAIR),
    C(SLV_RD_RESP_SENT, NO_PAIR),
    C(SLV_RD_DATA_WORD_SENT, NO_PAIR),
    C(SLV_REQ_ACCEPTED, NO_PAIR),
    C(SLV_RD_REQ_RECEIVED, NO_PAIR),
    C(SLV_NONPOSTED_ATOMIC_RECEIVED, NO_PAIR),
    C(SLV_POSTED_ATOMIC_RECEIVED, NO_PAIR),
    C(SLV_NONPOSTED_WR_DATA_WORD_RECEIVED, NO_PAIR),
    C(SLV_POSTED_WR_DATA_WORD_RECEIVED, NO_PAIR),
    C(SLV_NONPOSTED_WR_REQ_RECEIVED, NO_PAIR),
    C(SLV_POSTED_WR_REQ_RECEIVED, NO_PAIR),
    C(SLV_NONPOSTED_WR_REQ_STARTED, NO_PAIR),
    C(SLV_POSTED_WR_REQ_STARTED, NO_PAIR),
#undef C
};

static void at_counter(struct tf_text *text, const struct tf_niu *niu, unsigned index)
{
    uint32_t value = niu->counter[index];
    if (index >= TF_MST_REQS_OUTSTANDING && index < TF_SLV_ATOMIC_RESP_SENT) {
        bool outgoing = index >= TF_MST_WRITE_REQS_OUTGOING, one = (value & 0xFF) == 1;
        const char *writes = one ? "write that has not left" : "writes that have not left";
        const char *requests = one ? "request without an answer" : "requests without an answer";
        tf_text_add(text, "NIU %u, transaction id %u: %u %s", niu->noc, index % 16, value & 0xFF,
                    outgoing ? writes : requests);
        return;
    }
    if (counters[index].name == NULL) {
        tf_text_add(text, "counter %u of NIU %u, which is %u", index, niu->noc, value);
        return;
    }
    tf_text_add(text, "NIU %u: NIU_%s is %u", niu->noc, counters[index].name, value);
    if (counters[index].pair == NO_PAIR) {
        if (index >= TF_SLV_ATOMIC_RESP_SENT)
            tf_text_add(text, "; a request from another tile must arrive");
        return;
    }
    uint32_t sent = niu->counter[counters[index].pair];
    if (sent == value)
        tf_text_add(text, "; all %u requests that were sent are answered", sent);
    else
        tf_text_add(text, "; %u requests were sent", sent);
}

static void at_niu(struct tf_text *text, const struct tf_tile *tile, uint32_t address)
{
    unsigned noc = (address - TF_NIU_BASE(0)) / TF_NIU_BYTES;
    const struct tf_niu *niu = tile->port.niu[noc];
    uint32_t offset = (address - TF_NIU_BASE(noc)) % TF_NIU_BYTES;
    bool known = tile->port.load == tf_niu_load || tile->port.load == tf_niu_layout_load;
    if (known)
        offset = tf_niu_layout_common(niu->fabric->arch->niu, offset);
    uint32_t counter = (offset - TF_NIU_COUNTER) / 4;
    if (known && offset >= TF_NIU_COUNTER && counter < TF_NIU_COUNTERS)
        at_counter(text, niu, counter);
    else if (offset % TF_NIU_INITIATOR_STRIDE == 4 * TF_NIU_CMD_CTRL)
        tf_text_add(text, "NOC_CMD_CTRL of NIU %u, initiator %u: its request is not accepted yet", noc,
                    offset / TF_NIU_INITIATOR_STRIDE);
    else
        tf_text_add(text, "register 0x%08x of NIU %u", address, noc);
}

/* The register of a stream at an address, by Blackhole's number. The family has it. */
static unsigned stream_register(const struct tf_tile *tile, uint32_t address)
{
    unsigned number;
    uint32_t bits;
    tf_overlay_find(tile->arch->stream_place, address % TF_STREAM_BYTES / 4, &number, &bits);
    return number;
}

/* Is it a counter of a circular buffer? */
static bool counts_pages(const struct tf_tile *tile, uint32_t address)
{
    const unsigned number = stream_register(tile, address);
    return number == TF_OVERLAY_PAGES_TAKEN || number == TF_OVERLAY_PAGES_PUT;
}

/* Another core that polls counters of pages of the same stream; TF_TILE_CORES: none. */
static unsigned other_poller(const struct tf_tile *tile, unsigned core, uint32_t address)
{
    for (unsigned other = 0; other < TF_TILE_CORES; other++) {
        const struct tf_hart *hart = &tile->hart[other];
        for (unsigned i = 0; other != core && hart->state == TF_CORE_PARKED && i < hart->park.inputs; i++) {
            const struct tf_input *input = &hart->park.input[i];
            if (input->size != 0 && tf_map_find(tile->arch->map, input->address) == TF_AT_OVERLAY &&
                input->address / TF_STREAM_BYTES == address / TF_STREAM_BYTES && counts_pages(tile, input->address))
                return other;
        }
    }
    return TF_TILE_CORES;
}

static void at_stream(struct tf_text *text, const struct tf_tile *tile, unsigned core, uint32_t address, uint32_t value)
{
    unsigned stream = (address - TF_STREAM_BASE) / TF_STREAM_BYTES;
    const struct tf_stream *of = &tile->mmio.stream[stream];
    if (!counts_pages(tile, address)) {
        tf_text_add(text, "register %u of stream %u, which is 0x%x", address % TF_STREAM_BYTES / 4, stream, value);
        return;
    }
    unsigned pages = (of->dest_buf_size - of->dest_buf_start) & 0xFFFF;
    tf_text_add(text, "the circular buffer of stream %u: %u pages in it, %u pushed and %u popped; ", stream, pages,
                of->dest_buf_size & 0xFFFF, of->dest_buf_start & 0xFFFF);
    tf_text_add(text, pages == 0 ? "another core must push a page, or this one waits for more room than the buffer has"
                                 : "another core must pop a page, or push more");
    const unsigned other = other_poller(tile, core, address);
    if (other == TF_TILE_CORES)
        return;
    tf_text_add(text,
                "; %s polls it, too: if one of the two pushes and the other pops, they wait for more pages and room "
                "than the buffer has",
                tile->arch->core_name[other]);
}

/* Are two inputs the counters of one circular buffer? */
static bool is_same_buffer(const struct tf_tile *tile, const struct tf_input *a, const struct tf_input *b)
{
    return a->size != 0 && b->size != 0 && tf_map_find(tile->arch->map, a->address) == TF_AT_OVERLAY &&
           tf_map_find(tile->arch->map, b->address) == TF_AT_OVERLAY &&
           a->address / TF_STREAM_BYTES == b->address / TF_STREAM_BYTES && counts_pages(tile, a->address) &&
           counts_pages(tile, b->address) && a->address != b->address;
}

static void at_input(struct tf_text *text, const struct tf_tile *tile, unsigned core, const struct tf_input *input)
{
    uint32_t address = input->address;
    if (input->size == 0) {
        tf_text_add(text, "a CSR, which is 0x%x", input->value);
        return;
    }
    if (address < tile->arch->l1_bytes) {
        tf_text_add(text, "the word at 0x%x of L1, which is 0x%x", address, input->value);
        return;
    }
    switch (tf_map_find(tile->arch->map, address)) {
    case TF_AT_OWN_LOCAL:
        tf_text_add(text, "the word at 0x%08x of its local RAM, which is 0x%x", address, input->value);
        return;
    case TF_AT_NIU0:
    case TF_AT_NIU1: at_niu(text, tile, address); return;
    case TF_AT_OVERLAY: at_stream(text, tile, core, address, input->value); return;
    case TF_AT_MAILBOX: at_mailbox(text, tile, core, address, false); return;
    case TF_AT_PCBUF0: at_pcbuf(text, tile, core, address, false); return;
    default: tf_text_add(text, "register 0x%08x, which is 0x%x", address, input->value); return;
    }
}

static void describe_blocked(struct tf_text *text, const struct tf_tile *tile, unsigned core, uint32_t address,
                             bool store)
{
    switch (tf_map_find(tile->arch->map, address)) {
    case TF_AT_MAILBOX: at_mailbox(text, tile, core, address, store); return;
    case TF_AT_PUSH0:
    case TF_AT_PUSH1:
    case TF_AT_PUSH2: at_fifo(text, tile, core, address); return;
    case TF_AT_PCBUF0:
    case TF_AT_PCBUF1:
    case TF_AT_PCBUF2: at_pcbuf(text, tile, core, address, store); return;
    case TF_AT_NIU0:
    case TF_AT_NIU1: at_niu(text, tile, address); return;
    default: tf_text_add(text, "its %s register 0x%08x", store ? "store to" : "load of", address); return;
    }
}

void tf_describe_core(struct tf_text *text, struct tf_tile *tile, unsigned core)
{
    const struct tf_hart *hart = &tile->hart[core];
    if (hart->state == TF_CORE_BLOCKED) {
        tf_text_add(text, "is blocked and needs ");
        describe_blocked(text, tile, core, hart->wait_address, hart->wait_store);
        return;
    }
    if (hart->park.inputs == 0) {
        tf_text_add(text, "loops for ever: its loop reads nothing that can change");
        return;
    }
    tf_text_add(text, "polls ");
    unsigned inputs = hart->park.inputs;
    for (unsigned i = 0; i < inputs && i < INPUTS_NAMED; i++) {
        if (i != 0 && is_same_buffer(tile, &hart->park.input[i - 1], &hart->park.input[i]))
            continue;
        tf_text_add(text, "%s", i == 0 ? "" : "; ");
        at_input(text, tile, core, &hart->park.input[i]);
    }
    if (inputs > INPUTS_NAMED)
        tf_text_add(text, "; and %u more", inputs - INPUTS_NAMED);
}

bool tf_describe_thread(struct tf_text *text, struct tf_tile *tile, unsigned thread)
{
    char wait[240];
    if (tf_tensix_describe_wait(tile, thread, wait, sizeof wait) <= 0)
        return false;
    tf_text_add(text, "%s", wait);
    const struct tf_gate *gate = &tile->tensix->thread[thread].gate;
    if (!tile->tensix->thread[thread].faulted && gate->wait.opcode == TF_OP_SEMWAIT)
        for (unsigned mask = gate->wait.semaphores; mask != 0; mask &= mask - 1) {
            tf_text_add(text, "; ");
            tf_describe_semaphore(text, tile, (unsigned)__builtin_ctz(mask));
        }
    return true;
}
