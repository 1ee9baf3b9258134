/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For programs on the baby RISC-V cores: NOC requests, semaphores, mailboxes, PCBufs, stream counters,
 * clocks, identity. Sources, in the public ISA documentation: BlackholeA0/NoC/{MemoryMap,Counters,Atomics,
 * Coordinates}.md, BlackholeA0/TensixTile/BabyRISCV/{README,Mailboxes,PCBufs,MemoryOrdering,InstructionSet}.md,
 * WormholeB0/NoC/Overlay/AsGeneralUse.md.
 *
 * TF_CORE is the core that the program is compiled for: 0 B, 1 NC, 2..4 T0..T2. Each core has an initiator and a
 * transaction id of its own on its default NOC (TF_NOC). So five cores can use the NIUs of a tile at the same time. B,
 * NC, T0 and T1 use the four initiators of NIU 0, and T2 uses the first of NIU 1. On either NOC a core uses initiator
 * TF_CORE & 3, so B and T2 must not use one NOC at the same time.
 *
 * Parameters: noc is 0 or 1. xy is a node, as tf_xy() returns it. Addresses and lengths are in bytes. Functions that
 * wait have no time limit. No function reports an error. The hardware leaves undefined what a wrong argument does;
 * tilefarm reports it as a fault or a hazard.
 *
 * Alignment: source and target address of a copy are equal modulo 16. When data come from DRAM, they are equal modulo
 * 64, or 32 on Wormhole. Addresses of a copy longer than a packet are multiples of a flit. A packet has 16 KiB and a
 * flit 64 bytes; on Wormhole 8 KiB and 32 bytes.
 */
#ifndef TILEFARM_DEVICE_H
#define TILEFARM_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "tilefarm_address.h"
#include "tilefarm_family.h"

#define TF_NOC (TF_CORE == 4 ? 1u : 0u)
#define TF_INITIATOR (TF_CORE & 3u)

/*
 * TF_SCRATCH: 64 bytes of L1, at a multiple of 64, for sources and return words of the functions below. The default is
 * zeroed data of the program, which the linker script must place in L1. Define TF_SCRATCH to choose another address.
 */
#ifndef TF_SCRATCH
static uint32_t tf_scratch_words[16] __attribute__((aligned(64), section(".bss.tf_scratch"), unused));
#define TF_SCRATCH ((uint32_t)(uintptr_t)tf_scratch_words)
#endif

/* The 32-bit word at an address, a multiple of 4: memory or a register. */
#define TF_WORD(address) (*(volatile uint32_t *)(uintptr_t)(address))

/*
 * Wait until this core's store queue is empty, and flush its L0 data cache. Later loads of L1 then see what others have
 * stored. A store to another region may still be under way: tf_settle() waits for that. Wormhole's cores execute no
 * instruction here; only the compiler keeps the order.
 */
static inline void tf_fence(void)
{
    __asm__ volatile(TF_K_FENCE ::: "memory");
}

/*
 * Wait until this core's earlier stores to L1 have arrived there. NIUs, other cores and the coprocessor then see them.
 * address: of the last store, a multiple of 4. The load follows the store to this word, and the instruction after it
 * waits for the value. For a region of registers the function does this, too, if a load of the register has no effect.
 */
static inline void tf_settle(uint32_t address)
{
    uint32_t got = TF_WORD(address);
    __asm__ volatile("andi %0, %0, 0" : "+r"(got)::"memory");
}

/* ---- Identity and time ---- */

#define TF_NIU_CFG_0 0x100u

/* Returns the raw coordinates of this tile on NOC 0, as x | y << 6. */
static inline uint32_t tf_my_xy(void)
{
#ifdef TF_K_MY_XY
    return TF_K_MY_XY;
#else
    return TF_WORD(TF_NIU_BASE(0) + TF_NOC_NODE_ID) & 0xFFFu;
#endif
}

/* Returns the index of this tile, 0 .. TF_K_TILES - 1. */
static inline uint32_t tf_my_tile(void)
{
#ifdef TF_K_ME
    return TF_K_ME;
#else
    uint32_t xy = tf_my_xy(), x = xy & 63u, y = xy >> 6;
    return TF_K_TILE_AT(x, y);
#endif
}

