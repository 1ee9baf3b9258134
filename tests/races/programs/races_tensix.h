/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that use the coprocessor. */
#include "races.h"

#define TF_TENSOR_BUFFERS 0x40000u
#define TF_TENSOR_READY 0x18100u
#include "tilefarm_compute.h"

#define IN 0x30000u
#define OUT 0x34000u
#define TILE_BYTES 2048u /* of 1024 numbers in bf16 */
#define NEXT (IN + TILE_BYTES)
#define ONES 0x3F803F80u /* two of them */
#define TWOS 0x40004000u

/* clang-format off */
#define BF16_FROM_SRC TF_KIND(TF_BF16, TF_BF16, 0, 1, 0)
#define BF16_TO_DST {TF_BF16, TF_BF16, 0, 1, 0, 0, TF_HOW_TO_DST, 0}
/* clang-format on */

static inline void fill_tile(uint32_t to, uint32_t word)
{
    for (uint32_t i = 0; i < TILE_BYTES; i += 4)
        TF_WORD(to + i) = word;
    settle(to + TILE_BYTES - 4);
}

/* B: configure, and let the other cores start when all stores have arrived. A load comes after the stores to its own
   word, and those before them, on either family. */
static inline void begin(const struct tf_tensor_kind *kind)
{
    tf_configure_unpackers(kind, false);
    tf_configure_math(kind);
    tf_configure_packer(kind);
    uint32_t got = TF_TT_CFG(0, TT_CFG_ALU_FORMAT_SPEC_REG0_SrcA_WORD);
    TF_TT_CFG(0, TT_CFG_ALU_FORMAT_SPEC_REG0_SrcA_WORD) = got;
    got = TF_TT_CFG(0, TT_CFG_ALU_FORMAT_SPEC_REG0_SrcA_WORD);
    __asm__ volatile("andi %0, %0, 0" : "+r"(got)::"memory");
    tf_sem_set(TF_TENSOR_READY, 1);
}

/* B, before begin(): set a semaphore of the coprocessor, by an instruction of the thread that posts it later. */
static inline void set_semaphore(unsigned thread, unsigned index)
{
    tf_tt_push_to(thread, TT_OP_SEMINIT(2, 0, 1u << index));
}

/* main() of B: two tiles of one number each, and a configuration that takes them to Dst. */
static inline int begin_with_tiles(uint32_t in, uint32_t next)
{
    static const struct tf_tensor_kind kind = BF16_TO_DST;
    fill_tile(IN, in);
    fill_tile(NEXT, next);
    begin(&kind);
    return 0;
}

#if TF_CORE >= 2
/* T0: unpack a tile straight into Dst, where T2 packs it from. */
static inline void unpack_begin(void)
{
    TF_UNPACK_BEGIN(TF_TILE_NUMBERS);
    TF_TTINSN(TT_SETC16_FIELD(SRCA_SET_SetOvrdWithAddr, 0));
    TF_TT(SEMINIT(2, 0, TF_SEM_DST));
}

static inline void unpack_place(uint32_t from)
{
    tf_unpack_from(TF_UNPACKER_A, from);
    tf_tensor_write_config(TT_CFG_THCON_SEC0_REG5_Dest_cntx0_address_WORD, 4 * 16, TF_TT_UNPACKER_0);
    tf_tt_wait_idle();
}

static inline void unpack_give(void)
{
    TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_UNPACKER_0));
    TF_TT(SEMPOST(TF_SEM_DST));
    tf_tt_wait_idle();
}

/* T2: pack what T0 has unpacked, and keep one word of it as the result. */
static inline void pack_and_finish(void)
{
    tf_pack_begin();
    tf_pack_take();
    tf_pack_tile(0, OUT);
    tf_pack_give();
    finish(TF_WORD(OUT));
}

/* main() of T2. */
static inline int one_packer(void)
{
    tf_tensor_wait_begin();
    pack_and_finish();
    return 0;
}
#endif
