/* SPDX-License-Identifier: Apache-2.0 */
/* Creating and destroying a chip. */
#include "farm/chip/chip.h"
#include "farm/chip/create.h"
#include "farm/chip/memory.h"
#include "farm/chip/run.h"
#include "farm/chip/trace.h"
#include "farm/order/deliver.h"
#include "farm/share/phase.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/zeroed.h"
#include "noc/niu.h"
#include "tile/riscv/code/code.h"
#include "tile/tensix/vectors.h"

static int fail_with(struct tf_message *message, int error, const char *what)
{
    if (message != NULL)
        snprintf(message->text, sizeof message->text, "%s", what);
    return error;
}

/* *memory: of the next tile. */
static bool create_tiles_of(struct tf_chip *chip, const struct tf_tile_arch *kind, uint8_t **memory)
{
    const struct tf_arch *arch = chip->arch;
    for (unsigned number = 0; number < tf_arch_nodes(arch); number++) {
        if (kind->tiles == 0 || arch->place[number].kind != kind->node)
            continue;
        struct tf_coord coord = {.x = (uint8_t)(number % arch->grid_x), .y = (uint8_t)(number / arch->grid_x)};
        unsigned index = chip->tiles;
        if (!tf_tile_init(&chip->tile[index], kind, coord, (uint16_t)index, chip->l1 + (size_t)index * TF_SLOT_BYTES,
                          *memory, chip->code, &chip->config))
            return false;
        *memory += tf_tile_memory_bytes(kind);
        if (kind->coprocessor)
            tf_vectors_choose(&chip->tile[index], chip->config.vectors);
        chip->tiles++;
    }
    return true;
}

/*
 * One mapping for the structs of all tiles and the memory behind each. A mapping per tile would cost more calls of the
 * host than the rest of a short run. Bench row: startup. Returns the memory of the first tile; NULL: none.
 */
static uint8_t *take_tiles(struct tf_chip *chip)
{
    const struct tf_arch *arch = chip->arch;
    size_t structs = tf_arch_tiles(arch) * sizeof *chip->tile;
    size_t begin = (structs + TF_ZEROED_PAGE_BYTES - 1) / TF_ZEROED_PAGE_BYTES * TF_ZEROED_PAGE_BYTES;
    chip->tile_bytes = begin;
    for (unsigned kind = 0; kind < TF_TILE_KINDS; kind++)
        chip->tile_bytes += arch->tile[kind].tiles * tf_tile_memory_bytes(&arch->tile[kind]);
    uint8_t *memory = tf_zeroed_take(chip->tile_bytes);
    if (memory == NULL)
        return NULL;
    tf_zeroed_touch(memory, structs);
    chip->tile = (struct tf_tile *)(void *)memory;
    return memory + begin;
}

static int create_tiles(struct tf_chip *chip)
{
    const struct tf_arch *arch = chip->arch;
    unsigned tiles = tf_arch_tiles(arch);
    chip->l1 = tf_slots_reserve(tiles, &chip->l1_bytes);
    chip->code = tf_code_cache_create(tf_arch_extensions(arch));
    if (chip->code != NULL && arch->tile[TF_TILE_TENSIX].opcode != NULL)
        tf_code_cache_push_as(chip->code, &arch->tile[TF_TILE_TENSIX]);
    if (chip->code != NULL && arch->niu != NULL)
        tf_code_cache_bursts(chip->code, tf_niu_layout_kept(arch->niu));
    uint8_t *memory = take_tiles(chip);
    chip->fabric = tf_zeroed_take(sizeof *chip->fabric);
    if (chip->l1 == NULL || chip->code == NULL || memory == NULL || chip->fabric == NULL)
        return TF_ENOMEM;
    tf_zeroed_touch(chip->fabric, sizeof *chip->fabric);
    for (unsigned kind = 0; kind < TF_TILE_KINDS; kind++)
        if (!create_tiles_of(chip, &arch->tile[kind], &memory))
            return TF_ENOMEM;
    if (!tf_traces_begin(chip))
        return TF_ENOMEM;
    return tf_fabric_init(chip->fabric, arch, &chip->config, chip->tile);
}

static void create_site(struct tf_chip *chip, unsigned number)
{
    struct tf_site *site = &chip->site[number];
    unsigned workers = chip->topology.workers;
    site->relaxed.quiet = true;
    const struct tf_node *node = &chip->fabric->node[number];
    const struct tf_tile *tile = node->tile;
    chip->sharing.home[number] = (uint16_t)((node->dram != NULL ? node->index : number) % workers);
    if (node->dram != NULL && node->site == number) /* the first port of a channel */
        tf_sites_add(&chip->sharing.channels, number);
    if (node->pcie != NULL) {
        tf_sites_add(&chip->sharing.callers, number);
        chip->sharing.home[number] = 0;
    }
    for (unsigned i = 0; tile != NULL && tile->index < tf_chip_tensix_tiles(chip) && i < workers; i++)
        if (tile->index >= chip->topology.worker[i].tile_first)
            chip->sharing.home[number] = (uint16_t)i;
}

