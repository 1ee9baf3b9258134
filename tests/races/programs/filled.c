/* SPDX-License-Identifier: Apache-2.0 */
/* What `--fill ones` leaves where T0 has written nothing: a bit for local RAM, for a GPR, for Dst. */
#include "races_tensix.h"

#define UNUSED_LOCAL (TF_LOCAL_BASE + 0x300u)

/* Wormhole's cores do not reach it. */
static uint32_t in_dst(void)
{
#ifdef __riscv_atomic
    return TF_WORD(TF_DST_BASE + 0x400) != 0 ? 4 : 0;
#else
    return 4;
#endif
}

int main(void)
{
    uint32_t seen = TF_WORD(UNUSED_LOCAL) == 0xffffffff ? 1 : 0;
    seen |= TF_WORD(TF_GPR_BASE + 4 * 60) == 0xffffffff ? 2 : 0;
    seen |= in_dst();
    finish(seen);
    return 0;
}
