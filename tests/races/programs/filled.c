/* SPDX-License-Identifier: Apache-2.0 */
/* What `--fill ones` leaves where a core has written nothing: a bit for local RAM, a GPR, Dst, SrcA, SrcB and an LReg.
   B and NC look at local RAM alone. */
#include "races_tensix.h"
#include "tilefarm_sfpu.h"

#define UNUSED_LOCAL (TF_LOCAL_BASE + 0x300u)

#ifdef __riscv_atomic
static uint32_t row_of_dst(void)
{
    tf_tt_wait_idle();
    return TF_WORD(TF_DST_BASE);
}

/* ZEROACC would leave what cores read. */
static void clear_dst(void)
{
    for (uint32_t at = 0; at < 32; at += 4)
        TF_WORD(TF_DST_BASE + at) = 0;
}

static uint32_t in_registers(void)
{
    uint32_t seen = TF_WORD(TF_DST_BASE + 0x400) != 0 ? 4 : 0;
    TF_TT(SETDVALID(3));
    clear_dst();
    seen |= row_of_dst() == 0 ? 0 : 64;
    TF_TT(MOVA2D(0, 0, 0, 0, 0));
    seen |= row_of_dst() != 0 ? 8 : 0;
    clear_dst();
    TF_TT(MOVB2D(0, 0, 0, 0, 0));
    seen |= row_of_dst() != 0 ? 16 : 0;
    clear_dst();
    TF_TT(SFPSTORE(1, TF_SFP_BF16, 0, 0));
    seen |= row_of_dst() != 0 ? 32 : 0;
    return seen;
}
#else
/* Wormhole's cores do not reach Dst. */
static uint32_t in_registers(void)
{
    return 4 + 8 + 16 + 32;
}
#endif

int main(void)
{
    uint32_t seen = TF_WORD(UNUSED_LOCAL) == 0xffffffff ? 1 : 0;
    if (TF_CORE < 2) {
        seen |= 62;
    } else {
        seen |= TF_WORD(TF_GPR_BASE + 4 * 60) == 0xffffffff ? 2 : 0;
        seen |= in_registers();
    }
    finish(seen);
    return 0;
}
