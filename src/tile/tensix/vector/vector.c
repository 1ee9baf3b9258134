/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/tensix/vector/vector.h"

#include <string.h>

#include "tile/tensix/data/rwc.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/format.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/data/prng.h"
#include "tile/tensix/data/report.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/isa/isa.h"
#include "host/saved.h"
#include "tile/tensix/soft_reset.h"
#include "tile/tensix/state.h"
#include "tile/tensix/vector/flags.h"
#include "tile/tensix/vector/macro.h"
#include "tile/tensix/vector/schedule.h"
#include "tile/tensix/vector/single.h"
#include "tile/tensix/vector/rows.h"

const struct tf_sfpu_kernels *tf_sfpu_kernels_of(unsigned edition, enum tf_vectors level)
{
    static const struct tf_sfpu_kernels *const kernels[TF_EDITIONS][TF_VECTOR_LEVELS] = {
        [TF_EDITION_BLACKHOLE] = TF_VECTORS_TABLE(tf_sfpu),
        [TF_EDITION_WORMHOLE] = TF_VECTORS_TABLE(tf_sfpu_wormhole),
    };
    return kernels[edition][tf_vectors_resolve(level)];
}

struct tf_vector *tf_sfpu_get(struct tf_tile *tile)
{
    struct tf_vector *vector = tile->tensix->vector;
    if (vector != NULL)
        return vector;
    tile->tensix->vector = vector = tile->tensix->vector_memory;
    vector->kernels = tf_sfpu_kernels_of(tile->arch->units.edition, tile->tensix->vectors);
    tf_vector_reset(vector);
    return vector;
}

bool tf_sfpu_choose(struct tf_tile *tile, enum tf_vectors level)
{
    const struct tf_sfpu_kernels *kernels = tf_sfpu_kernels_of(tile->arch->units.edition, level);
    struct tf_vector *vector = tf_sfpu_get(tile);
    if (kernels == NULL)
        return false;
    vector->kernels = kernels;
    return true;
}

void tf_sfpu_destroy(struct tf_tile *tile)
{
    if (tile->tensix->vector == NULL)
        return;
    tf_macro_destroy(tile->tensix->vector);
    tile->tensix->vector = NULL;
}

void tf_sfpu_reset(struct tf_tile *tile, uint32_t entering, uint32_t leaving)
{
    struct tf_vector *vector = tile->tensix->vector;
    if (vector == NULL)
        return;
    if (entering & TF_RESET_MATRIX)
        tf_macro_forget(vector);
    if (leaving & TF_RESET_MATRIX)
        tf_vector_reset(vector);
}

TF_SAVED_WHOLE(struct tf_vector, 2816);

/* A unit that no instruction has used is in the state after reset, and has no memory yet. */
void tf_sfpu_state(struct tf_saved *saved, struct tf_tile *tile)
{
    bool used = tf_saved_count(saved, tile->tensix->vector != NULL, 1);
    struct tf_vector *vector = used ? tf_sfpu_get(tile) : NULL;
    if (vector == NULL)
        return;
    TF_SAVED_SPAN(saved, vector, lreg, kernels);
    TF_SAVED(saved, vector->scheduled);
    bool fits = tf_saved_is_flag(&vector->scheduled) && tf_saved_is_flag(&vector->macros_differ);
    for (unsigned column = 0; column < TF_LANE_COLUMNS; column++)
        fits = fits && vector->lane.depth[column] <= TF_FLAG_STACK;
    tf_saved_demand(saved, fits, "it is damaged: a vector unit is invalid");
    tf_macro_state(saved, vector);
}

