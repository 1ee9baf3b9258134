/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Convert tiles to another format or order. The unpacker converts into Dst, or into SrcA, and T1 moves the numbers from
 * there to Dst. The packer converts, clamps, adds to L1 or changes the order of rows.
 */
#include "tilefarm_stream.h"
#include "tilefarm_workloads.h"

static const struct tf_tensor_kind kinds[] = TF_CONVERT_KINDS;

#if TF_CORE == 2
/* Unpack into Dst. T0 shares its halves with T2, in place of T1. */
static void unpack_to_dst(const struct tf_stream_job *job)
{
    uint32_t bytes = tf_stream_bytes(job);
    TF_UNPACK_BEGIN(TF_TILE_NUMBERS);
    TF_TTINSN(TT_SETC16_FIELD(SRCA_SET_SetOvrdWithAddr, 0));
    TF_TT(SEMINIT(2, 0, TF_SEM_DST));
    for (uint32_t i = 0; i < job->count; i++) {
        tf_cb_wait_front(TF_PAGES_A, 1);
        tf_unpack_from(TF_UNPACKER_A, tf_tensor_page(TF_PAGES_A, i, bytes));
        tf_tensor_write_config(TT_CFG_THCON_SEC0_REG5_Dest_cntx0_address_WORD, (4 + (i & 1) * TF_DST_HALF) * 16,
                               TF_TT_UNPACKER_0);
        TF_TTINSN(TT_SEMWAIT_NOT_FULL(TF_TT_BLOCK_UNPACK, TF_SEM_DST));
        TF_TTINSN(TT_UNPACK(TF_UNPACKER_A, 0, 0));
        TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_SYNC, TF_TT_UNPACKER_0));
        TF_TT(SEMPOST(TF_SEM_DST));
        tf_tt_wait_idle();
        tf_cb_pop_front(TF_PAGES_A, 1);
    }
}

/* The unpacker's row of 16 numbers is a row of a face. So unpack each face from its columns of the strip. */
static void unpack_faces(const struct tf_stream_job *job)
{
    uint32_t bytes = tf_stream_bytes(job), tile = (job->me & 1) * (TF_STRIP_ROW_BYTES / 2);
    TF_UNPACK_BEGIN(TF_TILE_NUMBERS);
    for (uint32_t i = 0; i < job->count; i++) {
        tf_cb_wait_front(TF_PAGES_A, 1);
        tf_unpack_from(TF_UNPACKER_A, tf_tensor_page(TF_PAGES_A, i, bytes) + tile);
        for (uint32_t face = 0; face < 4; face++) {
            uint32_t first = (face & 1) * TF_FACE_SIDE, half = face / 2 * 4; /* planes of 256 numbers */
            tf_tt_push(TT_OP_SETADCXX(1, first + 255, first));
            tf_tt_push(TT_OP_SETADCZW(1, 0, 0, face, 0, half, 5));
            tf_tt_push(TT_UNPACK(TF_UNPACKER_A, 0, face == 3));
        }
        tf_tt_wait_idle();
        tf_cb_pop_front(TF_PAGES_A, 1);
    }
}

static void work(const struct tf_stream_job *job)
{
    if (job->kind->how == TF_HOW_TO_DST)
        unpack_to_dst(job);
    else if (TF_K_UNPACK_ROW == 16 && job->kind->how == TF_HOW_TILIZE)
        unpack_faces(job);
    else
        tf_stream_unpack(job);
}
#elif TF_CORE == 3
static void work(const struct tf_stream_job *job)
{
    if (job->kind->how == TF_HOW_TO_DST)
        return;
    TF_ADDR_MOD(0, TF_INCREMENT(8), TF_INCREMENT(0), TF_INCREMENT(8), TF_INCREMENT(0));
    tf_math_begin();
    for (uint32_t i = 0; i < job->count; i++) {
        tf_math_take(i & 1);
        for (unsigned row = 0; row < 64; row += 8)
            TF_TT(MOVA2D(0, 0, 0, 2, 0));
        TF_TT(SETRWC(1, 0, 0, 0, 0, 0xF));
        tf_math_give();
    }
}
#elif TF_CORE == 4
#define TT_PACK_ROWS(rows, addr_mode, last) TT_OP_PACR(0, 0, 0, addr_mode, 0, 0, rows, 0, 0, 0, 0, last)

