/* SPDX-License-Identifier: Apache-2.0 */
#include "system/relaxed.h"

#include <stdlib.h>

#include "farm/chip/chip.h"
#include "farm/epoch/time.h"
#include "farm/relaxed/link.h"
#include "farm/relaxed/run.h"
#include "farm/run/part.h"
#include "host/clock.h"
#include "host/extremes.h"
#include "system/state.h"

unsigned tf_system_relaxed_workers(const struct tf_cluster *cluster)
{
    const unsigned tiles = tf_arch_or_default(cluster->arch)->tile[TF_TILE_TENSIX].tiles;
    return (unsigned)tf_min(cluster->chips * tiles, TF_WORKERS_MAX);
}

static void init_port(struct tf_system *system, unsigned lane)
{
    const struct tf_lane *from = &system->lane[lane];
    struct tf_chip *chip = system->part[from->from.chip].chip;
    struct tf_relaxed_port *port = &system->relaxed->port[lane];
    port->chip = chip;
    port->site = chip->fabric->node[tf_node_number(chip->arch, from->sender->coord)].site;
}

int tf_system_relaxed_create(struct tf_system *system)
{
    const unsigned lanes = 2 * system->cluster.links;
    const size_t bytes = sizeof *system->relaxed + lanes * sizeof system->relaxed->port[0];
    struct tf_system_relaxed *relaxed = aligned_alloc(128, (bytes + 127) & ~(size_t)127);
    system->relaxed = relaxed;
    if (relaxed == NULL)
        return TF_ENOMEM;
    memset(relaxed, 0, bytes);
    for (unsigned i = 0; i < system->cluster.chips; i++)
        relaxed->chip[i] = system->part[i].chip;
    for (unsigned i = 0; i < lanes; i++)
        init_port(system, i);
    for (unsigned i = 0; i < lanes; i += 2)
        tf_relaxed_join(&relaxed->port[i], &relaxed->port[i + 1]);
    relaxed->run.chip = relaxed->chip;
    relaxed->run.chips = system->cluster.chips;
    relaxed->call = tf_callbacks_of(system->config);
    relaxed->run.call = &relaxed->call;
    relaxed->run.host = &relaxed->host;
    relaxed->run.team = &system->crew.team;
    relaxed->run.stop = system->cluster.chips == 1 ? &system->part[0].chip->stop : &system->stop;
    return TF_OK;
}

void tf_system_relaxed_destroy(struct tf_system *system)
{
    free(system->relaxed);
}

/* What ports count is what lanes tell. */
static void count(struct tf_system *system)
{
    for (unsigned i = 0; i < 2 * system->cluster.links; i++) {
        const struct tf_relaxed_port *port = &system->relaxed->port[i];
        system->lane[i].packets = port->packets;
        system->lane[i].bytes = port->bytes;
        system->lane[i].arrived = port->peer->arrived;
    }
}

static enum tf_end run(struct tf_system *system, const struct tf_system_run_options *options)
{
    struct tf_system_relaxed *relaxed = system->relaxed;
    relaxed->host.run_began_s = tf_seconds();
    relaxed->host.progress_s = system->progress_s;
    relaxed->run.options = &options->run;
    relaxed->run.until_chip = options->until_chip;
    relaxed->run.limit = tf_limit_tick(&relaxed->chip[0]->schedule, tf_system_cycles(system), options->run.cycles_max);
    const enum tf_end end = tf_run_relaxed_all(&relaxed->run);
    system->progress_s = relaxed->host.progress_s;
    return end;
}

int tf_system_run_relaxed(struct tf_system *system, const struct tf_system_run_options *options, enum tf_end *end)
{
    int error = TF_OK;
    for (unsigned i = 0; error == TF_OK && i < system->cluster.chips; i++)
        error = tf_part_begin(system->part[i].chip);
    if (error != TF_OK)
        return error;
    const enum tf_end why = run(system, options);
    count(system);
    for (unsigned i = 0; i < system->cluster.chips; i++) {
        if (tf_part_end(system->part[i].chip, why) != TF_OK)
            error = TF_ENOMEM;
        tf_part_tell(system->part[i].chip);
    }
    tf_crew_rest(&system->crew);
    if (end != NULL)
        *end = why;
    return error;
}
