/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decode the registers of an initiator into a command, or into a fault. Sources: BlackholeA0/NoC/MemoryMap.md
 * ("NIU Request Initiators"), WormholeB0/NoC/Alignment.md; the alignment of DRAM data to 64 bytes is ttsim's.
 */
#include "noc/coords.h"
#include "noc/niu_layout.h"
#include "noc/requests/request.h"
#include "noc/sent.h"
#include "noc/nodes/space.h"
#include "tile/mmio/streams/packet.h"

enum { REQUEST_READ, REQUEST_ATOMIC, REQUEST_WRITE };

#define CTRL_WR_BE (1u << 2)
#define CTRL_WR_INLINE (1u << 3)
#define CTRL_RESP_MARKED (1u << 4)
#define CTRL_BRCST_PACKET (1u << 5)
#define CTRL_PATH_RESERVE (1u << 8)
#define CTRL_BRCST_XY (1u << 16)
#define CTRL_BRCST_SRC_INCLUDE (1u << 17)
#define CTRL_L1_ACC_AT_EN (1u << 31)

#define INSTRN_ACC 9u

const char *const tf_noc_why_overrun = "the data overrun the memory at the return address";

static const char *set_fault(struct tf_noc_command *command, enum tf_fault_category category, uint32_t hi,
                             uint64_t address, const char *why)
{
    command->category = (uint8_t)category;
    command->fault_hi = hi;
    command->fault_address = address;
    return why;
}

static uint64_t address_of(const uint32_t *lo)
{
    return lo[0] | (uint64_t)lo[1] << 32;
}

/* The place of an address as the NIUs of its own tile reach it. */
static enum tf_noc_place own_place(const struct tf_niu *niu, uint64_t address)
{
    enum tf_noc_place place = tf_node_place(niu->node, tf_node_address(niu->node, niu->noc, address));
    return place == TF_PLACE_CORE_L1 ? TF_PLACE_L1 : place;
}

/* The bytes of the own L1 from an address in it. */
static uint64_t own_room(const struct tf_niu *niu, uint64_t address)
{
    return tf_node_room(niu->node, tf_node_address(niu->node, niu->noc, address));
}

static const char *decode_rectangle(const struct tf_niu *niu, const uint32_t *regs, uint32_t hi,
                                    struct tf_noc_command *command)
{
    struct tf_noc_corners corners = {.end = tf_noc_unpack_xy(hi, 0), .start = tf_noc_unpack_xy(hi, 12)};
    if (!tf_niu_translate_corners(niu, &corners))
        return set_fault(command, TF_FAULT_UNDEFINED, hi, command->address,
                         "a corner of the rectangle is off the grid");
    command->target = TF_NO_NODE;
    command->x0 = (uint8_t)corners.start.x;
    command->y0 = (uint8_t)corners.start.y;
    command->x1 = (uint8_t)corners.end.x;
    command->y1 = (uint8_t)corners.end.y;
    command->source_include = (regs[TF_NIU_CTRL] & CTRL_BRCST_SRC_INCLUDE) != 0;
    command->major_y = (regs[TF_NIU_CTRL] & CTRL_BRCST_XY) != 0;
    command->exclude = regs[TF_NIU_BRCST_EXCLUDE];
    command->reserves = (regs[TF_NIU_CTRL] & CTRL_PATH_RESERVE) != 0 && (niu->split & TF_NIU_LINKED) == 0;
    if (!tf_noc_patterns_fit(command->exclude, &corners))
        return set_fault(command, TF_FAULT_UNDEFINED, hi, command->address,
                         "along an axis that wraps, keep + skip of NOC_BRCST_EXCLUDE is not a power of two");
    return NULL;
}

static const char *decode_target(const struct tf_niu *niu, const uint32_t *regs, uint32_t hi,
                                 struct tf_noc_command *command)
{
    command->fault_hi = hi;
    command->multicast = (regs[TF_NIU_CTRL] & CTRL_BRCST_PACKET) != 0;
    if (command->multicast)
        return decode_rectangle(niu, regs, hi, command);
    command->target = tf_niu_node_of(niu, hi);
    if (command->target == TF_NO_NODE)
        return set_fault(command, TF_FAULT_UNDEFINED, hi, command->address, "the coordinates are off the grid");
    return NULL;
}