/* Returns true if the NIU translates coordinates (Coordinates.md). */
static inline bool tf_translated(unsigned noc)
{
    return TF_WORD(TF_NIU_BASE(noc) + TF_NIU_CFG_0) >> 14 & 1;
}

/*
 * Returns a node as the functions below and NOC_TARG_ADDR_HI take it. x, y: its NOC 0 coordinates. Raw coordinates of
 * NOC 1 count from the opposite corner.
 */
static inline uint32_t tf_xy(unsigned noc, uint32_t x, uint32_t y)
{
    bool mirrored = noc && !(TF_K_NOC_1_AS_NOC_0 && tf_translated(noc));
    return mirrored ? (TF_K_X_LAST - x) | (TF_K_Y_LAST - y) << 6 : x | y << 6;
}

/* Returns the node of a Tensix tile. tile: index, 0 .. TF_K_TILES - 1. */
static inline uint32_t tf_tile_xy(unsigned noc, uint32_t tile)
{
    return tf_xy(noc, TF_K_X(tile), TF_K_Y(tile));
}

#define TF_WALL_CLOCK_L TF_DEBUG_ADDRESS(TF_DEBUG_CLOCK_L) /* a load latches the high half */

/* Returns a count of cycles modulo 2^32: a CSR of the core on Blackhole, the tile's wall clock on Wormhole. */
static inline uint32_t tf_cycle(void)
{
#ifdef __riscv_zicsr
    uint32_t cycle;
    __asm__ volatile("csrr %0, 0xC00" : "=r"(cycle));
    return cycle;
#else
    return TF_WORD(TF_WALL_CLOCK_L);
#endif
}

/* Returns the wall clock of the tile, in cycles. */
static inline uint64_t tf_wall_clock(void)
{
    uint32_t low = TF_WORD(TF_WALL_CLOCK_L);
    return (uint64_t)TF_WORD(TF_DEBUG_ADDRESS(TF_DEBUG_CLOCK_H)) << 32 | low;
}

/* ---- NOC requests ---- */

/* Bits of NOC_CTRL (NoC/MemoryMap.md). */
enum tf_noc_ctrl {
    TF_NOC_CMD_RD = 0,
    TF_NOC_CMD_AT = 1,
    TF_NOC_CMD_WR = 2,
    TF_NOC_CMD_WR_BE = 1 << 2,
    TF_NOC_CMD_WR_INLINE = 1 << 3,
    TF_NOC_CMD_RESP_MARKED = 1 << 4,
    TF_NOC_CMD_BRCST_PACKET = 1 << 5,
    TF_NOC_CMD_VC_LINKED = 1 << 6,
    TF_NOC_CMD_VC_STATIC = 1 << 7,
    TF_NOC_CMD_PATH_RESERVE = 1 << 8,
    TF_NOC_CMD_STATIC_VC_BRCST = 2 << 14,
    TF_NOC_CMD_BRCST_XY = 1 << 16,
    TF_NOC_CMD_BRCST_SRC_INCLUDE = 1 << 17,
};

/* Counters of a NIU by number (NoC/Counters.md). Those named _ID are the first of 16, one for each transaction id. */
enum tf_niu_counter {
    TF_NIU_MST_ATOMIC_RESP_RECEIVED = 0,
    TF_NIU_MST_WR_ACK_RECEIVED = 1,
    TF_NIU_MST_RD_RESP_RECEIVED = 2,
    TF_NIU_MST_NONPOSTED_WR_REQ_SENT = 10,
    TF_NIU_MST_POSTED_WR_REQ_SENT = 11,
    TF_NIU_MST_REQS_OUTSTANDING_ID = 16,
    TF_NIU_MST_WRITE_REQS_OUTGOING_ID = 32,
};

/* Returns the address of a register of this core's initiator. reg: enum tf_niu_register. */
static inline volatile uint32_t *tf_niu(unsigned noc, uint32_t reg)
{
    return (volatile uint32_t *)(TF_NIU_BASE(noc) + TF_INITIATOR * TF_NOC_INITIATOR_BYTES + reg);
}

