/* SPDX-License-Identifier: Apache-2.0 */
/* Values of options: their parts, and what is said of wrong ones. */
#ifndef CLI_REQUEST_VALUE_H
#define CLI_REQUEST_VALUE_H

#include <stdbool.h>

#include "cli/cli.h"
#include "tile/arch.h"

/* Print the error line of a value that has not the form. Returns false. */
bool tf_value_bad(const char *option, const char *value, const char *form);

/* Print the error line of a text that names no tiles. */
void tf_value_no_tiles(const struct tf_arch *arch, const char *option, const char *tiles);

/* Read TILES, ports of Ethernet tiles, or DRAM tiles. whose: in the error line, such as "chip 1 of n300"; "": the
   family's. Returns false after an error line. */
bool tf_value_tiles(struct tf_tile_set *tiles, const struct tf_arch *arch, const char *whose, enum tf_tile_kind kind,
                    const char *option, const char *text);

/* End a text at a character in it. Returns the text after the character, or NULL if `at` is NULL. */
char *tf_value_cut(char *at);

/* Returns NULL after an error line. The caller frees it. */
char *tf_value_copy(const char *text);

#endif
