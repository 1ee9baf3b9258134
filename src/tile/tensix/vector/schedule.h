/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule of SFPLOADMACRO: see macro.c. */
#ifndef TILE_TENSIX_VECTOR_SCHEDULE_H
#define TILE_TENSIX_VECTOR_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/data/lreg.h"
#include "tile/tensix/isa/sfpu.h"
#include "tile/tensix/vector/place.h"

struct tf_hash;
struct tf_saved;
struct tf_tile;
struct tf_vector;

#define TF_MACRO_UNITS 4u
#define TF_MACRO_DELAYS 8u

/* An instruction of a sub-unit, in some of the columns. */
struct tf_scheduled {
    uint32_t word;
    uint32_t pc; /* of the SFPLOADMACRO, or of the instruction itself if a thread issues it: for reports */
    uint8_t vd, vb, vc;
    uint8_t columns; /* none: no instruction */
    uint8_t thread;
    uint8_t mod0; /* format of SFPSTORE; the address is SFPLOADMACRO's */
    uint16_t address;
};

/* Columns may differ in their LoadMacroConfig; those that do not share an entry. Entries without columns are free. */
struct tf_macro_slot {
    struct tf_scheduled entry[TF_LANE_COLUMNS];
    unsigned entries;
};

/* Results that are not in the registers yet. */
struct tf_macro_results {
    uint32_t rows; /* mask of registers */
    uint32_t lanes[TF_LREGS];
    uint32_t value[TF_LREGS][TF_LANES];
};

/* An SFPSWAP in its second cycle. */
struct tf_macro_swap {
    struct tf_scheduled what;
    uint32_t lanes; /* to swap */
};

struct tf_macro_schedule {
    uint64_t cycle;                   /* the last cycle that has run */
    uint64_t used[TF_MACRO_UNITS];    /* byte d: columns with an instruction whose remaining delay is d */
    uint64_t counted[TF_MACRO_UNITS]; /* such a byte for instructions with WaitForElapsedInstructions */
    unsigned base; /* of the ring: the instruction of delay d is slot[(base + d) % TF_MACRO_DELAYS] */
    struct tf_macro_slot slot[TF_MACRO_UNITS][TF_MACRO_DELAYS];
    struct tf_macro_results second_cycle[TF_MACRO_UNITS]; /* enter the registers after the next cycle */
    struct tf_macro_swap swap[TF_LANE_COLUMNS];           /* of columns that do not share one */
    unsigned swaps;
    uint32_t stalling_rows; /* registers that an instruction issued in the last cycle will write */
    bool exclusive;         /* only SFPNOP may follow the last cycle's instruction */
    struct tf_macro_results
        present[TF_MACRO_UNITS + 1]; /* of the present cycle, the last entry for a load: not state */
};

/* The instructions of a delay. */
static inline struct tf_macro_slot *tf_macro_slot(struct tf_macro_schedule *schedule, unsigned unit, unsigned delay)
{
    return &schedule->slot[unit][(schedule->base + delay) % TF_MACRO_DELAYS];
}

/* Columns in which a sub-unit has a scheduled instruction in the next cycle. */
static inline uint32_t tf_macro_due(const struct tf_macro_schedule *schedule, unsigned unit)
{
    return schedule->used[unit] & 0xFF;
}

static inline bool tf_macro_is_empty(const struct tf_macro_schedule *schedule)
{
    uint64_t used = schedule->swaps;
    for (unsigned unit = 0; unit < TF_MACRO_UNITS; unit++)
        used |= schedule->used[unit] | schedule->second_cycle[unit].rows;
    return used == 0;
}

/* The second part of SFPLOADMACRO: schedule for the acting columns. */
void tf_macro_schedule(struct tf_tile *tile, unsigned thread, struct tf_vector *vector, uint32_t word,
                       struct tf_sfpu_place place);

/* Discards everything that is scheduled. */
void tf_macro_forget(struct tf_vector *vector);

void tf_macro_destroy(struct tf_vector *vector);
void tf_macro_hash(const struct tf_vector *vector, struct tf_hash *hash);

/* The saved state (host/saved.h). */
void tf_macro_state(struct tf_saved *saved, struct tf_vector *vector);

#endif
