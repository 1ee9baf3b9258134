/* SPDX-License-Identifier: Apache-2.0 */
#include "debug/gdb/named.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/gdb/target.h"
#include "debug/gdb/parts.h"

#define NAME_BYTES 256u

/* A search for a line: the first address of its code in a function of the core. */
struct sought {
    const struct tf_gdb *gdb;
    unsigned tile, core;
    const char *file;
    unsigned line;
    uint32_t address;
    bool found;
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static void see_line(void *user, uint32_t address, const char *file, unsigned line)
{
    struct sought *sought = user;
    uint32_t start;
    if (line != sought->line || strcmp(base_name(file), sought->file) != 0 ||
        (sought->found && sought->address <= address) ||
        tf_symbols_function(tf_gdb_symbols(sought->gdb), sought->tile, sought->core, address, &start) == NULL)
        return;
    sought->address = address;
    sought->found = true;
}

/* Read FILE:LINE. */
static bool line_place(struct sought *sought, const char *text)
{
    char file[NAME_BYTES], *end;
    const char *colon = strrchr(text, ':');
    if (colon == NULL || (size_t)(colon - text) >= sizeof file)
        return false;
    snprintf(file, sizeof file, "%.*s", (int)(colon - text), text);
    sought->file = base_name(file);
    sought->line = (unsigned)strtoul(colon + 1, &end, 10);
    if (end == colon + 1 || *end != '\0')
        return false;
    const struct tf_program *program = NULL;
    while ((program = tf_symbols_next(tf_gdb_symbols(sought->gdb), program)) != NULL)
        tf_symbols_each_line(tf_gdb_symbols(sought->gdb), program, see_line, sought);
    return sought->found;
}

bool tf_named_place(struct tf_gdb *gdb, unsigned pid, const char *text, uint32_t *address, uint32_t *bytes)
{
    struct sought sought = {.gdb = gdb};
    char name[NAME_BYTES], *end;
    const struct tf_tile *tile = tf_gdb_tile(gdb, pid, &sought.core);
    *bytes = 0;
    if (tile == NULL || strlen(text) >= sizeof name)
        return false;
    sought.tile = (unsigned)tf_symbols_tile(gdb->on->chip->arch, tile->coord);
    if (line_place(&sought, text)) {
        *address = sought.address;
        return true;
    }
    const char *plus = strchr(text, '+');
    unsigned long long offset = plus == NULL ? 0 : strtoull(plus + 1, &end, 0);
    if (plus != NULL && (end == plus + 1 || *end != '\0' || offset > UINT32_MAX))
        return false;
    snprintf(name, sizeof name, "%.*s", plus == NULL ? (int)strlen(text) : (int)(plus - text), text);
    unsigned long long number = strtoull(name, &end, 0);
    int reg = name[0] == '$' ? tf_gdb_register_number(name + 1, strlen(name + 1)) : -1;
    if (name[0] >= '0' && name[0] <= '9' && *end == '\0' && number <= UINT32_MAX)
        *address = (uint32_t)number;
    else if (reg < 0 || !tf_gdb_register(gdb, pid, (unsigned)reg, address))
        if (name[0] == '$' || !tf_symbols_named(tf_gdb_symbols(gdb), sought.tile, sought.core, name, address, bytes))
            return false;
    *address += (uint32_t)offset;
    *bytes = plus == NULL ? *bytes : 0;
    return true;
}
