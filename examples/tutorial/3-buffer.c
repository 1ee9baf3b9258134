/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Step 3: a circular buffer between two cores of a tile. B puts pages in, NC takes them out and adds them up. A stream
 * of the tile counts pages: the buffer holds the pages that are received and not yet acknowledged.
 */
#include "tilefarm_device.h"

#define STREAM 0u
#define PAGES 4u /* size of the buffer */
#define PAGE(i) (0x20000u + (i) % PAGES * 64)
#define COUNT 100u
#define SUM 0x30000u

static int put(void)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        tf_cb_reserve_back(STREAM, 1, PAGES);
        TF_WORD(PAGE(i)) = i;
        tf_settle(PAGE(i)); /* the page is in L1 before B signals NC */
        tf_cb_push_back(STREAM, 1);
    }
    return 0;
}

static int take(void)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        tf_cb_wait_front(STREAM, 1);
        sum += TF_WORD(PAGE(i));
        tf_cb_pop_front(STREAM, 1);
    }
    TF_WORD(SUM) = sum;
    return sum == COUNT * (COUNT - 1) / 2 ? 0 : 1;
}

int main(void)
{
    return TF_CORE == 0 ? put() : take();
}
