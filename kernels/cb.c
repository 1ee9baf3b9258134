/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Circular buffers with counters in stream registers: a pipeline in each row of tiles. A page goes from B to T0, T1,
 * T2, NC and to the next tile, and each core changes every word. For the buffer between two tiles, the reader (stream
 * TF_CB_STREAM_IN) and the writer (TF_CB_STREAM_OUT) each have counters. Register writes of the other tile update them.
 */
#include "tilefarm_kernel.h"
#include "tilefarm_workloads.h"

#define PAGE(stream, index) (TF_CB_BUFFER(stream) + (index) % TF_CB_PAGES * TF_CB_PAGE_BYTES)

static uint32_t me, column;

static void transform(uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < TF_CB_PAGE_BYTES; i += 8) {
        uint32_t a = TF_WORD(from + i), b = TF_WORD(from + i + 4);
        TF_WORD(to + i) = TF_CB_STEP(a, me, TF_CORE);
        TF_WORD(to + i + 4) = TF_CB_STEP(b, me, TF_CORE);
    }
    tf_settle(to + TF_CB_PAGE_BYTES - 4);
}

#if TF_CORE == 0
static void handle(uint32_t index)
{
    uint32_t from = PAGE(TF_CB_STREAM_IN, index), to = PAGE(0, index);
    if (column) {
        tf_cb_wait_front(TF_CB_STREAM_IN, 1);
    } else {
        for (uint32_t i = 0; i < TF_CB_PAGE_BYTES / 4; i++)
            TF_WORD(from + i * 4) = tf_k_input(TF_PARAMS->seed + index, me, i);
    }
    tf_cb_reserve_back(0, 1, TF_CB_PAGES);
    transform(from, to);
    tf_cb_push_back(0, 1);
    if (column) {
        tf_cb_pop_front(TF_CB_STREAM_IN, 1);
        tf_noc_wait(0);
        tf_noc_write_register(0, tf_tile_xy(0, me - 1), TF_STREAM_REG_ADDRESS(TF_CB_STREAM_OUT, TF_STREAM_ACKED),
                              TF_STREAM_REG(TF_CB_STREAM_IN, TF_STREAM_ACKED));
    }
}
#elif TF_CORE == 1
static void send(uint32_t page, uint32_t index)
{
    uint32_t next = tf_tile_xy(0, me + 1);
    tf_cb_reserve_back(TF_CB_STREAM_OUT, 1, TF_CB_PAGES);
    tf_noc_write(0, next, PAGE(TF_CB_STREAM_IN, index), page, TF_CB_PAGE_BYTES);
    tf_cb_push_back(TF_CB_STREAM_OUT, 1);
    tf_noc_wait(0);
    tf_noc_write_register(0, next, TF_STREAM_REG_ADDRESS(TF_CB_STREAM_IN, TF_STREAM_RECEIVED),
                          TF_STREAM_REG(TF_CB_STREAM_OUT, TF_STREAM_RECEIVED));
}

static void keep(uint32_t page, uint32_t index)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < TF_CB_PAGE_BYTES; i += 4)
        sum = sum * 33 + TF_WORD(page + i);
    TF_WORD(TF_CB_SUMS + index * 4) = sum;
    tf_noc_write_register(0, tf_tile_xy(0, 0), TF_STREAM_REG_ADDRESS(TF_CB_CREDIT_STREAM, TF_STREAM_SPACE_UPDATE),
                          1u << 6);
}

static void handle(uint32_t index)
{
    uint32_t page = TF_CB_OUT + index % TF_CB_PAGES * TF_CB_PAGE_BYTES;
    tf_cb_wait_front(3, 1);
    tf_noc_wait(0);
    transform(PAGE(3, index), page);
    tf_cb_pop_front(3, 1);
    if (column < TF_K_ROW - 1)
        send(page, index);
    else
        keep(page, index);
}
#else
static void handle(uint32_t index)
{
    uint32_t from = TF_CORE - 2, to = TF_CORE - 1;
    tf_cb_wait_front(from, 1);
    tf_cb_reserve_back(to, 1, TF_CB_PAGES);
    transform(PAGE(from, index), PAGE(to, index));
    tf_cb_push_back(to, 1);
    tf_cb_pop_front(from, 1);
}
#endif

int main(void)
{
    uint32_t count = TF_CB_ITEMS * TF_PARAMS->scale;
    me = tf_my_tile();
    column = me % TF_K_ROW;
    for (uint32_t index = 0; index < count; index++)
        handle(index);
    tf_noc_wait(0);
    TF_RESULT[0] = count;
    return 0;
}
