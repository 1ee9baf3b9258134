/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NOC atomics of many tiles on the same words. B takes tickets and locks, NC fills and drains queues, T0 swaps, T1 uses
 * the Zaamo requests. T2 mixes AMOs on its own L1 with increments and accumulations from other tiles.
 */
#include "tilefarm_kernel.h"
#include "tilefarm_workloads.h"

static uint32_t me, seed, scale;

/* All cores of the tile add to one line, while neighbours add to it through the NOC. */
static void add_to_own_line(void)
{
    for (uint32_t i = 0; i < TF_LOCAL_ADDS * scale; i++)
        tf_add_here(TF_LOCAL_LINE + (i & 3) * 4, i + TF_CORE);
}

#if TF_CORE == 0
static int tickets(void)
{
    uint32_t count = TF_TICKETS * scale;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t home = TF_TICKET_HOME((me + i) % TF_TICKET_COUNTERS, TF_K_TILES);
        tf_noc_atomic(0, tf_tile_xy(0, home), TF_TICKET_COUNTER, tf_at(TF_K_AT_INC, TF_TICKET_COUNTER, 1, 0), 1,
                      TF_TICKET_LIST + i * 4);
        if ((i + 1) % TF_TICKET_COUNTERS == 0) /* two atomics under way to one counter have no order */
            tf_noc_wait(0);
    }
    tf_noc_wait(0);
    return 0;
}

static int locks(void)
{
    uint32_t home = tf_tile_xy(0, TF_LOCK_HOME(me % TF_LOCKS, TF_K_TILES)), copy = TF_SCRATCH + 0x80;
    for (uint32_t i = 0; i < TF_LOCK_ENTRIES * scale; i++) {
        while (!tf_noc_cas(0, home, TF_LOCK, 0, 1))
            ;
        tf_noc_read(0, home, TF_LOCK_RECORD, copy, 16);
        tf_noc_wait(0);
        uint32_t value = tf_k_input(seed, me, i);
        TF_WORD(copy) += 1;
        TF_WORD(copy + 4) += value;
        TF_WORD(copy + 8) ^= value;
        TF_WORD(copy + 12) = me;
        tf_settle(copy + 12);
        tf_noc_write(0, home, TF_LOCK_RECORD, copy, 16);
        tf_noc_wait(0);
        if (!tf_noc_cas(0, home, TF_LOCK, 1, 0))
            return 1;
    }
    return 0;
}

static int work(uint32_t variant)
{
    int status = 0;
    if (variant == TF_ATOMICS_ALL || variant == TF_ATOMICS_TICKETS)
        status |= tickets();
    if (variant == TF_ATOMICS_ALL || variant == TF_ATOMICS_LOCKS)
        status |= locks();
    return status;
}

#elif TF_CORE == 1
/* Take the next slot of the ring. The atomic wraps the pointer, or the core computes the remainder. */
static uint32_t claim(uint32_t home, uint32_t pointer)
{
#if TF_HAS_ATOMIC(2)
    return tf_noc_fetch(0, home, pointer, tf_at(TF_K_AT_INC_PTR, 0, 1, TF_QUEUE_SLOTS), 0);
#else
    return tf_noc_fetch_inc(0, home, pointer, 1) % TF_QUEUE_SLOTS;
#endif
}

static int produce(uint32_t home, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = claim(home, TF_QUEUE_TAIL);
        while (!tf_noc_cas(0, home, TF_QUEUE_STATE(slot), TF_QUEUE_EMPTY, TF_QUEUE_FILLING))
            ;
        TF_WORD(TF_SCRATCH + 0x80) = tf_k_input(seed, me, i);
        tf_settle(TF_SCRATCH + 0x80);
        tf_noc_write(0, home, TF_QUEUE_VALUE(slot), TF_SCRATCH + 0x80, 4);
        tf_noc_wait(0);
        if (!tf_noc_cas(0, home, TF_QUEUE_STATE(slot), TF_QUEUE_FILLING, TF_QUEUE_FULL))
            return 1;
    }
    return 0;
}

