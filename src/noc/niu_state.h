/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A NOC interface unit: four request initiators, identification, configuration, counters.
 * Source: BlackholeA0/NoC/MemoryMap.md, Counters.md and Interrupts.md.
 */
#ifndef NOC_NIU_STATE_H
#define NOC_NIU_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/access.h"
#include "tile/arch.h"
#include "tile/niu_words.h"
#include "tile/port.h"

#define TF_NIU_INITIATORS TF_PORT_INITIATORS
#define TF_NIU_SENDERS (TF_NIU_INITIATORS + 1u) /* the last one: the tile's overlay streams */
#define TF_NIU_OVERLAY TF_NIU_INITIATORS
#define TF_NIU_INITIATOR_WORDS TF_PORT_INITIATOR_WORDS
#define TF_NIU_COUNTERS TF_PORT_COUNTERS
#define TF_NIU_CONFIGS 32u
#define TF_NOC_TIDS 16u

#define TF_NIU_CFG_0_TILE_OFF (1u << 12) /* the clock of a tile that is fused off */
#define TF_NIU_CFG_0_HEADER_STORE_OFF (1u << 13)
#define TF_NIU_CFG_0_TRANSLATE (1u << 14)
#define TF_NIU_CFG_0_AXI_SUBORDINATE (1u << 15)

/* Counters, by their index on the Counters page. */
enum tf_niu_counter {
    TF_MST_ATOMIC_RESP_RECEIVED,
    TF_MST_WR_ACK_RECEIVED,
    TF_MST_RD_RESP_RECEIVED,
    TF_MST_RD_DATA_WORD_RECEIVED,
    TF_MST_CMD_ACCEPTED,
    TF_MST_RD_REQ_SENT,
    TF_MST_NONPOSTED_ATOMIC_SENT,
    TF_MST_POSTED_ATOMIC_SENT,
    TF_MST_NONPOSTED_WR_DATA_WORD_SENT,
    TF_MST_POSTED_WR_DATA_WORD_SENT,
    TF_MST_NONPOSTED_WR_REQ_SENT,
    TF_MST_POSTED_WR_REQ_SENT,
    TF_MST_NONPOSTED_WR_REQ_STARTED,
    TF_MST_POSTED_WR_REQ_STARTED,
    TF_MST_RD_REQ_STARTED,
    TF_MST_NONPOSTED_ATOMIC_STARTED,
    TF_MST_REQS_OUTSTANDING,         /* 16, by transaction id; 8 bits each */
    TF_MST_WRITE_REQS_OUTGOING = 32, /* 16, by transaction id; 8 bits each */
    TF_SLV_ATOMIC_RESP_SENT = 48,
    TF_SLV_WR_ACK_SENT,
    TF_SLV_RD_RESP_SENT,
    TF_SLV_RD_DATA_WORD_SENT,
    TF_SLV_REQ_ACCEPTED,
    TF_SLV_RD_REQ_RECEIVED,
    TF_SLV_NONPOSTED_ATOMIC_RECEIVED,
    TF_SLV_POSTED_ATOMIC_RECEIVED,
    TF_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED,
    TF_SLV_POSTED_WR_DATA_WORD_RECEIVED,
    TF_SLV_NONPOSTED_WR_REQ_RECEIVED,
    TF_SLV_POSTED_WR_REQ_RECEIVED,
    TF_SLV_NONPOSTED_WR_REQ_STARTED,
    TF_SLV_POSTED_WR_REQ_STARTED,
};

struct tf_fabric;
struct tf_node;
struct tf_noc_sink;
struct tf_noc_request;
struct tf_noc_sent;

/* The store to NOC_CMD_CTRL that started a request. cycle: that of the tile. */
struct tf_niu_issuer {
    uint8_t core; /* enum tf_core, or TF_FROM_NOC */
    uint32_t pc;
    uint64_t cycle;
};

/* A request and its answer touch few lines of the host's cache (row `atomic1-inc-spread`). These are the first line, an
   initiator, three lines of counters, and the last words of the configuration. The fields that the start of an epoch
   needs are in struct tf_node. */
struct tf_niu {
    _Alignas(64) struct tf_fabric *fabric;
    struct tf_node *node;
    struct tf_noc_sent *sent; /* the packet that each initiator decoded last; NULL in tiles without cores */
    uint8_t noc;
    uint8_t flit_log2;                 /* of the family: bytes of a flit */
    uint16_t packet_bytes;             /* of the family: data of a packet */
    uint8_t cmd_ctrl;                  /* NOC_CMD_CTRL among the words of an initiator */
    bool writes_back;                  /* of the family: see tf_niu_write_back() */
    uint64_t requests, bytes, atomics; /* statistics: packets issued, their bytes, atomics among them */
    uint64_t bytes_in;                 /* statistics: bytes written to the node's memory */
    uint32_t initiator[TF_NIU_INITIATORS][TF_PORT_INITIATOR_STRIDE]; /* in the family's order */
    uint32_t counter[TF_NIU_COUNTERS];                               /* niu_counters.h moves them */
    uint32_t node_id, endpoint_id;
    uint32_t config[TF_NIU_CONFIGS];
    uint32_t rtz_source;
    uint8_t queue[TF_NIU_INITIATORS]; /* initiators whose NOC_CMD_CTRL is 1, oldest first; tf_node.queued of them */
    uint8_t split;                    /* bit i: initiator i has issued some packets of its request; the rest waits */
    uint8_t x_table[TF_TRANSLATE_ENTRIES]; /* unpacked from config */
    uint8_t y_table[TF_TRANSLATE_ENTRIES];
    uint8_t ddr_table[TF_TRANSLATE_ENTRIES];
    struct tf_niu_issuer issuer[TF_NIU_SENDERS];
};

_Static_assert(offsetof(struct tf_niu, initiator) == 64 && offsetof(struct tf_niu, counter) % 64 == 0, "lines");

static inline uint32_t tf_niu_config_word(const struct tf_niu *niu, enum tf_niu_config word)
{
    return __atomic_load_n(&niu->config[word], __ATOMIC_RELAXED);
}

#endif
