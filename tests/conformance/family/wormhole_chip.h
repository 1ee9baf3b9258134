/* SPDX-License-Identifier: Apache-2.0 */
/* A Wormhole chip for a test of one thread, which goes on after faults. After cmocka.h. */
#ifndef TESTS_CONFORMANCE_FAMILY_WORMHOLE_CHIP_H
#define TESTS_CONFORMANCE_FAMILY_WORMHOLE_CHIP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "tilefarm/tilefarm_chip.h"

static inline struct tf_chip *wormhole_chip(void)
{
    struct tf_chip *chip = NULL;
    struct chip_wish config;
    struct tf_message message;
    chip_wish_init(&config);
    config.arch = tf_arch_find("wormhole");
    config.threads = 1;
    config.go_on_after_fault = true;
    assert_non_null(config.arch);
    if (chip_wish_create(&config, &chip, &message) != TF_OK)
        fail_msg("%s", message.text);
    return chip;
}

#endif
