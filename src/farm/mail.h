/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests and responses on their way in deterministic mode: lists with one thread that puts in, and a barrier before
 * another takes out. What comes out is in the order of its epoch; mostly it was put in so.
 */
#ifndef FARM_MAIL_H
#define FARM_MAIL_H

#include "noc/noc.h"

/* All zero: empty. */
struct tf_mail {
    struct tf_noc_entry *oldest, *newest;
    bool disordered; /* something was put in behind what it precedes */
};

static inline bool tf_mail_precedes(const struct tf_noc_entry *a, const struct tf_noc_entry *b)
{
    return a->key < b->key || (a->key == b->key && a->node < b->node);
}

/* Returns true when it is the first. */
static inline bool tf_mail_put(struct tf_mail *mail, struct tf_noc_entry *entry)
{
    bool first = mail->newest == NULL;
    entry->next = NULL;
    if (first) {
        mail->oldest = entry;
    } else {
        if (tf_mail_precedes(entry, mail->newest))
            mail->disordered = true;
        mail->newest->next = entry;
    }
    mail->newest = entry;
    return first;
}

/* Lists on their way to becoming one: bin i is empty, or a list in order made of 2^i or so. All zero: none. */
#define TF_MAIL_BINS 32u

struct tf_mail_bins {
    struct tf_noc_entry *first[TF_MAIL_BINS];
};

/* Add what a list holds; the list is left empty. */
void tf_mail_collect(struct tf_mail_bins *bins, struct tf_mail *mail);

/* All that was added, in order. */
struct tf_noc_entry *tf_mail_merge(struct tf_mail_bins *bins);

#endif
