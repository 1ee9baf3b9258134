/* SPDX-License-Identifier: Apache-2.0 */
/* Gathers what cores have counted in one tree over all tiles of all chips. */
#include "look/profile.h"

#include <stdlib.h>
#include <string.h>

#include "host/extremes.h"
#include "look/cores.h"
#include "look/tracks/table.h"
#include "tile/arch.h"

#define NONE UINT32_MAX

/* Indices of what has been made already, and the room that arrays have. */
struct tf_profile_index {
    struct tf_table places, functions, calls, paths, samples;
    uint32_t place_room, inlined_room, function_room, call_room, path_room, sample_room;
    uint32_t *word; /* the instruction of each place */
    char **made;    /* names that the profile must free */
    uint32_t mades, made_room, word_room;
    struct tf_symbols *symbols; /* of the chip whose counts are being gathered */
    const struct tf_tile *tile; /* of the core whose counts are being gathered */
    unsigned core;
    unsigned number;    /* of the tile, for its symbols */
    uint32_t chip_path; /* index; 0: there is one chip */
};

/* Add an element to an array of the profile. */
#define ADD(profile, name, names)                                                                             \
    (tf_array_room((void **)&(profile)->name, (profile)->names, &(profile)->index->name##_room,               \
                   sizeof *(profile)->name)                                                                   \
         ? (memset(&(profile)->name[(profile)->names], 0, sizeof *(profile)->name), (profile)->names++, true) \
         : ((profile)->lost = true, false))

static const char *own(struct tf_profile *profile, const char *text)
{
    struct tf_profile_index *index = profile->index;
    char *copy = strdup(text);
    if (copy == NULL || !tf_array_room((void **)&index->made, index->mades, &index->made_room, sizeof *index->made)) {
        free(copy);
        profile->lost = true;
        return "?";
    }
    index->made[index->mades++] = copy;
    return copy;
}

/* Find or add the function with a name, which the numbers a and b identify. */
static uint32_t function_of(struct tf_profile *profile, uint64_t a, uint64_t b, const char *name, bool copied)
{
    bool made;
    uint32_t at = tf_table_take(&profile->index->functions, a, b, profile->functions, &made);
    if (at == NONE || (made && !ADD(profile, function, functions)))
        return profile->lost = true, 0;
    if (made)
        profile->function[at].name = copied ? own(profile, name) : name;
    return at;
}

/* Find the inlined calls that a new place lies in. */
static void add_inlined(struct tf_profile *profile, struct tf_code_place *place)
{
    struct tf_inlined calls[TF_INLINED_MAX];
    unsigned count = tf_symbols_inlined(profile->index->symbols, place->program, place->pc, calls);
    place->inlined = profile->inlineds;
    for (unsigned i = 0; i < count && ADD(profile, inlined, inlineds); i++) {
        const char *file = calls[i].file == NULL ? "" : calls[i].file;
        uint32_t function = function_of(profile, tf_table_key(calls[i].name), tf_table_key(file) + calls[i].line,
                                        calls[i].name, false);
        profile->function[function].file = calls[i].file;
        profile->function[function].line = calls[i].line;
        profile->inlined[place->inlined + i] = (struct tf_inlined_call){function, calls[i].from_line};
        place->inlines++;
    }
}

/* Name a new code place. Functions with equal name, file and line become one, so equal programs of several cores share
   them. entry: the function's address, used if there are no symbols. */
static void name_place(struct tf_profile *profile, struct tf_code_place *place, const char *name, uint32_t start,
                       uint32_t entry)
{
    char text[16];
    const char *file = NULL;
    unsigned line = 0;
    snprintf(text, sizeof text, "0x%x", entry);
    if (place->program == NULL) {
        place->function = function_of(profile, 1, entry, text, true);
        return;
    }
    if (tf_symbols_line(profile->index->symbols, place->program, start, &file, &line))
        place->function = function_of(profile, tf_table_key(name), tf_table_key(file) + line, name, false);
    else
        place->function = function_of(profile, (uintptr_t)place->program, start, name, false);
    profile->function[place->function].file = file;
    profile->function[place->function].line = line;
    if (!tf_symbols_line(profile->index->symbols, place->program, place->pc, &place->file, &place->line))
        place->file = NULL;
    else
        add_inlined(profile, place);
}

/* The code place of an address in the program of the core whose counts are gathered. entry: the function's address,
   used if there are no symbols. */
