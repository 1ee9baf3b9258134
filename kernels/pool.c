/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Max pooling and top-k, in the way of tt-metal's kernels. The vector unit compares and swaps numbers in LRegs 0 to 3.
 * It swaps their indices in LRegs 4 to 7 with them (ENABLE_DEST_INDEX).
 *
 * Max pooling: a tile is an image of pixels, and each column is a channel. For each window B copies its pixels to a
 * page, T0 unpacks them as rows, and T1 keeps the largest number of each channel. Top 16: T1 sorts the upper half of
 * each column in falling order, the lower half in rising order. It keeps the larger of each pair, and sorts these.
 */
#include "tilefarm_stream.h"
#include "tilefarm_workloads.h"

static const struct tf_tensor_kind kinds[] = TF_POOL_KINDS;

/* A page has 9 pixels of a window and 3 copies of the last one. A pixel is two rows; T1 moves eight rows at a time. */
enum { PIXELS = TF_POOL_WINDOW * TF_POOL_WINDOW, GATHERED = 12, PIXEL_BYTES = 2 * TF_TILE_SIDE };
enum { PIECE_BYTES = 2 * TF_FACE_SIDE, FACE_BYTES = TF_FACE_SIDE * PIECE_BYTES };

#if TF_CORE == 0
static uint32_t pixel_at(uint32_t tile, uint32_t pixel)
{
    return tile + pixel / TF_FACE_SIDE * 2 * FACE_BYTES + pixel % TF_FACE_SIDE * PIECE_BYTES;
}

static void gather(uint32_t tile, uint32_t window, uint32_t to)
{
    for (uint32_t i = 0; i < GATHERED; i++) {
        uint32_t from = pixel_at(tile, TF_POOL_PIXEL(window, i < PIXELS ? i : PIXELS - 1));
        tf_noc_read(TF_NOC, tf_self_xy(TF_NOC), from, to + i * PIXEL_BYTES, PIECE_BYTES);
        tf_noc_read(TF_NOC, tf_self_xy(TF_NOC), from + FACE_BYTES, to + i * PIXEL_BYTES + PIECE_BYTES, PIECE_BYTES);
    }
    tf_noc_wait(TF_NOC);
}

static void windows(const struct tf_stream_job *job)
{
    const uint32_t tile = tf_tensor_page(TF_PAGES_A, 0, TF_TILE_BYTES(TF_BF16));
    tf_tensor_begin(job->kind, false);
    for (uint32_t i = 0; i < job->count; i++) {
        tf_tensor_fetch(TF_TENSOR_A, job->me + i * TF_K_TILES, TF_TILE_BYTES(TF_BF16), tile);
        tf_noc_wait(TF_NOC);
        for (uint32_t window = 0; window < TF_POOL_WINDOWS; window++) {
            tf_cb_reserve_back(TF_PAGES_B, 1, TF_TENSOR_PAGES);
            gather(tile, window, tf_tensor_page(TF_PAGES_B, window, GATHERED * PIXEL_BYTES));
            tf_cb_push_back(TF_PAGES_B, 1);
        }
    }
}
#elif TF_CORE == 2
static void windows(const struct tf_stream_job *job)
{
    TF_UNPACK_BEGIN(GATHERED * TF_TILE_SIDE);
    for (uint32_t i = 0; i < job->count * TF_POOL_WINDOWS; i++) {
        tf_cb_wait_front(TF_PAGES_B, 1);
        tf_unpack_tile(TF_UNPACKER_A, tf_tensor_page(TF_PAGES_B, i, GATHERED * PIXEL_BYTES));
        tf_tt_wait_idle();
        tf_cb_pop_front(TF_PAGES_B, 1);
    }
}
#elif TF_CORE == 3
#include "tilefarm_sfpu.h"

/* Rows of Dst: the result, a tile, from 0 on; the pixels of a window; the indices of the numbers to sort. */
enum { WINDOW = 64, INDICES = 128, LOWER = 32 };
enum { ALL_ROWS = 1, ROWS_01 = 2, ROWS_02 = 3 };  /* of SFPSWAP: rows whose larger number goes to the first LReg */
enum { UINT16 = 6 };                              /* of SFPLOAD and SFPSTORE */
enum { FOLLOW = 1 << 2, SMALLER_FIRST = 1 << 8 }; /* LaneConfig: ENABLE_DEST_INDEX, EXCHANGE_SRCB_SRCC */
enum { ODD = 2 };                                 /* a row plus ODD means its odd columns */

