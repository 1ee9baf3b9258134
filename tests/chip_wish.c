/* SPDX-License-Identifier: Apache-2.0 */
#include "chip_wish.h"

#include <string.h>

#include "tilefarm/tilefarm_config.h"

#define FROM_CONFIG(type_, name_) wish->name_ = config->name_;
#define TO_CONFIG(type_, name_) config->name_ = wish->name_;

void chip_wish_take(struct chip_wish *wish, const struct tf_config *config)
{
    WISH_FIELDS(FROM_CONFIG)
    WISH_CALLBACKS(FROM_CONFIG)
    wish->on_progress = config->on_progress;
    wish->on_host_read = config->on_host_read;
    wish->on_host_write = config->on_host_write;
    memcpy(wish->tensix_traced, config->tensix_traced, sizeof wish->tensix_traced);
    memcpy(wish->riscv_traced, config->riscv_traced, sizeof wish->riscv_traced);
}

void chip_wish_give(const struct chip_wish *wish, struct tf_config *config)
{
    WISH_FIELDS(TO_CONFIG)
    WISH_CALLBACKS(TO_CONFIG)
    config->on_progress = wish->on_progress;
    config->on_host_read = wish->on_host_read;
    config->on_host_write = wish->on_host_write;
    memcpy(config->tensix_traced, wish->tensix_traced, sizeof wish->tensix_traced);
    memcpy(config->riscv_traced, wish->riscv_traced, sizeof wish->riscv_traced);
}

void chip_wish_init(struct chip_wish *wish)
{
    struct tf_config config;
    tf_config_init(&config);
    chip_wish_take(wish, &config);
}

void chip_wish_configure(const struct chip_wish *wish, struct tf_config *config)
{
    tf_config_init(config);
    chip_wish_give(wish, config);
}

void chip_wish_change(struct chip_wish *wish, void (*change)(struct tf_config *config))
{
    struct tf_config config;
    chip_wish_configure(wish, &config);
    change(&config);
    chip_wish_take(wish, &config);
}

int chip_wish_create(const struct chip_wish *wish, struct tf_chip **chip, struct tf_message *message)
{
    struct tf_config config;
    if (wish != NULL)
        chip_wish_configure(wish, &config);
    return tf_chip_create(wish != NULL ? &config : NULL, chip, message);
}

int chip_wish_fork(struct tf_chip *chip, const struct chip_wish *wish, struct tf_chip **fork,
                   struct tf_message *message)
{
    struct tf_config config;
    if (wish != NULL)
        chip_wish_configure(wish, &config);
    return tf_chip_fork(chip, wish != NULL ? &config : NULL, fork, message);
}

int chip_wish_saved(const char *path, struct chip_wish *wish, struct tf_message *message)
{
    struct tf_config config;
    chip_wish_configure(wish, &config);
    const int error = tf_saved_config(path, &config, message);
    chip_wish_take(wish, &config);
    return error;
}