static uint32_t place_of(struct tf_profile *profile, uint32_t pc, uint32_t entry)
{
    struct tf_profile_index *index = profile->index;
    const struct tf_program *program = NULL;
    uint32_t start = 0, word = 0;
    const char *name = tf_symbols_function_in(index->symbols, index->number, index->core, pc, &start, &program);
    bool made;
    uint32_t at = tf_table_take(&index->places, name == NULL ? (uint64_t)entry << 1 | 1 : (uintptr_t)program, pc,
                                profile->places, &made);
    if (at == NONE ||
        (made && (!tf_array_room((void **)&index->word, profile->places, &index->word_room, sizeof *index->word) ||
                  !ADD(profile, place, places))))
        return profile->lost = true, 0;
    if (!made)
        return at;
    if (pc % 4 == 0 && pc <= index->tile->arch->l1_bytes - 4)
        memcpy(&word, index->tile->l1 + pc, sizeof word);
    index->word[at] = word;
    profile->place[at].program = name == NULL ? NULL : program;
    profile->place[at].pc = pc;
    name_place(profile, &profile->place[at], name, start, entry);
    return at;
}

/* Find or add a function below another one in the tree. */
static uint32_t call_of(struct tf_profile *profile, uint32_t parent, uint32_t function)
{
    bool made;
    uint32_t at = tf_table_take(&profile->index->calls, parent, function, profile->calls, &made);
    if (at == NONE || (made && !ADD(profile, call, calls)))
        return profile->lost = true, 0;
    if (made) {
        struct tf_call *call = &profile->call[at];
        call->parent = parent;
        call->function = function;
        call->sibling = profile->call[parent].child;
        profile->call[parent].child = at;
    }
    return at;
}

/* Find or add the functions of a place below a call, with inlined functions. Returns the innermost. */
static uint32_t calls_of(struct tf_profile *profile, uint32_t parent, const struct tf_code_place *place)
{
    uint32_t at = call_of(profile, parent, place->function);
    for (unsigned i = place->inlines; i-- > 0;)
        at = call_of(profile, at, profile->inlined[place->inlined + i].function);
    return at;
}

static uint32_t path_of(struct tf_profile *profile, uint32_t parent, uint32_t place)
{
    bool made;
    uint32_t at = tf_table_take(&profile->index->paths, parent, place, profile->paths, &made);
    if (at == NONE || (made && !ADD(profile, path, paths)))
        return profile->lost = true, 0;
    if (made) {
        uint32_t call = calls_of(profile, profile->path[parent].call, &profile->place[place]);
        profile->path[at] = (struct tf_site_path){.parent = parent, .place = place, .call = call};
    }
    return at;
}

/* Find the place that stands for a core, above all its calls, or for a chip, above all its cores. No program has such
   a number. */
static uint32_t root_of(struct tf_profile *profile, uint64_t number, const char *name)
{
    bool made;
    uint32_t at = tf_table_take(&profile->index->places, 0, number, profile->places, &made);
    if (at == NONE || (made && (!tf_array_room((void **)&profile->index->word, profile->places,
                                               &profile->index->word_room, sizeof *profile->index->word) ||
                                !ADD(profile, place, places))))
        return profile->lost = true, 0;
    if (made) {
        profile->index->word[at] = 0;
        profile->place[at].function = function_of(profile, 0, number, name, true);
    }
    return at;
}

static void count(struct tf_profile *profile, uint32_t path, uint32_t place, uint64_t executed, uint64_t waited)
{
    bool made;
    uint32_t at = tf_table_take(&profile->index->samples, path, place, profile->samples, &made);
    if (at == NONE || (made && !ADD(profile, sample, samples))) {
        profile->lost = true;
        return;
    }
    uint32_t call = calls_of(profile, profile->path[path].call, &profile->place[place]);
    struct tf_function *function = &profile->function[tf_place_function(profile, &profile->place[place])];
    profile->sample[at].path = path;
    profile->sample[at].place = place;
    profile->sample[at].executed += executed;
    profile->sample[at].waited += waited;
    profile->call[call].executed += executed;
    profile->call[call].waited += waited;
    profile->place[place].executed += executed;
    profile->place[place].waited += waited;
    function->executed += executed;
    function->waited += waited;
    profile->executed += executed;
    profile->waited += waited;
}

