/* SPDX-License-Identifier: Apache-2.0 */
/* What the HTML report says of a run as a whole. */
#include <stdarg.h>
#include <stdlib.h>

#include "cli/session.h"

static void __attribute__((format(printf, 4, 5)))
add(struct tf_page_figure *figure, unsigned *count, const char *name, const char *format, ...)
{
    va_list args;
    if (*count == TF_PAGE_FIGURES_MAX)
        return;
    figure[*count].name = name;
    va_start(args, format);
    vsnprintf(figure[*count].value, sizeof figure[*count].value, format, args);
    va_end(args);
    ++*count;
}

static void add_run(struct tf_page_facts *facts, const struct tf_session *session)
{
    const struct tf_stats *stats = &session->outcome.stats;
    char text[TF_GROUPED_BYTES];
#define ADD(name, value) add(facts->figure, &facts->figures, name, "%s", tf_cli_grouped(value, text))
    ADD("cycles", stats->cycles);
    ADD("epochs", stats->epochs);
    ADD("instructions retired", stats->instructions);
    ADD("instructions executed", stats->instructions_executed);
    ADD("NOC requests", stats->noc_requests);
    ADD("NOC bytes", stats->noc_bytes);
    ADD("NOC atomics", stats->noc_atomics);
    ADD("faults", stats->faults);
    ADD("hazards", stats->hazards);
#undef ADD
    add(facts->figure, &facts->figures, "state hash", "%016llx", (unsigned long long)session->outcome.state_hash);
}

static void add_host(struct tf_page_facts *facts, const struct tf_session *session)
{
    const struct tf_stats *stats = &session->outcome.stats;
    struct tf_topology topology;
    tf_topology_get(session->chip, &topology);
#define ADD(name, ...) add(facts->host, &facts->hosts, name, __VA_ARGS__)
    ADD("workers", "%u", stats->workers);
    ADD("CPUs allowed", "%u of %u", topology.cpus_allowed, topology.cpus_online);
    ADD("time", "%.2f s", stats->wall_s);
    ADD("CPU time", "%.2f s", stats->cpu_s);
    ADD("speed", "%.0f MIPS", tf_outcome_mips(&session->outcome));
    ADD("running tiles", "%.2f s", stats->run_s);
    ADD("delivering requests", "%.2f s", stats->deliver_s);
    ADD("waiting for other workers", "%.2f s", stats->wait_s);
    ADD("tiles stolen", "%llu", (unsigned long long)stats->steals);
#undef ADD
}

struct tf_page_facts *tf_session_facts(const struct tf_session *session)
{
    const struct tf_outcome *outcome = &session->outcome;
    struct tf_page_facts *facts = calloc(1, sizeof *facts);
    if (facts == NULL)
        return NULL;
    facts->title = tf_job_name(session->job);
    facts->verdict = tf_verdict_text(outcome);
    facts->good = tf_outcome_exit(outcome) == TF_EXIT_OK;
    facts->message = outcome->message.text;
    facts->symbols = session->symbols;
    facts->waits = outcome->waits;
    facts->waits_count = outcome->waits_count;
    facts->checked = session->job->config.check;
    facts->races = facts->checked ? tf_session_races(session, &facts->races_count) : NULL;
    add_run(facts, session);
    add_host(facts, session);
    return facts;
}
