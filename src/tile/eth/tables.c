/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ethernet tiles of both families. Blackhole: register offsets, values after reset, and the firmware's part are ttsim's
 * (data/bh/tile_regs.json, tile.cpp). Wormhole: WormholeB0/EthernetTile/{BabyRISCV/README,EthernetTxRx,SoftReset,
 * CycleCounters,TileControlDebugStatus}.md, BabyRISCV/{InstructionRAM,CallingIntoCustomerCode}.md; the words that
 * firmware leaves in L1 and the values of the MAC are ttsim's (tile.cpp, data/wh/tile_regs.json).
 */
#include "tile/eth/tables.h"
#include "tile/state.h"

#define LINK TF_ETH_LINK_BASE
#define QUEUE_WORDS 64u

/* --- Blackhole --- */

static const struct tf_eth_range blackhole_ranges[] = {
    /* Addresses of cores, and the interrupt controller: INTERRUPT_MODE from 0x20 on, INTERRUPT_VECTOR from 0x40 on,
       INTERRUPT_ROUTE (eth_block.py of tt-exalens). No public source says what raises an interrupt; nothing does. */
    {TF_ETH_CONTROL_BASE, 0x64 / 4},
    {LINK + 0x0000, QUEUE_WORDS},
    {LINK + 0x1000, QUEUE_WORDS},
    {LINK + 0x2000, QUEUE_WORDS}, /* TX queues */
    {LINK + 0x4000, QUEUE_WORDS},
    {LINK + 0x5000, QUEUE_WORDS},
    {LINK + 0x6000, QUEUE_WORDS}, /* RX queues */
    {LINK + 0x8000, 0x200 / 4},   /* link */
    {LINK + 0x8200, 0x500 / 4},   /* headers */
    {0, 0},
};

static const struct tf_eth_word blackhole_reset[] = {
    {LINK + 0x0000, 1},
    {LINK + 0x1000, 1},
    {LINK + 0x4000, 2},
    {LINK + 0x5000, 2},
    {LINK + 0x1080, 0x111},
    {LINK + 0x1084, 1},
    {LINK + 0x800C, 1},          /* PCS status */
    {LINK + 0x8154, 0xA00},      /* routing by MAC addresses */
    {LINK + 0x8218, 0xFFFFFFFF}, /* MAC addresses of the first two headers, low and high */
    {LINK + 0x821C, 0xFFFF},
    {LINK + 0x8298, 1},
    {LINK + 0x829C, 0x100},
    /* E0's first and last address, as the chip's firmware leaves them: LoadEthFw() in bh_arc/eth.c of
       tt-system-firmware. Nothing looks at the last one. */
    {TF_ETH_CONTROL_BASE + 0x00, 0x70000},
    {TF_ETH_CONTROL_BASE + 0x04, 0x7BFFC},
    {0, 0},
};

/* What firmware sets before a link is used. Sizes, time-outs and routes are those that tt-metal sets again
   (fabric_txq_setup.h; the kernel of its benchmark of two TX queues: 4096, 40000, 8000). HDR_CTRL has its default. */
static const struct tf_eth_word blackhole_joined[] = {
    {LINK + 0x000C, 4096},
    {LINK + 0x100C, 4096},
    {LINK + 0x200C, 4096},
    {LINK + 0x0048, 40000},
    {LINK + 0x1048, 40000},
    {LINK + 0x2048, 40000},
    {LINK + 0x004C, 8000},
    {LINK + 0x104C, 8000},
    {LINK + 0x204C, 8000},
    {LINK + 0x2080, 0x222},
    {LINK + 0x2084, 2},
    {LINK + 0x4018, 14},
    {LINK + 0x5018, 14},
    {LINK + 0x6018, 14},
    {LINK + 0x8154, 0xA50},  /* broadcast to queue 0, multicast to queue 1, others to queue 2 */
    {LINK + 0x831C, 0x0200}, /* the third header's receiver: 02:00:00:00:00:00 */
    {0, 0},
};

/* Registers of a tile without a link partner. */
static const struct tf_eth_word blackhole_left_behind[] = {
    {0x7CF00, 0x71574},
    {0x71574, 0x8067}, /* entry points for programs; each returns immediately */
    {0x7CF04, 0x759AC},
    {0x759AC, 0x8067},
    {0x7CF08, 0x75414},
    {0x75414, 0x8067},
    {0x7CF0C, 0x71580}, /* dynamic_noc_init and link_recovery (eth_fw_api.h of tt-metal), at places of ours */
    {0x71580, 0x8067},
    {0x7CF10, 0x71588},
    {0x71588, 0x8067},
    {0x70000, 0x7F50F06F}, /* the firmware begins: j 0x7FFF4, where it waits */
    {0x7CC00, 0xC0DEA000}, /* initialisation has passed */
    {0x7CC04, 2},          /* port status: down */
    {0x7CFBC, 0x00010600}, /* firmware 1.6.0 */
    {0x7FFF0, 0x580009A3}, /* sb x0, 0x593(x0): the go message's signal becomes "done" */
    {0x7FFF4, 0x0000006F}, /* j . */
    {0, 0},
};

