/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded hashes of a unit's state, with every set of vectors that the host has. */
#ifndef TESTS_CONFORMANCE_TENSIX_LEVELS_H
#define TESTS_CONFORMANCE_TENSIX_LEVELS_H

#include "conformance/tensix/difference.h"
#include "conformance/tensix/recorded.h"
#include "tile/tensix/frontend/isa.h"
#include "unit/tensix/bare.h"

/* A unit, whose states are of a type of its own. */
struct level_unit {
    const struct difference_part *parts;
    size_t part_count;
    void (*make)(void *state, const struct vector *vector); /* the operands */
    void (*execute)(struct bare *bare, enum tf_vectors choice, const struct vector *vector, void *state);
    uint64_t (*hash)(const void *state);
    bool (*exists)(enum tf_vectors choice);
};

/* Portable kernels come first: others are compared with them, and they with the operands. Rooms for three states. */
static inline void check_levels(struct bare *bare, const struct level_unit *unit, struct recorded *table, void *before,
                                void *portable, void *found)
{
    char text[160];
    for (size_t i = 0; i < table->count; i++) {
        const struct vector *vector = &table->vectors[i];
        const char *mnemonic = tf_tensix_ops[vector->word >> 24].mnemonic;
        unit->execute(bare, TF_VECTORS_PORTABLE, vector, portable);
        unit->make(before, vector);
        if (!as_recorded(table, i, unit->hash(portable)))
            fail_msg("case %zu, seed %u, %s 0x%08x: not as recorded; it made of the operands: %s", i, vector->seed,
                     mnemonic, vector->word, difference_of(unit->parts, unit->part_count, portable, before, text));
        for (enum tf_vectors choice = 0; choice < TF_VECTOR_LEVELS; choice++) {
            if (choice == TF_VECTORS_PORTABLE || !unit->exists(choice))
                continue;
            unit->execute(bare, choice, vector, found);
            if (!as_recorded(table, i, unit->hash(found)))
                fail_msg("case %zu, seed %u, %s 0x%08x, choice %d: %s", i, vector->seed, mnemonic, vector->word, choice,
                         difference_of(unit->parts, unit->part_count, found, portable, text));
        }
    }
}

#endif
