/* SPDX-License-Identifier: Apache-2.0 */
/* A chip and its board, in the YAML that tt-umd reads. */
#ifndef TILE_FAMILY_DESCRIBE_H
#define TILE_FAMILY_DESCRIBE_H

struct tf_arch;
struct tf_board;

/* The board's type, as drivers call it: "p150". */
const char *tf_board_type(const struct tf_arch *arch, const struct tf_board *board);

#endif
