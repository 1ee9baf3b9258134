/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the unpackers. */
#ifndef TILE_TENSIX_UNPACK_STATE_H
#define TILE_TENSIX_UNPACK_STATE_H

#include <stdint.h>

struct tf_unpack_kernels;

struct tf_unpack {
    uint32_t set_reg_acc[2];                 /* SetRegAcc of unpackers 0 and 1, 17 bits */
    const struct tf_unpack_kernels *kernels; /* not part of the state. NULL: each datum is converted separately */
};

#endif
