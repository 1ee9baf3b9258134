/* SPDX-License-Identifier: Apache-2.0 */
#include "look/files_chip.h"

#include <stdlib.h>

#include "host/message.h"
#include "look/facts.h"
#include "look/page.h"
#include "tilefarm/tilefarm_files.h"

static void see_noc(void *user, const struct tf_noc_event *event)
{
    struct tf_files_chip *one = user;
    if (!one->written && tf_look_wants_noc(one->look))
        tf_look_noc(one->look, event);
    if (one->theirs.on_noc != NULL)
        one->theirs.on_noc(one->theirs.user, event);
}

static void see_tensix(void *user, const struct tf_tensix_event *event)
{
    struct tf_files_chip *one = user;
    int tile = tf_tile_index(one->theirs.arch, event->tile);
    if (!one->written)
        tf_look_tensix(one->look, event);
    if (one->theirs.on_tensix != NULL && tile >= 0 && one->theirs.tensix_traced[tile])
        one->theirs.on_tensix(one->theirs.user, event);
}

static void see_print(void *user, const struct tf_print_event *event)
{
    struct tf_files_chip *one = user;
    if (!one->written && event->mark)
        tf_look_mark(one->look, event);
    if (one->theirs.on_print != NULL)
        one->theirs.on_print(one->theirs.user, event);
}

static void see_epoch(void *user, uint64_t cycle)
{
    struct tf_files_chip *one = user;
    if (!one->written && tf_look_wants_epochs(one->look))
        tf_look_epoch(one->look, cycle);
    if (one->theirs.on_epoch != NULL)
        one->theirs.on_epoch(one->theirs.user, cycle);
}

/* Callbacks that need only their own `user`. */
#define PASS(name_, arguments_, ...)                                              \
    static void pass_##name_ arguments_                                           \
    {                                                                             \
        const struct tf_config *theirs = &((struct tf_files_chip *)user)->theirs; \
        theirs->name_(theirs->user, __VA_ARGS__);                                 \
    }
/* clang-format off */
PASS(on_fault, (void *user, const struct tf_fault *fault), fault)
PASS(on_progress, (void *user, uint64_t cycle, uint64_t instructions), cycle, instructions)
PASS(on_atomic, (void *user, const struct tf_atomic_event *event), event)
PASS(on_riscv, (void *user, const struct tf_riscv_event *event), event)
PASS(on_host_read, (void *user, uint64_t address, void *data, uint32_t bytes), address, data, bytes)
PASS(on_host_write, (void *user, uint64_t address, const void *data, uint32_t bytes), address, data, bytes)
/* clang-format on */

static void take_callbacks(struct tf_files_chip *one, struct tf_config *config)
{
    const struct tf_config *theirs = &one->theirs;
#define TAKE(name_) config->name_ = theirs->name_ == NULL ? NULL : pass_##name_
    TAKE(on_fault);
    TAKE(on_progress);
    TAKE(on_atomic);
    TAKE(on_riscv);
    TAKE(on_host_read);
    TAKE(on_host_write);
#undef TAKE
    config->on_noc = theirs->on_noc != NULL || tf_look_wants_noc(one->look) ? see_noc : NULL;
    config->on_epoch = theirs->on_epoch != NULL || tf_look_wants_epochs(one->look) ? see_epoch : NULL;
    config->on_print = see_print;
    config->on_tensix = theirs->on_tensix == NULL ? NULL : see_tensix;
    struct tf_shape shape;
    tf_arch_shape(theirs->arch, &shape);
    for (unsigned tile = 0; tile < shape.tensix_tiles; tile++) {
        bool wanted = tf_look_wants_tensix(one->look, tile);
        config->tensix_traced[tile] = wanted || (theirs->on_tensix != NULL && theirs->tensix_traced[tile]);
        if (wanted)
            config->on_tensix = see_tensix;
    }
    config->user = one;
}

int tf_files_chip_begin(struct tf_files_chip *one, const struct tf_look_wish *wish, struct tf_config *config,
                        struct tf_message *message)
{
    struct tf_message cause = {.text = ""};
    int error = tf_look_create(wish, one->theirs.arch, one->theirs.mode == TF_MODE_RELAXED, &one->look, &cause);
    if (error != TF_OK)
        return tf_message_set(message, error, "files", cause.text[0] != '\0' ? cause.text : tf_strerror(error));
    take_callbacks(one, config);
    return TF_OK;
}

bool tf_files_chip_attach(struct tf_files_chip *one, struct tf_chip *chip, struct tf_symbols *symbols)
{
    one->chip = chip;
    one->symbols = symbols;
    return tf_look_attach(one->look, chip, symbols);
}

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
static void find_races(struct tf_page_facts *facts, struct tf_files_chip *one)
{
    facts->checked = one->theirs.check;
    if (!facts->checked)
        return;
    size_t most = tf_races(one->chip, NULL, 0);
    facts->races = calloc(most + 1, sizeof *facts->races);
    if (facts->races != NULL)
        facts->races_count = tf_races(one->chip, facts->races, most + 1);
}

struct tf_page_facts *tf_files_chip_facts(struct tf_files_chip *one, const struct tf_files_verdict *verdict)
{
    static const struct tf_files_verdict none = {.title = NULL};
    struct tf_page_facts *facts = calloc(1, sizeof *facts);
    size_t most = tf_waits(one->chip, NULL, 0);
    struct tf_waiting *waits = calloc(most + 1, sizeof *waits);
    struct tf_stats stats;
    if (facts == NULL || waits == NULL) {
        free(facts);
        free(waits);
        return NULL;
    }
    verdict = verdict == NULL ? &none : verdict;
    facts->waits = waits;
    facts->waits_count = tf_waits(one->chip, waits, most);
    find_races(facts, one);
    tf_stats(one->chip, &stats);
    judge(facts, &stats);
    facts->title = verdict->title != NULL ? verdict->title : "run";
    if (verdict->verdict != NULL) {
        facts->verdict = verdict->verdict;
        facts->good = verdict->good;
    }
    facts->message = verdict->message != NULL ? verdict->message : "";
    facts->symbols = one->symbols;
    tf_page_figures(facts, one->chip);
    return facts;
}

void tf_files_facts_free(struct tf_page_facts *facts)
{
    if (facts == NULL)
        return;
    free((void *)facts->waits);
    free(facts->races);
    free(facts);
}
