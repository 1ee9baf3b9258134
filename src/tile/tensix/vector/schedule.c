/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule of SFPLOADMACRO as a part of the state. */
#include "tile/tensix/vector/schedule.h"

#include <stdlib.h>

#include "host/saved.h"
#include "tile/hash.h"
#include "tile/tensix/vector/issue.h"

static void hash_entry(const struct tf_scheduled *entry, struct tf_hash *hash)
{
    const uint32_t fields[] = {entry->word,    entry->vd,     entry->vb,   entry->vc,
                               entry->columns, entry->thread, entry->mod0, entry->address};
    tf_hash_bytes(hash, fields, sizeof fields);
}

static void hash_results(const struct tf_macro_results *results, struct tf_hash *hash)
{
    tf_hash_u32(hash, results->rows);
    for (uint32_t rows = results->rows; rows != 0; rows &= rows - 1) {
        unsigned row = (unsigned)__builtin_ctz(rows);
        tf_hash_u32(hash, results->lanes[row]);
        for (unsigned lane = 0; lane < TF_LANES; lane++)
            tf_hash_u32(hash, results->lanes[row] >> lane & 1 ? results->value[row][lane] : 0);
    }
}

static void hash_swap(const struct tf_macro_swap *swap, struct tf_hash *hash)
{
    const struct tf_scheduled *what = &swap->what;
    tf_hash_u32(hash, swap->lanes);
    tf_hash_u32(hash,
                (what->word & 15) | (uint32_t)what->vd << 16 | (uint32_t)what->vc << 21 | (uint32_t)what->vb << 26);
}

void tf_macro_hash(const struct tf_vector *vector, struct tf_hash *hash)
{
    const struct tf_macro_schedule *schedule = vector->schedule;
    tf_hash_u32(hash, vector->scheduled);
    if (!vector->scheduled)
        return;
    tf_hash_u64(hash, schedule->cycle);
    for (unsigned unit = 0; unit < TF_MACRO_UNITS; unit++) {
        tf_hash_u64(hash, schedule->used[unit]);
        tf_hash_u64(hash, schedule->counted[unit]);
        for (unsigned delay = 0; delay < TF_MACRO_DELAYS; delay++) {
            const struct tf_macro_slot *slot = tf_macro_slot(vector->schedule, unit, delay);
            bool used = (schedule->used[unit] >> delay * 8 & 0xFF) != 0;
            for (unsigned i = 0; i < slot->entries && used; i++)
                if (slot->entry[i].columns != 0)
                    hash_entry(&slot->entry[i], hash);
        }
        hash_results(&schedule->second_cycle[unit], hash);
    }
    tf_hash_u32(hash, schedule->stalling_rows);
    tf_hash_u32(hash, schedule->exclusive);
    if (schedule->swaps == 0)
        tf_hash_u32(hash, 0);
    for (unsigned i = 0; i < schedule->swaps; i++)
        hash_swap(&schedule->swap[i], hash);
}

static bool scheduled_fits(const struct tf_scheduled *what)
{
    return what->vd < TF_LREGS && what->vb < TF_LREGS && what->vc < TF_LREGS && what->thread < 3;
}

/* Are the numbers valid that index arrays? The file may be damaged. */
static bool fits(const struct tf_macro_schedule *schedule)
{
    bool fits = schedule->base < TF_MACRO_DELAYS && schedule->swaps <= TF_LANE_COLUMNS &&
                tf_saved_is_flag(&schedule->exclusive);
    for (unsigned i = 0; i < TF_MACRO_UNITS * TF_MACRO_DELAYS; i++) {
        const struct tf_macro_slot *slot = &schedule->slot[i / TF_MACRO_DELAYS][i % TF_MACRO_DELAYS];
        fits = fits && slot->entries <= TF_LANE_COLUMNS;
        for (unsigned k = 0; k < TF_LANE_COLUMNS; k++)
            fits = fits && scheduled_fits(&slot->entry[k]);
    }
    for (unsigned i = 0; i < TF_LANE_COLUMNS; i++)
        fits = fits && scheduled_fits(&schedule->swap[i].what);
    return fits;
}

void tf_macro_state(struct tf_saved *saved, struct tf_vector *vector)
{
    bool used = tf_saved_count(saved, vector->schedule != NULL, 1);
    if (used && vector->schedule == NULL)
        vector->schedule = calloc(1, sizeof *vector->schedule);
    if (used && vector->schedule == NULL)
        tf_saved_fail(saved, tf_saved_no_memory);
    else if (used)
        tf_saved_memory(saved, vector->schedule, sizeof *vector->schedule);
    if (used && vector->schedule != NULL)
        tf_saved_demand(saved, fits(vector->schedule), "it is damaged: a schedule of SFPLOADMACRO is invalid");
}