static const uint16_t no_spares[] = {0};

const struct tf_eth_arch tf_eth_blackhole = {
    .range = blackhole_ranges,
    .reset = blackhole_reset,
    .joined = blackhole_joined,
    .left_behind = blackhole_left_behind,
    .facts = TF_ETH_FACTS_OF_PORT,
    .timer = LINK + 0x8850, /* PTP timer of eth_fw_api.h, 50 MHz at 1.35 GHz (local_clock): both of tt-metal */
    .timer_cycles = 27,
    .tx = {.first = LINK,
           .queues = 3,
           .stride = 0x1000,
           .register_queues = 2,
           .line_bytes = 96,
           .headers = LINK + 0x8200,
           .has_status = true},
    .rx_first = LINK + 0x4000,
    .reset_pc = {TF_ETH_CONTROL_BASE + 0x00, TF_ETH_CONTROL_BASE + 0x08},
    .soft_reset = 0x1800,
    .calls_at_reset = true,
    .spare = no_spares,
    .difference = LINK + 0x8120,
    .classifier = true,
    .return_to = 0x7FFF0,
    .return_bytes = 8,
    .stack_top = TF_LOCAL_BASE + TF_LOCAL_BYTES,
    .heartbeat = {.address = 0x7CC70},
    .launch = TF_ETH_MAILBOX,
};

/* --- Wormhole --- */

#define WORMHOLE_CONTROL (LINK + 0x4000)
#define WORMHOLE_MAC (LINK + 0x10000)

static const struct tf_eth_range wormhole_ranges[] = {
    {LINK + 0x0000, QUEUE_WORDS},
    {LINK + 0x1000, QUEUE_WORDS}, /* TX queues */
    {LINK + 0x2000, QUEUE_WORDS},
    {LINK + 0x3000, QUEUE_WORDS}, /* RX queues */
    {WORMHOLE_CONTROL, 0xA0 / 4},
    {WORMHOLE_MAC, 2},
    {0, 0},
};

/* Queue 0 is a TT-link, as customer software may assume. */
static const struct tf_eth_word wormhole_reset[] = {
    {LINK + 0x0000, 0x9},  {LINK + 0x1000, 0x9}, {LINK + 0x0054, 0xAB}, /* the receivers' MAC addresses */
    {LINK + 0x1054, 0xAA}, {LINK + 0x2000, 0x2}, {WORMHOLE_MAC + 0, 0x30000000}, {WORMHOLE_MAC + 4, 6}, {0, 0},
};

/* What firmware sets before a link is used. No public source has Wormhole's figures: the size is what a frame of 1,500
   bytes holds, and the time-outs are Blackhole's. */
static const struct tf_eth_word wormhole_joined[] = {
    {LINK + 0x000C, 1472},
    {LINK + 0x100C, 1472},
    {LINK + 0x0048, 40000},
    {LINK + 0x1048, 40000},
    {LINK + 0x004C, 8000},
    {LINK + 0x104C, 8000},
    {0, 0},
};

static const struct tf_eth_word wormhole_left_behind[] = {
    {0x170, 0x11000},            /* the queues of its data movement service */
    {0x210, 6 << 16 | 14 << 12}, /* firmware 6.14.0 */
    {0x1104, 3},                 /* training: not connected */
    {0x9020, 0x440},             /* the function by which programs yield; it returns immediately */
    {0x440, 0x8067},
    {0x444, 0x0000006F}, /* j . */
    {0, 0},
};

/* CFGREG_RD_CNTL, TIMESTAMP_DUMP_CNTL, TIMESTAMP_DUMP_BUF0_START_ADDR and the three registers after it. */
static const uint16_t wormhole_spares[] = {0x058, 0x200, 0x208, 0x20C, 0x210, 0x214, 0};

const struct tf_eth_arch tf_eth_wormhole = {
    .range = wormhole_ranges,
    .reset = wormhole_reset,
    .joined = wormhole_joined,
    .left_behind = wormhole_left_behind,
    .facts = TF_ETH_FACTS_OF_NODE,
    .tx = {.first = LINK, .queues = 2, .stride = 0x1000, .register_queues = 1, .line_bytes = 16, .sends = true},
    .rx_first = LINK + 0x2000,
    .reset_pc = {WORMHOLE_CONTROL + 0x9C, WORMHOLE_CONTROL + 0x9C},
    .soft_reset = 0x800,
    .spare = wormhole_spares,
    .sum = WORMHOLE_CONTROL + 0x80,
    .iram_load = WORMHOLE_CONTROL + 0x98,
    .quiet = {{WORMHOLE_MAC + 0, 0x30000000}, {WORMHOLE_MAC + 4, 6}},
    .return_to = 0x444,
    .return_bytes = 4,
    .stack_top = TF_LOCAL_BASE + 0x1000,
    .heartbeat = {0x1C, 0xABCD0000, true}, /* tt-umd, wormhole_eth.hpp and eth_heartbeat_running() */
    .launch = TF_ETH_FLAG,
    .flag = 0x9004,
    .program = 0x9040,
    .service = 0x11000,
};
