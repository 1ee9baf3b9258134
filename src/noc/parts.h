/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that only src/noc uses. */
#ifndef NOC_PARTS_H
#define NOC_PARTS_H

#include <string.h>

#include "host/copy.h"
#include "host/shared.h"
#include "noc/niu_counters.h"
#include "noc/noc.h"
#include "tile/riscv/code/code.h"

/* event.c: record the fault of a request at the NIU where it was issued, or where its answer lands. by: the store to
   NOC_CMD_CTRL, or core TF_CORE_NONE. at: the node. */
void tf_noc_fault(const struct tf_niu *niu, struct tf_niu_issuer by, unsigned kind, enum tf_fault_category category,
                  const char *at, uint64_t address, const char *why);

#define TF_NOC_PLACE_BYTES 48u

/* A node as a request names it, and its raw NOC 0 coordinates if they differ. Returns text. */
const char *tf_noc_place_text(const struct tf_niu *niu, struct tf_noc_xy at, char text[TF_NOC_PLACE_BYTES]);

/* coords.c */

/* Set identification, and the registers that the chip's firmware sets up. */
void tf_niu_power_on(struct tf_niu *niu);

/* A configuration word has changed: unpack the translation tables. */
void tf_niu_unpack_tables(struct tf_niu *niu);

/* request.c */

extern const char *const tf_noc_why_overrun; /* the data of an answer do not fit at the return address */

/* A request as the registers of an initiator describe it. It becomes one packet or several. */
struct tf_noc_command {
    uint8_t kind; /* enum tf_noc_kind */
    uint8_t tid;
    bool answered, multicast, source_include, major_y, header_store, to_overlay;
    bool from_register; /* the source is a register of the own tile */
    bool reserves;      /* a multicast whose path is not that of the linked one before it: NOC_CMD_PATH_RESERVE */
    uint16_t target;    /* TF_NO_NODE for multicast */
    uint16_t answer;    /* TF_NO_NODE when there is no answer */
    uint8_t x0, y0, x1, y1;
    uint32_t exclude;
    uint32_t at_len_be, at_data; /* at_len_be of a write for a stream: NOC_PACKET_TAG */
    uint64_t length;
    uint64_t byte_mask;
    uint64_t address, source_address, return_address;
    struct tf_noc_atomic op;
    /* When decoding fails: the category, the HI register with the coordinates, and the address of the fault. */
    uint8_t category;
    uint32_t fault_hi;
    uint64_t fault_address;
    bool inline_to_l1; /* an inline write to L1: a hardware bug, recorded as a hazard */
    bool l1_acc;       /* NOC_L1_ACC_AT_INSTRN holds the atomic's opcode, not NOC_AT_LEN_BE */
};

/* Decode the registers of an initiator. Returns NULL, or the sentence of a fault. */
const char *tf_noc_decode(const struct tf_niu *niu, unsigned initiator, struct tf_noc_command *command);

/* tf_noc_decode() for registers in Blackhole's order (enum tf_niu_word). */
const char *tf_noc_decode_words(const struct tf_niu *niu, const uint32_t *regs, struct tf_noc_command *command);

/* initiator.c */

#define TF_NIU_WORDS_OF_REQUEST (TF_NIU_BRCST_EXCLUDE + 1)

/* TF_NIU_TARG_MID, TF_NIU_RET_MID and TF_NIU_CTRL, of families whose NIUs write them back (tf_niu_arch.writes_back). */
#define TF_NIU_WORDS_WRITTEN 3u

/* Packets of a sender that tf_fabric.others keeps besides the one that it decoded last. */
#define TF_NIU_OTHERS 3u

/* The linked transaction that is open at a NIU: where its requests go, and NOC_CTRL of the last one. path 0: none. Only
   that one is open is part of the state (TF_NIU_LINKED). */
struct tf_noc_linked {
    uint64_t path;
    uint32_t ctrl;
};

/* In tf_niu.split, beside its bits of initiators: a linked transaction is open. */
#define TF_NIU_LINKED (1u << 7)

