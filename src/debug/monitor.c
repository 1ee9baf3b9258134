/* SPDX-License-Identifier: Apache-2.0 */
/* "monitor" commands: what GDB has no word for. Looking changes nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/parts.h"
#include "noc/niu.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/debug/names.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"

/* The tile of the current process, if it has a coprocessor. */
static struct tf_tile *tensix_tile(struct tf_gdb *gdb)
{
    unsigned core;
    struct tf_tile *tile = tf_gdb_tile(gdb, gdb->current, &core);
    if (tile == NULL || tile->tensix == NULL) {
        tf_gdb_say(gdb, "Attach to a core of a Tensix tile first.\n");
        return NULL;
    }
    return tile;
}

static void show_tiles(struct tf_gdb *gdb, const char *rest)
{
    static const char letter[] = {
        [TF_CORE_RESET] = '.',   [TF_CORE_RUNNING] = 'r', [TF_CORE_PARKED] = 'p',
        [TF_CORE_BLOCKED] = 'b', [TF_CORE_PAUSED] = 'e',  [TF_CORE_FAULTED] = 'F',
    };
    (void)rest;
    tf_gdb_say(gdb, "cores: r runs, p polls, b blocked, e ebreak, F fault, . reset; cycle %llu\n",
               (unsigned long long)tf_chip_cycles(gdb->chip));
    for (unsigned i = 0; i < gdb->chip->tiles; i++) {
        const struct tf_tile *tile = &gdb->chip->tile[i];
        char states[TF_TILE_CORES + 1] = "";
        for (unsigned core = 0; core < tile->arch->cores; core++)
            states[core] = letter[tile->hart[core].state];
        if (strspn(states, ".") != strlen(states))
            tf_gdb_say(gdb, "tile %u (%u,%u) %s, processes from %u\n", i, tile->coord.x, tile->coord.y, states,
                       pid_of(i, 0));
    }
}

static void show_waits(struct tf_gdb *gdb, const char *rest)
{
    size_t most = tf_waits(gdb->chip, NULL, 0), count = 0;
    struct tf_waiting *waits = calloc(most + 1, sizeof *waits);
    (void)rest;
    if (waits != NULL)
        count = tf_waits(gdb->chip, waits, most);
    for (size_t i = 0; i < count && i < 40; i++) {
        char line[TF_WAITING_TEXT_BYTES];
        tf_waiting_text(gdb->chip->arch, &waits[i], NULL, line, sizeof line);
        tf_gdb_say(gdb, "%s: %s\n", waits[i].stuck ? "waits" : "done", line);
    }
    if (count == 0)
        tf_gdb_say(gdb, "No core waits.\n");
    free(waits);
}

static void show_semaphores(struct tf_gdb *gdb, const char *rest)
{
    const struct tf_tile *tile = tensix_tile(gdb);
    (void)rest;
    for (unsigned i = 0; tile != NULL && i < TF_SEMAPHORES; i++)
        tf_gdb_say(gdb, "semaphore %u: %u of %u\n", i, tile->tensix->sync->value[i], tile->tensix->sync->max[i]);
    for (unsigned i = 0; tile != NULL && i < TF_MUTEXES_MAX; i++)
        if (tile->tensix->sync->holder[i] != 0)
            tf_gdb_say(gdb, "mutex %u: held by T%u\n", i, tile->tensix->sync->holder[i] - 1u);
}

static void show_niu(struct tf_gdb *gdb, const char *rest)
{
    unsigned core;
    const struct tf_tile *tile = tf_gdb_tile(gdb, gdb->current, &core);
    (void)rest;
    for (unsigned noc = 0; tile != NULL && noc < 2; noc++) {
        const struct tf_niu *niu = tile->port.niu[noc];
        for (unsigned i = 0; niu != NULL && i < TF_NIU_COUNTERS; i++)
            if (niu->counter[i] != 0)
                tf_gdb_say(gdb, "NIU %u: counter %u is %u\n", noc, i, niu->counter[i]);
    }
}

static void show_requests(struct tf_gdb *gdb, const char *rest)
{
    unsigned shown = 0;
    (void)rest;
    for (unsigned n = 0; n < gdb->chip->fabric->nodes; n++)
        for (unsigned noc = 0; noc < 2; noc++) {
            const struct tf_node *node = &gdb->chip->fabric->node[n];
            for (unsigned tid = 0; node->tile != NULL && tid < TF_NOC_TIDS; tid++) {
                unsigned count = node->niu[noc].counter[TF_MST_REQS_OUTSTANDING + tid] & 0xFF;
                if (count != 0 && shown++ < 100)
                    tf_gdb_say(gdb, "(%u,%u) NIU %u transaction %u: %u requests without an answer\n", node->coord.x,
                               node->coord.y, noc, tid, count);
            }
        }
    if (shown == 0)
        tf_gdb_say(gdb, "No request waits for an answer.\n");
}

