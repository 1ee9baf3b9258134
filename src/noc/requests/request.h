/* SPDX-License-Identifier: Apache-2.0 */
/* What the registers of an initiator ask for. */
#ifndef NOC_REQUESTS_REQUEST_H
#define NOC_REQUESTS_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "noc/noc.h"

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

#endif
