/* SPDX-License-Identifier: Apache-2.0 */
/* For Wormhole: a core loads a byte in the middle of the word that it has stored. The load may overtake the store. */
#include "races.h"

PLACE void store(void)
{
    TF_WORD(DATA) = 0x04030201;
#ifndef BUG
    (void)TF_WORD(DATA);
#endif
}

PLACE uint32_t look(void)
{
    return *(volatile uint8_t *)(DATA + 2);
}

int main(void)
{
    fill(DATA, 0);
    store();
    finish(look());
    return 0;
}
