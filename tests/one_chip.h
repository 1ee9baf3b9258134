/* SPDX-License-Identifier: Apache-2.0 */
/* A new chip for each test: `chip`, from a function for cmocka until teardown(). */
#ifndef TESTS_ONE_CHIP_H
#define TESTS_ONE_CHIP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "tilefarm/tilefarm_chip.h"

static struct tf_chip *chip;

/* The defaults, but one worker, which is not pinned. */
static inline struct chip_wish one_worker(void)
{
    struct chip_wish config;
    chip_wish_init(&config);
    config.threads = 1;
    config.pin = false;
    return config;
}

/* Create the chip. For functions that set up a test: returns -1 after a message. */
static inline int create_chip(const struct chip_wish *config)
{
    struct tf_message message;
    if (chip_wish_create(config, &chip, &message) == TF_OK)
        return 0;
    print_error("%s\n", message.text);
    return -1;
}

static inline int setup_one_worker(void **state)
{
    (void)state;
    const struct chip_wish config = one_worker();
    return create_chip(&config);
}

static inline int teardown(void **state)
{
    (void)state;
    tf_chip_destroy(chip);
    return 0;
}

#endif