enum { FIRST_ROW = 1, EVEN_ROWS = 5, ODD_ROWS = 10 };

#if TF_K_UNPACK_ROW == 16
#define pack_tilized() TF_TTINSN(TT_MOP_LOOP) /* the unpacker has separated the faces */
#else
/* Even rows of Dst belong to the left faces, odd rows to the right faces. z counts the halves of the tile. */
static void pack_tilized(void)
{
    TF_TTINSN(TT_SETC16_FIELD(ADDR_MOD_PACK_SEC0_YsrcIncr, 4));
    TF_TTINSN(TT_SETC16_FIELD(ADDR_MOD_PACK_SEC1_YsrcClear, 1));
    TF_TT(SETC16(TT_THREAD_CFG_ADDR_MOD_PACK_SEC2_YsrcClear_WORD,
                 1 << TT_THREAD_CFG_ADDR_MOD_PACK_SEC2_YsrcClear_SHIFT |
                     1 << TT_THREAD_CFG_ADDR_MOD_PACK_SEC2_ZsrcIncr_SHIFT));
    TF_TT(SETC16(TT_THREAD_CFG_ADDR_MOD_PACK_SEC3_YsrcClear_WORD,
                 1 << TT_THREAD_CFG_ADDR_MOD_PACK_SEC3_YsrcClear_SHIFT |
                     1 << TT_THREAD_CFG_ADDR_MOD_PACK_SEC3_ZsrcClear_SHIFT));
    for (unsigned half = 0; half < 2; half++) {
        for (unsigned i = 0; i < 7; i++)
            TF_TTINSN(TT_PACK_ROWS(EVEN_ROWS, 0, 0));
        TF_TTINSN(TT_PACK_ROWS(EVEN_ROWS, 1, 0));
        for (unsigned i = 0; i < 7; i++)
            TF_TTINSN(TT_PACK_ROWS(ODD_ROWS, 0, 0));
        tf_tt_push(half == 0 ? TT_PACK_ROWS(ODD_ROWS, 2, 0) : TT_PACK_ROWS(ODD_ROWS, 3, 1));
    }
}
#endif

/* Pack a row of the left face and a row of the right face in turn. z counts faces, w halves of the tile. Each of four
   packers takes eight such pairs. */
#if TF_K_PACKERS == 4
enum { PAIRS = 8, PARTS = 1, ROW_OF_EACH = TF_K_PACK_SELECT };

static void place_untilized(uint32_t row, uint32_t address)
{
    tf_pack_rows(row, row + PAIRS, row + 2 * TF_FACE_ROWS, row + 2 * TF_FACE_ROWS + PAIRS);
    tf_pack_to(address);
}
#else
enum { PAIRS = 16, PARTS = 2, ROW_OF_EACH = FIRST_ROW };
#define place_untilized tf_pack_place
#endif

