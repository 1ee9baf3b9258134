/* SPDX-License-Identifier: Apache-2.0 */
/* Step 11: a program for the Ethernet tiles at both ends of a link. With -DASKS it is the end that asks. */
#include "tilefarm_link.h"
#include "tilefarm_print.h"

#define DATA 0x20000u    /* 16 bytes */
#define SIGNAL 0x20100u  /* where signals of the peer arrive */
#define SIGNALS 0x21000u /* own signals: TF_LINK_SIGNALS_BYTES */

/* Let the peer have the word at DATA. */
static void give(uint32_t value)
{
    TF_WORD(DATA) = value;
    tf_link_write(0, DATA, DATA, 16);
    tf_link_signal(0, SIGNAL, SIGNALS, 1);
}

int main(void)
{
#ifdef ASKS
    uint32_t began = tf_cycle();
    give(12);
    tf_link_wait(SIGNAL, 1);
    tf_printf("12 squared is %d, says the other chip after %d cycles\n", (int)TF_WORD(DATA), (int)(tf_cycle() - began));
#else
    tf_link_wait(SIGNAL, 1);
    give(TF_WORD(DATA) * TF_WORD(DATA));
#endif
    return 0;
}
