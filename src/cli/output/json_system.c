/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output/json_system.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/critical.h"
#include "cli/output/json_about.h"
#include "cli/output/json_chip.h"
#include "cli/job.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "cli/verdict.h"

#define LINK_TEXT_BYTES 900u

/* The figures that a chip and a system have. */
static json_t *figures(const struct tf_outcome *outcome)
{
    const struct tf_stats *stats = &outcome->stats;
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:s, s:s?}", "cycles", (json_int_t)stats->cycles, "instructions",
                     (json_int_t)stats->instructions, "noc_requests", (json_int_t)stats->noc_requests, "noc_bytes",
                     (json_int_t)stats->noc_bytes, "noc_atomics", (json_int_t)stats->noc_atomics, "hazards",
                     (json_int_t)stats->hazards, "verdict", tf_verdict_text(outcome), "message",
                     outcome->message.text[0] != '\0' ? outcome->message.text : NULL);
}

static json_t *link_wait_object(struct tf_system *system, const struct tf_link_wait *wait)
{
    char text[LINK_TEXT_BYTES];
    tf_link_wait_text(system, wait, text, sizeof text);
    json_t *peer = wait->linked ? json_pack("[i, i]", (int)wait->to.chip, (int)wait->to.port) : json_null();
    return json_pack("{s:i, s:o, s:b, s:I, s:I, s:I, s:s}", "port", (int)wait->from.port, "peer", peer, "up",
                     (int)(wait->linked && !wait->down), "unacknowledged", (json_int_t)wait->unacknowledged, "lost",
                     (json_int_t)wait->lost, "not_taken", (json_int_t)wait->held, "text", text);
}

/* The ports of a chip whose cores wait. NULL: no memory. */
static json_t *link_wait_array(struct tf_system *system, unsigned chip)
{
    json_t *array = json_array();
    const size_t most = tf_link_waits(system, NULL, 0);
    struct tf_link_wait *wait = calloc(most + 1, sizeof *wait);
    const size_t count = wait != NULL ? tf_link_waits(system, wait, most) : 0;
    for (size_t i = 0; i < count; i++)
        if (wait[i].from.chip == chip)
            json_array_append_new(array, link_wait_object(system, &wait[i]));
    free(wait);
    return array;
}

/* NULL: no memory. */
static json_t *chip_object(struct tf_system *system, const struct tf_session *session, unsigned chip)
{
    /* as in the text: of runs that have ended, and not well */
    const bool waits = session->outcome.waits_count != 0 && !session->outcome.interrupted;
    const struct tf_arch *arch = tf_chip_arch(session->chip);
    struct tf_shape shape;
    tf_arch_shape(arch, &shape);
    json_t *object = figures(&session->outcome);
    if (json_object_set_new(object, "chip", json_integer(chip)) == 0 &&
        json_object_set_new(object, "arch", json_string(shape.name)) == 0 &&
        json_object_set_new(object, "board", json_string(arch->board.name)) == 0 && tf_json_chip(session, object) &&
        json_object_set_new(object, "link_waits", waits ? link_wait_array(system, chip) : json_array()) == 0)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *link_object(const struct tf_link_stats *stats)
{
    return json_pack("{s:[i, i], s:[i, i], s:I, s:I, s:I, s:I}", "from", (int)stats->from.chip, (int)stats->from.port,
                     "to", (int)stats->to.chip, (int)stats->to.port, "packets", (json_int_t)stats->packets, "bytes",
                     (json_int_t)stats->bytes, "waiting", (json_int_t)stats->waiting, "lost", (json_int_t)stats->lost);
}

static json_t *link_array(struct tf_system *system)
{
    json_t *array = json_array();
    struct tf_link_stats stats;
    for (unsigned i = 0; tf_link_stats(system, i, &stats) == TF_OK; i++)
        json_array_append_new(array, link_object(&stats));
    return array;
}

/* What a system alone has. */
static json_t *system_object(const struct tf_json_system *facts)
{
    const struct tf_outcome *outcome = facts->outcome;
    const struct tf_stats *stats = &outcome->stats;
    return json_pack("{s:s, s:s, s:s, s:i, s:I, s:I, s:I, s:I, s:f, s:f, s:o, s:b, s:o}", "workload", facts->name,
                     "system", facts->description, "end", tf_json_end(outcome->end), "workers", (int)stats->workers,
                     "instructions_executed", (json_int_t)stats->instructions_executed, "fault_count",
                     (json_int_t)stats->faults, "link_packets", (json_int_t)facts->packets, "link_bytes",
                     (json_int_t)facts->bytes, "wall_s", stats->wall_s, "cpu_s", stats->cpu_s, "state_hash",
                     json_sprintf("%016llx", (unsigned long long)outcome->state_hash), "verified",
                     (int)(outcome->verdict == TF_VERDICT_RIGHT), "links", link_array(facts->system));
}

/* NULL: no memory. */
static json_t *whole(const struct tf_json_system *facts)
{
    const struct tf_chip *chip = facts->session[0].chip;
    const struct tf_arch *arch = tf_chip_arch(chip);
    json_t *object = tf_json_about(facts->job, arch, chip), *chips = json_array();
    json_t *more[] = {tf_json_configuration(facts->job, arch, facts->outcome->stats.workers), figures(facts->outcome),
                      system_object(facts)};
    bool made = object != NULL;
    for (unsigned i = 0; i < sizeof more / sizeof more[0]; i++) {
        made = made && more[i] != NULL && json_object_update(object, more[i]) == 0;
        json_decref(more[i]);
    }
    for (unsigned i = 0; i < facts->chips; i++)
        made = made && json_array_append_new(chips, chip_object(facts->system, &facts->session[i], i)) == 0;
    made = made && json_object_set(object, "chips", chips) == 0;
    if (facts->job->critical_path)
        made = made &&
               json_object_set_new(object, "critical_path", tf_json_critical(facts->session, facts->system)) == 0;
    if (facts->workload != NULL)
        made = made && json_object_set_new(object, "programs", tf_json_link_programs(arch, facts->workload)) == 0;
    json_decref(chips);
    if (made)
        return object;
    json_decref(object);
    return NULL;
}

bool tf_json_system(FILE *out, const struct tf_json_system *facts)
{
    json_t *object = whole(facts);
    errno = 0;
    const bool written = object != NULL && json_dumpf(object, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0 &&
                         fputc('\n', out) != EOF;
    if (object == NULL)
        tf_cli_error("too little memory for the JSON report");
    else if (!written && out != stdout)
        tf_cli_error("the JSON report cannot be written: %s", errno != 0 ? strerror(errno) : "write error");
    json_decref(object);
    return written;
}
