/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "cli/explore/hunt.h"

static void say(struct tf_trial *trial, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct tf_trial *trial, const char *format, ...)
{
    size_t length = strlen(trial->outcome);
    va_list arguments;
    if (length != 0 && length + 2 < sizeof trial->outcome) {
        strcpy(trial->outcome + length, " ");
        length++;
    }
    va_start(arguments, format);
    vsnprintf(trial->outcome + length, sizeof trial->outcome - length, format, arguments);
    va_end(arguments);
}

static void say_fault(struct tf_trial *trial, struct tf_chip *chip)
{
    struct tf_fault fault;
    for (size_t i = 0; i < tf_fault_count(chip); i++)
        if (tf_fault_get(chip, i, &fault) == TF_OK && !fault.hazard) {
            say(trial, "fault: %s", fault.text);
            return;
        }
    say(trial, "fault");
}

static void judge_words(const struct tf_hunt *hunt, struct tf_chip *chip, struct tf_trial *trial)
{
    for (unsigned i = 0; i < hunt->words; i++) {
        const struct tf_hunt_word *word = &hunt->word[i];
        uint32_t value = 0;
        int error = tf_read(chip, word->node, word->address, &value, sizeof value);
        if (error != TF_OK)
            say(trial, "%s: %s", word->name, tf_strerror(error));
        else
            say(trial, "%s=%u", word->name, value);
        trial->failed |= error != TF_OK || (word->expected && value != word->value);
    }
}

static void judge_ranges(const struct tf_hunt *hunt, struct tf_chip *chip, struct tf_trial *trial)
{
    for (unsigned i = 0; i < hunt->ranges; i++) {
        const struct tf_hunt_range *range = &hunt->range[i];
        void *data = malloc(range->bytes);
        int error = data == NULL ? TF_ENOMEM : tf_read(chip, range->node, range->address, data, range->bytes);
        trial->range_hash[i] = error == TF_OK ? XXH3_64bits(data, range->bytes) : 0;
        free(data);
        say(trial, "%s=%016llx", range->name, (unsigned long long)trial->range_hash[i]);
        trial->failed |= error != TF_OK || (range->expected && trial->range_hash[i] != range->hash);
    }
}

static void judge(const struct tf_hunt *hunt, struct tf_session *session, struct tf_trial *trial)
{
    const struct tf_outcome *outcome = &session->outcome;
    trial->failed = tf_outcome_exit(outcome) != TF_EXIT_OK;
    if (outcome->stats.faults != 0)
        say_fault(trial, session->chip);
    else if (outcome->verdict == TF_VERDICT_DEADLOCK)
        say(trial, "deadlock");
    else if (outcome->verdict == TF_VERDICT_LIMIT)
        say(trial, "no end");
    else if (outcome->verdict == TF_VERDICT_WRONG)
        say(trial, "%s", outcome->message.text);
    judge_words(hunt, session->chip, trial);
    judge_ranges(hunt, session->chip, trial);
    if (trial->outcome[0] == '\0')
        say(trial, "%s", tf_verdict_text(outcome));
}

/* False: too little memory. */
static bool take_decisions(struct tf_chip *chip, struct tf_trial *trial)
{
    trial->decisions = tf_chip_decisions(chip, NULL, 0);
    trial->decision = malloc((trial->decisions + 1) * sizeof *trial->decision);
    if (trial->decision != NULL)
        tf_chip_decisions(chip, trial->decision, trial->decisions);
    return trial->decision != NULL;
}

int tf_trial_run(const struct tf_hunt *hunt, const struct tf_explore *explore, struct tf_trial *trial, unsigned threads,
                 tf_trial_look *look, void *user)
{
    struct tf_session session;
    struct tf_job *job = malloc(sizeof *job);
    *trial = (struct tf_trial){.failed = false};
    if (job == NULL) {
        tf_cli_error("explore: too little memory");
        return TF_EXIT_FAILED;
    }
    *job = hunt->request->job;
    tf_schedule_configure(job, explore);
    job->config.threads = threads;
    job->config.pin = false;
    if (hunt->limit_cycles != 0)
        job->run.cycles_max = hunt->limit_cycles;
    int code = tf_session_begin(&session, job, NULL);
    if (code < 0) {
        code = tf_request_inputs(session.chip, hunt->request) ? tf_session_run(&session) : TF_EXIT_USAGE;
        if (code < 0 && !take_decisions(session.chip, trial)) {
            tf_cli_error("explore: too little memory");
            code = TF_EXIT_FAILED;
        }
        if (code < 0) {
            judge(hunt, &session, trial);
            trial->cycles = session.outcome.stats.cycles;
            trial->hash = session.outcome.state_hash;
            if (look != NULL)
                look(user, &session);
        }
        tf_session_end(&session);
    }
    free(job);
    return code;
}
