/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fast words: registers that the interpreter may read or write without calling their handler. The owner of the
 * registers enters their words here; the interpreter and parking know only these entries. Bench rows `copy-32` and
 * `atomic-inc-spread` pay for them.
 *
 * A tile's fast words are used by the thread that runs the tile.
 */
#ifndef TILE_FAST_H
#define TILE_FAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilefarm_address.h"

/* The window of addresses in which the registers may lie. */
#define TF_FAST_BASE TF_NIU_BASE(0)
#define TF_FAST_BYTES (2 * TF_NIU_BYTES)
#define TF_FAST_REGISTERS (TF_FAST_BYTES / 4)
#define TF_FAST_NARROW_MASK 0xFFFFu

/* Storable registers come in lines of 16, at addresses that are multiples of 64; their words are adjacent. */
#define TF_FAST_LINE_WORDS 16u
#define TF_FAST_LINE_BYTES (4 * TF_FAST_LINE_WORDS)

/* Where the words of all tiles of a kind lie: places count in words from tf_fast.words; 0: there is no such word. By
   tf_fast_number(). */
struct tf_fast_map {
    uint16_t load[TF_FAST_REGISTERS];  /* a load from the register reads this word, without an effect */
    uint16_t store[TF_FAST_REGISTERS]; /* a store writes this word while the busy word is 0; others call the handler */
    /* From the first word of a storable register's line: */
    uint8_t busy;   /* while this word is not 0, no register of the line is storable */
    uint8_t narrow; /* this word has 16 bits: tf_fast_stored() */
};

struct tf_fast {
    const struct tf_fast_map *map;
    uint32_t *words;
};

/* A map without words. */
extern const struct tf_fast_map tf_fast_none;

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

/* The word that stores to a register of the window write, if it is not busy; NULL: the handler must be called. */
static inline uint32_t *tf_fast_takes(const struct tf_fast *fast, uint32_t address)
{
    unsigned place = fast->map->store[tf_fast_number(address)];
    return place != 0 ? fast->words + place : NULL;
}

/* The first word of the line of a storable register, whose word is given. */
static inline uint32_t *tf_fast_line(uint32_t *word, uint32_t address)
{
    return word - tf_fast_number(address) % TF_FAST_LINE_WORDS;
}

/* tf_fast_takes(), or NULL while the register is busy. */
static inline uint32_t *tf_fast_storable(const struct tf_fast *fast, uint32_t address)
{
    uint32_t *word = tf_fast_takes(fast, address);
    return word != NULL && tf_fast_line(word, address)[fast->map->busy] == 0 ? word : NULL;
}

/* Call this after the last of several consecutive stores to registers of a line. word: the word of any storable
   register there. */
static inline void tf_fast_stored(const struct tf_fast *fast, uint32_t *word, uint32_t address)
{
    tf_fast_line(word, address)[fast->map->narrow] &= TF_FAST_NARROW_MASK;
}

/* Find the word to read for a load from an address. Returns false if its handler must be called. */
static inline bool tf_fast_find(const struct tf_fast *fast, uint32_t address, const uint32_t **word)
{
    uint32_t number = tf_fast_number(address);
    if (__builtin_expect(number >= TF_FAST_REGISTERS, 0))
        return false;
    unsigned place = fast->map->load[number];
    *word = fast->words + place;
    return place != 0;
}

/* The word that tf_fast_find() finds; NULL if there is none. */
static inline const uint32_t *tf_fast_word(const struct tf_fast *fast, uint32_t address)
{
    const uint32_t *word;
    return tf_fast_find(fast, address, &word) ? word : NULL;
}

#endif
