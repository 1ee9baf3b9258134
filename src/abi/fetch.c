/* SPDX-License-Identifier: Apache-2.0 */
#include "abi/fetch.h"

#include <stdlib.h>
#include <string.h>

#include "abi/abi.h"
#include "abi/report.h"
#include "system/lead.h"
#include "system/led.h"
#include "system/meet.h"
#include "system/state.h"
#include "system/processes/transport.h"

void abi_lead(struct abi *abi)
{
    const char *text = getenv("TILEFARM_SPREAD");
    struct tf_message why = {"too little memory"};
    if (abi->transport != NULL || text == NULL || strcmp(text, "0") == 0)
        return;
    if (strcmp(text, "1") != 0) {
        abi_refuse(abi, "TILEFARM_SPREAD is neither 0 nor 1; 0 is used");
        return;
    }
    abi->transport = calloc(1, sizeof *abi->transport);
    if (abi->transport != NULL && tf_ranks_meet(abi->transport, true, &why) == TF_OK)
        abi->lead = tf_lead_create(abi->transport, false);
    if (abi->lead == NULL)
        abi_refuse(abi, "TILEFARM_SPREAD: %.150s; this process runs all chips", why.text);
}

const char *abi_fetch(struct abi *abi, uint32_t chip)
{
    if (abi->system == NULL || tf_led_fetch(abi->system->led, chip))
        return NULL;
    abi->stopped = true;
    return tf_lead_why(abi->lead);
}

void abi_fetch_all(struct abi *abi)
{
    if (abi->system != NULL)
        tf_led_fetch_all(abi->system->led, abi->devices);
}
