/* SPDX-License-Identifier: Apache-2.0 */
/* B copies a structure with padding to its local RAM. With the bug it uses the padding, and copies a line too many. */
#include "races.h"

#ifdef BUG
#define COPIED 8u
#else
#define COPIED 4u
#endif

static uint32_t local[8] __attribute__((section(".local")));

PLACE void copy(void)
{
    const volatile uint32_t *from = (const volatile uint32_t *)DATA;
    for (unsigned i = 0; i < COPIED; i++)
        local[i] = from[i];
}

PLACE uint32_t use(void)
{
    const volatile uint32_t *from = (const volatile uint32_t *)DATA;
    uint32_t sum = local[0] + local[1] + local[3];
#ifdef BUG
    sum += from[2] & 0;
#else
    sum += from[3] & 0;
#endif
    return sum;
}

int main(void)
{
    TF_WORD(DATA) = 1;
    TF_WORD(DATA + 4) = 2;
    TF_WORD(DATA + 12) = 3;
    settle(DATA + 12);
    copy();
    finish(use());
    return 0;
}