static int create_workers(struct tf_chip *chip)
{
    unsigned count = chip->topology.workers;
    chip->worker = aligned_alloc(128, count * sizeof *chip->worker);
    if (chip->worker == NULL)
        return TF_ENOMEM;
    memset(chip->worker, 0, count * sizeof *chip->worker);
    int cpu[TF_WORKERS_MAX];
    for (unsigned i = 0; i < count; i++) {
        chip->worker[i].chip = chip;
        chip->worker[i].number = i;
        if (chip->exploring != NULL)
            tf_exploring_sink(&chip->worker[i]);
        else if (chip->config.mode == TF_MODE_RELAXED)
            tf_relaxed_sink(&chip->worker[i]);
        else
            tf_deliver_sink(&chip->worker[i]);
        cpu[i] = chip->topology.worker[i].cpu;
    }
    for (unsigned i = 0; i < chip->sites; i++)
        create_site(chip, i);
    bool spin = count <= chip->topology.cpus_allowed &&
                (chip->topology.cpu_quota == 0 || count <= chip->topology.cpu_quota);
    int error = tf_workers_init(&chip->workers, count, cpu, spin);
    if (error == TF_OK)
        tf_sharing_init(chip);
    return error;
}

/* False: no memory. */
static bool choose_arch(struct tf_chip *chip, const struct tf_config *config)
{
    chip->arch = config->arch != NULL ? config->arch : tf_arch_find(NULL);
    if (tf_board_is_default(chip->arch, &config->board))
        return true;
    chip->variant = malloc(sizeof *chip->variant);
    if (chip->variant == NULL)
        return false;
    tf_variant_make(chip->arch, &config->board, chip->variant);
    chip->arch = &chip->variant->arch;
    return true;
}

/* arch: the family's or the board's table; NULL: that of the configuration. */
static int create(struct tf_chip *chip, const struct tf_config *config, const struct tf_arch *arch)
{
    chip->config = *config;
    chip->arch = arch;
    if (arch == NULL && !choose_arch(chip, config))
        return TF_ENOMEM;
    chip->schedule.slice_cycles = config->slice_cycles;
    chip->epochs.slices = config->epoch_cycles_min / config->slice_cycles;
    tf_topology_find(config->threads, config->pin, true, tf_chip_tensix_tiles(chip), &chip->topology);
    chip->faults.kept = calloc(TF_FAULTS_KEPT, sizeof *chip->faults.kept);
    if (chip->faults.kept == NULL)
        return TF_ENOMEM;
    int error = create_tiles(chip);
    if (error != TF_OK)
        return error;
    chip->sites = chip->fabric->nodes;
    error = tf_exploring_begin(chip);
    if (error != TF_OK)
        return error;
    chip->races = config->check ? tf_races_create(chip->fabric, chip->code) : NULL;
    if (config->check && chip->races == NULL)
        return TF_ENOMEM;
    tf_phases_init(chip);
    error = create_workers(chip);
    if (error == TF_OK)
        tf_topology_bind(chip);
    return error;
}

int tf_chip_create_on(const struct tf_config *config, const struct tf_arch *arch, struct tf_chip **out)
{
    struct tf_chip *chip = aligned_alloc(128, (sizeof *chip + 127) & ~(size_t)127);
    if (chip == NULL)
        return TF_ENOMEM;
    memset(chip, 0, sizeof *chip);
    int error = create(chip, config, arch);
    if (error == TF_OK)
        *out = chip;
    else
        tf_chip_destroy(chip);
    return error;
}

int tf_chip_create(const struct tf_config *config, struct tf_chip **out, struct tf_message *message)
{
    struct tf_config defaults;
    tf_config_init(&defaults);
    if (config == NULL)
        config = &defaults;
    if (out == NULL)
        return fail_with(message, TF_EINVAL, "no place for the chip was given");
    int error = tf_config_check(config, message);
    if (error != TF_OK)
        return error;
    error = tf_chip_create_on(config, NULL, out);
    return error == TF_OK ? TF_OK : fail_with(message, error, "too little memory or address space for a chip");
}

void tf_chip_destroy(struct tf_chip *chip)
{
    if (chip == NULL)
        return;
    tf_workers_fini(&chip->workers);
    tf_exploring_end(chip);
    tf_forks_end(chip);
    for (unsigned i = 0; chip->worker != NULL && i < chip->topology.workers; i++) {
        tf_arena_free(&chip->worker[i].arena[0]);
        tf_arena_free(&chip->worker[i].arena[1]);
    }
    for (unsigned i = 0; i < TF_NODES_MAX; i++)
        tf_relaxed_drop(&chip->site[i]);
    free(chip->worker);
    free(chip->rehearsal);
    if (chip->fabric != NULL)
        tf_fabric_fini(chip->fabric);
    for (unsigned i = 0; i < chip->tiles; i++)
        tf_tile_fini(&chip->tile[i]);
    tf_traces_end(chip);
    tf_races_destroy(chip->races);
    tf_zeroed_give(chip->fabric, sizeof *chip->fabric);
    tf_zeroed_give(chip->tile, chip->tile_bytes);
    if (chip->code != NULL)
        tf_code_cache_destroy(chip->code);
    tf_slots_release(chip->l1, chip->l1_bytes);
    free(chip->faults.kept);
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
    *topology = chip->topology;
    const struct tf_workers *workers = &chip->workers;
    if (workers->present < workers->count)
        snprintf(topology->warning, sizeof topology->warning,
                 "%u workers instead of %u: the host refused the thread of another", workers->present, workers->count);
}
