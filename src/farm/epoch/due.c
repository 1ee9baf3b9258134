/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/epoch/due.h"

#include "farm/chip/figures.h"
#include "farm/chip/rules.h"
#include "host/clock.h"
#include "noc/nodes/space.h"

bool tf_progress_due(const struct tf_callbacks *call, struct tf_host_statistics *host)
{
    if (call->on_progress == NULL)
        return false;
    double time_s = tf_seconds();
    if (time_s - host->progress_s < TF_PROGRESS_S)
        return false;
    host->progress_s = time_s;
    return true;
}

bool tf_is_late(const struct tf_run_options *options, const struct tf_host_statistics *host)
{
    return options->wall_s_max > 0 && tf_seconds() - host->run_began_s >= options->wall_s_max;
}

bool tf_has_value(struct tf_fabric *fabric, const struct tf_run_options *options)
{
    if (!options->until)
        return false;
    bool zero = false;
    struct tf_node *node = &fabric->node[tf_node_number(fabric->arch, options->until_node)];
    uint8_t *memory = tf_node_memory(node, options->until_address, 4, false, &zero);
    uint32_t value = 0;
    if (memory != NULL)
        value = __atomic_load_n((const uint32_t *)memory, __ATOMIC_ACQUIRE);
    return value == options->until_value;
}
