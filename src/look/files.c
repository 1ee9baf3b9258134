/* SPDX-License-Identifier: Apache-2.0 */
/* tilefarm_files.h: the files of look.h, for users of the library with callbacks of their own. */
#include "look/profile_text.h"
#include "tilefarm/tilefarm_config.h"
#include "tilefarm/tilefarm_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "farm/chip/config.h"
#include "host/message.h"
#include "host/replace.h"
#include "host/zeroed.h"
#include "look/look.h"
#include "look/facts.h"

enum file { TIMELINE, REPORT, PROFILE, COVERAGE, NOC_TRACE, FILES };

struct tf_files {
    struct tf_config theirs; /* the configuration before the change */
    struct tf_look_wish wish;
    struct tf_look *look;
    struct tf_chip *chip; /* NULL if not attached */
    struct tf_symbols *symbols;
    FILE *file[FILES];
    char *path[FILES];
    struct tf_replaced to[FILES];
    bool written;
};

/* --- callbacks: first ours, then the user's --- */

static void see_noc(void *user, const struct tf_noc_event *event)
{
    struct tf_files *files = user;
    if (!files->written && tf_look_wants_noc(files->look))
        tf_look_noc(files->look, event);
    if (files->theirs.on_noc != NULL)
        files->theirs.on_noc(files->theirs.user, event);
}

static void see_tensix(void *user, const struct tf_tensix_event *event)
{
    struct tf_files *files = user;
    int tile = tf_tile_index(files->theirs.arch, event->tile);
    if (!files->written)
        tf_look_tensix(files->look, event);
    if (files->theirs.on_tensix != NULL && tile >= 0 && files->theirs.tensix_traced[tile])
        files->theirs.on_tensix(files->theirs.user, event);
}

static void see_print(void *user, const struct tf_print_event *event)
{
    struct tf_files *files = user;
    if (!files->written && event->mark)
        tf_look_mark(files->look, event);
    if (files->theirs.on_print != NULL)
        files->theirs.on_print(files->theirs.user, event);
}

static void see_epoch(void *user, uint64_t cycle)
{
    struct tf_files *files = user;
    if (!files->written && tf_look_wants_epochs(files->look))
        tf_look_epoch(files->look, cycle);
    if (files->theirs.on_epoch != NULL)
        files->theirs.on_epoch(files->theirs.user, cycle);
}

/* Callbacks that need only their own `user`. */
#define PASS(name_, arguments_, ...)                                         \
    static void pass_##name_ arguments_                                      \
    {                                                                        \
        const struct tf_config *theirs = &((struct tf_files *)user)->theirs; \
        theirs->name_(theirs->user, __VA_ARGS__);                            \
    }
/* clang-format off */
PASS(on_fault, (void *user, const struct tf_fault *fault), fault)
PASS(on_progress, (void *user, uint64_t cycle, uint64_t instructions), cycle, instructions)
PASS(on_atomic, (void *user, const struct tf_atomic_event *event), event)
PASS(on_riscv, (void *user, const struct tf_riscv_event *event), event)
PASS(on_host_read, (void *user, uint64_t address, void *data, uint32_t bytes), address, data, bytes)
PASS(on_host_write, (void *user, uint64_t address, const void *data, uint32_t bytes), address, data, bytes)
/* clang-format on */

static void take_callbacks(struct tf_files *files, struct tf_config *config)
{
    const struct tf_config *theirs = &files->theirs;
#define TAKE(name_) config->name_ = theirs->name_ == NULL ? NULL : pass_##name_
    TAKE(on_fault);
    TAKE(on_progress);
    TAKE(on_atomic);
    TAKE(on_riscv);
    TAKE(on_host_read);
    TAKE(on_host_write);
#undef TAKE
    config->on_noc = theirs->on_noc != NULL || tf_look_wants_noc(files->look) ? see_noc : NULL;
    config->on_epoch = theirs->on_epoch != NULL || tf_look_wants_epochs(files->look) ? see_epoch : NULL;
    config->on_print = see_print;
    config->on_tensix = theirs->on_tensix == NULL ? NULL : see_tensix;
    struct tf_shape shape;
    tf_arch_shape(theirs->arch, &shape);
    for (unsigned tile = 0; tile < shape.tensix_tiles; tile++) {
        bool wanted = tf_look_wants_tensix(files->look, tile);
        config->tensix_traced[tile] = wanted || (theirs->on_tensix != NULL && theirs->tensix_traced[tile]);
        if (wanted)
            config->on_tensix = see_tensix;
    }
    config->user = files;
}

