/* SPDX-License-Identifier: Apache-2.0 */
/* Floating-point instructions on B of a peer, many in one program. */
#ifndef TESTS_RECORD_FLOAT_H
#define TESTS_RECORD_FLOAT_H

#include "record/peer.h"
#include "tile/riscv/isa/decoded.h"

#define FLOAT_PART 4096u

struct float_case {
    uint16_t id; /* enum tf_rv_id */
    uint32_t operand[3];
};

struct float_part {
    unsigned count;
    struct float_case one[FLOAT_PART];
};

/* For peer_call(): job is a struct float_part, result is uint32_t[FLOAT_PART]. */
bool float_run(const struct api *api, const void *job, void *result);

#endif
