/* SPDX-License-Identifier: Apache-2.0 */
/* The state of an Ethernet tile's devices, for the files that make them up. */
#ifndef TILE_ETH_PARTS_H
#define TILE_ETH_PARTS_H

#include "tile/eth/tables.h"
#include "tile/eth/link.h"
#include "tile/state.h"

#define TF_ETH_QUEUES_MAX 3u

/* A list of packets in order. */
struct tf_eth_list {
    struct tf_eth_packet *first, **end;
};

/* What a TX queue sends: a packet before its data are read. */
struct tf_eth_load {
    uint64_t sequence;
    uint32_t from, to, bytes;
    uint32_t value; /* of a write to a register */
    uint8_t kind, queue;
    uint8_t row; /* of the table of headers */
    /* For the critical path; not state. */
    uint8_t core;              /* that has given the command, */
    uint32_t pc;               /* at this instruction */
    bool again;                /* the packet was sent before */
    struct tf_path_node *path; /* a reference to the core's path up to there; NULL: it is not recorded */
};

/* A TT-link packet that is not known to have been received. */
struct tf_eth_unacknowledged {
    struct tf_eth_load load;
    uint64_t ended;        /* cycle in which it was last sent as a whole. UINT64_MAX: it waits for the link */
    uint64_t acknowledged; /* cycle in which an acknowledgement arrives. UINT64_MAX: none is known */
};

/* The TT-link packets of a TX queue. */
struct tf_eth_window {
    struct tf_eth_unacknowledged *item;
    unsigned first, count, room;
    uint64_t next;     /* number of the next packet */
    uint64_t notified; /* cycle at which the receiver's word of a dropped packet arrives. UINT64_MAX: none */
    uint64_t last;     /* cycle in which the last TT-link packet was sent as a whole */
    uint64_t resent;
};

/* A frame that may not be sent as a whole yet. */
struct tf_eth_slot {
    uint64_t began, ended; /* cycles */
    uint32_t lines;
    uint8_t queue;
};

/* The link of a tile. */
struct tf_eth_link {
    struct tf_eth_line line;
    uint64_t free;                        /* cycle from which the wire is free */
    uint64_t frames, bytes;               /* sent; numbers of packets count them */
    uint64_t lost;                        /* frames of these */
    uint64_t accepted[TF_ETH_QUEUES_MAX]; /* cycle from which the queue has taken its last command */
    struct tf_eth_slot *slot;
    unsigned slots_first, slots, slots_room;
    struct tf_eth_window window[TF_ETH_QUEUES_MAX]; /* of TX queues */
    uint64_t expected[TF_ETH_QUEUES_MAX];           /* by RX queues */
    uint64_t named[TF_ETH_QUEUES_MAX];              /* number that the last word of a dropped packet named, plus 1 */
    uint64_t arrived, arrived_bytes, refused;       /* frames and bytes received; frames that no queue got */
    struct tf_eth_update *update;
    unsigned updates, updates_room;
    struct tf_eth_list sent; /* and not taken */
    struct tf_eth_list held; /* arrived, while an RX queue forces back-pressure */
    uint32_t held_count;
    unsigned outage; /* the present one, or the next */
    bool down;
    struct tf_eth_late *late; /* of a tile that explores; else NULL */
};

struct tf_eth {
    uint32_t word[TF_ETH_WORDS_MAX]; /* words of the family's ranges, one range after the other */
    struct tf_eth_rx *rx;            /* NULL if never written */
    struct tf_eth_link *link;        /* NULL: the tile has none */
};

static inline const struct tf_eth_arch *tf_eth_arch_of(const struct tf_tile *tile)
{
    return tile->arch->eth;
}

#endif