/* Returns the value of a NIU's counter. counter: enum tf_niu_counter, plus the transaction id for those named _ID. */
static inline uint32_t tf_niu_count(unsigned noc, unsigned counter)
{
    return TF_WORD(TF_NIU_BASE(noc) + 0x200u + counter * 4);
}

/* Wait until this core's initiator can accept a request. */
static inline void tf_noc_ready(unsigned noc)
{
    while (*tf_niu(noc, TF_NOC_CMD_CTRL) & 1)
        ;
}

/*
 * Issue the request that the initiator's registers describe, with transaction id TF_CORE. ctrl: bits of enum
 * tf_noc_ctrl. Call tf_noc_ready() before the registers are written.
 */
static inline void tf_noc_launch(unsigned noc, uint32_t ctrl)
{
    *tf_niu(noc, TF_NOC_PACKET_TAG) = TF_CORE << 10;
    *tf_niu(noc, TF_NOC_CTRL) = ctrl;
    __asm__ volatile("" ::: "memory");
    *tf_niu(noc, TF_NOC_CMD_CTRL) = 1;
}

/*
 * Set the two addresses of a request. Writes take their source from the target address, and go to the return address.
 * Reads and atomics go to the target, and their data return to the return address. Inline writes go to the target.
 */
static inline void tf_noc_addresses(unsigned noc, uint32_t target_xy, uint64_t target, uint32_t return_xy,
                                    uint64_t return_address)
{
#if TF_NOC_COORDS_IN_HI
    *tf_niu(noc, TF_NOC_TARG_ADDR_LO) = (uint32_t)target;
    *tf_niu(noc, TF_NOC_TARG_ADDR_MID) = (uint32_t)(target >> 32);
    *tf_niu(noc, TF_NOC_TARG_ADDR_HI) = target_xy;
    *tf_niu(noc, TF_NOC_RET_ADDR_LO) = (uint32_t)return_address;
    *tf_niu(noc, TF_NOC_RET_ADDR_MID) = (uint32_t)(return_address >> 32);
    *tf_niu(noc, TF_NOC_RET_ADDR_HI) = return_xy;
#else
    *tf_niu(noc, TF_NOC_TARG_ADDR_LO) = (uint32_t)target;
    *tf_niu(noc, TF_NOC_TARG_ADDR_MID) = (uint32_t)(target >> 32) | target_xy << 4;
    *tf_niu(noc, TF_NOC_RET_ADDR_LO) = (uint32_t)return_address;
    *tf_niu(noc, TF_NOC_RET_ADDR_MID) = (uint32_t)(return_address >> 32) | return_xy << 4;
#endif
}

/* Returns the node of this tile on a NOC. */
static inline uint32_t tf_self_xy(unsigned noc)
{
    uint32_t xy = tf_my_xy();
    return noc ? tf_xy(noc, xy & 63u, xy >> 6) : xy;
}

/*
 * Issue a read of `bytes` from a node into this tile's L1. from: address at the node. to: address in L1. The data have
 * landed when tf_noc_wait() returns.
 */
static inline void tf_noc_read(unsigned noc, uint32_t xy, uint64_t from, uint32_t to, uint32_t bytes)
{
    tf_noc_ready(noc);
    tf_noc_addresses(noc, xy, from, tf_self_xy(noc), to);
    *tf_niu(noc, TF_NOC_AT_LEN_BE) = bytes;
    tf_noc_launch(noc, TF_NOC_CMD_RD | TF_NOC_CMD_RESP_MARKED);
}

/*
 * Issue an answered write of `bytes` from this tile's L1 to a node. to: address at the node. from: address in L1. The
 * core's stores to the source must have arrived (tf_settle()). The source may change after tf_noc_wait_sent(). The data
 * have arrived when tf_noc_wait() returns. Without that wait, two writes have no order.
 */
static inline void tf_noc_write(unsigned noc, uint32_t xy, uint64_t to, uint32_t from, uint32_t bytes)
{
    tf_noc_ready(noc);
    tf_noc_addresses(noc, tf_self_xy(noc), from, xy, to);
    *tf_niu(noc, TF_NOC_AT_LEN_BE) = bytes;
    tf_noc_launch(noc, TF_NOC_CMD_WR | TF_NOC_CMD_RESP_MARKED);
}