static int consume(uint32_t home, uint32_t count)
{
    uint32_t sum = 0, xor = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = claim(home, TF_QUEUE_HEAD);
        while (!tf_noc_cas(0, home, TF_QUEUE_STATE(slot), TF_QUEUE_FULL, TF_QUEUE_DRAINING))
            ;
        tf_noc_read(0, home, TF_QUEUE_VALUE(slot), TF_SCRATCH + 0x80, 16);
        tf_noc_wait(0);
        sum += TF_WORD(TF_SCRATCH + 0x80);
        xor ^= TF_WORD(TF_SCRATCH + 0x80);
        if (!tf_noc_cas(0, home, TF_QUEUE_STATE(slot), TF_QUEUE_DRAINING, TF_QUEUE_EMPTY))
            return 1;
    }
    TF_RESULT[TF_QUEUE_SUM] = sum;
    TF_RESULT[TF_QUEUE_XOR] = xor;
    return 0;
}

static int work(uint32_t variant)
{
    uint32_t home = tf_tile_xy(0, TF_QUEUE_HOME(me / TF_K_ROW, TF_K_ROW)), count = TF_QUEUE_ITEMS * scale;
    if ((variant != TF_ATOMICS_ALL && variant != TF_ATOMICS_QUEUE) || TF_QUEUE_IDLE(me, TF_K_ROW))
        return 0;
    TF_RESULT[TF_QUEUE_COUNT] = count;
    return me % TF_K_ROW < TF_K_ROW / 2 ? produce(home, count) : consume(home, count);
}

#elif TF_CORE == 2
static int masked(void)
{
    uint32_t lane = me % TF_SWAP_GROUP, home = tf_tile_xy(0, me - lane), last = 0;
    uint32_t word = TF_SWAP_LINE + (lane >> 1) * 4, at = tf_at(TF_K_AT_SWAP_MASK, 0, 1u << lane, 0);
    for (uint32_t i = 0; i < TF_SWAPS * scale; i++) {
        uint32_t value = tf_k_input(seed, me, i) & 0xFFFFu;
        uint32_t old = tf_noc_fetch(0, home, word, at, value << 16 | value);
        if ((old >> (lane & 1) * 16 & 0xFFFFu) != last)
            return 1;
        last = value;
    }
    TF_RESULT[TF_SWAP_LAST] = last;
    return 0;
}

static void tokens(void)
{
    uint32_t token = 0x10000u + me;
    for (uint32_t i = 0; i < TF_SWAPS * scale; i++) {
        uint32_t home = tf_tile_xy(0, TF_TOKEN_HOME((me * 5 + i * 3) % TF_TOKEN_WORDS, TF_K_TILES));
        token = tf_noc_fetch(0, home, TF_TOKEN, tf_at(TF_K_AT_SWAP_0 + i % 3, TF_TOKEN, 0, 0), token);
    }
    TF_RESULT[TF_SWAP_TOKEN] = token;
}

static void own_byte(void)
{
    uint32_t line = TF_SCRATCH + 0x80, lane = me % 64;
    for (uint32_t i = 0; i < 64; i += 4)
        TF_WORD(line + i) = 0x01010101u * (me ^ 0x5A);
    tf_settle(line + 60);
    tf_noc_write_masked(0, tf_tile_xy(0, TF_BYTES_HOME(me)), TF_BYTES_LINE, line, lane < 32 ? 1u << lane : 0,
                        lane < 32 ? 0 : 1u << (lane - 32));
    tf_noc_wait(0);
}

static int work(uint32_t variant)
{
    if (variant != TF_ATOMICS_ALL && variant != TF_ATOMICS_SWAPS)
        return 0;
    tokens();
    own_byte();
    return masked();
}

#elif TF_CORE == 3 && !TF_HAS_ATOMIC(10)
static int work(uint32_t variant)
{
    return variant == TF_ATOMICS_SUMS; /* the family has no Zaamo requests, so the host does not start this */
}

