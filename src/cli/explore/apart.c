/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The explanation of a failing run, made in a process of its own: it repeats that run several times, and the run may be
 * long. The process sends what it knows after each part. So its end, by a signal or after a time, costs the rest alone.
 */
#include "cli/explore/apart.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/explore/explain.h"
#include "cli/explore/trial.h"
#include "cli/interrupt.h"
#include "cli/process.h"
#include "cli/text.h"
#include "host/clock.h"
#include "host/file.h"

#define POLL_MS 100
#define BYTES_MAX (1u << 26)

/* A part: its length, and as many bytes of JSON. That has the report, and the text for people under TEXT. */
#define TEXT "text_of_explanation"

struct apart {
    const struct tf_hunt *hunt;
    const struct tf_decision *decision;
    size_t decisions;
    struct tf_explanation explanation;
    int to;
};

static bool send_part(const struct apart *apart)
{
    json_t *object = json_object();
    char *text = NULL, *json;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (object == NULL || out == NULL)
        return false;
    tf_explain_json(&apart->explanation, object);
    tf_explain_print(&apart->explanation, out);
    if (fclose(out) != 0)
        return false;
    json_object_set_new(object, TEXT, json_string(text));
    json = json_dumps(object, JSON_COMPACT);
    const size_t length = json == NULL ? 0 : strlen(json);
    bool sent = json != NULL && tf_write_all(apart->to, &length, sizeof length) &&
                tf_write_all(apart->to, json, length);
    free(json);
    free(text);
    json_decref(object);
    return sent;
}

static void take_races(void *user, struct tf_subject *subject)
{
    struct apart *apart = user;
    tf_explain_races(&apart->explanation, subject, apart->decision, apart->decisions);
}

static _Noreturn void work(struct apart *apart)
{
    struct tf_hunt hunt = *apart->hunt;
    hunt.interrupt = NULL; /* the parent awaits signals, and ends this process */
    hunt.waits = NULL;
    const struct tf_explore explore = {.scheduled = true, .decision = apart->decision, .decisions = apart->decisions};
    const struct tf_trial_looks looks = {.check = true, .after = take_races, .user = apart};
    struct tf_trial trial;
    int code = tf_trial_run_in_process(&hunt, &explore, &trial, &looks);
    if (code < 0 && !send_part(apart))
        code = TF_EXIT_FAILED;
    if (code < 0)
        code = tf_explain_runs(&apart->explanation, &hunt, apart->decision, apart->decisions);
    if (code < 0 && !send_part(apart))
        code = TF_EXIT_FAILED;
    _exit(code < 0 ? 0 : 1);
}

/* Take the next part instead of the one before. Returns false if there is none. */
static bool take_part(struct tf_explained *explained, int from)
{
    size_t length;
    if (!tf_read_all(from, &length, sizeof length) || length > BYTES_MAX)
        return false;
    char *json = malloc(length + 1);
    bool taken = json != NULL && tf_read_all(from, json, length);
    json_t *object = taken ? json_loadb(json, length, 0, NULL) : NULL;
    free(json);
    if (object == NULL)
        return false;
    tf_explained_free(explained);
    const char *text = json_string_value(json_object_get(object, TEXT));
    explained->text = text == NULL ? NULL : strdup(text);
    json_object_del(object, TEXT);
    explained->json = object;
    explained->parts++;
    return true;
}

/* Take parts until the process ends. Returns -1, or TF_EXIT_INTERRUPTED. */
static int await(const struct tf_hunt *hunt, double seconds, struct tf_explained *explained, int from)
{
    const double until_s = tf_seconds() + seconds;
    struct pollfd ready = {.fd = from, .events = POLLIN};
    for (;;) {
        if (poll(&ready, 1, POLL_MS) > 0) {
            if (!take_part(explained, from))
                return -1;
            continue;
        }
        if (tf_interrupt_received(hunt->interrupt))
            return TF_EXIT_INTERRUPTED;
        explained->cut = tf_seconds() >= until_s;
        if (explained->cut)
            return -1;
        if (hunt->waits != NULL)
            hunt->waits(hunt->user);
    }
}

int tf_explain_apart(const struct tf_hunt *hunt, const struct tf_decision *decision, size_t decisions, double seconds,
                     struct tf_explained *explained)
{
    int ends[2];
    struct apart *apart = calloc(1, sizeof *apart);
    if (apart == NULL || pipe(ends) != 0) {
        tf_cli_error("explore: the host refuses memory or a pipe");
        free(apart);
        return TF_EXIT_FAILED;
    }
    *apart = (struct apart){.hunt = hunt, .decision = decision, .decisions = decisions, .to = ends[1]};
    apart->explanation.subject = &hunt->start->subject;
    if (hunt->start->cycle != NULL)
        atomic_store(hunt->start->cycle, 0);
    pid_t child = tf_process_begin(getpid());
    if (child == 0) {
        close(ends[0]);
        work(apart);
    }
    close(ends[1]);
    int code = child < 0 ? TF_EXIT_FAILED : await(hunt, seconds, explained, ends[0]);
    close(ends[0]);
    if (child > 0) {
        kill(child, SIGKILL);
        tf_process_end(child);
    }
    free(apart);
    return code;
}

void tf_explained_free(struct tf_explained *explained)
{
    free(explained->text);
    json_decref(explained->json);
    explained->text = NULL;
    explained->json = NULL;
}
