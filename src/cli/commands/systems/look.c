/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/systems/look.h"

#include <stdlib.h>

#include "cli/session.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "cli/verdict.h"
#include "farm/chip/chip.h"
#include "host/extremes.h"
#include "host/saved.h"
#include "look/facts.h"
#include "look/look.h"
#include "look/tracks/packets.h"
#include "look/tracks/recording.h"
#include "look/tracks/replay.h"
#include "races/moved.h"
#include "system/moved.h"
#include "system/ranks.h"
#include "tilefarm/tilefarm_links.h"

#define PIECE_BYTES (1u << 16)

static bool is_elsewhere(const struct tf_system_look *look, unsigned chip)
{
    return look->spread->on && look->spread->owner[chip] != look->spread->transport.rank;
}

static uint64_t stage(void *user)
{
    const struct tf_system_look *look = user;
    return *look->system != NULL ? tf_ranks_stage(*look->system) : 0;
}

static bool begin_timeline(struct tf_system_look *look, const struct tf_job *job)
{
    look->file = job->look.timeline;
    look->compressed = job->look.timeline_compressed;
    if (!look->spread->on) {
        look->timeline = tf_packets_create(look->file, look->compressed);
        return look->timeline != NULL;
    }
    look->recorded = tf_recording_create(stage, look);
    look->timeline = look->recorded != NULL ? tf_packets_record(look->recorded) : NULL;
    if (look->timeline == NULL)
        tf_recording_free(look->recorded);
    return look->timeline != NULL;
}

bool tf_system_look_begin(struct tf_system_look *look, const struct tf_job *job, const struct tf_cluster *cluster,
                          const struct tf_spread *spread, struct tf_session *session, struct tf_system *const *system)
{
    look->cluster = cluster;
    look->spread = spread;
    look->session = session;
    look->system = system;
    return (job->look.timeline == NULL || begin_timeline(look, job)) &&
           (job->look.page == NULL || tf_page_links_create(&look->links, cluster));
}

void tf_system_look_choose(const struct tf_system_look *look, unsigned chip, struct tf_look_wish *wish)
{
    wish->chip = chip;
    wish->timeline_packets = look->timeline;
    if (!is_elsewhere(look, chip))
        return;
    wish->timeline = NULL;
    if (look->spread->transport.rank != 0)
        wish->noc_trace = wish->profile = wish->coverage = wish->page = NULL;
}

bool tf_system_look_wants_packets(const struct tf_system_look *look)
{
    return look->timeline != NULL || look->links.link != NULL;
}

void tf_system_look_packet(struct tf_system_look *look, const struct tf_packet_event *event)
{
    tf_look_packet(look->session[event->from.chip].look, event, true);
    tf_look_packet(look->session[event->to.chip].look, event, false);
    if (look->links.link != NULL && !is_elsewhere(look, event->from.chip))
        tf_page_links_packet(&look->links, event);
}

/* ---- Over ranks ---- */

/* Write a file, or read it into a new temporary file. */
static void file_state(struct tf_saved *saved, FILE **file)
{
    uint8_t piece[PIECE_BYTES];
    size_t bytes;
    if (saved->reads)
        *file = tmpfile();
    if (*file == NULL) {
        tf_saved_fail(saved, "no temporary file can be made for the timeline");
        return;
    }
    do {
        bytes = saved->reads ? 0 : fread(piece, 1, sizeof piece, *file);
        bytes = tf_saved_count(saved, bytes, sizeof piece);
        tf_saved_bytes(saved, piece, bytes);
        if (saved->reads && fwrite(piece, 1, bytes, *file) != bytes)
            tf_saved_fail(saved, "a temporary file of the timeline cannot be written: is the disk full?");
    } while (bytes != 0 && saved->why == NULL);
    if (saved->reads)
        rewind(*file);
}

