/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the figures of the HTML report. */
#include "look/facts.h"

#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include "debug/depth.h"
#include "host/text.h"
#include "look/critical.h"
#include "look/page.h"
#include "tile/arch.h"

static void __attribute__((format(printf, 4, 5)))
add(struct tf_page_figure *figure, unsigned *count, const char *name, const char *format, ...)
{
    va_list args;
    if (*count == TF_PAGE_FIGURES_MAX)
        return;
    figure[*count].name = name;
    va_start(args, format);
    vsnprintf(figure[*count].value, sizeof figure[*count].value, format, args);
    va_end(args);
    ++*count;
}

/* What has run, and when. cluster: that of a system, or NULL. */
static void add_about(struct tf_page_facts *facts, const struct tf_arch *arch, const struct tf_cluster *cluster)
{
    const time_t now = time(NULL);
    struct tf_shape shape;
    struct tm utc;
    char date[32];
    tf_arch_shape(arch, &shape);
#define ADD(name, ...) add(facts->about, &facts->abouts, name, __VA_ARGS__)
    ADD("family", "%s", shape.title);
    ADD("board", "%s", cluster != NULL ? cluster->chip[0].board.name : arch->board.name);
    if (cluster != NULL) {
        ADD("chips", "%u", cluster->chips);
        ADD("links", "%u", cluster->links);
    }
    ADD("tilefarm", "%s", tf_version());
    if (gmtime_r(&now, &utc) != NULL && strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc) != 0)
        ADD("date", "%s", date);
#undef ADD
}

/* --- time --- */

static void add_use(struct tf_page_use *use, uint64_t busy, double cycles)
{
    const double share = (double)busy / cycles;
    use->mean += share;
    use->most = share > use->most ? share : use->most;
}

/* The links between a tile and the NOCs. */
static void add_links(struct tf_page_use *use, const struct tf_tile_times *times, double cycles)
{
    for (unsigned noc = 0; noc < 2; noc++) {
        add_use(use, times->noc_out[noc], cycles);
        add_use(use, times->noc_in[noc], cycles);
    }
}

static void add_share(struct tf_page_shares *shares, const char *name, uint64_t cycles)
{
    if (shares->parts == TF_PAGE_SHARES_MAX || cycles == 0)
        return;
    snprintf(shares->part[shares->parts].name, sizeof shares->part[0].name, "%s", name);
    shares->part[shares->parts++].cycles = cycles;
}

/* Add what the cores of a tile have spent. Returns the sum. */
static uint64_t add_cores(struct tf_chip *chip, unsigned tile, uint64_t spent[TF_SPENTS])
{
    struct tf_core_times core;
    uint64_t cycles = 0;
    for (unsigned i = 0; tf_core_times(chip, tile, (enum tf_core)i, &core) == TF_OK; i++) {
        cycles += core.cycles;
        for (unsigned s = 0; s < TF_SPENTS; s++)
            spent[s] += core.spent[s];
    }
    return cycles;
}

enum { PRODUCTS = TF_UNIT_TIMES, LINKS, CHANNELS };

_Static_assert(CHANNELS + 1 == TF_PAGE_USES, "as many rows");

