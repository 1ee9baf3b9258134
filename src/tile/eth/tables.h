/* SPDX-License-Identifier: Apache-2.0 */
/* The Ethernet tiles of a family as data: their registers, and the words and actions of their firmware. */
#ifndef TILE_ETH_TABLES_H
#define TILE_ETH_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#define TF_ETH_WORDS_MAX 858u
#define TF_ETH_EOP_GOOD_RESET 0x1Fu /* the stored word is the difference from this (EthernetRxClassifier.md) */

struct tf_eth_range {
    uint32_t first;
    uint32_t words; /* 0: the end of a list */
};

struct tf_eth_word {
    uint32_t address, value;
};

/* How the host tells the firmware to run a program. */
enum tf_eth_launch {
    TF_ETH_MAILBOX, /* a mailbox gets a call, and its next word the program's address; go messages are answered */
    TF_ETH_FLAG,    /* a word of L1 becomes other than 0; the program is at a fixed address */
};

/* Which words of L1 the firmware writes about its link and its chip. */
enum tf_eth_facts {
    TF_ETH_FACTS_OF_PORT, /* results of boot, live counters, descriptions of both ends */
    TF_ETH_FACTS_OF_NODE, /* results of training, the place of the chip, all connections: the firmware routes */
};

struct tf_eth_arch {
    const struct tf_eth_range *range;      /* registers that keep their values, TF_ETH_WORDS_MAX words at most */
    const struct tf_eth_word *reset;       /* their values after reset, where not 0; address 0 ends the list */
    const struct tf_eth_word *joined;      /* other values in a tile that has a link; address 0 ends the list */
    const struct tf_eth_word *left_behind; /* words of L1 that the firmware writes; address 0 ends the list */
    struct {
        uint32_t first, queues, stride; /* registers of the first queue, and how far apart queues are */
        uint8_t register_queues;        /* queues that send writes to registers: the first ones */
        uint8_t line_bytes;             /* that the counters of lines count, here and at RX queues */
        uint32_t headers;               /* the table of headers; 0: none */
        bool has_status;                /* ETH_TXQ_STATUS tells whether a command is taken; else ETH_TXQ_CMD does */
        bool sends;                     /* without a link its packets are lost; else a command is a fault */
    } tx;
    uint32_t rx_first;     /* registers of the first RX queue; they are as far apart as those of TX queues */
    uint32_t reset_pc[2];  /* registers with the addresses at which cores leave reset */
    uint32_t soft_reset;   /* the cores' bits of SOFT_RESET_0 */
    bool calls_at_reset;   /* a core that leaves reset has a stack and a return address; else its registers are 0 */
    const uint16_t *spare; /* debug registers that keep stored values, other than on Tensix tiles; 0 ends the list */
    uint32_t difference;   /* shows its difference to 0x1F (EthernetRxClassifier.md); 0: none */
    uint32_t sum;          /* adds stored values; 0: none */
    uint32_t iram_load;    /* a store copies from L1 to instruction RAM; 0: none */
    struct tf_eth_word quiet[2]; /* values that switch the link off, for that */
    bool classifier;             /* has registers of a receive classifier (rx.h) */
    uint32_t return_to;          /* code in L1 to which programs of the firmware return */
    uint32_t return_bytes;
    uint32_t stack_top;
    struct {
        uint32_t address;   /* of a word of L1 that counts when the host reads it; 0: none */
        uint32_t signature; /* its upper half; 0: all of the word counts */
        bool with_link;     /* it counts in a tile that has a link alone */
    } heartbeat;
    uint8_t facts;          /* enum tf_eth_facts */
    uint8_t launch;         /* enum tf_eth_launch */
    uint32_t flag, program; /* TF_ETH_FLAG */
    uint32_t service;       /* queues in L1 of the firmware's data movement service; 0: none */
    uint32_t timer;         /* the two words of a counter of time, which software cannot set; 0: none */
    uint32_t timer_cycles;  /* cycles of the chip for each of its ticks */
};

struct tf_tile;

extern const struct tf_eth_arch tf_eth_blackhole, tf_eth_wormhole;

#endif
