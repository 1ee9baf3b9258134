/* SPDX-License-Identifier: Apache-2.0 */
/* NC waits for one page of a circular buffer at a time, and at the end it takes one more than there is. */
#include "races.h"

enum { PAGES = 4, ITEMS = 8, PAGE_BYTES = 16 };

#if TF_CORE == 0
PLACE void produce(uint32_t i)
{
    uint32_t page = DATA + i % PAGES * PAGE_BYTES;
    tf_cb_reserve_back(0, 1, PAGES);
    TF_WORD(page) = i + 1;
    settle(page);
    tf_cb_push_back(0, 1);
}

int main(void)
{
    for (uint32_t i = 0; i < ITEMS; i++)
        produce(i);
    return 0;
}
#else
PLACE void consume(uint32_t i)
{
    tf_cb_wait_front(0, 1);
#ifdef BUG
    tf_cb_pop_front(0, i == ITEMS - 1 ? 2 : 1);
#else
    (void)i;
    tf_cb_pop_front(0, 1);
#endif
}

int main(void)
{
    for (uint32_t i = 0; i < ITEMS; i++)
        consume(i);
    finish(1);
    return 0;
}
#endif