/*
 * Issue an answered write of some bytes out of 64. to, from: as in tf_noc_write(), and multiples of 16. mask_low: bit i
 * is for byte i. mask_high: bit i is for byte 32 + i. Wormhole issues one request for each mask that is not 0.
 */
static inline void tf_noc_write_masked(unsigned noc, uint32_t xy, uint32_t to, uint32_t from, uint32_t mask_low,
                                       uint32_t mask_high)
{
#if TF_NOC_MASK_BYTES == 32
    for (unsigned half = 0; half < 2; half++) {
        uint32_t mask = half ? mask_high : mask_low;
        if (mask == 0)
            continue;
        tf_noc_ready(noc);
        tf_noc_addresses(noc, tf_self_xy(noc), from + half * 32, xy, to + half * 32);
        *tf_niu(noc, TF_NOC_AT_LEN_BE) = mask;
        tf_noc_launch(noc, TF_NOC_CMD_WR | TF_NOC_CMD_WR_BE | TF_NOC_CMD_RESP_MARKED);
    }
#else
    tf_noc_ready(noc);
    tf_noc_addresses(noc, tf_self_xy(noc), from, xy, to);
    *tf_niu(noc, TF_NOC_AT_LEN_BE) = mask_low;
    *tf_niu(noc, TF_NOC_AT_LEN_BE_1) = mask_high;
    tf_noc_launch(noc, TF_NOC_CMD_WR | TF_NOC_CMD_WR_BE | TF_NOC_CMD_RESP_MARKED);
    tf_noc_ready(noc);
    *tf_niu(noc, TF_NOC_AT_LEN_BE_1) = 0;
#endif
}

/*
 * Issue an answered inline write of a word to a register of a node. to: address, a multiple of 4. Blackhole's inline
 * writes must not go to L1. tf_noc_wait() waits for the response.
 */
static inline void tf_noc_write_register(unsigned noc, uint32_t xy, uint32_t to, uint32_t value)
{
    tf_noc_ready(noc);
    tf_noc_addresses(noc, xy, to, tf_self_xy(noc), 0);
    *tf_niu(noc, TF_NOC_AT_DATA) = value;
    *tf_niu(noc, TF_NOC_AT_LEN_BE) = 0xF;
    tf_noc_launch(noc, TF_NOC_CMD_WR | TF_NOC_CMD_WR_INLINE | TF_NOC_CMD_RESP_MARKED);
}

/* Returns a rectangle for multicast, from its corners in NOC 0 coordinates: x0 <= x1 and y0 <= y1. */
static inline uint32_t tf_rectangle(unsigned noc, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1)
{
    return noc ? tf_xy(1, x1, y1) << 12 | tf_xy(1, x0, y0) : tf_xy(0, x0, y0) << 12 | tf_xy(0, x1, y1);
}

/* The rectangle that contains all Tensix tiles. */
#define TF_ALL_TILES(noc) tf_rectangle(noc, TF_K_X(0), TF_K_Y(0), TF_K_X(TF_K_ROW - 1), TF_K_Y(TF_K_TILES - 1))

/* Let multicasts of this initiator reach every tile of their rectangle. */
static inline void tf_noc_exclude_none(unsigned noc)
{
#if TF_NOC_COORDS_IN_HI
    *tf_niu(noc, TF_NOC_BRCST_EXCLUDE) = 0;
#else
    (void)noc; /* there is no such register */
#endif
}

/* All multicasts use one static virtual channel. So a flag arrives after the data that this core sent before to the
   same rectangle on that NOC. */
#define TF_NOC_MULTICAST \
    (TF_NOC_CMD_BRCST_PACKET | TF_NOC_CMD_PATH_RESERVE | TF_NOC_CMD_VC_STATIC | TF_NOC_CMD_STATIC_VC_BRCST)

/*
 * Issue a posted write of `bytes` from this tile's L1 to every tile of a rectangle. to: address at these tiles. from:
 * address in L1, as in tf_noc_write(). include: this tile receives the data, too, if it is in the rectangle. There is
 * no response. The source may change after tf_noc_wait_sent().
 */