#define VECTOR_AFTER_MATRIX TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_VECTOR, TF_TT_MATRIX))
#define MATRIX_AFTER_VECTOR TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_MATRIX, TF_TT_VECTOR))
#define COMPARE(first, second, rows) TF_TT(SFPSWAP(first, second, rows))
#define TRANSPOSE TF_TT(SFPTRANSP(0))

static inline void load(uint32_t lreg, uint32_t format, uint32_t row)
{
    tf_tt_push(TT_OP_SFPLOAD(lreg, format, 0, row));
}

static inline void store(uint32_t lreg, uint32_t format, uint32_t row)
{
    tf_tt_push(TT_OP_SFPSTORE(lreg, format, 0, row));
}

/* Set LaneConfig. After FOLLOW only loads, comparisons and TRANSPOSE write LRegs 4 to 7 (SFPCONFIG.md, TEN-2932). */
static inline void follow(uint32_t how)
{
    tf_tt_push(TT_OP_SFPCONFIG(how, 15, 1));
    TF_TT(SFPNOP);
}

/* Convert an index to a bf16 number, and store it. */
static inline void store_index(uint32_t lreg, uint32_t row)
{
    tf_tt_push(TT_OP_SFPCAST(lreg, lreg, 0));
    store(lreg, TF_SFP_BF16, row);
}

/* Set the indices in LRegs 4 to 7. Row of lanes k of LReg 4 + i has first + rows[k] + i * step. From now on they
   follow. */
static void indices(uint32_t first, const uint8_t rows[4], uint32_t step)
{
    for (uint32_t i = 0; i < 4; i++)
        tf_tt_push(TT_OP_SFPLOADI(4 + i, 2, rows[i] + first));
    TRANSPOSE;
    for (uint32_t i = 1; i < 4; i++)
        tf_tt_push(TT_OP_SFPIADD(i * step, 4 + i, 4 + i, 5));
    follow(FOLLOW);
}

/* ---- Max pooling ---- */

#define MOST_COUNT 7
#define RECORD_MOST                          \
    do {                                     \
        TF_TTINSN(TT_RECORD(0, MOST_COUNT)); \
        COMPARE(0, 1, ALL_ROWS);             \
        COMPARE(2, 3, ALL_ROWS);             \
        COMPARE(0, 2, ALL_ROWS);             \
        TRANSPOSE;                           \
        COMPARE(0, 2, ALL_ROWS);             \
        COMPARE(1, 3, ALL_ROWS);             \
        TRANSPOSE;                           \
    } while (0)

/* A pixel is two rows of lanes. The largest numbers move to the first two rows of LReg 0, their indices to LReg 4. */
static void pool_window(uint32_t window, uint32_t half)
{
    static const uint8_t pixels[4] = {0, 0, 1, 1};
    indices(0, pixels, 2);
    for (uint32_t i = 0; i < 4; i++)
        load(i, TF_SFP_BF16, WINDOW + 4 * i + half);
    TF_TTINSN(TT_REPLAY(0, MOST_COUNT));
    load(1, TF_SFP_BF16, WINDOW + 16 + half);
    TF_TT(SFPLOADI(5, 2, PIXELS - 1));
    COMPARE(0, 1, ALL_ROWS);
    follow(0);
    store(0, TF_SFP_BF16, 4 * window + half);
    store_index(4, LOWER + 4 * window + half);
}

static void windows(const struct tf_stream_job *job)
{
    TF_ADDR_MOD(0, TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0));
    tf_math_begin();
    TF_TT(SFPENCC(3, 0, 10));
    RECORD_MOST;
    for (uint32_t i = 0; i < job->count; i++) {
        tf_math_take(i & 1);
        tf_math_zero(i & 1, false);
        for (uint32_t window = 0; window < TF_POOL_WINDOWS; window++) {
            TF_TT(MOVA2D(0, 0, 0, 2, WINDOW));
            TF_TT(MOVA2D(0, 8, 0, 2, WINDOW + 8));
            TF_TT(MOVA2D(0, 16, 0, 2, WINDOW + 16));
            TF_TT(SETRWC(1, 0, 0, 0, 0, 0xF));
            VECTOR_AFTER_MATRIX;
            pool_window(window, 0);
            pool_window(window, ODD);
            MATRIX_AFTER_VECTOR;
        }
        tf_math_give();
    }
}

/* ---- Top 16 ---- */

/* Compare rows at distances 8 and 4. After the transpose, the second replay compares at distances 2 and 1. */
#define MERGE_COUNT 5
#define RECORD_MERGE                          \
    do {                                      \
        TF_TTINSN(TT_RECORD(0, MERGE_COUNT)); \
        COMPARE(0, 2, ALL_ROWS);              \
        COMPARE(1, 3, ALL_ROWS);              \
        COMPARE(0, 1, ALL_ROWS);              \
        COMPARE(2, 3, ALL_ROWS);              \
        TRANSPOSE;                            \
    } while (0)
