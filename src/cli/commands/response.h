/* SPDX-License-Identifier: Apache-2.0 */
/* Words of a command line that lie in a file: @FILE, as GCC reads them (its manual, "Overall Options"). */
#ifndef CLI_COMMANDS_RESPONSE_H
#define CLI_COMMANDS_RESPONSE_H

#include <stdbool.h>

struct tf_words {
    char **word; /* count + 1 of them; the last is NULL */
    int count, room;
};

/* Copy words, with those of each @FILE in its place. A file that cannot be read stays a word, as with GCC. Returns
   false after an error line. In either case call tf_words_free(). */
bool tf_words_expand(struct tf_words *words, int argc, char **argv);
void tf_words_free(struct tf_words *words);

#endif
