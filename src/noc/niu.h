/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A NOC interface unit: four request initiators, identification, configuration, counters.
 * Source: BlackholeA0/NoC/MemoryMap.md, Counters.md and Interrupts.md.
 */
#ifndef NOC_NIU_H
#define NOC_NIU_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"
#include "tile/arch.h"
#include "tile/hash.h"
#include "tile/niu_words.h"
#include "tile/port.h"

#define TF_NIU_INITIATORS TF_PORT_INITIATORS
#define TF_NIU_INITIATOR_WORDS TF_PORT_INITIATOR_WORDS
#define TF_NIU_COUNTERS TF_PORT_COUNTERS
#define TF_NIU_CONFIGS 32u
#define TF_NOC_TIDS 16u

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
    TF_MST_WRITE_REQS_OUTGOING = 32, /* likewise */
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

/* The store to NOC_CMD_CTRL that asked for a request. cycle: of the tile. */
struct tf_niu_issuer {
    uint8_t core; /* enum tf_core, or TF_FROM_NOC */
    uint32_t pc;
    uint64_t cycle;
};

struct tf_niu {
    struct tf_fabric *fabric;
    struct tf_node *node;
    uint8_t noc;
    uint8_t flit_log2;     /* of the family: bytes of a flit */
    uint16_t packet_bytes; /* likewise: data of a packet */
    uint32_t node_id, endpoint_id;
    _Alignas(16) uint32_t initiator[TF_NIU_INITIATORS][TF_PORT_INITIATOR_STRIDE];
    uint32_t counter[TF_NIU_COUNTERS]; /* niu_counters.h moves them */
    uint32_t config[TF_NIU_CONFIGS];
    uint8_t x_table[TF_TRANSLATE_ENTRIES]; /* unpacked from config */
    uint8_t y_table[TF_TRANSLATE_ENTRIES];
    uint8_t ddr_table[TF_TRANSLATE_ENTRIES];
    uint32_t rtz_source;
    struct tf_noc_sink *sink;         /* takes requests while the tile runs; NULL: initiators wait for the next epoch */
    uint32_t issued;                  /* packets in this epoch, up to config.niu_requests_max */
    uint8_t queue[TF_NIU_INITIATORS]; /* initiators whose NOC_CMD_CTRL is 1, oldest first */
    uint8_t queued;
    uint8_t split; /* bit i: initiator i has issued some packets of its request; the rest waits */
    struct tf_niu_issuer issuer[TF_NIU_INITIATORS];
    struct tf_noc_sent *sent;          /* the last packet of each initiator; NULL in tiles without cores */
    uint64_t requests, bytes, atomics; /* statistics: packets issued, their bytes, atomics among them */
    uint64_t bytes_in;                 /* statistics: bytes written to the node's memory */
};

/* Sets a word of an initiator, other than NOC_CMD_CTRL, which is 0. */
static inline void tf_niu_set_word(struct tf_niu *niu, unsigned initiator, unsigned word, uint32_t value)
{
    niu->initiator[initiator][word] = word == TF_NIU_PACKET_TAG ? value & TF_PORT_TAG_MASK : value;
}

/* The functions of the tile's port (tile/port.h). offset: below 0x10000, a multiple of 4. */
enum tf_access tf_niu_load(void *niu, uint32_t offset, uint32_t *value, bool *pure);
enum tf_access tf_niu_store(void *niu, uint32_t offset, uint32_t value, unsigned core, uint32_t pc);

#define TF_NIU_NO_REGISTER UINT32_MAX

/* Blackhole's offset of the register that a family has at `offset`; TF_NIU_NO_REGISTER: there is none. layout: NULL for
   Blackhole's. */
uint32_t tf_niu_layout_here(const struct tf_niu_arch *layout, uint32_t offset);

/* The same functions for a family with a layout of its own (niu_layout.c). */
enum tf_access tf_niu_layout_load(void *niu, uint32_t offset, uint32_t *value, bool *pure);
enum tf_access tf_niu_layout_store(void *niu, uint32_t offset, uint32_t value, unsigned core, uint32_t pc);

struct tf_tile;

/* Registers the fast words of that family in a tile: loads of NOC_CMD_CTRL, NOC_NODE_ID and counters. Stores have none,
   as words of an initiator do not lie in Blackhole's order. lines: of struct tf_fabric. */
void tf_niu_layout_fast(struct tf_niu *niu, const struct tf_niu_arch *layout, unsigned noc, uint8_t *lines,
                        struct tf_tile *tile);

/* Begin an epoch: waiting initiators issue, oldest first, up to the epoch's bound. `sink` accepts these requests and
   the later ones of the tile's harts. NULL ends the epoch: initiators wait from then on. */
void tf_niu_epoch(struct tf_niu *niu, struct tf_noc_sink *sink);

/* True while an initiator waits for the next epoch. */
static inline bool tf_niu_pending(const struct tf_niu *niu)
{
    return niu->queued != 0;
}

/* The source of a long write has been captured: its SENT and OUTGOING counters move. Thread: the source tile's
   worker. */
void tf_niu_captured(struct tf_niu *niu, const struct tf_noc_request *request);

void tf_niu_hash(const struct tf_niu *niu, struct tf_hash *hash);

struct tf_saved;

/* The saved state (host/saved.h). */
void tf_niu_state(struct tf_saved *saved, struct tf_niu *niu);

#endif
