/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FIFOs between the coprocessor and cores. ATINCGETPTR moves one counter, a store or a NOC atomic the other one. An
 * item enters a row of tiles at column 0. In each tile T0's thread waits for an item, changes it and passes it to T1's
 * thread. That thread changes it and waits for room. Both threads replay their instructions. Between tiles, NC of odd
 * columns fetches items, and B of odd columns sends them. A waiting ATINCGETPTR blocks the scalar unit for the other
 * thread. The row makes progress all the same, because another tile ends the wait.
 */
#include "tilefarm_kernel.h"

#include "tilefarm_tensix.h"
#include "tilefarm_workloads.h"

#define SLOT(slots, counter) ((slots) + (counter) % TF_FIFO_CAPACITY * TF_FIFO_ITEM_BYTES)

static uint32_t me, column, count;

#if TF_CORE >= 2

/* GPRs: addresses of lines in units of 16 bytes, offsets in bytes. */
enum { CONTROL, FROM, TO, KEY, COUNTER, OFFSET, HAND_OFFSET, ITEM = 8 };

#define SEMAPHORE 1
#define LOW(gpr) ((gpr)*2)
#define LOAD(offset, increment, base) TF_TT(LOADIND(0, LOW(offset), increment, ITEM, base))
#define STORE(offset, increment, base) TF_TT(STOREIND(1, 0, 0, LOW(offset), increment, ITEM, base))
#define FOR_ITEM(op) op(0) op(1) op(2) op(3)
#define AWAIT(side) TF_TT(ATINCGETPTR(0, 1, 0, 3, side, COUNTER, CONTROL)) /* wait for an item, or for room */
#define ADVANCE(side) TF_TT(ATINCGETPTR(0, 0, 0, 3, side, COUNTER, CONTROL))
#define SLOT_OFFSET()                              \
    TF_TT(BITWOPDMAREG(1, 0, OFFSET, 3, COUNTER)); \
    TF_TT(SHIFTDMAREG(1, 0, OFFSET, 4, OFFSET))
#define WRAP_HAND() TF_TT(BITWOPDMAREG(1, 0, HAND_OFFSET, 0x30, HAND_OFFSET))
#define MEMORY_DONE(block) TF_TTINSN(TT_STALLWAIT(block, TF_TT_SCALAR_MEMORY))

static void prepare(uint32_t control, uint32_t from, uint32_t to, uint32_t key)
{
    TF_TT_GPR(CONTROL) = control / 16;
    TF_TT_GPR(FROM) = from / 16;
    TF_TT_GPR(TO) = to / 16;
    TF_TT_GPR(KEY) = tf_k_input(TF_PARAMS->seed, me, key);
    TF_TT_GPR(HAND_OFFSET) = 0;
    (void)TF_TT_GPR(HAND_OFFSET);
    tf_fence();
}
#endif

#if TF_CORE == 2
#define XOR(i) TF_TT(BITWOPDMAREG(0, 2, ITEM + i, KEY, ITEM + i));
#define ADD(i) TF_TT(ADDDMAREG(1, ITEM + i, TF_FIFO_ADD, ITEM + i));
#define LENGTH 19

static int work(void)
{
    prepare(TF_FIFO_IN, TF_FIFO_IN_SLOTS, TF_FIFO_HAND_SLOTS, 0);
    TF_TT(SEMINIT(TF_FIFO_CAPACITY, 0, SEMAPHORE));
    TF_TTINSN(TT_RECORD(0, LENGTH));
    TF_TTINSN(TT_SEMWAIT_NOT_FULL(TF_TT_BLOCK_SCALAR, SEMAPHORE));
    AWAIT(0);
    SLOT_OFFSET();
    LOAD(OFFSET, 0, FROM);
    MEMORY_DONE(TF_TT_BLOCK_SCALAR);
    FOR_ITEM(XOR)
    FOR_ITEM(ADD)
    STORE(HAND_OFFSET, 3, TO);
    WRAP_HAND();
    ADVANCE(0);
    MEMORY_DONE(TF_TT_BLOCK_SYNC);
    TF_TT(SEMPOST(SEMAPHORE));
    for (uint32_t i = 0; i < count; i++)
        TF_TTINSN(TT_REPLAY(0, LENGTH));
    tf_tt_wait_idle();
    return 0;
}

#elif TF_CORE == 3
#define SUB(i) TF_TT(SUBDMAREG(0, ITEM + i, KEY, ITEM + i));
#define LENGTH 16

static int work(void)
{
    prepare(TF_FIFO_OUT, TF_FIFO_HAND_SLOTS, TF_FIFO_OUT_SLOTS, 1);
    TF_TTINSN(TT_RECORD(0, LENGTH));
    TF_TTINSN(TT_SEMWAIT_NONZERO(TF_TT_BLOCK_SCALAR, SEMAPHORE));
    LOAD(HAND_OFFSET, 3, FROM);
    WRAP_HAND();
    MEMORY_DONE(TF_TT_BLOCK_SCALAR);
    FOR_ITEM(SUB)
    TF_TT(BITWOPDMAREG(0, 2, ITEM + 3, ITEM, ITEM + 3));
    AWAIT(1);
    SLOT_OFFSET();
    STORE(OFFSET, 0, TO);
    MEMORY_DONE(TF_TT_BLOCK_SCALAR | TF_TT_BLOCK_SYNC);
    ADVANCE(1);
    TF_TT(SEMGET(SEMAPHORE));
    for (uint32_t i = 0; i < count; i++)
        TF_TTINSN(TT_REPLAY(0, LENGTH));
    tf_tt_wait_idle();
    return 0;
}