/* A packet that an initiator has decoded, as its registers described it. Cores often repeat a request. */
struct tf_noc_sent {
    bool known;             /* equal registers mean an equal packet */
    bool simple;            /* known, and the sink's issue_simple() accepts it */
    bool moves;             /* known, and may be issued at other addresses; move_last() */
    bool captured;          /* a write whose source is captured at issue */
    uint8_t others;         /* packets decoded before that tf_fabric.others keeps for the sender, as bits */
    uint8_t other_next;     /* which of them the next one replaces */
    uint32_t payload_bytes; /* size of the captured data */
    struct tf_niu_issue counts;
    _Alignas(16) uint32_t regs[TF_NIU_WORDS_OF_REQUEST]; /* as software wrote them */
    uint32_t written[TF_NIU_WORDS_WRITTEN];              /* what the hardware then wrote to some of them */
    struct tf_noc_linked linked;                         /* of the NIU, at its first initiator */
    struct tf_noc_request request;                       /* its data are at the place of capture */
};

/* linked.c: a request is the next one of its NIU. Returns NULL, or why the open linked transaction does not allow it.
   The caller passes those that link, and those that come while a transaction is open. */
const char *tf_noc_link(struct tf_niu *niu, const struct tf_noc_command *command, uint32_t ctrl);

/* Which of its senders the NIU keeps this packet for, in tf_fabric.sent or tf_fabric.others. */
static inline unsigned tf_niu_sender_of(const struct tf_niu *niu, const struct tf_noc_sent *sent)
{
    const struct tf_noc_sent *first = niu->sent;
    if ((uintptr_t)sent - (uintptr_t)first < TF_NIU_SENDERS * sizeof *first)
        return (unsigned)(sent - first);
    return (unsigned)(sent - niu->fabric->others - TF_NIU_OTHERS * (first - niu->fabric->sent)) / TF_NIU_OTHERS;
}

/* written_back.c: the words that the hardware writes as it takes a command. */
void tf_niu_write_back(struct tf_niu *niu, unsigned initiator, const struct tf_noc_command *command);

/* Issues the packet of a stream, which lies within one packet and waits for no answer. Returns false if the host has no
   memory. */
bool tf_niu_issue_for_stream(struct tf_niu *niu, const struct tf_noc_command *command, uint32_t ctrl);

/* overlay.c: streams of the tile issue their packets, up to the epoch's bound. */
void tf_overlay_issue(struct tf_niu *niu);

/* May the NIU issue another packet in this epoch? */
static inline bool tf_niu_may_issue(const struct tf_niu *niu)
{
    return niu->node->sink != NULL && niu->node->issued[niu->noc] < niu->fabric->rules.requests_max;
}

/* A configuration word has changed: forget the packets of all initiators, which will be decoded anew. */
void tf_niu_forget(struct tf_niu *niu);

/* Store to a word of an initiator, in the family's order. */
enum tf_access tf_niu_word_store(struct tf_niu *niu, unsigned initiator, unsigned word, uint32_t value, unsigned core,
                                 uint32_t pc);

/* Store 1 to NOC_CMD_CTRL of an initiator. */
enum tf_access tf_niu_command(struct tf_niu *niu, unsigned initiator, unsigned core, uint32_t pc);

/* niu_layout.c. layout: NULL for Blackhole's. */

/* The offset of an initiator's registers. */
uint32_t tf_niu_initiator_offset(const struct tf_niu_arch *layout, unsigned initiator);

/* The place of Blackhole's `word` (or TF_PORT_NODE_ID) among the words of an initiator, which has one. */
unsigned tf_niu_layout_place(const struct tf_niu_arch *layout, unsigned word);

/* niu.c: tf_niu_store() without its fast path. */
enum tf_access tf_niu_store_any(struct tf_niu *niu, uint32_t offset, uint32_t value, unsigned core, uint32_t pc);

/* niu.c: record the fault of a store to a register. Returns TF_ACCESS_FAULT. */
enum tf_access tf_niu_no_store(struct tf_niu *niu, uint32_t offset, unsigned core, enum tf_fault_category category,
                               const char *why);

/* Bytes of data that a packet of the NIU holds. */
static inline uint32_t tf_niu_packet_bytes(const struct tf_niu *niu)
{
    return niu->packet_bytes;
}

/* The number of packets of a command. */
static inline uint32_t tf_noc_packets(const struct tf_niu *niu, const struct tf_noc_command *command)
{
    uint32_t bytes = tf_niu_packet_bytes(niu);
    return command->length <= bytes ? 1 : (uint32_t)((command->length + bytes - 1) / bytes);
}

/* Data of an answer that land at its node. */
struct tf_noc_data {
    const uint8_t *from;
    uint32_t bytes; /* 0: no data */
    bool landed;    /* they have already landed */
};

