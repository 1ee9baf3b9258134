/* SPDX-License-Identifier: Apache-2.0 */
#include "system/lead.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "farm/chip/chip.h"
#include "farm/saved/header.h"
#include "system/led.h"
#include "system/moved.h"
#include "system/processes/notes.h"
#include "system/processes/orders.h"
#include "system/ranks.h"
#include "system/state.h"

/* A chip of rank 0, whose callbacks wait until a run has ended. */
struct own {
    struct tf_lead *lead;
    unsigned chip;
    struct tf_callbacks call; /* as given */
};

struct tf_lead {
    struct tf_led led; /* must come first: its functions find the rest by it */
    struct tf_transport *transport;
    struct tf_letters letters;
    struct tf_system *system; /* NULL: none now */
    uint8_t owner[TF_CLUSTER_CHIPS_MAX];
    uint32_t elsewhere; /* chips of other ranks */
    uint32_t known;     /* those whose state rank 0 has, */
    uint32_t touched;   /* and those of them that the host has accessed */
    uint64_t passed;    /* cycle up to which time passes on chips elsewhere, before anything else; 0: none */
    bool runs;
    pid_t process; /* a fork of it must not speak for it */
    bool quiet;    /* when the last run ended, nothing was to happen any more */
    bool failed;
    bool owns;             /* the transport */
    struct tf_message why; /* if a rank has failed */
    struct tf_notes notes;
    struct own own[TF_CLUSTER_CHIPS_MAX];
};

static bool mark_failed(struct tf_lead *lead)
{
    lead->failed = true;
    return false;
}

static bool send_all(struct tf_lead *lead, const struct tf_order *order)
{
    bool fine = true;
    for (unsigned i = 1; i < lead->transport->ranks && fine; i++)
        fine = tf_order_send(&lead->letters, i, order, &lead->why);
    return fine || mark_failed(lead);
}

/* Call before an order, or a text to ranks. */
static bool may_speak(struct tf_lead *lead)
{
    const uint64_t passed = lead->passed;
    if (lead->failed)
        return false;
    if (getpid() != lead->process) {
        snprintf(lead->why.text, sizeof lead->why.text, "ranks follow the client alone, and this is a fork of it");
        return mark_failed(lead);
    }
    lead->passed = 0;
    return passed == 0 || send_all(lead, &(struct tf_order){.kind = TF_ORDER_PASS, .cycle = passed});
}

static bool order_all(struct tf_lead *lead, const struct tf_order *order)
{
    return may_speak(lead) && send_all(lead, order);
}

static bool order_one(struct tf_lead *lead, unsigned rank, const struct tf_order *order)
{
    return may_speak(lead) && (tf_order_send(&lead->letters, rank, order, &lead->why) || mark_failed(lead));
}

struct tf_lead *tf_lead_create(struct tf_transport *transport, bool owns)
{
    struct tf_lead *lead = calloc(1, sizeof *lead);
    if (lead == NULL)
        return NULL;
    lead->letters.transport = lead->transport = transport;
    lead->process = getpid();
    lead->owns = owns;
    return lead;
}

void tf_lead_close(struct tf_lead *lead)
{
    if (lead == NULL)
        return;
    order_all(lead, &(struct tf_order){.kind = TF_ORDER_CLOSE});
    if (getpid() == lead->process)
        lead->transport->close(lead->transport, lead->failed ? TF_TRANSPORT_GO_ON : 0,
                               lead->failed ? lead->why.text : NULL);
    if (lead->owns)
        free(lead->transport);
    free(lead);
}

/* ---- A system begins and ends ---- */

static bool send_system(struct tf_lead *lead, const struct tf_system *system)
{
    struct tf_order_system text;
    memset(&text, 0, sizeof text);
    text.cluster = system->cluster;
    text.cluster.arch = NULL;
    tf_saved_describe(system->config, system->part[0].chip->arch, &text.config);
    text.go_on = system->rules.go_on_after_fault;
    text.latency_cycles = system->latency_cycles;
    text.gbps = system->gbps;
    text.faults = system->faults.count;
    if (!order_all(lead, &(struct tf_order){.kind = TF_ORDER_SYSTEM}))
        return false;
    struct tf_saved letter;
    bool fine = tf_letter_begin(&letter);
    if (fine) {
        TF_SAVED(&letter, text);
        tf_saved_bytes(&letter, system->faults.fault, text.faults * sizeof *system->faults.fault);
    }
    for (unsigned i = 1; i < lead->transport->ranks && fine; i++)
        fine = tf_letter_send(&lead->letters, i, TF_LETTER_TEXT, &letter, &lead->why);
    tf_letter_end(&letter);
    return fine || mark_failed(lead);
}

