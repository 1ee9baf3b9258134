/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets of links between chips (EthernetTxRx.md of both families). Each chip has a checker, whose clocks have its own
 * actors. Beside them they have packets: a direction of a link is known by its sending port, and a clock has numbers of
 * packets of each of its TX queues. Numbers mean the same on all chips, so only they travel with a packet. When numbers
 * of a chip's own packets come back, it joins the clocks that it had when it sent them.
 *
 * What the pages promise: the packets of a TX queue act in order. An RX queue writes a packet by two streams, each of
 * which is in order: the first 32 bytes by one, then 16 bytes in turn. Nothing orders the streams, nor writes to L1 and
 * to registers. A TX queue may read its source again until the packet is acknowledged.
 */
#include <stdlib.h>

#include "host/extremes.h"
#include "host/saved.h"
#include "races/races.h"
#include "races/ahead.h"
#include "races/cores.h"
#include "races/links.h"
#include "races/state/records.h"
#include "races/streams.h"
#include "races/syncs.h"
#include "races/state/waits.h"
#include "races/state/words.h"
#include "races/state/state.h"
#include "tile/eth/link.h"

/* What a clock knows of the packets of a queue: that they have arrived; and what has acted. */
enum { PART_PACKET, PART_STREAM_0, PART_STREAM_1, PART_REGISTER, PARTS };

#define QUEUES 3u
#define PORTS 16u
#define SENDS_MOST 4096u /* of a queue; older clocks count as equal to the oldest of these */
#define LINE_BYTES 16u   /* that a stream writes in turn */
#define FIRST_BYTES 32u  /* that stream 0 writes first */
#define SIGNAL_BYTES 48u /* of the longest packet that may be a signal: the fewest that both streams write */

/* The actors of a port are behind all sites of a chip. */
static uint32_t actor_of(unsigned port, unsigned queue, unsigned part)
{
    return TF_ACTOR(TF_RACE_LINK_SITES + port / PORTS, port % PORTS << 4 | queue << 2 | part);
}

_Static_assert(TF_NODES_MAX <= TF_RACE_LINK_SITES && TF_RACE_LINK_SITES + 32 <= TF_CLOCK_SITES, "a number for each");

/* What a TX queue knew when it sent packets before number `end`. */
struct send {
    uint64_t end;
    struct tf_clock *clock;
};

/* Sends in order: a ring. */
struct sends {
    struct send *ring;
    uint32_t first, count, room; /* room: a power of two */
};

struct race_link {
    unsigned out, in;              /* the port, and that of the other end: chip * PORTS + port */
    struct tf_view sent[QUEUES];   /* what the last packet knew */
    struct sends own[QUEUES];      /* for packets that come back */
    struct sends outgoing[QUEUES]; /* that the other end does not have yet */
    struct sends incoming[QUEUES]; /* of the other end */
    uint64_t numbers[QUEUES];      /* packets sent */
    uint64_t arrived[QUEUES];      /* packets received */
};

static struct site *site_of(struct tf_check *check)
{
    return (struct site *)check;
}

/* ---- Sends ---- */

static struct send *send_at(const struct sends *sends, uint32_t number)
{
    return &sends->ring[(sends->first + number) & (sends->room - 1)];
}

static void drop_first(struct sends *sends)
{
    tf_clock_drop(send_at(sends, 0)->clock);
    sends->first++;
    sends->count--;
}

static bool grow(struct sends *sends)
{
    struct sends wider = {.count = sends->count, .room = sends->room == 0 ? 16 : sends->room * 2};
    wider.ring = calloc(wider.room, sizeof *wider.ring);
    if (wider.ring == NULL)
        return false;
    for (uint32_t i = 0; i < sends->count; i++)
        wider.ring[i] = *send_at(sends, i);
    free(sends->ring);
    *sends = wider;
    return true;
}

/* Add a send, whose clock the ring takes. Returns false if the host has no memory. */
static bool add(struct sends *sends, struct send send)
{
    if (sends->count == SENDS_MOST)
        drop_first(sends);
    if (sends->count == sends->room && !grow(sends)) {
        tf_clock_drop(send.clock);
        return false;
    }
    *send_at(sends, sends->count++) = send;
    return true;
}

static void clear(struct sends *sends)
{
    while (sends->count != 0)
        drop_first(sends);
}