static void show_dst(struct tf_gdb *gdb, const char *rest)
{
    struct tf_tile *tile = tensix_tile(gdb);
    unsigned first = (unsigned)strtoul(rest, NULL, 0);
    for (unsigned row = first; tile != NULL && row < first + 16 && row < TF_DST_ROWS; row++) {
        char line[TF_DST_COLUMNS * 5 + 1] = "";
        for (unsigned i = 0; i < TF_DST_COLUMNS; i++)
            sprintf(line + 5 * i, " %04x", tile->tensix->dst == NULL ? 0 : tile->tensix->dst->bits[row][i]);
        tf_gdb_say(gdb, "Dst %3u:%s\n", row, line);
    }
}

/* CONFIGURATION FIELD, or the fields that are not 0. */
static void show_config(struct tf_gdb *gdb, const char *rest)
{
    const struct tf_tile *tile = tensix_tile(gdb);
    size_t count;
    unsigned shown = 0;
    const struct tf_config_name *names = tf_config_names(&count);
    for (size_t i = 0; tile != NULL && i < count; i++) {
        const struct tf_backend_config *config = tile->tensix->config;
        const struct tf_config_name *name = &names[i];
        if (strstr(name->name, rest) == NULL || shown >= 400)
            continue;
        uint32_t values[3] = {0}, any = 0;
        for (unsigned k = 0; k < (name->thread ? 3u : 2u); k++) {
            uint32_t word = name->thread ? config->thread[k][name->word] : config->bank[k][name->word];
            values[k] = (uint32_t)(word >> name->first & ((1ull << name->width) - 1));
            any |= values[k];
        }
        if (any == 0 && *rest == '\0')
            continue;
        shown++;
        if (name->thread)
            tf_gdb_say(gdb, "%s: T0 0x%x, T1 0x%x, T2 0x%x\n", name->name, values[0], values[1], values[2]);
        else
            tf_gdb_say(gdb, "%s: 0x%x, bank 1 0x%x\n", name->name, values[0], values[1]);
    }
}

static void set_until(struct tf_gdb *gdb, const char *rest)
{
    char *end;
    gdb->until = strtoull(rest, &end, 0);
    tf_gdb_watch_again(gdb);
    if (end == rest)
        tf_gdb_say(gdb, "until CYCLE: then continue; the first core that you are attached to stops there\n");
}

static void say_line(void *user, const char *line)
{
    tf_gdb_say(user, "%s\n", line);
}

static void show_stacks(struct tf_gdb *gdb, const char *rest)
{
    (void)rest;
    for (unsigned i = 0; i < gdb->chip->tiles; i++)
        for (unsigned core = 0; core < gdb->chip->tile[i].arch->cores; core++) {
            if (gdb->chip->tile[i].hart[core].state == TF_CORE_RESET)
                continue;
            tf_gdb_say(gdb, "tile %u core %s:\n", i, gdb->chip->tile[i].arch->core_name[core]);
            tf_stack_print(gdb->chip, gdb->symbols, i, core, say_line, gdb);
        }
}

static void show_help(struct tf_gdb *gdb, const char *rest);

static const struct {
    const char *name, *help;
    void (*call)(struct tf_gdb *gdb, const char *rest);
} commands[] = {
    {"help", "these commands", show_help},
    {"tiles", "the state of each core", show_tiles},
    {"waits", "who waits for what", show_waits},
    {"stacks", "back traces of all cores", show_stacks},
    {"semaphores", "semaphores and mutexes of the tile", show_semaphores},
    {"niu", "counters of the tile's NIUs that are not 0", show_niu},
    {"requests", "requests that wait for an answer", show_requests},
    {"dst", "[ROW]: 16 rows of Dst", show_dst},
    {"config", "[NAME]: fields of the configuration with NAME in their names; or all that are not 0", show_config},
    {"until", "CYCLE: continue stops there", set_until},
};

static void show_help(struct tf_gdb *gdb, const char *rest)
{
    (void)rest;
    for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++)
        tf_gdb_say(gdb, "monitor %s %s\n", commands[i].name, commands[i].help);
}

void tf_gdb_monitor(struct tf_gdb *gdb, const char *command)
{
    size_t length = strcspn(command, " ");
    const char *rest = command + length + strspn(command + length, " ");
    for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strlen(commands[i].name) == length && strncmp(commands[i].name, command, length) == 0) {
            commands[i].call(gdb, rest);
            return;
        }
    tf_gdb_say(gdb, "No command '%s'; see: monitor help\n", command);
}
