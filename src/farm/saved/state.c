/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a whole chip, and chips that take that of another. */
#include "farm/saved/state.h"

#include <string.h>

#include "farm/chip/chip.h"
#include "farm/chip/dram_tiles.h"
#include "farm/chip/found.h"
#include "farm/make/create.h"
#include "farm/order/saved.h"
#include "farm/saved/config.h"
#include "farm/saved/site.h"
#include "host/saved.h"
#include "farm/transit/depart.h"
#include "farm/transit/saved.h"
#include "farm/transit/transit.h"
#include "noc/whole/fabric.h"
#include "pool/sites.h"
#include "races/races.h"
#include "tile/fault_fits.h"
#include "tile/riscv/exec/hosted.h"
#include "tile/tensix/matrix/scratch.h"
#include "tile/tensix/state.h"
#include "tile/run/saved.h"
#include "tilefarm/tilefarm_config.h"

/* No chip runs for so long. Sums of such numbers do not wrap. */
#define TICKS_MOST (1ull << 56)
#define CYCLES_MOST (1ull << 60)

TF_SAVED_WHOLE(struct tf_epochs, 2304);
TF_SAVED_WHOLE(struct tf_site, 384);

static void faults_state(struct tf_saved *saved, struct tf_chip *chip)
{
    struct tf_fault_list *faults = &chip->faults;
    faults->count = tf_saved_count(saved, faults->count, TF_FAULTS_KEPT);
    tf_saved_bytes(saved, faults->kept, faults->count * sizeof *faults->kept);
    for (size_t i = 0; i < faults->count && saved->why == NULL; i++) {
        const struct tf_fault *fault = &faults->kept[i];
        tf_saved_demand(saved,
                        tf_fault_fits(fault) && fault->tile.x < chip->arch->grid_x &&
                            fault->tile.y < chip->arch->grid_y,
                        "it is damaged: a fault is invalid");
    }
    TF_SAVED(saved, faults->faults);
    TF_SAVED(saved, faults->hazards);
}

/* Worker 0 finds the faults that tiles have logged since the last run, for the host's accesses. */
static void find_faults(struct tf_worker *worker_0, const struct tf_fabric *fabric)
{
    for (unsigned i = 0; i < fabric->nodes; i++)
        tf_find_faults(worker_0, &fabric->node[i]);
}

/* Does the set have numbers of sites alone? */
static bool are_sites(const struct tf_sites *sites, const struct tf_fabric *fabric)
{
    for (unsigned i = 0; i < 64 * TF_SET_WORDS; i++)
        if ((sites->word[i / 64] >> i % 64 & 1) != 0 && (i >= fabric->nodes || tf_site_of(fabric, i) != i))
            return false;
    return true;
}

/* Can the chip be at this point of time, with these sites? The file may be damaged. */
static bool epochs_fit(const struct tf_chip *chip)
{
    const struct tf_epochs *epochs = &chip->epochs;
    return epochs->tick <= TICKS_MOST && epochs->cycles <= CYCLES_MOST && epochs->number <= TICKS_MOST &&
           epochs->stirred <= epochs->tick && epochs->ticks != 0 && epochs->ticks <= chip->rules.epoch_cycles_max &&
           are_sites(&epochs->landing, chip->fabric) && are_sites(&epochs->active, chip->fabric);
}

/* The state that belongs to no site. */
static void common_state(struct tf_saved *saved, struct tf_chip *chip)
{
    struct tf_epochs *epochs = &chip->epochs;
    TF_SAVED(saved, epochs->tick);
    TF_SAVED(saved, epochs->cycles);
    TF_SAVED(saved, epochs->number);
    TF_SAVED(saved, epochs->ticks);
    TF_SAVED(saved, epochs->stirred);
    TF_SAVED(saved, epochs->landing);
    TF_SAVED(saved, epochs->active);
    tf_saved_demand(saved, epochs_fit(chip), "it is damaged: its time or its sites are invalid");
    TF_SAVED(saved, chip->tiles.entry);
    faults_state(saved, chip);
}

/* What is in flight. */
static void flying_state(struct tf_saved *saved, struct tf_chip *chip)
{
    tf_deliver_state(saved, &chip->workers.worker[0]);
    if (chip->transit != NULL)
        tf_transit_state(saved, chip->transit);
}

