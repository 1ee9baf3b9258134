/* SPDX-License-Identifier: Apache-2.0 */
#include "system/ranks.h"

#include <stdio.h>
#include <stdlib.h>

#include "farm/run/part.h"
#include "host/extremes.h"
#include "system/calm.h"
#include "system/hops.h"
#include "system/state.h"

static void merge(struct tf_news *news, const struct tf_news *other)
{
    for (unsigned i = 0; i < TF_ENDS; i++)
        news->ended[i] = tf_min(news->ended[i], other->ended[i]);
    news->next = tf_min(news->next, other->next);
    news->next_of_all = tf_min(news->next_of_all, other->next_of_all);
    news->latest = tf_max(news->latest, other->latest);
    news->cycles = tf_max(news->cycles, other->cycles);
    news->stirred = tf_max(news->stirred, other->stirred);
    news->epoch_ticks = tf_min(news->epoch_ticks, other->epoch_ticks);
    news->due = tf_min(news->due, other->due);
}

/* ---- Who owns what ---- */

static void find_neighbours(struct tf_ranks *ranks, const struct tf_cluster *cluster)
{
    uint32_t chips[TF_CLUSTER_CHIPS_MAX], next[TF_RANKS_MAX] = {0};
    tf_hops_of_chips(cluster, chips);
    for (unsigned a = 0; a < cluster->chips; a++)
        for (unsigned b = 0; b < cluster->chips; b++)
            if (chips[a] >> b & 1 && ranks->owner[a] != ranks->owner[b])
                next[ranks->owner[a]] |= 1u << ranks->owner[b];
    ranks->hops = tf_hops_most(next, ranks->ranks);
    for (unsigned i = 0; i < ranks->ranks; i++)
        if (next[ranks->rank] >> i & 1)
            ranks->neighbour[ranks->neighbours++] = i;
}

int tf_ranks_join(struct tf_system *system, struct tf_transport *transport, const uint8_t *owner)
{
    const struct tf_cluster *cluster = &system->cluster;
    uint32_t owns = 0;
    if (transport->ranks > TF_RANKS_MAX || transport->ranks < 2 || system->relaxed != NULL)
        return TF_EINVAL;
    for (unsigned i = 0; i < cluster->chips; i++)
        owns |= owner[i] < transport->ranks ? 1u << owner[i] : 0;
    if (owns != (uint32_t)((1ull << transport->ranks) - 1))
        return TF_EINVAL;
    struct tf_ranks *ranks = calloc(1, sizeof *ranks);
    if (ranks == NULL)
        return TF_ENOMEM;
    ranks->letters.transport = transport;
    ranks->rank = transport->rank;
    ranks->ranks = transport->ranks;
    memcpy(ranks->owner, owner, cluster->chips);
    find_neighbours(ranks, cluster);
    system->ranks = ranks;
    for (unsigned i = 0; i < cluster->chips; i++)
        system->part[i].elsewhere = owner[i] != ranks->rank;
    for (unsigned i = 0; i < 2 * cluster->links; i++) {
        struct tf_lane *lane = &system->lane[i];
        lane->crosses = owner[lane->from.chip] != owner[lane->to.chip];
    }
    return TF_OK;
}

void tf_ranks_leave(struct tf_system *system)
{
    if (system->ranks != NULL)
        free(system->ranks->packet);
    free(system->ranks);
    system->ranks = NULL;
}

bool tf_ranks_elsewhere(const struct tf_system *system, unsigned chip)
{
    return system->part[chip].elsewhere;
}

const char *tf_ranks_why(const struct tf_system *system)
{
    return system->ranks != NULL && system->ranks->failed ? system->ranks->why.text : "";
}

uint64_t tf_ranks_window(const struct tf_system *system)
{
    return (system->crew.tick - 1) / system->window_ticks;
}

static bool has_failed(struct tf_ranks *ranks)
{
    ranks->failed = true;
    return false;
}

/* ---- In which order ---- */

uint64_t tf_ranks_stage(const struct tf_system *system)
{
    return system->ranks != NULL ? system->ranks->stage : 0;
}

void tf_ranks_next_stage(struct tf_system *system)
{
    if (system->ranks != NULL)
        system->ranks->stage++;
}

static void note_packet(void *user, const struct tf_packet_event *event)
{
    struct tf_ranks *ranks = user;
    if (ranks->packets == ranks->packet_room) {
        const size_t room = ranks->packet_room != 0 ? 2 * ranks->packet_room : 64;
        struct tf_packet_event *more = reallocarray(ranks->packet, room, sizeof *more);
        if (more == NULL) {
            snprintf(ranks->why.text, sizeof ranks->why.text, "too little memory for packets");
            ranks->failed = true;
            return;
        }
        ranks->packet = more;
        ranks->packet_room = room;
    }
    ranks->packet[ranks->packets++] = *event;
}