/* The data of the answer that a settled request keeps. */
static inline __attribute__((always_inline)) struct tf_noc_data tf_noc_kept_data(const struct tf_noc_request *request)
{
    if (request->kind == TF_NOC_ATOMIC)
        return (struct tf_noc_data){(const uint8_t *)&request->entry.result, sizeof request->entry.result, false};
    if (request->kind == TF_NOC_READ)
        return (struct tf_noc_data){request->data, request->length, request->to != NULL};
    return (struct tf_noc_data){NULL, 0, true};
}

/* space.c */

/* Copy to or from a node's memory, in which the range lies. Returns false if the host has no memory for a DRAM page. */
bool tf_node_put(struct tf_node *node, uint64_t address, const void *data, uint64_t bytes, bool shared);
void tf_node_get(const struct tf_node *node, uint64_t address, void *data, uint64_t bytes, bool shared);

/* A range of L1 has been written: drop the decoded code in it. */
static inline void tf_node_code_written(struct tf_node *node, uint32_t address, uint32_t bytes)
{
    if (tf_code_in(&node->tile->code, address, bytes))
        tf_tile_l1_written(node->tile, address, bytes);
}

/* An aligned word of L1 has been written: drop the decoded code in it. */
static inline void tf_node_word_written(struct tf_node *node, uint32_t address)
{
    if (tf_code_near_word(&node->tile->code, address))
        tf_tile_l1_written(node->tile, address, 4);
}

/* The DRAM channel that some addresses of a node lead to, or NULL. */
static inline struct tf_dram *tf_node_dram(const struct tf_node *node)
{
    return node->behind != NULL ? node->behind->dram : node->dram;
}

/* L1 as the NIUs of its own tile reach it: where tf_node_place() of tf_node_address() says so. */
static inline uint8_t *tf_node_own_l1(const struct tf_node *node, uint64_t address)
{
    return node->l1 != NULL ? node->l1 + address
                            : tf_dram_core_l1_memory(node->core) + address % node->space->core_l1_bytes;
}

/* Does a DRAM tile show its core's memory map instead of DRAM? The bit is set after power-on. */
static inline bool tf_node_shows_other_memory(const struct tf_node *node, unsigned noc)
{
    return node->core != NULL && !(tf_niu_config_word(&node->niu[noc], TF_NIU_CFG_0) & TF_NIU_CFG_0_AXI_SUBORDINATE);
}

/* Does a write change nothing but L1 of this recipient? */
static inline bool tf_noc_writes_only_l1(const struct tf_noc_request *request, const struct tf_node *node)
{
    return !request->header_store && !request->to_overlay && tf_node_in_l1(node, request->address, request->length);
}

/* May a request store to a register here? */
static inline bool tf_noc_is_word(uint64_t address, uint64_t bytes)
{
    return bytes == 4 && address % 4 == 0;
}

/* Why a read of a register is refused; NULL: it is not. */
static inline const char *tf_noc_why_split(uint64_t address, uint64_t bytes)
{
    return bytes > 4 - address % 4 ? "an access to a register must stay within its 4 bytes" : NULL;
}

/* Write to L1, in deterministic mode. The range lies in it. */
static inline void tf_node_put_l1(struct tf_node *node, uint32_t address, const void *data, uint32_t bytes)
{
    tf_copy_between(node->l1 + address, data, bytes);
    tf_node_code_written(node, address, bytes);
}

/* Write an aligned word to L1, in deterministic mode. */
static inline void tf_node_put_word(struct tf_node *node, uint32_t address, uint32_t word)
{
    memcpy(node->l1 + address, &word, sizeof word);
    tf_node_word_written(node, address);
}

/* dram.c: a channel. Only blocks that have been written take memory of the host. `bytes`: its size, a multiple of
   TF_DRAM_BLOCK_BYTES. Addresses that the other functions take lie within it. Returns NULL if the host has no
   memory. */
struct tf_dram *tf_channel_create(uint64_t bytes);
void tf_channel_destroy(struct tf_dram *dram);
bool tf_channel_put(struct tf_dram *dram, uint64_t address, const void *data, uint64_t bytes, bool shared);
void tf_channel_get(const struct tf_dram *dram, uint64_t address, void *data, uint64_t bytes, bool shared);
bool tf_channel_reserve(struct tf_dram *dram, uint64_t address, uint64_t bytes);
uint8_t *tf_channel_memory(struct tf_dram *dram, uint64_t address, uint64_t bytes, bool write, bool *zero);
void tf_channel_hash(const struct tf_dram *dram, struct tf_hash *hash);
void tf_channel_state(struct tf_saved *saved, struct tf_dram *dram);

#endif
