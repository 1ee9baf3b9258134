/* SPDX-License-Identifier: Apache-2.0 */
/* A new chip for each test: `chip`, from a function for cmocka until teardown(). */
#ifndef TESTS_ONE_CHIP_H
#define TESTS_ONE_CHIP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tilefarm/tilefarm_chip.h"
#include "tilefarm/tilefarm_config.h"

static struct tf_chip *chip;

/* The defaults, but one worker, which is not pinned. */
static inline struct tf_config one_worker(void)
{
    struct tf_config config;
    tf_config_init(&config);
    config.threads = 1;
    config.pin = false;
    return config;
}

/* Create the chip. For functions that set up a test: returns -1 after a message. */
static inline int create_chip(const struct tf_config *config)
{
    struct tf_message message;
    if (tf_chip_create(config, &chip, &message) == TF_OK)
        return 0;
    print_error("%s\n", message.text);
    return -1;
}

static inline int setup_one_worker(void **state)
{
    (void)state;
    const struct tf_config config = one_worker();
    return create_chip(&config);
}

static inline int teardown(void **state)
{
    (void)state;
    tf_chip_destroy(chip);
    return 0;
}

#endif
