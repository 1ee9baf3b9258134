/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explore/subject.h"

#include <stdlib.h>

#include "cli/interrupt.h"
#include "cli/output/ranges.h"
#include "cli/session.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "farm/chip/chip.h"
#include "farm/explore/explore.h"
#include "host/extremes.h"
#include "system/system.h"
#include "tilefarm/tilefarm_config.h"
#include "tilefarm/tilefarm_system_config.h"

/* ---- A system ---- */

static void join(void *user, unsigned chip, struct tf_config *config)
{
    (void)config;
    tf_several_join(user, chip);
}

static void tell_cycle(void *user, uint64_t cycle, uint64_t instructions)
{
    const struct tf_several *several = user;
    (void)instructions;
    atomic_store(several->base->cycle, cycle);
}

static void end_several(struct tf_several *several)
{
    tf_several_release(several);
    tf_system_destroy(several->system);
    for (unsigned i = 0; several->session != NULL && i < several->request->cluster.chips; i++)
        tf_symbols_destroy(several->session[i].symbols);
    free(several->session);
    free(several->job);
    free(several);
}

static int load_several(struct tf_several *several)
{
    struct tf_system_config config;
    tf_system_config_init(&config);
    config.on_chip = join;
    config.user = several;
    config.chip = *tf_job_config(several->base);
    config.chip.on_progress = several->base->cycle != NULL ? tell_cycle : NULL;
    config.chip.user = several;
    int code = tf_several_create(several, &config);
    for (unsigned i = 0; i < several->request->cluster.chips && code < 0; i++)
        code = tf_several_load(several, i, true);
    return code < 0 ? tf_several_setup(several) : code;
}

static int begin_several(struct tf_subject *subject, const struct tf_request *request, const struct tf_job *job,
                         struct tf_interrupt *interrupt)
{
    const unsigned chips = request->cluster.chips;
    struct tf_several *several = calloc(1, sizeof *several);
    if (several == NULL) {
        tf_cli_error("explore: too little memory");
        return TF_EXIT_FAILED;
    }
    *several = (struct tf_several){.request = request, .base = job, .interrupt = interrupt};
    several->job = calloc(chips, sizeof *several->job);
    several->session = calloc(chips, sizeof *several->session);
    int code = TF_EXIT_FAILED;
    if (several->job == NULL || several->session == NULL)
        tf_cli_error("explore: too little memory");
    else
        code = load_several(several);
    if (code >= 0) {
        end_several(several);
        return code;
    }
    *subject = (struct tf_subject){.session = several->session,
                                   .chips = chips,
                                   .outcome = &several->outcome,
                                   .several = several};
    return -1;
}

static int run_several(struct tf_subject *subject)
{
    struct tf_several *several = subject->several;
    struct tf_outcome *outcome = &several->outcome;
    tf_subject_interrupt(subject, several->interrupt, true);
    int error = tf_subject_advance(subject, &several->base->run, &outcome->end);
    tf_subject_interrupt(subject, several->interrupt, false);
    if (error != TF_OK) {
        tf_cli_error("%s: %s", tf_several_name(several), tf_strerror(error));
        return TF_EXIT_FAILED;
    }
    outcome->interrupted = tf_interrupt_received(several->interrupt);
    int code = tf_several_judge(several);
    outcome->races = 0; /* judge_races() of trial.c says whether they matter */
    outcome->stats.cycles = tf_system_cycles(several->system);
    if (!several->base->brief)
        outcome->state_hash = tf_system_hash(several->system);
    return code;
}

/* ---- Both ---- */

int tf_subject_begin(struct tf_subject *subject, const struct tf_request *request, const struct tf_job *job,
                     struct tf_interrupt *interrupt)
{
    if (request->system != NULL)
        return begin_several(subject, request, job, interrupt);
    *subject = (struct tf_subject){.session = &subject->one, .chips = 1, .outcome = &subject->one.outcome};
    int code = tf_session_begin(&subject->one, job, interrupt);
    if (code >= 0 || tf_request_inputs(subject->one.chip, 0, request))
        return code;
    tf_session_end(&subject->one);
    return TF_EXIT_USAGE;
}

