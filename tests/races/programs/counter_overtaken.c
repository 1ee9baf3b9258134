/* SPDX-License-Identifier: Apache-2.0 */
/* Tile 0 passes pages to tile 1, and writes the counter of pages put in there. Each such write must have been answered
   before the next: on channels that are not static the earlier one may come last, and the counter goes back. */
#include "races.h"

enum { STREAM = 4, PAGES = 6 };

#define PAGE(i) (DATA + (i)*BYTES)

PLACE void tell(uint32_t pages)
{
    tf_noc_write_register(0, tile_xy(1), TF_STREAM_REG_ADDRESS(STREAM, TF_STREAM_RECEIVED), pages);
#ifndef BUG
    tf_noc_wait(0);
#endif
}

int main(void)
{
    if (tf_my_tile() == 0) {
        for (uint32_t i = 0; i < PAGES; i++) {
            fill(COPY, i);
            tf_noc_write(0, tile_xy(1), PAGE(i), COPY, BYTES);
            tf_noc_wait_sent(0);
        }
        tf_noc_wait(0);
        for (uint32_t i = 0; i < PAGES; i++)
            tell(i + 1);
        tf_noc_wait(0);
    } else {
        uint32_t total = 0;
        tf_cb_wait_front(STREAM, PAGES);
        for (uint32_t i = 0; i < PAGES; i++)
            total += sum(PAGE(i), WORDS);
        finish(total);
    }
    return 0;
}