/* For which share of their time were units, links and channels busy? The means are of tiles that ran. */
static void add_uses(struct tf_page_facts *facts, struct tf_chip *chip, double cycles)
{
    struct tf_tile_times times;
    uint64_t spent[TF_SPENTS] = {0}, busy;
    unsigned tiles = 0, channels = 0;
    for (unsigned tile = 0; tf_tile_times(chip, tile, &times) == TF_OK; tile++) {
        uint64_t unit[TF_UNIT_TIMES];
        const uint64_t ran = add_cores(chip, tile, spent);
        tiles += ran != 0;
        facts->spent.whole += ran;
        tf_unit_times(&times, unit);
        for (unsigned i = 0; i < TF_UNIT_TIMES; i++)
            add_use(&facts->use[i], unit[i], cycles);
        add_use(&facts->use[PRODUCTS], times.mvmul, cycles);
        add_links(&facts->use[LINKS], &times, cycles);
    }
    for (; tf_dram_times(chip, channels, &busy) == TF_OK; channels++)
        add_use(&facts->use[CHANNELS], busy, cycles);
    for (unsigned i = 0; i < CHANNELS && tiles != 0; i++)
        facts->use[i].mean /= i == LINKS ? 4 * tiles : tiles;
    if (channels != 0)
        facts->use[CHANNELS].mean /= channels;
    for (unsigned s = 0; s < TF_SPENTS; s++)
        add_share(&facts->spent, tf_spent_text(s), spent[s]);
}

static void add_path(struct tf_page_shares *shares, const struct tf_critical *path, bool by_line)
{
    const struct tf_critical_sums sums = tf_critical_add_up(path, by_line);
    for (size_t i = 0; sums.sum != NULL && i < sums.count; i++)
        add_share(shares, sums.sum[i].name, sums.sum[i].cycles);
    shares->whole = sums.whole;
    free(sums.sum);
}

static void add_paths(struct tf_page_facts *facts, const struct tf_critical *path)
{
    add_path(&facts->by_kind, path, false);
    add_path(&facts->by_line, path, true);
}

/* What timing mode tells. */
static void add_times(struct tf_page_facts *facts, struct tf_chip *chip, uint64_t cycles)
{
    static const char *const name[] = {"MVMULs, of their peak", "links of NIUs", "DRAM channels"};
    struct tf_tile_times times;
    struct tf_critical path;
    facts->timed = cycles != 0 && tf_tile_times(chip, 0, &times) == TF_OK;
    for (unsigned i = 0; i < TF_PAGE_USES; i++)
        facts->use[i].name = i < TF_UNIT_TIMES ? tf_unit_time_name(i) : name[i - TF_UNIT_TIMES];
    if (!facts->timed)
        return;
    add_uses(facts, chip, (double)cycles);
    if (tf_critical_open(&path, chip, facts->symbols) == TF_OK)
        add_paths(facts, &path);
    tf_critical_close(&path);
}

void tf_page_system_path(struct tf_page_facts *facts, struct tf_system *system, struct tf_symbols *const *symbols)
{
    struct tf_critical path;
    if (tf_critical_open_system(&path, system, symbols) == TF_OK)
        add_paths(facts, &path);
    tf_critical_close(&path);
}

/* Bytes, and the same in a larger unit. */
static void add_bytes(struct tf_page_facts *facts, const char *name, uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    char text[TF_GROUPED_BYTES];
    double value = (double)bytes / 1024;
    unsigned i = 0;
    for (; value >= 1024 && i + 1 < sizeof units / sizeof units[0]; i++)
        value /= 1024;
    tf_text_grouped(bytes, text);
    if (bytes < 8192)
        add(facts->figure, &facts->figures, name, "%s", text);
    else
        add(facts->figure, &facts->figures, name, "%s (%.*f %s)", text, i == 0 ? 0 : 1, value, units[i]);
}

static void add_run(struct tf_page_facts *facts, struct tf_chip *chip, const struct tf_stats *stats)
{
    char text[TF_GROUPED_BYTES];
#define ADD(name, value) add(facts->figure, &facts->figures, name, "%s", tf_text_grouped(value, text))
    ADD("cycles", stats->cycles);
    ADD("epochs", stats->epochs);
    ADD("instructions retired", stats->instructions);
    ADD("instructions executed", stats->instructions_executed);
    ADD("NOC requests", stats->noc_requests);
    add_bytes(facts, "NOC bytes", stats->noc_bytes);
    ADD("NOC atomics", stats->noc_atomics);
    ADD("faults", stats->faults);
    ADD("hazards", stats->hazards);
#undef ADD
    add(facts->figure, &facts->figures, "state hash", "%016llx", (unsigned long long)tf_state_hash(chip));
}

