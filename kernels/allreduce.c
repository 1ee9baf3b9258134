/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums over all tiles; every tile receives them. B adds up vectors along a binary tree, and sends the sum back down. NC
 * accumulates into lines of 16 bytes on other tiles, in every format of the ACC atomic, then reads them. T0 has longer
 * vectors: each tile adds up one chunk of all vectors, and sends it to all tiles.
 */
#include "tilefarm_kernel.h"
#include "tilefarm_workloads.h"

#if TF_CORE == 0
static void add_inbox(uint32_t level)
{
    volatile uint32_t *vector = &TF_WORD(TF_TREE_VECTOR), *inbox = &TF_WORD(TF_TREE_INBOX(level));
    for (uint32_t i = 0; i < TF_TREE_WORDS; i += 4) {
        uint32_t a = inbox[i], b = inbox[i + 1], c = inbox[i + 2], d = inbox[i + 3];
        vector[i] += a;
        vector[i + 1] += b;
        vector[i + 2] += c;
        vector[i + 3] += d;
    }
}

static void send(uint32_t tile, uint32_t to, uint32_t sem)
{
    uint32_t xy = tf_tile_xy(0, tile);
    tf_settle(TF_TREE_VECTOR + TF_TREE_WORDS * 4 - 4);
    tf_noc_write(0, xy, to, TF_TREE_VECTOR, TF_TREE_WORDS * 4);
    tf_sem_inc_remote(0, xy, sem, 1);
}

static void round_of(uint32_t round, uint32_t tile)
{
    uint32_t level = 0;
    for (uint32_t i = 0; i < TF_TREE_WORDS; i++)
        TF_WORD(TF_TREE_VECTOR + i * 4) = tf_k_input(TF_PARAMS->seed + round, tile, i);
    while (level < TF_TREE_LEVELS && !(tile >> level & 1)) {
        if (tile + (1u << level) < TF_K_TILES) {
            tf_sem_wait_min(TF_TREE_ARRIVED(level), round + 1);
            add_inbox(level);
        }
        level++;
    }
    if (tile) {
        send(tile - (1u << level), TF_TREE_INBOX(level), TF_TREE_ARRIVED(level));
        tf_sem_wait_min(TF_TREE_DOWN, round + 1);
    }
    while (level-- > 0) {
        if (tile + (1u << level) < TF_K_TILES)
            send(tile + (1u << level), TF_TREE_VECTOR, TF_TREE_DOWN);
    }
    uint32_t sum = 0;
    for (uint32_t i = 0; i < TF_TREE_WORDS; i++)
        sum = sum * 5 + TF_WORD(TF_TREE_VECTOR + i * 4);
    TF_WORD(TF_TREE_SUMS + round * 4) = sum;
}
#elif TF_CORE == 2
static void add_one(uint32_t sem)
{
    tf_noc_wait(0);
    tf_noc_wait_sent(0);
    tf_noc_atomic_posted(0, TF_ALL_TILES(0), true, sem, tf_at(TF_K_AT_INC, sem, 1, 0), 1);
}

static void make_input(uint32_t tile)
{
    for (uint32_t i = 0; i < TF_DIRECT_WORDS(TF_K_TILES); i++)
        TF_WORD(TF_DIRECT_INPUT + i * 4) = tf_k_input(TF_PARAMS->seed, tile, i);
}

static void make_vector(uint32_t plus)
{
    const volatile uint32_t *input = &TF_WORD(TF_DIRECT_INPUT);
    volatile uint32_t *vector = &TF_WORD(TF_DIRECT_VECTOR);
    for (uint32_t i = 0; i < TF_DIRECT_WORDS(TF_K_TILES); i += 4) {
        uint32_t a = input[i], b = input[i + 1], c = input[i + 2], d = input[i + 3];
        vector[i] = a + plus;
        vector[i + 1] = b + plus;
        vector[i + 2] = c + plus;
        vector[i + 3] = d + plus;
    }
}

