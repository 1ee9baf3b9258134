/* SPDX-License-Identifier: Apache-2.0 */
#include "system/twin.h"

#include "farm/chip/chip.h"
#include "farm/run/part.h"
#include "system/state.h"
#include "system/system.h"
#include "tile/eth/connect.h"
#include "tilefarm/tilefarm_system_config.h"

void tf_system_configured(const struct tf_system *system, struct tf_system_config *config)
{
    tf_system_config_init(config);
    config->cluster = &system->cluster;
    config->chip = *system->config;
    config->chip.on_fault = NULL;
    config->chip.on_progress = NULL;
    config->chip.on_tensix = NULL;
    config->chip.on_riscv = NULL;
    config->chip.on_print = NULL;
    config->chip.on_noc = NULL;
    config->chip.on_epoch = NULL;
    config->chip.on_host_read = NULL;
    config->chip.on_host_write = NULL;
    config->link_latency_cycles = system->latency_cycles;
    config->link_gbps = system->gbps;
    config->link_fault = system->faults.fault;
    config->link_faults = system->faults.count;
}

int tf_system_twin(const struct tf_system *system, struct tf_system **twin, struct tf_message *message)
{
    struct tf_system_config config;
    tf_system_configured(system, &config);
    config.chip.threads = 1;
    config.chip.pin = false;
    config.chip.check &= system->ranks == NULL; /* chips that have moved to another rank do not run there */
    return tf_system_create_like(&config, system, twin, message);
}

void tf_system_take(struct tf_system *system, struct tf_system *twin, uint32_t chips)
{
    for (unsigned i = 0; i < system->cluster.chips; i++)
        if (chips >> i & 1)
            tf_part_replace(system->part[i].chip, twin->part[i].chip);
    for (unsigned i = 0; i < 2 * system->cluster.links; i++) {
        struct tf_lane *lane = &system->lane[i];
        lane->sender = tf_part_port(system->part[lane->from.chip].chip, lane->from.port);
        lane->receiver = tf_part_port(system->part[lane->to.chip].chip, lane->to.port);
        tf_eth_move_line(lane->sender, &lane->line);
        if (chips >> lane->to.chip & 1)
            tf_lane_swap(lane, &twin->lane[i]);
    }
    for (unsigned i = 0; i < system->cluster.chips; i++)
        tf_system_part_look(&system->part[i]);
}

void tf_system_gather(struct tf_system *system)
{
    for (unsigned i = 0; i < 2 * system->cluster.links; i++)
        if (!system->lane[i].crosses)
            tf_lane_gather(&system->lane[i], &system->listener);
}