static const char *decode_answer(const struct tf_niu *niu, uint32_t hi, struct tf_noc_command *command)
{
    command->answer = tf_niu_node_of(niu, hi);
    if (command->answer == TF_NO_NODE)
        return set_fault(command, TF_FAULT_UNDEFINED, hi, command->return_address,
                         "the coordinates for the response are off the grid");
    return NULL;
}

/* The node of the target, or one like it: only Tensix tiles receive multicasts, so the own tile stands for the
   recipients. */
static const struct tf_node *target_node(const struct tf_niu *niu, const struct tf_noc_command *command)
{
    const struct tf_node *node = niu->node;
    if (!command->multicast)
        return &niu->fabric->node[command->target];
    if (node->core != NULL)
        for (node = niu->fabric->node; node->kind != TF_NODE_TENSIX;)
            node++;
    return node;
}

static enum tf_noc_place target_place(const struct tf_niu *niu, const struct tf_noc_command *command)
{
    return tf_node_place(target_node(niu, command), command->address);
}

/* Check the alignment of a copy. Source: the table "When NOC_AT_LEN_BE contains a length" of Alignment.md. */
static const char *why_misaligned(const struct tf_niu *niu, enum tf_noc_place from, uint64_t source,
                                  enum tf_noc_place to, uint64_t target, uint64_t length)
{
    if (from == TF_PLACE_REGISTER && to != TF_PLACE_REGISTER) {
        const char *why = tf_noc_why_split(source, length);
        return why == NULL && (source ^ target) % 4 ? "source and target address must be equal modulo 4" : why;
    }
    if (to == TF_PLACE_REGISTER) {
        if (!tf_noc_is_word(target, length))
            return TF_NOC_WHY_NO_WORD;
        if (from == TF_PLACE_REGISTER)
            return source % 4 ? "register reads must start at a multiple of 4" : NULL;
    }
    if (from == TF_PLACE_HIDDEN || to == TF_PLACE_HIDDEN)
        return NULL;
    uint64_t dram_mask = from == TF_PLACE_DRAM ? niu->fabric->arch->noc.dram_align - 1u : 0;
    if (to != TF_PLACE_REGISTER && ((source ^ target) & dram_mask) != 0)
        return dram_mask == 63 ? "source and target address must be equal modulo 64 when data come from DRAM"
                               : "source and target address must be equal modulo 32 when data come from DRAM";
    return (source ^ target) % 16 ? "source and target address must be equal modulo 16" : NULL;
}

/* When hardware splits a request, each packet begins at a multiple of a flit. */
static const char *why_length(const struct tf_niu *niu, const struct tf_noc_command *command, uint64_t source,
                              uint64_t target)
{
    uint32_t packet = tf_niu_packet_bytes(niu);
    if (command->length == 0)
        return "the length is 0";
    if (command->length > packet && ((source | target) & ((1u << niu->flit_log2) - 1)) != 0)
        return packet == 16384 ? "a request of more than 16384 bytes needs addresses that are multiples of 64"
                               : "a request of more than one packet needs addresses that are multiples of a flit";
    return NULL;
}

static const char *decode_read(const struct tf_niu *niu, const uint32_t *regs, struct tf_noc_command *command)
{
    command->kind = TF_NOC_READ;
    command->answered = true;
    command->address = address_of(regs + TF_NIU_TARG_LO);
    command->return_address = address_of(regs + TF_NIU_RET_LO);
    command->length = address_of(regs + TF_NIU_AT_LEN_BE);
    uint32_t hi = regs[TF_NIU_TARG_HI];
    if (regs[TF_NIU_CTRL] & CTRL_BRCST_PACKET)
        return set_fault(command, TF_FAULT_UNDEFINED, hi, command->address, "a read cannot be multicast");
    const char *why = decode_target(niu, regs, hi, command);
    if (why == NULL)
        why = decode_answer(niu, regs[TF_NIU_RET_HI], command);
    if (why != NULL)
        return why;
    why = why_length(niu, command, command->address, command->return_address);
    if (why != NULL)
        return set_fault(command, TF_FAULT_UNDEFINED, hi, command->address, why);
    const struct tf_node *answer = &niu->fabric->node[command->answer];
    const bool own = answer == niu->node;
    enum tf_noc_place to = own ? own_place(niu, command->return_address)
                               : tf_node_place(answer, command->return_address);
    if (to == TF_PLACE_NOTHING || to == TF_PLACE_HIDDEN)
        return set_fault(command, TF_FAULT_UNDEFINED, regs[TF_NIU_RET_HI], command->return_address,
                         "the return address is neither memory nor a register");
    if (to != TF_PLACE_REGISTER && command->length > (own ? own_room(niu, command->return_address)
                                                          : tf_node_room(answer, command->return_address)))
        return set_fault(command, TF_FAULT_UNDEFINED, regs[TF_NIU_RET_HI], command->return_address, tf_noc_why_overrun);
    why = why_misaligned(niu, target_place(niu, command), command->address, to, command->return_address,
                         command->length);
    return why != NULL ? set_fault(command, TF_FAULT_UNDEFINED, hi, command->address, why) : NULL;
}

