/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A product whose depth is spread over a ring of chips (tilefarm_product_layout.h). In a step each chip adds its part
 * of the product to a tile of the result. The tile comes from the chip before, by way of the matrix unit: the identity
 * times the tile. After as many steps as chips, each chip has one tile that is complete; these go round to all.
 *
 * T0 unpacks A to SrcB and B to SrcA, T1 adds up in Dst, T2 packs, and core B sends.
 */
#include "tilefarm_product_layout.h"
#define TF_TENSOR_BUFFERS TF_P_PAGES
#define TF_TENSOR_READY TF_P_READY
#ifdef TF_GRID_AT_RUN_TIME
#include "tilefarm_grid.h"
#endif
#include "tilefarm_device.h"

#include "tilefarm_compute.h"

#define JOB (*(const volatile struct tf_product_job *)(uintptr_t)TF_P_JOB)

#define PHASES 4u /* of fidelity: all bits of bf16 */

#if TF_CORE == 0
static uint32_t sent;

static void send(uint32_t from)
{
    const uint32_t out = tf_xy(0, JOB.out_xy & 63, JOB.out_xy >> 6);
    if (sent >= TF_L_WINDOW)
        tf_sem_wait_min(TF_L_COUNTER(TF_L_FREE), sent + 1 - TF_L_WINDOW);
    tf_noc_write(0, out, TF_P_INBOX(sent % TF_L_WINDOW), from, TF_P_BYTES);
    tf_noc_wait(0);
    tf_sem_inc_remote(0, out, TF_L_COUNTER(TF_L_BLOCKS), 1);
    sent++;
}

static void keep(uint32_t tile, uint32_t from)
{
    const uint32_t to = TF_P_RESULT(tile);
    for (uint32_t at = 0; at < TF_P_BYTES; at += 4)
        TF_WORD(to + at) = TF_WORD(from + at);
    tf_settle(to + TF_P_BYTES - 4);
}

/* Send partial sums on. The last tile of a round is complete. */
static void add(uint32_t round)
{
    const uint32_t chips = JOB.chips;
    for (uint32_t step = 0; step < chips; step++) {
        const uint32_t page = tf_tensor_page(TF_PAGES_OUT, round * chips + step, TF_P_BYTES);
        tf_cb_wait_front(TF_PAGES_OUT, 1);
        if (step + 1 < chips)
            send(page);
        else
            keep((JOB.me + 1) % chips, page);
        tf_cb_pop_front(TF_PAGES_OUT, 1);
    }
}

static void gather(uint32_t round)
{
    const uint32_t chips = JOB.chips;
    for (uint32_t i = 0; i < chips; i++) {
        const uint32_t tile = (JOB.me + 1 + chips - i) % chips, arrived = chips - 1 + i;
        if (i != 0) {
            tf_sem_wait_min(TF_L_COUNTER(TF_L_BLOCKS), round * tf_l_reduce_steps(chips) + arrived);
            keep(tile, TF_P_INBOX(arrived - 1));
        }
        if (i + 1 < chips)
            send(TF_P_RESULT(tile));
    }
}

static void work(void)
{
    static const struct tf_tensor_kind kind = TF_KIND(TF_BF16, TF_BF16, 0, PHASES, 0);
    const uint32_t in = tf_xy(0, JOB.in_xy & 63, JOB.in_xy >> 6);
    tf_tensor_begin(&kind, false);
    for (uint32_t round = 0; round < JOB.rounds; round++) {
        add(round);
        gather(round);
        tf_sem_inc_remote(0, in, TF_L_COUNTER(TF_L_ROUNDS), 1);
    }
    tf_noc_wait(0);
}
#elif TF_CORE == 2
static void unpack(uint32_t a, uint32_t b)
{
    tf_unpack_tile(TF_UNPACKER_B, a);
    tf_unpack_tile(TF_UNPACKER_A, b);
}

static void work(void)
{
    const uint32_t chips = JOB.chips, rounds = JOB.rounds;
    TF_UNPACK_BEGIN(TF_TILE_NUMBERS);
    for (uint32_t i = 0; i < rounds * chips; i++) {
        const uint32_t round = i / chips, step = i % chips, tile = (JOB.me + chips - step) % chips;
        for (uint32_t k = 0; k < TF_P_DEPTH; k++)
            unpack(TF_P_A(round, k), TF_P_B(tile, k));
        if (step == 0)
            continue;
        tf_sem_wait_min(TF_L_COUNTER(TF_L_BLOCKS), round * tf_l_reduce_steps(chips) + step);
        unpack(TF_P_IDENTITY, TF_P_INBOX(step - 1));
    }
}
#elif TF_CORE == 3
static void work(void)
{
    const uint32_t chips = JOB.chips, rounds = JOB.rounds;
    tf_multiply_begin();
    for (uint32_t i = 0; i < rounds * chips; i++) {
        const uint32_t products = TF_P_DEPTH + (i % chips != 0);
        tf_math_take(i & 1);
        tf_math_zero(i & 1, false);
        for (uint32_t k = 0; k < products; k++)
            tf_multiply_tiles(PHASES, true);
        tf_math_give();
    }
}
#else
static void work(void)
{
    const uint32_t tiles = JOB.rounds * JOB.chips;
    tf_pack_begin();
    for (uint32_t i = 0; i < tiles; i++) {
        tf_cb_reserve_back(TF_PAGES_OUT, 1, TF_TENSOR_PAGES);
        tf_pack_take();
        tf_pack_tile((i & 1) * TF_DST_HALF, tf_tensor_page(TF_PAGES_OUT, i, TF_P_BYTES));
        tf_pack_give();
        tf_tt_wait_idle();
        tf_cb_push_back(TF_PAGES_OUT, 1);
    }
}
#endif

int main(void)
{
    if (JOB.magic != TF_P_MAGIC)
        return 1;
    if (TF_CORE != 0)
        tf_tensor_wait_begin();
    work();
#if TF_CORE >= 2
    tf_tt_wait_idle();
#endif
    return 0;
}
