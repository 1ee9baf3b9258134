/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/chip/found.h"
#include "farm/run/part.h"

#include <stdlib.h>

#include "farm/chip/chip.h"
#include "farm/flight/path.h"
#include "farm/run/run.h"
#include "farm/epoch/time.h"
#include "farm/explore/explore.h"
#include "farm/order/reach.h"
#include "farm/saved/config.h"
#include "farm/saved/state.h"
#include "host/saved.h"
#include "races/races.h"
#include "races/links.h"
#include "tile/eth/link.h"
#include "tile/eth/receive.h"
#include "tile/eth/connect.h"
#include "tile/path/path.h"
#include "tile/riscv/hart/observed.h"

static const struct tf_run_options no_options = {0};

bool tf_part_join(struct tf_chip *chip)
{
    chip->faults.deferred = calloc(1, sizeof *chip->faults.deferred);
    chip->joined = chip->faults.deferred != NULL;
    return chip->joined;
}

void tf_part_number(struct tf_chip *chip, unsigned number)
{
    tf_exploring_number(chip->exploring, number);
}

void tf_part_tell(struct tf_chip *chip)
{
    tf_faults_tell(&chip->faults, &chip->call);
}

struct tf_tile *tf_part_port(struct tf_chip *chip, unsigned port)
{
    int tile = tf_port_tile(chip, port);
    return tile >= 0 ? &chip->tiles.tile[tile] : NULL;
}

void tf_part_replace(struct tf_chip *chip, struct tf_chip *other)
{
    tf_forks_settle_all(&chip->forks, chip->fabric);
    struct tf_fault_queue *deferred = chip->faults.deferred;
    tf_chip_replace(chip, other);
    other->faults.deferred = chip->faults.deferred;
    chip->faults.deferred = deferred;
}

int tf_part_begin(struct tf_chip *chip)
{
    return tf_run_begin(chip) ? TF_OK : TF_ENOMEM;
}

int tf_part_end(struct tf_chip *chip, enum tf_end why)
{
    tf_run_settle(chip);
    return tf_run_end(chip, &no_options, why) ? TF_OK : TF_ENOMEM;
}

uint64_t tf_part_tick(const struct tf_chip *chip)
{
    return chip->epochs.tick;
}

bool tf_part_active(const struct tf_chip *chip)
{
    return !tf_sites_none(&chip->epochs.active);
}

uint64_t tf_part_tick_from(const struct tf_chip *chip, uint64_t cycle)
{
    return tf_tick_from(&chip->schedule, cycle);
}

void tf_part_link(struct tf_chip *chip, const struct tf_tile *tile)
{
    tf_sites_add(&chip->epochs.links, chip->fabric->node[tf_node_number(chip->arch, tile->coord)].site);
}

uint64_t tf_part_stirred(const struct tf_chip *chip)
{
    const struct tf_epochs *epochs = &chip->epochs;
    return tf_sites_meet(&epochs->active, &epochs->links) ? epochs->tick : epochs->stirred;
}

uint64_t tf_part_epoch_ticks(const struct tf_chip *chip)
{
    return chip->epochs.ticks;
}

void tf_part_hold(struct tf_chip *chip, uint64_t tick)
{
    chip->epochs.hold = tick;
}

enum tf_end tf_part_run(struct tf_chip *chip, const struct tf_run_options *options, uint64_t tick)
{
    return tf_run_epochs(chip, options != NULL ? options : &no_options, tick);
}

void tf_part_pass(struct tf_chip *chip, uint64_t tick)
{
    if (tick > chip->epochs.tick && !tf_part_active(chip))
        tf_epochs_pass(&chip->epochs, &chip->schedule, tick);
}

/* Something happens at an Ethernet tile now. */
static struct tf_node *begin_at(struct tf_chip *chip, const struct tf_tile *tile)
{
    struct tf_node *node = &chip->fabric->node[tf_node_number(chip->arch, tile->coord)];
    tf_forks_settle(&chip->forks, chip->fabric, node->site);
    tf_bring_node_up_to_date(chip, node, &chip->site[node->site]);
    return node;
}

static void end_at(struct tf_chip *chip, struct tf_node *node)
{
    tf_find_faults(&chip->workers.worker[0], node);
    tf_sites_add(&chip->epochs.active, node->site);
}

void tf_part_receive(struct tf_chip *chip, struct tf_tile *tile, struct tf_eth_packet *packet)
{
    struct tf_node *node = begin_at(chip, tile);
    struct tf_path_node *path = tf_path_ref(packet->path);
    tf_eth_receive(tile, packet);
    if (path != NULL && chip->observers.path != NULL)
        tf_flight_path_last(chip->observers.path, node, path);
    else
        tf_path_unref(path);
    end_at(chip, node);
}

void tf_part_act(struct tf_chip *chip, struct tf_tile *tile)
{
    struct tf_node *node = begin_at(chip, tile);
    tf_eth_act(tile);
    end_at(chip, node);
}

bool tf_part_follow(struct tf_chip *chip, const struct tf_tile *tile, unsigned out, unsigned in)
{
    return chip->observers.races == NULL ||
           tf_races_connect(chip->observers.races, tf_node_number(chip->arch, tile->coord), out, in);
}

void tf_part_carry(struct tf_chip *from, const struct tf_tile *sender, struct tf_chip *to,
                   const struct tf_tile *receiver)
{
    if (from->observers.races != NULL && to->observers.races != NULL)
        tf_races_carry(from->observers.races, tf_node_number(from->arch, sender->coord), to->observers.races,
                       tf_node_number(to->arch, receiver->coord));
}

void tf_part_give(struct tf_chip *from, const struct tf_tile *sender, struct tf_saved *letter)
{
    if (from->observers.races != NULL)
        tf_races_give(from->observers.races, tf_node_number(from->arch, sender->coord), letter);
}

void tf_part_take(struct tf_chip *to, const struct tf_tile *receiver, struct tf_saved *letter)
{
    if (to->observers.races != NULL)
        tf_races_take(to->observers.races, tf_node_number(to->arch, receiver->coord), letter);
}
