/* SPDX-License-Identifier: Apache-2.0 */
/* tf_chip_fork(). */
#include "farm/saved/fork.h"

#include "farm/chip/chip.h"
#include "farm/chip/config.h"
#include "farm/chip/found.h"
#include "farm/saved/config.h"
#include "farm/saved/forks.h"
#include "farm/saved/header.h"
#include "farm/saved/state.h"
#include "host/message.h"
#include "host/saved.h"
#include "tilefarm/tilefarm_config.h"

/* Tiles with faults that the host has not collected: the fork must find them without a visit. */
static void find_faults(const struct tf_fabric *fabric, struct tf_chip *fork)
{
    struct tf_worker *worker_0 = &fork->workers.worker[0];
    for (unsigned i = 0; i < fabric->nodes; i++) {
        if (fabric->node[i].tile == NULL || fabric->node[i].tile->faults.count == 0)
            continue;
        tf_forks_obtain(&fork->forks, fork->fabric, i);
        fork->forks.untouched = false;
        tf_find_more(worker_0, TF_FOUND_FAULTED, &worker_0->more.faulted, i);
    }
}

static void own_state(struct tf_saved *saved, void *chip)
{
    tf_chip_own_state(saved, chip);
}

/* Give a new chip the state of another. */
static bool begin_fork(struct tf_chip *chip, struct tf_chip *fork)
{
    struct tf_image *image = tf_forks_image(&chip->forks, chip->fabric, own_state, chip);
    if (image == NULL)
        return false;
    tf_forks_read(&fork->forks, fork->fabric, image);
    if (!tf_image_read_own(image, own_state, fork))
        return false;
    find_faults(chip->fabric, fork);
    return tf_forks_run(&fork->forks, fork->fabric,
                        fork->call.on_tensix != NULL || fork->call.on_riscv != NULL || fork->call.on_print != NULL);
}

int tf_forks_begin(struct tf_chip *chip, struct tf_chip *fork, struct tf_message *message)
{
    struct tf_message difference;
    struct tf_saved_config saved, own;
    tf_saved_describe(chip->config, chip->arch, &saved);
    tf_saved_describe(fork->config, fork->arch, &own);
    if (!tf_saved_fits(&saved, &own, &difference))
        return tf_message_set(message, TF_EINVAL, "a fork", difference.text);
    return begin_fork(chip, fork) ? TF_OK : tf_message_set(message, TF_ENOMEM, "a fork", tf_saved_no_memory);
}

int tf_chip_fork(struct tf_chip *chip, const struct tf_config *config, struct tf_chip **fork,
                 struct tf_message *message)
{
    struct tf_config whole;
    if (chip == NULL || fork == NULL)
        return tf_message_set(message, TF_EINVAL, "a fork",
                              "a pointer is NULL: the chip, or the one that returns the fork");
    if (chip->rules.mode == TF_MODE_RELAXED)
        return tf_message_set(message, TF_EINVAL, "a fork", "a chip in relaxed mode cannot be forked");
    int error = tf_config_take(config, &whole, message);
    if (error != TF_OK)
        return error;
    if (chip->exploring != NULL || whole.explore != NULL)
        return tf_message_set(message, TF_EINVAL, "a fork",
                              "a chip that explores other orders can neither be forked nor be a fork");
    if (chip->joined)
        return tf_message_set(message, TF_EINVAL, "a fork",
                              "a chip of a system is forked with its system, by tf_system_fork()");
    if (config == NULL) {
        whole = *chip->config;
        whole.on_fault = NULL;
        whole.on_progress = NULL;
        whole.on_tensix = NULL;
        whole.on_riscv = NULL;
        whole.on_print = NULL;
        whole.check = false;
        whole.on_noc = NULL;
        whole.on_epoch = NULL;
    }
    struct tf_chip *made;
    error = tf_chip_create(&whole, &made, message);
    if (error != TF_OK)
        return error;
    error = tf_forks_begin(chip, made, message);
    if (error == TF_OK)
        *fork = made;
    else
        tf_chip_destroy(made);
    return error;
}
