/* SPDX-License-Identifier: Apache-2.0 */
/* Creating and destroying a chip. */
#include "farm/chip/access.h"
#include "farm/chip/chip.h"
#include "farm/chip/config.h"
#include "farm/make/create.h"
#include "farm/order/trace.h"
#include "farm/flight/flight.h"
#include "farm/flight/path.h"
#include "farm/chip/dram_tiles.h"
#include "farm/explore/explore.h"
#include "farm/order/deliver.h"
#include "farm/relaxed/sink.h"
#include "farm/relaxed/taken.h"
#include "farm/share/phase.h"
#include "farm/share/plan.h"
#include "farm/transit/depart.h"
#include "farm/transit/transit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/zeroed.h"
#include "noc/nodes/dram_core.h"
#include "noc/whole/eth_service.h"
#include "noc/whole/fabric.h"
#include "pool/form.h"
#include "races/races.h"
#include "tile/tensix/matrix/scratch.h"
#include "tilefarm/tilefarm_config.h"

static int fail_with(struct tf_message *message, int error, const char *what)
{
    if (message != NULL)
        snprintf(message->text, sizeof message->text, "%s", what);
    return error;
}

static struct tf_noc_rules rules_of(const struct tf_config *config)
{
    return (struct tf_noc_rules){.atomics = config->atomics,
                                 .requests_max = config->niu_requests_max,
                                 .shared = config->mode == TF_MODE_RELAXED,
                                 .inline_l1_faults = config->inline_l1_faults,
                                 .host_read = config->on_host_read,
                                 .host_write = config->on_host_write,
                                 .user = config->user};
}

static struct tf_tile_rules tile_rules_of(const struct tf_config *config)
{
    return (struct tf_tile_rules){.shared = config->mode == TF_MODE_RELAXED,
                                  .as_silicon = config->undefined_as_silicon,
                                  .parking = config->parking,
                                  .ordered = config->ordered_memory || config->timing,
                                  .timed = config->timing,
                                  .timed_coarse = config->timing_coarse,
                                  .late_cycles = config->late_cycles};
}

static int create_nodes(struct tf_chip *chip, bool sparse)
{
    const size_t sent_bytes = tf_fabric_sent_bytes(chip->arch);
    chip->tiles.sparse = sparse;
    chip->tiles.rules = tile_rules_of(chip->config);
    chip->tiles.vectors = chip->config->vectors;
    if (!tf_tiles_create(&chip->tiles, chip->arch, sizeof *chip->fabric, sent_bytes))
        return TF_ENOMEM;
    chip->fabric = (struct tf_fabric *)(void *)chip->tiles.beside;
    if (!tf_traces_begin(&chip->observers, &chip->call, &chip->tiles, tf_arch_nodes(chip->arch)))
        return TF_ENOMEM;
    const struct tf_noc_rules rules = rules_of(chip->config);
    int error = tf_fabric_init(chip->fabric, chip->arch, &rules, chip->tiles.tile, chip->tiles.behind);
    chip->alone = (struct tf_eth_routes){.reach = tf_firmware_reaches, .place = tf_firmware_place, .user = chip};
    chip->fabric->routes = &chip->alone;
    chip->core_maker = (struct tf_core_maker){.make = tf_dram_tile_make, .user = chip};
    chip->fabric->cores = &chip->core_maker;
    return error;
}

/* Find a place for each worker. A chip with one worker has no use for the host's topology. */
static int place_workers(struct tf_chip *chip)
{
    const struct tf_config *config = chip->config;
    const struct tf_place_request request = {.threads = config->threads,
                                             .tiles = chip->arch->tile[TF_TILE_TENSIX].tiles,
                                             .pin = config->pin,
                                             .yield = true};
    if (config->threads == 1) {
        chip->topology = (struct tf_topology){.cpus_allowed = 1, .workers = 1};
        chip->topology.worker[0] =
            (struct tf_worker_place){.cpu = -1, .numa_node = TF_NO_NUMA_NODE, .tile_count = request.tiles};
        return TF_OK;
    }
    int error = tf_cpus_find(&chip->cpus);
    if (error == TF_OK)
        tf_place_workers(&chip->cpus, &request, &chip->topology);
    return error;
}

/* Ask for the L1 of tiles in the NUMA node of their home worker. */
static void bind_memory(const struct tf_cpus *cpus, const struct tf_topology *topology, const struct tf_tiles *tiles)
{
    for (unsigned i = 0; cpus->nodes > 1 && i < topology->workers; i++) {
        const struct tf_worker_place *worker = &topology->worker[i];
        if (worker->tile_count != 0)
            tf_cpus_prefer_node(cpus, tiles->l1 + (size_t)worker->tile_first * TF_SLOT_BYTES,
                                (size_t)worker->tile_count * TF_SLOT_BYTES, worker->numa_node);
    }
}