/* The clock of the send that has a packet, or of the oldest send behind it. NULL: none, or an empty clock. */
static struct tf_clock *clock_of(const struct sends *sends, uint64_t number)
{
    uint32_t low = 0, high = sends->count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (send_at(sends, middle)->end <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sends->count ? send_at(sends, low)->clock : NULL;
}

/* ---- Sending ---- */

/* A packet's data may be read again until the packet has arrived. */
static void read_source(struct site *site, const struct tf_check_packet *packet, struct record *record)
{
    struct who who = {.release = &record->release, .record = record, .own = {-1, -1}};
    who.unpacks = true; /* a signal has words that nobody reads */
    if (packet->bytes == 0)
        return;
    who.trace = record_add(site, record);
    touch(site, &who, packet->address, packet->bytes);
}

static void sent(struct tf_check *check, const struct tf_check_packet *packet)
{
    struct site *site = site_of(check);
    struct race_link *link = site->link;
    const unsigned queue = packet->queue;
    if (link == NULL || packet->core >= cores_of(site))
        return;
    const uint32_t time = time_at(site, packet->cycle);
    const uint64_t end = packet->number + packet->count;
    struct record record = {
        .actor = actor_of(link->out, queue, PART_PACKET),
        .time = (uint32_t)end,
        .pc = site->tile->hart[packet->core].pc,
        .caller = site->tile->hart[packet->core].x[1],
        .cycle = packet->cycle,
        .address = packet->address,
        .source = site->number,
        .core = (uint8_t)packet->core,
        .noc = UINT8_MAX,
        .kind = RECORD_PACKET,
        .sort = CLASS_SOURCE,
        .release = core_release(site, packet->core, time, false),
    };
    record.waited = last_wait(&site->core[packet->core].waits, time);
    read_source(site, packet, &record);
    site->lost |= !tf_view_acquire(&link->sent[queue], &record.release);
    tf_release_drop(&record.release);
    link->numbers[queue] = end;
    struct tf_clock *clock = link->sent[queue].clock;
    site->lost |= !add(&link->own[queue], (struct send){end, tf_clock_hold(clock)});
    site->lost |= !add(&link->outgoing[queue], (struct send){end, tf_clock_behind(clock, TF_RACE_LINK_SITES)});
}

void tf_races_carry(struct tf_races *from, uint16_t sender, struct tf_races *to, uint16_t receiver)
{
    struct race_link *out = from->site[from->fabric->node[sender].site].link;
    struct race_link *in = to->site[to->fabric->node[receiver].site].link;
    for (unsigned queue = 0; queue < QUEUES; queue++)
        for (struct sends *sends = &out->outgoing[queue]; sends->count != 0; drop_first(sends)) {
            const struct send send = {send_at(sends, 0)->end, tf_clock_hold(send_at(sends, 0)->clock)};
            to->site[receiver].lost |= !add(&in->incoming[queue], send);
        }
}

void tf_races_give(struct tf_races *from, uint16_t sender, struct tf_saved *letter)
{
    struct race_link *out = from->site[from->fabric->node[sender].site].link;
    for (unsigned queue = 0; queue < QUEUES; queue++) {
        struct sends *sends = &out->outgoing[queue];
        for (tf_saved_number(letter, sends->count); sends->count != 0; drop_first(sends)) {
            TF_SAVED(letter, send_at(sends, 0)->end);
            tf_clock_state(letter, &send_at(sends, 0)->clock);
        }
    }
}

void tf_races_take(struct tf_races *to, uint16_t receiver, struct tf_saved *letter)
{
    struct site *site = &to->site[to->fabric->node[receiver].site];
    for (unsigned queue = 0; queue < QUEUES; queue++)
        for (uint64_t count = tf_saved_count(letter, 0, SENDS_MOST); count != 0 && letter->why == NULL; count--) {
            struct send send = {.clock = NULL};
            TF_SAVED(letter, send.end);
            tf_clock_state(letter, &send.clock);
            site->lost |= !add(&site->link->incoming[queue], send);
        }
}

/* ---- Receiving ---- */

/* The number of packets of a queue that a clock knows to have arrived. */
static uint32_t known_of(const struct tf_view *view, unsigned port, unsigned queue)
{
    uint32_t known = 0;
    for (unsigned part = 0; part < PARTS; part++)
        known = tf_max(known, tf_view_time(view, actor_of(port, queue, part)));
    return known;
}

/* A clock that has come from elsewhere may know packets of this chip: it also knows what they knew. */
static void come_home(const struct tf_races *races, struct tf_view *view)
{
    struct tf_view own = {.clock = NULL};
    for (const struct site *site = races->site; site != races->site + races->sites; site++)
        for (unsigned queue = 0; queue < QUEUES && site->link != NULL; queue++) {
            const uint32_t known = known_of(view, site->link->out, queue);
            if (known != 0)
                tf_view_join(&own, clock_of(&site->link->own[queue], known - 1));
        }
    tf_view_join(view, own.clock);
    tf_view_clear(&own);
}

/* A word that synchronizes has been overwritten: it passes on the clock of the packet. */
static void synchronize(struct site *site, const struct record *record, uint32_t address, uint32_t bytes)
{
    for (uint32_t word = address & ~3u; word < address + bytes; word += 4) {
        const struct tf_shadow_page *page = tf_shadow_page(&site->shadow, word);
        const struct tf_shadow_words *words = page == NULL ? NULL : page->words[tf_shadow_block(word)];
        if (words == NULL || !words->synchronizes[tf_shadow_word(word)])
            continue;
        struct tf_view *view = sync_view(&site->syncs, word);
        if (view == NULL)
            continue;
        tf_view_clear(view);
        tf_view_acquire(view, &record->release);
    }
}

/* A stream of an RX queue writes its part of a packet. */
static void write_part(struct site *site, const struct tf_check_packet *packet, struct record record, unsigned stream)
{
    uint32_t from = stream == 0 ? 0 : FIRST_BYTES, bytes = stream == 0 ? FIRST_BYTES : LINE_BYTES;
    if (from >= packet->bytes)
        return;
    record.actor = actor_of(site->link->in, packet->queue, PART_STREAM_0 + stream);
    record.release.more[record.release.count++] = (struct tf_stamp){record.actor, record.time};
    const struct who who = {.release = &record.release,
                            .record = &record,
                            .own = {-1, -1},
                            .trace = record_add(site, &record),
                            .write = true};
    for (; from < packet->bytes; from += bytes + LINE_BYTES, bytes = LINE_BYTES) {
        const uint32_t part = tf_min(bytes, packet->bytes - from);
        touch(site, &who, packet->address + from, part);
        synchronize(site, &record, packet->address + from, part);
    }
}

static void write_register(struct site *site, const struct tf_check_packet *packet, struct record record)
{
    const uint32_t key = sync_key(site, TF_FROM_NOC, packet->address, true);
    struct tf_view *view = key != 0 ? sync_view(&site->syncs, key) : NULL;
    record.release.more[record.release.count++] =
        (struct tf_stamp){actor_of(site->link->in, packet->queue, PART_REGISTER), record.time};
    if (view != NULL)
        tf_view_acquire(view, &record.release);
    if (key >= TF_STREAM_BASE && key < TF_STREAM_BASE + TF_STREAMS_BYTES)
        stream_forget(site, packet->address);
}

static void received(struct tf_check *check, const struct tf_check_packet *packet)
{
    struct site *site = site_of(check);
    struct race_link *link = site->link;
    if (link == NULL)
        return;
    struct sends *sends = &link->incoming[packet->queue];
    while (sends->count != 0 && send_at(sends, 0)->end <= packet->number)
        drop_first(sends);
    struct tf_view known = {.clock = NULL};
    tf_view_join(&known, clock_of(sends, packet->number));
    come_home(site->all, &known);
    const uint32_t time = (uint32_t)(link->arrived[packet->queue] = packet->number + 1);
    const struct record record = {
        .time = time,
        .release = {.clock = known.clock, .count = 1, .more = {{actor_of(link->in, packet->queue, PART_PACKET), time}}},
        .cycle = packet->cycle,
        .address = packet->address,
        .source = site->number,
        .core = TF_TILE_CORES,
        .noc = UINT8_MAX,
        .kind = RECORD_PACKET,
        .sort = CLASS_WRITE,
        .tells = packet->bytes <= SIGNAL_BYTES,
    };
    if (packet->bytes == 0)
        write_register(site, packet, record);
    for (unsigned stream = 0; stream < 2; stream++)
        write_part(site, packet, record, stream);
    tf_view_clear(&known);
}

/*
 * A core of an Ethernet tile that routes looks at many words in each round of one loop, and works between the looks. So
 * the loop is larger than one that only waits. What atomics and short packets write to such words are signals.
 */
bool signals_loop(const struct site *site, const struct record *record, uint32_t pc)
{
    return site->link != NULL && record != NULL && (record->tells || record->kind == TF_NOC_ATOMIC) &&
           comes_back(site->tile, pc);
}

/* ---- A link ---- */

bool tf_races_connect(struct tf_races *races, uint16_t node, unsigned out, unsigned in)
{
    struct site *site = &races->site[races->fabric->node[node].site];
    races->outside.connected = true;
    site->link = calloc(1, sizeof *site->link);
    if (site->link == NULL)
        return false;
    site->link->out = out;
    site->link->in = in;
    site->check.sent = sent;
    site->check.received = received;
    return true;
}

void packets_learn(const struct site *site, struct tf_view *host)
{
    const struct race_link *link = site->link;
    for (unsigned queue = 0; queue < QUEUES && link != NULL; queue++) {
        tf_view_learn(host, actor_of(link->out, queue, PART_PACKET), (uint32_t)link->numbers[queue]);
        for (unsigned part = 0; part < PARTS && link->arrived[queue] != 0; part++)
            tf_view_learn(host, actor_of(link->in, queue, part), (uint32_t)link->arrived[queue]);
    }
}

void packets_forget(struct site *site)
{
    for (unsigned queue = 0; queue < QUEUES && site->link != NULL; queue++) {
        tf_view_clear(&site->link->sent[queue]);
        clear(&site->link->own[queue]);
    }
}

void packets_free(struct site *site)
{
    packets_forget(site);
    for (unsigned queue = 0; queue < QUEUES && site->link != NULL; queue++) {
        clear(&site->link->outgoing[queue]);
        clear(&site->link->incoming[queue]);
        free(site->link->own[queue].ring);
        free(site->link->outgoing[queue].ring);
        free(site->link->incoming[queue].ring);
    }
    free(site->link);
}
