/* SPDX-License-Identifier: Apache-2.0 */
/* B passes pages to NC through a circular buffer of two, and reserves none. It loads how many it has put in, as each
   push does, but that tells nothing of those taken out. */
#include "races.h"

enum { PAGES = 2, ITEMS = 6 };

#define PAGE(i) (DATA + (i) % PAGES * BYTES)

#if TF_CORE == 0
PLACE void produce(uint32_t i)
{
#ifndef BUG
    tf_cb_reserve_back(0, 1, PAGES);
#endif
    fill(PAGE(i), i);
    tf_cb_push_back(0, 1);
    for (volatile uint32_t wait = 0; wait < 100; wait++)
        ;
}

int main(void)
{
    for (uint32_t i = 0; i < ITEMS; i++)
        produce(i);
    return 0;
}
#else
PLACE uint32_t consume(uint32_t i)
{
    tf_cb_wait_front(0, 1);
    const uint32_t value = sum(PAGE(i), WORDS);
    tf_cb_pop_front(0, 1);
    return value;
}

int main(void)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < ITEMS; i++)
        total += consume(i);
    finish(total);
    return 0;
}
#endif
