/* SPDX-License-Identifier: Apache-2.0 */
/* Step 1: a program on one core. It stores numbers in the tile's L1. It returns 0 if the last one is right. */
#include "tilefarm_device.h"

#define SQUARES 0x20000u

int main(void)
{
    for (uint32_t i = 0; i < 10; i++)
        TF_WORD(SQUARES + 4 * i) = i * i;
    return TF_WORD(SQUARES + 4 * 9) == 81 ? 0 : 1;
}
