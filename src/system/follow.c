/* SPDX-License-Identifier: Apache-2.0 */
/* A rank that follows the orders of rank 0 (lead.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "farm/saved/header.h"
#include "system/follow.h"
#include "system/processes/launch.h"
#include "system/moved.h"
#include "system/processes/notes.h"
#include "system/processes/orders.h"
#include "system/ranks.h"
#include "system/state.h"
#include "system/system.h"
#include "tilefarm/tilefarm_system_config.h"

struct follower;

struct followed_chip {
    struct follower *follower;
    unsigned chip;
};

struct follower {
    struct tf_transport *transport;
    struct tf_letters letters;
    struct tf_system *system; /* NULL: none now */
    unsigned threads;
    struct tf_notes notes;
    struct followed_chip chip[TF_CLUSTER_CHIPS_MAX];
    struct tf_message why;
};

static void keep_fault(void *user, const struct tf_fault *fault)
{
    const struct followed_chip *of = user;
    tf_notes_fault(&of->follower->notes, tf_ranks_window(of->follower->system), of->chip, fault);
}

static void keep_print(void *user, const struct tf_print_event *event)
{
    const struct followed_chip *of = user;
    tf_notes_print(&of->follower->notes, tf_ranks_window(of->follower->system), of->chip, event);
}

static void on_chip(void *user, unsigned chip, struct tf_config *config)
{
    struct follower *follower = user;
    follower->chip[chip] = (struct followed_chip){.follower = follower, .chip = chip};
    config->user = &follower->chip[chip];
    config->on_fault = keep_fault;
    config->on_print = keep_print;
}

/* ---- The system ---- */

static int create(struct follower *follower, struct tf_order_system *text, const struct tf_link_fault *fault,
                  struct tf_message *why)
{
    struct tf_system_config config;
    uint8_t owner[TF_CLUSTER_CHIPS_MAX];
    tf_system_config_init(&config);
    if (!tf_saved_to_config(&text->config, &config.chip)) {
        snprintf(why->text, sizeof why->text, "this build does not know the family of the chips");
        return TF_EINVAL;
    }
    text->cluster.arch = tf_arch_find(text->config.family);
    config.cluster = &text->cluster;
    config.chip.go_on_after_fault = text->go_on != 0;
    config.chip.threads = tf_launch_threads(follower->transport, follower->threads);
    config.chip.pin = false;
    config.link_latency_cycles = text->latency_cycles;
    config.link_gbps = text->gbps;
    config.link_fault = fault;
    config.link_faults = text->faults;
    config.on_chip = on_chip;
    config.user = follower;
    if (!tf_order_share(&text->cluster, follower->transport->ranks, owner, why))
        return TF_EINVAL;
    int error = tf_system_create(&config, &follower->system, why);
    if (error == TF_OK)
        error = tf_ranks_join(follower->system, follower->transport, owner);
    return error;
}

/* Returns whether the text of the order came as a whole. */
static bool receive_system(struct follower *follower, struct tf_order_answer *answer)
{
    struct tf_saved letter;
    struct tf_order_system text = {.faults = 0};
    if (!tf_letter_receive(&follower->letters, 0, TF_LETTER_TEXT, &letter, &follower->why))
        return false;
    TF_SAVED(&letter, text);
    tf_saved_demand(&letter, text.faults <= TF_LINK_FAULTS_MAX, "there are too many faults of links");
    struct tf_link_fault *fault = letter.why == NULL ? calloc(text.faults + 1, sizeof *fault) : NULL;
    if (fault != NULL)
        tf_saved_bytes(&letter, fault, text.faults * sizeof *fault);
    const bool fine = tf_letter_was_read(&letter, 0, &follower->why);
    tf_letter_end(&letter);
    if (fine && fault == NULL)
        *answer = (struct tf_order_answer){.error = TF_ENOMEM, .why = {"too little memory"}};
    else if (fine)
        answer->error = create(follower, &text, fault, &answer->why);
    if (fine && answer->error != TF_OK && answer->why.text[0] == '\0')
        snprintf(answer->why.text, sizeof answer->why.text, "%s", tf_strerror(answer->error));
    free(fault);
    return fine;
}

static bool make_system(struct follower *follower)
{
    struct tf_order_answer answer = {.error = TF_OK};
    if (!receive_system(follower, &answer))
        return false;
    struct tf_saved letter;
    if (tf_letter_begin(&letter))
        TF_SAVED(&letter, answer);
    const bool fine = tf_letter_send(&follower->letters, 0, TF_LETTER_TEXT, &letter, &follower->why);
    tf_letter_end(&letter);
    return fine;
}

/* ---- Orders ---- */

static bool note_why(struct follower *follower)
{
    const char *why = tf_ranks_why(follower->system);
    snprintf(follower->why.text, sizeof follower->why.text, "%s", why[0] != '\0' ? why : "too little memory");
    return false;
}

static bool run(struct follower *follower, const struct tf_system_run_options *options)
{
    int error = tf_system_run(follower->system, options, NULL);
    if (error == TF_EIO || error == TF_ENOMEM)
        return note_why(follower);
    struct tf_saved letter;
    if (tf_letter_begin(&letter))
        tf_notes_write(&follower->notes, &letter);
    const bool fine = tf_letter_send(&follower->letters, 0, TF_LETTER_TEXT, &letter, &follower->why);
    tf_letter_end(&letter);
    tf_notes_clear(&follower->notes);
    return fine;
}

static void end_system(struct follower *follower)
{
    tf_system_destroy(follower->system);
    tf_notes_clear(&follower->notes);
    follower->system = NULL;
}

/* Returns whether this rank goes on. */
static bool follow(struct follower *follower, const struct tf_order *order)
{
    const bool moves = order->kind == TF_ORDER_SEND || order->kind == TF_ORDER_TAKE;
    if (order->kind == TF_ORDER_SYSTEM)
        return make_system(follower);
    if (order->kind == TF_ORDER_END)
        end_system(follower);
    else if (follower->system == NULL)
        return true; /* rank 0 ends, too: another rank could not make the system */
    else if (order->kind == TF_ORDER_PASS)
        tf_system_pass(follower->system, order->cycle);
    else if (order->kind == TF_ORDER_RUN)
        return run(follower, &order->options);
    else if (moves && tf_ranks_move(follower->system, order->chips, order->kind == TF_ORDER_SEND) != TF_OK)
        return note_why(follower);
    return true;
}

int tf_follow(struct tf_transport *transport, unsigned threads, struct tf_message *why)
{
    struct follower follower = {.transport = transport, .threads = threads};
    struct tf_order order = {.kind = TF_ORDER_CLOSE};
    follower.letters.transport = transport;
    bool fine;
    do
        fine = tf_order_receive(&follower.letters, &order, &follower.why);
    while (fine && order.kind != TF_ORDER_CLOSE && (fine = follow(&follower, &order)));
    *why = follower.why;
    end_system(&follower);
    transport->close(transport, fine ? 0 : TF_TRANSPORT_GO_ON, fine ? NULL : why->text);
    return fine ? TF_OK : TF_EIO;
}