void tf_sfpu_hash(const struct tf_tile *tile, struct tf_hash *hash)
{
    struct tf_vector after_reset = {.kernels = NULL};
    const struct tf_vector *vector = tile->tensix->vector;
    if (vector == NULL) {
        tf_vector_reset(&after_reset);
        vector = &after_reset;
    }
    tf_hash_bytes(hash, vector->lreg, sizeof vector->lreg);
    tf_hash_bytes(hash, vector->prng, sizeof vector->prng);
    const struct tf_lane_flags *lane = &vector->lane;
    tf_hash_u32(hash, lane->flags);
    tf_hash_u32(hash, lane->use);
    tf_hash_bytes(hash, lane->depth, sizeof lane->depth);
    /* Popped entries are not part of the state. */
    for (unsigned level = 0; level < TF_FLAG_STACK; level++) {
        uint32_t live = 0;
        for (unsigned column = 0; column < TF_LANE_COLUMNS; column++)
            live |= lane->depth[column] > level ? TF_COLUMN_LANES << column : 0;
        tf_hash_u32(hash, lane->stack_flags[level] & live);
        tf_hash_u32(hash, lane->stack_use[level] & live);
    }
    tf_hash_bytes(hash, vector->lane_config, sizeof vector->lane_config);
    tf_hash_bytes(hash, vector->macro, sizeof vector->macro);
    tf_hash_bytes(hash, vector->stack_pointer, sizeof vector->stack_pointer);
    if (tile->arch->units.keeps_rotated_lanes)
        tf_hash_bytes(hash, vector->rotated, sizeof vector->rotated);
    tf_macro_hash(vector, hash);
}

/* The chain through the generators of all lanes follows ttsim; VectorUnit.md says only that they are seeded. */
uint32_t tf_sfpu_seed(struct tf_tile *tile, uint32_t seed)
{
    struct tf_vector *vector = tf_sfpu_get(tile);
    for (unsigned i = 0; i < TF_LANES; i++)
        seed = tf_prng_step(seed);
    return tf_prng_seed(vector->prng, TF_LANES, seed);
}

/* The rare cases are four: the first instruction, VD from TF_SFPU_BACKDOOR on, instructions that may be refused, a
   schedule of SFPLOADMACRO. */
static __attribute__((noinline)) void execute_general(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct tf_vector *vector = tf_sfpu_get(tile);
    if (vector->scheduled)
        tf_macro_issue(tile, thread, word);
    else
        tf_sfpu_execute(tile, thread, vector, word);
}

#define SFPU(name, unit, registers_, reads, may_read, may_write, traits)                                     \
    void tf_exec_##name(struct tf_tile *tile, unsigned thread, uint32_t word)                                \
    {                                                                                                        \
        const enum tf_sfpu_registers registers = TF_REGISTERS_##registers_;                                  \
        struct tf_vector *vector = tile->tensix->vector;                                                     \
        unsigned vd = tf_sfpu_vd(registers, word);                                                           \
        if (vector == NULL || vector->scheduled || vd >= TF_SFPU_BACKDOOR || vector->mask.dest_index != 0 || \
            (((traits)&TF_SFPU_REFUSABLE) != 0 && tf_sfpu_objection(vector, word, vd) != NULL))              \
            execute_general(tile, thread, word);                                                             \
        else                                                                                                 \
            vector->kernels->kernel[TF_KERNEL_##name](vector, word, vd, tf_sfpu_vb(registers, word),         \
                                                      tf_sfpu_vc(registers, word));                          \
    }
#define MOVE(name, unit, registers, reads, may_read, may_write, traits)
#include "tile/tensix/isa/sfpu.def"
#include "tile/tensix/isa/sfpu.h"
#undef SFPU

static void exec_move(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct tf_vector *vector = tile->tensix->vector;
    if (vector == NULL || vector->scheduled || (word >> 20 & 15) >= TF_SFPU_BACKDOOR)
        execute_general(tile, thread, word);
    else
        tf_sfpu_move_rows(tile, thread, vector, word);
}

void tf_exec_SFPLOAD(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    exec_move(tile, thread, word);
}

void tf_exec_SFPSTORE(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    exec_move(tile, thread, word);
}

void tf_exec_SFPLOADMACRO(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    execute_general(tile, thread, word);
}