/* The deepest stack of each core, of local RAM above the program's data. */
static void add_stacks(struct tf_page_facts *facts, struct tf_chip *chip)
{
    static const char *const name[] = {"stack of B", "stack of NC", "stack of T0", "stack of T1", "stack of T2"};
    struct tf_deepest deepest;
    for (unsigned core = 0; core < sizeof name / sizeof name[0]; core++)
        if (tf_stack_deepest(chip, facts->symbols, core, &deepest))
            add(facts->figure, &facts->figures, name[core], "%u of %u bytes, in tile %u", deepest.depth.used,
                deepest.depth.room, deepest.tile);
}

static void add_host(struct tf_page_facts *facts, struct tf_chip *chip, const struct tf_stats *stats)
{
    struct tf_topology topology;
    tf_topology_get(chip, &topology);
#define ADD(name, ...) add(facts->host, &facts->hosts, name, __VA_ARGS__)
    ADD("workers", "%u", stats->workers);
    ADD("CPUs allowed", "%u of %u", topology.cpus_allowed, topology.cpus_online);
    ADD("time", "%.2f s", stats->wall_s);
    ADD("CPU time", "%.2f s", stats->cpu_s);
    const double mips = stats->wall_s > 0 ? (double)stats->instructions_executed / stats->wall_s * 1e-6 : 0;
    ADD("speed", "%.*f MIPS", mips < 10 ? 1 : 0, mips);
    ADD("running tiles", "%.2f s", stats->run_s);
    ADD("delivering requests", "%.2f s", stats->deliver_s);
    ADD("waiting for other workers", "%.2f s", stats->wait_s);
    ADD("tiles stolen", "%llu", (unsigned long long)stats->steals);
#undef ADD
}

void tf_page_figures(struct tf_page_facts *facts, struct tf_chip *chip)
{
    struct tf_stats stats;
    tf_stats(chip, &stats);
    add_about(facts, tf_chip_arch(chip), NULL);
    add_times(facts, chip, stats.cycles);
    add_run(facts, chip, &stats);
    if (!facts->filled)
        add_stacks(facts, chip);
    add_host(facts, chip, &stats);
}

void tf_page_add_stats(struct tf_stats *sum, const struct tf_stats *chip)
{
    sum->epochs += chip->epochs;
    sum->instructions += chip->instructions;
    sum->instructions_executed += chip->instructions_executed;
    sum->noc_requests += chip->noc_requests;
    sum->noc_bytes += chip->noc_bytes;
    sum->noc_atomics += chip->noc_atomics;
    sum->faults += chip->faults;
    sum->hazards += chip->hazards;
}

void tf_page_system_figures(struct tf_page_facts *facts, const struct tf_cluster *cluster, const struct tf_stats *stats,
                            uint64_t hash)
{
    char text[32];
    add_about(facts, cluster->arch, cluster);
#define ADD(name, value) tf_text_grouped(value, text), add(facts->figure, &facts->figures, name, "%s", text)
    ADD("cycles", stats->cycles);
    ADD("instructions retired", stats->instructions);
    ADD("instructions executed", stats->instructions_executed);
    ADD("NOC requests", stats->noc_requests);
    ADD("NOC bytes", stats->noc_bytes);
    ADD("faults", stats->faults);
    ADD("hazards", stats->hazards);
#undef ADD
    add(facts->figure, &facts->figures, "state hash", "%016llx", (unsigned long long)hash);
    add(facts->host, &facts->hosts, "workers", "%u", stats->workers);
    if (stats->wall_s == 0)
        return;
    add(facts->host, &facts->hosts, "time", "%.2f s", stats->wall_s);
    add(facts->host, &facts->hosts, "CPU time", "%.2f s", stats->cpu_s);
}
