/* SPDX-License-Identifier: Apache-2.0 */
/* A worker takes part in an epoch: called with its first site, so that a worker without a site costs nothing. */
#include "farm/share/take_part.h"

#include "farm/chip/chip.h"
#include "farm/chip/found.h"
#include "farm/order/deliver.h"

void tf_take_part(struct tf_worker *worker)
{
    struct tf_chip *chip = worker->chip;
    if (tf_took_part(worker, chip->epochs.number + 1))
        return;
    worker->found = (struct tf_found){.epoch = chip->epochs.number + 1, .ahead = UINT64_MAX};
    worker->outbox.first = tf_first_site(chip->epochs.number, chip->sharing.plan.sites);
    tf_deliver_begin(worker);
}
