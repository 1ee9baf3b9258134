/* SPDX-License-Identifier: Apache-2.0 */
/* A case while it is made. Instructions under test are noted. Those after the number that the case asks for are left
   out. */
#ifndef TESTS_RECORD_MAKING_H
#define TESTS_RECORD_MAKING_H

#include "random.h"
#include "record/units.h"

#define MAKING_WORDS 96u

struct making {
    uint64_t random;
    struct peer_code *code;
    uint32_t word[MAKING_WORDS];
    unsigned words, words_max;
    uint32_t dst[RIG_WORDS], a[RIG_WORDS], b[RIG_WORDS];
};

/* Push an instruction under test. */
void test_word(struct making *m, uint32_t word);

uint32_t pick(struct making *m, const uint8_t *from, unsigned count);
#define PICK(m, ...) pick(m, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static inline uint32_t below(struct making *m, unsigned limit)
{
    return test_random_below(&m->random, limit);
}

/* A number that is like others: special values, close exponents, small integers, anything. */
uint32_t number(struct making *m);
/* Ordinary numbers, whose sums and products count. */
uint32_t near_one(struct making *m);
void fill_data(struct making *m, uint32_t (*data)(struct making *m));

/* programs.c, programs_memory.c: cases of many instructions. */
void make_vectors(struct making *m);
void make_matrices(struct making *m);
void make_unpacks(struct making *m);
void make_packs(struct making *m);
void make_configs(struct making *m);

#endif
