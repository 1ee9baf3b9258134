/* SPDX-License-Identifier: Apache-2.0 */
/* Faults are sorted before they are reported: the order does not depend on which worker ran what. */
#include <stdlib.h>
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/chip/found.h"

static int compare(const void *a, const void *b)
{
    const struct tf_fault *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->tile.y != y->tile.y)
        return x->tile.y - y->tile.y;
    if (x->tile.x != y->tile.x)
        return x->tile.x - y->tile.x;
    if (x->core != y->core)
        return x->core - y->core;
    if (x->pc != y->pc)
        return x->pc < y->pc ? -1 : 1;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return strcmp(x->text, y->text); /* a multicast can fault at several recipients */
}

/* Returns false if the host has no memory. */
static bool defer(struct tf_fault_queue *queue, const struct tf_fault *fault)
{
    if (queue->count == queue->room) {
        size_t room = queue->room == 0 ? 16 : 2 * queue->room;
        struct tf_fault *grown = realloc(queue->fault, room * sizeof *grown);
        if (grown == NULL)
            return false;
        queue->fault = grown;
        queue->room = room;
    }
    queue->fault[queue->count++] = *fault;
    return true;
}

void tf_faults_tell(struct tf_fault_list *faults, const struct tf_callbacks *call)
{
    struct tf_fault_queue *queue = faults->deferred;
    for (size_t i = 0; i < queue->count && call->on_fault != NULL; i++)
        call->on_fault(call->user, &queue->fault[i]);
    queue->count = 0;
}

/* Count a fault, keep it while there is room, and report it. A fault that cannot be deferred stays in the list. */
static void keep(struct tf_fault_list *faults, const struct tf_callbacks *call, const struct tf_fault *fault)
{
    if (fault->hazard)
        faults->hazards++;
    else
        faults->faults++;
    if (faults->count < TF_FAULTS_KEPT)
        faults->kept[faults->count++] = *fault;
    if (faults->deferred != NULL)
        defer(faults->deferred, fault);
    else if (call->on_fault != NULL)
        call->on_fault(call->user, fault);
}

/* May a worker have logged anything since the last call? Worker 0 also acts for the host. */
static bool may_have_news(const struct tf_worker *worker)
{
    return worker->number == 0 || worker->chip->rules.mode == TF_MODE_RELAXED ||
           tf_took_part(worker, worker->chip->epochs.number);
}

static bool has_news(const struct tf_worker *worker)
{
    return may_have_news(worker) &&
           (worker->sink.out_of_memory || worker->trace_lost || tf_has_found(worker, TF_FOUND_FAULTED));
}

/* Few epochs have news: row `atomic-inc-1t`. */
static bool any_news(const struct tf_workers *workers)
{
    bool any = false;
    for (unsigned i = 0; i < workers->count; i++)
        any |= has_news(&workers->worker[i]);
    return any;
}

/* If *lost, report that the host had no memory. Returns the old *lost. */
static bool report_lost(struct tf_worker *worker, bool *lost, const char *text)
{
    struct tf_chip *chip = worker->chip;
    if (!*lost)
        return false;
    *lost = false;
    struct tf_fault fault = {.category = TF_FAULT_HOST, .core = TF_CORE_NONE, .cycle = chip->epochs.cycles};
    strcpy(fault.text, text);
    keep(&chip->faults, &chip->call, &fault);
    return true;
}

static bool report_all_lost(const struct tf_workers *workers)
{
    bool stopping = false;
    for (unsigned i = 0; i < workers->count; i++) {
        struct tf_worker *worker = &workers->worker[i];
        if (!has_news(worker))
            continue;
        stopping |= report_lost(worker, &worker->sink.out_of_memory,
                                "the host has no memory for NOC requests; some of them are lost");
        stopping |= report_lost(worker, &worker->trace_lost,
                                "the host has no memory for the trace; some of it is lost");
    }
    return stopping;
}

/* Take the lists of sites whose fault logs have entries. Workers made these lists. */
static struct tf_sites take_faulted(const struct tf_workers *workers)
{
    struct tf_sites faulted = {{0}};
    for (unsigned i = 0; i < workers->count; i++) {
        struct tf_worker *worker = &workers->worker[i];
        if (!may_have_news(worker) || !tf_has_found(worker, TF_FOUND_FAULTED))
            continue;
        tf_sites_join(&faulted, &worker->more.faulted);
        worker->found.what &= ~(unsigned)TF_FOUND_FAULTED;
    }
    return faulted;
}

/* Count the entries in the logs of all tiles of these sites. */
static size_t count_logged(const struct tf_fabric *fabric, const struct tf_sites *faulted)
{
    size_t count = 0;
    for (unsigned site = 0; site < fabric->nodes; site++)
        if (tf_sites_has(faulted, site))
            count += fabric->node[site].tile->faults.count;
    return count;
}

/* Empty a tile's log. Its entries go to all[*count] and on; if all is NULL, they go to the list. Returns true if an
   entry is a fault. */
static bool empty_log(struct tf_fault_list *faults, const struct tf_callbacks *call, struct tf_fault_log *log,
                      struct tf_fault *all, size_t *count)
{
    bool stopping = false;
    for (unsigned i = 0; i < log->count; i++) {
        stopping |= !log->entry[i].hazard;
        if (all != NULL)
            all[(*count)++] = log->entry[i];
        else
            keep(faults, call, &log->entry[i]);
    }
    faults->faults += log->dropped;
    faults->hazards += log->dropped_hazards;
    log->dropped = log->dropped_hazards = 0;
    log->count = 0;
    return stopping;
}

bool tf_faults_collect(struct tf_fault_list *faults, const struct tf_callbacks *call, const struct tf_workers *workers,
                       struct tf_fabric *fabric)
{
    if (!any_news(workers))
        return false;
    bool stopping = report_all_lost(workers);
    struct tf_sites faulted = take_faulted(workers);
    size_t total = tf_sites_none(&faulted) ? 0 : count_logged(fabric, &faulted), count = 0;
    if (total == 0)
        return stopping;
    struct tf_fault *all = malloc(total * sizeof *all);
    for (unsigned site = 0; site < fabric->nodes; site++)
        if (tf_sites_has(&faulted, site))
            stopping |= empty_log(faults, call, &fabric->node[site].tile->faults, all, &count);
    if (all != NULL)
        qsort(all, count, sizeof *all, compare);
    for (size_t i = 0; i < count; i++)
        keep(faults, call, &all[i]);
    free(all);
    return stopping;
}

size_t tf_fault_count(struct tf_chip *chip)
{
    return chip->faults.count;
}

int tf_fault_get(struct tf_chip *chip, size_t index, struct tf_fault *fault)
{
    if (index >= chip->faults.count || fault == NULL)
        return TF_ERANGE;
    *fault = chip->faults.kept[index];
    return TF_OK;
}
