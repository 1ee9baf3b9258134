/* SPDX-License-Identifier: Apache-2.0 */
/* Merge sort of linked lists. It merges sorted runs: the requests of one tile are such a run. */
#include "farm/order/mail.h"

/* Merge two sorted lists. An entry of the first list comes before an equal entry of the second list. */
static struct tf_noc_entry *merge(struct tf_noc_entry *a, struct tf_noc_entry *b)
{
    struct tf_noc_entry *first = NULL, **end = &first;
    while (a != NULL && b != NULL) {
        struct tf_noc_entry **from = tf_mail_precedes(b, a) ? &b : &a;
        tf_noc_prefetch_entry(*from, false);
        if (*end != *from) /* write only if needed: another worker's cache may hold the line */
            *end = *from;
        end = &(*from)->next;
        *from = *end;
    }
    struct tf_noc_entry *rest = a != NULL ? a : b;
    if (*end != rest)
        *end = rest;
    return first;
}

void tf_mail_add(struct tf_mail_bins *bins, struct tf_noc_entry *list)
{
    unsigned i = 0;
    for (; bins->first[i] != NULL && i + 1 < TF_MAIL_BINS; i++) {
        list = merge(bins->first[i], list);
        bins->first[i] = NULL;
    }
    bins->first[i] = merge(bins->first[i], list);
}

/* Cut a list after its first sorted run. Returns the rest. */
static struct tf_noc_entry *cut_run(struct tf_noc_entry *first)
{
    struct tf_noc_entry *last = first;
    while (last->next != NULL && !tf_mail_precedes(last->next, last))
        last = last->next;
    struct tf_noc_entry *rest = last->next;
    last->next = NULL;
    return rest;
}

struct tf_noc_entry *tf_mail_sort(struct tf_noc_entry *first)
{
    struct tf_mail_bins bins = {{0}};
    while (first != NULL) {
        struct tf_noc_entry *rest = cut_run(first);
        tf_mail_add(&bins, first);
        first = rest;
    }
    return tf_mail_merge(&bins);
}

struct tf_noc_entry *tf_mail_merge(struct tf_mail_bins *bins)
{
    struct tf_noc_entry *first = NULL;
    for (unsigned i = 0; i < TF_MAIL_BINS; i++) {
        first = merge(bins->first[i], first);
        bins->first[i] = NULL;
    }
    TF_ASSERT(tf_mail_in_order(first));
    return first;
}
