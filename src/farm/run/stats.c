/* SPDX-License-Identifier: Apache-2.0 */
/* Queries between runs: statistics and the state hash. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "farm/chip/chip.h"
#include "farm/transit/saved.h"
#include "farm/transit/transit.h"
#include "farm/chip/figures.h"
#include "farm/epoch/time.h"
#include "farm/order/deliver.h"
#include "farm/run/stats.h"
#include "noc/whole/fabric.h"
#include "tile/riscv/hart/settle.h"

void tf_stats(struct tf_chip *chip, struct tf_stats *stats)
{
    tf_forks_settle_all(&chip->forks, chip->fabric);
    if (!chip->fabric->rules.shared)
        tf_tiles_catch_up(&chip->tiles, chip->fabric, &chip->schedule, chip->epochs.tick);
    *stats = (struct tf_stats){
        .epochs = chip->epochs.number,
        .cycles = chip->epochs.cycles,
        .faults = chip->faults.faults,
        .hazards = chip->faults.hazards,
        .workers = chip->workers.team.present,
        .wall_s = chip->host.wall_s,
        .cpu_s = chip->host.cpu_s,
        .spins = chip->workers.team.spins,
        .blocks = chip->workers.team.blocks,
        .wait_s = chip->workers.team.wait_s,
    };
    for (unsigned i = 0; i < chip->tiles.count; i++) {
        stats->instructions += tf_tile_instructions(&chip->tiles.tile[i]);
        stats->instructions_executed += chip->tiles.tile[i].figures.executed;
    }
    for (unsigned i = 0; i < chip->fabric->nodes; i++) {
        const struct tf_tile *tile = tf_dram_tile(&chip->fabric->node[i]);
        stats->instructions += tile != NULL ? tf_tile_instructions(tile) : 0;
        stats->instructions_executed += tile != NULL ? tile->figures.executed : 0;
        for (unsigned noc = 0; noc < 2; noc++) {
            const struct tf_niu *niu = &chip->fabric->node[i].niu[noc];
            stats->noc_requests += niu->requests;
            stats->noc_bytes += niu->bytes;
            stats->noc_atomics += niu->atomics;
        }
    }
    for (unsigned i = 0; i < chip->workers.count; i++) {
        stats->steals += chip->workers.worker[i].figures.steals;
        stats->spins += chip->workers.worker[i].relaxed.idle_spins;
        stats->blocks += chip->workers.worker[i].relaxed.idle_sleeps;
        stats->run_s += chip->workers.worker[i].figures.run_s;
        stats->deliver_s += chip->workers.worker[i].figures.deliver_s;
        if (i == 0)
            continue;
        stats->spins += chip->workers.team.member[i].spins;
        stats->blocks += chip->workers.team.member[i].blocks;
        stats->wait_s += chip->workers.team.member[i].wait_s;
    }
}

int tf_worker_stats(struct tf_chip *chip, unsigned number, struct tf_worker_stats *stats)
{
    if (chip == NULL || stats == NULL || number >= chip->workers.team.present)
        return TF_ERANGE;
    const struct tf_worker *worker = &chip->workers.worker[number];
    const struct tf_team *team = &chip->workers.team;
    const struct tf_member *member = number != 0 ? &team->member[number] : NULL;
    *stats = (struct tf_worker_stats){
        .instructions = worker->figures.instructions,
        .slices = worker->figures.slices,
        .pages = worker->figures.pages,
        .requests = worker->figures.requests,
        .deliveries = worker->figures.deliveries,
        .steals = worker->figures.steals,
        .spins = (member != NULL ? member->spins : team->spins) + worker->relaxed.idle_spins,
        .blocks = (member != NULL ? member->blocks : team->blocks) + worker->relaxed.idle_sleeps,
        .run_s = worker->figures.run_s,
        .deliver_s = worker->figures.deliver_s,
        .wait_s = member != NULL ? member->wait_s : team->wait_s,
    };
    return TF_OK;
}

void tf_any_tile_stats(struct tf_chip *chip, unsigned tile, struct tf_tile_stats *stats)
{
    unsigned number = tf_node_number(chip->arch, chip->tiles.tile[tile].coord);
    tf_forks_settle(&chip->forks, chip->fabric, number);
    if (!chip->fabric->rules.shared)
        tf_tile_catch_up(&chip->tiles.tile[tile], &chip->schedule, chip->epochs.tick);
    const struct tf_node *node = &chip->fabric->node[number];
    *stats = (struct tf_tile_stats){
        .instructions = tf_tile_instructions(&chip->tiles.tile[tile]),
        .noc_requests = tf_node_requests(node),
        .noc_bytes = node->niu[0].bytes + node->niu[1].bytes,
        .noc_atomics = node->niu[0].atomics + node->niu[1].atomics,
        .noc_bytes_in = node->niu[0].bytes_in + node->niu[1].bytes_in,
        .worker = chip->sharing.plan.home[number],
    };
}

int tf_tile_stats(struct tf_chip *chip, unsigned tile, struct tf_tile_stats *stats)
{
    if (chip == NULL || stats == NULL || tile >= chip->tiles.tensix)
        return TF_ENODEV;
    tf_any_tile_stats(chip, tile, stats);
    return TF_OK;
}

static void hash_response(const struct tf_noc_response *response, struct tf_hash *hash)
{
    tf_hash_u64(hash, response->entry.key);
    tf_hash_u32(hash, response->entry.node);
    tf_hash_u32(hash, response->kind | response->noc << 8 | response->tid << 16 | (uint32_t)response->core << 24);
    tf_hash_u64(hash, response->address);
    if (response->length != 0 && !response->landed)
        tf_hash_bytes(hash, response->data, response->length);
}

static void hash_pending(struct tf_worker *worker_0, unsigned sites, struct tf_hash *hash)
{
    for (unsigned site = 0; site < sites; site++) {
        struct tf_due due = tf_responses_due(worker_0, site);
        struct tf_noc_response made;
        const struct tf_noc_response *response;
        tf_hash_u32(hash, tf_due_count(due));
        while ((response = tf_due_next(&due, &made)) != NULL)
            hash_response(response, hash);
    }
}

uint64_t tf_state_hash(struct tf_chip *chip)
{
    XXH3_state_t state;
    struct tf_hash hash = {.state = &state};
    XXH3_64bits_reset(hash.state);
    tf_forks_settle_all(&chip->forks, chip->fabric);
    if (!chip->fabric->rules.shared) {
        tf_tiles_catch_up(&chip->tiles, chip->fabric, &chip->schedule, chip->epochs.tick);
        const struct tf_schedule *schedule = &chip->schedule;
        tf_hash_u64(&hash, tf_tick_begin(schedule, chip->epochs.tick));
        if (chip->transit == NULL) /* in timing mode it depends on where runs ended: transit/depart.h */
            tf_hash_u64(&hash, chip->epochs.number);
        tf_hash_u64(&hash, (uint64_t)chip->epochs.ticks * schedule->tick_cycles);
        hash_pending(&chip->workers.worker[0], chip->fabric->nodes, &hash);
        if (chip->transit != NULL)
            tf_transit_hash(chip->transit, &hash);
    }
    for (unsigned i = 0; i < chip->tiles.count; i++)
        tf_tile_settle(&chip->tiles.tile[i]);
    tf_looked_begin(&hash.looked, chip->tiles.tile, chip->tiles.tile_bytes);
    for (unsigned i = 0; i < chip->tiles.count; i++)
        tf_tile_hash(&chip->tiles.tile[i], &hash);
    tf_fabric_hash(chip->fabric, &hash);
    for (unsigned i = 0; i < chip->fabric->nodes; i++)
        if (tf_dram_tile(&chip->fabric->node[i]) != NULL)
            tf_tile_hash(chip->fabric->node[i].tile, &hash);
    tf_looked_end(&hash.looked);
    return XXH3_64bits_digest(hash.state);
}
