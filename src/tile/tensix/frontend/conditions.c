/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/isa/isa.h"

tf_tensix_condition *const tf_tensix_conditions[256] = {
#define X(name) [TF_OP_##name] = tf_stalls_##name,
    TF_TENSIX_CONDITIONS(X)
#undef X
};
