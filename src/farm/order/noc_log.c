/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/order/noc_log.h"

#include <stdlib.h>
#include <string.h>

#include "farm/chip/chip.h"
#include "noc/requests/act.h"
#include "noc/event.h"
#include "noc/requests/land.h"

/* One step of a request, as the log notes it at a site. */
struct note {
    const struct tf_noc_request *request;
    uint64_t key;
    uint64_t cycle;    /* timing mode: of an action or a landing */
    uint32_t word;     /* for an issue, NOC_CTRL; for a landing, the result of an atomic */
    uint16_t node;     /* for an action, where it acted; for a landing, the node that acted */
    uint8_t initiator; /* for an issue */
    bool refused;      /* for a landing: a fault took the answer's place */
};

/* A list of notes in any order. */
struct notes {
    struct note *note;
    size_t count, room;
};

/* The steps of requests at a site in an epoch. */
struct site_log {
    struct notes step[TF_NOC_ACTED + 1]; /* indexed by enum tf_noc_step; REFUSED is kept with LANDED */
};

struct tf_noc_log {
    struct notes all; /* notes of one step, in delivery order */
    uint64_t *key;    /* keys of the last reported epoch's requests, in order */
    size_t keys, key_room;
    uint64_t issued_before, issued; /* number of requests before that epoch, and up to its end */
    uint64_t cycle;                 /* slice at its end */
    uint64_t epoch;                 /* its number; the first is 1 */
    bool lost;                      /* the host had no memory for a note */
    tf_on_noc *on_noc;
    void *user; /* of on_noc */
    unsigned sites;
    struct tf_noc_witness *witness; /* NULL if not needed */
    struct site_log site[TF_NODES_MAX];
};

#define ROOM_FIRST 256u

static bool make_room(struct notes *notes, size_t more)
{
    if (notes->room - notes->count >= more)
        return true;
    size_t room = notes->room == 0 ? ROOM_FIRST : notes->room * 2;
    while (room - notes->count < more)
        room *= 2;
    struct note *note = realloc(notes->note, room * sizeof *note);
    if (note == NULL)
        return false;
    notes->note = note;
    notes->room = room;
    return true;
}

static void add(struct tf_worker *worker, unsigned site, enum tf_noc_step step, struct note note)
{
    struct notes *notes = &worker->chip->observers.noc_log->site[site].step[step];
    if (make_room(notes, 1))
        notes->note[notes->count++] = note;
    else
        worker->trace_lost = true;
}

struct tf_noc_log *tf_noc_log_begin(unsigned sites, tf_on_noc *on_noc, void *user)
{
    struct tf_noc_log *log = calloc(1, sizeof *log);
    if (log == NULL)
        return NULL;
    log->sites = sites;
    log->on_noc = on_noc;
    log->user = user;
    return log;
}

void tf_noc_log_end(struct tf_noc_log *log)
{
    if (log == NULL)
        return;
    for (unsigned site = 0; site < log->sites; site++)
        for (unsigned step = 0; step <= TF_NOC_ACTED; step++)
            free(log->site[site].step[step].note);
    free(log->all.note);
    free(log->key);
    free(log);
}

void tf_noc_log_issued(struct tf_worker *worker, const struct tf_noc_request *as_sent,
                       const struct tf_noc_request *request)
{
    struct note note = {.request = request, .key = request->entry.key};
    note.initiator = (uint8_t)tf_noc_initiator_of(worker->chip->fabric, as_sent, &note.word);
    add(worker, request->source, TF_NOC_ISSUED, note);
}

void tf_noc_log_witness(struct tf_noc_log *log, struct tf_noc_witness *witness)
{
    if (log != NULL)
        log->witness = witness;
}

static void begin(struct tf_worker *worker, const struct tf_noc_request *acting, const struct tf_noc_request *landing)
{
    struct tf_noc_witness *witness = worker->chip->observers.noc_log->witness;
    if (witness != NULL)
        witness->begins(witness);
    worker->sink.acting = acting;
    worker->sink.landing = landing;
}

static void end(struct tf_worker *worker, const struct tf_noc_request *request, const struct tf_node *node)
{
    struct tf_noc_witness *witness = worker->chip->observers.noc_log->witness;
    worker->sink.acting = worker->sink.landing = NULL;
    if (witness != NULL)
        witness->done(witness, request, node);
}

void tf_noc_log_act(struct tf_worker *worker, struct tf_noc_request *request, uint16_t number)
{
    const struct tf_node *node = &worker->chip->fabric->node[number];
    bool opted_out = request->multicast && tf_niu_opted_out(&node->niu[request->noc]);
    worker->refused = false;
    begin(worker, request, NULL);
    tf_noc_act(worker->chip->fabric, request, number, &worker->sink);
    end(worker, request, node);
    if (!opted_out && !worker->refused)
        add(worker, node->site, TF_NOC_ACTED,
            (struct note){
                .request = request, .key = request->entry.key, .cycle = worker->outbox.arrival, .node = number});
}

void tf_noc_log_land_long_read(struct tf_worker *worker, struct tf_noc_response *response)
{
    begin(worker, NULL, response->request);
    tf_noc_land_long_read(worker->chip->fabric, response);
    end(worker, NULL, NULL);
}

void tf_noc_log_land(struct tf_worker *worker, unsigned site, const struct tf_noc_response *response)
{
    begin(worker, NULL, response->request);
    tf_noc_land(worker->chip->fabric, response);
    end(worker, NULL, NULL);
    struct note note = {
        .request = response->request,
        .key = response->entry.key,
        .cycle = worker->outbox.arrival,
        .node = response->entry.node,
        .refused = response->kind == TF_NOC_FAULT,
    };
    if (response->kind == TF_NOC_ATOMIC_RESULT)
        memcpy(&note.word, response->data, sizeof note.word);
    add(worker, site, TF_NOC_LANDED, note);
}

