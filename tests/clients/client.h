/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the host and the programs of these tests share: the layout of L1, and messages. Mailboxes, launch and go
 * messages are those of kernels/firmware.c, in the form of the vendor's (firmware-upload.md). Signals between the cores
 * of a tile are numbers of our own.
 */
#ifndef CLIENTS_CLIENT_H
#define CLIENTS_CLIENT_H

#include "tilefarm_firmware.h"

/* L1 of a tile. Core B starts at address 0, and so does core E of Wormhole's Ethernet tiles. The host puts a jump to
   the firmware there. */
#define CLIENT_HEARTBEAT 0x1Cu /* of Ethernet tiles */
#define CLIENT_MAILBOXES 0x20u
#define CLIENT_BANKS 0x400u /* struct client_banks, which firmware copies to local RAM */
#define CLIENT_FIRMWARE(core) (0x3000u + (core)*0x1000u)
#define CLIENT_CONFIG 0x8000u /* what a launch message points to; offsets in it: */
#define CLIENT_ARGUMENTS(core) (0x000u + (core)*0x40u)
#define CLIENT_BUFFERS 0x200u    /* struct client_buffer of each circular buffer */
#define CLIENT_SEMAPHORES 0x400u /* 16 bytes apart */
#define CLIENT_SCRATCH(core) (0x500u + (core)*0x40u)
#define CLIENT_KERNEL(core) (0x1000u + (core)*0x1000u)
#define CLIENT_DATA 0x20000u

/* Cores of the host's tables: those of enum tf_core, then those of Ethernet tiles. */
enum { CLIENT_B, CLIENT_NC, CLIENT_T0, CLIENT_T1, CLIENT_T2, CLIENT_E0 = 0, CLIENT_E1 = 1 };

/* Signals in the mailboxes' `sync`, beside TF_SYNC_DONE, TF_SYNC_INIT and TF_SYNC_GO. */
enum { CLIENT_SYNC_LOAD = 1, CLIENT_SYNC_COUNTERS = 3, CLIENT_SYNC_HALTED = 4 };

/* Nodes of the DRAM banks as the programs of a tile name them, by NOC. Pages of an interleaved tensor go to the banks
   in turn. The bytes after `count` are padding, which the host does not write. */
#define CLIENT_BANKS_MAX 8u
struct client_banks {
    uint16_t xy[2][CLIENT_BANKS_MAX];
    uint8_t count;
    uint8_t pad[3];
};

#define CLIENT_BUFFERS_MAX 8u
struct client_buffer {
    uint32_t address, bytes, pages, page_bytes;
};

/* Arguments of the programs. */
struct client_tiles {
    uint32_t first, step, count; /* numbers of tiles: first, first + step, ... */
    uint32_t address;            /* of the tensor, in each bank */
};

#define CLIENT_ROUNDS 6u
#define CLIENT_BLOCK_BYTES 512u
struct client_exchange {
    uint32_t peer_x, peer_y; /* NOC 0 */
    uint32_t semaphore;      /* offset of it from CLIENT_SEMAPHORES */
    uint32_t page, address;  /* of the result, in DRAM */
};

struct client_ethernet {
    uint32_t from, to, page; /* addresses in DRAM, and the number of a page */
};

#endif
