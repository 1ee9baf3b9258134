/* SPDX-License-Identifier: Apache-2.0 */
/* Between two programs B clears both counters of a circular buffer, that of pages put in first. With the bug NC may
   still read them. */
#include "races.h"

enum { PAGES = 4, ITEMS = 6 };

#if TF_CORE == 0
PLACE void clear(void)
{
    tf_cb_reserve_back(0, PAGES, PAGES);
#ifndef BUG
    await_flag();
#endif
    TF_STREAM_REG(0, TF_STREAM_RECEIVED) = 0;
    TF_STREAM_REG(0, TF_STREAM_ACKED) = 0;
}

int main(void)
{
    for (uint32_t i = 0; i < ITEMS; i++) {
        tf_cb_reserve_back(0, 1, PAGES);
        tf_cb_push_back(0, 1);
    }
    clear();
    finish(1);
    return 0;
}
#else
int main(void)
{
    for (uint32_t i = 0; i < ITEMS; i++) {
        tf_cb_wait_front(0, 1);
        tf_cb_pop_front(0, 1);
    }
    (void)tf_cb_filled(0);
    tf_sem_set(FLAG, 1);
    return 0;
}
#endif
