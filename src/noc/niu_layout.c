/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NIU registers of a family whose layout differs from Blackhole's. Stores, and loads of all but a few words, come here.
 * Faults name the register by Blackhole's offset.
 */
#include "noc/niu.h"
#include "noc/parts.h"

#define NO_REGISTER TF_NIU_NO_REGISTER

/* Blackhole's word of the initiator that has a register at `offset`; TF_NIU_NO_WORD: none has. */
static inline unsigned word_at(const struct tf_niu_arch *layout, uint32_t offset, uint32_t *initiator)
{
    uint32_t within = (offset & ((1u << layout->initiator_stride_log2) - 1)) / 4;
    *initiator = offset >> layout->initiator_stride_log2;
    return within < TF_NIU_LAYOUT_WORDS && *initiator < TF_NIU_INITIATORS ? layout->word[within] : TF_NIU_NO_WORD;
}

uint32_t tf_niu_layout_here(const struct tf_niu_arch *layout, uint32_t offset)
{
    uint32_t i;
    if (layout == NULL)
        return offset;
    unsigned word = word_at(layout, offset, &i);
    if (word != TF_NIU_NO_WORD)
        return i * TF_NIU_INITIATOR_STRIDE + 4u * word;
    for (unsigned r = 0; r < TF_NIU_RANGES && layout->range[r].bytes != 0; r++)
        if (offset - layout->range[r].first < layout->range[r].bytes)
            return layout->range[r].here + (offset - layout->range[r].first);
    return NO_REGISTER;
}

/* The register that is Blackhole's `word` of an initiator, by offset / 4; TF_NIU_LAYOUT_WORDS: none in its line 0. */
static unsigned register_of(const struct tf_niu_arch *layout, unsigned word)
{
    for (unsigned i = 0; i < TF_FAST_LINE_WORDS; i++)
        if (layout->word[i] == word)
            return i;
    return TF_NIU_LAYOUT_WORDS;
}

static bool is_whole_line(uint32_t first, uint32_t bytes)
{
    return first % TF_FAST_LINE_BYTES == 0 && bytes % TF_FAST_LINE_BYTES == 0;
}

/* Wormhole's bench rows barrier-400 and atomic-inc-spread pay for it: each takes more than half as many instructions
   again without it. */
void tf_niu_layout_fast(struct tf_niu *niu, const struct tf_niu_arch *layout, unsigned noc, uint8_t *lines,
                        struct tf_tile *tile)
{
    struct tf_fast *fast = &tile->fast;
    const unsigned ctrl = register_of(layout, TF_NIU_CMD_CTRL), id = register_of(layout, TF_PORT_NODE_ID);
    uint32_t readable = 1u << ctrl;
    unsigned line = 0;
    if (id - ctrl == TF_PORT_NODE_ID - TF_NIU_CMD_CTRL)
        readable |= 1u << id;
    for (unsigned i = 0; i < TF_NIU_INITIATORS && ctrl < TF_FAST_LINE_WORDS; i++)
        tf_port_register_line(fast, lines, noc, line++, (i << layout->initiator_stride_log2) + 4 * ctrl,
                              &niu->initiator[i][TF_NIU_CMD_CTRL], readable);
    for (unsigned r = 0; r < TF_NIU_RANGES && layout->range[r].bytes != 0; r++) {
        uint32_t first = layout->range[r].first, bytes = layout->range[r].bytes;
        if (layout->range[r].here != TF_NIU_COUNTER || bytes > 4 * TF_NIU_COUNTERS || !is_whole_line(first, bytes))
            continue;
        for (uint32_t at = 0; at < bytes; at += TF_FAST_LINE_BYTES)
            tf_port_register_line(fast, lines, noc, line++, first + at, &niu->counter[at / 4], 0xFFFF);
    }
}

/* Does the word hold coordinates above `address_high_bits` bits of an address? Blackhole has them in the next word. */
static inline bool is_shared(const struct tf_niu_arch *layout, unsigned word)
{
    return layout->address_high_bits != 0 && (word == TF_NIU_TARG_MID || word == TF_NIU_RET_MID);
}

/* Initiators that have not issued their request yet, as bits. */
static uint32_t pending(const struct tf_niu *niu)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < TF_NIU_INITIATORS; i++)
        bits |= (niu->initiator[i][TF_NIU_CMD_CTRL] & 1) << i;
    return bits;
}

enum tf_access tf_niu_layout_load(void *opaque, uint32_t offset, uint32_t *value, bool *pure)
{
    struct tf_niu *niu = opaque;
    const struct tf_niu_arch *layout = niu->fabric->arch->niu;
    uint32_t here = tf_niu_layout_here(layout, offset), i, coordinates;
    *pure = true;
    *value = 0;
    if (layout->pending != 0 && offset == layout->pending) {
        *value = pending(niu);
        return TF_ACCESS_OK;
    }
    if (here == NO_REGISTER)
        return TF_ACCESS_FAULT;
    enum tf_access access = tf_niu_load(niu, here, value, pure);
    if (access == TF_ACCESS_OK && is_shared(layout, word_at(layout, offset, &i))) {
        access = tf_niu_load(niu, here + 4, &coordinates, pure);
        *value |= coordinates << layout->address_high_bits;
    }
    return access;
}

/* A store to another register than a word of an idle initiator. */
static __attribute__((noinline)) enum tf_access store_other(struct tf_niu *niu, uint32_t offset, uint32_t value,
                                                            unsigned core, uint32_t pc)
{
    const struct tf_niu_arch *layout = niu->fabric->arch->niu;
    uint32_t here = tf_niu_layout_here(layout, offset), i;
    if (layout->pending != 0 && offset == layout->pending)
        return TF_ACCESS_OK; /* read only */
    if (layout->debug_bytes != 0 && offset - layout->debug_first < layout->debug_bytes)
        return TF_ACCESS_OK; /* likewise */
    if (here == NO_REGISTER)
        return tf_niu_no_store(niu, offset, core, TF_FAULT_UNIMPLEMENTED, "there is no such register");
    return tf_niu_store(niu, here + (is_shared(layout, word_at(layout, offset, &i)) ? 4 : 0), value, core, pc);
}

/* Requests are mostly made of stores to an idle initiator: row `atomic-inc-spread` of Wormhole pays for the shorter
   way. */
enum tf_access tf_niu_layout_store(void *opaque, uint32_t offset, uint32_t value, unsigned core, uint32_t pc)
{
    struct tf_niu *niu = opaque;
    const struct tf_niu_arch *layout = niu->fabric->arch->niu;
    uint32_t i;
    unsigned word = word_at(layout, offset, &i);
    if (word == TF_NIU_CMD_CTRL)
        return tf_niu_store(niu, i * TF_NIU_INITIATOR_STRIDE + 4 * TF_NIU_CMD_CTRL, value, core, pc);
    if (word > TF_NIU_CMD_CTRL || niu->initiator[i][TF_NIU_CMD_CTRL] != 0)
        return store_other(niu, offset, value, core, pc);
    if (is_shared(layout, word)) {
        tf_niu_set_word(niu, i, word + 1, value >> layout->address_high_bits);
        value &= (1u << layout->address_high_bits) - 1;
    }
    tf_niu_set_word(niu, i, word, value);
    return TF_ACCESS_OK;
}