void tf_subject_end(struct tf_subject *subject)
{
    if (subject->several != NULL)
        end_several(subject->several);
    else
        tf_session_end(&subject->one);
}

int tf_subject_run(struct tf_subject *subject)
{
    return subject->several != NULL ? run_several(subject) : tf_session_run(&subject->one);
}

int tf_subject_advance(struct tf_subject *subject, const struct tf_run_options *options, enum tf_end *end)
{
    if (subject->several == NULL)
        return tf_run(subject->one.chip, options, end);
    const struct tf_system_run_options all = {.run = *options, .until_chip = subject->several->request->until_chip};
    return tf_system_run(subject->several->system, &all, end);
}

uint64_t tf_subject_cycles(const struct tf_subject *subject)
{
    return subject->several != NULL ? tf_system_cycles(subject->several->system) : tf_chip_cycles(subject->one.chip);
}

uint64_t tf_subject_pause(const struct tf_subject *subject, uint64_t cycle)
{
    if (subject->several == NULL)
        return cycle;
    const uint64_t latency = tf_system_latency(subject->several->system),
                   window = latency - latency % TF_EXPLORE_CYCLES;
    const uint64_t begin = cycle - cycle % window;
    return begin != 0 ? begin - TF_EXPLORE_CYCLES / 2 : 0; /* ticks vary by less */
}

bool tf_subject_explore(const struct tf_subject *subject, const struct tf_explore *explore)
{
    bool fine = true;
    for (unsigned i = 0; i < subject->chips; i++)
        fine &= tf_chip_explore(subject->session[i].chip, explore) == TF_OK;
    if (subject->several != NULL)
        tf_system_defer_progress(subject->several->system);
    return fine;
}

bool tf_subject_seek(const struct tf_subject *subject, uint64_t down_to)
{
    bool fine = true;
    for (unsigned i = 0; i < subject->chips; i++)
        fine &= tf_exploring_seek(subject->session[i].chip->exploring, down_to);
    return fine;
}

uint64_t tf_subject_matters(const struct tf_subject *subject)
{
    uint64_t matters = UINT64_MAX;
    for (unsigned i = 0; i < subject->chips; i++)
        matters = tf_min(matters, tf_exploring_matters(subject->session[i].chip->exploring));
    return matters;
}

int tf_subject_compare(const void *a, const void *b)
{
    const struct tf_decision *x = a, *y = b;
    const uint32_t of_x[] = {x->freedom, x->chip, x->tile, x->actor, x->ordinal};
    const uint32_t of_y[] = {y->freedom, y->chip, y->tile, y->actor, y->ordinal};
    for (unsigned i = 0; i < sizeof of_x / sizeof of_x[0]; i++)
        if (of_x[i] != of_y[i])
            return of_x[i] < of_y[i] ? -1 : 1;
    return 0;
}

size_t tf_subject_decisions(const struct tf_subject *subject, struct tf_decision *decision, size_t room)
{
    size_t count = 0;
    for (unsigned i = 0; i < subject->chips; i++)
        count += tf_chip_decisions(subject->session[i].chip, decision + tf_min(count, room),
                                   room - tf_min(count, room));
    if (subject->chips > 1 && room != 0)
        qsort(decision, tf_min(count, room), sizeof *decision, tf_subject_compare);
    return count;
}

void tf_subject_interrupt(const struct tf_subject *subject, struct tf_interrupt *interrupt, bool on)
{
    if (interrupt == NULL)
        return;
    if (subject->several != NULL)
        tf_interrupt_system(interrupt, on ? subject->several->system : NULL);
    else
        tf_interrupt_chip(interrupt, on ? subject->one.chip : NULL);
}

const char *tf_subject_chip(const struct tf_subject *subject, unsigned chip, char text[TF_CHIP_TEXT_BYTES])
{
    text[0] = '\0';
    if (subject->several != NULL)
        snprintf(text, TF_CHIP_TEXT_BYTES, "chip %u, ", chip);
    return text;
}
