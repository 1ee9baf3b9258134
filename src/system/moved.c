/* SPDX-License-Identifier: Apache-2.0 */
/* Chips that move between ranks: their state, and what is under way to them, in pieces. */
#include <stdio.h>
#include <stdlib.h>

#include "farm/chip/chip.h"
#include "farm/saved/config.h"
#include "farm/saved/state.h"
#include "host/saved.h"
#include "host/hostile.h"
#include "system/moved.h"
#include "system/ranks.h"
#include "system/state.h"
#include "system/twin.h"

#define PIECE_BYTES TF_UNLESS_HOSTILE((size_t)1 << 20, (size_t)TF_LETTER_HEAD_BYTES + 1000)

/* A state on its way. */
struct moved {
    struct tf_saved saved; /* must come first: its functions find the rest by it */
    struct tf_letters *letters;
    unsigned peer;
    struct tf_message *why;
};

/* A tf_saved.refill that sends a piece. */
static bool send_piece(struct tf_saved *saved)
{
    struct moved *moved = (struct moved *)saved;
    if (!tf_letter_send(moved->letters, moved->peer, TF_LETTER_CHIP, saved, moved->why)) {
        tf_saved_fail(saved, moved->why->text);
        return false;
    }
    saved->at = TF_LETTER_HEAD_BYTES;
    return true;
}

/* A tf_saved.refill that waits for a piece. */
static bool receive_piece(struct tf_saved *saved)
{
    struct moved *moved = (struct moved *)saved;
    struct tf_saved letter;
    if (!tf_letter_receive(moved->letters, moved->peer, TF_LETTER_CHIP, &letter, moved->why)) {
        tf_saved_fail(saved, moved->why->text);
        return false;
    }
    tf_letter_end(saved);
    saved->buffer = letter.buffer;
    saved->at = letter.at;
    saved->bytes = letter.bytes;
    return true;
}

/* Of a chip of a system. */
static void state(struct tf_saved *saved, void *user, unsigned chip)
{
    const struct tf_system *system = user;
    tf_chip_state(saved, system->part[chip].chip);
    for (unsigned i = 0; i < 2 * system->cluster.links; i++)
        if (system->lane[i].to.chip == chip)
            tf_lane_state(saved, &system->lane[i]);
}

/* One more word than what the streams say, if it is not theirs. */
static bool complain(struct tf_ranks *ranks, unsigned peer, const char *why)
{
    if (why != ranks->why.text)
        snprintf(ranks->why.text, sizeof ranks->why.text, "what moves between ranks, with rank %u: %s", peer, why);
    ranks->failed = true;
    return false;
}

/* Something that moves, and its fields. */
struct load {
    void (*state)(struct tf_saved *saved, void *user, unsigned number);
    void *user;
    unsigned number;
};

static bool send_load(struct tf_ranks *ranks, const struct load *load, unsigned to)
{
    struct moved moved = {.letters = &ranks->letters, .peer = to, .why = &ranks->why};
    moved.saved = (struct tf_saved){.room = PIECE_BYTES, .at = TF_LETTER_HEAD_BYTES, .refill = send_piece};
    moved.saved.buffer = malloc(PIECE_BYTES);
    if (moved.saved.buffer == NULL)
        return complain(ranks, to, tf_saved_no_memory);
    load->state(&moved.saved, load->user, load->number);
    if (moved.saved.why == NULL && moved.saved.at != TF_LETTER_HEAD_BYTES)
        send_piece(&moved.saved);
    tf_letter_end(&moved.saved);
    return moved.saved.why == NULL || complain(ranks, to, moved.saved.why);
}

static bool receive_load(struct tf_ranks *ranks, const struct load *load, unsigned from)
{
    struct moved moved = {.letters = &ranks->letters, .peer = from, .why = &ranks->why};
    moved.saved = (struct tf_saved){.reads = true, .refill = receive_piece};
    load->state(&moved.saved, load->user, load->number);
    if (moved.saved.why == NULL && moved.saved.at != moved.saved.bytes)
        tf_saved_fail(&moved.saved, "it is too long");
    tf_letter_end(&moved.saved);
    return moved.saved.why == NULL || complain(ranks, from, moved.saved.why);
}

