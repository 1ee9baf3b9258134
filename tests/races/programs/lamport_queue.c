/* SPDX-License-Identifier: Apache-2.0 */
/* B puts numbers in a ring of L1, and NC takes them; each stores one index alone. */
#include "races.h"

#define HEAD 0x18300u
#define TAIL 0x18340u
#define RING 0x18400u
#define PLACES 4u
#define NUMBERS 40u

PLACE void put(uint32_t i)
{
    do
        tf_fence();
    while (i - TF_WORD(TAIL) >= PLACES);
    TF_WORD(RING + i % PLACES * 4) = i;
    TF_WORD(HEAD) = i + 1;
}

PLACE uint32_t get(uint32_t i)
{
    do
        tf_fence();
    while (TF_WORD(HEAD) <= i);
    uint32_t got = TF_WORD(RING + i % PLACES * 4);
    settle(RING + i % PLACES * 4);
    TF_WORD(TAIL) = i + 1;
    return got;
}

int main(void)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < NUMBERS; i++)
#if TF_CORE == 0
        put(i);
    (void)total;
#else
        total += get(i);
    finish(total);
#endif
    return 0;
}
