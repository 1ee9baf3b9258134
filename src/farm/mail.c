/* SPDX-License-Identifier: Apache-2.0 */
/* Merge sort of linked lists, run by run: what one tile has sent is in order already. */
#include "farm/mail.h"

/* Of two lists in order, one. Entries of the first come first where none precedes the other. */
static struct tf_noc_entry *merge(struct tf_noc_entry *a, struct tf_noc_entry *b)
{
    struct tf_noc_entry *first = NULL, **end = &first;
    while (a != NULL && b != NULL) {
        struct tf_noc_entry **from = tf_mail_precedes(b, a) ? &b : &a;
        tf_noc_approach(*from);
        *end = *from;
        end = &(*from)->next;
        *from = *end;
    }
    *end = a != NULL ? a : b;
    return first;
}

static void add_run(struct tf_mail_bins *bins, struct tf_noc_entry *run)
{
    unsigned i = 0;
    for (; bins->first[i] != NULL && i + 1 < TF_MAIL_BINS; i++) {
        run = merge(bins->first[i], run);
        bins->first[i] = NULL;
    }
    bins->first[i] = merge(bins->first[i], run);
}

/* Cut a list behind the entries at its beginning that are in order. Returns the rest. */
static struct tf_noc_entry *cut_run(struct tf_noc_entry *first)
{
    struct tf_noc_entry *last = first;
    while (last->next != NULL && !tf_mail_precedes(last->next, last))
        last = last->next;
    struct tf_noc_entry *rest = last->next;
    last->next = NULL;
    return rest;
}

void tf_mail_collect(struct tf_mail_bins *bins, struct tf_mail *mail)
{
    struct tf_noc_entry *first = mail->oldest;
    bool disordered = mail->disordered;
    if (first == NULL) /* nothing is written: its line may be in the cache of a worker that fills its neighbours */
        return;
    *mail = (struct tf_mail){0};
    while (disordered && first != NULL) {
        struct tf_noc_entry *rest = cut_run(first);
        add_run(bins, first);
        first = rest;
    }
    if (first != NULL)
        add_run(bins, first);
}

struct tf_noc_entry *tf_mail_merge(struct tf_mail_bins *bins)
{
    struct tf_noc_entry *first = NULL;
    for (unsigned i = 0; i < TF_MAIL_BINS; i++) {
        first = merge(bins->first[i], first);
        bins->first[i] = NULL;
    }
    return first;
}
