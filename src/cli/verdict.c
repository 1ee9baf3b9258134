/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of a run. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fill.h"
#include "cli/interrupt.h"
#include "cli/job.h"
#include "cli/replay.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "cli/verdict.h"
#include "debug/depth.h"
#include "farm/chip/chip.h"
#include "noc/requests/linked.h"
#include "noc/noc.h"
#include "tile/node_text.h"

static void wrong(struct tf_outcome *outcome, enum tf_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void wrong(struct tf_outcome *outcome, enum tf_verdict verdict, const char *format, ...)
{
    va_list arguments;
    outcome->verdict = verdict;
    va_start(arguments, format);
    vsnprintf(outcome->message.text, sizeof outcome->message.text, format, arguments);
    va_end(arguments);
}

#define WAITS_FIRST 16u

/* Find the waits. A first try with room for a few saves time, for row `explore`. If the host has no memory, the verdict
   has no list. */
static void find_waits(struct tf_session *session)
{
    struct tf_outcome *outcome = &session->outcome;
    for (size_t room = 0, most = WAITS_FIRST; room < most;) {
        room = most;
        free(outcome->waits);
        outcome->waits_count = 0;
        outcome->waits = calloc(room, sizeof *outcome->waits);
        if (outcome->waits == NULL)
            return;
        most = tf_waits(session->chip, outcome->waits, room);
        outcome->waits_count = most <= room ? most : 0;
    }
}

static unsigned count_stuck(const struct tf_outcome *outcome)
{
    unsigned stuck = 0;
    for (size_t i = 0; i < outcome->waits_count; i++)
        stuck += outcome->waits[i].stuck ? outcome->waits[i].tiles : 0;
    return stuck;
}

/* Find a main() that has returned a value other than 0. */
static const struct tf_waiting *failed_main(const struct tf_outcome *outcome)
{
    for (size_t i = 0; i < outcome->waits_count; i++)
        if (outcome->waits[i].returned && outcome->waits[i].status != 0)
            return &outcome->waits[i];
    return NULL;
}

/* Find a core that has ended before its main() returned, and say where it is. */
static const struct tf_waiting *unreturned(const struct tf_session *session, const char **where)
{
    const struct tf_outcome *outcome = &session->outcome;
    for (size_t i = 0; i < outcome->waits_count && outcome->end == TF_END_QUIET; i++) {
        const struct tf_waiting *wait = &outcome->waits[i];
        const bool trapped = tf_waiting_trapped(session->chip, session->symbols, wait);
        *where = trapped ? "has stopped at an ebreak, as __builtin_trap() does" : "is in an empty endless loop";
        if (trapped || tf_waiting_endless(session->chip, session->symbols, wait))
            return wait;
    }
    return NULL;
}

static bool at_limit(const struct tf_outcome *outcome)
{
    return outcome->end == TF_END_CYCLES || outcome->end == TF_END_TIME;
}

/* Returns false if the word of --until has another value. */
static bool check_until(const struct tf_session *session, struct tf_outcome *outcome)
{
    const struct tf_job *job = session->job;
    if (!job->run.until || outcome->end == TF_END_VALUE)
        return true;
    char node[TF_NODE_TEXT_BYTES];
    wrong(outcome, TF_VERDICT_WRONG, "the word of --until, at %s 0x%llx, never became 0x%x",
          tf_node_text(tf_chip_arch(session->chip), job->run.until_node, node),
          (unsigned long long)job->run.until_address, job->run.until_value);
    return false;
}

/* Find a linked transaction that no request has closed. "The NIU will be unable to initiate requests on any virtual
   channel number other than the one used for the transaction" (NoC/MemoryMap.md), so what comes next may hang. */
static void check_linked(struct tf_session *session)
{
    const struct tf_fabric *fabric = session->chip->fabric;
    char node[TF_NODE_TEXT_BYTES];
    for (unsigned i = 0; i < 2 * fabric->nodes; i++)
        if (tf_niu_is_linked(&fabric->node[i / 2].niu[i % 2])) {
            wrong(&session->outcome, TF_VERDICT_WRONG,
                  "NOC %u of %s still has a linked transaction open: its last request has NOC_CMD_VC_LINKED, so the "
                  "NIU hangs at a request on another virtual channel; send the last request without the flag",
                  i % 2, tf_node_text(tf_chip_arch(session->chip), fabric->node[i / 2].coord, node));
            return;
        }
}

#define STACK_SLACK 32u /* a frame may not fill all of its words */

/* Find a stack that has grown to the data of its program, or over them. */
static void check_stacks(struct tf_session *session)
{
    const struct tf_arch *arch = tf_chip_arch(session->chip);
    char node[TF_NODE_TEXT_BYTES];
    struct tf_deepest deepest;
    struct tf_shape shape;
    tf_arch_shape(arch, &shape);
    for (unsigned core = 0; core < shape.cores; core++)
        if (tf_stack_deepest(session->chip, session->symbols, core, &deepest) &&
            deepest.depth.room - deepest.depth.used < STACK_SLACK)
            wrong(&session->outcome, TF_VERDICT_WRONG,
                  "the stack of core %s of %s has grown to the program's data in local RAM, or over them: it has used "
                  "%u of %u bytes",
                  tf_core_name(arch, TF_NODE_TENSIX, core), tf_tile_text(arch, deepest.tile, node), deepest.depth.used,
                  deepest.depth.room);
}

/* Judge a run of the user's own programs. */
static void check_loads(struct tf_session *session)
{
    struct tf_outcome *outcome = &session->outcome;
    const struct tf_arch *arch = tf_chip_arch(session->chip);
    char node[TF_NODE_TEXT_BYTES];
    bool reached = check_until(session, outcome);
    find_waits(session);
    const char *where;
    const struct tf_waiting *failed = failed_main(outcome), *early = unreturned(session, &where);
    if (failed == NULL && early != NULL && reached)
        wrong(outcome, TF_VERDICT_WRONG, "main() of core %s of %s has not returned: the core %s",
              tf_core_name(arch, tf_node_kind(arch, early->node), early->core), tf_node_text(arch, early->node, node),
              where);
    else if (failed != NULL && reached)
        wrong(outcome, TF_VERDICT_WRONG, "main() of core %s of %s returned %d",
              tf_core_name(arch, tf_node_kind(arch, failed->node), failed->core),
              tf_node_text(arch, failed->node, node), (int)failed->status);
    else if (outcome->end == TF_END_QUIET && outcome->verdict == TF_VERDICT_NONE)
        check_linked(session);
    if (outcome->end == TF_END_QUIET && outcome->verdict == TF_VERDICT_NONE && session->job->fill.kind <= TF_FILL_ZERO)
        check_stacks(session);
}

/* Workloads know tiles by their numbers. A message that begins with one gets its coordinates, as in all outputs. */
static void name_tile(const struct tf_arch *arch, struct tf_message *message)
{
    static const char tile[] = "tile ";
    char text[sizeof message->text], node[TF_NODE_TEXT_BYTES], *end;
    snprintf(text, sizeof text, "%s", message->text);
    if (strncmp(text, tile, sizeof tile - 1) != 0)
        return;
    const unsigned long index = strtoul(text + sizeof tile - 1, &end, 10);
    if (end != text + sizeof tile - 1 && *end != ' ')
        snprintf(message->text, sizeof message->text, "%s%.*s", tf_tile_text(arch, (unsigned)index, node),
                 (int)(sizeof message->text - sizeof node), end);
}

static int check_workload(struct tf_session *session)
{
    const struct tf_job *job = session->job;
    struct tf_outcome *outcome = &session->outcome;
    if (outcome->end == TF_END_VALUE)
        return -1; /* --until ended the run before the results were complete */
    if (outcome->end != TF_END_QUIET) {
        if (!at_limit(outcome)) /* otherwise the limit is the reason */
            wrong(outcome, TF_VERDICT_WRONG, "it did not end");
        find_waits(session);
        return -1;
    }
    int error = job->workload->verify(session->chip, session->state, &outcome->message);
    outcome->verdict = error == TF_OK ? TF_VERDICT_RIGHT : TF_VERDICT_WRONG;
    if (outcome->verdict == TF_VERDICT_WRONG) {
        name_tile(tf_chip_arch(session->chip), &outcome->message);
        find_waits(session);
    }
    if (error >= 0)
        return -1;
    tf_cli_error("%s: the results cannot be read: %s", tf_job_name(job), tf_strerror(error));
    return TF_EXIT_FAILED;
}

/* If the client died, its recording ends early. The list of waits may tell the reason. */
static void check_replay(struct tf_session *session)
{
    const struct tf_replay *replay = session->job->replay;
    struct tf_outcome *outcome = &session->outcome;
    outcome->verdict = TF_VERDICT_RIGHT;
    if (replay->why[0] != '\0')
        wrong(outcome, TF_VERDICT_WRONG, "%s", replay->why);
    if (replay->recording.cut || replay->why[0] != '\0')
        find_waits(session);
}

int tf_verdict_find(struct tf_session *session)
{
    struct tf_outcome *outcome = &session->outcome;
    int code = -1;
    outcome->verdict = TF_VERDICT_NONE;
    if (session->job->replay != NULL)
        check_replay(session);
    if (outcome->end == TF_END_STOPPED && session->job->replay == NULL)
        find_waits(session); /* the report shows stacks, but JSON shows these */
    if (outcome->end == TF_END_STOPPED || session->job->replay != NULL)
        return code;
    if (session->job->workload != NULL)
        code = check_workload(session);
    else
        check_loads(session);
    if (at_limit(outcome) && outcome->message.text[0] == '\0')
        wrong(outcome, TF_VERDICT_LIMIT, "it did not end before the limit of --limit-%s",
              outcome->end == TF_END_TIME ? "seconds" : "cycles");
    else if (at_limit(outcome))
        outcome->verdict = TF_VERDICT_LIMIT;
    else if (outcome->end == TF_END_QUIET && outcome->verdict != TF_VERDICT_RIGHT && count_stuck(outcome) > 0)
        outcome->verdict = TF_VERDICT_DEADLOCK;
    return code;
}

void tf_verdict_signal(struct tf_outcome *outcome, struct tf_interrupt *interrupt)
{
    const char *name = tf_interrupt_name(interrupt);
    if (name != NULL)
        snprintf(outcome->message.text, sizeof outcome->message.text, "interrupted by %s", name);
}

const char *tf_end_text(enum tf_end end)
{
    static const char *const text[] = {
        [TF_END_QUIET] = "quiet",         [TF_END_VALUE] = "the word of --until has reached its value",
        [TF_END_CYCLES] = "cycle limit",  [TF_END_FAULT] = "stopped by a fault",
        [TF_END_STOPPED] = "interrupted", [TF_END_TIME] = "time limit",
    };
    return (unsigned)end < sizeof text / sizeof text[0] ? text[end] : "unknown";
}

const char *tf_verdict_text(const struct tf_outcome *outcome)
{
    static const char *const text[] = {
        [TF_VERDICT_NONE] = "done",   [TF_VERDICT_RIGHT] = "verified",    [TF_VERDICT_WRONG] = "WRONG",
        [TF_VERDICT_LIMIT] = "LIMIT", [TF_VERDICT_DEADLOCK] = "DEADLOCK",
    };
    if (outcome->interrupted || outcome->cut)
        return "interrupted";
    if (outcome->stats.faults > 0 && (outcome->verdict != TF_VERDICT_WRONG || outcome->end == TF_END_FAULT))
        return "FAULTS";
    if (outcome->races > 0 && (outcome->verdict == TF_VERDICT_NONE || outcome->verdict == TF_VERDICT_RIGHT))
        return "RACES";
    return text[outcome->verdict];
}

int tf_outcome_exit(const struct tf_outcome *outcome)
{
    if (outcome->interrupted)
        return TF_EXIT_INTERRUPTED;
    if (outcome->cut)
        return TF_EXIT_FAILED;
    if (outcome->verdict == TF_VERDICT_WRONG || outcome->stats.faults > 0)
        return TF_EXIT_FAILED;
    if (outcome->verdict == TF_VERDICT_DEADLOCK)
        return TF_EXIT_DEADLOCK;
    if (outcome->verdict == TF_VERDICT_LIMIT)
        return TF_EXIT_LIMIT;
    return outcome->races > 0 ? TF_EXIT_FAILED : TF_EXIT_OK;
}
