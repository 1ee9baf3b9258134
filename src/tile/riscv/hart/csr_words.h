/* SPDX-License-Identifier: Apache-2.0 */
/* The words of struct tf_csrs by name, for the files that read one. */
#ifndef TILE_RISCV_HART_CSR_WORDS_H
#define TILE_RISCV_HART_CSR_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/riscv/hart/csr_state.h"

#define TF_CFG0_LOADS_WAIT (1u << 0) /* of cfg0: a load waits until the store queue is empty */
#define TF_CFG0_NO_L0 (1u << 3)      /* of cfg0: the L0 data cache is off */

/* Words that hold a register: one for each CSR that is not a counter. */
enum tf_csr_word {
#define CSR(address, name, kind, word, mask, reset) TF_CSR_##word,
#define COUNTER(address, name, kind)
#include "tile/riscv/isa/csr.def"
#undef CSR
    TF_CSR_WORDS,
    TF_CSR_NONE = TF_CSR_WORDS,
};

_Static_assert((unsigned)TF_CSR_WORDS <= TF_CSR_WORDS_MAX, "csr_state.h has a word for each register");

/* Does each load and store behave as if a fence came before it (CSRs.md, "pmacfg0 and pmacfg1")? */
static inline bool tf_csr_strongly_ordered(const struct tf_csrs *csr)
{
    return ((csr->word[TF_CSR_PMACFG0] | csr->word[TF_CSR_PMACFG1]) & 1) != 0;
}

static inline void tf_csr_raise_fflags(struct tf_csrs *csr, uint32_t fflags)
{
    csr->word[TF_CSR_FCSR] |= fflags;
}

#endif
