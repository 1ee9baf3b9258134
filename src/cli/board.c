/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/board.h"

#include <stdlib.h>

#include "cli/text.h"
#include "tile/family/board.h"

bool tf_board_make(struct tf_board_options *given, const struct tf_board *board, const struct tf_arch **arch)
{
    const struct tf_arch *family = *arch;
    if (tf_board_is_default(family, board))
        return true;
    if (given->variant == NULL)
        given->variant = malloc(sizeof *given->variant);
    if (given->variant == NULL) {
        tf_cli_error("too little memory");
        return false;
    }
    tf_variant_make(family, board, given->variant);
    *arch = &given->variant->arch;
    return true;
}

bool tf_board_settle(struct tf_board_options *given, const struct tf_arch **arch)
{
    const struct tf_arch *family = tf_arch_or_default(*arch);
    struct tf_board board;
    struct tf_message message;
    if (tf_board_parse(family, &given->text, &board, &message) != TF_OK) {
        tf_cli_error("%s", message.text);
        return false;
    }
    if (tf_board_is_default(family, &board))
        return true;
    *arch = family;
    return tf_board_make(given, &board, arch);
}

void tf_board_free(struct tf_board_options *given)
{
    free(given->variant);
    given->variant = NULL;
}
