/* SPDX-License-Identifier: Apache-2.0 */
/* An owner performs what was handed to its site, or drops it when the run has ended (R2, R6, R7, R10). */
#include "farm/relaxed/taken.h"

#include <stdlib.h>

#include "farm/relaxed/link.h"
#include "farm/relaxed/sink.h"
#include "host/assert.h"

static struct ck_stack_entry *oldest_first(struct ck_stack_entry *entry)
{
    struct ck_stack_entry *reversed = NULL;
    while (entry != NULL) {
        struct ck_stack_entry *next = entry->next;
        entry->next = reversed;
        reversed = entry;
        entry = next;
    }
    return reversed;
}

void tf_relaxed_take_handed(struct tf_worker *worker, struct tf_site *site)
{
    struct ck_stack_entry *entry = oldest_first(tf_queue_take(&site->relaxed.handed));
    TF_ASSERT(&worker->chip->site[worker->relaxed.owned] == site);
    while (entry != NULL) {
        struct tf_inbound *inbound = (struct tf_inbound *)entry;
        entry = entry->next;
        tf_arena_reset(&worker->arena[0]);
        if (inbound->request != NULL)
            tf_relaxed_perform(worker, inbound->request, inbound->node);
        else if (inbound->response != NULL)
            tf_relaxed_land(worker, inbound->response);
        else if (inbound->sent != NULL)
            tf_relaxed_arrive(site->relaxed.port, worker->chip->fabric->node[worker->relaxed.owned].tile,
                              inbound->sent);
        if (inbound->source != TF_NO_NODE)
            atomic_fetch_sub_explicit(&worker->chip->site[inbound->source].relaxed.held, 1, memory_order_release);
        free(inbound);
    }
}

void tf_relaxed_drop(struct tf_site *site)
{
    struct ck_stack_entry *entry = tf_queue_take(&site->relaxed.handed);
    while (entry != NULL) {
        struct ck_stack_entry *next = entry->next;
        struct tf_inbound *inbound = (struct tf_inbound *)entry;
        if (inbound->sent != NULL)
            tf_relaxed_drop_sent(inbound->sent);
        free(inbound);
        entry = next;
    }
}
