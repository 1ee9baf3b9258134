/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages between ranks, with a head that is checked: a number that counts the letters from one rank to another, and a
 * hash. So no letter can be cut, changed, repeated or missed without notice.
 */
#ifndef SYSTEM_PROCESSES_LETTERS_H
#define SYSTEM_PROCESSES_LETTERS_H

#include "host/saved.h"
#include "system/processes/transport.h"
#include "tilefarm/tilefarm_cluster.h"

#define TF_RANKS_MAX TF_CLUSTER_CHIPS_MAX

/* What a letter is about. Ranks that expect different kinds have gone different ways, which is an error of tilefarm. */
enum tf_letter_kind {
    TF_LETTER_HELLO,
    TF_LETTER_WINDOW, /* what crossed links in a window */
    TF_LETTER_AGREE,
    TF_LETTER_CHIP,  /* a piece of the state of a chip */
    TF_LETTER_TEXT,  /* for users of the system */
    TF_LETTER_ORDER, /* of rank 0 to a rank that it leads (orders.h) */
};

struct tf_letters {
    struct tf_transport *transport;
    uint64_t sent[TF_RANKS_MAX], received[TF_RANKS_MAX]; /* by rank */
};

/* Of the head. The text of a letter begins behind it. */
#define TF_LETTER_HEAD_BYTES 40u

/* A letter that is being written: a stream whose buffer grows. Returns false if the host has no memory. */
bool tf_letter_begin(struct tf_saved *letter);

/* Send it to a rank; this can be done for several ranks. tf_letter_end() frees it. False: *why names the cause. */
bool tf_letter_send(struct tf_letters *letters, unsigned to, enum tf_letter_kind kind, const struct tf_saved *letter,
                    struct tf_message *why);

/* Wait for the next letter of a rank, and make it a stream to read. tf_letter_end() frees it. */
bool tf_letter_receive(struct tf_letters *letters, unsigned from, enum tf_letter_kind kind, struct tf_saved *letter,
                       struct tf_message *why);

/* Has the letter of a rank been read as a whole? False: *why says what is wrong with it. */
bool tf_letter_was_read(const struct tf_saved *letter, unsigned from, struct tf_message *why);

void tf_letter_end(struct tf_saved *letter);

#endif
