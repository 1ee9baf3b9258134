/* SPDX-License-Identifier: Apache-2.0 */
/* B has data in local RAM, below its stack. With the bug a recursion is so deep that its frames lie over these data. */
#include "races.h"

#define LOCAL_DATA __attribute__((section(".local.table,\"aw\",@nobits#")))

#ifdef BUG
#define LEVELS 130u
#else
#define LEVELS 20u
#endif

static volatile uint32_t table[512] LOCAL_DATA;

PLACE uint32_t deep(uint32_t levels)
{
    volatile uint32_t frame[8];
    for (uint32_t i = 0; i < 8; i++)
        frame[i] = levels + 1;
    return levels == 0 ? 0 : deep(levels - 1) + frame[0] - levels - 1;
}

int main(void)
{
    table[0] = 7;
    finish(7 + deep(LEVELS));
    return 0;
}
