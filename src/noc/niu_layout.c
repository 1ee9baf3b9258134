/* SPDX-License-Identifier: Apache-2.0 */
/* Where a family's NIU has its registers. */
#include <string.h>

#include "noc/niu_layout.h"

uint32_t tf_niu_layout_common(const struct tf_niu_arch *layout, uint32_t offset)
{
    uint32_t i;
    if (layout == NULL)
        return offset;
    unsigned word = tf_niu_layout_word(layout, offset, &i);
    if (word != TF_NIU_NO_WORD)
        return i * TF_NIU_INITIATOR_STRIDE + 4u * word;
    for (unsigned r = 0; r < TF_NIU_RANGES && layout->range[r].bytes != 0; r++)
        if (offset - layout->range[r].first < layout->range[r].bytes)
            return layout->range[r].common + (offset - layout->range[r].first);
    return TF_NIU_NO_REGISTER;
}

uint32_t tf_niu_layout_own(const struct tf_niu_arch *layout, uint32_t common)
{
    for (unsigned r = 0; layout != NULL && r < TF_NIU_RANGES && layout->range[r].bytes != 0; r++)
        if (common - layout->range[r].common < layout->range[r].bytes)
            return layout->range[r].first + (common - layout->range[r].common);
    return common;
}

uint32_t tf_niu_initiator_offset(const struct tf_niu_arch *layout, unsigned initiator)
{
    return layout == NULL ? initiator * TF_NIU_INITIATOR_STRIDE : initiator << layout->initiator_stride_log2;
}

unsigned tf_niu_layout_place(const struct tf_niu_arch *layout, unsigned word)
{
    unsigned place = 0;
    if (layout == NULL)
        return word;
    while (place < TF_NIU_LAYOUT_WORDS - 1 && layout->word[place] != word)
        place++;
    return place;
}

uint16_t tf_niu_layout_kept(const struct tf_niu_arch *layout)
{
    uint16_t kept = 0;
    for (unsigned i = 0; i < TF_FAST_LINE_WORDS; i++)
        if (layout->word[i] < TF_NIU_CMD_CTRL)
            kept |= (uint16_t)(1u << i);
    return kept;
}

/* NOC_*_ADDR_MID has coordinates above the high bits of the address. Blackhole has the coordinates in the next word. */
static void split_coordinates(const struct tf_niu_arch *layout, uint32_t *mid)
{
    mid[1] = mid[0] >> layout->address_high_bits;
    mid[0] &= (1u << layout->address_high_bits) - 1;
}

const uint32_t *tf_niu_words(const struct tf_niu *niu, unsigned initiator, uint32_t words[TF_NIU_INITIATOR_WORDS])
{
    const struct tf_niu_arch *layout = niu->fabric->arch->niu;
    const uint32_t *own = niu->initiator[initiator];
    if (layout == NULL)
        return own;
    memcpy(words, own, TF_NIU_ALIKE * sizeof *words);
    memset(words + TF_NIU_ALIKE, 0, (TF_NIU_INITIATOR_WORDS - TF_NIU_ALIKE) * sizeof *words);
    for (unsigned i = TF_NIU_ALIKE; i <= niu->cmd_ctrl; i++)
        if (layout->word[i] < TF_NIU_INITIATOR_WORDS)
            words[layout->word[i]] = own[i];
    if (layout->address_high_bits != 0) {
        split_coordinates(layout, words + TF_NIU_TARG_MID);
        split_coordinates(layout, words + TF_NIU_RET_MID);
    }
    return words;
}

static bool is_whole_line(uint32_t first, uint32_t bytes)
{
    return first % TF_FAST_LINE_BYTES == 0 && bytes % TF_FAST_LINE_BYTES == 0;
}

/* Register the fast words of a NIU with such a layout. Wormhole's rows barrier-400 and atomic-inc-spread pay for it:
   the latter takes twice as many instructions without it. */
void tf_niu_layout_fast(const struct tf_niu *niu, const struct tf_niu_arch *layout, unsigned noc,
                        const struct tf_fast *fast, struct tf_fast_map *map)
{
    const uint16_t kept = tf_niu_layout_kept(layout);
    const struct tf_port_line words = {
        .readable = (uint16_t)(kept | 1u << niu->cmd_ctrl | 1u << tf_niu_layout_place(layout, TF_PORT_NODE_ID)),
        .storable = kept,
    };
    map->busy = niu->cmd_ctrl;
    map->narrow = TF_NIU_PACKET_TAG;
    for (unsigned i = 0; i < TF_NIU_INITIATORS; i++)
        tf_port_register_line(fast, map, noc, i << layout->initiator_stride_log2, niu->initiator[i], words);
    for (unsigned r = 0; r < TF_NIU_RANGES && layout->range[r].bytes != 0; r++) {
        uint32_t first = layout->range[r].first, bytes = layout->range[r].bytes;
        if (layout->range[r].common != TF_NIU_COUNTER || bytes > 4 * TF_NIU_COUNTERS || !is_whole_line(first, bytes))
            continue;
        for (uint32_t at = 0; at < bytes; at += TF_FAST_LINE_BYTES)
            tf_port_register_line(fast, map, noc, first + at, &niu->counter[at / 4],
                                  (struct tf_port_line){.readable = 0xFFFF});
    }
}
