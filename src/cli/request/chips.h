/* SPDX-License-Identifier: Apache-2.0 */
/* Options of `tilefarm run` that say which chips there are, and where they are saved. */
#ifndef CLI_REQUEST_CHIPS_H
#define CLI_REQUEST_CHIPS_H

#include <stdbool.h>

/* Each takes a request, the option and its value, as options.h says. Returns false after an error line. */
bool tf_take_arch(void *into, const char *option, const char *value);
bool tf_take_board(void *into, const char *option, const char *value);
bool tf_take_columns_off(void *into, const char *option, const char *value);
bool tf_take_rows_off(void *into, const char *option, const char *value);
bool tf_take_banks_off(void *into, const char *option, const char *value);
bool tf_take_system(void *into, const char *option, const char *value);
bool tf_take_restore(void *into, const char *option, const char *value);
bool tf_take_save(void *into, const char *option, const char *value);
bool tf_take_save_every(void *into, const char *option, const char *value);

#endif