static void gather_path(struct tf_profile *profile, const struct tf_path *path, uint32_t to)
{
    for (uint32_t i = 0; i < path->spot_room; i++) {
        const struct tf_spot *spot = &path->spot[i];
        if (spot->count == 0)
            continue;
        if (spot->end == 0)
            count(profile, to, place_of(profile, spot->first, path->entry), 0, spot->count);
        for (uint32_t pc = spot->first; pc < spot->end; pc += 4)
            count(profile, to, place_of(profile, pc, path->entry), spot->count, 0);
    }
}

static void gather_core(struct tf_profile *profile, const struct tf_paths *paths)
{
    uint32_t *to = calloc(paths->count, sizeof *to);
    if (to == NULL) {
        profile->lost = true;
        return;
    }
    for (uint32_t i = 0; i < paths->count; i++) {
        const struct tf_path *path = &paths->path[i];
        if (i == 0) {
            const struct tf_profile_index *index = profile->index;
            const struct tf_tile_arch *arch = index->tile->arch;
            const uint32_t root = root_of(profile, (uint64_t)arch->kind << 8 | index->core,
                                          arch->core_name[index->core]);
            to[i] = path_of(profile, index->chip_path, root);
        } else {
            uint32_t site = path->interrupt ? path->return_to : path->return_to - 4;
            to[i] = path_of(profile, to[path->parent], place_of(profile, site, paths->path[path->parent].entry));
        }
        gather_path(profile, path, to[i]);
    }
    free(to);
}

static void add_totals(struct tf_profile *profile)
{
    for (uint32_t i = profile->calls; i-- > 0;) {
        struct tf_call *call = &profile->call[i];
        call->executed_total += call->executed;
        call->waited_total += call->waited;
        if (i != 0) {
            profile->call[call->parent].executed_total += call->executed_total;
            profile->call[call->parent].waited_total += call->waited_total;
        }
    }
}

