/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests and responses on their way in deterministic mode: lists with one thread that puts in, and a barrier before
 * another takes out. What comes out is in the order of its epoch; mostly it was put in so.
 */
#ifndef FARM_MAIL_H
#define FARM_MAIL_H

#include "host/assert.h"
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

/* Does no entry of a list precede the one before it? */
static inline bool tf_mail_in_order(const struct tf_noc_entry *first)
{
    for (; first != NULL && first->next != NULL; first = first->next)
        if (tf_mail_precedes(first->next, first))
            return false;
    return true;
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

/* A list that is not in order, put right. */
struct tf_noc_entry *tf_mail_put_right(struct tf_noc_entry *first);

/* What a list holds, in order. It is left empty; if it is, nothing is written: its line may be in the cache of a worker
   that fills its neighbours. */
static inline struct tf_noc_entry *tf_mail_take(struct tf_mail *mail)
{
    struct tf_noc_entry *oldest = mail->oldest;
    bool disordered = mail->disordered;
    if (oldest == NULL)
        return NULL;
    *mail = (struct tf_mail){0};
    TF_ASSERT(disordered || tf_mail_in_order(oldest));
    return disordered ? tf_mail_put_right(oldest) : oldest;
}

/* Lists on their way to becoming one: bin i is empty, or a list in order made of 2^i or so. All zero: none. */
#define TF_MAIL_BINS 32u

struct tf_mail_bins {
    struct tf_noc_entry *first[TF_MAIL_BINS];
};

/* Add a list that is in order, or NULL. */
void tf_mail_add(struct tf_mail_bins *bins, struct tf_noc_entry *list);

/* All that was added, in order. */
struct tf_noc_entry *tf_mail_merge(struct tf_mail_bins *bins);

#endif
