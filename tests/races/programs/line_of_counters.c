/* SPDX-License-Identifier: Apache-2.0 */
/* T0 has loaded from a line of counters, whose first one an ATINCGETPTR then changes. L0 may still have the old line.
   The word that nobody has changed is as it was. */
#include "races_tensix.h"

enum { COUNTERS = 1, OLD = 2 }; /* GPRs */

PLACE void change(void)
{
    TF_TT(ATINCGETPTR(0, 0, 0, 3, 0, OLD, COUNTERS));
    TF_WORD(TF_DONE_CHECK) = 0;
    settle(TF_DONE_CHECK); /* no fence, unlike tf_tt_wait_idle() */
}

PLACE uint32_t look(uint32_t address)
{
    return TF_WORD(address);
}

int main(void)
{
    TF_WORD(DATA) = 0;     /* items taken */
    TF_WORD(DATA + 4) = 1; /* items put */
    TF_WORD(DATA + 8) = 1;
    TF_TT_GPR(COUNTERS) = DATA / 16;
    settle(TF_GPR_BASE + COUNTERS * 4);
    settle(DATA + 8);
    change();
#ifdef BUG
    finish(look(DATA));
#else
    finish(look(DATA + 8));
#endif
    return 0;
}
