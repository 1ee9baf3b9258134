/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/eth/word.h"

#include "tile/eth/parts.h"

uint32_t *tf_eth_word(const struct tf_tile *tile, uint32_t address)
{
    uint32_t *word = tile->mmio.eth->word;
    for (const struct tf_eth_range *range = tf_eth_arch_of(tile)->range; range->words != 0; range++) {
        if (address >= range->first && address - range->first < 4 * range->words)
            return &word[(address - range->first) / 4];
        word += range->words;
    }
    return NULL;
}