/* What a rank has seen. */
static void part_state(struct tf_saved *saved, void *user, unsigned rank)
{
    struct tf_system_look *look = user;
    look->lost |= tf_saved_number(saved, look->lost) != 0;
    if (look->links.link != NULL)
        tf_page_links_state(saved, &look->links);
    for (unsigned i = 0; i < look->cluster->chips; i++)
        if (look->spread->owner[i] == rank)
            tf_look_state(saved, look->session[i].look);
    for (unsigned i = 0; i < look->cluster->chips; i++)
        if (look->spread->owner[i] == rank && look->session[i].chip->observers.races != NULL)
            tf_races_state(saved, look->session[i].chip->observers.races);
    if (look->recorded != NULL && !look->lost)
        file_state(saved, &look->of_rank[rank]);
}

/* Which words do cores of a chip wait for? Reports say who has written them last. */
static bool note_words(struct tf_chip *chip)
{
    struct tf_races *races = chip->observers.races;
    size_t most = races != NULL ? tf_waits(chip, NULL, 0) : 0;
    struct tf_waiting *wait = calloc(most + 1, sizeof *wait);
    bool fine = wait != NULL;
    if (fine && races != NULL)
        most = tf_min(tf_waits(chip, wait, most), most);
    for (size_t i = 0; i < most && fine; i++)
        if (wait[i].stuck && !wait[i].thread && wait[i].address < chip->arch->tile[TF_TILE_TENSIX].l1_bytes)
            fine = tf_races_note_word(races, (uint16_t)tf_node_number(chip->arch, wait[i].node), wait[i].address);
    free(wait);
    tf_races(chip, NULL, 0); /* it looks for requests that nobody has waited for */
    return fine;
}

bool tf_system_look_collect(struct tf_system_look *look)
{
    const unsigned own = look->spread->transport.rank;
    bool fine = true;
    for (unsigned i = 0; i < look->cluster->chips; i++)
        if (!is_elsewhere(look, i))
            fine &= tf_look_finish(look->session[i].look) && note_words(look->session[i].chip);
    if (look->recorded != NULL) {
        look->of_rank[own] = tf_recording_file(look->recorded);
        fine &= look->of_rank[own] != NULL;
    }
    look->lost = !fine;
    return tf_ranks_collect(*look->system, part_state, look);
}

/* Make the timeline of the recordings of all ranks. */
static bool replay(struct tf_system_look *look)
{
    struct tf_packets *packets = look->lost ? NULL : tf_packets_create(look->file, look->compressed);
    const bool fine = packets != NULL && tf_packets_replay(packets, look->of_rank, look->spread->transport.ranks);
    return tf_packets_close(packets) && fine;
}

/* ---- After the run ---- */

bool tf_system_look_write(struct tf_system_look *look, struct tf_system *system, const char *name,
                          const struct tf_outcome *outcome)
{
    const struct tf_cluster *cluster = look->cluster;
    char *command = tf_job_command(look->session[0].job);
    struct tf_page_facts facts = {
        .title = name,
        .verdict = tf_verdict_text(outcome),
        .good = tf_outcome_exit(outcome) == TF_EXIT_OK,
        .message = outcome->message.text,
        .command = command,
    };
    const struct tf_page_system page = {.facts = &facts, .cluster = cluster, .links = &look->links};
    tf_page_system_figures(&facts, cluster, &outcome->stats, outcome->state_hash);
    tf_page_links_settle(&look->links, system);
    struct tf_symbols *symbols[TF_CLUSTER_CHIPS_MAX];
    for (unsigned i = 0; i < cluster->chips; i++)
        symbols[i] = look->session[i].symbols;
    if (look->links.link != NULL)
        tf_page_system_path(&facts, system, symbols);
    bool fine = tf_session_write_looks(look->session, cluster->chips, &page);
    free(command);
    if (look->recorded != NULL && !replay(look)) {
        tf_cli_error("--timeline: too little memory, or room for temporary files");
        fine = false;
    }
    fine &= tf_packets_close(look->timeline);
    look->timeline = NULL;
    return fine;
}

void tf_system_look_end(struct tf_system_look *look)
{
    const bool ranks = look->spread != NULL && look->spread->on;
    for (unsigned i = 1; ranks && look->spread->transport.rank == 0 && i < TF_RANKS_MAX; i++)
        if (look->of_rank[i] != NULL)
            fclose(look->of_rank[i]);
    tf_packets_close(look->timeline);
    tf_page_links_free(&look->links);
    look->timeline = NULL;
}
