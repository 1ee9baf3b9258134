/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The saved state of what is in flight between epochs: responses that have not landed, and answers that requests keep.
 * Both are saved as responses in delivery order, and become responses in the mail of worker 0.
 */
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/order/deliver.h"
#include "farm/order/saved.h"
#include "host/saved.h"

/* A response, and the fields of its request that landing needs. */
struct flown {
    uint64_t key, address, cycle;
    uint32_t length, pc;
    uint16_t from, node, source;
    uint8_t kind, noc, tid, core, landed, category;
    uint8_t request_kind, request_core;
};

TF_SAVED_WHOLE(struct tf_noc_entry, 24);
TF_SAVED_WHOLE(struct tf_noc_response, 64);
TF_SAVED_WHOLE(struct tf_noc_request, 128);

#define WHY_BYTES_MAX 4096u

/* The fields of struct flown: X(field, of the response), or Y(field, of the request). */
#define FLOWN(X, Y)       \
    X(key, entry.key)     \
    X(address, address)   \
    X(length, length)     \
    X(from, entry.node)   \
    X(node, node)         \
    X(kind, kind)         \
    X(noc, noc)           \
    X(tid, tid)           \
    X(core, core)         \
    X(landed, landed)     \
    X(category, category) \
    Y(cycle, cycle) Y(pc, pc) Y(source, source) Y(request_kind, kind) Y(request_core, core)

static struct flown take_down(const struct tf_noc_response *response)
{
    struct flown flown = {.key = 0};
#define OF_RESPONSE(field_, member_) flown.field_ = response->member_;
#define OF_REQUEST(field_, member_) flown.field_ = response->request->member_;
    FLOWN(OF_RESPONSE, OF_REQUEST)
#undef OF_RESPONSE
#undef OF_REQUEST
    return flown;
}

/* The bytes that follow a response: data that have not landed, or the sentence of a fault with its NUL. */
static uint64_t payload_of(const struct tf_noc_response *response)
{
    if (response->kind == TF_NOC_FAULT)
        return strlen(response->why) + 1;
    return response->landed ? 0 : response->length;
}

static void write_response(struct tf_saved *saved, const struct tf_noc_response *response)
{
    struct flown flown = take_down(response);
    uint64_t bytes = payload_of(response);
    TF_SAVED(saved, flown);
    tf_saved_number(saved, bytes);
    if (bytes != 0)
        tf_saved_bytes(saved, (void *)(uintptr_t)response->data, bytes);
}

static void write_site(struct tf_saved *saved, struct tf_worker *worker_0, unsigned site)
{
    struct tf_due due = tf_responses_due(worker_0, site);
    struct tf_noc_response made;
    const struct tf_noc_response *response;
    tf_saved_number(saved, tf_due_count(due));
    while ((response = tf_due_next(&due, &made)) != NULL)
        write_response(saved, response);
}

/* Could this response be in flight to the site? */
static bool is_possible(const struct tf_fabric *fabric, const struct flown *flown, uint64_t bytes, unsigned site)
{
    bool fault = flown->kind == TF_NOC_FAULT;
    uint64_t length = flown->landed ? 0 : flown->length;
    return flown->kind <= TF_NOC_FAULT && flown->noc < 2 && flown->tid < TF_NOC_TIDS && flown->from < fabric->nodes &&
           flown->node < fabric->nodes && flown->source < fabric->nodes && tf_site_of(fabric, flown->node) == site &&
           flown->request_kind <= TF_NOC_ATOMIC && (fault ? bytes != 0 && bytes <= WHY_BYTES_MAX : bytes == length);
}

static void assemble(const struct flown *flown, struct tf_noc_request *request, struct tf_noc_response *response)
{
    *request = (struct tf_noc_request){.kind = 0};
    *response = (struct tf_noc_response){.request = request};
#define TO_RESPONSE(field_, member_) response->member_ = flown->field_;
#define TO_REQUEST(field_, member_) request->member_ = flown->field_;
    FLOWN(TO_RESPONSE, TO_REQUEST)
#undef TO_RESPONSE
#undef TO_REQUEST
}

static void read_response(struct tf_saved *saved, struct tf_worker *worker, unsigned site)
{
    uint64_t epoch = worker->chip->epochs.number - 1;
    struct tf_arena *arena = &worker->arena[epoch & 1];
    struct flown flown = {.key = 0};
    TF_SAVED(saved, flown);
    uint64_t bytes = tf_saved_number(saved, 0);
    if (saved->why == NULL && !is_possible(worker->chip->fabric, &flown, bytes, site))
        tf_saved_fail(saved, "it is damaged: a response is invalid");
    if (saved->why != NULL)
        return;
    struct tf_noc_request *request = tf_arena_take(arena, sizeof *request);
    struct tf_noc_response *response = tf_arena_take(arena, sizeof *response + bytes);
    if (request == NULL || response == NULL) {
        tf_saved_fail(saved, tf_saved_no_memory);
        return;
    }
    assemble(&flown, request, response);
    tf_saved_bytes(saved, response->carried, bytes);
    response->data = bytes != 0 ? response->carried : NULL;
    if (flown.kind == TF_NOC_FAULT)
        response->carried[bytes - 1] = '\0';
    tf_mail_put(&worker->outbox.mail[tf_responses_of(epoch)][site], &response->entry);
}

void tf_deliver_state(struct tf_saved *saved, struct tf_worker *worker_0)
{
    struct tf_chip *chip = worker_0->chip;
    chip->epochs.merges |= saved->reads;
    for (unsigned site = 0; site < chip->fabric->nodes && saved->why == NULL; site++) {
        if (!saved->reads) {
            write_site(saved, worker_0, site);
            continue;
        }
        for (uint64_t left = tf_saved_number(saved, 0); left != 0 && saved->why == NULL; left--)
            read_response(saved, worker_0, site);
    }
}

void tf_deliver_clear(struct tf_workers *workers, struct tf_site *sites, unsigned count)
{
    for (unsigned i = 0; i < workers->count; i++) {
        struct tf_worker *worker = &workers->worker[i];
        memset(worker->outbox.mail, 0, sizeof worker->outbox.mail);
        tf_arena_reset(&worker->arena[0]);
        tf_arena_reset(&worker->arena[1]);
        worker->found = (struct tf_found){.epoch = 0};
        worker->sink.out_of_memory = false;
    }
    for (unsigned i = 0; i < count; i++) {
        struct tf_site *site = &sites[i];
        site->inbox = (struct tf_inbox){.gathered = false};
        site->kept = NULL;
        site->long_writes = site->long_reads = site->uncaptured = NULL;
    }
}
