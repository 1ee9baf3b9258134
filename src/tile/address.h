/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The address map of a tile's registers ("Memory map" in BlackholeA0/TensixTile/BabyRISCV/README.md and
 * EthernetTile/BabyRISCV/README.md): where each region begins and how many bytes it has. mmio/map.c says which cores
 * reach a region; the header of a device lists the registers in it.
 */
#ifndef TILE_ADDRESS_H
#define TILE_ADDRESS_H

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
#define TF_ETH_CONTROL_BASE 0xFFB14000u /* of Ethernet tiles, where Tensix tiles have B's RAM */
#define TF_ETH_CONTROL_BYTES 0x1000u
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
   BabyRISCV/InstructionRAM.md). It lies behind L1 in the host's memory; both have at most TF_L1_BYTES_MAX. */
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
#define TF_MAILBOXES_BYTES 0x4000u
#define TF_CFG_BASE 0xFFEF0000u /* backend configuration */
#define TF_CFG_BYTES 0x10000u

#endif
