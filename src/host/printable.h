/* SPDX-License-Identifier: Apache-2.0 */
/* Text from files for terminals. Control characters could move the cursor, and hide what was printed. So could marks
   that change the direction of text. */
#ifndef HOST_PRINTABLE_H
#define HOST_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>

/* May a text be printed as it is? It is UTF-8 without such characters but tabulators. */
bool tf_is_printable(const char *text);

/* Each byte takes at most so many in a printable text. */
#define TF_PRINTABLE_GROWTH 4u

/* Make a text of some bytes printable: other bytes become \xNN. `to` has `room` bytes, at least 1; what does not fit is
   left out. Returns the length of the result. */
size_t tf_printable(const char *text, size_t bytes, char *to, size_t room);

/* The length of the longest beginning of a text that has at most so many bytes, and ends with a whole character. */
size_t tf_printable_cut(const char *text, size_t most);

#endif
