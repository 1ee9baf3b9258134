/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/systems/spread.h"

#include <string.h>
#include <xxhash.h>

#include "cli/request/outputs.h"
#include "cli/request/restored.h"
#include "cli/text.h"
#include "farm/saved/header.h"
#include "farm/saved/saved.h"
#include "system/greeting.h"
#include "system/processes/launch.h"
#include "system/ranks.h"
#include "system/processes/shares.h"
#include "tile/arch.h"

static int open_transport(struct tf_spread *spread)
{
    struct tf_message why;
    if (tf_launch_open(&spread->transport, &why) == TF_OK)
        return -1;
    tf_cli_error("%s", why.text);
    return TF_EXIT_FAILED;
}

static int share_out(struct tf_spread *spread, const struct tf_request *request)
{
    const unsigned ranks = spread->transport.ranks;
    struct tf_shares shares = {.owner = spread->owner};
    if (tf_shares_find(&request->cluster, ranks, request->ranks_by, &shares))
        return -1;
    if (spread->transport.rank == 0)
        tf_cli_error("%u ranks are more than %s has %s, %u: start fewer%s", ranks, request->system,
                     shares.by_board ? "boards" : "chips", shares.most,
                     shares.by_board && ranks <= request->cluster.chips ? ", or give --ranks-by chip" : "");
    return TF_EXIT_USAGE;
}

/* ---- What is to be run ---- */

static void add_text(XXH3_state_t *hash, const char *text)
{
    XXH3_64bits_update(hash, text != NULL ? text : "\1", text != NULL ? strlen(text) + 1 : 1);
}

#define ADD(hash_, value_) XXH3_64bits_update(hash_, &(value_), sizeof(value_))

static void add_job(XXH3_state_t *hash, const struct tf_job *job)
{
    struct tf_saved_config config;
    memset(&config, 0, sizeof config);
    tf_saved_describe(tf_job_config(job), tf_job_arch(job), &config);
    ADD(hash, config);
    ADD(hash, job->options.scale);
    ADD(hash, job->options.seed);
    ADD(hash, job->options.variant);
    ADD(hash, job->run.cycles_max);
    ADD(hash, job->run.until);
    if (job->run.until) {
        ADD(hash, job->run.until_node);
        ADD(hash, job->run.until_address);
        ADD(hash, job->run.until_value);
    }
    ADD(hash, job->limit_s);
    add_text(hash, job->restore);
    add_text(hash, job->workload != NULL ? job->workload->name : NULL);
    for (unsigned i = 0; i < job->saves; i++)
        ADD(hash, job->save[i].cycle);
    ADD(hash, job->save_every.cycle);
    for (unsigned i = 0; i < job->loads; i++) {
        const struct tf_load *load = &job->load[i];
        ADD(hash, load->core);
        ADD(hash, load->of_chip);
        ADD(hash, load->chip);
        ADD(hash, load->tiles);
        XXH3_64bits_update(hash, load->image, load->bytes);
    }
}

/* A saved system may be known to rank 0 alone, so its links count as those of options or of defaults. */
static void add_links(XXH3_state_t *hash, const struct tf_request *request)
{
    const struct tf_wished_links links = tf_wished_links(request);
    const uint32_t latency = links.latency_cycles != 0 ? links.latency_cycles : TF_LINK_LATENCY_CYCLES;
    const uint32_t gbps = links.gbps != 0 ? links.gbps : request->cluster.arch->eth_gbps;
    ADD(hash, latency);
    ADD(hash, gbps);
    add_text(hash, links.faults);
    for (unsigned i = 0; links.faults == NULL && links.restored != NULL && i < links.restored->faults; i++) {
        const struct tf_link_fault *fault = &links.restored->fault[i];
        ADD(hash, fault->kind);
        ADD(hash, fault->link);
        ADD(hash, fault->direction);
        ADD(hash, fault->value);
        ADD(hash, fault->seed);
    }
}