static inline void tf_noc_multicast(unsigned noc, uint32_t rectangle, uint32_t to, uint32_t from, uint32_t bytes,
                                    bool include)
{
    tf_noc_ready(noc);
    tf_noc_addresses(noc, tf_self_xy(noc), from, rectangle, to);
    *tf_niu(noc, TF_NOC_AT_LEN_BE) = bytes;
    tf_noc_exclude_none(noc);
    tf_noc_launch(noc, TF_NOC_CMD_WR | TF_NOC_MULTICAST | (include ? TF_NOC_CMD_BRCST_SRC_INCLUDE : 0));
}

/* Has the family this NOC atomic? opcode: 0..15, bits 15:12 of NOC_AT_LEN_BE. */
#define TF_HAS_ATOMIC(opcode) (TF_K_NOC_ATOMICS >> (opcode)&1)

/*
 * NOC_AT_LEN_BE of two atomics on the word at an address (BlackholeA0/NoC/Atomics.md). TF_AT_INC increments by 1..15.
 * TF_AT_CAS compares with 0..15 and stores 0..15. Define TF_EMU_SPEC for a program that runs with --atomics emu-spec:
 * that document has other encodings.
 */
#ifndef TF_AT_INC
#define TF_AT_OFFSET(address) ((uint32_t)(address) >> 2 & 3)
#ifdef TF_EMU_SPEC
#define TF_AT_INC(address, by) (0x1000u | TF_AT_OFFSET(address) | (by) << 6)
#define TF_AT_CAS(address, from, to) (0x4000u | TF_AT_OFFSET(address) << 2)
#else
#define TF_AT_INC(address, by) (0x107Cu | TF_AT_OFFSET(address))
#define TF_AT_CAS(address, from, to) (0x4000u | TF_AT_OFFSET(address) | (from) << 2 | (to) << 6)
#endif
#endif

/*
 * Issue an answered atomic on a word of L1 at a node. address: a multiple of 4. at_len_be, data: NOC_AT_LEN_BE and
 * NOC_AT_DATA. return_address: a multiple of 4 in this tile's L1. The old word has landed there when tf_noc_wait()
 * returns. The atomic is indivisible. Without that wait, two atomics have no order.
 */
static inline void tf_noc_atomic(unsigned noc, uint32_t xy, uint32_t address, uint32_t at_len_be, uint32_t data,
                                 uint32_t return_address)
{
    tf_noc_ready(noc);
    tf_noc_addresses(noc, xy, address, tf_self_xy(noc), return_address);
    *tf_niu(noc, TF_NOC_AT_LEN_BE) = at_len_be;
    *tf_niu(noc, TF_NOC_AT_DATA) = data;
    tf_noc_launch(noc, TF_NOC_CMD_AT | TF_NOC_CMD_RESP_MARKED);
}

/*
 * Issue a posted atomic. where: a node, or with `multicast` a rectangle. This tile takes part if it is in the
 * rectangle. Other parameters: as in tf_noc_atomic(). There is no response, so no function waits for it.
 */
static inline void tf_noc_atomic_posted(unsigned noc, uint32_t where, bool multicast, uint32_t address,
                                        uint32_t at_len_be, uint32_t data)
{
    tf_noc_ready(noc);
    tf_noc_addresses(noc, where, address, tf_self_xy(noc), TF_SCRATCH);
    *tf_niu(noc, TF_NOC_AT_LEN_BE) = at_len_be;
    *tf_niu(noc, TF_NOC_AT_DATA) = data;
    tf_noc_exclude_none(noc);
    tf_noc_launch(noc, TF_NOC_CMD_AT | (multicast ? TF_NOC_MULTICAST | TF_NOC_CMD_BRCST_SRC_INCLUDE : 0));
}

/*
 * Wait for the responses to all answered requests of this core on a NOC. Then data of reads and atomics are in L1, and
 * data of writes are at their targets. Later loads of this core see what has landed.
 */
static inline void tf_noc_wait(unsigned noc)
{
    tf_noc_ready(noc);
    while (tf_niu_count(noc, TF_NIU_MST_REQS_OUTSTANDING_ID + TF_CORE))
        ;
    tf_fence();
}

/*
 * Wait until all writes of this core on a NOC have left. Then their sources in L1 may change. The data need not have
 * arrived.
 */
