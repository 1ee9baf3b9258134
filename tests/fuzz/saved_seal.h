/* SPDX-License-Identifier: Apache-2.0 */
/* For the fuzzers of saved files: a changed file whose length and checksums are right, so that changes reach fields. */
#ifndef FUZZ_SAVED_SEAL_H
#define FUZZ_SAVED_SEAL_H

#include <string.h>
#include <xxhash.h>

#include "farm/saved/saved.h"
#include "farm/saved/header.h"

static inline void saved_seal(uint8_t *data, size_t bytes, enum tf_saved_kind kind)
{
    struct tf_saved_header header, made;
    uint64_t sum;
    if (bytes < sizeof header + sizeof sum)
        return;
    memcpy(&header, data, sizeof header);
    const size_t body = bytes - sizeof header - sizeof sum;
    tf_saved_header(&header.config, kind, body, &made);
    memcpy(data, &made, sizeof made);
    sum = XXH3_64bits(data + sizeof made, body);
    memcpy(data + sizeof made + body, &sum, sizeof sum);
}

#endif
