/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The address map of a tile's registers ("Memory map" in BlackholeA0/TensixTile/BabyRISCV/README.md and
 * EthernetTile/BabyRISCV/README.md): start and size in bytes of each region. Device programs and the library share it.
 * In the library, mmio/map/map.c says which cores reach a region.
 */
#ifndef TILEFARM_ADDRESS_H
#define TILEFARM_ADDRESS_H

#define TF_REGISTERS_BASE 0xFFB00000u /* the coprocessor's instructions add an offset of 20 bits to it */

#define TF_LOCAL_BASE 0xFFB00000u /* a core's own RAM, MEM_LOCAL_BASE */
#define TF_LOCAL_BYTES 0x2000u
#define TF_TDMA_BASE 0xFFB11000u /* TDMA-RISC */
#define TF_TDMA_BYTES 0x1000u
#define TF_DEBUG_BASE 0xFFB12000u
#define TF_DEBUG_BYTES 0x1000u
#define TF_PIC_BASE 0xFFB13000u
#define TF_PIC_BYTES 0x138u
#define TF_PC_SNAPSHOT_BASE 0xFFB13138u
#define TF_PC_SNAPSHOT_BYTES 0x14u
#define TF_ETH_CONTROL_BASE 0xFFB14000u /* Ethernet and DRAM tiles only; Tensix tiles have B's RAM here */
#define TF_ETH_CONTROL_BYTES 0x1000u
#define TF_DMA_BASE 0xFC000000u /* DRAM tiles only: DMA between GDDR and L1, then GDDR's registers */
#define TF_DMA_BYTES 0x2000u
#define TF_GDDR_BASE 0xFC100000u
#define TF_GDDR_BYTES 0x320000u
#define TF_LOCAL_OF_B_BASE 0xFFB14000u /* the cores' RAM, for other cores and the NOC */
#define TF_LOCAL_OF_NC_BASE 0xFFB16000u
#define TF_LOCAL_OF_T_BASE(t) (0xFFB18000u + (t)*TF_LOCAL_BYTES)
#define TF_NIU_BASE(noc) (0xFFB20000u + (noc)*TF_NIU_BYTES)
#define TF_NIU_BYTES 0x10000u
#define TF_STREAM_BASE 0xFFB40000u /* overlay streams: register r of stream s at s * TF_STREAM_BYTES + r * 4 */
#define TF_STREAM_BYTES 0x1000u
#define TF_STREAMS_BYTES (64 * TF_STREAM_BYTES)
#define TF_MOP_CFG_BASE 0xFFB80000u
#define TF_MOP_CFG_BYTES 0x24u
#define TF_ETH_LINK_BASE 0xFFB90000u /* Ethernet queues and link */
#define TF_ETH_LINK_BYTES 0x20000u
#define TF_DST_BASE 0xFFBD8000u
#define TF_DST_BYTES 0x8000u
/* NC's instruction RAM: only NC's fetches read it, and only the mover writes it (WormholeB0
   BabyRISCV/InstructionRAM.md). The library keeps it after L1 in the host's memory, up to TF_L1_BYTES_MAX in all. */
#define TF_IRAM_BASE 0xFFC00000u
#define TF_GPR_BASE 0xFFE00000u
#define TF_GPR_BYTES 0x1000u
#define TF_INSTRN_BUF_BASE 0xFFE40000u /* one for each thread */
#define TF_INSTRN_BUF_OF(t) (TF_INSTRN_BUF_BASE + (t)*TF_INSTRN_BUF_BYTES)
#define TF_INSTRN_BUF_BYTES 0x10000u
#define TF_PC_BUF_BASE 0xFFE80000u /* one for each thread; the next three regions lie in the window of a T core */
#define TF_PC_BUF_OF(t) (TF_PC_BUF_BASE + (t)*TF_PC_BUF_BYTES)
#define TF_PC_BUF_BYTES 0x10000u
#define TF_DONE_CHECK 0xFFE80004u     /* CoprocessorDoneCheck (ManualTTSync.md) */
#define TF_MOP_DONE_CHECK 0xFFE80008u /* MOPExpanderDoneCheck */
#define TF_SEMAPHORE_BASE 0xFFE80020u
#define TF_SEMAPHORE_BYTES 0x20u
#define TF_MAILBOX_BASE 0xFFEC0000u /* one for each writer */
#define TF_MAILBOX_BYTES 0x1000u
/* core: B 0, T0 1, T1 2, T2 3. A store sends to that core, a load receives from it. */
#define TF_MAILBOX_OF(core) (TF_MAILBOX_BASE + (core)*TF_MAILBOX_BYTES)
#define TF_MAILBOXES_BYTES 0x4000u
#define TF_CFG_BASE 0xFFEF0000u /* backend configuration */
#define TF_CFG_BYTES 0x10000u

/* Registers of the debug window, by offset from TF_DEBUG_BASE (BlackholeA0/TensixTile/TileControlDebugStatus.md,
   SoftReset.md). Of registers that come in a row, the first has a name: the next one is 4 bytes further. */