static void pack_untilized(void)
{
    if (TF_K_PACK_ROW != TF_K_PACK_ROWS)
        TF_PACK_EACH(TF_K_PACK_ROW);
    TF_TTINSN(TT_SETC16_FIELD(ADDR_MOD_PACK_SEC0_ZsrcIncr, 1));
    TF_TT(SETC16(TT_THREAD_CFG_ADDR_MOD_PACK_SEC1_YsrcIncr_WORD,
                 1 << TT_THREAD_CFG_ADDR_MOD_PACK_SEC1_YsrcIncr_SHIFT |
                     1 << TT_THREAD_CFG_ADDR_MOD_PACK_SEC1_ZsrcClear_SHIFT));
    TF_TT(SETC16(TT_THREAD_CFG_ADDR_MOD_PACK_SEC2_YsrcClear_WORD,
                 1 << TT_THREAD_CFG_ADDR_MOD_PACK_SEC2_YsrcClear_SHIFT |
                     1 << TT_THREAD_CFG_ADDR_MOD_PACK_SEC2_ZsrcClear_SHIFT));
    for (unsigned part = 0; part < PARTS; part++) {
        for (unsigned i = 0; i < PAIRS - 1; i++) {
            TF_TTINSN(TT_PACK_ROWS(ROW_OF_EACH, 0, 0));
            TF_TTINSN(TT_PACK_ROWS(ROW_OF_EACH, 1, 0));
        }
        TF_TTINSN(TT_PACK_ROWS(ROW_OF_EACH, 0, 0));
        tf_tt_push(TT_PACK_ROWS(ROW_OF_EACH, 2, part == PARTS - 1));
        TF_TT(INCADCZW(4, 0, 0, 0, 1, 0));
    }
    TF_TT(SETADCZW(4, 0, 0, 0, 0, 0, 0xF));
}

static void pack_rounds(const struct tf_stream_job *job, uint32_t row, uint32_t address)
{
    for (unsigned round = 0; round < TF_TENSOR_ROUNDS; round++) {
        tf_tensor_write_config(TT_CFG_THCON_SEC0_REG1_Pack_L1_Acc_WORD, tf_packer_modes(job->kind, round != 0),
                               TF_TT_PACKER);
#if TF_K_PACKERS == 4
        for (unsigned i = 0; i < 3; i++)
            tf_tensor_write_config(tf_other_packers[i] + 3, tf_packer_modes(job->kind, round != 0), TF_TT_PACKER);
#endif
        tf_pack_tile(row, address);
    }
}

static void pack(const struct tf_stream_job *job, uint32_t row, uint32_t address)
{
    switch (job->kind->how) {
    case TF_HOW_TILIZE:
        tf_pack_place(row, address);
        pack_tilized();
        break;
    case TF_HOW_UNTILIZE:
        place_untilized(row, address);
        pack_untilized();
        break;
    case TF_HOW_ACCUMULATE: pack_rounds(job, row, address); break;
    default: tf_pack_tile(row, address);
    }
}

/* The packer rounds fp32 to tf32 when it reads Dst, and formats with shared exponents in a later stage. */
static void begin_stochastic(const struct tf_stream_job *job)
{
    if (!TF_FORMAT_IS_BFP(job->kind->out))
        tf_tensor_write_config(TT_CFG_PCK_DEST_RD_CTRL_Read_32b_data_WORD,
                               TF_FIELD(PCK_DEST_RD_CTRL_Read_32b_data, 1) |
                                   TF_FIELD(PCK_DEST_RD_CTRL_Round_10b_mant, 1),
                               TF_TT_PACKER);
    tf_round_stochastically(tf_k_input(TF_PARAMS->seed, job->me, 0), TF_ROUND_GASKET | TF_ROUND_PACKER);
}

static void work(const struct tf_stream_job *job)
{
    uint32_t bytes = TF_TILE_BYTES(job->kind->out);
    tf_pack_begin();
    if (job->kind->op == TF_CONVERT_STOCHASTIC)
        begin_stochastic(job);
    for (uint32_t i = 0; i < job->count; i++) {
        tf_cb_reserve_back(TF_PAGES_OUT, 1, TF_TENSOR_PAGES);
        tf_pack_take();
        pack(job, (i & 1) * TF_DST_HALF, tf_tensor_page(TF_PAGES_OUT, i, bytes));
        tf_pack_give();
        tf_cb_push_back(TF_PAGES_OUT, 1);
    }
}
#else
#define work tf_stream_role
#endif

int main(void)
{
    const struct tf_stream_job job = tf_stream_job(kinds, 1);
    return tf_stream_run(&job, work);
}
