/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded states of a unit, with every set of vectors that the host has. */
#ifndef TESTS_CONFORMANCE_TENSIX_LEVELS_H
#define TESTS_CONFORMANCE_TENSIX_LEVELS_H

#include "conformance/tensix/recorded.h"
#include "unit/tensix/bare.h"

/* A unit, whose states are of a type of its own. */
struct level_unit {
    void (*make)(void *state, const struct vector *vector); /* the operands */
    void (*execute)(struct bare *bare, enum tf_vectors choice, const struct vector *vector, void *state);
    uint64_t (*hash)(const void *state);
    bool (*exists)(enum tf_vectors choice);
};

/* Other kernels are compared with the portable ones where these are right. The last three have room for a state. */
static inline void check_levels(struct bare *bare, const struct level_unit *unit, struct recorded *table, void *before,
                                void *portable, void *found)
{
    char how[40];
    for (size_t i = 0; i < table->count; i++) {
        const struct vector *vector = &table->vectors[i];
        unit->execute(bare, TF_VECTORS_PORTABLE, vector, portable);
        unit->make(before, vector);
        bool is_right = as_recorded(table, i, unit->hash(portable), before, portable);
        if (!is_right)
            recorded_differs(table, i, before, portable, NULL, ", portable kernels");
        for (enum tf_vectors choice = 0; choice < TF_VECTOR_LEVELS; choice++) {
            if (choice == TF_VECTORS_PORTABLE || !unit->exists(choice))
                continue;
            unit->execute(bare, choice, vector, found);
            snprintf(how, sizeof how, ", vectors %d", choice);
            if (!as_recorded(table, i, unit->hash(found), before, found))
                recorded_differs(table, i, before, found, is_right ? portable : NULL, how);
        }
    }
    recorded_end(table);
}

#endif
