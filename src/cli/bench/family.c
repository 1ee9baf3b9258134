/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a chip, made from those of the table that it can run. Names and descriptions have the chip's numbers of
 * tiles and cores. If the chip is not the default one, some rows have less work or other work.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/bench/family.h"
#include "cli/bench/rows.h"
#include "host/extremes.h"
#include "tilefarm_bench.h"

#define FOUR 4u  /* number of cores of a tile in atomic rows */
#define FP8 0xAu /* Out_data_format; the program sets four bits of exponent */

/* A row with its own texts. */
struct family_row {
    char name[64], what[160];
};

/* Copy a text, with a number in place of a name in it. */
static void put_number(const char *from, const char *name, unsigned value, char *to, size_t bytes)
{
    const char *at = strstr(from, name);
    if (at == NULL)
        snprintf(to, bytes, "%s", from);
    else
        snprintf(to, bytes, "%.*s%u%s", (int)(at - from), from, value, at + strlen(name));
}

/* Bytes of the longest copies. Other libraries refuse more than a packet. */
static unsigned longest_copy(const struct tf_arch *arch)
{
    return (unsigned)tf_min(arch->noc.packet_bytes, TF_BENCH_LONG);
}

static void renumber(const struct tf_arch *arch, const char *from, char *to, size_t bytes)
{
    const unsigned tiles = arch->tile[TF_TILE_TENSIX].tiles, cores = arch->tile[TF_TILE_TENSIX].cores;
    const struct {
        const char *name;
        unsigned value;
    } numbers[] = {{BENCH_N_TILES, tiles},
                   {BENCH_N_CORES, tiles * cores},
                   {BENCH_N_FOURS, tiles * tf_min(FOUR, cores)},
                   {BENCH_N_PAIRS, tiles / 2},
                   {BENCH_N_PACKET, longest_copy(arch) / 1024}};
    snprintf(to, bytes, "%s", from);
    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char text[120];
        snprintf(text, sizeof text, "%s", to);
        put_number(text, numbers[i].name, numbers[i].value, to, bytes);
    }
}

static void fit_packet(const struct tf_arch *arch, struct bench_row *row)
{
    if (row->program == TF_BENCH_WRITE && row->measure == bench_program && row->argument == TF_BENCH_LONG)
        row->work = row->argument = longest_copy(arch);
}

static bool can_run(const struct tf_arch *arch, const struct bench_row *row)
{
    bool needs_e4m3 = row->program == TF_BENCH_PACK && row->measure == bench_program && (row->argument & 0xF) == FP8;
    if (row->program == TF_BENCH_ATOMIC && row->measure == bench_program)
        return arch->noc.atomics >> (row->argument >> 12) & 1;
    return !needs_e4m3 || !arch->tile[TF_TILE_TENSIX].units.one_fp8;
}

/* Adapt a row to a chip other than the default one. */
static void adapt(const struct tf_arch *arch, struct bench_row *row)
{
    const unsigned all = tf_arch_find(NULL)->tile[TF_TILE_TENSIX].tiles, tiles = arch->tile[TF_TILE_TENSIX].tiles;
    fit_packet(arch, row);
    if (row->tiles == all)
        row->tiles = tiles;
    row->cores &= (1u << arch->tile[TF_TILE_TENSIX].cores) - 1;
    if (row->program == TF_BENCH_MULTICAST && row->measure == bench_program)
        row->work = row->work * tiles / all;
    if (row->program == TF_BENCH_BARRIER && row->measure == bench_program) /* all cores together make one barrier */
        row->work = row->work * all / tiles;
    if (row->figure == BENCH_WORK && strcmp(row->workload, "cb") == 0) { /* as many operations as there are requests */
        row->measure = bench_workload;
        row->figure = BENCH_REQUESTS;
        row->flags &= ~(uint32_t)BENCH_WITH_PEER;
    } else if (row->figure == BENCH_WORK && row->workload != NULL) {
        row->work = row->work * tiles / all; /* matrices have as many columns of tiles as the chip */
    }
}

#define MIX_ALL ("mix-5x" BENCH_N_TILES)
#define BARRIER_ALL ("barrier-" BENCH_N_CORES)

/* Row set `as-clients`: these rows again, driven as hosts drive a chip. They make a call of so many cycles, then look
   at a tile. */
static const char *const client_rows[] = {MIX_ALL,
                                          "mix-1x1",
                                          "atomic1-inc-spread",
                                          "atomic1-inc-contended",
                                          "copy1-256-awaited",
                                          "copy1-16k-awaited",
                                          "reader-writer",
                                          BARRIER_ALL,
                                          "atomic-inc-1t",
                                          "mvmul-bf16-0",
                                          "vector",
                                          "unpack-add-pack"};
static const uint32_t client_clocks[] = {10, 500};
#define CLIENT_CLOCKS (sizeof client_clocks / sizeof client_clocks[0])
#define CLIENT_ROWS (sizeof client_rows / sizeof client_rows[0] * CLIENT_CLOCKS)

static bool as_clients(const struct bench_row *row)
{
    for (unsigned i = 0; i < sizeof client_rows / sizeof client_rows[0]; i++)
        if (strcmp(row->name, client_rows[i]) == 0)
            return true;
    return false;
}

/* Add a row of the table, or nothing if the chip cannot run it. clocks: of the host's calls, or 0. */
static void add_row(const struct tf_arch *arch, const struct bench_row *from, uint32_t clocks, struct bench_row *rows,
                    struct family_row *texts, unsigned *count)
{
    struct bench_row *row = &rows[*count];
    struct family_row *text = &texts[*count];
    char name[40], what[120];
    if (!can_run(arch, from))
        return;
    *row = *from;
    row->host_clocks = clocks;
    renumber(arch, from->name, name, sizeof name);
    renumber(arch, from->what, what, sizeof what);
    if (clocks != 0) {
        row->flags &= ~(uint32_t)BENCH_WITH_RELAXED;
        snprintf(text->name, sizeof text->name, "as-clients-%u-%s", (unsigned)clocks, name);
        snprintf(text->what, sizeof text->what, "%.80s; calls of %u cycles", what, (unsigned)clocks);
    } else {
        memcpy(text->name, name, sizeof name);
        memcpy(text->what, what, sizeof what);
    }
    row->name = text->name;
    row->what = text->what;
    if (arch != tf_arch_find(NULL))
        adapt(arch, row);
    ++*count;
}

struct bench_row *bench_family_rows(const struct tf_arch *arch, unsigned *count)
{
    const unsigned most = bench_row_count + (unsigned)CLIENT_ROWS;
    struct bench_row *rows = calloc(most, sizeof *rows + sizeof(struct family_row));
    struct family_row *texts = rows != NULL ? (struct family_row *)(rows + most) : NULL;
    *count = 0;
    for (unsigned i = 0; i < bench_row_count && rows != NULL; i++)
        add_row(arch, &bench_rows[i], 0, rows, texts, count);
    for (unsigned at = 0; at < CLIENT_CLOCKS && rows != NULL; at++)
        for (unsigned i = 0; i < bench_row_count; i++)
            if (as_clients(&bench_rows[i]))
                add_row(arch, &bench_rows[i], client_clocks[at], rows, texts, count);
    return rows;
}
