/* SPDX-License-Identifier: Apache-2.0 */
/* The schedule of SFPLOADMACRO (BlackholeA0 TensixCoprocessor/SFPLOADMACRO.md): how it is made, and its state. */
#include "tile/tensix/vector/place.h"
#include "tile/tensix/vector/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "host/saved.h"
#include "tile/hash.h"
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/isa/family.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/isa/sfpu.h"
#include "tile/tensix/state.h"

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

static bool can_execute(unsigned unit, uint32_t word)
{
    unsigned opcode = word >> 24;
    if (tf_tensix_ops[opcode].unit != TF_UNIT_VECTOR)
        return false;
    return opcode == TF_OP_SFPNOP ? unit != TF_SUB_STORE : tf_sfpu_op(word)->unit == unit;
}

/* The registers of an instruction when SFPLOADMACRO's VD replaces one of them. */
static void override_registers(struct tf_scheduled *what, uint32_t bits, unsigned vd)
{
    const struct tf_sfpu_op *op = tf_sfpu_op(what->word);
    unsigned own_vd = tf_sfpu_vd(op->registers, what->word);
    if (what->word >> 24 == TF_OP_SFPSTORE) {
        what->vd = (uint8_t)(bits & 0x40 ? TF_LREG_MACRO : bits & 0x80 ? own_vd : vd);
        return;
    }
    if (bits & 0x80) {
        what->vb = (uint8_t)vd;
        what->vc = (uint8_t)tf_sfpu_vc(op->registers, what->word);
    } else {
        what->vc = (uint8_t)vd;
        what->vb = (uint8_t)tf_sfpu_vb(op->registers, what->word);
    }
    what->vd = (uint8_t)(bits & 0x40 ? TF_LREG_MACRO : vd);
}

/* Can the family execute a template? SFPSTORE takes only its register from the template. */
static bool is_right(const struct tf_tile_arch *arch, uint32_t word)
{
    return arch->opcode == NULL || word >> 24 == TF_OP_SFPSTORE || tf_family_word(arch, &word) == TF_WORD_RIGHT;
}

/* The instruction for a byte of a sequence. Returns false if there is none; *why is the reason if it is undefined. */
static bool find_instruction(const struct tf_tile_arch *arch, const struct tf_macro_config *config, unsigned unit,
                             uint32_t bits, uint32_t *word, const char **why)
{
    switch (bits & 7) {
    case 0: return false;
    case 1: *why = "a sequence byte that selects 1"; return false;
    case 2: *word = (uint32_t)TF_OP_SFPNOP << 24; break;
    case 3: *word = (uint32_t)TF_OP_SFPSTORE << 24; break;
    default: *word = config->template[(bits & 7) - 4]; break;
    }
    if (!is_right(arch, *word)) {
        *why = "a template with an instruction that the family lacks";
        return false;
    }
    if (can_execute(unit, *word))
        return true;
    *word = (uint32_t)TF_OP_SFPNOP << 24;
    if (unit == TF_SUB_STORE)
        *why = "a sequence that gives the store sub-unit another instruction than SFPSTORE";
    return unit != TF_SUB_STORE;
}

static void forget(struct tf_macro_schedule *schedule, unsigned unit, unsigned delay, uint32_t columns)
{
    struct tf_macro_slot *slot = tf_macro_slot(schedule, unit, delay);
    for (unsigned i = 0; i < slot->entries; i++)
        slot->entry[i].columns &= (uint8_t)~columns;
    schedule->used[unit] &= ~((uint64_t)columns << delay * 8);
    schedule->counted[unit] &= ~((uint64_t)columns << delay * 8);
}

