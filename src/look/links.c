/* SPDX-License-Identifier: Apache-2.0 */
#include "look/links.h"

#include <stdlib.h>

#include "host/extremes.h"
#include "host/saved.h"
#include "tilefarm/tilefarm_links.h"

#define SPAN_CYCLES_LEAST 64u

bool tf_page_links_create(struct tf_page_links *links, const struct tf_cluster *cluster)
{
    links->links = 2 * cluster->links;
    links->span_cycles = SPAN_CYCLES_LEAST;
    links->link = calloc(links->links + 1, sizeof *links->link);
    for (unsigned i = 0; i < links->links; i++) {
        const struct tf_cluster_end from = cluster->link[i / 2].end[i % 2];
        links->direction[from.chip][from.port] = (uint16_t)i;
    }
    return links->link != NULL;
}

void tf_page_links_free(struct tf_page_links *links)
{
    free(links->link);
    links->link = NULL;
}

/* Make spans long enough. Two become one. */
static void widen(struct tf_page_links *links, uint64_t span_cycles)
{
    for (; links->span_cycles < span_cycles; links->span_cycles *= 2)
        for (unsigned i = 0; i < links->links; i++) {
            uint64_t *span = links->link[i].span;
            for (unsigned k = 0; k < TF_PAGE_SPANS; k++)
                span[k] = 2 * k < TF_PAGE_SPANS ? span[2 * k] + span[2 * k + 1] : 0;
        }
}

void tf_page_links_packet(struct tf_page_links *links, const struct tf_packet_event *event)
{
    struct tf_page_link *link = &links->link[links->direction[event->from.chip][event->from.port]];
    link->busy += event->cycles;
    while (event->sent >= TF_PAGE_SPANS * links->span_cycles)
        widen(links, 2 * links->span_cycles);
    for (uint64_t at = event->sent - event->cycles; at < event->sent;) {
        const uint64_t span = at / links->span_cycles, end = tf_min((span + 1) * links->span_cycles, event->sent);
        link->span[span] += end - at;
        at = end;
    }
}

static void add(struct tf_saved *saved, uint64_t *sum)
{
    uint64_t cycles = *sum;
    TF_SAVED(saved, cycles);
    if (saved->reads)
        *sum += cycles;
}

void tf_page_links_state(struct tf_saved *saved, struct tf_page_links *links)
{
    uint64_t span_cycles = links->span_cycles;
    TF_SAVED(saved, span_cycles);
    tf_saved_demand(saved, span_cycles != 0 && (span_cycles & (span_cycles - 1)) == 0, "it is damaged: use of links");
    if (saved->why != NULL)
        return;
    /* spans of the other process, as parts of one here */
    const uint64_t parts = saved->reads && links->span_cycles > span_cycles ? links->span_cycles / span_cycles : 1;
    if (saved->reads)
        widen(links, span_cycles);
    for (unsigned i = 0; i < links->links; i++) {
        add(saved, &links->link[i].busy);
        for (unsigned k = 0; k < TF_PAGE_SPANS; k++)
            add(saved, &links->link[i].span[k / parts]);
    }
}

void tf_page_links_settle(struct tf_page_links *links, const struct tf_system *system)
{
    for (unsigned i = 0; links->link != NULL && i < links->links; i++)
        tf_link_stats(system, i, &links->link[i].stats);
}
