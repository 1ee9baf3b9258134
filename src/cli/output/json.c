/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "cli/output/json.h"
#include "cli/output/json_about.h"
#include "cli/output/json_chip.h"
#include "cli/session.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "cli/verdict.h"

static json_t *run_object(const struct tf_session *session)
{
    return json_pack("{s:s, s:s}", "workload", tf_job_name(session->job), "end", tf_json_end(session->outcome.end));
}

static json_t *figures(const struct tf_outcome *outcome)
{
    const struct tf_stats *stats = &outcome->stats;
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f}", "workers",
                     (json_int_t)stats->workers, "epochs", (json_int_t)stats->epochs, "cycles",
                     (json_int_t)stats->cycles, "instructions", (json_int_t)stats->instructions,
                     "instructions_executed", (json_int_t)stats->instructions_executed, "noc_requests",
                     (json_int_t)stats->noc_requests, "noc_bytes", (json_int_t)stats->noc_bytes, "noc_atomics",
                     (json_int_t)stats->noc_atomics, "hazards", (json_int_t)stats->hazards, "wall_s", stats->wall_s,
                     "cpu_s", stats->cpu_s, "mips", tf_outcome_mips(outcome));
}

static json_t *worker_object(struct tf_chip *chip, unsigned worker)
{
    struct tf_worker_stats stats;
    if (tf_worker_stats(chip, worker, &stats) != TF_OK)
        return NULL;
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f}", "instructions_executed",
                     (json_int_t)stats.instructions, "slices", (json_int_t)stats.slices, "pages_decoded",
                     (json_int_t)stats.pages, "noc_requests", (json_int_t)stats.requests, "deliveries",
                     (json_int_t)stats.deliveries, "steals", (json_int_t)stats.steals, "spins", (json_int_t)stats.spins,
                     "blocks", (json_int_t)stats.blocks, "run_s", stats.run_s, "deliver_s", stats.deliver_s, "wait_s",
                     stats.wait_s);
}

static json_t *worker_array(const struct tf_session *session)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < session->outcome.stats.workers; i++)
        json_array_append_new(array, worker_object(session->chip, i));
    return array;
}

static json_t *verdict(const struct tf_session *session)
{
    const struct tf_outcome *outcome = &session->outcome;
    bool checked = outcome->verdict == TF_VERDICT_RIGHT || (outcome->message.text[0] != '\0' && !outcome->interrupted);
    json_t *verified = !checked ? json_null() : json_boolean(outcome->verdict == TF_VERDICT_RIGHT);
    const char *message = outcome->message.text[0] != '\0' ? outcome->message.text : NULL;
    struct tf_topology topology;
    tf_topology_get(session->chip, &topology);
    const char *warning = topology.warning[0] != '\0' ? topology.warning : NULL;
    return json_pack("{s:o, s:s, s:o, s:s?, s:s?}", "state_hash",
                     json_sprintf("%016llx", (unsigned long long)outcome->state_hash), "verdict",
                     tf_verdict_text(outcome), "verified", verified, "message", message, "warning", warning);
}

bool tf_report_json(FILE *out, const struct tf_session *session)
{
    json_t *object = tf_json_about(session->job, tf_chip_arch(session->chip), session->chip);
    json_t *rest[] = {run_object(session),
                      tf_json_configuration(session->job, tf_chip_arch(session->chip), session->outcome.stats.workers),
                      figures(&session->outcome), verdict(session)};
    bool made = object != NULL;
    for (unsigned i = 0; i < sizeof rest / sizeof rest[0]; i++) {
        made = made && rest[i] != NULL && json_object_update(object, rest[i]) == 0;
        json_decref(rest[i]);
    }
    made = made && json_object_set_new(object, "by_worker", worker_array(session)) == 0 &&
           tf_json_chip(session, object);
    errno = 0;
    bool written = made && json_dumpf(object, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0 &&
                   fputc('\n', out) != EOF;
    if (!made)
        tf_cli_error("too little memory for the JSON report");
    else if (!written && out != stdout)
        tf_cli_error("the JSON report cannot be written: %s", errno != 0 ? strerror(errno) : "write error");
    json_decref(object);
    return written;
}
