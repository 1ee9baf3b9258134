/* SPDX-License-Identifier: Apache-2.0 */
/* B keeps its sum, and an atomic a count, at pointers that were never set. */
#include "races.h"

#ifdef BUG
#define TO 0u
#else
#define TO 0x18000u
#endif

static volatile uint32_t *volatile pointer = (volatile uint32_t *)TO;

PLACE void keep(uint32_t value)
{
    *pointer = value;
}

PLACE uint32_t look(void)
{
    return *pointer;
}

PLACE void count(void)
{
    __asm__ volatile("amoadd.w zero, %0, (%1)" ::"r"(1), "r"(pointer) : "memory");
}

int main(void)
{
    fill(DATA, FIRST);
    keep(sum(DATA, WORDS) - 1);
    count();
    finish(look());
    return 0;
}
