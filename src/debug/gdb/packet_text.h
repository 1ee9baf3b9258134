/* SPDX-License-Identifier: Apache-2.0 */
/* The text of GDB packets: bytes and numbers in hexadecimal. */
#ifndef DEBUG_GDB_PACKET_TEXT_H
#define DEBUG_GDB_PACKET_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const char tf_digits[] = "0123456789abcdef";

static inline size_t to_hex(char *to, const uint8_t *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        to[2 * i] = tf_digits[data[i] >> 4];
        to[2 * i + 1] = tf_digits[data[i] & 15];
    }
    to[2 * bytes] = '\0';
    return 2 * bytes;
}

static inline int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Returns how many bytes of hexadecimal text were read. */
static inline size_t from_hex(uint8_t *to, const char *text, size_t most)
{
    size_t count = 0;
    while (count < most && digit(text[0]) >= 0 && digit(text[1]) >= 0) {
        to[count++] = (uint8_t)(digit(text[0]) << 4 | digit(text[1]));
        text += 2;
    }
    return count;
}

/* Are there digits alone? */
static inline bool is_hex(const char *text)
{
    while (digit(*text) >= 0)
        text++;
    return *text == '\0';
}

/* Read a number in hexadecimal. *text moves past it. A number that does not fit is UINT64_MAX. */
static inline uint64_t number(const char **text)
{
    uint64_t value = 0;
    for (; digit(**text) >= 0; ++*text)
        value = value > UINT64_MAX >> 4 ? UINT64_MAX : value << 4 | (unsigned)digit(**text);
    return value;
}

/* Read a number of 32 bits. Returns false if it is larger, or none is there. */
static inline bool number32(const char **text, uint32_t *value)
{
    const char *first = *text;
    uint64_t read = number(text);
    *value = (uint32_t)read;
    return *text != first && read <= UINT32_MAX;
}

/* Does the text begin with a word? If so, *text moves past the word. */
static inline bool begins(const char **text, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0)
        return false;
    *text += length;
    return true;
}

/* Is nothing left of a packet? A handler must not act on one that it has read in part. */
static inline bool ends(const char *text)
{
    return *text == '\0';
}

#endif
