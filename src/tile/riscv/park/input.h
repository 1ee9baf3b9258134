/* SPDX-License-Identifier: Apache-2.0 */
/* Common parts of parking: places of inputs, and registers of f. Only for the files of this folder. */
#ifndef TILE_RISCV_PARK_INPUT_H
#define TILE_RISCV_PARK_INPUT_H

#include <string.h>

#include "tile/riscv/code/insn.h"
#include "tile/riscv/exec/exec.h"
#include "tile/riscv/hart/csr_words.h"
#include "tile/riscv/hart/memory.h"
#include "tile/search/search.h"
#include "tile/state.h"

/* Is the opcode MADD, MSUB, NMSUB, NMADD or OP-FP? Only these and loads write f or fcsr. */
static inline bool tf_park_floats(const struct tf_rv_insn *insn)
{
    return (insn->word & 0x60u) == 0x40u;
}

/* Save f and fcsr for the comparison with the anchor, before the first instruction that may write them. */
static inline void tf_park_keep_floats(struct tf_hart *hart)
{
    struct tf_park *park = &hart->park;
    if (park->floats)
        return;
    memcpy(park->notes->f, hart->f, sizeof hart->f);
    park->notes->fcsr = hart->csr.word[TF_CSR_FCSR];
    park->floats = true;
}

/* Find the word of memory that holds an input's address and size. Returns false if it is not in memory, is misaligned,
   or a load of it is a search. */
static inline bool tf_input_in_memory(struct tf_tile *tile, const struct tf_hart *hart, struct tf_input *input)
{
    uint8_t *data;
    if ((input->address & (input->size - 1u)) != 0 || (hart->searches && tf_search_reads(tile, input->address)))
        return false;
    if (input->address < tile->arch->l1_bytes)
        data = tile->l1 + input->address;
    else if (!tf_hart_memory(tile, hart, input->address, input->size, &data))
        return false;
    unsigned within = input->address % 4;
    input->at = (const uint32_t *)(const void *)(data - within);
    input->mask = UINT32_MAX >> (32 - 8 * input->size);
    input->shift = (uint8_t)(8 * within);
    return true;
}

/* Find the word of memory or the fast word that holds an input. Returns false if there is none. */
static inline bool tf_input_find(struct tf_tile *tile, const struct tf_hart *hart, struct tf_input *input)
{
    if (!tf_fast_reaches(input->address))
        return tf_input_in_memory(tile, hart, input);
    input->mask = UINT32_MAX;
    input->shift = 0;
    input->at = input->size == 4 ? tf_fast_word(&tile->fast, input->address) : NULL;
    return input->at != NULL;
}

#endif
