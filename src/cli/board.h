/* SPDX-License-Identifier: Apache-2.0 */
/* Options that name a board and what of its chip is fused off. */
#ifndef CLI_BOARD_H
#define CLI_BOARD_H

#include "cli/cli.h"

struct tf_variant;

struct tf_board_options {
    struct tf_board_text text;
    struct tf_variant *variant; /* the family's table without what is fused off; NULL: nothing is */
};

/* clang-format off */
#define TF_BOARD_OPTION(struct_, board_, name_, argument_, field_, help_)                              \
    {.name = name_, .argument = argument_, .help = help_, .kind = TF_OPTION_TEXT,                      \
     .offset = offsetof(struct_, board_) + offsetof(struct tf_board_options, text.field_)}
/* The rows of a struct tf_board_options, the field `board_` of a structure. */
#define TF_OPTIONS_OF_BOARD(struct_, board_)                                                                          \
    TF_BOARD_OPTION(struct_, board_, "board", "NAME", name, "the board: p150a, n300, ...; see 'tilefarm describe'"), \
    TF_BOARD_OPTION(struct_, board_, "columns-off", "LIST", columns,                                                  \
                    "columns of Tensix tiles that are fused off, by raw x: 7,10 or none (default: the board's)"),     \
    TF_BOARD_OPTION(struct_, board_, "rows-off", "LIST", rows,                                                        \
                    "rows of Tensix tiles that are fused off, by raw y: 1,8 or none"),                                \
    TF_BOARD_OPTION(struct_, board_, "banks-off", "LIST", banks, "the DRAM bank that is fused off"),                  \
    TF_BOARD_OPTION(struct_, board_, "eth-off", "LIST", eth, "Ethernet tiles that are fused off"),                    \
    TF_BOARD_OPTION(struct_, board_, "cpus-off", "LIST", cpus, "L2CPU tiles that are fused off")
/* clang-format on */

/* The table of the chip that the options describe: *arch or one in `options`. False after an error line. */
bool tf_board_settle(struct tf_board_options *options, const struct tf_arch **arch);

/* The table of a family's chip on a board that is known to be right. False after an error line. */
bool tf_board_make(struct tf_board_options *options, const struct tf_board *board, const struct tf_arch **arch);
void tf_board_free(struct tf_board_options *options);

#endif