static inline void tf_noc_wait_sent(unsigned noc)
{
    tf_noc_ready(noc);
    while (tf_niu_count(noc, TF_NIU_MST_WRITE_REQS_OUTGOING_ID + TF_CORE))
        ;
    tf_fence();
}

/* Issue an atomic as tf_noc_atomic() does, and wait as tf_noc_wait() does. Returns the old word. */
static inline uint32_t tf_noc_fetch(unsigned noc, uint32_t xy, uint32_t address, uint32_t at_len_be, uint32_t data)
{
    tf_noc_atomic(noc, xy, address, at_len_be, data, TF_SCRATCH);
    tf_noc_wait(noc);
    return TF_WORD(TF_SCRATCH);
}

/* Add 1..15 to a word of L1 at a node, and wait for the response. Returns the old word. */
static inline uint32_t tf_noc_fetch_inc(unsigned noc, uint32_t xy, uint32_t address, uint32_t by)
{
    return tf_noc_fetch(noc, xy, address, TF_AT_INC(address, by), by);
}

/* Compare and swap, and wait for the response. from, to: 0..15. Returns true if the word was `from`; it is now `to`. */
static inline bool tf_noc_cas(unsigned noc, uint32_t xy, uint32_t address, uint32_t from, uint32_t to)
{
    return tf_noc_fetch(noc, xy, address, TF_AT_CAS(address, from, to), from | to << 16) == from;
}

/* ---- Software semaphores: words of L1, 16 bytes apart ---- */

/*
 * Store a value in a semaphore of this tile. sem: address, a multiple of 4. Cores that see the value also see this
 * core's earlier stores to L1. For earlier stores to registers call tf_settle() first.
 */
static inline void tf_sem_set(uint32_t sem, uint32_t value)
{
    tf_fence();
    TF_WORD(sem) = value;
}

/* Wait until a semaphore of this tile has a value. Later loads see what the core that set it stored to L1 before. */
static inline void tf_sem_wait(uint32_t sem, uint32_t value)
{
    do
        tf_fence();
    while (TF_WORD(sem) != value);
}

/* Wait until a semaphore of this tile has reached a value. It may only grow, and is less than 2^31 above `value`. */
static inline void tf_sem_wait_min(uint32_t sem, uint32_t value)
{
    do
        tf_fence();
    while ((int32_t)(TF_WORD(sem) - value) < 0);
}

/*
 * Wait for this core's earlier responses on that NOC. Then issue an increment of a semaphore at a node, by 1..15. The
 * function does not wait for its response. Cores that see the new value also see the data of these earlier requests.
 */
static inline void tf_sem_inc_remote(unsigned noc, uint32_t xy, uint32_t sem, uint32_t by)
{
    tf_noc_wait(noc);
    tf_noc_atomic(noc, xy, sem, TF_AT_INC(sem, by), by, TF_SCRATCH + 0x10);
}

/*
 * Wait for this core's earlier responses on that NOC. Then issue an answered write of a value to a semaphore at a node.
 * sem: a multiple of 16.
 */
static inline void tf_sem_set_remote(unsigned noc, uint32_t xy, uint32_t sem, uint32_t value)
{
    tf_noc_wait(noc);
    TF_WORD(TF_SCRATCH + 0x20) = value;
    tf_settle(TF_SCRATCH + 0x20);
    tf_noc_write(noc, xy, sem, TF_SCRATCH + 0x20, 4);
}

/*
 * Write a value to a semaphore of every tile of a rectangle, and wait until the write has left. sem: a multiple of 16.
 * include: as in tf_noc_multicast(). The value arrives after the data that this core sent before to the same rectangle
 * on that NOC.
 */
static inline void tf_sem_set_multicast(unsigned noc, uint32_t rectangle, uint32_t sem, uint32_t value, bool include)
{
    tf_noc_wait_sent(noc);
    TF_WORD(TF_SCRATCH + 0x30) = value;
    tf_settle(TF_SCRATCH + 0x30);
    tf_noc_multicast(noc, rectangle, sem, TF_SCRATCH + 0x30, 4, include);
    tf_noc_wait_sent(noc);
}

/* ---- Mailboxes between B, T0, T1, T2 (0..3), PCBufs from B to T0..T2 (0..2) ---- */

