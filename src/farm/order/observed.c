/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/order/observed.h"

#include "farm/chip/chip.h"
#include "farm/order/noc_log.h"
#include "noc/event.h"
#include "noc/requests/land.h"
#include "races/races.h"
#include "races/requests.h"

uint32_t tf_observed_issue(struct tf_worker *worker, const struct tf_noc_request *as_sent,
                           const struct tf_noc_request *request, uint64_t epoch)
{
    const struct tf_chip *chip = worker->chip;
    uint32_t ctrl;
    const bool streamed = tf_noc_initiator_of(chip->fabric, as_sent, &ctrl) == TF_NIU_OVERLAY;
    return tf_races_issued(chip->observers.races, request, streamed ? NULL : &ctrl, epoch);
}

void tf_observed_act(struct tf_worker *worker, struct tf_noc_request *request, uint16_t node, uint64_t epoch)
{
    struct tf_chip *chip = worker->chip;
    if (TF_HOOK(chip->observers.races) != NULL)
        tf_races_acts(chip->observers.races, request, node, epoch);
    if (TF_HOOK(chip->observers.noc_log) != NULL)
        tf_noc_log_act(worker, request, node);
    else
        tf_noc_act(chip->fabric, request, node, &worker->sink);
    if (TF_HOOK(chip->observers.races) != NULL)
        tf_races_acted(chip->observers.races, node);
}

void tf_observed_land(struct tf_worker *worker, unsigned site, const struct tf_noc_response *response, uint64_t epoch)
{
    struct tf_chip *chip = worker->chip;
    if (TF_HOOK(chip->observers.races) != NULL)
        tf_races_lands(chip->observers.races, response, epoch);
    if (TF_HOOK(chip->observers.noc_log) != NULL)
        tf_noc_log_land(worker, site, response);
    else
        tf_noc_land(chip->fabric, response);
}
