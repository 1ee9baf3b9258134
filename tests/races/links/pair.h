/* SPDX-License-Identifier: Apache-2.0 */
/* For programs of two Ethernet tiles that a link joins: ROLE 0 sends to ROLE 1. */
#include <tilefarm_link.h>

#define DATA 0x20000u   /* at both ends */
#define FLAG 0x30000u   /* of a signal to this tile */
#define OWN 0x31000u    /* of signals from this tile */
#define RESULT 0x34000u /* of ROLE 1 */
#define WORDS 64u

static inline void fill(uint32_t first)
{
    for (uint32_t i = 0; i < WORDS; i++)
        TF_WORD(DATA + 4 * i) = first + i;
    tf_settle(DATA + 4 * (WORDS - 1));
}

static inline void sum(void)
{
    uint32_t all = 0;
    for (uint32_t i = 0; i < WORDS; i++)
        all += TF_WORD(DATA + 4 * i);
    TF_WORD(RESULT) = all;
    tf_settle(RESULT);
}

void send(void);
void take(void);

int main(void)
{
    if (ROLE == 0)
        send();
    else
        take();
    return 0;
}