static void add(struct tf_macro_schedule *schedule, unsigned unit, unsigned delay, const struct tf_scheduled *what,
                bool counted)
{
    struct tf_macro_slot *slot = tf_macro_slot(schedule, unit, delay);
    unsigned at = 0;
    if ((schedule->used[unit] >> delay * 8 & 0xFF) == 0)
        slot->entries = 0;
    while (at < slot->entries && slot->entry[at].columns != 0)
        at++;
    slot->entry[at] = *what;
    if (at == slot->entries)
        slot->entries++;
    schedule->used[unit] |= (uint64_t)what->columns << delay * 8;
    if (counted)
        schedule->counted[unit] |= (uint64_t)what->columns << delay * 8;
}

/* Schedules all sub-units for columns with one LoadMacroConfig. Returns the number of stores, or -1 after a fault. */
static int schedule_columns(struct tf_tile *tile, unsigned thread, struct tf_vector *vector, uint32_t word,
                            struct tf_sfpu_place place, unsigned column, uint32_t columns)
{
    const struct tf_macro_config *config = &vector->macro[column];
    unsigned index = word >> 22 & 3, vd = tf_sfpu_macro_vd(word);
    int stores = 0;
    for (unsigned unit = 0; unit < TF_MACRO_UNITS; unit++) {
        uint32_t bits = config->sequence[index] >> unit * 8 & 0xFF;
        unsigned delay = bits >> 3 & 7;
        struct tf_scheduled what = {.columns = (uint8_t)columns,
                                    .thread = (uint8_t)thread,
                                    .pc = tile->tensix->thread[thread].gate.pc};
        const char *why = NULL;
        bool some = find_instruction(tile->arch, config, unit, bits, &what.word, &why);
        if (why != NULL) {
            tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "%s: %s", tile->arch->family, why);
            return -1;
        }
        if (!some)
            continue;
        /* The page's model also discards entries of sub-units that get no instruction. That would break tt-llk's
           reciprocals. */
        forget(vector->schedule, unit, delay, columns);
        override_registers(&what, bits, vd);
        if (unit == TF_SUB_STORE) {
            what.address = (uint16_t)place.address;
            what.mod0 = (uint8_t)(config->misc >> (4 + index) & 1 ? word >> 16 & 15 : config->misc & 15);
            stores++;
        }
        add(vector->schedule, unit, delay, &what, config->misc >> (8 + unit) & 1);
    }
    return stores;
}

void tf_macro_schedule(struct tf_tile *tile, unsigned thread, struct tf_vector *vector, uint32_t word,
                       struct tf_sfpu_place place)
{
    if (vector->schedule == NULL) {
        vector->schedule = calloc(1, sizeof *vector->schedule);
        if (vector->schedule == NULL) {
            tf_tensix_fault(tile, thread, TF_FAULT_HOST, 0, "the host has no memory for the schedule of SFPLOADMACRO");
            return;
        }
    }
    if (!vector->scheduled)
        vector->schedule->cycle = tile->cycle;
    uint32_t left = 0xFF;
    int stores = -1;
    while (left != 0) {
        unsigned column = (unsigned)__builtin_ctz(left);
        uint32_t columns = vector->macros_differ ? 0 : 0xFF;
        for (unsigned other = column; other < TF_LANE_COLUMNS && vector->macros_differ; other++)
            if (memcmp(&vector->macro[other], &vector->macro[column], sizeof vector->macro[0]) == 0)
                columns |= 1u << other;
        columns &= left;
        int found = schedule_columns(tile, thread, vector, word, place, column, columns);
        if (found < 0)
            break;
        if (stores >= 0 && found != stores) {
            tf_tensix_fault(tile, thread, TF_FAULT_UNDEFINED, 0, "a store scheduled for some lanes and not for others");
            break;
        }
        stores = found;
        left &= ~columns;
    }
    vector->scheduled = !tf_macro_is_empty(vector->schedule);
}

void tf_macro_forget(struct tf_vector *vector)
{
    vector->scheduled = false;
    if (vector->schedule != NULL)
        memset(vector->schedule, 0, sizeof *vector->schedule);
}

void tf_macro_destroy(struct tf_vector *vector)
{
    free(vector->schedule);
    vector->schedule = NULL;
}
