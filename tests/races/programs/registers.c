/* SPDX-License-Identifier: Apache-2.0 */
/* T1 uses registers of the coprocessor that nothing has written: a GPR, an LReg, rows of Dst, SrcA and SrcB. */
#include "races_tensix.h"

PLACE void gpr(void)
{
#ifndef BUG
    TF_TTINSN(TT_SET_GPR_LOW(20, 0));
#endif
    TF_TT(ADDDMAREG(1, 21, 5, 20)); /* GPR 21: GPR 20 and 5 */
}

PLACE void core(void)
{
#ifdef BUG
    TF_TT_GPR(30);
#else
    TF_TT_GPR(21);
#endif
}

PLACE void lreg(void)
{
#ifndef BUG
    TF_TT(SFPLOADI(2, 0, 0));
#endif
    TF_TT(SFPMOV(2, 3, 0)); /* LReg 3: LReg 2 */
}

PLACE void dst(void)
{
#ifndef BUG
    TF_TT(SFPSTORE(3, 2, 0, 64));
#endif
    TF_TT(SFPLOAD(4, 2, 0, 64));
}

PLACE void banks(void)
{
#ifndef BUG
    TF_TT(ZEROSRC(0, 0, 0, 3)); /* the unpackers' banks of SrcA and SrcB */
#endif
    TF_TT(SETDVALID(3));
    TF_TT(ELWADD(3, 0, 0, 0, 128));
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_VECTOR, TF_TT_MATRIX));
    TF_TT(SFPLOAD(5, 2, 0, 128)); /* a row of zeros, but the matrix unit has written it */
}

/* Rows 0 to 7 of SrcA and of SrcB, in banks that nothing else has written. An addition is before rows 0 to 3 of SrcA:
   of eight rows that it reads, one must have been written. */
static inline void write_rows(void)
{
    TF_TT(SETDVALID(3));
    TF_TT(SFPSTORE(10, 2, 0, 192));
    TF_TT(SFPSTORE(10, 2, 0, 196));
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_MATRIX, TF_TT_VECTOR));
    TF_TT(MOVD2A(0, 4, 0, 2, 196));
    TF_TT(MOVD2B(0, 0, 0, 2, 192));
    TF_TT(MOVD2B(0, 4, 0, 2, 196));
    TF_TT(ELWADD(0, 0, 0, 0, 208));
    TF_TT(MOVD2A(0, 0, 0, 2, 192));
}

PLACE void row(void)
{
#ifdef BUG
    TF_TT(MOVA2D(0, 32, 0, 0, 200));
#else
    TF_TT(MOVA2D(0, 7, 0, 0, 200));
#endif
}

/* A product has all 16 rows of SrcA. */
PLACE void product(void)
{
#ifndef BUG
    TF_TT(MOVD2A(0, 8, 0, 2, 192));
    TF_TT(MOVD2A(0, 12, 0, 2, 196));
#endif
    TF_TT(MVMUL(3, 0, 0, 192));
}

int main(void)
{
    gpr();
    tf_tt_wait_idle();
    core();
    lreg();
    dst();
    banks();
    write_rows();
    row();
    product();
    tf_tt_wait_idle();
    finish(1);
    return 0;
}
