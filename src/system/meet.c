/* SPDX-License-Identifier: Apache-2.0 */
#include "system/meet.h"

#include <string.h>

#include "farm/saved/header.h"
#include "system/greeting.h"
#include "system/processes/launch.h"
#include "system/ranks.h"
#include "tilefarm/tilefarm_base.h"

int tf_ranks_meet(struct tf_transport *transport, bool leads, struct tf_message *why)
{
    struct tf_saved_config config;
    struct tf_saved_header header;
    int error = tf_launch_open(transport, why);
    if (error != TF_OK)
        return error;
    memset(&config, 0, sizeof config);
    tf_saved_header(&config, TF_SAVED_CHIP, 0, &header);
    const struct tf_ranks_plan plan = {.layout = header.layout,
                                       .led = leads == (transport->rank == 0) ? TF_LED : TF_LED_WRONGLY};
    error = tf_ranks_greet(transport, &plan, why);
    if (error == TF_EINVAL) /* all ranks end in this way */
        transport->close(transport, 0, NULL);
    else if (error != TF_OK)
        transport->close(transport, TF_TRANSPORT_GO_ON, why->text);
    return error;
}
