/* SPDX-License-Identifier: Apache-2.0 */
/* tilefarm_files.h: the files of a system. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "farm/chip/config.h"
#include "farm/chip/rules.h"
#include "host/message.h"
#include "look/facts.h"
#include "look/files_chip.h"
#include "look/files_disk.h"
#include "look/look.h"
#include "look/tracks/packets.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_files.h"
#include "tilefarm/tilefarm_system.h"

#define FRONT_BYTES offsetof(struct tf_system_config, chip) /* older programs have a shorter struct tf_config */

struct tf_system_files {
    /* Of the user: they are called after ours, but for on_chip. */
    void (*on_chip)(void *user, unsigned chip, struct tf_config *config);
    void (*on_packet)(void *user, const struct tf_packet_event *event);
    void *user;
    struct tf_files_disk disk;
    struct tf_look_wish look;
    struct tf_packets *timeline; /* of all chips; NULL: none */
    struct tf_system *system;    /* NULL if not attached */
    bool written;
    int error; /* of observers, while chips were made */
    struct tf_message message;
    struct tf_page_links links; /* for the report */
    unsigned chips;
    struct tf_files_chip chip[TF_CLUSTER_CHIPS_MAX];
};

/* --- callbacks --- */

static void make_chip(void *user, unsigned number, struct tf_config *config)
{
    struct tf_system_files *files = user;
    if (files->on_chip != NULL)
        files->on_chip(files->user, number, config);
    struct tf_look_wish wish = files->look;
    wish.chip = number;
    wish.timeline_packets = files->timeline;
    files->chip[number].theirs = *config;
    if (files->error == TF_OK)
        files->error = tf_files_chip_begin(&files->chip[number], &wish, config, &files->message);
}

static void see_packet(void *user, const struct tf_packet_event *event)
{
    struct tf_system_files *files = user;
    if (!files->written) {
        tf_look_packet(files->chip[event->from.chip].look, event, true);
        tf_look_packet(files->chip[event->to.chip].look, event, false);
        if (files->links.link != NULL)
            tf_page_links_packet(&files->links, event);
    }
    if (files->on_packet != NULL)
        files->on_packet(files->user, event);
}

/* --- life --- */

static int open_all(struct tf_system_files *files, const struct tf_files_wish *wish, const struct tf_config *chip,
                    const struct tf_cluster *cluster, struct tf_message *message)
{
    const struct tf_rules rules = tf_rules_of(chip);
    int error = tf_files_disk_open(&files->disk, wish, &rules, &files->look, message);
    if (error != TF_OK)
        return error;
    files->chips = cluster->chips;
    if (wish->timeline != NULL)
        files->timeline = tf_packets_create(files->look.timeline, files->look.timeline_compressed);
    if ((wish->timeline != NULL && files->timeline == NULL) ||
        (wish->report != NULL && !tf_page_links_create(&files->links, cluster)))
        return tf_message_set(message, TF_ENOMEM, "files", tf_strerror(TF_ENOMEM));
    return TF_OK;
}

int tf_system_files_open(const struct tf_files_wish *wish, struct tf_system_config *config,
                         struct tf_system_files **out, struct tf_message *message)
{
    struct tf_config chip;
    if (wish == NULL || config == NULL || config->cluster == NULL)
        return tf_message_set(message, TF_EINVAL, "files", "NULL");
    if (config->struct_bytes < FRONT_BYTES || tf_config_take(&config->chip, &chip, message) != TF_OK)
        return tf_message_set(message, TF_EINVAL, "files", "the configuration was not made by tf_system_config_init()");
    struct tf_system_files *files = calloc(1, sizeof *files);
    if (files == NULL)
        return tf_message_set(message, TF_ENOMEM, "files", tf_strerror(TF_ENOMEM));
    files->on_chip = config->on_chip;
    files->on_packet = config->on_packet;
    files->user = config->user;
    int error = open_all(files, wish, &chip, config->cluster, message);
    if (error != TF_OK) {
        tf_system_files_close(files);
        return error;
    }
    config->on_chip = make_chip;
    config->on_packet = config->on_packet != NULL || files->timeline != NULL || files->links.link != NULL ? see_packet
                                                                                                          : NULL;
    config->user = files;
    *out = files;
    return TF_OK;
}

