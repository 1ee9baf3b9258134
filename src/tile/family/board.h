/* SPDX-License-Identifier: Apache-2.0 */
/* The table of a chip with fused-off nodes: the family's table without them, with the firmware's names and
   telemetry. */
#ifndef TILE_BOARD_H
#define TILE_BOARD_H

#include "tile/arch.h"

#define TF_TELEMETRY_MAX 40u

/* A family's table without the nodes that a board lacks. */
struct tf_variant {
    struct tf_arch arch;
    struct tf_telemetry telemetry[TF_TELEMETRY_MAX];
};

/* NULL, or a sentence: the reason why a chip of the family cannot be on such a board. */
const char *tf_board_why_bad(const struct tf_arch *family, const struct tf_board *board);

/* Is it the board of the family's own table? */
bool tf_board_is_default(const struct tf_arch *family, const struct tf_board *board);

/* Make the table of a board. tf_board_why_bad() must have returned NULL. */
void tf_variant_make(const struct tf_arch *family, const struct tf_board *board, struct tf_variant *variant);

#endif
