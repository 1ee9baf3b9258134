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

/* Help of the options that say which chip it is. */
#define TF_BOARD_HELP \
    "the board, such as p150a or n300; 'tilefarm describe' lists them (default: p150; Wormhole: n150-full)"
#define TF_BOARD_COLUMNS_HELP "Blackhole: columns of Tensix tiles that are fused off, by raw x: 7,10 or none"
#define TF_BOARD_ROWS_HELP "Wormhole: rows of Tensix tiles that are fused off, by raw y: 1,8 or none"
#define TF_BOARD_BANKS_HELP "the DRAM bank that is fused off, or none"

/* clang-format off */
#define TF_BOARD_OPTION(struct_, board_, name_, argument_, field_, help_)                              \
    {.name = name_, .argument = argument_, .help = help_, .kind = TF_OPTION_TEXT,                      \
     .offset = offsetof(struct_, board_) + offsetof(struct tf_board_options, text.field_)}
/* The rows of a struct tf_board_options, the field `board_` of a structure. */
#define TF_OPTIONS_OF_BOARD(struct_, board_)                                                           \
    TF_BOARD_OPTION(struct_, board_, "board", "NAME", name, TF_BOARD_HELP),                            \
    TF_BOARD_OPTION(struct_, board_, "columns-off", "LIST", columns, TF_BOARD_COLUMNS_HELP),           \
    TF_BOARD_OPTION(struct_, board_, "rows-off", "LIST", rows, TF_BOARD_ROWS_HELP),                    \
    TF_BOARD_OPTION(struct_, board_, "banks-off", "LIST", banks, TF_BOARD_BANKS_HELP),                 \
    TF_BOARD_OPTION(struct_, board_, "eth-off", "LIST", eth, "Ethernet tiles that are fused off, or none"), \
    TF_BOARD_OPTION(struct_, board_, "cpus-off", "LIST", cpus, "L2CPU tiles that are fused off, or none")
/* clang-format on */

/* The table of the chip that the options describe: *arch or one in `options`. Returns false after an error line. */
bool tf_board_settle(struct tf_board_options *options, const struct tf_arch **arch);

/* The table of a family's chip on a board that is known to be right. Returns false after an error line. */
bool tf_board_make(struct tf_board_options *options, const struct tf_board *board, const struct tf_arch **arch);
void tf_board_free(struct tf_board_options *options);

#endif
