/* SPDX-License-Identifier: Apache-2.0 */
/* "monitor" commands, for which GDB's protocol has no packets. They only read, so they change nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/gdb/expression.h"
#include "debug/gdb/target.h"
#include "debug/gdb/units.h"
#include "debug/gdb/say.h"
#include "debug/gdb/monitor.h"
#include "debug/gdb/parts.h"
#include "debug/gdb/points.h"
#include "debug/gdb/stop.h"
#include "debug/registers.h"
#include "debug/raced.h"
#include "farm/waits/waits.h"
#include "farm/waits/who.h"
#include "tile/tensix/configure/config.h"
#include "tile/node_text.h"
#include "tile/tensix/debug/names.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"

#define RACES_SHOWN 20u

static void show_tiles(struct tf_gdb *gdb, const char *rest)
{
    static const char letter[] = {
        [TF_CORE_RESET] = '.',   [TF_CORE_RUNNING] = 'r', [TF_CORE_PARKED] = 'p',
        [TF_CORE_BLOCKED] = 'b', [TF_CORE_PAUSED] = 'e',  [TF_CORE_FAULTED] = 'F',
    };
    (void)rest;
    tf_gdb_say(gdb, "cores: r runs, p polls, b blocked, e ebreak, F fault, . reset; cycle %llu\n",
               (unsigned long long)tf_chip_cycles(gdb->on->chip));
    for (unsigned i = 0; i < tf_chip_tiles(gdb->on->chip); i++) {
        const struct tf_tile *tile = tf_chip_tile(gdb->on->chip, i);
        char states[TF_TILE_CORES + 1] = "", node[TF_NODE_TEXT_BYTES];
        for (unsigned core = 0; tile != NULL && core < tile->arch->cores; core++)
            states[core] = letter[tile->hart[core].state];
        if (strspn(states, ".") != strlen(states))
            tf_gdb_say(gdb, "%s %s, processes from %u\n", tf_node_text(gdb->on->chip->arch, tile->coord, node), states,
                       pid_of(gdb->on, i, 0));
    }
}

static void show_waits(struct tf_gdb *gdb, const char *rest)
{
    size_t most = tf_waits(gdb->on->chip, NULL, 0), count = 0;
    struct tf_waiting *waits = calloc(most + 1, sizeof *waits);
    (void)rest;
    if (waits != NULL)
        count = tf_waits(gdb->on->chip, waits, most);
    for (size_t i = 0; i < count && i < 40; i++) {
        char line[TF_WAITING_TEXT_BYTES + TF_PLACE_BYTES], place[TF_PLACE_BYTES] = "";
        if (!waits[i].thread)
            tf_gdb_place(gdb, waits[i].node, waits[i].core, waits[i].pc, place);
        tf_waiting_text(gdb->on->chip->arch, &waits[i], place[0] != '\0' ? place + 1 : NULL, line, sizeof line);
        tf_gdb_say(gdb, "%s: %s\n", waits[i].stuck ? "waits" : "done", line);
    }
    if (count == 0)
        tf_gdb_say(gdb, "No core waits.\n");
    free(waits);
}

static void show_semaphores(struct tf_gdb *gdb, const char *rest)
{
    const struct tf_tile *tile = tf_gdb_tensix_tile(gdb);
    (void)rest;
    for (unsigned i = 0; tile != NULL && i < TF_SEMAPHORES; i++) {
        char line[120];
        tf_describe_semaphore(&(struct tf_text){line, sizeof line, 0}, tile, i);
        tf_gdb_say(gdb, "%s\n", line);
    }
    for (unsigned i = 0; tile != NULL && tile->arch->mutexes >> i != 0; i++)
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
        for (unsigned i = 0; niu != NULL && i < TF_NIU_COUNTERS; i++) {
            char name[48];
            tf_niu_counter_name(i, name, sizeof name);
            if (niu->counter[i] != 0)
                tf_gdb_say(gdb, "NIU %u: %s is %u\n", noc, name, niu->counter[i]);
        }
    }
}

static void show_requests(struct tf_gdb *gdb, const char *rest)
{
    unsigned shown = 0;
    (void)rest;
    for (unsigned n = 0; n < gdb->on->chip->fabric->nodes; n++)
        for (unsigned noc = 0; noc < 2; noc++) {
            const struct tf_node *node = &gdb->on->chip->fabric->node[n];
            for (unsigned tid = 0; node->tile != NULL && tid < TF_NOC_TIDS; tid++) {
                unsigned count = node->niu[noc].counter[TF_MST_REQS_OUTSTANDING + tid] & 0xFF;
                char at[TF_NODE_TEXT_BYTES];
                if (count != 0 && shown++ < 100)
                    tf_gdb_say(gdb, "%s NIU %u, transaction id %u: %u request%s without an answer\n",
                               tf_node_text(gdb->on->chip->fabric->arch, node->coord, at), noc, tid, count,
                               count == 1 ? "" : "s");
            }
        }
    if (shown == 0)
        tf_gdb_say(gdb, "No request waits for an answer.\n");
}

/* Print one field (CONFIGURATION FIELD), or all fields that are not 0. */
static void show_config(struct tf_gdb *gdb, const char *rest)
{
    const struct tf_tile *tile = tf_gdb_tensix_tile(gdb);
    size_t count;
    unsigned shown = 0;
    const struct tf_config_name *names = tf_config_names(gdb->on->chip->arch, &count);
    for (size_t i = 0; tile != NULL && i < count; i++) {
        const struct tf_config_name *name = &names[i];
        if (strstr(name->name, rest) == NULL || shown >= 400)
            continue;
        uint32_t values[3] = {0}, any = 0;
        for (unsigned k = 0; k < (name->thread ? 3u : 2u); k++) {
            uint32_t word = name->thread ? tf_config_thread_word(tile->tensix, k, name->word)
                                         : tf_config_word(tile->tensix, k, name->word);
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
    if (tile != NULL && shown == 0)
        tf_gdb_say(gdb, *rest == '\0' ? "All fields of the configuration are 0.\n" : "No field has '%s' in its name.\n",
                   rest);
}

static void set_until(struct tf_gdb *gdb, const char *rest)
{
    char *end;
    uint64_t cycle = tf_chip_cycles(gdb->on->chip);
    gdb->until = strtoull(rest, &end, 0);
    if (end == rest || *end != '\0' || gdb->until <= cycle)
        gdb->until = 0;
    tf_gdb_rearm(gdb);
    if (gdb->until != 0)
        tf_gdb_say(gdb, "the next 'continue' stops at cycle %llu\n", (unsigned long long)gdb->until);
    else
        tf_gdb_say(gdb,
                   "until CYCLE: then continue; the first core that you attached stops in that cycle. It is cycle "
                   "%llu now.\n",
                   (unsigned long long)cycle);
}

static void set_condition(struct tf_gdb *gdb, const char *rest)
{
    uint8_t code[CONDITION_BYTES];
    char *end;
    unsigned bytes = 0;
    unsigned long long address = strtoull(rest, &end, 0);
    const char *wrong = end == rest || address > UINT32_MAX ? rest : NULL;
    end += strspn(end, " ");
    if (wrong == NULL && *end != '\0')
        wrong = tf_gdb_compile(end, (uint32_t)address, code, &bytes);
    if (wrong == NULL)
        tf_gdb_set_condition(gdb, gdb->current, (uint32_t)address, code, bytes);
    else
        tf_gdb_say(gdb, "condition ADDRESS [EXPRESSION]: syntax error at '%s'\n", wrong);
}

static void set_dram(struct tf_gdb *gdb, const char *rest)
{
    char *end;
    uint64_t channel = strtoull(rest, &end, 0);
    uint64_t base = strtoull(end, &end, 0);
    const struct tf_arch *arch = gdb->on->chip->arch;
    if (*rest != '\0' && (*end != '\0' || channel >= arch->dram.channels || base >= arch->dram.channel_bytes))
        tf_gdb_say(gdb, "dram CHANNEL ADDRESS: move the window of a channel to this address\n");
    else if (*rest != '\0')
        gdb->dram_base[channel] = base;
    for (unsigned i = 0; i < arch->dram.channels; i++)
        tf_gdb_say(gdb, "DRAM channel %u from 0x%llx on: GDB's addresses 0x%x to 0x%x\n", i,
                   (unsigned long long)gdb->dram_base[i], GDB_DRAM_FIRST + i * GDB_DRAM_BYTES,
                   GDB_DRAM_FIRST + (i + 1) * GDB_DRAM_BYTES - 1);
}

static void say_line(void *user, const char *line)
{
    tf_gdb_say(user, "%s\n", line);
}

static void show_stacks(struct tf_gdb *gdb, const char *rest)
{
    (void)rest;
    tf_stacks_print(gdb->on->chip, tf_gdb_symbols(gdb), true, say_line, gdb);
}

static void show_races(struct tf_gdb *gdb, const char *rest)
{
    const struct tf_arch *arch = gdb->on->chip->arch;
    size_t most = tf_races(gdb->on->chip, NULL, 0);
    struct tf_race *races = calloc(most + 1, sizeof *races);
    size_t count = races == NULL ? 0 : tf_races(gdb->on->chip, races, most + 1);
    (void)rest;
    for (size_t i = 0; i < count && i < RACES_SHOWN; i++) {
        struct tf_raced names;
        tf_raced_name(arch, tf_gdb_symbols(gdb), &races[i], &names);
        tf_raced_say(arch, &races[i], &names, say_line, gdb);
    }
    free(races);
    if (gdb->on->chip->observers.races == NULL)
        tf_gdb_say(gdb, "Races are not checked: run with --check, or with TILEFARM_CHECK=1.\n");
    else
        tf_gdb_say(gdb, "%zu races so far\n", count);
}

/* The chip can be saved only between epochs. */
static void save(struct tf_gdb *gdb, const char *rest)
{
    free(gdb->save);
    gdb->save = *rest == '\0' ? NULL : strdup(rest);
    if (gdb->save == NULL)
        tf_gdb_say(gdb, "save FILE: then continue; the chip is saved at the end of this epoch\n");
    else {
        tf_gdb_say(gdb, "after 'continue', the chip is saved to %s at the end of this epoch\n", gdb->save);
        tf_gdb_set_stop(gdb, true);
    }
}

static void show_help(struct tf_gdb *gdb, const char *rest);

static void quit(struct tf_gdb *gdb, const char *rest)
{
    (void)rest;
    if (gdb->client)
        tf_gdb_say(gdb, "quit: the process of the client goes on; end it there\n");
    else
        tf_gdb_end_run(gdb);
}

static void show_checkpoints(struct tf_gdb *gdb, const char *rest)
{
    (void)rest;
    tf_gdb_say(gdb, "%u checkpoints since the last stop; the last way back has executed %llu instructions\n",
               gdb->checkpoints, (unsigned long long)gdb->repeated);
}

static const struct {
    const char *name, *arguments, *help;
    void (*call)(struct tf_gdb *gdb, const char *rest);
    bool each; /* call it for each chip */
} commands[] = {
    {"help", "", "these commands", show_help, false},
    {"tiles", "", "show the state of each core", show_tiles, true},
    {"waits", "", "show what each waiting core needs", show_waits, true},
    {"stacks", "", "back traces of all cores that have not ended; equal ones are shown once", show_stacks, true},
    {"semaphores", "", "semaphores and mutexes of the tile", show_semaphores, false},
    {"niu", "", "counters of the tile's NIUs that are not 0", show_niu, false},
    {"requests", "", "requests without an answer", show_requests, true},
    {"dst", " [ROW] [FORMAT]", "16 rows of Dst, in the configured format or as bits, bf16, fp16, fp32, int8, int32",
     tf_gdb_show_dst, false},
    {"srca", " [ROW] [FORMAT]", "16 rows of both banks of SrcA", tf_gdb_show_srca, false},
    {"srcb", " [ROW] [FORMAT]", "16 rows of both banks of SrcB", tf_gdb_show_srcb, false},
    {"lregs", " [NUMBER] [FORMAT]", "registers of the vector unit, as fp32, int32 or bits", tf_gdb_show_lregs, false},
    {"cbs", "", "circular buffers of the tile, from the counters of its streams", tf_gdb_show_cbs, false},
    {"config", " [NAME]", "configuration fields whose names contain NAME; without NAME, all that are not 0",
     show_config, false},
    {"condition", " ADDRESS [EXPRESSION]", "stop at this process's watchpoints on ADDRESS only if EXPRESSION holds",
     set_condition, false},
    {"dram", " [CHANNEL ADDRESS]", "GDB's addresses of DRAM; move the window of a channel to ADDRESS", set_dram, false},
    {"checkpoints", "", "how many the run has left behind, and what the last way back has cost", show_checkpoints,
     false},
    {"quit", "", "after 'continue' or 'detach' the run ends at the end of this epoch, with a report", quit, false},
    {"races", "", "races found so far, with --check", show_races, true},
    {"save", " FILE", "save the chip at the end of this epoch, for --restore", save, false},
    {"until", " CYCLE", "the next 'continue' stops in this cycle", set_until, false},
};

static void show_help(struct tf_gdb *gdb, const char *rest)
{
    (void)rest;
    for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (!gdb->front->terminal || (commands[i].call != show_help && commands[i].call != quit)) /* it has its own */
            tf_gdb_say(gdb, "%s%s%s: %s\n", !gdb->front->terminal ? "monitor " : "", commands[i].name,
                       commands[i].arguments, commands[i].help);
}

/* Call a command for each chip. */
static void call_each(struct tf_gdb *gdb, void (*call)(struct tf_gdb *gdb, const char *rest), const char *rest)
{
    struct gdb_chip *on = gdb->on;
    for (unsigned i = 0; i < gdb->chips; i++) {
        gdb->on = &gdb->of[i];
        if (gdb->chips > 1)
            tf_gdb_say(gdb, "chip %u:\n", i);
        call(gdb, rest);
    }
    gdb->on = on;
}

void tf_gdb_monitor(struct tf_gdb *gdb, const char *command)
{
    size_t length = strcspn(command, " ");
    const char *rest = command + length + strspn(command + length, " ");
    for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strlen(commands[i].name) == length && strncmp(commands[i].name, command, length) == 0) {
            if (commands[i].each)
                call_each(gdb, commands[i].call, rest);
            else
                commands[i].call(gdb, rest);
            return;
        }
    tf_gdb_say(gdb, "No command '%s'; see '%shelp'.\n", command, !gdb->front->terminal ? "monitor " : "");
}
