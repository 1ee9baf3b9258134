/* SPDX-License-Identifier: Apache-2.0 */
/* The first register, lane and bit in which two states of a unit differ, in words. */
#ifndef TESTS_CONFORMANCE_TENSIX_DIFFERENCE_H
#define TESTS_CONFORMANCE_TENSIX_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define DIFFERENCE_TEXT 200u /* bytes of a text, at least */

/* An array in a state: rows of so many elements of 1, 2 or 4 bytes. */
struct difference_part {
    const char *name;
    size_t offset, bytes;
    unsigned element_bytes, lanes;
    unsigned value_bits;         /* an element is below 1 << value_bits */
    const char *const *elements; /* their names, or NULL */
};

#define DIFFERENCE_PART(type, field, element, lanes_, bits)                                               \
    {                                                                                                     \
        .name = #field, .offset = offsetof(struct type, field), .bytes = sizeof((struct type *)0)->field, \
        .element_bytes = sizeof(element), .lanes = lanes_, .value_bits = bits                             \
    }

/* A part whose elements are registers with names. */
#define DIFFERENCE_NAMED(type, field, element, bits, ...)                                                   \
    {                                                                                                       \
        .name = #field, .offset = offsetof(struct type, field), .bytes = sizeof((struct type *)0)->field,   \
        .element_bytes = sizeof(element), .lanes = 1, .value_bits = bits, .elements = (const char *const[]) \
        {                                                                                                   \
            __VA_ARGS__                                                                                     \
        }                                                                                                   \
    }

static inline size_t difference_elements(const struct difference_part *part)
{
    return part->bytes / part->element_bytes;
}

static inline uint32_t difference_element(const struct difference_part *part, const void *state, size_t index)
{
    uint32_t value = 0;
    memcpy(&value, (const uint8_t *)state + part->offset + index * part->element_bytes, part->element_bytes);
    return value;
}

/* "dst row 3, lane 4", "undefined row 5", "counter Dst_Cr". Returns text. */
static inline const char *difference_place(const struct difference_part *part, size_t index, char text[80])
{
    if (part->elements != NULL)
        snprintf(text, 80, "%s %s", part->name, part->elements[index]);
    else if (difference_elements(part) == 1)
        snprintf(text, 80, "%s", part->name);
    else if (part->lanes == 1)
        snprintf(text, 80, "%s row %zu", part->name, index);
    else
        snprintf(text, 80, "%s row %zu, lane %zu", part->name, index / part->lanes, index % part->lanes);
    return text;
}

static inline void difference_words(const struct difference_part *part, size_t index, uint32_t is, uint32_t should_be,
                                    char text[DIFFERENCE_TEXT])
{
    char place[80];
    snprintf(text, DIFFERENCE_TEXT, "%s is 0x%X, not 0x%X: bit %d first", difference_place(part, index, place), is,
             should_be, __builtin_ctz(is ^ should_be));
}

/* "nothing" when they are equal. Returns text. */
static inline const char *difference_of(const struct difference_part *parts, size_t count, const void *found,
                                        const void *expected, char text[DIFFERENCE_TEXT])
{
    snprintf(text, DIFFERENCE_TEXT, "nothing");
    for (size_t p = 0; p < count; p++)
        for (size_t i = 0; i < difference_elements(&parts[p]); i++) {
            uint32_t is = difference_element(&parts[p], found, i);
            uint32_t should_be = difference_element(&parts[p], expected, i);
            if (is == should_be)
                continue;
            difference_words(&parts[p], i, is, should_be, text);
            return text;
        }
    return text;
}

#endif
