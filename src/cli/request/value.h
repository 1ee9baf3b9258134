/* SPDX-License-Identifier: Apache-2.0 */
/* Values of options: their parts, and what is said of wrong ones. */
#ifndef CLI_REQUEST_VALUE_H
#define CLI_REQUEST_VALUE_H

#include <stdbool.h>

struct tf_arch;

/* Print the error line of a value that has not the form. Returns false. */
bool tf_value_bad(const char *option, const char *value, const char *form);

/* Print the error line of a text that names no tiles. */
void tf_value_no_tiles(const struct tf_arch *arch, const char *option, const char *tiles);

/* End a text at a character in it. Returns the text after the character, or NULL if `at` is NULL. */
char *tf_value_cut(char *at);

/* Returns NULL after an error line. The caller frees it. */
char *tf_value_copy(const char *text);

#endif
