/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of suppressions. The first four lines of an input are the names of a race: place and caller of either side. The
 * rest is the file. Patterns of one star without sets fit as the host's fnmatch() says.
 */
#include <fnmatch.h>
#include <stdbool.h>
#include <string.h>

#include "debug/suppress.h"
#include "driver.h"

const char *const fuzz_words[] = {"*",
                                  "?",
                                  "[a-z]",
                                  "[!_]",
                                  "[]",
                                  "[^]x]",
                                  "\\*",
                                  "# ",
                                  "\n",
                                  "\r\n",
                                  "\t",
                                  "-",
                                  "main",
                                  "+4",
                                  "send+0x10 (send.c:9)",
                                  "a*a*a*a*a*a*a*b",
                                  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                                  NULL};

static const char *const seeds[] = {
    "main+4 (sum.c:12)\n_start+8\nsend+0x10 (send.c:9)\nmain+20\n# accepted\nmain send\n"
    "se*d _start\nre[a-z]d?\n- main\n",
    "\n\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa+4\n\na*a*a*a*a*a*a*a*b\n[!x]*\n\\**\n[]-]\n*\n",
};

size_t fuzz_seed(unsigned number, uint8_t *data, size_t room)
{
    size_t bytes = number < sizeof seeds / sizeof seeds[0] ? strlen(seeds[number]) : 0;
    if (bytes != 0 && bytes <= room)
        memcpy(data, seeds[number], bytes);
    return bytes <= room ? bytes : 0;
}

/* Take a line as text. Returns what is left. */
static size_t take_line(const uint8_t **data, size_t bytes, char *text, size_t room)
{
    const uint8_t *end = memchr(*data, '\n', bytes);
    size_t length = end == NULL ? bytes : (size_t)(end - *data), copied = length < room ? length : room - 1;
    memcpy(text, *data, copied);
    text[copied] = '\0';
    for (char *at = text; at < text + copied; at++)
        *at = *at == '\0' ? ' ' : *at;
    *data += end == NULL ? bytes : length + 1;
    return end == NULL ? 0 : bytes - length - 1;
}

/* Compare with the host's function, for patterns that mean the same to both. */
static void compare(const char *pattern, const char *name)
{
    unsigned stars = 0;
    for (const char *at = pattern; *at != '\0'; at++) {
        stars += *at == '*';
        if (strchr("[\\", *at) != NULL || (*at & 0x80) != 0)
            return;
    }
    for (const char *at = name; *at != '\0'; at++)
        if ((*at & 0x80) != 0)
            return;
    if (stars <= 2)
        DEMAND(tf_pattern_fits(pattern, name) == (fnmatch(pattern, name, 0) == 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct tf_raced names = {0};
    struct tf_message message = {.text = ""};
    memset(&message, 'x', sizeof message);
    fuzz_silence();
    for (unsigned i = 0; i < 2; i++) {
        bytes = take_line(&data, bytes, names.side[i].place, sizeof names.side[i].place);
        bytes = take_line(&data, bytes, names.side[i].caller, sizeof names.side[i].caller);
    }
    struct tf_suppressions *suppressions = tf_suppressions_read((const char *)data, bytes, &message);
    if (suppressions == NULL) {
        DEMAND(memchr(message.text, '\0', sizeof message.text) != NULL && message.text[0] != '\0');
        return 0;
    }
    tf_suppressions_match(suppressions, names.side);
    tf_suppressions_free(suppressions);
    char pattern[64];
    take_line(&data, bytes, pattern, sizeof pattern);
    compare(pattern, names.side[0].place);
    return 0;
}
