/* SPDX-License-Identifier: Apache-2.0 */
#include "system/faults/link_faults.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tile/hash.h"

#define RATE_WHOLE 1000000u
#define FACTOR_MOST 1000u
#define CYCLES_MOST (1ull << 60) /* sums of such cycles do not wrap */

static int wrong(const struct tf_cluster *cluster, const struct tf_link_fault *fault, struct tf_message *message,
                 const char *why)
{
    const struct tf_cluster_end *end = cluster->link[fault->link].end;
    if (message != NULL)
        snprintf(message->text, sizeof message->text, "faults of the link %u:%u to %u:%u: %s", end[0].chip, end[0].port,
                 end[1].chip, end[1].port, why);
    return TF_EINVAL;
}

/* By link. Down, cut and up: by cycle; then others by direction, kind and value. */
static int compare(const void *a, const void *b)
{
    const struct tf_link_fault *left = a, *right = b;
    const bool left_other = left->kind > TF_LINK_UP, right_other = right->kind > TF_LINK_UP;
    if (left->link != right->link)
        return left->link < right->link ? -1 : 1;
    if (left_other != right_other)
        return left_other ? 1 : -1;
    if (left_other && left->direction != right->direction)
        return left->direction < right->direction ? -1 : 1;
    if (left_other && left->kind != right->kind)
        return left->kind < right->kind ? -1 : 1;
    if (left->value != right->value)
        return left->value < right->value ? -1 : 1;
    return left->kind < right->kind ? -1 : left->kind > right->kind;
}

int tf_link_faults_create(struct tf_link_faults *faults, const struct tf_link_fault *fault, unsigned count)
{
    *faults = (struct tf_link_faults){.count = count};
    if (count == 0)
        return TF_OK;
    faults->fault = calloc(count, sizeof *faults->fault);
    faults->outage = calloc(count, sizeof *faults->outage);
    faults->lost = calloc(count, sizeof *faults->lost);
    if (faults->fault == NULL || faults->outage == NULL || faults->lost == NULL) {
        tf_link_faults_destroy(faults);
        return TF_ENOMEM;
    }
    for (unsigned i = 0; i < count; i++) {
        faults->fault[i] = fault[i];
        if (faults->fault[i].kind == TF_LINK_DOWN)
            faults->fault[i].value = 0;
    }
    qsort(faults->fault, count, sizeof *faults->fault, compare);
    return TF_OK;
}

void tf_link_faults_destroy(struct tf_link_faults *faults)
{
    free(faults->fault);
    free(faults->outage);
    free(faults->lost);
    *faults = (struct tf_link_faults){.count = 0};
}

/* The outages of a link, in their place. Returns their number. */
static unsigned find_outages(const struct tf_link_faults *faults, unsigned link, struct tf_eth_outage **first)
{
    unsigned outages = 0, begin = 0;
    while (begin < faults->count && faults->fault[begin].link < link)
        begin++;
    *first = faults->outage + begin;
    for (unsigned i = begin; i < faults->count && faults->fault[i].link == link; i++) {
        const struct tf_link_fault *fault = &faults->fault[i];
        if (fault->kind == TF_LINK_UP)
            (*first)[outages - 1].until = fault->value + TF_LINK_TRAINING_CYCLES;
        else if (fault->kind <= TF_LINK_UP)
            (*first)[outages++] = (struct tf_eth_outage){.from = fault->value, .until = UINT64_MAX};
    }
    return outages;
}

void tf_link_faults_apply(const struct tf_link_faults *faults, unsigned link, unsigned direction,
                          struct tf_eth_line *line)
{
    struct tf_eth_outage *outage;
    if (faults->count == 0)
        return;
    line->outages = find_outages(faults, link, &outage);
    line->outage = outage;
    for (unsigned i = 0; i < faults->count; i++) {
        const struct tf_link_fault *fault = &faults->fault[i];
        if (fault->link != link || fault->kind <= TF_LINK_UP || fault->direction != direction)
            continue;
        if (fault->kind == TF_LINK_LOSE) {
            faults->lost[i] = fault->value;
            if (line->losses++ == 0)
                line->lost = &faults->lost[i];
        } else if (fault->kind == TF_LINK_RATE) {
            line->loss_q32 = (uint32_t)((fault->value << 32) / RATE_WHOLE);
            line->seed = fault->seed << 16 | link << 1 | direction;
        } else {
            line->byte_cycles_q20 *= (uint32_t)fault->value;
        }
    }
}

