/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path of a system in timing mode: that of all chips, and of packets on links. */
#include "farm/run/path.h"

#include "system/state.h"
#include "tilefarm/tilefarm_times.h"

static void list_chips(struct tf_system *system, struct tf_chip *chip[TF_CLUSTER_CHIPS_MAX])
{
    for (unsigned i = 0; i < system->cluster.chips; i++)
        chip[i] = system->part[i].chip;
}

int tf_system_path_record(struct tf_system *system)
{
    struct tf_chip *chip[TF_CLUSTER_CHIPS_MAX];
    if (system == NULL || system->ranks != NULL || system->led != NULL)
        return TF_EINVAL;
    list_chips(system, chip);
    return tf_path_record_chips(chip, system->cluster.chips);
}

int tf_system_path_read(struct tf_system *system, struct tf_system_path_part *parts, size_t room, size_t *count)
{
    struct tf_chip *chip[TF_CLUSTER_CHIPS_MAX];
    if (system == NULL || (parts == NULL && room != 0) || count == NULL)
        return TF_EINVAL;
    list_chips(system, chip);
    for (unsigned i = 0; i < system->cluster.chips; i++)
        if (!tf_path_is_recorded(chip[i], true))
            return TF_EINVAL;
    return tf_path_read_chips(chip, system->cluster.chips, parts, room, count);
}
