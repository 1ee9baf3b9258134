/* SPDX-License-Identifier: Apache-2.0 */
/* B passes numbers to NC through a circular buffer of four pages, and reserves as if it had five. */
#include "races.h"

enum { PAGES = 4, ITEMS = 32, PAGE_BYTES = 16 };

#ifdef BUG
#define CAPACITY (PAGES + 1)
#else
#define CAPACITY PAGES
#endif

#if TF_CORE == 0
PLACE void produce(uint32_t i)
{
    uint32_t page = DATA + i % PAGES * PAGE_BYTES;
    tf_cb_reserve_back(0, 1, CAPACITY);
    for (unsigned poll = 0; poll < 30; poll++)
        (void)TF_STREAM_REG(1, TF_STREAM_RECEIVED); /* another stream's register, to let time pass */
    TF_WORD(page) = (i + 1) * 3;
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
PLACE uint32_t consume(uint32_t i)
{
    tf_cb_wait_front(0, 1);
    uint32_t value = TF_WORD(DATA + i % PAGES * PAGE_BYTES);
    for (unsigned round = 0; round < 300; round++)
        __asm__ volatile("" ::"r"(value)); /* the work on it */
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
