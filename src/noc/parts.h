/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this folder share. */
#ifndef NOC_PARTS_H
#define NOC_PARTS_H

#include <string.h>

#include "noc/noc.h"
#include "tile/shared.h"

#define TF_NOC_FLIT_BYTES 64u

/* coords.c */

/* Registers as firmware leaves them on a p150, and identification. */
void tf_niu_power_on(struct tf_niu *niu);

/* A configuration word has changed: unpack the translation tables. */
void tf_niu_unpack_tables(struct tf_niu *niu);

/* The node's index in NOC_ENDPOINT_ID. */
uint8_t tf_node_index(uint8_t kind, unsigned x, unsigned y);

/* counters.c */

/* Nothing is outstanding any more. */
void tf_niu_returned_to_zero(struct tf_niu *niu, unsigned tid);

/* One more is outstanding, and is not. By the NIU's worker. */
void tf_niu_outstanding_briefly(struct tf_niu *niu, unsigned tid);
void tf_niu_clear_tids(struct tf_niu *niu, uint32_t tids);
void tf_niu_rtz_clear(struct tf_niu *niu, uint32_t bits);
uint32_t tf_niu_rtz_num(struct tf_niu *niu);
void tf_niu_update_irq(struct tf_niu *niu);

/* shared: niu->fabric's, for who counts several things. */
static inline void tf_niu_add(struct tf_niu *niu, unsigned counter, uint32_t change, bool shared)
{
    if (shared)
        __atomic_fetch_add(&niu->counter[counter], change, __ATOMIC_RELAXED);
    else
        niu->counter[counter] += change;
}

static inline void tf_niu_count(struct tf_niu *niu, unsigned counter, uint32_t change)
{
    tf_niu_add(niu, counter, change, niu->fabric->shared);
}

/* The same for a counter of 8 bits, which is the first byte of its word; the others are 0. What it was. */
static inline uint8_t tf_niu_count_narrow(struct tf_niu *niu, unsigned counter, uint32_t change)
{
    uint8_t *low = (uint8_t *)&niu->counter[counter];
    if (niu->fabric->shared)
        return __atomic_fetch_add(low, (uint8_t)change, __ATOMIC_SEQ_CST);
    uint8_t old = *low;
    *low = (uint8_t)(old + change);
    return old;
}

static inline void tf_niu_outstanding(struct tf_niu *niu, unsigned tid, uint32_t change)
{
    uint8_t old = tf_niu_count_narrow(niu, TF_MST_REQS_OUTSTANDING + tid, change);
    if (old != 0 && (uint8_t)(old + change) == 0)
        tf_niu_returned_to_zero(niu, tid);
}

static inline uint32_t tf_niu_config_word(const struct tf_niu *niu, enum tf_niu_config word)
{
    return __atomic_load_n(&niu->config[word], __ATOMIC_RELAXED);
}

static inline uint32_t tf_noc_flits(uint64_t bytes)
{
    return bytes == 0 ? 1 : (uint32_t)((bytes + TF_NOC_FLIT_BYTES - 1) / TF_NOC_FLIT_BYTES);
}

/* A write is received. */
static inline void tf_niu_count_received(struct tf_niu *niu, bool answered, uint32_t length, bool shared)
{
    tf_niu_add(niu, answered ? TF_SLV_NONPOSTED_WR_REQ_STARTED : TF_SLV_POSTED_WR_REQ_STARTED, 1, shared);
    tf_niu_add(niu, answered ? TF_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED : TF_SLV_POSTED_WR_DATA_WORD_RECEIVED,
               tf_noc_flits(length), shared);
    tf_niu_add(niu, answered ? TF_SLV_NONPOSTED_WR_REQ_RECEIVED : TF_SLV_POSTED_WR_REQ_RECEIVED, 1, shared);
}

static inline void tf_niu_count_bytes(struct tf_niu *niu, uint32_t length, bool shared)
{
    if (shared)
        __atomic_fetch_add(&niu->bytes_in, length, __ATOMIC_RELAXED);
    else
        niu->bytes_in += length;
}

/* request.c */

/* A request as an initiator's registers describe it, before it becomes packets. */
struct tf_noc_command {
    uint8_t kind;         /* enum tf_noc_kind */
    uint8_t tid;
    bool answered, multicast, source_include, major_y, header_store;
    bool from_register;   /* the source is a register of the own tile */
    uint16_t target;      /* TF_NO_NODE for multicast */
    uint16_t answer;      /* TF_NO_NODE when nothing comes back */
    uint8_t x0, y0, x1, y1;
    uint32_t exclude;
    uint32_t at_len_be, at_data;
    uint64_t length;
    uint64_t byte_mask;
    uint64_t address, source_address, return_address;
    struct tf_noc_atomic op;
    /* When decoding fails: whose fault, and concerning what. */
    uint8_t category;
    uint32_t fault_hi;
    uint64_t fault_address;
    bool inline_to_l1;    /* legal, but a hardware bug */
    bool l1_acc;          /* NOC_L1_ACC_AT_INSTRN says what an atomic does, not NOC_AT_LEN_BE */
};

/* What the registers of an initiator ask for. NULL, or why that is a fault. */
const char *tf_noc_decode(const struct tf_niu *niu, const uint32_t *regs, struct tf_noc_command *command);

/* initiator.c */