/*
 * Not on NC: send a value to a core. Blocks while the mailboxes that this core writes hold four values together. The
 * value may arrive before this core's earlier stores to L1: call tf_settle() first.
 */
static inline void tf_mailbox_push(unsigned to, uint32_t value)
{
    tf_fence();
    TF_WORD(TF_MAILBOX_OF(to)) = value;
}

/* Not on NC: returns true if a value from a core is there. */
static inline bool tf_mailbox_any(unsigned from)
{
    return TF_WORD(TF_MAILBOX_OF(from) + 4) & 1;
}

/* Not on NC: take the oldest value from a core. Blocks while there is none. */
static inline uint32_t tf_mailbox_pop(unsigned from)
{
    uint32_t value = TF_WORD(TF_MAILBOX_OF(from));
    tf_fence();
    return value;
}

/* B only: send a value to a T core. Blocks while the PCBuf holds 16 values. Call tf_settle() as for a mailbox. */
static inline void tf_pcbuf_push(unsigned to, uint32_t value)
{
    tf_fence();
    TF_WORD(TF_PC_BUF_OF(to)) = value;
}

/* B only: wait until a T core has taken all values and waits for another one, and its Tensix thread is idle. */
static inline void tf_pcbuf_wait(unsigned to)
{
    (void)TF_WORD(TF_PC_BUF_OF(to));
    tf_fence();
}

/* T0..T2 only: take the oldest value that B sent. Blocks while there is none. */
static inline uint32_t tf_pcbuf_pop(void)
{
    uint32_t value = TF_WORD(TF_PC_BUF_BASE);
    tf_fence();
    return value;
}

/* ---- Stream registers ---- */

/* A register of a stream of this tile. stream: 0..63. reg: enum tf_stream_register. */
#define TF_STREAM_REG_ADDRESS(stream, reg) (TF_STREAM_BASE + (stream)*TF_STREAM_BYTES + (reg)*4u)
#define TF_STREAM_REG(stream, reg) TF_WORD(TF_STREAM_REG_ADDRESS(stream, reg))

/*
 * Circular buffers whose pages the registers of a stream count. One core puts pages in, another one takes them out.
 * Counters wrap at 2^16, so a buffer has at most 65,535 pages. Returns how many pages are in.
 */
static inline uint32_t tf_cb_filled(unsigned stream)
{
    return (TF_STREAM_REG(stream, TF_STREAM_RECEIVED) - TF_STREAM_REG(stream, TF_STREAM_ACKED)) & 0xFFFFu;
}

/* Writer: wait until `pages` pages are free. capacity: pages of the buffer. */
static inline void tf_cb_reserve_back(unsigned stream, uint32_t pages, uint32_t capacity)
{
    while (tf_cb_filled(stream) + pages > capacity)
        ;
    tf_fence();
}

/* Writer: put `pages` pages in. Their data must be in L1: call tf_settle() after stores, tf_noc_wait() after reads. */
static inline void tf_cb_push_back(unsigned stream, uint32_t pages)
{
    tf_fence();
    TF_STREAM_REG(stream, TF_STREAM_RECEIVED) = (TF_STREAM_REG(stream, TF_STREAM_RECEIVED) + pages) & 0xFFFFu;
}

/* Reader: wait until `pages` pages are in. Later loads see their data. */
static inline void tf_cb_wait_front(unsigned stream, uint32_t pages)
{
    while (tf_cb_filled(stream) < pages)
        ;
    tf_fence();
}

/* Reader: free `pages` pages. NOC writes from them must have left (tf_noc_wait_sent()). */
static inline void tf_cb_pop_front(unsigned stream, uint32_t pages)
{
    tf_fence();
    TF_STREAM_REG(stream, TF_STREAM_ACKED) = (TF_STREAM_REG(stream, TF_STREAM_ACKED) + pages) & 0xFFFFu;
}

/* ---- Instructions ---- */

/*
 * Blackhole: tf_amoNAME(address, value) is an AMO on a word of this tile's L1. address: a multiple of 4. It waits until
 * the store queue is empty, and flushes the L0 data cache. Returns the old word.
 */