static bool has_l1(const struct tf_node *node)
{
    return node->kind == TF_NODE_TENSIX || node->kind == TF_NODE_ETH;
}

/* Bit i of either half of NOC_AT_LEN_BE is the mask of byte i of the line. */
static void take_line_mask(const uint32_t *regs, struct tf_noc_command *command)
{
    uint32_t mask = regs[TF_NIU_AT_LEN_BE];
    command->byte_mask = (mask | mask >> 16) & 0xFFFF;
    command->address &= ~15ull;
    command->length = TF_NOC_INLINE_LINE_BYTES;
}

/*
 * Inline writes to L1 have a hardware bug in families with `inline_unsafe`, as on Blackhole. Here such a write stores
 * NOC_AT_DATA, and a hazard is recorded. On Wormhole it writes the bytes that a mask selects.
 */
static const char *decode_inline(const struct tf_niu *niu, const uint32_t *regs, struct tf_noc_command *command)
{
    uint32_t hi = regs[TF_NIU_TARG_HI];
    command->kind = TF_NOC_WRITE_INLINE;
    command->address = address_of(regs + TF_NIU_TARG_LO);
    command->at_data = regs[TF_NIU_AT_DATA];
    command->length = 4;
    if (command->answered)
        command->answer = niu->node->number;
    const char *why = decode_target(niu, regs, hi, command);
    if (why != NULL)
        return why;
    if (!command->multicast && !has_l1(&niu->fabric->node[command->target]))
        return set_fault(command, TF_FAULT_UNDEFINED, hi, command->address,
                         "an inline write must go to a Tensix or Ethernet tile");
    if (command->address % 4)
        return set_fault(command, TF_FAULT_UNDEFINED, hi, command->address, "the address is not a multiple of 4");
    bool to_l1 = target_place(niu, command) == TF_PLACE_L1;
    if (to_l1 && niu->fabric->arch->noc.inline_masked)
        take_line_mask(regs, command);
    command->inline_to_l1 = to_l1 && niu->fabric->arch->noc.inline_unsafe;
    if (command->inline_to_l1 && niu->fabric->rules.inline_l1_faults)
        return set_fault(command, TF_FAULT_UNDEFINED, hi, command->address,
                         "inline writes to L1 are not safe on this family");
    return NULL;
}

/* Quoted from the page: "at most 64 bytes will be read from NOC_TARG_ADDR &~ 0xf and written to NOC_RET_ADDR &~ 0xf".
   On Wormhole the limit is 32. */
static const char *decode_byte_mask(const struct tf_niu *niu, const uint32_t *regs, enum tf_noc_place from,
                                    enum tf_noc_place to, struct tf_noc_command *command)
{
    command->length = 4;
    if (from == TF_PLACE_REGISTER && command->source_address % 4)
        return "the source address is not a multiple of 4";
    if (to == TF_PLACE_REGISTER) {
        command->kind = TF_NOC_WRITE;
        if (command->address % 4)
            return "the address is not a multiple of 4";
        if (from == TF_PLACE_L1 && (command->source_address ^ command->address) % 16)
            return "source and target address must be equal modulo 16";
        return NULL;
    }
    command->kind = TF_NOC_WRITE_BE;
    command->byte_mask = address_of(regs + TF_NIU_AT_LEN_BE);
    if (niu->fabric->arch->noc.mask_bytes == 32)
        command->byte_mask &= UINT32_MAX;
    command->length = command->byte_mask == 0 ? 0 : 64 - (unsigned)__builtin_clzll(command->byte_mask);
    command->address &= ~15ull;
    if (from == TF_PLACE_L1)
        command->source_address &= ~15ull;
    return NULL;
}

