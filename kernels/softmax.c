/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Softmax of a tile's columns, in one half of Dst. Pooling gives the maxima; they are subtracted as a broadcast row.
 * The vector unit computes exponentials. Pooling with ones gives their sums, and the vector unit the reciprocals of the
 * sums. These multiply the exponentials as a broadcast row. Over the chip, this takes three halves of Dst in turn. NC
 * multicasts the tile's maxima to the column of tiles. From the maxima of all, each tile computes its exponentials, and
 * NC multicasts their sums. Then each tile has the sums of all.
 */
#include "tilefarm_stream.h"
#include "tilefarm_workloads.h"

static const struct tf_tensor_kind kinds[] = TF_SOFTMAX_KINDS;

/* Rows of Dst: the tile is in rows 0 to 63. Rows of SrcB: ones from 0 on, then two broadcast rows at BROADCAST. */
enum { MAXIMA = 64, SUMS = 96, RESULT = 128, BROADCAST = 16 };
/* Of a packed face. GAPOOL leaves sums in four rows; row ZERO_ROW and those below it are zero. */
enum { ROW_BYTES = 2 * TF_FACE_SIDE, ZERO_ROW = 4 };

#if TF_CORE == 3
#include "tilefarm_sfpu.h"

#define CLEAR_COUNTERS TF_TT(SETRWC(0, 0, 0, 0, 0, 0xF))
#define MATRIX_AFTER_VECTOR TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_MATRIX, TF_TT_VECTOR))
#define VECTOR_AFTER_MATRIX TF_TTINSN(TT_STALLWAIT(TF_TT_BLOCK_VECTOR, TF_TT_MATRIX))
#define TO_BROADCAST               \
    do {                           \
        TF_TT(INCRWC(0, 0, 8, 0)); \
        TF_TT(INCRWC(0, 0, 8, 0)); \
    } while (0)

/* Pool faces 0 and 2 into row `row` of Dst, faces 1 and 3 into row + 16. end: modifier of the last instruction. */
#define POOL(op, row, end)                   \
    do {                                     \
        TF_TT(op(0, 1, 1, 0, row));          \
        TF_TT(op(0, 1, 2, 0, row));          \
        TF_TT(op(0, 1, 1, 0, (row) + 16));   \
        TF_TT(op(0, 1, end, 0, (row) + 16)); \
    } while (0)

/* Combine SrcA's 64 rows with SrcB's broadcast rows: left faces with the first one, right faces with the second. */
#define WITH_ROWS(op, row, end)       \
    do {                              \
        TF_UPPER_MODIFIERS;           \
        TF_TT(op(0, 0, 2, 4, row));   \
        TF_TT(op(0, 0, 2, 5, row));   \
        TF_TT(op(0, 0, 2, 4, row));   \
        TF_TT(op(0, 0, 2, 6, row));   \
        TF_TT(op(0, 0, 2, 4, row));   \
        TF_TT(op(0, 0, 2, 5, row));   \
        TF_TT(op(0, 0, 2, 4, row));   \
        TF_LOWER_MODIFIERS;           \
        TF_TT(op(0, 0, 2, end, row)); \
    } while (0)

#define RECIPROCAL_AT(row)                                   \
    do {                                                     \
        TF_TT(SFPLOAD(0, TF_SFP_BF16, 0, row));              \
        TF_SFP_RECIPROCAL(0);                                \
        TF_TT(SFP_STOCH_RND(0, 0, 0, 1, 1, TF_SFP_TO_BF16)); \
        TF_TT(SFPSTORE(1, TF_SFP_BF16, 0, row));             \
    } while (0)

enum { EXP_STEP = 4 + TF_SFP_WAITS(1) + TF_SFP_EXP_COUNT + TF_MODIFIER_SWITCHES };

