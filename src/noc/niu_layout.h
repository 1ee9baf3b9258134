/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a family's NIU has its registers, if its layout differs from Blackhole's. An initiator keeps its words in the
 * family's order, and the decoder asks for them in Blackhole's order. layout: NULL for Blackhole's, but where a
 * function says otherwise.
 */
#ifndef NOC_NIU_LAYOUT_H
#define NOC_NIU_LAYOUT_H

#include <stdint.h>

#include "noc/noc.h"
#include "tile/arch.h"

/* The words of an initiator in Blackhole's order (enum tf_niu_word): its own, or `words`, which is filled. */
const uint32_t *tf_niu_words(const struct tf_niu *niu, unsigned initiator, uint32_t words[TF_NIU_INITIATOR_WORDS]);

#define TF_NIU_NO_REGISTER UINT32_MAX

/* Blackhole's offset of the register that a family has at `offset`; TF_NIU_NO_REGISTER: there is none. */
uint32_t tf_niu_layout_common(const struct tf_niu_arch *layout, uint32_t offset);

/* The other way, for a register outside the initiators: its offset in the family's layout. */
uint32_t tf_niu_layout_own(const struct tf_niu_arch *layout, uint32_t common);

/* The offset of an initiator's registers. */
uint32_t tf_niu_initiator_offset(const struct tf_niu_arch *layout, unsigned initiator);

/* The place of Blackhole's `word` (or TF_PORT_NODE_ID) among the words of an initiator, which has one. */
unsigned tf_niu_layout_place(const struct tf_niu_arch *layout, unsigned word);

/* The words of an initiator that keep stored values and do nothing else, as bits by offset / 4. Of a layout. */
uint16_t tf_niu_layout_kept(const struct tf_niu_arch *layout);

/* Enter the fast words of a NIU with that layout into a map; see tf_port_register(). */
void tf_niu_layout_fast(const struct tf_niu *niu, const struct tf_niu_arch *layout, unsigned noc,
                        const struct tf_fast *fast, struct tf_fast_map *map);

/* The number of the word that lies at `offset` within its initiator, in the family's order. Of a layout. */
static inline unsigned tf_niu_layout_within(const struct tf_niu_arch *layout, uint32_t offset)
{
    return (offset & ((1u << layout->initiator_stride_log2) - 1)) / 4;
}

/* Blackhole's number of the register at `offset`, and its initiator. Returns TF_NIU_NO_WORD if no initiator has it. Of
   a layout. */
static inline unsigned tf_niu_layout_word(const struct tf_niu_arch *layout, uint32_t offset, uint32_t *initiator)
{
    uint32_t within = tf_niu_layout_within(layout, offset);
    *initiator = offset >> layout->initiator_stride_log2;
    return within < TF_NIU_LAYOUT_WORDS && *initiator < TF_NIU_INITIATORS ? layout->word[within] : TF_NIU_NO_WORD;
}

#endif