static const char *decode_length(const struct tf_niu *niu, enum tf_noc_place from, enum tf_noc_place to,
                                 const uint32_t *regs, struct tf_noc_command *command)
{
    command->kind = TF_NOC_WRITE;
    command->length = address_of(regs + TF_NIU_AT_LEN_BE);
    const char *why = why_length(niu, command, command->source_address, command->address);
    if (why != NULL)
        return why;
    return why_misaligned(niu, from, command->source_address, to, command->address, command->length);
}

static const char *decode_write(const struct tf_niu *niu, const uint32_t *regs, struct tf_noc_command *command)
{
    uint32_t hi = regs[TF_NIU_RET_HI], ctrl = regs[TF_NIU_CTRL], tag = regs[TF_NIU_PACKET_TAG];
    command->kind = TF_NOC_WRITE;
    command->address = address_of(regs + TF_NIU_RET_LO);
    command->source_address = address_of(regs + TF_NIU_TARG_LO);
    const char *why = decode_target(niu, regs, hi, command);
    if (why == NULL && command->answered)
        why = decode_answer(niu, regs[TF_NIU_TARG_HI], command);
    if (why != NULL)
        return why;
    command->to_overlay = (tag & TF_TAG_TO_OVERLAY) != 0;
    if (command->to_overlay && !niu->fabric->arch->tile[TF_TILE_TENSIX].stream_phases)
        return set_fault(command, TF_FAULT_UNIMPLEMENTED, hi, command->address,
                         "DeliverToReceiverOverlay is not implemented");
    command->header_store = !command->answered && (tag & TF_TAG_HEADER_STORE);
    if (command->to_overlay)
        command->at_len_be = tag;
    command->at_data = regs[TF_NIU_AT_DATA];
    enum tf_noc_place from = own_place(niu, command->source_address);
    if (from != TF_PLACE_L1 && from != TF_PLACE_REGISTER)
        return set_fault(command, TF_FAULT_UNDEFINED, hi, command->source_address,
                         "the source address is neither in L1 nor a register");
    command->from_register = from == TF_PLACE_REGISTER;
    enum tf_noc_place to = target_place(niu, command);
    why = ctrl & CTRL_WR_BE ? decode_byte_mask(niu, regs, from, to, command)
                            : decode_length(niu, from, to, regs, command);
    if (why != NULL)
        return set_fault(command, TF_FAULT_UNDEFINED, hi, command->address, why);
    if (from == TF_PLACE_L1 && command->length > own_room(niu, command->source_address))
        return set_fault(command, TF_FAULT_UNDEFINED, hi, command->source_address, "the source overruns L1");
    return NULL;
}

/*
 * Find the opcode of an atomic with NOC_CMD_L1_ACC_AT_EN. The bit must be 0 (MemoryMap.md, "NOC_CTRL"); ttsim refuses
 * it. The emulator specification (niu.md, 13) takes the opcode from NOC_L1_ACC_AT_INSTRN, which must be an
 * accumulation.
 */
static const char *decode_l1_acc(const struct tf_niu *niu, const uint32_t *regs, struct tf_noc_command *command)
{
    if (niu->fabric->rules.atomics != TF_ATOMICS_EMU_SPEC)
        return "NOC_CMD_L1_ACC_AT_EN cannot be used safely";
    command->at_len_be = regs[TF_NIU_L1_ACC_AT_INSTRN];
    command->l1_acc = true;
    return (command->at_len_be >> 12 & 15) == INSTRN_ACC ? NULL : "NOC_L1_ACC_AT_INSTRN is not an accumulation";
}

