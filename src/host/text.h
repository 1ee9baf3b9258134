/* SPDX-License-Identifier: Apache-2.0 */
/* A text that is appended to a buffer: what does not fit is counted, but not written. Numbers for people. */
#ifndef HOST_TEXT_H
#define HOST_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct tf_text {
    char *at;
    size_t left, length;
};

static inline void tf_text_add(struct tf_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline void tf_text_add(struct tf_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    text->length += (size_t)length;
    size_t written = text->left == 0 ? 0 : (size_t)length < text->left ? (size_t)length : text->left - 1;
    text->at += written;
    text->left -= written;
}

#define TF_GROUPED_BYTES 28

/* Write a number with commas between thousands. Returns `text`. */
static inline char *tf_text_grouped(uint64_t value, char text[TF_GROUPED_BYTES])
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    char *out = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return text;
}

/* A rule of style: on a dark page a picture has a dark ground and light ink, and colours keep their hue. The same rule
   is in page.css, tools/draw and docs/blackhole.svg. */
#define TF_SVG_DARK "@media(prefers-color-scheme:dark){svg{filter:invert(.92) hue-rotate(180deg)}}"

#endif
