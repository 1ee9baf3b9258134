/* SPDX-License-Identifier: Apache-2.0 */
/* The first register, lane and bit in which two states of a unit differ, in words. */
#ifndef TESTS_CONFORMANCE_TENSIX_DIFFERENCE_H
#define TESTS_CONFORMANCE_TENSIX_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* An array in a state: rows of so many elements of 1, 2 or 4 bytes. */
struct difference_part {
    const char *name;
    size_t offset, bytes;
    unsigned element_bytes, lanes;
};

#define DIFFERENCE_PART(type, field, element, lanes_)                                                     \
    {                                                                                                     \
        .name = #field, .offset = offsetof(struct type, field), .bytes = sizeof((struct type *)0)->field, \
        .element_bytes = sizeof(element), .lanes = lanes_                                                 \
    }

/* A text of its own for each call's `text`; "nothing" when they are equal. */
static inline const char *difference_of(const struct difference_part *parts, size_t count, const void *found,
                                        const void *expected, char text[160])
{
    for (size_t p = 0; p < count; p++) {
        const struct difference_part *part = &parts[p];
        for (size_t at = 0; at < part->bytes; at += part->element_bytes) {
            uint32_t is = 0, should_be = 0;
            memcpy(&is, (const uint8_t *)found + part->offset + at, part->element_bytes);
            memcpy(&should_be, (const uint8_t *)expected + part->offset + at, part->element_bytes);
            if (is == should_be)
                continue;
            size_t index = at / part->element_bytes;
            snprintf(text, 160, "%s row %zu, lane %zu is 0x%X, not 0x%X: bit %d first", part->name, index / part->lanes,
                     index % part->lanes, is, should_be, __builtin_ctz(is ^ should_be));
            return text;
        }
    }
    snprintf(text, 160, "nothing");
    return text;
}

#endif
