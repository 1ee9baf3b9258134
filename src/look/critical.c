/* SPDX-License-Identifier: Apache-2.0 */
#include "look/critical.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tilefarm/tilefarm_system_run.h"

/* Returns NULL: no memory. */
static struct tf_system_path_part *room_for(size_t count)
{
    return calloc(count + 1, sizeof(struct tf_system_path_part));
}

/* Read the path of a chip. */
static int read_chip(struct tf_critical *path)
{
    struct tf_path_part *part = malloc((path->count + 1) * sizeof *part);
    path->part = room_for(path->count);
    const int error = part == NULL || path->part == NULL
                          ? TF_ENOMEM
                          : tf_path_read(path->of[0].chip, part, path->count, &path->count);
    for (size_t i = 0; i < path->count && error == TF_OK; i++)
        path->part[i].part = part[i];
    free(part);
    return error;
}

int tf_critical_open(struct tf_critical *path, struct tf_chip *chip, struct tf_symbols *symbols)
{
    *path = (struct tf_critical){.of[0] = {chip, symbols}};
    const int error = tf_path_read(chip, NULL, 0, &path->count);
    return error == TF_OK ? read_chip(path) : error;
}

int tf_critical_open_system(struct tf_critical *path, struct tf_system *system, struct tf_symbols *const *symbols)
{
    *path = (struct tf_critical){.system = true};
    for (unsigned i = 0; i < tf_system_cluster(system)->chips; i++) {
        path->of[i].chip = tf_system_chip(system, i);
        path->of[i].symbols = symbols[i];
    }
    const int error = tf_system_path_read(system, NULL, 0, &path->count);
    if (error != TF_OK)
        return error;
    path->part = room_for(path->count);
    return path->part == NULL ? TF_ENOMEM : tf_system_path_read(system, path->part, path->count, &path->count);
}

const struct tf_arch *tf_critical_arch(const struct tf_critical *path, const struct tf_system_path_part *part)
{
    return tf_chip_arch(path->of[part->chip].chip);
}

void tf_critical_close(struct tf_critical *path)
{
    free(path->part);
}

static const char *base_name(const char *file)
{
    return strrchr(file, '/') != NULL ? strrchr(file, '/') + 1 : file;
}

/* Is this a header of the device library? Its lines say nothing about a kernel. */
static bool is_library(const char *file)
{
    const char *name = base_name(file), *suffix = strrchr(name, '.');
    return strncmp(name, "tilefarm_", 9) == 0 && suffix != NULL && strcmp(suffix, ".h") == 0;
}

/* Move from a line of the device library to the call that has brought it into the program. */
static void leave_library(struct tf_symbols *symbols, const struct tf_program *program, uint32_t pc, const char **file,
                          unsigned *line)
{
    struct tf_inlined call[TF_INLINED_MAX];
    const unsigned calls = is_library(*file) ? tf_symbols_inlined(symbols, program, pc, call) : 0;
    for (unsigned i = 0; i < calls && is_library(*file) && call[i].from_file != NULL; i++) {
        *file = call[i].from_file;
        *line = call[i].from_line;
    }
}

const char *tf_critical_line(const struct tf_critical *path, const struct tf_system_path_part *part,
                             char text[TF_CRITICAL_LINE_BYTES])
{
    struct tf_symbols *symbols = path->of[part->chip].symbols;
    const int tile = part->part.actor == TF_PATH_AT_HOST
                         ? -1
                         : tf_symbols_tile(tf_critical_arch(path, part), part->part.code);
    const struct tf_program *program;
    uint32_t start;
    unsigned line;
    const char *file, *function = tile < 0 || symbols == NULL
                                      ? NULL
                                      : tf_symbols_function_in(symbols, (unsigned)tile, part->part.core, part->part.pc,
                                                               &start, &program);
    if (part->part.actor == TF_PATH_AT_HOST)
        snprintf(text, TF_CRITICAL_LINE_BYTES, "-");
    else if (function == NULL)
        snprintf(text, TF_CRITICAL_LINE_BYTES, "0x%08" PRIx32, part->part.pc);
    else if (tf_symbols_line(symbols, program, part->part.pc, &file, &line)) {
        leave_library(symbols, program, part->part.pc, &file, &line);
        snprintf(text, TF_CRITICAL_LINE_BYTES, "%s:%u", base_name(file), line);
    } else
        snprintf(text, TF_CRITICAL_LINE_BYTES, "%s+0x%" PRIx32, function, part->part.pc - start);
    return text;
}

static int by_cycles(const void *a, const void *b)
{
    const struct tf_critical_sum *first = a, *second = b;
    if (first->cycles != second->cycles)
        return first->cycles < second->cycles ? 1 : -1;
    return strcmp(first->name, second->name);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct tf_critical_sum *)a)->name, ((const struct tf_critical_sum *)b)->name);
}

struct tf_critical_sums tf_critical_add_up(const struct tf_critical *path, bool by_line)
{
    struct tf_critical_sums sums = {.sum = malloc((path->count + 1) * sizeof *sums.sum)};
    for (size_t i = 0; i < path->count && sums.sum != NULL; i++) {
        char text[TF_CRITICAL_LINE_BYTES];
        const struct tf_system_path_part *part = &path->part[i];
        const char *name = by_line ? tf_critical_line(path, part, text) : tf_path_kind_name(part->part.kind);
        snprintf(sums.sum[i].name, TF_CRITICAL_LINE_BYTES, "%s", name);
        sums.sum[i].cycles = part->part.cycles;
        sums.whole += part->part.cycles;
    }
    if (sums.sum == NULL)
        return sums;
    qsort(sums.sum, path->count, sizeof *sums.sum, by_name);
    for (size_t i = 0; i < path->count; i++) {
        if (sums.count != 0 && strcmp(sums.sum[sums.count - 1].name, sums.sum[i].name) == 0)
            sums.sum[sums.count - 1].cycles += sums.sum[i].cycles;
        else
            sums.sum[sums.count++] = sums.sum[i];
    }
    qsort(sums.sum, sums.count, sizeof *sums.sum, by_cycles);
    return sums;
}

double tf_critical_percent(const struct tf_critical_sums *sums, size_t i)
{
    return sums->whole == 0 ? 0 : 100 * (double)sums->sum[i].cycles / (double)sums->whole;
}