/* --- files --- */

/* Why does a configuration not permit the files that were asked for? Returns NULL if it does. */
static const char *why_not(const struct tf_files_wish *wish, const struct tf_config *config)
{
    if (!tf_zeroed_is((const uint8_t *)wish->reserved, sizeof wish->reserved))
        return "the program asks for a file that only a later version of tilefarm writes";
    bool ordered = wish->timeline != NULL || wish->report != NULL || wish->noc_trace != NULL;
    if (config->mode == TF_MODE_RELAXED && ordered)
        return "relaxed mode supports only a profile and coverage";
    if (config->explore != NULL && ordered)
        return "a chip that explores supports only a profile and coverage";
    return NULL;
}

static int open_file(struct tf_files *files, enum file which, const char *path, struct tf_message *message)
{
    if (path == NULL)
        return TF_OK;
    files->path[which] = strdup(path);
    if (files->path[which] == NULL)
        return tf_message_set(message, TF_ENOMEM, path, tf_strerror(TF_ENOMEM));
    int error = tf_replace_open(&files->to[which], path);
    if (error != 0)
        return tf_message_set(message, TF_EIO, path, strerror(error));
    int fd = fcntl(files->to[which].fd, F_DUPFD_CLOEXEC, 0);
    files->file[which] = fd < 0 ? NULL : fdopen(fd, "wb");
    if (files->file[which] != NULL)
        return TF_OK;
    error = errno;
    if (fd >= 0)
        close(fd);
    return tf_message_set(message, TF_EIO, path, strerror(error));
}

static int open_all(struct tf_files *files, const struct tf_files_wish *wish, struct tf_message *message)
{
    const char *const path[FILES] = {
        [TIMELINE] = wish->timeline, [REPORT] = wish->report,       [PROFILE] = wish->profile,
        [COVERAGE] = wish->coverage, [NOC_TRACE] = wish->noc_trace,
    };
    int error = TF_OK;
    for (unsigned i = 0; i < FILES && error == TF_OK; i++)
        error = open_file(files, (enum file)i, path[i], message);
    struct tf_look_wish *look = &files->wish;
    look->timeline = files->file[TIMELINE];
    look->page = files->file[REPORT];
    look->profile = files->file[PROFILE];
    look->coverage = files->file[COVERAGE];
    look->noc_trace = files->file[NOC_TRACE];
    if (wish->profile != NULL) {
        look->profile_form = tf_profile_form_of(wish->profile);
        memset(look->profiled, 0xFF, sizeof look->profiled);
        look->profiled_others = 0xFF;
    }
    if (wish->timeline != NULL) {
        size_t length = strlen(wish->timeline);
        look->timeline_compressed = length > 3 && strcmp(wish->timeline + length - 3, ".gz") == 0;
        memset(look->timeline_cores, 0xFF, sizeof look->timeline_cores);
        look->timeline_others = 0xFF;
    }
    return error;
}

int tf_files_open(const struct tf_files_wish *wish, struct tf_config *config, struct tf_files **out,
                  struct tf_message *message)
{
    struct tf_config theirs;
    if (wish == NULL || config == NULL)
        return tf_message_set(message, TF_EINVAL, "files", "NULL");
    if (tf_config_take(config, &theirs, message) != TF_OK)
        return TF_EINVAL;
    const char *why = why_not(wish, &theirs);
    if (why != NULL)
        return tf_message_set(message, TF_EINVAL, "files", why);
    struct tf_files *files = calloc(1, sizeof *files);
    if (files == NULL)
        return tf_message_set(message, TF_ENOMEM, "files", tf_strerror(TF_ENOMEM));
    for (unsigned i = 0; i < FILES; i++)
        files->to[i].fd = -1;
    files->theirs = theirs;
    struct tf_message cause = {.text = ""};
    int error = open_all(files, wish, message);
    if (error == TF_OK) {
        error = tf_look_create(&files->wish, &theirs, &files->look, &cause);
        if (error != TF_OK)
            tf_message_set(message, error, "files", cause.text[0] != '\0' ? cause.text : tf_strerror(error));
    }
    if (error != TF_OK) {
        tf_files_close(files);
        return error;
    }
    take_callbacks(files, config);
    *out = files;
    return TF_OK;
}