static bool send_chip(struct tf_system *system, unsigned chip, unsigned to)
{
    tf_forks_settle_all(&system->part[chip].chip->forks, system->part[chip].chip->fabric);
    return send_load(system->ranks, &(struct load){state, system, chip}, to);
}

/* twin: a new system, which gets the chip. */
static bool receive_chip(struct tf_system *system, struct tf_system *twin, unsigned chip, unsigned from)
{
    return receive_load(system->ranks, &(struct load){state, twin, chip}, from);
}

/* Receive chips, as bits. */
static int receive_chips(struct tf_system *system, uint32_t chips)
{
    struct tf_ranks *ranks = system->ranks;
    struct tf_system *twin = NULL;
    int error = tf_system_twin(system, &twin, &ranks->why);
    if (error != TF_OK) {
        ranks->failed = true;
        return error;
    }
    for (unsigned i = 0; i < system->cluster.chips && error == TF_OK; i++)
        if (chips >> i & 1 && !receive_chip(system, twin, i, ranks->rank == 0 ? ranks->owner[i] : 0))
            error = TF_EIO;
    if (error == TF_OK)
        tf_system_take(system, twin, chips);
    tf_system_destroy(twin);
    return error;
}

static int send_chips(struct tf_system *system, uint32_t chips)
{
    const struct tf_ranks *ranks = system->ranks;
    for (unsigned i = 0; i < system->cluster.chips; i++)
        if (chips >> i & 1 && !send_chip(system, i, ranks->rank == 0 ? ranks->owner[i] : 0))
            return TF_EIO;
    return TF_OK;
}

int tf_ranks_move(struct tf_system *system, uint32_t chips, bool gather)
{
    const struct tf_ranks *ranks = system->ranks;
    uint32_t moved = 0;
    for (unsigned i = 0; i < system->cluster.chips; i++)
        if (chips >> i & 1 && ranks->owner[i] != 0 && (ranks->rank == 0 || ranks->owner[i] == ranks->rank))
            moved |= 1u << i;
    return moved == 0 ? TF_OK : (ranks->rank == 0) == gather ? receive_chips(system, moved) : send_chips(system, moved);
}

int tf_ranks_gather(struct tf_system *system)
{
    return tf_ranks_move(system, UINT32_MAX, true);
}

/* Let the ranks of senders know how many packets have been sent. */
static int tell_counts(struct tf_system *system)
{
    struct tf_ranks *ranks = system->ranks;
    const unsigned lanes = 2 * system->cluster.links;
    uint64_t *sent = calloc(lanes + 1, sizeof *sent);
    bool fine = sent != NULL;
    for (unsigned i = 0; i < lanes && fine; i++)
        sent[i] = system->lane[i].packets;
    for (unsigned i = 1; ranks->rank == 0 && i < ranks->ranks && fine; i++)
        fine = tf_ranks_send(system, i, sent, lanes * sizeof *sent);
    if (fine && ranks->rank != 0)
        fine = tf_ranks_receive(system, 0, sent, lanes * sizeof *sent);
    for (unsigned i = 0; i < lanes && fine; i++)
        system->lane[i].given = sent[i];
    const int error = sent == NULL ? TF_ENOMEM : fine ? TF_OK : TF_EIO;
    free(sent);
    return error;
}

int tf_ranks_scatter(struct tf_system *system)
{
    const int error = tf_ranks_move(system, UINT32_MAX, false);
    return error == TF_OK ? tell_counts(system) : error;
}

bool tf_ranks_collect(struct tf_system *system, void (*each)(struct tf_saved *saved, void *user, unsigned rank),
                      void *user)
{
    struct tf_ranks *ranks = system->ranks;
    if (ranks->rank != 0)
        return send_load(ranks, &(struct load){each, user, ranks->rank}, 0);
    bool fine = true;
    for (unsigned i = 1; i < ranks->ranks && fine; i++)
        fine = receive_load(ranks, &(struct load){each, user, i}, i);
    return fine;
}
