/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an instruction changed, as the text of a recorded table. The text holds bits, six in a character. For each part
 * of the state it has the number of groups that changed. For each of these it has the gap to the one before it, and the
 * elements. A group is a row, or 16 elements of a part without lanes. Groups of small parts are there with all bits; an
 * element that did not change is one bit. Of a large part one group of a case is there with all bits. The number of the
 * case says which, so that cases have different ones. The other groups have a check of a few bits for each element,
 * which tells the lane. Groups that the text lacks are as the operands.
 */
#ifndef TESTS_CONFORMANCE_TENSIX_ROWS_H
#define TESTS_CONFORMANCE_TENSIX_ROWS_H

#include <stdlib.h>

#include "conformance/tensix/difference.h"

#define ROWS_TEXT 4000u    /* characters of a text, at most */
#define ROWS_SMALL 64u     /* elements of a small part, at most */
#define ROWS_NO_LANES 16u  /* elements of a group of a part without lanes */
#define ROWS_CHECK_BITS 2u /* of an element in a row of 16 lanes or more; three times that in a shorter one */

static const char rows_characters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

struct rows {
    char text[ROWS_TEXT + 1];
    size_t at; /* bits */
};

static inline void rows_put(struct rows *rows, uint32_t value, unsigned bits)
{
    for (unsigned i = 0; i < bits; i++, rows->at++) {
        char *character = &rows->text[rows->at / 6];
        if (rows->at / 6 >= ROWS_TEXT)
            abort();
        uint32_t before = rows->at % 6 == 0 ? 0 : (uint32_t)(strchr(rows_characters, *character) - rows_characters);
        *character = rows_characters[before | (value >> i & 1) << rows->at % 6];
    }
}

static inline uint32_t rows_get(const char *text, size_t *at, unsigned bits)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < bits && *at / 6 < strlen(text); i++, ++*at) {
        const char *digit = strchr(rows_characters, text[*at / 6]);
        value |= (uint32_t)((digit - rows_characters) >> *at % 6 & 1) << i;
    }
    return value;
}

/* A number from 1 on: as many zeros as it has bits after the first one, then its bits (Elias' gamma code). */
static inline void rows_put_number(struct rows *rows, uint32_t value)
{
    unsigned bits = 31 - (unsigned)__builtin_clz(value);
    rows_put(rows, 0, bits);
    rows_put(rows, 1, 1);
    rows_put(rows, value, bits);
}

static inline uint32_t rows_get_number(const char *text, size_t *at)
{
    unsigned bits = 0;
    while (bits < 31 && rows_get(text, at, 1) == 0)
        bits++;
    return 1u << bits | rows_get(text, at, bits);
}

static inline size_t rows_group(const struct difference_part *part)
{
    return part->lanes == 1 ? ROWS_NO_LANES : part->lanes;
}

static inline size_t rows_group_end(const struct difference_part *part, size_t group)
{
    size_t end = (group + 1) * rows_group(part), elements = difference_elements(part);
    return end < elements ? end : elements;
}

static inline unsigned rows_check_bits(const struct difference_part *part)
{
    return rows_group(part) >= 16 ? ROWS_CHECK_BITS : 3 * ROWS_CHECK_BITS;
}

static inline uint32_t rows_check(uint32_t value, unsigned bits)
{
    return value * 0x9E3779B1u >> (32 - bits);
}

/* Does group number `nth` of `changed` have its elements as they are? */
static inline bool rows_whole(const struct difference_part *part, size_t nth, size_t changed, size_t which)
{
    return difference_elements(part) <= ROWS_SMALL || part->value_bits <= rows_check_bits(part) ||
           nth == which % changed;
}

static inline bool rows_changed(const struct difference_part *part, size_t group, const void *before, const void *after)
{
    size_t first = group * rows_group(part), last = rows_group_end(part, group);
    return memcmp((const uint8_t *)before + part->offset + first * part->element_bytes,
                  (const uint8_t *)after + part->offset + first * part->element_bytes,
                  (last - first) * part->element_bytes) != 0;
}