/* Have all made the system? */
static int receive_answers(struct tf_lead *lead, struct tf_message *why)
{
    int error = TF_OK;
    for (unsigned i = 1; i < lead->transport->ranks; i++) {
        struct tf_saved letter;
        struct tf_order_answer answer = {.error = TF_OK};
        bool fine = tf_letter_receive(&lead->letters, i, TF_LETTER_TEXT, &letter, &lead->why);
        if (fine) {
            TF_SAVED(&letter, answer);
            fine = tf_letter_was_read(&letter, i, &lead->why);
            tf_letter_end(&letter);
        }
        if (!fine) {
            mark_failed(lead);
            *why = lead->why;
            return TF_EIO;
        }
        if (answer.error != TF_OK && error == TF_OK) {
            error = answer.error;
            snprintf(why->text, sizeof why->text, "rank %u: %.200s", i, answer.why.text);
        }
    }
    return error;
}

static void keep_fault(void *user, const struct tf_fault *fault)
{
    struct own *own = user;
    if (own->lead->runs)
        tf_notes_fault(&own->lead->notes, tf_ranks_window(own->lead->system), own->chip, fault);
    else
        own->call.on_fault(own->call.user, fault);
}

static void keep_print(void *user, const struct tf_print_event *event)
{
    struct own *own = user;
    if (own->lead->runs)
        tf_notes_print(&own->lead->notes, tf_ranks_window(own->lead->system), own->chip, event);
    else
        own->call.on_print(own->call.user, event);
}

/* Stand between a chip of rank 0 and the callbacks of the client. */
static void take_callbacks(struct tf_lead *lead, struct tf_chip *chip, unsigned number)
{
    struct own *own = &lead->own[number];
    struct tf_callbacks *call = &chip->call;
    *own = (struct own){.lead = lead, .chip = number, .call = *call};
    call->user = own;
    call->on_fault = call->on_fault != NULL ? keep_fault : NULL;
    call->on_print = call->on_print != NULL ? keep_print : NULL;
}

static void leave(struct tf_led *led)
{
    struct tf_lead *lead = (struct tf_lead *)led;
    struct tf_system *system = lead->system;
    for (unsigned i = 0; i < system->cluster.chips; i++)
        if (!(lead->elsewhere >> i & 1))
            system->part[i].chip->call = lead->own[i].call;
    order_all(lead, &(struct tf_order){.kind = TF_ORDER_END});
    tf_notes_clear(&lead->notes);
    lead->system = NULL;
    system->led = NULL;
}

/* ---- Chips come and go ---- */

static bool knows(const struct tf_led *led, unsigned chip, bool *quiet)
{
    const struct tf_lead *lead = (const struct tf_lead *)led;
    if (!((lead->elsewhere & ~lead->known) >> chip & 1))
        return true;
    *quiet = lead->quiet;
    return false;
}

static bool fetch(struct tf_led *led, unsigned chip)
{
    struct tf_lead *lead = (struct tf_lead *)led;
    struct tf_system *system = lead->system;
    if (lead->runs || !(lead->elsewhere >> chip & 1))
        return true;
    const uint32_t bit = 1u << chip;
    lead->touched |= bit;
    if (lead->failed || lead->known & bit)
        return !lead->failed;
    const struct tf_order order = {.kind = TF_ORDER_SEND, .chips = bit};
    if (!order_one(lead, lead->owner[chip], &order))
        return false;
    if (tf_ranks_move(system, bit, true) != TF_OK) {
        snprintf(lead->why.text, sizeof lead->why.text, "%s", tf_ranks_why(system));
        return mark_failed(lead);
    }
    lead->known |= bit;
    return true;
}

const char *tf_lead_why(const struct tf_lead *lead)
{
    return lead->why.text;
}

static void restored(struct tf_led *led)
{
    struct tf_lead *lead = (struct tf_lead *)led;
    lead->known = lead->touched = lead->elsewhere;
}

/* What the host's stores to TX queues of such chips have sent stays at rank 0 until their receivers are here. */
static bool gather_sent(struct tf_lead *lead)
{
    struct tf_system *system = lead->system;
    bool fine = true;
    for (unsigned i = 0; i < 2 * system->cluster.links && fine; i++) {
        struct tf_lane *lane = &system->lane[i];
        if (!(lead->touched >> lane->from.chip & 1) || !tf_lane_has_sent(lane))
            continue;
        fine = fetch(&lead->led, lane->to.chip);
        if (fine)
            tf_lane_gather(lane, &system->listener);
    }
    return fine;
}