/* What decides results, and what ranks do together. Threads are a rank's own. */
static void make_plan(const struct tf_request *request, XXH3_state_t *hash, struct tf_ranks_plan *plan)
{
    const struct tf_cluster *cluster = &request->cluster;
    struct tf_saved_config config;
    struct tf_saved_header header;
    memset(&config, 0, sizeof config);
    tf_saved_header(&config, TF_SAVED_CHIP, 0, &header);
    *plan = (struct tf_ranks_plan){.layout = header.layout}; /* no client leads */
    XXH3_64bits_reset(hash);
    XXH3_64bits_update(hash, cluster->link, cluster->links * sizeof cluster->link[0]);
    for (unsigned i = 0; i < cluster->chips; i++) {
        ADD(hash, cluster->chip[i].unique_id);
        ADD(hash, cluster->chip[i].board_id);
    }
    plan->cluster = XXH3_64bits_digest(hash);
    XXH3_64bits_reset(hash);
    add_job(hash, &request->job);
    add_text(hash, request->system_workload != NULL ? request->system_workload->name : NULL);
    add_links(hash, request);
    ADD(hash, request->ranks_by);
    ADD(hash, request->until_chip);
    for (unsigned i = 0; i < TF_OUTS; i++) {
        const bool seen = request->out[i] != NULL && tf_out_is_seen((enum tf_out)i);
        ADD(hash, seen);
    }
    plan->options = XXH3_64bits_digest(hash);
}

static int greet(struct tf_spread *spread, const struct tf_request *request)
{
    struct tf_ranks_plan plan;
    XXH3_state_t *hash = XXH3_createState();
    if (hash == NULL) {
        tf_cli_error("too little memory");
        return TF_EXIT_FAILED;
    }
    make_plan(request, hash, &plan);
    XXH3_freeState(hash);
    int error = tf_ranks_greet(&spread->transport, &plan, &spread->why);
    if (error == TF_OK)
        return -1;
    tf_cli_error("rank %u: %s", spread->transport.rank, spread->why.text);
    spread->abandoned = error != TF_EINVAL; /* else all ranks end in this way */
    return error == TF_EINVAL ? TF_EXIT_USAGE : TF_EXIT_FAILED;
}

/* ---- Begin and end ---- */

int tf_spread_begin(struct tf_spread *spread, const struct tf_request *request)
{
    *spread = (struct tf_spread){.on = false};
    if (tf_launch_ranks() == 0)
        return -1;
    int code = open_transport(spread);
    if (code >= 0)
        return code;
    spread->on = spread->transport.ranks > 1;
    if (spread->on)
        code = greet(spread, request);
    if (spread->on && code < 0)
        code = share_out(spread, request);
    return code;
}

bool tf_spread_is_alone(const char *what)
{
    const unsigned ranks = tf_launch_ranks();
    if (ranks != 0 && tf_launch_rank() == 0)
        tf_cli_error("%s, and mpirun has started %u of them: start one without mpirun", what, ranks);
    return ranks == 0;
}

unsigned tf_spread_threads(const struct tf_spread *spread, unsigned threads)
{
    return spread->on ? tf_launch_threads(&spread->transport, threads) : threads;
}

void tf_spread_abandon(struct tf_spread *spread, const char *why)
{
    if (!spread->on || spread->abandoned)
        return;
    spread->abandoned = true;
    snprintf(spread->why.text, sizeof spread->why.text, "%s", why);
    if (why[0] != '\0')
        tf_cli_error("rank %u: %s", spread->transport.rank, why);
}

void tf_spread_end(struct tf_spread *spread, int code)
{
    if (spread->transport.close == NULL)
        return;
    const char *why = spread->why.text[0] != '\0' ? spread->why.text : "see its error message";
    spread->transport.close(&spread->transport, code, spread->abandoned ? why : NULL);
}
