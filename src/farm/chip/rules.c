/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/chip/rules.h"

#include "tilefarm/tilefarm_config.h"

struct tf_rules tf_rules_of(const struct tf_config *config)
{
    return (struct tf_rules){.mode = config->mode,
                             .slice_cycles = config->slice_cycles,
                             .epoch_cycles_max = config->epoch_cycles_max,
                             .go_on_after_fault = config->go_on_after_fault,
                             .parking = config->parking,
                             .check = config->check,
                             .explores = config->explore != NULL,
                             .timing = config->timing,
                             .timing_coarse = config->timing_coarse};
}

struct tf_callbacks tf_callbacks_of(const struct tf_config *config)
{
    return (struct tf_callbacks){.on_fault = config->on_fault,
                                 .on_progress = config->on_progress,
                                 .on_atomic = config->on_atomic,
                                 .on_tensix = config->on_tensix,
                                 .on_riscv = config->on_riscv,
                                 .on_print = config->on_print,
                                 .on_noc = config->on_noc,
                                 .on_epoch = config->on_epoch,
                                 .user = config->user,
                                 .tensix_traced = config->tensix_traced,
                                 .riscv_traced = config->riscv_traced};
}
