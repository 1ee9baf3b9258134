/* SPDX-License-Identifier: Apache-2.0 */
/* A circular buffer begins anew. B clears the counter of pages put in while the other one still counts pages out. */
#include "races.h"

enum { PAGES = 4, ITEMS = 8, PAGE_BYTES = 16 };

#if TF_CORE == 0
static void produce(uint32_t i)
{
    uint32_t page = DATA + i % PAGES * PAGE_BYTES;
    tf_cb_reserve_back(0, 1, PAGES);
    TF_WORD(page) = i + 1;
    settle(page);
    tf_cb_push_back(0, 1);
}

PLACE void clear(void)
{
    tf_cb_reserve_back(0, PAGES, PAGES);
#ifndef BUG
    TF_STREAM_REG(0, TF_STREAM_ACKED) = 0;
    settle(TF_STREAM_REG_ADDRESS(0, TF_STREAM_ACKED));
#endif
    TF_STREAM_REG(0, TF_STREAM_RECEIVED) = 0;
}

int main(void)
{
    for (uint32_t i = 0; i < ITEMS; i++)
        produce(i);
    clear();
    return 0;
}
#else
int main(void)
{
    for (uint32_t i = 0; i < ITEMS; i++) {
        tf_cb_wait_front(0, 1);
        tf_cb_pop_front(0, 1);
    }
    finish(1);
    return 0;
}
#endif
