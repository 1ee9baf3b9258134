/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/order/long.h"

#include <string.h>

#include "farm/chip/chip.h"
#include "noc/requests/initiator.h"

void tf_stage_long_write(struct tf_worker *worker, struct tf_noc_request *request)
{
    uint8_t *copy = tf_arena_take(worker->outbox.arena, request->length);
    if (copy == NULL) {
        worker->sink.out_of_memory = true;
        return;
    }
    memcpy(copy, request->data, request->length);
    request->data = copy;
}

void tf_stage_long_writes(struct tf_worker *worker, unsigned site)
{
    for (struct tf_bulk *write = worker->chip->site[site].long_writes; write != NULL; write = write->next)
        tf_stage_long_write(worker, write->request);
}

/* A quiet tile stops before its epoch ends, but the sources of its long writes are captured at the epoch's end. So a
   hart that polls the counters sees them move at the epoch's end, whether it is parked or not. */
void tf_capture_long_writes(struct tf_site *site, struct tf_node *node)
{
    for (struct tf_bulk *write = site->uncaptured; write != NULL; write = write->next)
        tf_niu_captured(&node->niu[write->request->noc], write->request);
    site->uncaptured = NULL;
}