/* Add up the received chunks into the tile's part of the vector. */
static void add_inbox(uint32_t tile)
{
    const volatile uint32_t *inbox = &TF_WORD(TF_DIRECT_INBOX);
    volatile uint32_t *chunk = &TF_WORD(TF_DIRECT_VECTOR + tile * TF_DIRECT_CHUNK_BYTES);
    for (uint32_t i = 0; i < TF_DIRECT_CHUNK_WORDS; i += 4) {
        uint32_t a = 0, b = 0, c = 0, d = 0;
        for (uint32_t from = i; from < TF_DIRECT_WORDS(TF_K_TILES); from += TF_DIRECT_CHUNK_WORDS) {
            a += inbox[from];
            b += inbox[from + 1];
            c += inbox[from + 2];
            d += inbox[from + 3];
        }
        chunk[i] = a;
        chunk[i + 1] = b;
        chunk[i + 2] = c;
        chunk[i + 3] = d;
    }
}

static void round_of(uint32_t round, uint32_t tile)
{
    uint32_t sum = 0, mine = TF_DIRECT_VECTOR + tile * TF_DIRECT_CHUNK_BYTES;
    make_vector(round * (tile + 1));
    tf_settle(TF_DIRECT_VECTOR + TF_DIRECT_WORDS(TF_K_TILES) * 4 - 4);
    for (uint32_t i = 0; i < TF_K_TILES; i++) {
        uint32_t to = (tile + i) % TF_K_TILES;
        tf_noc_write(0, tf_tile_xy(0, to), TF_DIRECT_INBOX + tile * TF_DIRECT_CHUNK_BYTES,
                     TF_DIRECT_VECTOR + to * TF_DIRECT_CHUNK_BYTES, TF_DIRECT_CHUNK_BYTES);
    }
    add_one(TF_DIRECT_CAME);
    tf_sem_wait_min(TF_DIRECT_CAME, TF_K_TILES * (round + 1));
    add_inbox(tile);
    tf_settle(mine + TF_DIRECT_CHUNK_BYTES - 4);
    tf_noc_multicast(0, TF_ALL_TILES(0), mine, mine, TF_DIRECT_CHUNK_BYTES, true);
    /* A write comes after the data on their channel. An atomic might overtake them (NoC/Ordering.md). */
    tf_sem_set_multicast(0, TF_ALL_TILES(0), TF_DIRECT_DONE(tile), round + 1, true);
    for (uint32_t i = 0; i < TF_K_TILES; i++)
        tf_sem_wait_min(TF_DIRECT_DONE(i), round + 1);
    for (uint32_t i = 0; i < TF_DIRECT_WORDS(TF_K_TILES); i++)
        sum = sum * 5 + TF_WORD(TF_DIRECT_VECTOR + i * 4);
    TF_WORD(TF_TREE_SUMS + round * 4) = sum;
}
#else
static const uint8_t formats[TF_ACC_FORMAT_COUNT] = TF_ACC_FORMATS;

static void accumulate(uint32_t round, uint32_t tile)
{
    for (uint32_t i = 0; i < TF_ACC_LINES; i++) {
        uint32_t line = (i + tile) % TF_ACC_LINES, format = formats[line % TF_ACC_FORMAT_COUNT];
        uint32_t data = tf_acc_data(format, TF_PARAMS->seed, tile, line, round);
        tf_noc_atomic(0, tf_tile_xy(0, TF_ACC_HOME(line, TF_K_TILES)), TF_ACC_LINE(line),
                      tf_at(TF_K_AT_ACC, 0, format, 0), data, TF_SCRATCH + 0x40);
    }
    tf_sem_inc_remote(0, tf_tile_xy(0, 0), TF_ACC_ARRIVED, 1);
    if (tile == 0) {
        tf_sem_wait(TF_ACC_ARRIVED, TF_K_TILES * (round + 1));
        tf_sem_set_multicast(0, TF_ALL_TILES(0), TF_ACC_DONE, round + 1, true);
    }
    tf_sem_wait_min(TF_ACC_DONE, round + 1);
}
#endif

int main(void)
{
    uint32_t tile = tf_my_tile(), rounds = TF_PARAMS->scale;
#if TF_CORE != 1
#if TF_CORE == 2
    make_input(tile);
#endif
    for (uint32_t round = 0; round < rounds; round++)
        round_of(round, tile);
#else
    for (uint32_t round = 0; round < rounds; round++)
        accumulate(round, tile);
    for (uint32_t line = 0; line < TF_ACC_LINES; line++)
        tf_noc_read(0, tf_tile_xy(0, TF_ACC_HOME(line, TF_K_TILES)), TF_ACC_LINE(line), TF_ACC_COPY(line), 16);
#endif
    tf_noc_wait(0);
    return 0;
}