static int share_sites(struct tf_chip *chip)
{
    struct tf_share_plan plan;
    tf_share_plan_make(&plan, &chip->topology, chip->fabric, &chip->tiles);
    plan.cpus = chip->cpus.count != 0 ? &chip->cpus : NULL;
    plan.turn = &chip->epochs.number;
    tf_phases_init(&chip->pacing, &chip->sharing, &chip->workers);
    return tf_sharing_init(&chip->sharing, &chip->workers.team, &plan);
}

static int create_workers(struct tf_chip *chip)
{
    const struct tf_topology *topology = &chip->topology;
    unsigned count = topology->workers;
    struct tf_worker *worker = aligned_alloc(128, count * sizeof *worker);
    if (worker == NULL)
        return TF_ENOMEM;
    memset(worker, 0, count * sizeof *worker);
    chip->workers.worker = worker;
    chip->workers.count = count;
    chip->relaxed = &chip->relaxed_alone; /* a store of the host may issue a request before the first run */
    int cpu[TF_WORKERS_MAX];
    for (unsigned i = 0; i < count; i++) {
        worker[i].chip = chip;
        worker[i].number = i;
        worker[i].scratch = tf_scratch_create();
        if (chip->exploring != NULL || chip->transit != NULL)
            tf_flight_sink(&worker[i]);
        else if (chip->rules.mode == TF_MODE_RELAXED)
            tf_relaxed_sink(&worker[i]);
        else
            tf_deliver_sink(&worker[i]);
        cpu[i] = topology->worker[i].cpu;
    }
    for (unsigned i = 0; i < chip->fabric->nodes; i++)
        chip->site[i].relaxed.quiet = true;
    bool spin = count <= topology->cpus_allowed && (topology->cpu_quota == 0 || count <= topology->cpu_quota);
    const struct tf_team_request request = {.count = count,
                                            .limit = chip->config->threads == 0 ? tf_place_most(topology) : 0,
                                            .cpu = cpu,
                                            .spin = spin};
    int error = tf_team_init(&chip->workers.team, NULL, &request);
    return error == TF_OK ? share_sites(chip) : error;
}

/* Returns false if the host has no memory. */
static bool choose_arch(const struct tf_config *config, const struct tf_arch **arch, struct tf_variant **variant)
{
    *arch = tf_arch_or_default(config->arch);
    if (tf_board_is_default(*arch, &config->board))
        return true;
    *variant = malloc(sizeof **variant);
    if (*variant == NULL)
        return false;
    tf_variant_make(*arch, &config->board, *variant);
    *arch = &(*variant)->arch;
    return true;
}

static int begin_exploring(struct tf_chip *chip)
{
    chip->serial = true;
    chip->exploring = tf_exploring_begin(chip->config, chip->fabric, &chip->tiles);
    if (chip->exploring == NULL)
        return TF_ENOMEM;
    chip->exploring->workers = &chip->workers;
    chip->exploring->epochs = &chip->epochs;
    chip->exploring->observers = &chip->observers;
    return TF_OK;
}

/* arch: the table of the family or of the board; NULL chooses the table of the configuration. */
static int create(struct tf_chip *chip, const struct tf_config *config, const struct tf_arch *arch, bool sparse)
{
    *chip->config = *config;
    chip->rules = tf_rules_of(chip->config);
    chip->call = tf_callbacks_of(chip->config);
    chip->arch = arch;
    if (arch == NULL && !choose_arch(config, &chip->arch, &chip->variant))
        return TF_ENOMEM;
    chip->schedule = tf_schedule_of(config->slice_cycles, config->mode == TF_MODE_RELAXED || config->explore != NULL);
    chip->serial = config->serial_delivery;
    if (config->timing)
        chip->schedule = (struct tf_schedule){.tick_cycles = TF_TRANSIT_TICK_CYCLES,
                                              .slice_ticks = config->timing_coarse ? TF_TRANSIT_TICKS_COARSE : 1};
    chip->epoch_ticks_min = config->epoch_cycles_min / chip->schedule.tick_cycles;
    chip->epoch_ticks_max = config->epoch_cycles_max / chip->schedule.tick_cycles;
    chip->epochs.ticks = config->timing ? 1 : chip->epoch_ticks_min;
    chip->faults.kept = calloc(TF_FAULTS_KEPT, sizeof *chip->faults.kept);
    if (chip->faults.kept == NULL)
        return TF_ENOMEM;
    int error = place_workers(chip);
    if (error != TF_OK)
        return error;
    error = create_nodes(chip, sparse);
    if (error != TF_OK)
        return error;
    error = config->explore != NULL ? begin_exploring(chip) : TF_OK;
    if (error != TF_OK)
        return error;
    if (config->timing && !tf_transit_begin(chip))
        return TF_ENOMEM;
    chip->observers.races = config->check ? tf_races_create(chip->fabric, chip->tiles.code) : NULL;
    if (config->check && chip->observers.races == NULL)
        return TF_ENOMEM;
    error = create_workers(chip);
    if (error == TF_OK)
        bind_memory(&chip->cpus, &chip->topology, &chip->tiles);
    return error;
}