static int by_executed(const void *a, const void *b)
{
    const struct tf_mix *x = a, *y = b;
    if (x->executed != y->executed)
        return x->executed > y->executed ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Disassemble the instructions that were executed, as L1 has them at the end. */
static void add_mix(struct tf_profile *profile, const struct tf_arch *arch)
{
    struct tf_table table = {.room = 0};
    uint32_t room = 0;
    for (uint32_t i = 0; i < profile->places; i++) {
        char text[64];
        uint64_t key[2] = {0, 0};
        bool made;
        if (profile->place[i].executed == 0)
            continue;
        tf_riscv_text(arch, profile->index->word[i], profile->place[i].pc, text, sizeof text);
        text[strcspn(text, " \t")] = '\0';
        memcpy(key, text, strnlen(text, sizeof key));
        uint32_t at = tf_table_take(&table, key[0], key[1], profile->mixes, &made);
        if (at == NONE ||
            (made && !tf_array_room((void **)&profile->mix, profile->mixes, &room, sizeof *profile->mix))) {
            profile->lost = true;
            break;
        }
        if (made)
            profile->mix[profile->mixes++] = (struct tf_mix){.name = own(profile, text)};
        profile->mix[at].executed += profile->place[i].executed;
    }
    free(table.slot);
    if (profile->mixes != 0)
        qsort(profile->mix, profile->mixes, sizeof *profile->mix, by_executed);
}

/* The number of a chip's root. */
#define CHIP_ROOT ((uint64_t)1 << 32)

static bool has_chosen(const struct tf_profile_part *part)
{
    for (unsigned tile = 0; part->chosen != NULL && tile < part->cores->tiles; tile++)
        if (part->chosen[tile] != 0)
            return true;
    return part->chosen == NULL;
}

static void gather_chip(struct tf_profile *profile, const struct tf_profile_part *part)
{
    struct tf_profile_index *index = profile->index;
    const struct tf_chip *chip = part->cores->chip;
    index->symbols = part->symbols;
    if (!has_chosen(part))
        return;
    if (profile->parts > 1) {
        char name[24];
        snprintf(name, sizeof name, "chip %u", part->chip);
        index->chip_path = path_of(profile, 0, root_of(profile, CHIP_ROOT | part->chip, name));
    }
    for (unsigned tile = 0; tile < part->cores->tiles; tile++)
        for (unsigned core = 0; tf_chip_tile(chip, tile) != NULL && core < tf_chip_tile(chip, tile)->arch->cores;
             core++) {
            if (part->chosen != NULL && (part->chosen[tile] >> core & 1) == 0)
                continue;
            index->tile = tf_chip_tile(chip, tile);
            index->core = core;
            index->number = (unsigned)tf_symbols_tile(chip->arch, index->tile->coord);
            profile->l1_bytes = tf_max(profile->l1_bytes, index->tile->arch->l1_bytes);
            gather_core(profile, &part->cores->tile[tile].core[core].paths);
        }
}

struct tf_profile *tf_profile_gather(const struct tf_profile_part *part, unsigned parts)
{
    struct tf_profile *profile = calloc(1, sizeof *profile);
    struct tf_profile_index *index = calloc(1, sizeof *index);
    if (profile == NULL || index == NULL) {
        free(profile);
        free(index);
        return NULL;
    }
    profile->part = part;
    profile->parts = parts;
    profile->index = index;
    for (unsigned i = 0; i < parts; i++)
        profile->lost |= tf_cores_lost(part[i].cores);
    if (!ADD(profile, function, functions) || !ADD(profile, call, calls) || !ADD(profile, path, paths)) {
        tf_profile_free(profile);
        return NULL;
    }
    profile->function[0].name = "all";
    for (unsigned i = 0; i < parts; i++)
        gather_chip(profile, &part[i]);
    add_totals(profile);
    add_mix(profile, part[0].cores->chip->arch);
    return profile;
}

uint64_t tf_profile_executed(const struct tf_profile *profile, const struct tf_program *program, uint32_t pc)
{
    uint32_t at = tf_table_find(&profile->index->places, (uintptr_t)program, pc);
    return at == NONE ? 0 : profile->place[at].executed;
}

static int by_cycles(const void *a, const void *b, void *user)
{
    const struct tf_profile *profile = user;
    const struct tf_call *x = &profile->call[*(const uint32_t *)a], *y = &profile->call[*(const uint32_t *)b];
    if (tf_call_cycles(x) != tf_call_cycles(y))
        return tf_call_cycles(x) > tf_call_cycles(y) ? -1 : 1;
    return strcmp(profile->function[x->function].name, profile->function[y->function].name);
}

uint32_t tf_profile_callees(const struct tf_profile *profile, uint32_t call, uint32_t **order)
{
    uint32_t count = 0, i = 0;
    for (uint32_t at = profile->call[call].child; at != 0; at = profile->call[at].sibling)
        count++;
    *order = count == 0 ? NULL : calloc(count, sizeof **order);
    if (*order == NULL)
        return 0;
    for (uint32_t at = profile->call[call].child; at != 0; at = profile->call[at].sibling)
        (*order)[i++] = at;
    qsort_r(*order, count, sizeof **order, by_cycles, (void *)(uintptr_t)profile);
    return count;
}

static int functions_by_cycles(const void *a, const void *b, void *user)
{
    const struct tf_profile *profile = user;
    const struct tf_function *x = &profile->function[*(const uint32_t *)a];
    const struct tf_function *y = &profile->function[*(const uint32_t *)b];
    uint64_t of_x = x->executed + x->waited, of_y = y->executed + y->waited;
    return of_x != of_y ? (of_x > of_y ? -1 : 1) : strcmp(x->name, y->name);
}

uint32_t tf_profile_functions(const struct tf_profile *profile, uint32_t **order)
{
    *order = calloc(profile->functions, sizeof **order);
    if (*order == NULL)
        return 0;
    for (uint32_t i = 0; i < profile->functions; i++)
        (*order)[i] = i;
    qsort_r(*order, profile->functions, sizeof **order, functions_by_cycles, (void *)(uintptr_t)profile);
    return profile->functions;
}

void tf_profile_free(struct tf_profile *profile)
{
    if (profile == NULL)
        return;
    struct tf_profile_index *index = profile->index;
    for (uint32_t i = 0; i < index->mades; i++)
        free(index->made[i]);
    free(index->made);
    free(index->word);
    free(index->places.slot);
    free(index->functions.slot);
    free(index->calls.slot);
    free(index->paths.slot);
    free(index->samples.slot);
    free(index);
    free(profile->place);
    free(profile->inlined);
    free(profile->function);
    free(profile->call);
    free(profile->sample);
    free(profile->path);
    free(profile->mix);
    free(profile);
}