static bool give_back(struct tf_lead *lead)
{
    struct tf_system *system = lead->system;
    for (unsigned rank = 1; rank < lead->transport->ranks; rank++) {
        struct tf_order order = {.kind = TF_ORDER_TAKE};
        for (unsigned i = 0; i < system->cluster.chips; i++)
            if (lead->touched >> i & 1 && lead->owner[i] == rank)
                order.chips |= 1u << i;
        if (order.chips != 0 && !order_one(lead, rank, &order))
            return false;
    }
    if (tf_ranks_move(system, lead->touched, false) == TF_OK)
        return true;
    snprintf(lead->why.text, sizeof lead->why.text, "%s", tf_ranks_why(system));
    return mark_failed(lead);
}

/* ---- Runs ---- */

static bool begin_run(struct tf_led *led, const struct tf_system_run_options *options)
{
    struct tf_lead *lead = (struct tf_lead *)led;
    if (lead->failed || !gather_sent(lead) || !give_back(lead))
        return false;
    lead->known = lead->touched = 0;
    lead->runs = order_all(lead, &(struct tf_order){.kind = TF_ORDER_RUN, .options = *options});
    return lead->runs;
}

static bool receive_notes(struct tf_lead *lead, unsigned from)
{
    struct tf_saved letter;
    if (!tf_letter_receive(&lead->letters, from, TF_LETTER_TEXT, &letter, &lead->why))
        return mark_failed(lead);
    tf_notes_read(&lead->notes, &letter);
    const bool fine = tf_letter_was_read(&letter, from, &lead->why);
    tf_letter_end(&letter);
    return fine || mark_failed(lead);
}

static void tell(struct tf_lead *lead, const struct tf_note *note)
{
    const unsigned chip = note->chip;
    if (chip >= lead->system->cluster.chips)
        return;
    const bool own = !(lead->elsewhere >> chip & 1);
    const struct tf_callbacks *call = own ? &lead->own[chip].call : &lead->system->part[chip].chip->call;
    if (note->prints && call->on_print != NULL)
        call->on_print(call->user, &note->print);
    else if (!note->prints && call->on_fault != NULL)
        call->on_fault(call->user, &note->fault);
}

static bool end_run(struct tf_led *led)
{
    struct tf_lead *lead = (struct tf_lead *)led;
    const struct tf_system *system = lead->system;
    lead->runs = false;
    lead->quiet = system->news.next_of_all == UINT64_MAX;
    if (tf_ranks_why(system)[0] != '\0') {
        snprintf(lead->why.text, sizeof lead->why.text, "%s", tf_ranks_why(system));
        return mark_failed(lead);
    }
    for (unsigned i = 1; i < lead->transport->ranks; i++)
        if (!receive_notes(lead, i))
            return false;
    struct tf_notes notes = lead->notes;
    lead->notes = (struct tf_notes){.note = NULL};
    tf_notes_sort(&notes);
    for (size_t i = 0; i < notes.count; i++)
        tell(lead, &notes.note[i]);
    tf_notes_clear(&notes);
    return true;
}

static void pass(struct tf_led *led, uint64_t cycle)
{
    ((struct tf_lead *)led)->passed = cycle;
}

/* ---- A system begins ---- */

void tf_lead_touch(struct tf_lead *lead)
{
    lead->touched = lead->elsewhere;
}

int tf_lead_take(struct tf_lead *lead, struct tf_system *system, struct tf_message *why)
{
    if (!tf_order_share(&system->cluster, lead->transport->ranks, lead->owner, why))
        return TF_EINVAL;
    int error = send_system(lead, system) ? receive_answers(lead, why) : TF_EIO;
    if (error == TF_OK)
        error = tf_ranks_join(system, lead->transport, lead->owner);
    if (error != TF_OK) {
        if (lead->failed)
            *why = lead->why;
        order_all(lead, &(struct tf_order){.kind = TF_ORDER_END});
        return error;
    }
    lead->system = system;
    lead->elsewhere = lead->touched = 0;
    lead->quiet = false;
    lead->passed = 0;
    for (unsigned i = 0; i < system->cluster.chips; i++)
        if (lead->owner[i] != 0)
            lead->elsewhere |= 1u << i;
        else
            take_callbacks(lead, system->part[i].chip, i);
    lead->known = lead->elsewhere; /* all have made equal chips */
    lead->led = (struct tf_led){.fetch = fetch,
                                .begin = begin_run,
                                .end = end_run,
                                .pass = pass,
                                .knows = knows,
                                .restored = restored,
                                .leave = leave};
    system->led = &lead->led;
    return TF_OK;
}