#else
/* The counters of a FIFO. fifo: the address of this tile's counters, or of a copy of another tile's. */
static inline uint32_t taken(uint32_t fifo)
{
    return TF_WORD(fifo);
}

static inline uint32_t put(uint32_t fifo)
{
    return TF_WORD(fifo + 4);
}

static bool is_full(uint32_t fifo)
{
    return (put(fifo) - taken(fifo)) % TF_FIFO_WRAP == TF_FIFO_CAPACITY;
}

static void copy_item(uint32_t to, uint32_t from)
{
    for (uint32_t i = 0; i < TF_FIFO_ITEM_BYTES; i += 4)
        TF_WORD(to + i) = TF_WORD(from + i);
}

/* Only this core puts items into the FIFO. */
static inline void put_item(uint32_t fifo, uint32_t slots, uint32_t item)
{
    do
        tf_fence();
    while (is_full(fifo));
    copy_item(SLOT(slots, put(fifo)), item);
    tf_fence();
    TF_WORD(fifo + 4) = (put(fifo) + 1) % TF_FIFO_WRAP;
}

/* Only this core takes items out of the FIFO. */
static inline void take_own(uint32_t fifo, uint32_t slots, uint32_t item)
{
    do
        tf_fence();
    while (taken(fifo) == put(fifo));
    copy_item(item, SLOT(slots, taken(fifo)));
    tf_fence();
    TF_WORD(fifo) = (taken(fifo) + 1) % TF_FIFO_WRAP;
}

static void look(uint32_t xy, uint32_t fifo, uint32_t copy)
{
    tf_noc_read(0, xy, fifo, copy, 16);
    tf_noc_wait(0);
}

/* Advance a counter of another tile's FIFO. That tile's coprocessor moves the other one. True: it was as expected. */
static bool advance_remote(uint32_t xy, uint32_t counter, uint32_t expected)
{
#if TF_HAS_ATOMIC(2)
    return tf_noc_fetch(0, xy, counter, tf_at(TF_K_AT_INC_PTR, 0, 1, TF_FIFO_WRAP), 0) == expected;
#else /* increment the low 3 bits */
    return tf_noc_fetch(0, xy, counter, 0x1000u | 2u << 2 | (counter >> 2 & 3), 1) == expected;
#endif
}

#define COPY (TF_SCRATCH + 0x40)
#define ITEM (TF_SCRATCH + 0x80)

static inline bool take_remote(uint32_t xy, uint32_t fifo, uint32_t slots, uint32_t item)
{
    do
        look(xy, fifo, COPY);
    while (taken(COPY) == put(COPY));
    look(xy, SLOT(slots, taken(COPY)), item);
    return advance_remote(xy, fifo, taken(COPY));
}

static inline bool put_remote(uint32_t xy, uint32_t fifo, uint32_t slots, uint32_t item)
{
    do
        look(xy, fifo, COPY);
    while (is_full(COPY));
    tf_noc_write(0, xy, SLOT(slots, put(COPY)), item, TF_FIFO_ITEM_BYTES);
    tf_noc_wait(0);
    return advance_remote(xy, fifo + 4, put(COPY));
}
#endif

#if TF_CORE == 0
static void make_items(void)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t word = 0; word < 4; word++)
            TF_WORD(ITEM + word * 4) = tf_k_input(TF_PARAMS->seed + i, me, word);
        put_item(TF_FIFO_IN, TF_FIFO_IN_SLOTS, ITEM);
    }
}

static void keep_sums(void)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t sum = 0;
        take_own(TF_FIFO_OUT, TF_FIFO_OUT_SLOTS, ITEM);
        for (uint32_t word = 0; word < 4; word++)
            sum = sum * 33 + TF_WORD(ITEM + word * 4);
        TF_WORD(TF_FIFO_SUMS + i * 4) = sum;
    }
}

static int bring(void)
{
    uint32_t next = tf_tile_xy(0, me + 1);
    for (uint32_t i = 0; i < count; i++) {
        take_own(TF_FIFO_OUT, TF_FIFO_OUT_SLOTS, ITEM);
        if (!put_remote(next, TF_FIFO_IN, TF_FIFO_IN_SLOTS, ITEM))
            return 1;
    }
    return 0;
}

static int work(void)
{
    if (column == 0)
        make_items();
    else if (column == TF_K_ROW - 1)
        keep_sums();
    else if (column % 2)
        return bring();
    return 0;
}

#elif TF_CORE == 1
static int work(void)
{
    if (column % 2 == 0)
        return 0;
    uint32_t before = tf_tile_xy(0, me - 1);
    for (uint32_t i = 0; i < count; i++) {
        if (!take_remote(before, TF_FIFO_OUT, TF_FIFO_OUT_SLOTS, ITEM))
            return 1;
        put_item(TF_FIFO_IN, TF_FIFO_IN_SLOTS, ITEM);
    }
    return 0;
}
#endif

int main(void)
{
    me = tf_my_tile();
    column = me % TF_K_ROW;
    count = TF_FIFO_ITEMS * TF_PARAMS->scale;
    TF_RESULT[0] = count;
    return work();
}
