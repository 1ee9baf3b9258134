/* SPDX-License-Identifier: Apache-2.0 */
/* From decoded instructions to the interpreter's operations. */
#ifndef TILE_RISCV_CODE_LOWER_H
#define TILE_RISCV_CODE_LOWER_H

#include <stdbool.h>

#include "tile/riscv/code/page.h"

struct tf_code_page;
struct tf_op;

/* Make op[index] from insn[index]; with `fuse`, also from insn[index + 1] if TF_FUSED has the pair. */
void tf_page_lower(struct tf_code_page *page, unsigned index, bool fuse);

/* The word of op[index] has been written: decode it when it is executed, by tf_code_refresh(). The page is the tile's
   own. */
void tf_page_stale(struct tf_code_page *page, unsigned index);

/*
 * Give an operation a handler that first tries the probable access: TF_H_LW_REGISTER for an LW, or TF_H_LW_FAST, which
 * becomes a poll if the LW begins one; TF_H_SW_FAST or TF_H_SW_REGISTER for an SW. The effect stays the same. A fused
 * pair that includes the operation is separated. Any worker may call this while others execute the operation: tiles
 * share pages.
 */
void tf_page_expect(const struct tf_op *op, enum tf_handler handler);

#endif
