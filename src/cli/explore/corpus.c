/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explore/corpus.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "cli/explore/orders.h"
#include "cli/explore/strategy.h"
#include "cli/explore/trial.h"
#include "cli/text.h"
#include "tile/explore/decide.h"

#define SUFFIX ".schedule"
#define ORDERS_KEPT 32u /* new orders of one run */

static int is_schedule(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name), suffix = strlen(SUFFIX);
    return length > suffix && strcmp(entry->d_name + length - suffix, SUFFIX) == 0;
}

/* Returns an exit code after an error line, or -1. */
static int read_one(struct tf_corpus *corpus, const char *name)
{
    struct tf_replayed *one = &corpus->schedule[corpus->schedules];
    if (asprintf(&one->path, "%s/%s", corpus->folder, name) < 0) {
        one->path = NULL;
        tf_cli_error("explore: too little memory");
        return TF_EXIT_FAILED;
    }
    corpus->schedules++;
    return tf_schedule_load(one->path, &one->decision, &one->decisions);
}

int tf_corpus_read(struct tf_corpus *corpus)
{
    struct dirent **entry;
    int code = -1;
    if (mkdir(corpus->folder, 0777) != 0 && errno != EEXIST) {
        tf_cli_error("--corpus %s: %s", corpus->folder, strerror(errno));
        return TF_EXIT_USAGE;
    }
    const int entries = scandir(corpus->folder, &entry, is_schedule, alphasort);
    if (entries < 0) {
        tf_cli_error("--corpus %s: %s", corpus->folder, strerror(errno));
        return TF_EXIT_USAGE;
    }
    corpus->schedule = calloc((size_t)entries + 1, sizeof *corpus->schedule);
    if (corpus->schedule == NULL)
        code = TF_EXIT_FAILED;
    for (int i = 0; i < entries; i++) {
        if (code < 0)
            code = read_one(corpus, entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
    return code;
}

static int replay(struct tf_replayed *one, const struct tf_hunt *hunt)
{
    const struct tf_explore explore = {.scheduled = true, .decision = one->decision, .decisions = one->decisions};
    struct tf_trial trial;
    int code = tf_trial_run(hunt, &explore, &trial, false);
    free(trial.decision);
    if (code < 0) {
        one->failed = trial.failed;
        memcpy(one->outcome, trial.outcome, sizeof one->outcome);
    }
    if (hunt->orders != NULL) {
        hunt->orders->replayed = true;
        tf_orders_note(hunt->orders, 0, TF_USUAL_ORDER, trial.race, trial.races);
    }
    free(trial.race);
    return code;
}

int tf_corpus_replay(struct tf_corpus *corpus, const struct tf_hunt *hunt)
{
    int code = -1;
    for (size_t i = 0; i < corpus->schedules && code < 0; i++) {
        code = replay(&corpus->schedule[i], hunt);
        corpus->failed += corpus->schedule[i].failed;
    }
    return code;
}

/* A name for decisions that depends on nothing else. */
static uint64_t hash_of(const struct tf_explore *explore)
{
    uint64_t hash = explore->decisions;
    for (size_t i = 0; i < explore->decisions; i++) {
        const uint64_t one[3] = {hash, tf_decision_place(&explore->decision[i]), explore->decision[i].value};
        hash = XXH3_64bits(one, sizeof one);
    }
    return hash;
}

bool tf_corpus_keep(struct tf_corpus *corpus, const struct tf_hunt *hunt, const char *kind,
                    const struct tf_explore *explore, char *const *text)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s-%016llx" SUFFIX, corpus->folder, kind, (unsigned long long)hash_of(explore)) < 0)
        return false;
    bool fine = true;
    if (access(path, F_OK) != 0) {
        fine = tf_schedule_write(path, hunt->request, explore, text, hunt->limit_cycles, 0);
        corpus->kept += fine;
    }
    free(path);
    return fine;
}

/* Keep the decisions of a seed. */
static int keep_seed(struct tf_corpus *corpus, const struct tf_hunt *hunt, uint64_t seed)
{
    struct tf_explore explore;
    struct tf_trial trial;
    if (!tf_hunt_explore(hunt, seed, &explore)) {
        tf_cli_error("explore: too little memory");
        return TF_EXIT_FAILED;
    }
    int code = tf_trial_run(hunt, &explore, &trial, false);
    free((void *)explore.decision);
    const struct tf_explore made = {.scheduled = true, .decision = trial.decision, .decisions = trial.decisions};
    if (code < 0 && !tf_corpus_keep(corpus, hunt, "order", &made, NULL))
        code = TF_EXIT_FAILED;
    free(trial.decision);
    free(trial.race);
    return code;
}

int tf_corpus_keep_orders(struct tf_corpus *corpus, const struct tf_hunt *hunt, uint64_t except)
{
    uint64_t kept[ORDERS_KEPT];
    unsigned count = 0;
    int code = -1;
    for (size_t i = 0; i < 2 * hunt->orders->pairs && count < ORDERS_KEPT && code < 0; i++) {
        const uint64_t seed = hunt->orders->pair[i / 2].first[i % 2];
        bool known = seed == TF_USUAL_ORDER || seed == TF_NO_SEED || seed == except;
        for (unsigned j = 0; j < count; j++)
            known |= kept[j] == seed;
        if (known)
            continue;
        kept[count++] = seed;
        code = keep_seed(corpus, hunt, seed);
    }
    return code;
}

void tf_corpus_free(struct tf_corpus *corpus)
{
    for (size_t i = 0; i < corpus->schedules; i++) {
        free(corpus->schedule[i].path);
        free(corpus->schedule[i].decision);
    }
    free(corpus->schedule);
    *corpus = (struct tf_corpus){.folder = NULL};
}
