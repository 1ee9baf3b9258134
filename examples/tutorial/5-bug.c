/* SPDX-License-Identifier: Apache-2.0 */
/* Step 5: a program with a bug, to find by GDB. The sum of the numbers 1 to 10 should be 55. */
#include "tilefarm_device.h"

static volatile uint32_t sum;

static void add(uint32_t number)
{
    sum += number;
}

int main(void)
{
    for (uint32_t i = 1; i < 10; i++)
        add(i);
    return sum == 55 ? 0 : 1;
}
