/* SPDX-License-Identifier: Apache-2.0 */
/* What the NOCs of a chip need of its configuration. */
#ifndef NOC_RULES_H
#define NOC_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "tilefarm/tilefarm_base.h"

struct tf_noc_rules {
    enum tf_atomics atomics;
    uint32_t requests_max; /* that a NIU accepts in an epoch */
    bool shared;           /* relaxed mode: any worker acts on counters and L1 */
    bool inline_l1_faults; /* an inline write to L1 is a fault; false: a hazard */
    /* Memory of the host, which the PCIe tile reaches: as tf_config.on_host_read and on_host_write. NULL: none. */
    void (*host_read)(void *user, uint64_t address, void *data, uint32_t bytes);
    void (*host_write)(void *user, uint64_t address, const void *data, uint32_t bytes);
    void *user; /* passed to them */
};

#endif
