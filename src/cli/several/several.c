/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/several/several.h"

#include <stdlib.h>

#include "cli/output/ranges.h"
#include "cli/request/outputs.h"
#include "cli/request/restored.h"
#include "cli/systems/links.h"
#include "cli/races.h"
#include "cli/session.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "cli/verdict.h"
#include "look/facts.h"
#include "tilefarm/tilefarm_system_config.h"

const char *tf_several_name(const struct tf_several *several)
{
    const struct tf_system_workload *workload = several->request->system_workload;
    return workload != NULL ? workload->name : tf_job_name(&several->job[0]);
}

/* ---- Begin ---- */

int tf_several_create(struct tf_several *several, struct tf_system_config *config)
{
    const struct tf_request *request = several->request;
    const struct tf_wished_links links = tf_wished_links(request);
    struct tf_message message = {.text = ""};
    config->cluster = &request->cluster;
    config->link_latency_cycles = links.latency_cycles;
    config->link_gbps = links.gbps;
    struct tf_link_fault *faults = malloc(TF_LINK_FAULTS_MAX * sizeof *faults);
    int error = faults == NULL ? TF_ENOMEM : TF_OK;
    config->link_fault = faults;
    if (error == TF_OK && links.faults != NULL) {
        error = tf_link_fault_parse(config->cluster, links.faults, faults, &config->link_faults, &message);
    } else if (error == TF_OK && links.restored != NULL) {
        config->link_fault = links.restored->fault;
        config->link_faults = links.restored->faults;
    }
    const bool bad_faults = error == TF_EFORMAT;
    if (error == TF_OK)
        error = tf_system_create(config, &several->system, &message);
    free(faults);
    if (error == TF_OK)
        return -1;
    tf_cli_error("%s%s", bad_faults ? "--link-fault: " : "",
                 message.text[0] != '\0' ? message.text : tf_strerror(error));
    return error == TF_EINVAL || bad_faults ? TF_EXIT_USAGE : TF_EXIT_FAILED;
}

void tf_several_join(struct tf_several *several, unsigned chip)
{
    struct tf_job *job = &several->job[chip];
    *job = *several->base;
    tf_job_set_arch(job, several->request->cluster.arch);
    job->chip = chip;
    tf_request_show(several->request, chip, job);
    job->run.until &= chip == several->request->until_chip;
    several->session[chip].job = job;
}

/* The program of core E0 of all Ethernet tiles. */
static void add_link_symbols(const struct tf_session *session, const char *program)
{
    const struct tf_arch *arch = tf_chip_arch(session->chip);
    struct tf_coord node[TF_ETH_TILES_MAX];
    char name[TF_LINKS_NAME_BYTES];
    size_t bytes, count = 0;
    const void *image = tf_links_program(arch, program, name, &bytes);
    while (count < TF_ETH_TILES_MAX && tf_port_coord(arch, (unsigned)count, &node[count]) == TF_OK)
        count++;
    if (image != NULL)
        tf_symbols_add_nodes(session->symbols, arch, image, bytes, 1, node, count);
}

/* Programs of Tensix tiles. */
static void add_tile_symbols(const struct tf_session *session, const char *program)
{
    const struct tf_arch *arch = tf_chip_arch(session->chip);
    for (unsigned core = 0; core < arch->tile[TF_TILE_TENSIX].cores; core++) {
        char name[TF_LINKS_NAME_BYTES];
        size_t bytes;
        const void *image = tf_links_tile_program(arch, program, core, name, &bytes);
        if (image != NULL)
            tf_symbols_add(session->symbols, image, bytes, 1u << core, NULL);
    }
}

static void add_symbols(const struct tf_several *several, struct tf_session *session)
{
    const struct tf_system_workload *workload = several->request->system_workload;
    tf_session_add_symbols(session);
    if (workload == NULL || session->symbols == NULL)
        return;
    add_link_symbols(session, workload->program);
    if (workload->tile_program != NULL)
        add_tile_symbols(session, workload->tile_program);
}

