/* SPDX-License-Identifier: Apache-2.0 */
/* Options of `tilefarm run` about what memory holds: programs, their arguments, and ranges. */
#ifndef CLI_REQUEST_MEMORY_H
#define CLI_REQUEST_MEMORY_H

#include <stdbool.h>

/* Each takes a request, the option and its value, as options.h says. Returns false after an error line. */
bool tf_take_load(void *into, const char *option, const char *value);
bool tf_take_flat(void *into, const char *option, const char *value);
bool tf_take_arguments(void *into, const char *option, const char *value);
bool tf_take_until(void *into, const char *option, const char *value);
bool tf_take_dump(void *into, const char *option, const char *value);
bool tf_take_write(void *into, const char *option, const char *value);
bool tf_take_symbols(void *into, const char *option, const char *value);

#endif
