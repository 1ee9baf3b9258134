/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "noc/parts.h"

static bool aligned(const void *pointer, unsigned bytes)
{
    return ((uintptr_t)pointer & (bytes - 1)) == 0;
}

void tf_shared_put(uint8_t *to, const void *from, uint64_t bytes)
{
    const uint8_t *source = from;
    while (bytes != 0) {
        uint64_t word;
        unsigned step = bytes >= 8 && aligned(to, 8) ? 8 : bytes >= 4 && aligned(to, 4) ? 4 : 1;
        memcpy(&word, source, step);
        if (step == 8)
            __atomic_store_n((uint64_t *)(void *)to, word, __ATOMIC_RELAXED);
        else if (step == 4)
            __atomic_store_n((uint32_t *)(void *)to, (uint32_t)word, __ATOMIC_RELAXED);
        else
            __atomic_store_n(to, *source, __ATOMIC_RELAXED);
        to += step;
        source += step;
        bytes -= step;
    }
}

void tf_shared_get(void *to, const uint8_t *from, uint64_t bytes)
{
    uint8_t *target = to;
    while (bytes != 0) {
        uint64_t word = 0;
        unsigned step = bytes >= 8 && aligned(from, 8) ? 8 : bytes >= 4 && aligned(from, 4) ? 4 : 1;
        if (step == 8)
            word = __atomic_load_n((const uint64_t *)(const void *)from, __ATOMIC_RELAXED);
        else if (step == 4)
            word = __atomic_load_n((const uint32_t *)(const void *)from, __ATOMIC_RELAXED);
        else
            word = __atomic_load_n(from, __ATOMIC_RELAXED);
        memcpy(target, &word, step);
        target += step;
        from += step;
        bytes -= step;
    }
}
