/* SPDX-License-Identifier: Apache-2.0 */
/* A command to a mover that is held in reset moves nothing, also when the mover was late before. */
#include "races.h"
#include "tilefarm_address.h"

#define RESET TF_WORD(TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0))
#define MOVER (1u << 6)
#define FROM 0x20000u
#define TO 0x21000u

/* Load until all bits of a mask are as asked; later accesses come after the load. */
static inline void await(volatile uint32_t *word, uint32_t mask, uint32_t bits)
{
    while ((*word & mask) != bits)
        ;
}

static void move(uint32_t from)
{
    TDMA(0x0) = from / 16;
    TDMA(0x4) = TO / 16;
    TDMA(0x8) = 1;
    TDMA(0xC) = 3;
    TDMA(0x10) = 0x40;
    tf_fence(); /* a load of the status may overtake the stores */
}

int main(void)
{
    uint32_t wrong = 0;
    TF_WORD(FROM) = 1;
    TF_WORD(FROM + 16) = 2;
    settle(FROM + 16);
    for (unsigned i = 0; i < 8; i++) {
        move(FROM);
        await(&TDMA(0x14), 1, 0);
        RESET |= MOVER;
        await(&RESET, MOVER, MOVER);
        move(FROM + 16);
        await(&TDMA(0x14), 1u << 31, 0);
        RESET &= ~MOVER;
        await(&RESET, MOVER, 0);
        for (volatile unsigned wait = 0; wait < 200; wait++)
            ;
        tf_fence();
        wrong += TF_WORD(TO) == 2;
    }
    finish(wrong);
    return 0;
}
