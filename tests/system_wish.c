/* SPDX-License-Identifier: Apache-2.0 */
#include "system_wish.h"

#include "tilefarm/tilefarm_system_config.h"

/* Whose chips are being made. */
static _Thread_local const struct system_wish *making;

static void on_chip(void *user, unsigned chip, struct tf_config *config)
{
    struct chip_wish wish;
    chip_wish_take(&wish, config);
    making->on_chip(user, chip, &wish);
    chip_wish_give(&wish, config);
}

static void give(const struct system_wish *wish, struct tf_system_config *config)
{
    tf_system_config_init(config);
    config->cluster = wish->cluster;
    config->link_latency_cycles = wish->link_latency_cycles;
    config->link_gbps = wish->link_gbps;
    config->link_fault = wish->link_fault;
    config->link_faults = wish->link_faults;
    config->on_chip = wish->on_chip != NULL ? on_chip : NULL;
    config->on_packet = wish->on_packet;
    config->user = wish->user;
    chip_wish_give(&wish->chip, &config->chip);
    making = wish;
}

void system_wish_init(struct system_wish *wish)
{
    *wish = (struct system_wish){.cluster = NULL};
    chip_wish_init(&wish->chip);
}

int system_wish_create(const struct system_wish *wish, struct tf_system **system, struct tf_message *message)
{
    struct tf_system_config config;
    give(wish, &config);
    return tf_system_create(&config, system, message);
}

int system_wish_fork(struct tf_system *system, const struct system_wish *wish, struct tf_system **fork,
                     struct tf_message *message)
{
    struct tf_system_config config;
    if (wish != NULL)
        give(wish, &config);
    return tf_system_fork(system, wish != NULL ? &config : NULL, fork, message);
}

int system_wish_saved(const char *path, struct system_wish *wish, struct tf_cluster *cluster,
                      struct tf_link_fault *fault, struct tf_message *message)
{
    struct tf_system_config config;
    give(wish, &config);
    const int error = tf_saved_system_config(path, &config, cluster, fault, message);
    wish->cluster = config.cluster;
    wish->link_latency_cycles = config.link_latency_cycles;
    wish->link_gbps = config.link_gbps;
    wish->link_fault = config.link_fault;
    wish->link_faults = config.link_faults;
    chip_wish_take(&wish->chip, &config.chip);
    return error;
}