#ifdef __riscv_atomic
#define TF_AMO(name)                                                                                            \
    static inline uint32_t tf_amo##name(uint32_t address, uint32_t value)                                       \
    {                                                                                                           \
        uint32_t old;                                                                                           \
        __asm__ volatile("amo" #name ".w.aqrl %0, %1, (%2)" : "=r"(old) : "r"(value), "r"(address) : "memory"); \
        return old;                                                                                             \
    }
TF_AMO(add)
TF_AMO(swap)
TF_AMO(xor)
TF_AMO(or)
TF_AMO(and)
TF_AMO(min)
TF_AMO(max)
TF_AMO(minu)
TF_AMO(maxu)
#undef TF_AMO
#endif

/*
 * Add to a word of this tile's L1 in one indivisible step. address: a multiple of 4. Returns the old word. Wormhole's
 * cores have no AMOs: there it is a NOC atomic, and waits as tf_noc_fetch() does.
 */
static inline uint32_t tf_add_here(uint32_t address, uint32_t value)
{
#ifdef __riscv_atomic
    return tf_amoadd(address, value);
#else
    uint32_t at = 0x1000u | 31u << 2 | (address >> 2 & 3);
    return tf_noc_fetch(TF_NOC, tf_self_xy(TF_NOC), address, at, value);
#endif
}

/* Bit operations, by single instructions where the cores have them. */
#ifdef __riscv_zbb
/* Returns 0xFF for each byte that is not 0, and 0 for the others. */
static inline uint32_t tf_orc_b(uint32_t value)
{
    uint32_t result;
    __asm__("orc.b %0, %1" : "=r"(result) : "r"(value));
    return result;
}

/* Returns the value with its bytes in reverse order. */
static inline uint32_t tf_rev8(uint32_t value)
{
    uint32_t result;
    __asm__("rev8 %0, %1" : "=r"(result) : "r"(value));
    return result;
}

/* pack, brev8 and grevi: the assembler does not know them by these names. Returns the low halves of both values. */
static inline uint32_t tf_pack(uint32_t low, uint32_t high)
{
    uint32_t result;
    __asm__(".insn r 0x33, 4, 4, %0, %1, %2" : "=r"(result) : "r"(low), "r"(high));
    return result;
}

/* Swap neighbouring groups of 1, 2, 4, 8 or 16 bits, by the bits of `control`, a constant 0..31. */
#define TF_GREVI(value, control)                                                                       \
    ({                                                                                                 \
        uint32_t tf_result;                                                                            \
        __asm__(".insn i 0x13, 5, %0, %1, %2" : "=r"(tf_result) : "r"(value), "i"(0x680 | (control))); \
        tf_result;                                                                                     \
    })

/* Returns the value with the bits of each byte in reverse order. */
static inline uint32_t tf_brev8(uint32_t value)
{
    return TF_GREVI(value, 7);
}

#else
static inline uint32_t tf_orc_b(uint32_t value)
{
    uint32_t result = 0;
    for (unsigned at = 0; at < 32; at += 8)
        result |= value >> at & 0xFF ? 0xFFu << at : 0;
    return result;
}

static inline uint32_t tf_pack(uint32_t low, uint32_t high)
{
    return (low & 0xFFFF) | high << 16;
}

/* As TF_GREVI() above, where cores lack the instruction. */
static inline uint32_t tf_grev(uint32_t value, unsigned control)
{
    static const uint32_t low[5] = {0x55555555, 0x33333333, 0x0F0F0F0F, 0x00FF00FF, 0x0000FFFF};
    for (unsigned i = 0; i < 5; i++)
        if (control >> i & 1)
            value = (value & low[i]) << (1u << i) | (value >> (1u << i) & low[i]);
    return value;
}

#define TF_GREVI(value, control) tf_grev(value, control)

static inline uint32_t tf_rev8(uint32_t value)
{
    return tf_grev(value, 24);
}

static inline uint32_t tf_brev8(uint32_t value)
{
    return tf_grev(value, 7);
}
#endif

/* T0..T2: a Tensix instruction in the code of the core. word: a constant; the code has it rotated left by two. */
#define TF_TTINSN(word) __asm__ volatile(".word %0" ::"i"((uint32_t)(word) << 2 | (uint32_t)(word) >> 30))

#endif