static int compare(const void *a, const void *b)
{
    const struct note *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->node - y->node;
}

/* Take the notes of all sites for a step, in delivery order. */
static const struct notes *take(struct tf_noc_log *log, enum tf_noc_step step)
{
    log->all.count = 0;
    for (unsigned site = 0; site < log->sites; site++) {
        struct notes *notes = &log->site[site].step[step];
        if (notes->count != 0 && make_room(&log->all, notes->count)) {
            memcpy(log->all.note + log->all.count, notes->note, notes->count * sizeof *notes->note);
            log->all.count += notes->count;
        } else if (notes->count != 0) {
            log->lost = true;
        }
        notes->count = 0;
    }
    if (log->all.count != 0)
        qsort(log->all.note, log->all.count, sizeof *log->all.note, compare);
    return &log->all;
}

/* Find the number of a request among sorted keys. The search begins at *from, which goes up. Returns 0 if the request
   was lost. */
static uint64_t number_of(const uint64_t *key, size_t keys, size_t *from, uint64_t wanted, uint64_t before)
{
    while (*from < keys && key[*from] < wanted)
        ++*from;
    return *from < keys && key[*from] == wanted ? before + *from + 1 : 0;
}

/* epoch: its number. cycle: of an action or a landing. */
static void report(const struct tf_noc_log *log, const struct tf_fabric *fabric, uint64_t epoch, uint64_t cycle,
                   const struct note *note, enum tf_noc_step step, uint64_t number)
{
    struct tf_noc_event event;
    if (number == 0)
        return;
    tf_noc_event_of(fabric, note->request, &event);
    event.request = number;
    event.step = note->refused ? TF_NOC_REFUSED : step;
    event.epoch = epoch;
    if (step == TF_NOC_ISSUED) {
        event.request_initiator = note->initiator;
        event.captured = note->request->data == note->request->carried;
        tf_noc_event_ctrl(note->word, &event);
    } else {
        event.cycle = cycle;
        event.target = event.target_last = fabric->node[note->node].coord;
        event.result = note->word;
    }
    log->on_noc(log->user, &event);
}

void tf_noc_report_landed(struct tf_noc_log *log, const struct tf_fabric *fabric, const struct tf_epochs *epochs)
{
    if (log == NULL || log->epoch == epochs->number)
        return;
    const struct notes *notes = take(log, TF_NOC_LANDED);
    size_t from = 0;
    for (size_t i = 0; i < notes->count; i++)
        report(log, fabric, epochs->number - 1, log->cycle, &notes->note[i], TF_NOC_LANDED,
               number_of(log->key, log->keys, &from, notes->note[i].key, log->issued_before));
}

/* Keep the keys of the requests that this epoch has issued. Returns false if the host has no memory. */
static bool keep_keys(struct tf_noc_log *log, const struct notes *notes)
{
    if (notes->count > log->key_room) {
        size_t room = notes->room;
        uint64_t *key = realloc(log->key, room * sizeof *key);
        if (key == NULL)
            return false;
        log->key = key;
        log->key_room = room;
    }
    log->keys = notes->count;
    log->issued_before = log->issued;
    log->issued += notes->count;
    for (size_t i = 0; i < notes->count; i++)
        log->key[i] = notes->note[i].key;
    return true;
}

void tf_noc_report_rest(struct tf_noc_log *log, const struct tf_fabric *fabric, const struct tf_epochs *epochs)
{
    if (log == NULL || log->epoch == epochs->number)
        return;
    const struct notes *notes = take(log, TF_NOC_ISSUED);
    if (!keep_keys(log, notes)) {
        log->keys = 0;
        log->lost = true;
    }
    for (size_t i = 0; i < notes->count && log->keys != 0; i++)
        report(log, fabric, epochs->number - 1, 0, &notes->note[i], TF_NOC_ISSUED, log->issued_before + i + 1);
    notes = take(log, TF_NOC_ACTED);
    size_t from = 0;
    for (size_t i = 0; i < notes->count; i++)
        report(log, fabric, epochs->number - 1, epochs->cycles, &notes->note[i], TF_NOC_ACTED,
               number_of(log->key, log->keys, &from, notes->note[i].key, log->issued_before));
    log->cycle = epochs->cycles;
    log->epoch = epochs->number;
}

void tf_noc_report_flights(struct tf_noc_log *log, const struct tf_fabric *fabric, const struct tf_epochs *epochs)
{
    static const enum tf_noc_step steps[] = {TF_NOC_LANDED, TF_NOC_ISSUED, TF_NOC_ACTED};
    for (unsigned s = 0; s < sizeof steps / sizeof steps[0]; s++) {
        const struct notes *notes = take(log, steps[s]);
        for (size_t i = 0; i < notes->count; i++) {
            const struct note *note = &notes->note[i];
            uint64_t number = note->key >> 32;
            if (steps[s] == TF_NOC_ISSUED) {
                number = ++log->issued;
                ((struct tf_noc_request *)(uintptr_t)note->request)->entry.key |= number << 32;
            }
            report(log, fabric, epochs->number, note->cycle, note, steps[s], number);
        }
    }
    log->epoch = epochs->number + 1; /* tf_traces_report() has nothing to add */
}

bool tf_noc_log_lost(struct tf_noc_log *log)
{
    bool lost = log != NULL && log->lost;
    if (lost)
        log->lost = false;
    return lost;
}
