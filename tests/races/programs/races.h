/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that the programs of this folder share. Each is compiled twice: with BUG, one order is missing; without,
 * the program keeps to what the documents promise, MemoryOrdering.md and NoC/Ordering.md. ../programs.txt lists them.
 *
 * Names of functions say who is in the race: they are not inlined, and the report of `check` names them.
 */
#include "tilefarm_device.h"

#define PLACE static __attribute__((noinline, unused))

/* L1 of every tile. */
#define FLAG 0x18000u
#define COUNTER 0x18040u
#define RETURN 0x18080u
#define RESULT 0x19000u
#define DATA 0x20000u
#define COPY 0x28000u

/* The mover, by the registers of TDMA-RISC. */
#define TDMA(offset) TF_WORD(TF_TDMA_BASE + (offset))
#define MOVE 0x40u /* the command */
#define L1_TO_CONFIG 1u

#define WORDS 16u
#define BYTES (WORDS * 4)
#define FIRST 1000u /* the first word of the data; each next one is larger by 1 */

enum { TID_OTHER = 5 }; /* a transaction id beside those of the device library, which are the numbers of cores */

/* Go on when L1 has this core's earlier stores: a load comes after them, and an instruction waits for its value. */
static inline void settle(uint32_t address)
{
    uint32_t got = TF_WORD(address);
    __asm__ volatile("andi %0, %0, 0" : "+r"(got)::"memory");
}

static inline void fill(uint32_t to, uint32_t first)
{
    for (uint32_t i = 0; i < WORDS; i++)
        TF_WORD(to + i * 4) = first + i;
    settle(to + (WORDS - 1) * 4);
}

static inline uint32_t sum(uint32_t from, uint32_t words)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < words; i++)
        total += TF_WORD(from + i * 4);
    return total;
}

static inline void finish(uint32_t value)
{
    TF_WORD(RESULT) = value;
    settle(RESULT);
}

static inline uint32_t tile_xy(uint32_t tile)
{
    return tf_tile_xy(0, tile);
}

/* Launch the request in the initiator's registers, with a transaction id. */
static inline void launch(unsigned noc, unsigned tid, uint32_t ctrl)
{
    *tf_niu(noc, TF_NOC_PACKET_TAG) = tid << 10;
    *tf_niu(noc, TF_NOC_CTRL) = ctrl;
    *tf_niu(noc, TF_NOC_CMD_CTRL) = 1;
}

static inline void read_as(unsigned tid, uint32_t xy, uint32_t from, uint32_t to, uint32_t bytes)
{
    tf_noc_ready(0);
    tf_noc_addresses(0, xy, from, tf_self_xy(0), to);
    *tf_niu(0, TF_NOC_AT_LEN_BE) = bytes;
    launch(0, tid, TF_NOC_CMD_RD | TF_NOC_CMD_RESP_MARKED);
}

static inline void write_as(unsigned tid, uint32_t xy, uint32_t to, uint32_t from, uint32_t bytes, uint32_t ctrl)
{
    tf_noc_ready(0);
    tf_noc_addresses(0, tf_self_xy(0), from, xy, to);
    *tf_niu(0, TF_NOC_AT_LEN_BE) = bytes;
    launch(0, tid, TF_NOC_CMD_WR | ctrl);
}

/* Wait until at most `left` requests with a transaction id have no response yet. */
static inline void wait_for(unsigned tid, uint32_t left)
{
    tf_noc_ready(0);
    while (tf_niu_count(0, TF_NIU_MST_REQS_OUTSTANDING_ID + tid) > left)
        ;
    tf_fence();
}

/* Another transfer to a tile and back, with its own transaction id: the first bytes of B's program. */
static inline void round_trip(uint32_t tile)
{
    write_as(TID_OTHER, tile_xy(tile), COPY + 0x1000, 0, 16, TF_NOC_CMD_RESP_MARKED);
    wait_for(TID_OTHER, 0);
}

/* Raise the flag of a tile by one, and wait for the response. */
PLACE void announce(uint32_t tile)
{
    tf_noc_fetch_inc(0, tile_xy(tile), FLAG, 1);
}

PLACE void await_flag(void)
{
    tf_sem_wait_min(FLAG, 1);
}
