/* SPDX-License-Identifier: Apache-2.0 */
/* B writes two words under a sequence number, and NC reads them until the number stays even. */
#include "races.h"

#define SEQUENCE 0x18300u
#define PAIR 0x18340u
#define ROUNDS 30u

PLACE void write(uint32_t value)
{
    TF_WORD(SEQUENCE) = 2 * value - 1;
    TF_WORD(PAIR) = value;
    TF_WORD(PAIR + 4) = value;
    TF_WORD(SEQUENCE) = 2 * value;
}

PLACE uint32_t read(void)
{
    uint32_t before, first, second;
    do {
        do {
            tf_fence();
            before = TF_WORD(SEQUENCE);
        } while (before % 2 != 0);
        tf_fence();
        first = TF_WORD(PAIR);
        second = TF_WORD(PAIR + 4);
        tf_fence();
    } while (TF_WORD(SEQUENCE) != before);
    return first == second ? first : 1000;
}

int main(void)
{
#if TF_CORE == 0
    for (uint32_t i = 1; i <= ROUNDS; i++)
        write(i);
#else
    uint32_t got;
    do
        got = read();
    while (got < ROUNDS);
    finish(7);
#endif
    return 0;
}
