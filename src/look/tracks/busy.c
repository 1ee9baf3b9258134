/* SPDX-License-Identifier: Apache-2.0 */
#include "look/tracks/busy.h"

#include <stdlib.h>
#include <string.h>

#include "farm/chip/chip.h"
#include "look/tracks/packets.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_events.h"
#include "tilefarm/tilefarm_times.h"

static const char *const names[TF_BUSY_KINDS] = {"matrix",    "vector",   "unpack",    "pack",
                                                 "NOC 0 out", "NOC 0 in", "NOC 1 out", "NOC 1 in"};

/* The tracks of a tile, or of all tiles. */
struct tracks {
    uint32_t group, track[TF_BUSY_KINDS]; /* TF_NO_TRACK: not made yet */
    double share[TF_BUSY_KINDS];          /* that the track shows last, in percent */
};

struct tile {
    uint64_t worked[TF_BUSY_KINDS];  /* cycles that the epochs so far do not show; in timing mode also those to come */
    uint64_t counted[TF_BUSY_KINDS]; /* timing mode: cycles since the start, at the end of the last epoch */
    struct tracks tracks;
};

struct tf_busy {
    struct tf_busy_wish wish;
    struct tracks all;
    unsigned tiles;
    uint64_t from; /* first cycle of the window */
    struct tile tile[];
};

static void begin(struct tracks *tracks)
{
    *tracks = (struct tracks){.group = TF_NO_TRACK};
    memset(tracks->track, 0xFF, sizeof tracks->track);
}

/* In timing mode: add the cycles of this epoch. A unit counts a long operation when it begins. */
static bool take_times(struct tf_busy *busy, unsigned number)
{
    struct tf_tile_times times;
    if (tf_tile_times(busy->wish.chip, number, &times) != TF_OK)
        return false;
    struct tile *tile = &busy->tile[number];
    const uint64_t now[TF_BUSY_KINDS] = {times.matrix,     times.vector,    times.unpack,     times.pack,
                                         times.noc_out[0], times.noc_in[0], times.noc_out[1], times.noc_in[1]};
    for (unsigned kind = 0; kind < TF_BUSY_KINDS; kind++) {
        tile->worked[kind] += now[kind] - tile->counted[kind];
        tile->counted[kind] = now[kind];
    }
    return true;
}

struct tf_busy *tf_busy_create(const struct tf_busy_wish *wish)
{
    const unsigned tiles = wish->chip->tiles.tensix;
    struct tf_busy *busy = calloc(1, sizeof *busy + tiles * sizeof busy->tile[0]);
    if (busy == NULL)
        return NULL;
    busy->wish = *wish;
    busy->from = wish->from;
    busy->tiles = tiles;
    begin(&busy->all);
    for (unsigned i = 0; i < tiles; i++)
        begin(&busy->tile[i].tracks);
    for (unsigned i = 0; i < tiles; i++) { /* a chip that was restored has worked before */
        take_times(busy, i);
        memset(busy->tile[i].worked, 0, sizeof busy->tile[i].worked);
    }
    return busy;
}

void tf_busy_destroy(struct tf_busy *busy)
{
    free(busy);
}

unsigned tf_busy_unit(const char *name)
{
    unsigned kind = 0;
    while (kind < TF_BUSY_NOC && strcmp(names[kind], name) != 0)
        kind++;
    return kind < TF_BUSY_NOC ? kind : TF_BUSY_KINDS;
}

void tf_busy_count(struct tf_busy *busy, unsigned tile, unsigned kind)
{
    if (kind < TF_BUSY_KINDS)
        busy->tile[tile].worked[kind]++;
}

static void add_flits(struct tf_busy *busy, struct tf_coord at, unsigned noc, bool in, uint64_t bytes)
{
    const struct tf_arch *arch = busy->wish.chip->arch;
    const int tile = tf_tile_index(arch, at);
    const unsigned log2 = arch->noc.flit_log2;
    if (tile >= 0) /* a header, and the data */
        busy->tile[tile].worked[TF_BUSY_NOC + 2 * noc + in] += 1 + (bytes + (1u << log2) - 1) / (1u << log2);
}

void tf_busy_noc(struct tf_busy *busy, const struct tf_noc_event *event)
{
    const bool read = event->kind == TF_NOC_READ;
    const uint64_t asked = read || event->kind == TF_NOC_ATOMIC ? 0 : event->bytes, answered = read ? event->bytes : 0;
    switch (event->step) {
    case TF_NOC_ISSUED: add_flits(busy, event->initiator, event->noc, false, asked); break;
    case TF_NOC_ACTED:
        add_flits(busy, event->target, event->noc, true, asked);
        if (event->answered)
            add_flits(busy, event->target, event->noc, false, answered);
        break;
    case TF_NOC_LANDED: add_flits(busy, event->answer, event->noc, true, answered); break;
    case TF_NOC_REFUSED: break;
    }
}

static void show(struct tf_busy *busy, struct tracks *tracks, int tile, unsigned kind, uint64_t from, double share)
{
    const struct tf_busy_wish *wish = &busy->wish;
    const struct tf_event_args args = {.real = true, .share = share};
    if (share == tracks->share[kind])
        return;
    if (tracks->group == TF_NO_TRACK) {
        const uint32_t parent = tile < 0 ? wish->chip_track : wish->tile_track(wish->user, (unsigned)tile);
        tracks->group = tf_packets_track(wish->packets, parent,
                                         tile < 0 ? "utilization, mean of all tiles" : "utilization", 6, NULL);
    }
    if (tracks->track[kind] == TF_NO_TRACK)
        tracks->track[kind] = tf_packets_track(wish->packets, tracks->group, names[kind], (int)kind, "%");
    tf_packets_event(wish->packets, tracks->track[kind], TF_SLICE_COUNTER, from, 0, &args);
    tracks->share[kind] = share;
}

static void show_window(struct tf_busy *busy, uint64_t to, bool shown)
{
    double sum[TF_BUSY_KINDS] = {0};
    const uint64_t from = busy->from, cycles = to - from;
    for (unsigned i = 0; i < busy->tiles; i++) {
        struct tile *tile = &busy->tile[i];
        const bool timed = take_times(busy, i);
        for (unsigned kind = 0; kind < TF_BUSY_KINDS; kind++) {
            uint64_t worked = tile->worked[kind];
            if (timed && worked > cycles) /* the rest of a long operation is in the next window */
                worked = cycles;
            const double share = 100 * (double)worked / (double)cycles;
            tile->worked[kind] -= worked;
            sum[kind] += share;
            if (shown && busy->wish.cores[i] != 0)
                show(busy, &tile->tracks, (int)i, kind, from, share);
        }
    }
    for (unsigned kind = 0; shown && kind < TF_BUSY_KINDS; kind++)
        show(busy, &busy->all, -1, kind, from, sum[kind] / busy->tiles);
}

void tf_busy_epoch(struct tf_busy *busy, uint64_t cycle, bool (*shows)(const void *user, uint64_t cycle), bool last)
{
    if (cycle <= busy->from || (!last && cycle - busy->from < TF_BUSY_WINDOW))
        return;
    show_window(busy, cycle, shows(busy->wish.user, busy->from));
    busy->from = cycle;
}