static inline void rows_put_group(struct rows *rows, const struct difference_part *part, size_t group, bool whole,
                                  const void *before, const void *after)
{
    unsigned bits = whole ? part->value_bits : rows_check_bits(part);
    for (size_t i = group * rows_group(part); i < rows_group_end(part, group); i++) {
        uint32_t value = difference_element(part, after, i), old = difference_element(part, before, i);
        if (part->value_bits < 32 && value >> part->value_bits != 0)
            abort();
        if (whole && bits > 1)
            rows_put(rows, value != old, 1);
        if (!whole || bits == 1 || value != old)
            rows_put(rows, whole ? value : rows_check(value, bits), bits);
    }
}

/* The text of case number `which`. */
static inline void rows_make(struct rows *rows, const struct difference_part *parts, size_t count, size_t which,
                             const void *before, const void *after)
{
    memset(rows, 0, sizeof *rows);
    for (const struct difference_part *part = parts; part < parts + count; part++) {
        uint32_t changed = 0, nth = 0;
        size_t groups = (difference_elements(part) + rows_group(part) - 1) / rows_group(part), next = 0;
        for (size_t group = 0; group < groups; group++)
            changed += rows_changed(part, group, before, after);
        rows_put_number(rows, changed + 1);
        for (size_t group = 0; group < groups; group++) {
            if (!rows_changed(part, group, before, after))
                continue;
            rows_put_number(rows, (uint32_t)(group - next + 1));
            rows_put_group(rows, part, group, rows_whole(part, nth++, changed, which), before, after);
            next = group + 1;
        }
    }
}

enum rows_outcome { ROWS_EQUAL, ROWS_LANE, ROWS_BIT };

/* What the text has of an element: the element, or its check. It is `old` without a text, or if it did not change. */
static inline uint32_t rows_expected(const struct difference_part *part, bool whole, const char *text, size_t *at,
                                     uint32_t old)
{
    unsigned bits = whole ? part->value_bits : rows_check_bits(part);
    if (text == NULL || (whole && bits > 1 && rows_get(text, at, 1) == 0))
        return old;
    return rows_get(text, at, bits);
}

/* Compares a group with the text, or with the operands when `text` is NULL. */
static inline enum rows_outcome rows_compare_group(const struct difference_part *part, size_t group, bool whole,
                                                   const char *text, size_t *at, const void *before, const void *found,
                                                   char words[DIFFERENCE_TEXT])
{
    enum rows_outcome outcome = ROWS_EQUAL;
    char place[80];
    for (size_t i = group * rows_group(part); i < rows_group_end(part, group); i++) {
        uint32_t is = difference_element(part, found, i);
        uint32_t should_be = rows_expected(part, whole, text, at, difference_element(part, before, i));
        if (outcome != ROWS_EQUAL || (whole ? is : rows_check(is, rows_check_bits(part))) == should_be)
            continue;
        outcome = whole ? ROWS_BIT : ROWS_LANE;
        if (whole)
            difference_words(part, i, is, should_be, words);
        else
            snprintf(words, DIFFERENCE_TEXT, "%s is 0x%X, which is wrong; the table has a check of it, but no bits",
                     difference_place(part, i, place), is);
    }
    return outcome;
}

/* The first element that is not as the text of case number `which` says. */
static inline enum rows_outcome rows_compare(const char *text, const struct difference_part *parts, size_t count,
                                             size_t which, const void *before, const void *found,
                                             char words[DIFFERENCE_TEXT])
{
    size_t at = 0;
    for (const struct difference_part *part = parts; part < parts + count; part++) {
        size_t groups = (difference_elements(part) + rows_group(part) - 1) / rows_group(part), nth = 0;
        size_t changed = rows_get_number(text, &at) - 1, next = changed != 0 ? rows_get_number(text, &at) - 1 : groups;
        for (size_t group = 0; group < groups; group++) {
            bool recorded = group == next;
            bool whole = !recorded || rows_whole(part, nth, changed, which);
            enum rows_outcome outcome = rows_compare_group(part, group, whole, recorded ? text : NULL, &at, before,
                                                           found, words);
            if (outcome != ROWS_EQUAL)
                return outcome;
            if (recorded)
                next = ++nth < changed ? group + rows_get_number(text, &at) : groups;
        }
    }
    return ROWS_EQUAL;
}

#endif
