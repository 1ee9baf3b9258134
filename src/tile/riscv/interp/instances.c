/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/interp/instances.h"

#include "tile/riscv/code/code.h"

const struct tf_code_instances tf_interp_instances = {
    .plain = tf_interp_handlers,
    .counted = tf_interp_counted_handlers,
    .checked = tf_interp_checked_handlers,
    .both = tf_interp_both_handlers,
    .explored = tf_interp_explored_handlers,
    .ordered = tf_interp_ordered_handlers,
};
