/* SPDX-License-Identifier: Apache-2.0 */
/*
 * 2 a + 1 of tiles in fp32. NC reads pages from DRAM, T0 unpacks them to Dst, T1 computes in the vector unit, T2 packs,
 * and B writes to DRAM. T0 unpacks a face at a time. On Wormhole an UNPACR of zeros to SrcA follows each tile, as in
 * the vendor's kernels (erratum TEN-3868).
 */
#include "start.h"

#include "tilefarm_compute.h"

START

enum { IN = 0, OUT = 2 }; /* circular buffers */
enum { BYTES = 4096 };

#if TF_CORE < 2

static inline const volatile struct client_tiles *tiles(void)
{
    return arguments();
}

uint32_t main(void)
{
    for (uint32_t i = 0; i < tiles()->count; i++) {
        uint32_t page = tiles()->first + i * tiles()->step;
#if TF_CORE == 1
        read_page(tiles()->address, page, BYTES, cb_reserve(IN));
        tf_noc_wait(NOC);
        cb_push(IN);
#else
        write_page(tiles()->address, page, BYTES, cb_front(OUT));
        tf_noc_wait(NOC);
        cb_pop(OUT);
#endif
    }
    return 0;
}

#else

static const struct tf_tensor_kind kind = {TF_FP32, TF_FP32, 1, 1, 0, 0, TF_HOW_TO_DST, 0};

/* Semaphores: halves of Dst in use, halves that are unpacked, halves that are computed. The last one says that T2 has
   configured the packer, since unpackers read a word of that. */
enum { USED = 1 << 1, UNPACKED = 1 << 2, COMPUTED = 1 << 3, PACKER_READY = 1 << 4 };

static inline uint32_t count(void)
{
    return ((const volatile struct client_tiles *)arguments())->count;
}

#if TF_CORE == 2

enum { FACE = 256, Z_OF_BOTH = 0x11, FACE_STRIDE = 4 * FACE };
#define TO_DST (TF_FIELD(THCON_SEC0_REG2_Disable_zero_compress_cntx0, 1))

/* Unpack to Dst from row `row` on, or to SrcA. */
static inline void choose(bool to_dst, uint32_t row)
{
    tf_tensor_write_config(TT_CFG_THCON_SEC0_REG2_Disable_zero_compress_cntx0_WORD,
                           TO_DST | TF_FIELD(THCON_SEC0_REG2_Unpack_if_sel_cntx0, to_dst), TF_TT_UNPACKER_0);
    tf_tensor_write_config(TT_CFG_THCON_SEC0_REG5_Dest_cntx0_address_WORD, (4 + row) * 16, TF_TT_UNPACKER_0);
}

/* Erratum TEN-3868. The counters of faces stay as the tile has left them. */
static inline void unpack_zeros(void)
{
#if TF_K_PACKERS == 4
    choose(false, 0);
    TF_TT(SETC16(TT_THREAD_CFG_SRCA_SET_Base_WORD, 4));
    TF_TT(SETADCXX(1, 15, 0));
    TF_TT(UNPACR(0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1));
    TF_TT(SETADCXX(1, FACE - 1, 0));
#endif
}

