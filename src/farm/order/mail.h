/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests and responses in flight in deterministic mode. One thread puts entries into a list. After a barrier another
 * thread takes them, in delivery order. Most entries are put in that order, so a list rarely needs sorting.
 */
#ifndef FARM_MAIL_H
#define FARM_MAIL_H

#include "host/assert.h"
#include "noc/noc.h"

/* All zero: empty. */
struct tf_mail {
    struct tf_noc_entry *oldest, *newest;
    bool disordered; /* an entry was put after a later one */
};

/* Delivery order: by key, then by node. */
static inline bool tf_mail_precedes(const struct tf_noc_entry *a, const struct tf_noc_entry *b)
{
    return a->key < b->key || (a->key == b->key && a->node < b->node);
}

/* Is a list in delivery order? */
static inline bool tf_mail_in_order(const struct tf_noc_entry *first)
{
    for (; first != NULL && first->next != NULL; first = first->next)
        if (tf_mail_precedes(first->next, first))
            return false;
    return true;
}

/* Append an entry. Returns true if it is the first. */
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

/* Sort a list into delivery order. Returns its first entry. */
struct tf_noc_entry *tf_mail_sort(struct tf_noc_entry *first);

/* Take all entries, in delivery order. An empty list is not written, because another worker's cache may hold its line.
   Bench row that pays for this: `cb`, on several threads. */
static inline struct tf_noc_entry *tf_mail_take(struct tf_mail *mail)
{
    struct tf_noc_entry *oldest = mail->oldest;
    bool disordered = mail->disordered;
    if (oldest == NULL)
        return NULL;
    *mail = (struct tf_mail){0};
    TF_ASSERT(disordered || tf_mail_in_order(oldest));
    return disordered ? tf_mail_sort(oldest) : oldest;
}

/* Lists to merge. Bin i is empty, or holds a sorted list merged from about 2^i lists. All zero: no lists. */
#define TF_MAIL_BINS 32u

struct tf_mail_bins {
    struct tf_noc_entry *first[TF_MAIL_BINS];
};

/* Add a sorted list. list may be NULL. */
void tf_mail_add(struct tf_mail_bins *bins, struct tf_noc_entry *list);

/* Merge all added lists into one sorted list. */
struct tf_noc_entry *tf_mail_merge(struct tf_mail_bins *bins);

#endif
