/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Backend configuration of families with another layout than Blackhole's. Units read Blackhole's words. Software reads
 * and writes the family's own words, which are kept beside them. A write also sets the fields that units read. A family
 * without a table of this kind has Blackhole's words.
 */
#ifndef TILE_TENSIX_CONFIG_FAMILY_H
#define TILE_TENSIX_CONFIG_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

#define TF_OWN_CFG_WORDS_MAX 224u
#define TF_OWN_THREAD_WORDS_MAX 68u
#define TF_LOWER_MODIFIER_WORDS 12u

/* A field of the family, and the one of Blackhole that it sets. */
struct tf_cfg_place {
    uint8_t word, first, width;
    uint32_t common; /* enum tf_cfg_field */
};

/* A field of Blackhole that a family lacks, and the value by which its units behave. */
struct tf_cfg_fixed {
    uint32_t common; /* enum tf_cfg_field; 0: the end of a list */
    uint32_t value;
};

struct tf_config_arch {
    uint16_t words;         /* of a bank of Config */
    uint16_t thcon, global; /* first words of the THCON section, and of those that both banks share */
    uint16_t state_reset;   /* the word STATE_RESET_EN */
    /* Reset addresses: those of T0 to T2, then the bits that turn them on; that of NC, then its bit. 0 means that the
       word is not in Config. */
    uint16_t trisc_reset_pc, ncrisc_reset_pc;
    uint16_t thread_words;  /* of a thread's bank of ThreadConfig */
    uint16_t thread_stride; /* words of the window for each of them */
    /* In the order of words. NULL: the words are Blackhole's, and no others are kept. */
    const struct tf_cfg_place *place, *thread_place;
    uint16_t places, thread_places;
    const uint16_t *ends, *thread_ends; /* by word: the number of the place after its last one; 0: it has none */
    const uint32_t *unused;             /* by word of the family's own: bits without a field, which read as zero */
    const struct tf_cfg_fixed *fixed, *thread_fixed; /* NULL: none */
    uint8_t context_reset;                           /* word of a thread that resets its unpackers' context counters */
    uint8_t modifier_set; /* word of a thread whose bit 0 chooses the upper four address modifiers; 0: there is none */
    const uint8_t *lower_modifiers; /* TF_LOWER_MODIFIER_WORDS words of the lower four */
};

/* Words of the lower four address modifiers, and what units read of them. Zeros give zeros. */
struct tf_lower_modifiers {
    uint16_t own[TF_LOWER_MODIFIER_WORDS], common[TF_LOWER_MODIFIER_WORDS];
};

/* The words of a family as software sees them. */
struct tf_own_config {
    uint32_t bank[2][TF_OWN_CFG_WORDS_MAX];
    uint16_t thread[3][TF_OWN_THREAD_WORDS_MAX];
    struct tf_lower_modifiers lower[3]; /* of each thread when they were chosen last; not part of the state */
};

struct tf_tile;

/* The table of a tile's family; never NULL. */
const struct tf_config_arch *tf_config_arch(const struct tf_tile *tile);

/* Sets the fixed fields, in a new tile and after configuration has been zeroed. */
void tf_config_fix(struct tf_tile *tile);

/* A word of a thread's own configuration has been written: set the fields that units read. */
void tf_config_spread_thread(struct tf_tile *tile, unsigned thread, unsigned index, uint16_t value);

/* The first place of a word, with places of Config or of ThreadConfig. Places of one word follow each other. */
static inline const struct tf_cfg_place *tf_cfg_places_of(const struct tf_cfg_place *place, const uint16_t *ends,
                                                          unsigned word)
{
    const struct tf_cfg_place *at = place + ends[word];
    while (at > place && at[-1].word == word)
        at--;
    return at;
}

/* The bits of one of Blackhole's words that a word of a family's own sets. */
struct tf_cfg_bits {
    uint32_t word, mask, value;
};

/*
 * Gather the bits that `own`, the word of a family's own at `place`, sets in the word of the first place. They are the
 * fields of all adjacent places with that word. Returns the place after them. Rows `unpack-add-pack` and `matmul-*` of
 * Wormhole pay for one write instead of one for each field.
 */
static inline const struct tf_cfg_place *tf_cfg_gather(const struct tf_cfg_place *place, const struct tf_cfg_place *end,
                                                       uint32_t own, struct tf_cfg_bits *bits)
{
    const struct tf_cfg_place *first = place;
    *bits = (struct tf_cfg_bits){.word = first->common >> 16};
    for (; place < end && place->word == first->word && place->common >> 16 == bits->word; place++) {
        uint32_t width = place->common & 0xFF, to = place->common >> 8 & 0xFF;
        uint32_t ones = UINT32_MAX >> (32 - (place->width < width ? place->width : width));
        bits->mask |= ones << to;
        bits->value |= (own >> place->first & ones) << to;
    }
    return place;
}

#endif