static const char *decode_atomic(const struct tf_niu *niu, const uint32_t *regs, struct tf_noc_command *command)
{
    uint32_t hi = regs[TF_NIU_TARG_HI];
    command->kind = TF_NOC_ATOMIC;
    command->address = address_of(regs + TF_NIU_TARG_LO);
    command->return_address = address_of(regs + TF_NIU_RET_LO);
    command->at_len_be = regs[TF_NIU_AT_LEN_BE];
    command->at_data = regs[TF_NIU_AT_DATA];
    const char *why = decode_target(niu, regs, hi, command);
    if (why != NULL)
        return why;
    if (regs[TF_NIU_CTRL] & CTRL_L1_ACC_AT_EN)
        why = decode_l1_acc(niu, regs, command);
    if (why != NULL)
        return set_fault(command, TF_FAULT_UNDEFINED, hi, command->address, why);
    const struct tf_node *target = target_node(niu, command);
    if (!has_l1(target))
        return set_fault(command, TF_FAULT_UNDEFINED, hi, command->address,
                         "atomics act only on L1 of Tensix and Ethernet tiles");
    if (command->address >= target->l1_bytes)
        return set_fault(command, TF_FAULT_UNDEFINED, hi, command->address,
                         tf_node_place(target, command->address) == TF_PLACE_REGISTER
                             ? "atomics cannot act on registers"
                             : "the address is outside L1");
    if (command->address % 4)
        return set_fault(command, TF_FAULT_UNDEFINED, hi, command->address, "the address is not a multiple of 4");
    if (!(niu->fabric->arch->noc.atomics >> (command->at_len_be >> 12 & 15) & 1))
        return set_fault(command, TF_FAULT_UNDEFINED, hi, command->address, niu->fabric->arch->noc.no_such_atomic);
    why = tf_noc_atomic_decode(niu->fabric->rules.atomics, command->at_len_be, command->at_data, &command->op);
    if (why != NULL)
        return set_fault(command, TF_FAULT_UNDEFINED, hi, command->address, why);
    if (!command->answered)
        return NULL;
    why = decode_answer(niu, regs[TF_NIU_RET_HI], command);
    if (why != NULL)
        return why;
    const struct tf_node *answer = &niu->fabric->node[command->answer];
    const bool in_l1 = answer == niu->node ? own_place(niu, command->return_address) == TF_PLACE_L1
                                           : command->return_address < answer->l1_bytes;
    if (!in_l1 || command->return_address % 4)
        return set_fault(command, TF_FAULT_UNDEFINED, regs[TF_NIU_RET_HI], command->return_address,
                         "the return address is not a multiple of 4 in L1");
    return NULL;
}

const char *tf_noc_decode(const struct tf_niu *niu, unsigned initiator, struct tf_noc_command *command)
{
    uint32_t words[TF_NIU_INITIATOR_WORDS];
    return tf_noc_decode_words(niu, tf_niu_words(niu, initiator, words), command);
}

const char *tf_noc_decode_words(const struct tf_niu *niu, const uint32_t *regs, struct tf_noc_command *command)
{
    uint32_t ctrl = regs[TF_NIU_CTRL];
    *command = (struct tf_noc_command){
        .tid = regs[TF_NIU_PACKET_TAG] >> 10 & 15,
        .answered = (ctrl & CTRL_RESP_MARKED) != 0,
        .answer = TF_NO_NODE,
    };
    if (niu->node->core != NULL && !tf_node_shows_other_memory(niu->node, niu->noc))
        return set_fault(command, TF_FAULT_UNDEFINED, regs[TF_NIU_TARG_HI], address_of(regs + TF_NIU_TARG_LO),
                         "bit 15 of NIU_CFG_0 is set: this NIU sends no requests of a DRAM tile's core");
    if ((ctrl & 3) == REQUEST_ATOMIC)
        return decode_atomic(niu, regs, command);
    if ((ctrl & 3) == 3)
        return set_fault(command, TF_FAULT_UNDEFINED, regs[TF_NIU_TARG_HI], address_of(regs + TF_NIU_TARG_LO),
                         "request type 3 is reserved");
    if (ctrl & CTRL_L1_ACC_AT_EN)
        return set_fault(command, TF_FAULT_UNDEFINED, regs[TF_NIU_TARG_HI], address_of(regs + TF_NIU_TARG_LO),
                         "NOC_CMD_L1_ACC_AT_EN cannot be used safely");
    if ((ctrl & 3) == REQUEST_READ)
        return decode_read(niu, regs, command);
    return ctrl & CTRL_WR_INLINE ? decode_inline(niu, regs, command) : decode_write(niu, regs, command);
}
