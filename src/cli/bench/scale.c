/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm bench --scale-threads`: speed-up and efficiency of some rows, from one thread to all CPUs of the host. */
#include <stdio.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/bench/report.h"
#include "cli/bench/scale.h"
#include "pool/place.h"

/* The rows of --scale-threads without names. In order: cores alone; coprocessors with DRAM and multicasts; bulk between
   all tiles. Then two cores a tile that wait for each answer, and tests side by side. */
static const char *const own_rows[] = {"mixed", "matmul-bf16-hifi4", "allreduce-66k", "reader-writer", "small-runs"};

void bench_scale_rows(const struct bench_options *options, bool *chosen)
{
    for (unsigned i = 0; i < options->rows; i++)
        for (unsigned k = 0; k < sizeof own_rows / sizeof own_rows[0]; k++)
            chosen[i] = chosen[i] || strcmp(options->row[i].name, own_rows[k]) == 0;
}

/* Cores and NUMA nodes of the first workers. */
static void count_parts(const struct tf_topology *topology, unsigned workers, unsigned *cores, unsigned *nodes)
{
    *cores = 0, *nodes = 0;
    for (unsigned i = 0; i < workers; i++) {
        const struct tf_worker_place *worker = &topology->worker[i];
        bool known = false;
        for (unsigned k = 0; k < i; k++)
            known = known || topology->worker[k].numa_node == worker->numa_node;
        *cores += !worker->smt_sibling;
        *nodes += !known;
    }
}

/* Do sides have this number of workers? Powers of two do, and all cores of the first nodes, all cores, all CPUs. */
static bool is_measured(const struct tf_topology *topology, unsigned workers)
{
    const struct tf_worker_place *last = &topology->worker[workers - 1], *next = last + 1;
    if (workers == topology->workers || (workers & (workers - 1)) == 0)
        return true;
    return !last->smt_sibling && (next->smt_sibling || next->numa_node != last->numa_node);
}

unsigned bench_scale_sides(const struct bench_options *options, struct bench_side *side, unsigned most)
{
    struct tf_topology topology;
    const unsigned tiles = options->arch->tile[TF_TILE_TENSIX].tiles;
    unsigned count = 0;
    struct tf_place_request request = {.tiles = tiles, .pin = true};
    tf_place_on_host(&request, &topology);
    unsigned all = topology.cpus_allowed, quota = (unsigned)(topology.cpu_quota + 0.999);
    all = quota > 0 && quota < all ? quota : all;
    all = all < tiles ? all : tiles;
    request.threads = all;
    tf_place_on_host(&request, &topology);
    for (unsigned workers = 1; workers <= topology.workers && count < most; workers++) {
        struct bench_side *at = &side[count];
        if (!is_measured(&topology, workers))
            continue;
        *at = (struct bench_side){.kind = BENCH_FARM, .mode = TF_MODE_DETERMINISTIC, .threads = workers};
        snprintf(at->name, sizeof at->name, "%u", workers);
        count_parts(&topology, workers, &at->cores, &at->nodes);
        count++;
    }
    return count;
}

double bench_efficiency(const struct bench_side *side, double speed_up)
{
    return speed_up / (side->cores != 0 ? side->cores : side->threads);
}

void bench_scale_head(void)
{
    printf("%-20s %7s %6s %6s %10s  %-5s %8s %10s\n", "row", "threads", "cores", "nodes", "median", "unit", "speed-up",
           "efficiency");
    fflush(stdout);
}

void bench_scale_print(const struct bench_line *line, unsigned sides)
{
    for (unsigned i = 0; i < sides; i++) {
        const struct bench_side *side = &line[i].side;
        double speed_up = i == 0 ? 1 : line[i].speed_up;
        char median[BENCH_FIGURE_BYTES];
        printf("%-20s %7u %6u %6u ", line[i].row->name, side->threads, side->cores, side->nodes);
        if (!line[i].right)
            printf("failed: %s\n", line[i].why);
        else
            printf("%10s  %-5s %6.2f x %8.0f %%%s%s\n", bench_figure(line[i].median, median), line[i].row->unit,
                   speed_up, 100 * bench_efficiency(side, speed_up), i == 0 ? "  " : "",
                   i == 0 ? line[i].row->what : "");
    }
    fflush(stdout);
}