uint32_t main(void)
{
    tf_configure_unpackers(&kind, false);
    TF_FIELD_WORD(UNP0_ADDR_CTRL_ZW_REG_1_Zstride, TF_FIELD(UNP0_ADDR_CTRL_ZW_REG_1_Zstride, FACE_STRIDE));
    tf_settle((uint32_t)(uintptr_t)&TF_TT_CFG(0, TT_CFG_UNP0_ADDR_CTRL_ZW_REG_1_Zstride_WORD));
    TF_UNPACK_BEGIN(FACE);
    TF_TTINSN(TT_SETC16_FIELD(SRCA_SET_SetOvrdWithAddr, 0));
    TF_TT(SEMINIT(2, 0, USED | UNPACKED | COMPUTED));
    TF_TTINSN(TT_SEMWAIT_NONZERO(TF_TT_BLOCK_UNPACK | TF_TT_BLOCK_SYNC, PACKER_READY));
    TF_TT(SEMGET(PACKER_READY));
    for (uint32_t i = 0; i < count(); i++) {
        tf_unpack_from(TF_UNPACKER_A, cb_front(IN));
        TF_TT(SETADCZW(3, 0, 0, 0, 0, 0, 0xF));
        choose(true, (i & 1) * TF_DST_HALF);
        TF_TT(SETC16(TT_THREAD_CFG_SRCA_SET_Base_WORD, 0));
        TF_TTINSN(TT_SEMWAIT_NOT_FULL(TF_TT_BLOCK_UNPACK, USED));
        for (unsigned face = 0; face < 4; face++)
            TF_TTINSN(TT_UNPACK(TF_UNPACKER_A, Z_OF_BOTH, 0));
        TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_UNPACKER_0));
        TF_TT(SEMPOST(USED | UNPACKED));
        unpack_zeros();
        tf_tt_wait_idle();
        cb_pop(IN);
    }
    return 0;
}

#elif TF_CORE == 3

#include "tilefarm_sfpu.h"

enum { FORMAT_FP32 = 3, STEPS = 32 };

static void configure(void)
{
    tf_configure_math(&kind);
    tf_settle((uint32_t)(uintptr_t)&TF_TT_CFG(0, TT_CFG_STACC_RELU_ApplyRelu_WORD));
    TF_ADDR_MOD(0, TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(7, TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(2), TF_INCREMENT(0));
    TF_TT(SETRWC(0, 0, 0, 0, 0, 0xF));
}

uint32_t main(void)
{
    configure();
    for (uint32_t i = 0; i < count(); i++) {
        TF_TTINSN(TT_SEMWAIT_NONZERO(TF_TT_BLOCK_VECTOR, UNPACKED));
        tf_tt_push(TT_SETC16_FIELD(DEST_TARGET_REG_CFG_MATH_Offset, (i & 1) * TF_DST_HALF));
        for (unsigned step = 0; step < STEPS; step++) {
            TF_TT(SFPLOAD(0, FORMAT_FP32, 0, 0));
            TF_TT(SFPADD(10, 0, 0, 1, 0));
            TF_SFP_WAIT;
            TF_TT(SFPADD(10, 1, 10, 1, 0));
            TF_SFP_WAIT;
            TF_UPPER_MODIFIERS;
            TF_TT(SFPSTORE(1, FORMAT_FP32, 7 % TF_K_ADDR_MODS, 0));
            TF_LOWER_MODIFIERS;
        }
        TF_TT(SETRWC(0, 0, 0, 0, 0, 0xF));
        TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_MATRIX | TF_TT_VECTOR));
        TF_TT(SEMGET(UNPACKED));
        TF_TT(SEMPOST(COMPUTED));
    }
    return 0;
}

#else

/* The last store of tf_configure_packer(). */
#if TF_K_PACKERS == 4
#define LAST_WORD (TT_CFG_PACK_COUNTERS_SEC0_pack_reads_per_xy_plane_WORD + 3)
#else
#define LAST_WORD TT_CFG_THCON_SEC0_REG1_Pack_L1_Acc_WORD
#endif

uint32_t main(void)
{
    tf_configure_packer(&kind);
    tf_settle((uint32_t)(uintptr_t)&TF_TT_CFG(0, LAST_WORD));
    TF_TT(SEMPOST(PACKER_READY));
    tf_pack_begin();
    for (uint32_t i = 0; i < count(); i++) {
        uint32_t to = cb_reserve(OUT);
        TF_TTINSN(TT_SEMWAIT_NONZERO(TF_TT_BLOCK_PACK, COMPUTED));
        tf_pack_tile((i & 1) * TF_DST_HALF, to);
        TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_PACKER));
        TF_TT(SEMGET(USED | COMPUTED));
        tf_tt_wait_idle();
        cb_push(OUT);
    }
    return 0;
}

#endif
#endif