/* One piece of memory: tf_chip_destroy() frees the chip. */
struct made {
    struct tf_chip chip;
    struct tf_config config;
};

int tf_chip_create_on(const struct tf_config *config, const struct tf_arch *arch, bool sparse, struct tf_chip **out)
{
    struct made *made = aligned_alloc(128, (sizeof *made + 127) & ~(size_t)127);
    if (made == NULL)
        return TF_ENOMEM;
    tf_zeroed_touch(made, sizeof *made);
    memset(made, 0, sizeof *made);
    struct tf_chip *chip = &made->chip;
    chip->config = &made->config;
    int error = create(chip, config, arch, sparse);
    if (error == TF_OK)
        *out = chip;
    else
        tf_chip_destroy(chip);
    return error;
}

int tf_chip_create_as(const struct tf_config *config, bool sparse, struct tf_chip **out, struct tf_message *message)
{
    struct tf_config whole;
    if (out == NULL)
        return fail_with(message, TF_EINVAL, "the pointer that returns the chip is NULL");
    int error = tf_config_take(config, &whole, message);
    if (error == TF_OK)
        error = tf_config_check(&whole, message);
    if (error == TF_OK && whole.threads != 1)
        error = tf_cpus_check(message);
    if (error != TF_OK)
        return error;
    error = tf_chip_create_on(&whole, NULL, sparse, out);
    return error == TF_OK ? TF_OK : fail_with(message, error, "too little memory or address space for a chip");
}

int tf_chip_create(const struct tf_config *config, struct tf_chip **out, struct tf_message *message)
{
    return tf_chip_create_as(config, false, out, message);
}

void tf_chip_destroy(struct tf_chip *chip)
{
    if (chip == NULL)
        return;
    tf_team_fini(&chip->workers.team);
    tf_sharing_fini(&chip->sharing);
    tf_exploring_end(chip->exploring);
    tf_transit_end(chip->transit);
    tf_flight_path_end(chip->observers.path);
    tf_forks_end(&chip->forks, chip->fabric);
    for (unsigned i = 0; chip->workers.worker != NULL && i < chip->topology.workers; i++) {
        tf_arena_free(&chip->workers.worker[i].arena[0]);
        tf_arena_free(&chip->workers.worker[i].arena[1]);
        tf_scratch_destroy(chip->workers.worker[i].scratch);
    }
    for (unsigned i = 0; chip->fabric != NULL && i < chip->fabric->nodes; i++)
        tf_relaxed_drop(&chip->site[i]);
    free(chip->workers.worker);
    if (chip->fabric != NULL) {
        tf_dram_tiles_destroy(chip->fabric);
        tf_fabric_fini(chip->fabric);
    }
    tf_races_destroy(chip->observers.races);
    tf_traces_end(&chip->observers, &chip->tiles);
    tf_tiles_destroy(&chip->tiles);
    if (chip->faults.deferred != NULL)
        free(chip->faults.deferred->fault);
    free(chip->faults.deferred);
    free(chip->faults.kept);
    tf_cpus_free(&chip->cpus);
    free(chip->variant);
    free(chip);
}

void tf_chip_board(const struct tf_chip *chip, struct tf_board *board)
{
    *board = chip->arch->board;
}

const struct tf_arch *tf_chip_arch(const struct tf_chip *chip)
{
    return chip->arch;
}

void tf_topology_get(struct tf_chip *chip, struct tf_topology *topology)
{
    if (chip->topology.cpus_online == 0)
        tf_place_on_host(&(struct tf_place_request){.threads = 1, .tiles = chip->topology.worker[0].tile_count},
                         &chip->topology);
    *topology = chip->topology;
    const struct tf_team *team = &chip->workers.team;
    if (team->present < team->count)
        snprintf(topology->warning, sizeof topology->warning, "%u workers instead of %u: %s", team->present,
                 team->count, team->refused ? "the host refused to start more threads" : "other chips have the CPUs");
}
