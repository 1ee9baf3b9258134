/* SPDX-License-Identifier: Apache-2.0 */
/* The table of a chip of which some is fused off: what is left of the family's, and how firmware names and tells it. */
#ifndef TILE_BOARD_H
#define TILE_BOARD_H

#include "tile/arch.h"

#define TF_TELEMETRY_MAX 32u

/* A family's table without what a board lacks. */
struct tf_variant {
    struct tf_arch arch;
    struct tf_telemetry telemetry[TF_TELEMETRY_MAX];
};

/* NULL, or why a chip of the family cannot be on such a board: a sentence. */
const char *tf_board_why_bad(const struct tf_arch *family, const struct tf_board *board);

/* Is it the board of the family's own table? */
bool tf_board_is_default(const struct tf_arch *family, const struct tf_board *board);

/* Make the table of a board, which tf_board_why_bad() found good. */
void tf_variant_make(const struct tf_arch *family, const struct tf_board *board, struct tf_variant *variant);

#endif
