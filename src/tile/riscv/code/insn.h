/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions by address: those that a core can fetch, and the decoded ones. Only for the files of tile/riscv. */
#ifndef TILE_RISCV_CODE_INSN_H
#define TILE_RISCV_CODE_INSN_H

#include "tile/riscv/code/code.h"
#include "tile/riscv/code/page.h"
#include "tile/state.h"

/* Can a core fetch an instruction at pc? Only one core has instruction RAM. */
static inline bool tf_code_fetches(const struct tf_tile *tile, const struct tf_hart *hart, uint32_t pc)
{
    const struct tf_tile_arch *arch = tile->arch;
    return pc % 4 == 0 &&
           (pc < arch->l1_bytes || (hart->core == arch->iram_core && tf_code_place(arch, pc) != UINT32_MAX));
}

/* The instruction at a pc that can be fetched (tf_code_fetches()), decoded if necessary. *page: that of the last call,
   or NULL. Returns NULL if the host has no memory. */
static inline const struct tf_rv_insn *tf_code_insn(struct tf_tile *tile, uint32_t pc, struct tf_code_page **page)
{
    unsigned index = pc / 4 % TF_CODE_WORDS;
    if (*page == NULL || pc - (*page)->base >= TF_CODE_PAGE_BYTES) {
        *page = tf_code_page_make(tile, tf_code_place(tile->arch, pc));
        if (*page == NULL)
            return NULL;
    }
    if ((*page)->op[index].stale)
        tf_code_refresh(tile, *page, index);
    return &(*page)->insn[index];
}

/* Is it known that a word of a decoded page is no executed code? Such a word may be written freely. */
static inline bool tf_code_is_beside(const struct tf_tile *tile, uint32_t address)
{
    return tile->code.page[address / TF_CODE_PAGE_BYTES]->op[address / 4 % TF_CODE_WORDS].stale;
}

#endif