#define MERGE                                 \
    do {                                      \
        TF_TTINSN(TT_REPLAY(0, MERGE_COUNT)); \
        TF_TTINSN(TT_REPLAY(0, MERGE_COUNT)); \
    } while (0)

/* Sort 16 rows in LRegs 0 to 3, by the four phases of a bitonic sort. */
static void sort(bool ascending)
{
    TRANSPOSE;
    COMPARE(0, 1, ALL_ROWS);
    COMPARE(3, 2, ALL_ROWS);
    COMPARE(0, 2, ROWS_02);
    COMPARE(1, 3, ROWS_02);
    COMPARE(0, 1, ROWS_02);
    COMPARE(2, 3, ROWS_02);
    TRANSPOSE;
    COMPARE(0, 1, ALL_ROWS);
    COMPARE(2, 3, ALL_ROWS);
    COMPARE(2, 3, 0);
    TRANSPOSE;
    COMPARE(0, 2, ROWS_01);
    COMPARE(1, 3, ROWS_01);
    COMPARE(0, 1, ROWS_01);
    COMPARE(2, 3, ROWS_01);
    TRANSPOSE;
    follow(ascending ? FOLLOW | SMALLER_FIRST : FOLLOW);
    MERGE;
    follow(FOLLOW);
}

static void sort_half(uint32_t row, uint32_t first_index, bool ascending)
{
    static const uint8_t rows[4] = {0, 1, 2, 3};
    follow(0);
    indices(first_index, rows, 4);
    for (uint32_t i = 0; i < 4; i++)
        load(i, TF_SFP_BF16, row + 4 * i);
    sort(ascending);
    for (uint32_t i = 0; i < 4; i++) {
        store(i, TF_SFP_BF16, row + 4 * i);
        store(4 + i, UINT16, INDICES + row + 4 * i);
    }
}

/* Keep the larger number of each pair in the upper half. One is from the falling half, one from the rising half. */
static void keep_larger(uint32_t row)
{
    for (uint32_t i = row; i < row + 16; i += 4) {
        load(0, TF_SFP_BF16, i);
        load(1, TF_SFP_BF16, LOWER + i);
        load(4, UINT16, INDICES + i);
        load(5, UINT16, INDICES + LOWER + i);
        COMPARE(0, 1, ALL_ROWS);
        store(0, TF_SFP_BF16, i);
        store(4, UINT16, INDICES + i);
    }
}

static void sort_kept(uint32_t row)
{
    for (uint32_t i = 0; i < 4; i++) {
        load(i, TF_SFP_BF16, row + 4 * i);
        load(4 + i, UINT16, INDICES + row + 4 * i);
    }
    MERGE;
    follow(0);
    for (uint32_t i = 0; i < 4; i++) {
        store(i, TF_SFP_BF16, row + 4 * i);
        store_index(4 + i, LOWER + row + 4 * i);
    }
}

static void columns(const struct tf_stream_job *job)
{
    static const uint8_t starts[4] = {0, ODD, TF_FACE_SIDE, TF_FACE_SIDE + ODD};
    TF_ADDR_MOD(0, TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(1, TF_INCREMENT(8), TF_INCREMENT(0), TF_INCREMENT(8), TF_INCREMENT(0));
    tf_math_begin();
    TF_TT(SFPENCC(3, 0, 10));
    RECORD_MERGE;
    for (uint32_t i = 0; i < job->count; i++) {
        tf_math_take(i & 1);
        for (uint32_t row = 0; row < 64; row += 8)
            TF_TT(MOVA2D(0, 0, 1, 2, 0));
        TF_TT(SETRWC(1, 0, 0, 0, 0, 0xF));
        VECTOR_AFTER_MATRIX;
        for (uint32_t k = 0; k < 4; k++) {
            sort_half(starts[k], 0, false);
            sort_half(LOWER + starts[k], TF_FACE_SIDE, true);
            keep_larger(starts[k]);
            sort_kept(starts[k]);
        }
        tf_math_give();
    }
}
#else
#define windows tf_stream_role
#endif

#if TF_CORE != 3
#define columns tf_stream_role
#endif

int main(void)
{
    struct tf_stream_job job = tf_stream_job(kinds, 1);
    return tf_stream_run(&job, job.kind->op == TF_POOL_MAX ? windows : columns);
}
