/* SPDX-License-Identifier: Apache-2.0 */
#include "host/printable.h"

#include <stdint.h>
#include <string.h>

/* Marks that change the direction of text (Unicode Standard Annex 9, section 2). */
static bool turns(uint32_t code)
{
    return code == 0x61C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

/* The number of bytes of the character at the beginning of a text; 0 if it is not printable. Source: RFC 3629. */
static unsigned character(const unsigned char *text, size_t bytes)
{
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (text[0] < 0x80)
        return (text[0] >= ' ' && text[0] != 0x7F) || text[0] == '\t';
    unsigned length = text[0] >= 0xF0 ? 4 : text[0] >= 0xE0 ? 3 : 2;
    if (text[0] < 0xC0 || text[0] > 0xF4 || length > bytes)
        return 0;
    uint32_t code = text[0] & (0xFFu >> (length + 1));
    for (unsigned i = 1; i < length; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (text[i] & 0x3F);
    }
    bool valid = code >= least[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    return valid && code >= 0xA0 && !turns(code) ? length : 0;
}

bool tf_is_printable(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    for (size_t left = strlen(text), length; left != 0; at += length, left -= length) {
        length = character(at, left);
        if (length == 0)
            return false;
    }
    return true;
}

size_t tf_printable(const char *text, size_t bytes, char *to, size_t room)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *at = (const unsigned char *)text;
    size_t done = 0;
    while (bytes != 0) {
        unsigned length = character(at, bytes), taken = length == 0 ? 1 : length;
        const char escaped[] = {'\\', 'x', digits[*at >> 4], digits[*at & 15]};
        const void *from = length == 0 ? (const void *)escaped : at;
        length = length == 0 ? sizeof escaped : length;
        if (length >= room - done)
            break;
        memcpy(to + done, from, length);
        done += length;
        at += taken;
        bytes -= taken;
    }
    to[done] = '\0';
    return done;
}

size_t tf_printable_cut(const char *text, size_t most)
{
    size_t length = strnlen(text, most + 1);
    if (length <= most)
        return length;
    for (length = most; length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80; length--)
        continue;
    return length;
}
