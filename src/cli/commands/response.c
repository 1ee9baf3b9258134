/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/response.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/text.h"
#include "cli/file.h"

#define DEPTH_MAX 16u /* of files that name files */

/* Add a word, which it owns then. Returns false if the host has no memory. */
static bool push(struct tf_words *words, char *word)
{
    if (words->count + 1 >= words->room) {
        const int room = words->room == 0 ? 64 : 2 * words->room;
        char **more = reallocarray(words->word, (size_t)room, sizeof *more);
        if (more == NULL || word == NULL) {
            words->word = more != NULL ? more : words->word;
            free(word);
            return false;
        }
        words->word = more;
        words->room = room;
    }
    words->word[words->count] = word;
    words->count += word != NULL;
    words->word[words->count] = NULL;
    return word != NULL;
}

/* The next word of a text. White space ends it, but not within quotes or after a backslash. NULL: none is left, or the
   host has no memory, and then *text stays. */
static char *next_word(const char **text, const char *end)
{
    const char *from = *text;
    while (from < end && isspace((unsigned char)*from))
        from++;
    if (from == end) {
        *text = end;
        return NULL;
    }
    char *word = malloc((size_t)(end - from) + 1), *to = word, quote = '\0';
    if (word == NULL)
        return NULL;
    for (; from < end && (quote != '\0' || !isspace((unsigned char)*from)); from++) {
        if (*from == '\\' && from + 1 < end)
            *to++ = *++from;
        else if (quote != '\0' && *from == quote)
            quote = '\0';
        else if (quote == '\0' && (*from == '\'' || *from == '"'))
            quote = *from;
        else
            *to++ = *from;
    }
    *to = '\0';
    *text = from;
    return word;
}

static bool add(struct tf_words *words, const char *word, unsigned depth);

static bool add_file(struct tf_words *words, const char *path, unsigned depth)
{
    size_t bytes = 0;
    char *text = tf_cli_read_file(path, &bytes);
    if (text == NULL)
        return false;
    const char *at = text, *end = text + bytes;
    bool right = true;
    while (right && at < end) {
        char *word = next_word(&at, end);
        right = word != NULL ? add(words, word, depth + 1) : at == end;
        free(word);
    }
    free(text);
    return right;
}

static bool add(struct tf_words *words, const char *word, unsigned depth)
{
    if (word[0] != '@' || access(word + 1, R_OK) != 0)
        return push(words, strdup(word));
    if (depth < DEPTH_MAX)
        return add_file(words, word + 1, depth);
    tf_cli_error("%s: more than %u files name each other", word, DEPTH_MAX);
    return false;
}

bool tf_words_expand(struct tf_words *words, int argc, char **argv)
{
    *words = (struct tf_words){.word = NULL};
    for (int i = 0; i < argc; i++)
        if (!add(words, argv[i], 0))
            return false;
    return true;
}

void tf_words_free(struct tf_words *words)
{
    for (int i = 0; i < words->count; i++)
        free(words->word[i]);
    free(words->word);
}
