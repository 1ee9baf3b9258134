/* SPDX-License-Identifier: Apache-2.0 */
/* A Wormhole chip for a test of one thread, which goes on after faults. After cmocka.h. */
#ifndef TESTS_CONFORMANCE_FAMILY_WORMHOLE_CHIP_H
#define TESTS_CONFORMANCE_FAMILY_WORMHOLE_CHIP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tilefarm/tilefarm_chip.h"
#include "tilefarm/tilefarm_config.h"

static inline struct tf_chip *wormhole_chip(void)
{
    struct tf_chip *chip = NULL;
    struct tf_config config;
    struct tf_message message;
    tf_config_init(&config);
    config.arch = tf_arch_find("wormhole");
    config.threads = 1;
    config.go_on_after_fault = true;
    assert_non_null(config.arch);
    if (tf_chip_create(&config, &chip, &message) != TF_OK)
        fail_msg("%s", message.text);
    return chip;
}

#endif
