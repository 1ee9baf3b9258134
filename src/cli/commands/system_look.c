/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/system_look.h"

#include <stdlib.h>

#include "cli/text.h"
#include "look/facts.h"
#include "look/look.h"
#include "tilefarm/tilefarm_links.h"

bool tf_system_look_begin(struct tf_system_look *look, const struct tf_job *job, const struct tf_cluster *cluster,
                          struct tf_session *session)
{
    look->cluster = cluster;
    look->session = session;
    if (job->look.timeline != NULL)
        look->timeline = tf_packets_create(job->look.timeline, job->look.timeline_compressed);
    if (job->look.page != NULL)
        look->link = calloc(2 * cluster->links + 1, sizeof *look->link);
    for (unsigned i = 0; i < 2 * cluster->links; i++) {
        const struct tf_cluster_end from = cluster->link[i / 2].end[i % 2];
        look->direction[from.chip][from.port] = (uint16_t)i;
    }
    return (job->look.timeline == NULL || look->timeline != NULL) && (job->look.page == NULL || look->link != NULL);
}

bool tf_system_look_wants_packets(const struct tf_system_look *look)
{
    return look->timeline != NULL || look->link != NULL;
}

void tf_system_look_packet(struct tf_system_look *look, const struct tf_packet_event *event)
{
    tf_look_packet(look->session[event->from.chip].look, event, true);
    tf_look_packet(look->session[event->to.chip].look, event, false);
    if (look->link != NULL)
        look->link[look->direction[event->from.chip][event->from.port]].busy += event->cycles;
}

bool tf_system_look_write(struct tf_system_look *look, struct tf_system *system, const char *name,
                          const struct tf_outcome *outcome)
{
    const struct tf_cluster *cluster = look->cluster;
    char *command = tf_job_command(look->session[0].job);
    struct tf_page_facts facts = {
        .title = name,
        .verdict = tf_verdict_text(outcome),
        .good = tf_outcome_exit(outcome) == TF_EXIT_OK,
        .message = outcome->message.text,
        .command = command,
    };
    const struct tf_page_system page = {.facts = &facts,
                                        .cluster = cluster,
                                        .link = look->link,
                                        .links = 2 * cluster->links};
    tf_page_system_figures(&facts, cluster, &outcome->stats, outcome->state_hash);
    for (unsigned i = 0; look->link != NULL && i < page.links; i++)
        tf_link_stats(system, i, &look->link[i].stats);
    bool fine = tf_session_write_looks(look->session, cluster->chips, &page);
    free(command);
    fine &= tf_packets_close(look->timeline);
    look->timeline = NULL;
    return fine;
}

void tf_system_look_end(struct tf_system_look *look)
{
    tf_packets_close(look->timeline);
    free(look->link);
    look->timeline = NULL;
    look->link = NULL;
}