int tf_files_attach(struct tf_files *files, struct tf_chip *chip, struct tf_symbols *symbols)
{
    files->chip = chip;
    files->symbols = symbols;
    return tf_look_attach(files->look, chip, symbols) ? TF_OK : TF_ENOMEM;
}

/* --- the report --- */

static void judge(struct tf_page_facts *facts, const struct tf_stats *stats)
{
    bool stuck = false, failed = false;
    for (size_t i = 0; i < facts->waits_count; i++) {
        stuck |= facts->waits[i].stuck;
        failed |= facts->waits[i].returned && facts->waits[i].status != 0;
    }
    facts->good = stats->faults == 0 && !stuck && !failed && facts->races_count == 0;
    facts->verdict = stats->faults != 0 ? "FAULTS" : stuck ? "DEADLOCK" : failed ? "WRONG" : "done";
}

/* If the host has no memory, there is no list. */
static void find_races(struct tf_page_facts *facts, struct tf_files *files)
{
    facts->checked = files->theirs.check;
    if (!facts->checked)
        return;
    size_t most = tf_races(files->chip, NULL, 0);
    facts->races = calloc(most + 1, sizeof *facts->races);
    if (facts->races != NULL)
        facts->races_count = tf_races(files->chip, facts->races, most + 1);
}

/* The caller frees the result, its waits and its races. Returns NULL if the host has no memory. */
static struct tf_page_facts *find_facts(struct tf_files *files, const struct tf_files_verdict *verdict)
{
    static const struct tf_files_verdict none = {.title = NULL};
    struct tf_page_facts *facts = calloc(1, sizeof *facts);
    size_t most = tf_waits(files->chip, NULL, 0);
    struct tf_waiting *waits = calloc(most + 1, sizeof *waits);
    struct tf_stats stats;
    if (facts == NULL || waits == NULL) {
        free(facts);
        free(waits);
        return NULL;
    }
    verdict = verdict == NULL ? &none : verdict;
    facts->waits = waits;
    facts->waits_count = tf_waits(files->chip, waits, most);
    find_races(facts, files);
    tf_stats(files->chip, &stats);
    judge(facts, &stats);
    facts->title = verdict->title != NULL ? verdict->title : "run";
    if (verdict->verdict != NULL) {
        facts->verdict = verdict->verdict;
        facts->good = verdict->good;
    }
    facts->message = verdict->message != NULL ? verdict->message : "";
    facts->symbols = files->symbols;
    tf_page_figures(facts, files->chip);
    return facts;
}

static int commit(struct tf_files *files, struct tf_message *message)
{
    int result = TF_OK;
    for (unsigned i = 0; i < FILES; i++) {
        if (files->file[i] == NULL)
            continue;
        errno = 0;
        bool fine = ferror(files->file[i]) == 0;
        fine = fclose(files->file[i]) == 0 && fine;
        files->file[i] = NULL;
        int error = fine ? tf_replace_commit(&files->to[i]) : errno;
        if (fine && error == 0)
            continue;
        tf_replace_discard(&files->to[i]);
        result = tf_message_set(message, TF_EIO, files->path[i], error != 0 ? strerror(error) : "it cannot be written");
    }
    return result;
}

int tf_files_write(struct tf_files *files, const struct tf_files_verdict *verdict, struct tf_message *message)
{
    if (files->chip == NULL || files->written)
        return tf_message_set(message, TF_EINVAL, "files",
                              files->written ? "the files are written already" : "no chip is attached");
    struct tf_page_facts *facts = find_facts(files, verdict);
    const struct tf_look_result result = {.look = &files->look,
                                          .chips = 1,
                                          .facts = (const struct tf_page_facts *const *)&facts};
    bool fine = facts != NULL && tf_look_write(&result);
    files->written = true;
    if (facts != NULL) {
        free((void *)facts->waits);
        free(facts->races);
    }
    free(facts);
    int error = commit(files, message);
    return fine ? error : tf_message_set(message, TF_ENOMEM, "files", tf_strerror(TF_ENOMEM));
}

void tf_files_close(struct tf_files *files)
{
    if (files == NULL)
        return;
    tf_look_destroy(files->look);
    for (unsigned i = 0; i < FILES; i++) {
        if (files->file[i] != NULL)
            fclose(files->file[i]);
        tf_replace_discard(&files->to[i]);
        free(files->path[i]);
    }
    free(files);
}