struct tf_lane_listener tf_ranks_listener(struct tf_system *system)
{
    if (system->ranks == NULL || system->listener.on_packet == NULL)
        return system->listener;
    return (struct tf_lane_listener){.on_packet = note_packet, .user = system->ranks};
}

static int compare(const void *a, const void *b)
{
    const struct tf_packet_event *left = a, *right = b;
    if (left->from.chip != right->from.chip)
        return left->from.chip < right->from.chip ? -1 : 1;
    if (left->from.port != right->from.port)
        return left->from.port < right->from.port ? -1 : 1;
    return left->number < right->number ? -1 : 1;
}

void tf_ranks_tell(struct tf_system *system)
{
    struct tf_ranks *ranks = system->ranks;
    if (ranks == NULL || ranks->packets == 0)
        return;
    qsort(ranks->packet, ranks->packets, sizeof ranks->packet[0], compare);
    for (size_t i = 0; i < ranks->packets; i++)
        system->listener.on_packet(system->listener.user, &ranks->packet[i]);
    ranks->packets = 0;
}

/* ---- What crosses links ---- */

static const uint32_t no_lane = UINT32_MAX;

/* Write what has been sent to chips of a rank. Returns whether there is anything. */
static bool write_lanes(struct tf_system *system, unsigned to, struct tf_saved *letter)
{
    const struct tf_ranks *ranks = system->ranks;
    const struct tf_lane_listener listener = tf_ranks_listener(system);
    bool any = false;
    for (uint32_t i = 0; i < 2 * system->cluster.links; i++) {
        struct tf_lane *lane = &system->lane[i];
        if (ranks->owner[lane->from.chip] != ranks->rank || ranks->owner[lane->to.chip] != to ||
            !tf_lane_has_sent(lane))
            continue;
        any = true;
        TF_SAVED(letter, i);
        tf_lane_give(lane, letter, &listener);
        tf_part_give(system->part[lane->from.chip].chip, lane->sender, letter);
    }
    uint32_t end = no_lane;
    TF_SAVED(letter, end);
    return any;
}

static void read_lanes(struct tf_system *system, unsigned from, struct tf_saved *letter)
{
    const struct tf_ranks *ranks = system->ranks;
    const struct tf_lane_listener listener = tf_ranks_listener(system);
    for (;;) {
        uint32_t index = no_lane;
        TF_SAVED(letter, index);
        if (index == no_lane || letter->why != NULL)
            return;
        struct tf_lane *lane = index < 2 * system->cluster.links ? &system->lane[index] : NULL;
        const bool fits = lane != NULL && ranks->owner[lane->from.chip] == from &&
                          ranks->owner[lane->to.chip] == ranks->rank;
        tf_saved_demand(letter, fits, "it is about a link between other ranks");
        if (!fits)
            return;
        tf_lane_take(lane, letter, &listener);
        tf_part_take(system->part[lane->to.chip].chip, lane->receiver, letter);
    }
}

/* ---- Rounds: a letter to each neighbour, and one of each ---- */

/* What a letter says beside what crosses links. */
struct round {
    uint64_t window;
    struct tf_news news;
    uint64_t known[TF_RANKS_MAX];
    uint64_t stirred[TF_RANKS_MAX];
};

static bool send_round(struct tf_system *system, enum tf_letter_kind kind, struct tf_saved *letter, struct round *round)
{
    struct tf_ranks *ranks = system->ranks;
    bool fine = true;
    for (unsigned i = 0; i < ranks->neighbours && fine; i++) {
        tf_saved_bytes(&letter[i], round, sizeof *round);
        fine = tf_letter_send(&ranks->letters, ranks->neighbour[i], kind, &letter[i], &ranks->why);
    }
    return fine;
}

static bool receive_round(struct tf_system *system, enum tf_letter_kind kind, struct round *round)
{
    struct tf_ranks *ranks = system->ranks;
    for (unsigned i = 0; i < ranks->neighbours; i++) {
        const unsigned from = ranks->neighbour[i];
        struct tf_saved letter;
        struct round other = {.window = UINT64_MAX};
        if (!tf_letter_receive(&ranks->letters, from, kind, &letter, &ranks->why))
            return false;
        read_lanes(system, from, &letter);
        TF_SAVED(&letter, other);
        tf_saved_demand(&letter, other.window == round->window, "it is about another window");
        const bool fine = tf_letter_was_read(&letter, from, &ranks->why);
        tf_letter_end(&letter);
        if (!fine)
            return false;
        merge(&round->news, &other.news);
        for (unsigned k = 0; k < ranks->hops; k++)
            round->known[k] = tf_min(round->known[k], other.known[k]);
        for (unsigned k = 0; k < ranks->hops; k++)
            round->stirred[k] = tf_max(round->stirred[k], other.stirred[k]);
    }
    return true;
}

