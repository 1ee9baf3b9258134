/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What several parts read of a configuration while a chip runs. A part that reads another field includes
 * tilefarm_config.h, and is compiled anew for each field that is added there.
 */
#ifndef FARM_RULES_H
#define FARM_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "tilefarm/tilefarm_base.h"
#include "tilefarm/tilefarm_events.h"

struct tf_config;

/* The fields of these names. */
struct tf_rules {
    enum tf_mode mode;
    uint32_t slice_cycles, epoch_cycles_max;
    bool go_on_after_fault, parking, check, explores, timing, timing_coarse;
};

/* The fields of these names. The two arrays are those of the configuration. */
struct tf_callbacks {
    void (*on_fault)(void *user, const struct tf_fault *fault);
    void (*on_progress)(void *user, uint64_t cycle, uint64_t instructions);
    void (*on_atomic)(void *user, const struct tf_atomic_event *event);
    void (*on_tensix)(void *user, const struct tf_tensix_event *event);
    void (*on_riscv)(void *user, const struct tf_riscv_event *event);
    void (*on_print)(void *user, const struct tf_print_event *event);
    void (*on_noc)(void *user, const struct tf_noc_event *event);
    void (*on_epoch)(void *user, uint64_t cycle);
    void *user;
    const bool *tensix_traced;
    const uint8_t *riscv_traced;
};

/* Those of a whole configuration. */
struct tf_rules tf_rules_of(const struct tf_config *config);
struct tf_callbacks tf_callbacks_of(const struct tf_config *config);

#endif
