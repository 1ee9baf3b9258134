/* SPDX-License-Identifier: Apache-2.0 */
/* As seen_tid.c. The addresses of both registers are in variables, so that their loads have equal immediates. */
#include "races.h"

#ifdef BUG
#define UNSEEN 1000u
#else
#define UNSEEN 0u
#endif

PLACE void fetch(void)
{
    volatile uint32_t *count = tf_niu(0, 0), *command = tf_niu(0, TF_NOC_CMD_CTRL);
    count += 0x80 + TF_NIU_MST_REQS_OUTSTANDING_ID + TID_OTHER;
    __asm__("" : "+r"(count), "+r"(command));
    read_as(TID_OTHER, tile_xy(1), DATA, COPY, BYTES);
    if (*count == UNSEEN)
        while (*command & 1)
            ;
    while (*count != 0)
        ;
    tf_fence();
}

PLACE void take(void)
{
    finish(sum(COPY, WORDS));
}

int main(void)
{
    if (tf_my_tile() != 0) {
        fill(DATA, FIRST);
        announce(0);
    } else {
        await_flag();
        fetch();
        take();
    }
    return 0;
}
