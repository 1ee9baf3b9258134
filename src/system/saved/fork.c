/* SPDX-License-Identifier: Apache-2.0 */
/* tf_system_fork(): chips are forked (farm/saved/fork.h), and what is on the links is copied. */
#include "farm/chip/chip.h"
#include "farm/saved/fork.h"
#include "farm/saved/saved.h"
#include "host/message.h"
#include "system/led.h"
#include "system/saved/shape.h"
#include "system/state.h"
#include "system/twin.h"
#include "tilefarm/tilefarm_system_config.h"

/* A tf_system_config.on_chip: a chip of the fork reaches the memory of the host as that of the system does. */
static void keep_host(void *user, unsigned chip, struct tf_config *config)
{
    const struct tf_system *system = user;
    const struct tf_config *own = system->part[chip].chip->config;
    config->on_host_read = own->on_host_read;
    config->on_host_write = own->on_host_write;
    config->user = own->user;
}

static int make(struct tf_system *system, const struct tf_system_config *config, struct tf_system **fork,
                struct tf_message *message)
{
    struct tf_system_config like;
    if (config != NULL)
        return tf_system_create(config, fork, message);
    tf_system_configured(system, &like);
    like.chip.check = false;
    like.on_chip = keep_host;
    like.user = system;
    return tf_system_create(&like, fork, message);
}

static const char *why_not(const struct tf_system *system, const struct tf_system_config *config)
{
    return system->relaxed != NULL  ? "a system in relaxed mode cannot be forked"
           : system->rules.explores ? "a system that explores other orders cannot be forked"
           : system->ranks != NULL && system->led == NULL
               ? "a system over several ranks cannot be forked: fork it in one process"
           : config == NULL                       ? NULL
           : config->chip.mode == TF_MODE_RELAXED ? "a fork cannot be in relaxed mode"
           : config->chip.explore != NULL         ? "a fork cannot explore other orders"
           : config->chip.check                   ? "a fork cannot be checked for races: accesses before it are unknown"
                                                  : NULL;
}

/* Tiles of links are copied now: what a window's end does to them visits no site. */
static int begin_chip(struct tf_system *system, struct tf_system *fork, unsigned number, struct tf_message *message)
{
    struct tf_chip *chip = fork->part[number].chip;
    const int error = tf_forks_begin(system->part[number].chip, chip, message);
    for (unsigned port = 0; error == TF_OK && port < TF_PORTS_MAX; port++) {
        const struct tf_lane *lane = fork->part[number].in[port];
        if (lane != NULL)
            tf_forks_visit(&chip->forks, chip->fabric,
                           chip->fabric->node[tf_node_number(chip->arch, lane->receiver->coord)].site);
    }
    return error;
}

static int begin(struct tf_system *system, struct tf_system *fork, struct tf_message *message)
{
    const struct tf_system_shape shape = tf_system_shape(system), own = tf_system_shape(fork);
    struct tf_message difference;
    int error = TF_OK;
    if (!tf_system_shape_fits(&shape, &own, &difference))
        return tf_message_set(message, TF_EINVAL, "a fork", difference.text);
    bool copied = true;
    for (unsigned i = 0; error == TF_OK && i < system->cluster.chips; i++) {
        error = begin_chip(system, fork, i, message);
        copied &= !tf_forks_lost(&fork->part[i].chip->forks);
    }
    for (unsigned i = 0; copied && i < 2 * system->cluster.links; i++)
        copied = tf_lane_copy(&fork->lane[i], &system->lane[i]);
    if (error == TF_OK && !copied)
        error = tf_message_set(message, TF_ENOMEM, "a fork", tf_saved_no_memory);
    for (unsigned i = 0; error == TF_OK && i < system->cluster.chips; i++)
        tf_system_part_look(&fork->part[i]);
    return error;
}

int tf_system_fork(struct tf_system *system, const struct tf_system_config *config, struct tf_system **fork,
                   struct tf_message *message)
{
    struct tf_system *made = NULL;
    if (system == NULL || fork == NULL)
        return tf_message_set(message, TF_EINVAL, "a fork",
                              "a pointer is NULL: the system, or the one that returns the fork");
    const char *why = why_not(system, config);
    if (why != NULL)
        return tf_message_set(message, TF_EINVAL, "a fork", why);
    if (!tf_led_fetch_all(system->led, system->cluster.chips))
        return tf_message_set(message, TF_EIO, "a fork", "a rank has failed");
    tf_system_gather(system);
    int error = make(system, config, &made, message);
    if (error == TF_OK)
        error = begin(system, made, message);
    if (error == TF_OK)
        *fork = made;
    else
        tf_system_destroy(made);
    return error;
}
