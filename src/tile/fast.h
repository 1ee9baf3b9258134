/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fast words: registers that the interpreter may read or write without calling their handler. The owner of the
 * registers enters their words here; the interpreter and parking know only these entries. They come in lines of 16
 * registers, at addresses that are multiples of 64. Bench rows `copy-32` and `atomic-inc-spread` pay for them.
 *
 * A tile's fast words are used by the thread that runs the tile.
 */
#ifndef TILE_FAST_H
#define TILE_FAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilefarm_address.h"

/* The window of addresses in which lines may lie. */
#define TF_FAST_BASE TF_NIU_BASE(0)
#define TF_FAST_BYTES (2 * TF_NIU_BYTES)
#define TF_FAST_REGISTERS (TF_FAST_BYTES / 4)
#define TF_FAST_LINE_WORDS 16u
#define TF_FAST_LINE_BYTES (4 * TF_FAST_LINE_WORDS)
#define TF_FAST_WINDOW_LINES (TF_FAST_BYTES / TF_FAST_LINE_BYTES)
#define TF_FAST_LINES 25u
#define TF_FAST_NARROW_MASK 0xFFFFu

struct tf_fast_line {
    uintptr_t bias;    /* added to the address of a register, it gives the host's address of the register's word */
    uint32_t *busy;    /* while it is not 0, no register of the line is storable; NULL: none ever is */
    uint32_t *narrow;  /* after stores, *narrow &= TF_FAST_NARROW_MASK; in the line or elsewhere */
    uint32_t readable; /* bits n and n + 16: a load from register n reads its word, without an effect */
    uint32_t storable; /* likewise: a store to register n writes its word while *busy is 0; others call the handler */
};

struct tf_fast {
    const uint8_t *line_of;                  /* by (address - TF_FAST_BASE) / TF_FAST_LINE_BYTES: index into line[] */
    struct tf_fast_line line[TF_FAST_LINES]; /* line 0 has no words */
};

/* The number of the register at an address; TF_FAST_REGISTERS or more outside the window, or if it is misaligned. */
static inline uint32_t tf_fast_number(uint32_t address)
{
    uint32_t offset = address - TF_FAST_BASE;
    return offset >> 2 | offset << 30;
}

/* Is the address a register in the window, aligned to 4? */
static inline bool tf_fast_reaches(uint32_t address)
{
    return tf_fast_number(address) < TF_FAST_REGISTERS;
}

/* The line of an address for which tf_fast_reaches() is true; line 0, if it has none. */
static inline const struct tf_fast_line *tf_fast_line(const struct tf_fast *fast, uint32_t address)
{
    return &fast->line[fast->line_of[tf_fast_number(address) / TF_FAST_LINE_WORDS]];
}

/* Has the register at an address of the line a word for stores? */
static inline bool tf_fast_takes(const struct tf_fast_line *line, uint32_t address)
{
    return line->storable >> tf_fast_number(address) % 32 & 1;
}

/* May a store to the register at an address of the line write its word now? */
static inline bool tf_fast_storable(const struct tf_fast_line *line, uint32_t address)
{
    return tf_fast_takes(line, address) && *line->busy == 0;
}

/* The word of a register of the line. */
static inline uint32_t *tf_fast_at(const struct tf_fast_line *line, uint32_t address)
{
    return (uint32_t *)(line->bias + address);
}

/* Find the word to read for a load from an address. False: its handler must be called. */
static inline bool tf_fast_find(const struct tf_fast *fast, uint32_t address, const uint32_t **word)
{
    uint32_t number = tf_fast_number(address);
    if (__builtin_expect(number >= TF_FAST_REGISTERS, 0))
        return false;
    const struct tf_fast_line *line = &fast->line[fast->line_of[number / TF_FAST_LINE_WORDS]];
    *word = tf_fast_at(line, address);
    return line->readable >> number % 32 & 1;
}

/* The word that tf_fast_find() finds; NULL: none. */
static inline const uint32_t *tf_fast_word(const struct tf_fast *fast, uint32_t address)
{
    const uint32_t *word;
    return tf_fast_find(fast, address, &word) ? word : NULL;
}

/* Call it after the last of consecutive stores to storable registers of a line. */
static inline void tf_fast_stored(const struct tf_fast_line *line)
{
    *line->narrow &= TF_FAST_NARROW_MASK;
}

#endif
