/* SPDX-License-Identifier: Apache-2.0 */
#include "chip_wish.h"

#include "tilefarm/tilefarm_config.h"

#define FROM_CONFIG(type_, name_) wish->name_ = config.name_;
#define TO_CONFIG(type_, name_) config->name_ = wish->name_;

void chip_wish_init(struct chip_wish *wish)
{
    struct tf_config config;
    tf_config_init(&config);
    WISH_FIELDS(FROM_CONFIG)
}

void chip_wish_configure(const struct chip_wish *wish, struct tf_config *config)
{
    tf_config_init(config);
    WISH_FIELDS(TO_CONFIG)
}

int chip_wish_create(const struct chip_wish *wish, struct tf_chip **chip, struct tf_message *message)
{
    struct tf_config config;
    chip_wish_configure(wish, &config);
    return tf_chip_create(&config, chip, message);
}

int chip_wish_fork(struct tf_chip *chip, const struct chip_wish *wish, struct tf_chip **fork,
                   struct tf_message *message)
{
    struct tf_config config;
    chip_wish_configure(wish, &config);
    return tf_chip_fork(chip, &config, fork, message);
}
