/* SPDX-License-Identifier: Apache-2.0 */
/* B adds up one word more than it has written. */
#include "races.h"

#ifdef BUG
#define COUNT (WORDS + 1)
#else
#define COUNT WORDS
#endif

PLACE void add(void)
{
    finish(sum(DATA, COUNT));
}

int main(void)
{
    fill(DATA, FIRST);
    add();
    return 0;
}
