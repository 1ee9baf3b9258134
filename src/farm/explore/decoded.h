/* SPDX-License-Identifier: Apache-2.0 */
/* The decoded code of a chip that explores. */
#ifndef FARM_EXPLORE_DECODED_H
#define FARM_EXPLORE_DECODED_H

#include <stddef.h>
#include <stdint.h>

struct tf_exploring;

/* A page of code that a tile has decoded. */
struct tf_decoded {
    uint16_t tile;
    uint32_t address; /* in L1 */
};

/* List the first `room` of them. Returns their number. */
size_t tf_exploring_decoded(const struct tf_exploring *exploring, struct tf_decoded *decoded, size_t room);

/* Decode such pages now. Results do not depend on it. */
void tf_exploring_decode(const struct tf_exploring *exploring, const struct tf_decoded *decoded, size_t count);

#endif