/* A round. busy: the tick from which something happens at other ranks, if anything has been sent to them. */
static bool run_round(struct tf_system *system, enum tf_letter_kind kind, struct round *round, uint64_t busy)
{
    struct tf_ranks *ranks = system->ranks;
    struct tf_saved letter[TF_RANKS_MAX];
    unsigned begun = 0;
    bool fine = true;
    for (; begun < ranks->neighbours && fine; begun++) {
        fine = tf_letter_begin(&letter[begun]);
        if (fine && write_lanes(system, ranks->neighbour[begun], &letter[begun]))
            round->known[0] = tf_min(round->known[0], busy);
    }
    if (!fine)
        snprintf(ranks->why.text, sizeof ranks->why.text, "too little memory for a message");
    fine = fine && send_round(system, kind, letter, round);
    for (unsigned i = 0; i < begun; i++)
        tf_letter_end(&letter[i]);
    return (fine && receive_round(system, kind, round)) || has_failed(ranks);
}

static uint64_t own_next(const struct tf_system *system)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < system->cluster.chips; i++)
        next = tf_min(next, tf_system_part_goes_on(&system->part[i]));
    return next;
}

bool tf_ranks_exchange(struct tf_system *system, uint64_t window, uint64_t *next)
{
    struct tf_ranks *ranks = system->ranks;
    const uint64_t end = (window + 1) * system->window_ticks;
    struct round round = {.window = window, .news = system->news};
    memcpy(&round.known[1], ranks->known, (ranks->hops - 1) * sizeof round.known[0]);
    for (unsigned i = 0; i < system->cluster.chips; i++)
        if (!system->part[i].elsewhere)
            tf_system_part_look(&system->part[i]);
    round.known[0] = own_next(system);
    struct tf_news own;
    tf_calm_note(system, &own);
    memcpy(&round.stirred[1], ranks->stirred, (ranks->hops - 1) * sizeof round.stirred[0]);
    round.stirred[0] = own.stirred;
    if (!run_round(system, TF_LETTER_WINDOW, &round, end))
        return false;
    system->news = round.news;
    memcpy(ranks->known, round.known, ranks->hops * sizeof round.known[0]);
    memcpy(ranks->stirred, round.stirred, ranks->hops * sizeof round.stirred[0]);
    const uint64_t idle_until = ranks->known[ranks->hops - 1];
    *next = tf_max(idle_until, end);
    if (idle_until > end) /* the windows between are left out, so nothing is known of them */
        memset(ranks->known, 0, sizeof ranks->known);
    return true;
}

bool tf_ranks_may_be_calm(const struct tf_system *system, uint64_t now)
{
    return tf_calm_since(system, system->ranks->stirred[system->ranks->hops - 1], now);
}

bool tf_ranks_agree(struct tf_system *system)
{
    struct tf_ranks *ranks = system->ranks;
    struct round round = {.news = system->news};
    for (unsigned i = 0; i < ranks->hops; i++, round.window++)
        if (!run_round(system, TF_LETTER_AGREE, &round, 0))
            return false;
    system->news = round.news;
    memset(ranks->known, 0, sizeof ranks->known);
    return true;
}

/* ---- Bytes of the caller's own ---- */

bool tf_ranks_send(struct tf_system *system, unsigned to, const void *data, size_t bytes)
{
    struct tf_ranks *ranks = system->ranks;
    struct tf_saved letter;
    if (tf_letter_begin(&letter))
        tf_saved_bytes(&letter, (void *)(uintptr_t)data, bytes);
    const bool fine = tf_letter_send(&ranks->letters, to, TF_LETTER_TEXT, &letter, &ranks->why);
    tf_letter_end(&letter);
    return fine || has_failed(ranks);
}

bool tf_ranks_receive(struct tf_system *system, unsigned from, void *data, size_t bytes)
{
    struct tf_ranks *ranks = system->ranks;
    struct tf_saved letter;
    if (!tf_letter_receive(&ranks->letters, from, TF_LETTER_TEXT, &letter, &ranks->why))
        return has_failed(ranks);
    tf_saved_bytes(&letter, data, bytes);
    const bool fine = tf_letter_was_read(&letter, from, &ranks->why);
    tf_letter_end(&letter);
    return fine || has_failed(ranks);
}
