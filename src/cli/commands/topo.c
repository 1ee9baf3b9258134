/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm topo`: show the CPU of each worker thread, and its tiles, and draw the host. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/board.h"
#include "cli/commands/topo.h"
#include "cli/options/options.h"
#include "cli/text.h"
#include "pool/draw.h"
#include "tilefarm/tilefarm_config.h"
#include "tile/arch.h"

struct topo {
    struct tf_config config;
    struct tf_board_options board;
};

static const struct tf_option options[] = {
    TF_OPTION_OF_ARCH(struct topo, config.arch),
    TF_OPTIONS_OF_BOARD(struct topo, board),
    TF_OPTION_OF_THREADS(offsetof(struct topo, config.threads)),
    {.name = "no-pin",
     .help = "do not pin worker threads to CPUs",
     .kind = TF_OPTION_CLEAR,
     .offset = offsetof(struct topo, config.pin)},
};

static const struct tf_usage usage = {
    .examples = "tilefarm topo --threads 4\n",
    .synopsis = "topo [--arch NAME] [--board NAME] [--threads N|auto] [--no-pin]",
    .text = "Show the CPUs that this process may use, the CPU of each worker thread, and the tiles that it "
            "simulates. Then draw the host as hwloc sees it: packages, NUMA nodes with their distances, shared caches, "
            "cores and CPUs. HWLOC_XMLFILE and HWLOC_SYNTHETIC describe another machine.\n",
    .option = options,
    .options = sizeof options / sizeof options[0],
};

static void print_number(char *text, size_t bytes, int value)
{
    if (value < 0)
        snprintf(text, bytes, "-");
    else
        snprintf(text, bytes, "%d", value);
}

static void print_worker(const struct tf_arch *arch, unsigned number, const struct tf_worker_place *place)
{
    char cpu[16], node[16];
    print_number(cpu, sizeof cpu, place->cpu);
    print_number(node, sizeof node, place->numa_node);
    printf("%6u  %4s  %4s  %7s  ", number, cpu, node, place->smt_sibling ? "sibling" : "-");
    struct tf_coord first, last;
    if (place->tile_count == 0 || tf_tile_coord(arch, place->tile_first, &first) != TF_OK ||
        tf_tile_coord(arch, place->tile_first + place->tile_count - 1, &last) != TF_OK)
        printf("none\n");
    else
        printf("%3u  %3u-%-3u  (%u,%u) to (%u,%u)\n", place->tile_count, place->tile_first,
               place->tile_first + place->tile_count - 1, first.x, first.y, last.x, last.y);
}

static void print_topology(const struct tf_arch *arch, const struct tf_topology *topology)
{
    printf("CPUs       %u online, %u allowed, on %u core%s in %u NUMA node%s\n", topology->cpus_online,
           topology->cpus_allowed, topology->cores, topology->cores == 1 ? "" : "s", topology->numa_nodes,
           topology->numa_nodes == 1 ? "" : "s");
    if (topology->cpu_quota > 0)
        printf("quota      %.2f CPUs, by the control group\n", topology->cpu_quota);
    if (topology->others > 0)
        printf("load       %u other thread%s want%s a CPU\n", topology->others, topology->others == 1 ? "" : "s",
               topology->others == 1 ? "s" : "");
    printf("workers    %u, %s\n", topology->workers, topology->pinned ? "each pinned to a CPU" : "not pinned");
    if (topology->warning[0] != '\0')
        printf("warning    %s\n", topology->warning);
    printf("\nworker   cpu  NUMA      SMT  tiles (index, NOC 0 coordinates)\n");
    for (unsigned i = 0; i < topology->workers; i++)
        print_worker(arch, i, &topology->worker[i]);
}

/* The worker that is pinned to a CPU, or -1. */
static int worker_of(const void *context, int cpu)
{
    const struct tf_topology *topology = context;
    for (unsigned i = 0; i < topology->workers; i++)
        if (topology->worker[i].cpu == cpu)
            return (int)i;
    return -1;
}

static void draw_host(const struct tf_topology *topology)
{
    char *text = tf_host_draw(worker_of, topology);
    if (text != NULL)
        printf("\n%s", text);
    free(text);
}

static int show_topology(const struct topo *topo)
{
    struct tf_chip *chip;
    struct tf_message message;
    if (tf_chip_create(&topo->config, &chip, &message) != TF_OK) {
        tf_cli_error("%s", message.text);
        return TF_EXIT_FAILED;
    }
    struct tf_topology topology;
    tf_topology_get(chip, &topology);
    print_topology(tf_chip_arch(chip), &topology);
    draw_host(&topology);
    tf_chip_destroy(chip);
    return tf_cli_finish(TF_EXIT_OK);
}

int tf_cli_topo(int argc, char **argv)
{
    struct topo topo = {.board.variant = NULL};
    tf_config_init(&topo.config);
    int first, code = tf_cli_options(argc, argv, &usage, &topo, &first);
    if (code >= 0)
        return code;
    code = tf_board_settle(&topo.board, &topo.config.arch) ? show_topology(&topo) : TF_EXIT_USAGE;
    tf_board_free(&topo.board);
    return code;
}