static void prepare(void)
{
    static const struct tf_tt_mop_loop mop = {
        .outer = 1,
        .inner = 16,
        .start = TT_NOP,
        .loop_0 = TT_REPLAY(0, EXP_STEP),
        .loop_1 = TT_NOP,
        .loop_0_last = TT_REPLAY(0, EXP_STEP),
        .loop_1_last = TT_NOP,
        .end_0 = TT_NOP,
        .end_1 = TT_NOP,
    };
    TF_ADDR_MOD(0, TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(1, TF_INCREMENT(32), TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(2, TF_INCREMENT(48), TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(0));
    TF_ADDR_MOD(3, TF_CLEAR, TF_CLEAR, TF_CLEAR, TF_INCREMENT(1));
    TF_ADDR_MOD(4, TF_INCREMENT(8), TF_INCREMENT(0), TF_INCREMENT(8), TF_INCREMENT(0));
    TF_ADDR_MOD(5, TF_INCREMENT(8), TF_INCREMENT(8), TF_INCREMENT(8), TF_INCREMENT(0));
    TF_ADDR_MOD(6, TF_INCREMENT(8), TF_INCREMENT(56), TF_INCREMENT(8), TF_INCREMENT(0));
    TF_ADDR_MOD(7, TF_INCREMENT(0), TF_INCREMENT(0), TF_INCREMENT(2), TF_INCREMENT(0));
    tf_math_begin();
    TF_TT(SFPENCC(3, 0, 10));
    TF_SFP_EXP_CONSTANTS;
    TF_SFP_CONSTANT(4, TF_SFP_LOG2E);
    TF_TTINSN(TT_RECORD(0, EXP_STEP));
    TF_TT(SFPLOAD(0, TF_SFP_BF16, 0, 0));
    TF_TT(SFPMUL(0, 4, 9, 1, 0));
    TF_SFP_WAIT;
    TF_SFP_EXP;
    TF_TT(SFP_STOCH_RND(0, 0, 0, 3, 3, TF_SFP_TO_BF16));
    TF_UPPER_MODIFIERS;
    TF_TT(SFPSTORE(3, TF_SFP_BF16, 7, 0));
    TF_LOWER_MODIFIERS;
    tf_tt_mop_loop(&mop);
}

/* From x in SrcA and the pooled maxima, compute exp(x - maximum) into rows 0 to 63 of Dst. */
static void exponentials(void)
{
    TF_TT(MOVD2B(0, BROADCAST, 0, 2, MAXIMA));
    TF_TT(MOVD2B(0, BROADCAST + 8, 0, 2, MAXIMA + 16));
    TO_BROADCAST;
    WITH_ROWS(ELWSUB, 0, 0);
    CLEAR_COUNTERS;
    VECTOR_AFTER_MATRIX;
    TF_TTINSN(TT_MOP_LOOP);
    TF_TTINSN(TT_MOP_LOOP);
    CLEAR_COUNTERS;
    MATRIX_AFTER_VECTOR;
}

#define FOUR_ROWS(row) TF_TT(MOVD2A(0, row, 0, 2, row));
#define FOR_ROWS(op, from) op(from) op((from) + 4) op((from) + 8) op((from) + 12)
#define EXPONENTIALS_TO_SRCA \
    FOR_ROWS(FOUR_ROWS, 0) FOR_ROWS(FOUR_ROWS, 16) FOR_ROWS(FOUR_ROWS, 32) FOR_ROWS(FOUR_ROWS, 48)

/* Add up the exponentials in SrcA. Two fidelity phases are enough, because ones have no low bits. */
static void sums(void)
{
    POOL(GAPOOL, SUMS, 3);
    POOL(GAPOOL, SUMS, 0);
    CLEAR_COUNTERS;
}

/* Compute 1 / sum, and copy it to the broadcast rows. */
static void reciprocals(void)
{
    VECTOR_AFTER_MATRIX;
    RECIPROCAL_AT(SUMS);
    RECIPROCAL_AT(SUMS + 2);
    RECIPROCAL_AT(SUMS + 16);
    RECIPROCAL_AT(SUMS + 18);
    MATRIX_AFTER_VECTOR;
    TF_TT(MOVD2B(0, BROADCAST, 0, 2, SUMS));
    TF_TT(MOVD2B(0, BROADCAST + 8, 0, 2, SUMS + 16));
}

static void products(uint32_t phases)
{
    for (uint32_t phase = 1; phase < phases; phase++) {
        TO_BROADCAST;
        WITH_ROWS(ELWMUL, RESULT, 3);
    }
    TO_BROADCAST;
    WITH_ROWS(ELWMUL, RESULT, 0);
    TF_TT(SETRWC(3, 0, 0, 0, 0, 0xF));
}

static void each_tile(const struct tf_stream_job *job)
{
    prepare();
    for (uint32_t i = 0; i < job->count; i++) {
        tf_math_take(i & 1);
        tf_math_zero(i & 1, false);
        POOL(GMPOOL, MAXIMA, 0);
        CLEAR_COUNTERS;
        exponentials();
        EXPONENTIALS_TO_SRCA
        sums();
        reciprocals();
        products(job->kind->phases);
        tf_math_give();
    }
}

/* Pool only the upper faces of SrcA, which have the gathered rows. */
#define POOL_GATHERED(op, row, end)          \
    do {                                     \
        TF_TT(op(0, 1, 0, 0, row));          \
        TF_TT(INCRWC(0, 0, 0, 8));           \
        TF_TT(INCRWC(0, 0, 0, 8));           \
        TF_TT(op(0, 1, end, 0, (row) + 16)); \
    } while (0)

#define NEXT_SRCA TF_TT(SETRWC(1, 0, 0, 0, 0, 0xF))
#define NEXT_SRCA_AND_SRCB TF_TT(SETRWC(3, 0, 0, 0, 0, 0xF))

static void take(uint32_t count)
{
    tf_math_take(count & 1);
    tf_math_zero(count & 1, false);
}

/* SrcA has all maxima, and its next bank has the tile. */
static void exponentials_of_column(void)
{
    POOL_GATHERED(GMPOOL, MAXIMA, 0);
    NEXT_SRCA;
    exponentials();
}

static void over_chip(const struct tf_stream_job *job)
{
    prepare();
    for (uint32_t i = 0; i < job->count; i++) {
        take(3 * i);
        POOL(GMPOOL, MAXIMA, 0);
        NEXT_SRCA_AND_SRCB;
        tf_math_give();
        take(3 * i + 1);
        exponentials_of_column();
        EXPONENTIALS_TO_SRCA
        sums();
        NEXT_SRCA_AND_SRCB;
        tf_math_give();
        take(3 * i + 2);
        exponentials_of_column();
        NEXT_SRCA;
        POOL_GATHERED(GAPOOL, SUMS, 3);
        POOL_GATHERED(GAPOOL, SUMS, 0);
        CLEAR_COUNTERS;
        EXPONENTIALS_TO_SRCA
        reciprocals();
        products(job->kind->phases);
        tf_math_give();
    }
}
#else
#define each_tile tf_stream_role
#if TF_CORE == 0
#define over_chip tf_stream_role
#elif TF_CORE == 1
enum { FACE_BYTES = TF_FACE_SIDE * ROW_BYTES };

/*
 * Send the first rows of two faces to the inboxes of the column of tiles. Pooling takes all 16 rows of an inbox, but a
 * column has only ten tiles. So the first six tiles also send a row that does not change the result.
 */
static void send(const struct tf_stream_job *job, enum tf_softmax_gathered what, uint32_t i)
{
    uint32_t column = job->me % TF_K_ROW, row = job->me / TF_K_ROW, x = TF_K_X(column);
    uint32_t rectangle = tf_rectangle(TF_NOC, x, TF_K_Y(0), x, TF_K_Y(TF_K_TILES - 1));
    uint32_t page = tf_tensor_page(TF_PAGES_OUT, 3 * i + what, TF_TILE_BYTES(TF_BF16));
    uint32_t inbox = TF_SOFTMAX_INBOX(what, i), spare = what == TF_SOFTMAX_MAXIMA ? 0 : ZERO_ROW * ROW_BYTES;
    tf_cb_wait_front(TF_PAGES_OUT, 1);
    for (uint32_t face = 0; face < 2 * FACE_BYTES; face += FACE_BYTES) {
        tf_noc_multicast(TF_NOC, rectangle, inbox + face + row * ROW_BYTES, page + face, ROW_BYTES, true);
        if (row + TF_K_ROWS < TF_FACE_SIDE)
            tf_noc_multicast(TF_NOC, rectangle, inbox + face + (row + TF_K_ROWS) * ROW_BYTES, page + face + spare,
                             ROW_BYTES, true);
    }
    tf_sem_set_multicast(TF_NOC, rectangle, TF_SOFTMAX_CAME(what, row), i + 1, true);
    tf_cb_pop_front(TF_PAGES_OUT, 1);
}

static void over_chip(const struct tf_stream_job *job)
{
    for (uint32_t i = 0; i < job->count; i++) {
        send(job, TF_SOFTMAX_MAXIMA, i);
        send(job, TF_SOFTMAX_SUMS, i);
        tf_tensor_drain(TF_PAGES_OUT, 3 * i + 2, job->me + i * TF_K_TILES, TF_TILE_BYTES(TF_BF16));
    }
}
#elif TF_CORE == 2
static void wait_for_all(enum tf_softmax_gathered what, uint32_t i)
{
    for (uint32_t row = 0; row < TF_K_ROWS; row++)
        tf_sem_wait_min(TF_SOFTMAX_CAME(what, row), i + 1);
}

static void over_chip(const struct tf_stream_job *job)
{
    TF_UNPACK_BEGIN(TF_TILE_NUMBERS);
    for (uint32_t i = 0; i < job->count; i++) {
        uint32_t tile = tf_tensor_page(TF_PAGES_A, i, TF_TILE_BYTES(TF_BF16));
        uint32_t ones = tf_tensor_page(TF_PAGES_B, i, TF_TILE_BYTES(TF_BF16));
        tf_cb_wait_front(TF_PAGES_A, 1);
        tf_cb_wait_front(TF_PAGES_B, 1);
        tf_unpack_tile(TF_UNPACKER_A, tile);
        tf_unpack_tile(TF_UNPACKER_B, ones);
        wait_for_all(TF_SOFTMAX_MAXIMA, i);
        for (uint32_t pass = 0; pass < 2; pass++) {
            tf_unpack_tile(TF_UNPACKER_A, TF_SOFTMAX_INBOX(TF_SOFTMAX_MAXIMA, i));
            tf_unpack_tile(TF_UNPACKER_B, ones);
            tf_unpack_tile(TF_UNPACKER_A, tile);
        }
        wait_for_all(TF_SOFTMAX_SUMS, i);
        tf_unpack_tile(TF_UNPACKER_A, TF_SOFTMAX_INBOX(TF_SOFTMAX_SUMS, i));
        tf_tt_wait_idle();
        tf_cb_pop_front(TF_PAGES_A, 1);
        tf_cb_pop_front(TF_PAGES_B, 1);
    }
}
#else
static void over_chip(const struct tf_stream_job *job)
{
    static const uint8_t first[3] = {MAXIMA, SUMS, RESULT};
    tf_pack_begin();
    for (uint32_t i = 0; i < 3 * job->count; i++) {
        tf_cb_reserve_back(TF_PAGES_OUT, 1, TF_TENSOR_PAGES);
        tf_pack_take();
        tf_pack_tile((i & 1) * TF_DST_HALF + first[i % 3], tf_tensor_page(TF_PAGES_OUT, i, TF_TILE_BYTES(TF_BF16)));
        tf_pack_give();
        tf_cb_push_back(TF_PAGES_OUT, 1);
    }
}
#endif
#endif

int main(void)
{
    struct tf_stream_job job = tf_stream_job(kinds, 2);
    job.shared_b = true;
    job.row = RESULT;
    return tf_stream_run(&job, job.kind->op == TF_SOFTMAX_CHIP ? over_chip : each_tile);
}