int tf_system_files_attach(struct tf_system_files *files, struct tf_system *system, struct tf_symbols *const *symbols,
                           struct tf_message *message)
{
    if (files->error != TF_OK) {
        if (message != NULL)
            *message = files->message;
        return files->error;
    }
    files->system = system;
    for (unsigned i = 0; i < files->chips; i++)
        if (!tf_files_chip_attach(&files->chip[i], tf_system_chip(system, i), symbols != NULL ? symbols[i] : NULL))
            return tf_message_set(message, TF_ENOMEM, "files", tf_strerror(TF_ENOMEM));
    return TF_OK;
}

void tf_system_files_close(struct tf_system_files *files)
{
    if (files == NULL)
        return;
    for (unsigned i = 0; i < files->chips; i++)
        tf_look_destroy(files->chip[i].look);
    tf_packets_close(files->timeline);
    tf_files_disk_close(&files->disk);
    tf_page_links_free(&files->links);
    free(files);
}

/* --- writing --- */

/* What the report says of all chips: the user's words, or the verdict of the first chip that is not good. */
static void find_facts(struct tf_page_facts *all, struct tf_system_files *files, struct tf_page_facts *const *facts,
                       const struct tf_files_verdict *verdict)
{
    static const struct tf_files_verdict none = {.title = NULL};
    const struct tf_page_facts *judged = facts[0];
    struct tf_stats sum = {.cycles = tf_system_cycles(files->system), .workers = tf_system_workers(files->system)};
    verdict = verdict == NULL ? &none : verdict;
    for (unsigned i = 0; i < files->chips; i++) {
        struct tf_stats stats;
        tf_stats(files->chip[i].chip, &stats);
        tf_page_add_stats(&sum, &stats);
        if (judged->good)
            judged = facts[i];
    }
    all->title = verdict->title != NULL ? verdict->title : "run";
    all->verdict = verdict->verdict != NULL ? verdict->verdict : judged->verdict;
    all->good = verdict->verdict != NULL ? verdict->good : judged->good;
    all->message = verdict->message != NULL ? verdict->message : "";
    tf_page_system_figures(all, tf_system_cluster(files->system), &sum, tf_system_hash(files->system));
}

static bool write_all(struct tf_system_files *files, const struct tf_files_verdict *verdict,
                      struct tf_page_facts *facts[TF_CLUSTER_CHIPS_MAX])
{
    struct tf_page_facts all = {.title = NULL};
    struct tf_look *look[TF_CLUSTER_CHIPS_MAX];
    struct tf_symbols *symbols[TF_CLUSTER_CHIPS_MAX];
    for (unsigned i = 0; i < files->chips; i++) {
        look[i] = files->chip[i].look;
        symbols[i] = files->chip[i].symbols;
        facts[i] = tf_files_chip_facts(&files->chip[i], NULL);
        if (facts[i] == NULL)
            return false;
    }
    find_facts(&all, files, facts, verdict);
    tf_page_links_settle(&files->links, files->system);
    tf_page_system_path(&all, files->system, symbols);
    const struct tf_page_system page = {.facts = &all,
                                        .cluster = tf_system_cluster(files->system),
                                        .links = &files->links};
    const struct tf_look_result result = {
        .look = look,
        .chips = files->chips,
        .facts = (const struct tf_page_facts *const *)facts,
        .system = &page,
    };
    return tf_look_write(&result);
}

int tf_system_files_write(struct tf_system_files *files, const struct tf_files_verdict *verdict,
                          struct tf_message *message)
{
    if (files->system == NULL || files->written)
        return tf_message_set(message, TF_EINVAL, "files",
                              files->written ? "the files are written already" : "no system is attached");
    struct tf_page_facts *facts[TF_CLUSTER_CHIPS_MAX] = {NULL};
    bool fine = write_all(files, verdict, facts);
    for (unsigned i = 0; i < files->chips; i++) {
        tf_files_facts_free(facts[i]);
        files->chip[i].written = true;
    }
    files->written = true;
    fine &= tf_packets_close(files->timeline);
    files->timeline = NULL;
    int error = tf_files_disk_commit(&files->disk, message);
    return fine ? error : tf_message_set(message, TF_ENOMEM, "files", tf_strerror(TF_ENOMEM));
}