enum tf_debug_register {
    TF_DEBUG_PERF_INSTRN_THREAD = 0x00, /* PERF_CNT_INSTRN_THREAD0..2 */
    TF_DEBUG_PERF_TDMA_UNPACK = 0x0C,   /* PERF_CNT_TDMA_UNPACK0..2 */
    TF_DEBUG_PERF_FPU = 0x18,           /* PERF_CNT_FPU0..2 */
    TF_DEBUG_PERF_L1 = 0x30,            /* PERF_CNT_L1_0..2 */
    TF_DEBUG_PERF_ALL = 0x3C,
    TF_DEBUG_BUS_L1_FIRST = 0x48, /* DBG_L1_MEM_REG0..2 */
    TF_DEBUG_BUS_L1_LAST = 0x4C,
    TF_DEBUG_BUS_L1_CTRL = 0x50,
    TF_DEBUG_BUS_CTRL = 0x54,
    TF_DEBUG_CFG_READ = 0x58,
    TF_DEBUG_BUS_DATA = 0x5C,
    TF_DEBUG_ARRAY_ENABLE = 0x60,
    TF_DEBUG_ARRAY_COMMAND = 0x64,
    TF_DEBUG_FEATURE_DISABLE = 0x68,
    TF_DEBUG_ARRAY_DATA = 0x6C,
    TF_DEBUG_CG_CTRL_HYST0 = 0x70,
    TF_DEBUG_CG_CTRL_HYST1 = 0x74,
    TF_DEBUG_CFG_DATA = 0x78,
    TF_DEBUG_CG_CTRL_HYST2 = 0x7C,
    TF_DEBUG_RISC_CNTL_0 = 0x80,
    TF_DEBUG_RISC_CNTL_1 = 0x84,
    TF_DEBUG_RISC_STATUS_0 = 0x88,
    TF_DEBUG_RISC_STATUS_1 = 0x8C,
    TF_DEBUG_PC_BUF_OVERRIDE = 0x90,
    TF_DEBUG_INVALID_INSTRN = 0x94,
    TF_DEBUG_PUSH_CTRL0 = 0xA0,
    TF_DEBUG_PUSH_CTRL1 = 0xA4,
    TF_DEBUG_PUSH_STATUS = 0xA8,
    TF_DEBUG_STOCH_RND_MASK = 0xAC, /* STOCH_RND_MASK0..1 */
    TF_DEBUG_FPU_STICKY_BITS = 0xB4,
    TF_DEBUG_PREFETCH = 0xB8,       /* ETH_RISC_PREFETCH_CTRL, ETH_RISC_PREFETCH_PC */
    TF_DEBUG_PERF_TDMA_PACK = 0xF0, /* PERF_CNT_TDMA_PACK0..2 */
    TF_DEBUG_PERF_OUT = 0x100,      /* PERF_CNT_OUT_L, _H of INSTRN_THREAD, TDMA_UNPACK, TDMA_PACK, DBG_L1, FPU */
    TF_DEBUG_PERF_OUT_LAST = 0x124,
    TF_DEBUG_SOFT_RESET_0 = 0x1B0,
    TF_DEBUG_BREAKPOINT = 0x1C0, /* BREAKPOINT_CTRL, BREAKPOINT_STATUS, BREAKPOINT_DATA */
    TF_DEBUG_ECC = 0x1D0,        /* ECC_CTRL, ECC_STATUS */
    TF_DEBUG_WATCHDOG = 0x1E0,
    TF_DEBUG_WATCHDOG_CNTL = 0x1E4,
    TF_DEBUG_WATCHDOG_STATUS = 0x1E8,
    TF_DEBUG_CLOCK_L = 0x1F0,
    TF_DEBUG_CLOCK_LIVE_H = 0x1F4,
    TF_DEBUG_CLOCK_H = 0x1F8,
    TF_DEBUG_TIMESTAMP = 0x1FC,
    TF_DEBUG_TIMESTAMP_CNTL = 0x200,
    TF_DEBUG_TIMESTAMP_STATUS = 0x204,
    TF_DEBUG_TIMESTAMP_BUFFERS = 0x208,
    TF_DEBUG_TIMESTAMP_BUFFERS_LAST = 0x210,
    TF_DEBUG_TIMESTAMP_END = 0x214,
    TF_DEBUG_PERF_MUX_CTRL = 0x218,
    TF_DEBUG_L1_READBACK_OFFSET = 0x21C,
    TF_DEBUG_LFSR_HIT_MASK = 0x220,
    TF_DEBUG_DISABLE_RESET = 0x224,
    TF_DEBUG_TRISC0_RESET_PC = 0x228,
    TF_DEBUG_TRISC1_RESET_PC = 0x22C,
    TF_DEBUG_TRISC2_RESET_PC = 0x230,
    TF_DEBUG_TRISC_RESET_PC_OVERRIDE = 0x234,
    TF_DEBUG_NCRISC_RESET_PC = 0x238,
    TF_DEBUG_NCRISC_RESET_PC_OVERRIDE = 0x23C,
    TF_DEBUG_DEST_CG_CTRL = 0x240,
    TF_DEBUG_CG_CTRL_EN = 0x244,
    TF_DEBUG_CG_KICK = 0x248,
};

#define TF_DEBUG_ADDRESS(register) (TF_DEBUG_BASE + (register))

/* Registers of the interrupt controller, by offset from TF_PIC_BASE (BlackholeA0/TensixTile/PIC.md). */
enum tf_pic_register {
    TF_PIC_BRISC_SW_INT_EN = 0x00,
    TF_PIC_BRISC_HW_INT_EN = 0x04,
    TF_PIC_BRISC_INT_NO = 0x08,
    TF_PIC_NCRISC_SW_INT_EN = 0x0C,
    TF_PIC_NCRISC_HW_INT_EN = 0x10,
    TF_PIC_NCRISC_INT_NO = 0x14,
    TF_PIC_SW_INT = 0x18,    /* of software IRQs 0..31 */
    TF_PIC_HW_INT = 0x98,    /* of hardware IRQs 0..3 */
    TF_PIC_SW_INT_PC = 0xA8, /* their handlers */
    TF_PIC_HW_INT_PC = 0x128,
};

#endif
