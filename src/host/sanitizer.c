/* SPDX-License-Identifier: Apache-2.0 */
/* Only builds with a sanitizer have this file. */
#include "host/sanitizer.h"

#include <stdint.h>

#if TF_WITH_ASAN
#include <sanitizer/asan_interface.h>
#endif

#ifdef TF_SANITIZED
void tf_sanitizer_address(const void *memory, size_t bytes)
{
#if TF_WITH_ASAN
    const volatile uint8_t *bad = __asan_region_is_poisoned((void *)(uintptr_t)memory, bytes);
    if (bad != NULL)
        (void)*bad; /* this load ends the process, with a report */
#else
    (void)memory;
    (void)bytes;
#endif
}

void tf_sanitizer_race(const void *memory)
{
    (void)*(const volatile uint8_t *)memory;
}
#endif