void tf_chip_own_state(struct tf_saved *saved, struct tf_chip *chip)
{
    common_state(saved, chip);
    flying_state(saved, chip);
}

void tf_chip_state(struct tf_saved *saved, struct tf_chip *chip)
{
    tf_looked_begin(&saved->looked, chip->tiles.tile, chip->tiles.tile_bytes);
    common_state(saved, chip);
    for (unsigned i = 0; i < chip->fabric->nodes; i++)
        tf_site_node_state(saved, chip->fabric, &chip->fabric->node[i]);
    for (unsigned i = 0; i < chip->tiles.count && saved->why == NULL; i++)
        tf_tile_state(saved, &chip->tiles.tile[i]);
    flying_state(saved, chip);
    tf_looked_end(&saved->looked);
    if (saved->reads && saved->why == NULL)
        find_faults(&chip->workers.worker[0], chip->fabric);
}

int tf_chip_twin(const struct tf_config *config, const struct tf_arch *arch, struct tf_chip **twin)
{
    struct tf_config own = *config;
    own.threads = 1;
    own.pin = false;
    own.on_tensix = NULL;
    own.on_riscv = NULL;
    own.on_print = NULL;
    return tf_chip_create_on(&own, arch, false, twin);
}

/* Attach the observers of a tile to the tile that replaces it. */
static void move_observers(struct tf_tile *from, struct tf_tile *to)
{
    to->observer = from->observer;
    from->observer = NULL;
    to->said = from->said;
    from->said = NULL;
    if (from->tensix == NULL)
        return;
    to->tensix->trace = from->tensix->trace;
    from->tensix->trace = NULL;
}

/* The same of the tile of a DRAM node, which either chip may lack. */
static void observe_dram_tile(const struct tf_observers *observers, struct tf_tile *from, struct tf_tile *to)
{
    if (from != NULL && to != NULL)
        move_observers(from, to);
    if (to != NULL && observers->said != NULL)
        to->said = &observers->said[to->index];
}

#define EXCHANGE(a, b)           \
    do {                         \
        __typeof__(a) kept_ = a; \
        a = b;                   \
        b = kept_;               \
    } while (0)

void tf_chip_replace(struct tf_chip *chip, struct tf_chip *twin)
{
    for (unsigned i = 0; i < chip->tiles.count; i++)
        move_observers(&chip->tiles.tile[i], &twin->tiles.tile[i]);
    for (unsigned i = chip->tiles.count; i < tf_chip_tiles(chip); i++)
        observe_dram_tile(&chip->observers, tf_chip_tile(chip, i), tf_chip_tile(twin, i));
    EXCHANGE(chip->tiles, twin->tiles);
    EXCHANGE(chip->fabric, twin->fabric);
    EXCHANGE(chip->fabric->routes, twin->fabric->routes); /* they are the chip's own, or its system's */
    EXCHANGE(chip->fabric->cores, twin->fabric->cores);
    EXCHANGE(chip->faults, twin->faults);
    if (chip->observers.races != NULL)
        tf_races_move(chip->observers.races, chip->fabric);
    if (twin->observers.races != NULL)
        tf_races_move(twin->observers.races, twin->fabric);
    if (chip->transit != NULL)
        tf_transit_exchange(chip, twin);
    EXCHANGE(chip->fabric->rules, twin->fabric->rules); /* as the configurations, which stay */
    tf_deliver_clear(&chip->workers, chip->site, chip->fabric->nodes);
    for (unsigned i = 0; i < chip->topology.workers; i++)
        tf_scratch_forget(chip->workers.worker[i].scratch);
    struct tf_worker *worker = &chip->workers.worker[0], *other = &twin->workers.worker[0];
    EXCHANGE(worker->arena[0], other->arena[0]);
    EXCHANGE(worker->arena[1], other->arena[1]);
    memcpy(worker->outbox.mail, other->outbox.mail, sizeof worker->outbox.mail);
    chip->epochs = twin->epochs;
    chip->epochs.multicasters = 0;
    find_faults(&chip->workers.worker[0], chip->fabric);
}
