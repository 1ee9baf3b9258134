/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A memory request of the scalar unit, with what its instruction has captured. The instruction is complete when the
 * request has been sent (LOADIND.md, STOREIND_L1.md, ATINCGET.md and others).
 */
#ifndef TILE_TENSIX_SCALAR_REQUEST_H
#define TILE_TENSIX_SCALAR_REQUEST_H

#include <stdint.h>

struct tf_scalar_request {
    uint32_t word; /* the instruction */
    uint32_t address;
    uint32_t data[4];
    uint8_t thread;
};

#endif