/* What is wrong with a fault alone, or NULL. */
static const char *why_bad(const struct tf_link_fault *fault)
{
    switch (fault->kind) {
    case TF_LINK_DOWN: return NULL;
    case TF_LINK_CUT: return fault->value == 0 ? "a link that is down from the start is not cut" : NULL;
    case TF_LINK_UP:
    case TF_LINK_LOSE: return NULL;
    case TF_LINK_RATE:
        return fault->value == 0 || fault->value >= RATE_WHOLE ? "a rate of losses lies between 0 and 100 %" : NULL;
    case TF_LINK_SLOW:
        return fault->value < 2 || fault->value > FACTOR_MOST ? "a slow link takes 2 to 1000 times as long" : NULL;
    }
    return "there is no such kind of fault";
}

/* What is wrong between a fault and the one before it in the order of compare(); NULL: nothing. */
static const char *why_not_after(const struct tf_link_fault *fault, const struct tf_link_fault *before)
{
    const bool same = before != NULL && before->link == fault->link;
    const bool was_down = same && (before->kind == TF_LINK_DOWN || before->kind == TF_LINK_CUT);
    if (fault->kind == TF_LINK_UP)
        return !was_down                       ? "it comes up, but is not down"
               : fault->value <= before->value ? "it comes up before it is down"
                                               : NULL;
    if (fault->kind <= TF_LINK_UP && was_down)
        return "it goes down twice without coming up";
    if (fault->kind == TF_LINK_CUT && same && before->kind == TF_LINK_UP &&
        fault->value <= before->value + TF_LINK_TRAINING_CYCLES)
        return "it is cut while it is trained";
    const bool again = same && before->kind == fault->kind && before->direction == fault->direction;
    if (again && (fault->kind == TF_LINK_RATE || fault->kind == TF_LINK_SLOW))
        return "a direction has one rate of losses, and one factor";
    return again && fault->kind == TF_LINK_LOSE && fault->value == before->value ? "a packet is lost twice" : NULL;
}

int tf_link_faults_check(const struct tf_cluster *cluster, const struct tf_link_fault *given, unsigned count,
                         struct tf_message *message)
{
    struct tf_link_faults faults;
    int error = TF_OK;
    if (count > TF_LINK_FAULTS_MAX || (count != 0 && given == NULL)) {
        if (message != NULL)
            snprintf(message->text, sizeof message->text, "at most %u faults of links", TF_LINK_FAULTS_MAX);
        return TF_EINVAL;
    }
    for (unsigned i = 0; i < count; i++) {
        const struct tf_link_fault *fault = &given[i];
        if (fault->link >= cluster->links || fault->direction > 1 || fault->value > CYCLES_MOST) {
            if (message != NULL)
                snprintf(message->text, sizeof message->text,
                         "a fault is of link %u, end %u, at %" PRIu64 ": the system has %u links", fault->link,
                         fault->direction, fault->value, cluster->links);
            return TF_EINVAL;
        }
        if (why_bad(fault) != NULL)
            return wrong(cluster, fault, message, why_bad(fault));
    }
    if (tf_link_faults_create(&faults, given, count) != TF_OK)
        return TF_ENOMEM;
    for (unsigned i = 0; i < faults.count && error == TF_OK; i++) {
        const char *why = why_not_after(&faults.fault[i], i != 0 ? &faults.fault[i - 1] : NULL);
        if (why != NULL)
            error = wrong(cluster, &faults.fault[i], message, why);
    }
    tf_link_faults_destroy(&faults);
    return error;
}

void tf_link_faults_hash(const struct tf_link_faults *faults, struct tf_hash *hash)
{
    for (unsigned i = 0; i < faults->count; i++) {
        const struct tf_link_fault *fault = &faults->fault[i];
        tf_hash_u32(hash, fault->kind);
        tf_hash_u32(hash, fault->link << 1 | fault->direction);
        tf_hash_u64(hash, fault->value);
        tf_hash_u64(hash, fault->seed);
    }
}
