/* SPDX-License-Identifier: Apache-2.0 */
/* Requests on one path and one virtual channel: those that act in order know of each other (noc/requests/order.h). */
#include <stdlib.h>

#include "host/extremes.h"
#include "host/mix.h"
#include "noc/requests/act.h"
#include "races/paths.h"
#include "races/state/state.h"

#define PATHS_FIRST 16u
#define PATHS_MOST 1024u /* a further path takes the place of an old one, whose order is then not known */

/* The place of a path in a table, or the place where it belongs. */
static struct path *place_of(struct path *path, uint32_t room, uint64_t channel, unsigned core)
{
    uint32_t at = (uint32_t)(tf_mix(channel + core) >> 32) & (room - 1);
    while (path[at].channel != 0 && (path[at].channel != channel || path[at].core != core))
        at = (at + 1) & (room - 1);
    return &path[at];
}

static bool make_room(struct paths *paths)
{
    uint32_t room = paths->room == 0 ? PATHS_FIRST : paths->room * 2;
    struct path *path = calloc(room, sizeof *path);
    if (path == NULL)
        return false;
    for (uint32_t i = 0; i < paths->room; i++)
        if (paths->path[i].channel != 0)
            *place_of(path, room, paths->path[i].channel, paths->path[i].core) = paths->path[i];
    free(paths->path);
    paths->path = path;
    paths->room = room;
    return true;
}

static struct path *path_find(const struct paths *paths, uint64_t channel, unsigned core)
{
    struct path *path = place_of(paths->path, paths->room, channel, core);
    return path->channel == 0 ? NULL : path;
}

static struct path *path_make(struct site *site, uint64_t channel, unsigned core)
{
    struct paths *paths = &site->paths;
    if (paths->count * 2 >= paths->room && paths->room < PATHS_MOST && !make_room(paths)) {
        site->lost = true;
        return NULL;
    }
    struct path *path = place_of(paths->path, paths->room, channel, core);
    if (path->channel == 0 && paths->count * 4 >= paths->room * 3)
        path = &paths->path[(uint32_t)(tf_mix(channel + core) >> 32) & (paths->room - 1)];
    else if (path->channel == 0)
        paths->count++;
    if (path->channel != channel || path->core != core)
        *path = (struct path){.channel = channel, .core = (uint8_t)core};
    paths->cores |= (uint8_t)(1u << core % 8);
    return path;
}

void record_learn(struct record *record, struct tf_stamp stamp)
{
    struct tf_view view = {record->release.clock};
    if (record->release.count < TF_RELEASE_MORE) {
        record->release.more[record->release.count++] = stamp;
        return;
    }
    tf_view_learn(&view, stamp.actor, stamp.time);
    record->release.clock = view.clock;
}

/* Does the core that issues a request know that the NIU has accepted the last one of an act from the path's core? If
   not, either of the two may be the first on the path. */
static bool follows(const struct site *site, const struct record *record, const struct path *path, unsigned act)
{
    return path->core == record->core ||
           tf_release_knows(&record->release, TF_ACTOR(site->number, SLOT_CORE + path->core), path->issued[act]);
}

/* The times of the requests on a path that act before a new one of an act. */
static void gather(const struct site *site, const struct record *record, const struct path *path, unsigned act,
                   uint32_t time[TF_NOC_ACTS])
{
    for (unsigned first = 0; first < TF_NOC_ACTS; first++) {
        if (path->last[first] == 0 || tf_noc_rules[first][act] == TF_NOC_RULE_NONE ||
            !follows(site, record, path, first))
            continue;
        time[first] = tf_max(time[first], path->last[first]);
        for (unsigned before = 0; before < TF_NOC_ACTS; before++)
            time[before] = tf_max(time[before], path->known[first][before]);
    }
}

/* Let a new request know the requests on a path that act before it. */
static void learn(struct site *site, struct record *record, const struct path *path, unsigned act,
                  uint32_t time[TF_NOC_ACTS])
{
    gather(site, record, path, act, time);
    for (unsigned before = 0; before < TF_NOC_ACTS; before++)
        if (time[before] != 0)
            record_learn(record, (struct tf_stamp){TF_ACTOR(site->number, path->slot[before]), time[before]});
}

/* Note a new request as the last one of its act. */
static void note_last(struct site *site, struct record *record, struct path *path, unsigned act)
{
    struct paths *paths = &site->paths;
    if (path->slot[act] == 0)
        path->slot[act] = (uint8_t)(SLOT_PATH + paths->slots++ % PATH_SLOTS);
    path->last[act] = ++paths->time[path->slot[act] - SLOT_PATH];
    path->issued[act] = UINT32_MAX;
    if (record->core < TF_TILE_CORES) {
        paths->issuing[record->core][record->noc].channel = path->channel;
        paths->issuing[record->core][record->noc].act = (uint8_t)act;
    }
    record->on_path = (struct tf_stamp){TF_ACTOR(site->number, path->slot[act]), path->last[act]};
}

void path_accepted(struct site *site, unsigned core, unsigned noc)
{
    const uint64_t channel = site->paths.issuing[core][noc].channel;
    struct path *path = channel == 0 ? NULL : path_find(&site->paths, channel, core);
    if (path != NULL)
        path->issued[site->paths.issuing[core][noc].act] = core_time(site, core);
    site->paths.issuing[core][noc].channel = 0;
}

void follow(struct site *site, const struct tf_noc_request *request, uint32_t ctrl, struct record *record)
{
    struct paths *paths = &site->paths;
    const uint64_t channel = tf_noc_channel(&paths->transaction[request->noc], request, ctrl);
    paths->linked[request->noc].time = 0;
    if (channel == 0)
        return;
    if ((ctrl & TF_NOC_CTRL_LINKED) != 0) {
        paths->linked[request->noc] = *record;
        paths->linked[request->noc].release = (struct tf_release){.clock = NULL};
    }
    /* All recipients of a multicast are tiles, as the source is. */
    const struct tf_node *recipient = &site->all->fabric->node[request->multicast ? request->source : request->target];
    const enum tf_noc_act act = tf_noc_act_of(recipient, request, ctrl);
    struct path *path = path_make(site, channel, request->core);
    if (path == NULL)
        return;
    learn(site, record, path, act, path->known[act]);
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        uint32_t time[TF_NOC_ACTS] = {0};
        const struct path *other = core == request->core || (paths->cores >> core & 1) == 0
                                       ? NULL
                                       : path_find(paths, channel, core);
        if (other != NULL)
            learn(site, record, other, act, time);
    }
    if (act != TF_NOC_ACT_ATOMIC_POSTED)
        note_last(site, record, path, act);
}