int tf_several_load(struct tf_several *several, unsigned chip, bool here)
{
    const struct tf_request *request = several->request;
    struct tf_job *job = &several->job[chip];
    struct tf_session *session = &several->session[chip];
    job->options.seed += chip;
    job->name = request->system_workload != NULL ? request->system_workload->name : NULL;
    session->chip = tf_system_chip(several->system, chip);
    int code = -1;
    if (request->system_workload == NULL && here)
        code = tf_session_prepare(job, session->chip, &session->state);
    if (code < 0 && here &&
        (!tf_dumps_check(session->chip, chip, request) || !tf_request_inputs(session->chip, chip, request)))
        code = TF_EXIT_USAGE;
    if (code < 0)
        add_symbols(several, session);
    return code;
}

int tf_several_setup(struct tf_several *several)
{
    const struct tf_system_workload *workload = several->request->system_workload;
    struct tf_message message = {.text = ""};
    int error = TF_OK;
    if (workload != NULL)
        error = workload->setup(several->system, &several->base->options, &several->state, &message);
    if (error == TF_OK)
        return -1;
    tf_cli_error("%s: %s", workload->name, message.text[0] != '\0' ? message.text : tf_strerror(error));
    return error == TF_EINVAL ? TF_EXIT_USAGE : TF_EXIT_FAILED;
}

void tf_several_release(struct tf_several *several)
{
    const struct tf_system_workload *workload = several->request->system_workload;
    if (workload != NULL && several->state != NULL)
        workload->release(several->state);
    for (unsigned i = 0; several->session != NULL && i < several->request->cluster.chips; i++) {
        struct tf_session *session = &several->session[i];
        if (session->job != NULL && session->job->workload != NULL)
            session->job->workload->release(session->state);
        free(session->outcome.waits);
        session->outcome.waits = NULL;
    }
}

/* ---- Judge ---- */

static int worse(int a, int b)
{
    static const uint8_t rank[] = {
        [TF_VERDICT_NONE] = 0,  [TF_VERDICT_RIGHT] = 1,    [TF_VERDICT_LIMIT] = 2,
        [TF_VERDICT_WRONG] = 3, [TF_VERDICT_DEADLOCK] = 4,
    };
    return rank[a] >= rank[b] ? a : b;
}

/* The verdict of a workload of the system. A message names the chip, so it belongs to no session. */
static int judge_all(struct tf_several *several)
{
    const struct tf_system_workload *workload = several->request->system_workload;
    struct tf_outcome *outcome = &several->outcome;
    if (workload == NULL || outcome->end != TF_END_QUIET)
        return -1;
    int error = workload->verify(several->system, several->state, &outcome->message);
    outcome->verdict = error == TF_OK ? TF_VERDICT_RIGHT : TF_VERDICT_WRONG;
    if (error >= 0)
        return -1;
    tf_cli_error("%s: the results cannot be read: %s", workload->name, tf_strerror(error));
    return TF_EXIT_FAILED;
}

/* Of the calls of a recording. A message is about the client, so it belongs to no session. */
static void judge_replay(struct tf_several *several)
{
    const struct tf_replay *replay = several->base->replay;
    struct tf_outcome *outcome = &several->outcome;
    if (replay == NULL)
        return;
    outcome->verdict = replay->why[0] != '\0' ? TF_VERDICT_WRONG : TF_VERDICT_RIGHT;
    snprintf(outcome->message.text, sizeof outcome->message.text, "%s", replay->why);
}

/* Of its workload, or of whether cores wait for ever. */
int tf_several_judge(struct tf_several *several)
{
    struct tf_outcome *all = &several->outcome;
    int code = judge_all(several);
    judge_replay(several);
    const bool right = all->verdict == TF_VERDICT_RIGHT && several->base->replay == NULL;
    for (unsigned i = 0; i < several->request->cluster.chips && code < 0; i++) {
        struct tf_session *session = &several->session[i];
        struct tf_outcome *outcome = &session->outcome;
        outcome->end = all->end;
        outcome->interrupted = all->interrupted;
        if (!right)
            code = tf_verdict_find(session);
        if (several->base->replay != NULL)
            outcome->message.text[0] = '\0';
        if (!several->base->brief)
            tf_stats(session->chip, &outcome->stats);
        outcome->stats.faults = tf_session_faults(session->chip);
        tf_page_add_stats(&all->stats, &outcome->stats);
        outcome->races = tf_session_count_races(session);
        all->races += outcome->races;
        all->verdict = (enum tf_verdict)worse((int)all->verdict, (int)outcome->verdict);
    }
    return code;
}
