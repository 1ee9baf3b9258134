/* SPDX-License-Identifier: Apache-2.0 */
#include "host/zeros.h"

#include "host/sanitizer.h"

typedef uint64_t block __attribute__((vector_size(16), aligned(1)));

/*
 * ThreadSanitizer does not see this, because its shadow of the chip's memory would take most of the time of a short
 * run. Races with a worker still show: registers and pages that are not zero are read elsewhere.
 */
bool tf_zeros(const uint8_t *data, uint64_t bytes)
{
    tf_sanitizer_address(data, bytes);
    block many = {0};
    uint64_t any, at = 0;
    for (; at + sizeof many <= bytes; at += sizeof many)
        many |= *(const block *)(const void *)(data + at);
    any = many[0] | many[1];
    for (; at < bytes; at++)
        any |= data[at];
    return any == 0;
}