#define TF_NIU_WORDS_OF_REQUEST (TF_NIU_BRCST_EXCLUDE + 1)

/* Counters of what an initiator starts and sends: neighbours, and moved by its worker alone. */
#define TF_NIU_FIRST_SENT TF_MST_CMD_ACCEPTED
#define TF_NIU_SENT_COUNTERS (TF_MST_NONPOSTED_ATOMIC_STARTED + 1 - TF_NIU_FIRST_SENT)

/* An initiator's last request, as its registers described it: cores often send the same again. */
struct tf_noc_sent {
    bool known;                   /* the rest is so, and a register means what it meant */
    bool carries;
    bool simple;                  /* known, for the sink's again() */
    bool atomic;
    uint32_t payload_bytes;       /* of what is simple, */
    uint32_t bytes;               /* and what it adds to statistics and counters */
    _Alignas(16) uint32_t counts[TF_NIU_SENT_COUNTERS];
    uint32_t regs[TF_NIU_WORDS_OF_REQUEST];
    struct tf_noc_request request;
};

/* A configuration word has changed: registers may mean something else. */
void tf_niu_forget(struct tf_niu *niu);

/* A word of an initiator is written, at an offset from the NIU's registers. */
enum tf_access tf_niu_initiator_store(struct tf_niu *niu, uint32_t offset, uint32_t value, unsigned core,
                                      uint32_t pc);

/* niu.c: tf_niu_store() but for what it has a short way for. */
enum tf_access tf_niu_store_any(struct tf_niu *niu, uint32_t offset, uint32_t value, unsigned core, uint32_t pc);

/* niu.c: a register may not be written now, or not thus. */
enum tf_access tf_niu_no_store(struct tf_niu *niu, uint32_t offset, unsigned core, enum tf_fault_category category,
                               const char *why);

/* Packets that a command becomes. */
static inline uint32_t tf_noc_packets(const struct tf_noc_command *command)
{
    if (command->length <= TF_NOC_PACKET_BYTES)
        return 1;
    return (uint32_t)((command->length + TF_NOC_PACKET_BYTES - 1) / TF_NOC_PACKET_BYTES);
}

/* space.c */

/* Move bytes of a node's memory. They lie in it. False: no memory for a DRAM page. */
bool tf_node_put(struct tf_node *node, uint64_t address, const void *data, uint64_t bytes, bool shared);
void tf_node_get(const struct tf_node *node, uint64_t address, void *data, uint64_t bytes, bool shared);

/* Is there decoded code in a range of L1? */
static inline bool tf_node_holds_code(const struct tf_node *node, uint32_t address, uint32_t bytes)
{
    const uint8_t *page = node->tile->code.decoded + address / TF_CODE_PAGE_BYTES;
    const uint8_t *last = node->tile->code.decoded + (address + bytes - 1) / TF_CODE_PAGE_BYTES;
    uint8_t any = 0;
    for (; page <= last; page++)
        any |= __atomic_load_n(page, __ATOMIC_RELAXED);
    return any != 0;
}

/* Tell a tile, if code of its own may lie there. */
static inline void tf_node_code_written(struct tf_node *node, uint32_t address, uint32_t bytes)
{
    if (tf_node_holds_code(node, address, bytes))
        tf_tile_l1_written(node->tile, address, bytes);
}

/* The same two for an aligned word. */
static inline bool tf_node_word_near_code(const struct tf_node *node, uint32_t address)
{
    return __atomic_load_n(&node->tile->code.decoded[address / TF_CODE_PAGE_BYTES], __ATOMIC_RELAXED);
}

static inline void tf_node_word_written(struct tf_node *node, uint32_t address)
{
    if (tf_node_word_near_code(node, address))
        tf_tile_l1_written(node->tile, address, 4);
}

/* A DRAM tile can be switched to show its core's memory instead. */
static inline bool tf_node_shows_other_memory(const struct tf_node *node, unsigned noc)
{
    return node->dram != NULL && (tf_niu_config_word(&node->niu[noc], TF_NIU_CFG_0) & TF_NIU_CFG_0_AXI_SUBORDINATE);
}

/* Does a range lie in L1? */
static inline bool tf_node_in_l1(const struct tf_node *node, uint64_t address, uint64_t bytes)
{
    return address < node->l1_bytes && bytes <= node->l1_bytes - address;
}

/* Put bytes where they lie in L1, and nobody else is at work. */
static inline void tf_node_put_l1(struct tf_node *node, uint32_t address, const void *data, uint32_t bytes)
{
    memcpy(node->l1 + address, data, bytes);
    tf_node_code_written(node, address, bytes);
}

/* dram.c: a channel of 4 GiB, of which only what is written costs memory. */
struct tf_dram *tf_channel_create(void);
void tf_channel_destroy(struct tf_dram *dram);
bool tf_channel_put(struct tf_dram *dram, uint64_t address, const void *data, uint64_t bytes, bool shared);
void tf_channel_get(const struct tf_dram *dram, uint64_t address, void *data, uint64_t bytes, bool shared);
bool tf_channel_reserve(struct tf_dram *dram, uint64_t address, uint64_t bytes);
uint8_t *tf_channel_memory(struct tf_dram *dram, uint64_t address, uint64_t bytes, bool write, bool *zero);
void tf_channel_hash(const struct tf_dram *dram, struct tf_hash *hash);

#endif