#elif TF_CORE == 3
static int work(uint32_t variant)
{
    if (variant != TF_ATOMICS_ALL && variant != TF_ATOMICS_SUMS)
        return 0;
    for (uint32_t i = 0; i < TF_SUMS * scale; i++) {
        uint32_t home = tf_tile_xy(0, TF_SUM_HOME((me + i) % TF_SUM_HOMES, TF_K_TILES));
        for (uint32_t op = 0; op < TF_K_ZAAMO_COUNT; op++)
            tf_noc_atomic(0, home, TF_SUM_WORD(op), tf_at(TF_K_AT_ZAAMO, TF_SUM_WORD(op), op, 0),
                          tf_sum_data(op, seed, me, i), TF_SCRATCH + 0x80 + op * 4);
        tf_noc_wait(0);
        if (tf_noc_fetch(0, home, TF_MAP_WORD, tf_at(TF_K_AT_MAP, 0, 0, 0), ~0u) != TF_MAP_VALUE)
            return 1;
    }
    return 0;
}

#else
#ifndef __riscv_atomic
static int own_words(void)
{
    return 0;
}
#else
/* Nine words that only this core uses. Each has its own AMO: check old and new values. */
static int own_words(void)
{
    uint32_t expected[9], value, old[9];
    for (uint32_t i = 0; i < 9; i++)
        expected[i] = TF_WORD(TF_LOCAL_OPS + i * 4);
    for (uint32_t i = 0; i < TF_LOCAL_REMOTE * scale; i++) {
        value = tf_k_input(seed, me, i);
        old[0] = tf_amoadd(TF_LOCAL_OPS, value);
        old[1] = tf_amoswap(TF_LOCAL_OPS + 4, value);
        old[2] = tf_amoxor(TF_LOCAL_OPS + 8, value);
        old[3] = tf_amoor(TF_LOCAL_OPS + 12, 1u << (value & 31));
        old[4] = tf_amoand(TF_LOCAL_OPS + 16, ~(1u << (value & 31)));
        old[5] = tf_amomin(TF_LOCAL_OPS + 20, value);
        old[6] = tf_amomax(TF_LOCAL_OPS + 24, value);
        old[7] = tf_amominu(TF_LOCAL_OPS + 28, value);
        old[8] = tf_amomaxu(TF_LOCAL_OPS + 32, value);
        for (uint32_t k = 0; k < 9; k++) {
            if (old[k] != expected[k])
                return 1;
        }
        for (uint32_t k = 0; k < 9; k++)
            expected[k] = TF_WORD(TF_LOCAL_OPS + k * 4);
    }
    return 0;
}
#endif

static int work(uint32_t variant)
{
    if (variant != TF_ATOMICS_ALL && variant != TF_ATOMICS_LOCAL)
        return 0;
    uint32_t next = tf_tile_xy(TF_NOC, (me + 1) % TF_K_TILES);
    uint32_t previous = tf_tile_xy(TF_NOC, (me + TF_K_TILES - 1) % TF_K_TILES);
    for (uint32_t i = 0; i < TF_LOCAL_REMOTE * scale; i++) {
        uint32_t word = TF_LOCAL_LINE + (i & 3) * 4, by = i % 15 + 1;
        tf_noc_atomic_posted(TF_NOC, next, false, word, tf_at(TF_K_AT_INC, word, by, 0), by);
        if (TF_HAS_ATOMIC(9))
            tf_noc_atomic(TF_NOC, previous, TF_LOCAL_LINE, tf_at(TF_K_AT_ACC, 0, 4, 0), tf_k_input(seed, me, i),
                          TF_SCRATCH);
        else
            for (uint32_t k = 0; k < 4; k++)
                tf_noc_atomic(TF_NOC, previous, TF_LOCAL_LINE + k * 4, tf_at(TF_K_AT_INC, k * 4, 0, 0),
                              tf_k_input(seed, me, i), TF_SCRATCH);
        if (me % (TF_K_ROW * 2) == 0)
            tf_noc_atomic_posted(TF_NOC, TF_ALL_TILES(TF_NOC), true, TF_LOCAL_MULTI,
                                 tf_at(TF_K_AT_INC, TF_LOCAL_MULTI, by, 0), by);
        if (i % 16 == 15)
            tf_noc_wait(TF_NOC);
    }
    tf_noc_wait(TF_NOC);
    return own_words();
}
#endif

int main(void)
{
    uint32_t variant = TF_PARAMS->variant;
    me = tf_my_tile();
    seed = TF_PARAMS->seed;
    scale = TF_PARAMS->scale;
    if (variant == TF_ATOMICS_ALL || variant == TF_ATOMICS_LOCAL)
        add_to_own_line();
    return work(variant);
}
