/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/explore/explore.h"

#include <stdlib.h>

#include "farm/chip/chip.h"
#include "farm/flight/flight.h"
#include "host/extremes.h"
#include "noc/requests/order.h"
#include "tile/explore/cores/explore.h"
#include "tile/explore/transfers.h"
#include "tile/tensix/whole/tensix.h"
#include "tilefarm/tilefarm_config.h"

static const struct tf_noc_orders orders = {.holds_command = tf_explored_holds_command,
                                            .is_held = tf_explored_niu_held};

static bool attach(struct tf_exploring *exploring, const struct tf_config *config)
{
    for (unsigned i = 0; i < exploring->tiles->count; i++) {
        struct tf_tile *tile = &exploring->tiles->tile[i];
        if (!tf_explore_attach(tile, &exploring->plan, config->slice_cycles))
            return false;
        if (tile->tensix != NULL && config->late_cycles == 0) /* units then finish late, so waits for them matter */
            tf_tensix_delay(tile, 1);
    }
    return true;
}

struct tf_exploring *tf_exploring_begin(const struct tf_config *config, struct tf_fabric *fabric,
                                        struct tf_tiles *tiles)
{
    struct tf_exploring *exploring = calloc(1, sizeof *exploring);
    if (exploring == NULL)
        return NULL;
    exploring->fabric = fabric;
    exploring->tiles = tiles;
    exploring->end = &exploring->first;
    exploring->answers_end = &exploring->answers;
    exploring->matters = UINT64_MAX;
    fabric->delays_captures = true;
    fabric->orders = &orders;
    tf_code_cache_explore(tiles->code);
    if (!tf_plan_init(&exploring->plan, config->explore) || !attach(exploring, config)) {
        tf_exploring_end(exploring);
        return NULL;
    }
    return exploring;
}

void tf_exploring_end(struct tf_exploring *exploring)
{
    if (exploring == NULL)
        return;
    tf_flights_release(exploring->first);
    tf_flights_release(exploring->answers);
    tf_plan_fini(&exploring->plan);
    free(exploring);
}

void tf_exploring_number(struct tf_exploring *exploring, unsigned chip)
{
    for (unsigned i = 0; exploring != NULL && i < exploring->tiles->count; i++)
        exploring->tiles->tile[i].explore->decider.chip = (uint8_t)chip;
}

uint64_t tf_exploring_matters(const struct tf_exploring *exploring)
{
    uint64_t cycle = exploring == NULL ? UINT64_MAX : exploring->matters;
    for (unsigned i = 0; exploring != NULL && i < exploring->tiles->count; i++) {
        const struct tf_noted_accesses *noted = exploring->tiles->tile[i].explore->noted;
        if (noted != NULL && noted->matters < cycle)
            cycle = noted->matters;
    }
    return cycle;
}

void tf_exploring_end_seeking(struct tf_exploring *exploring)
{
    if (exploring->seeks_down_to == 0)
        return;
    uint64_t matters = tf_exploring_matters(exploring);
    if (matters >= exploring->seeks_down_to)
        return;
    exploring->seeks_down_to = 0;
    exploring->matters = matters;
    for (unsigned i = 0; i < exploring->tiles->count; i++)
        tf_noted_free(&exploring->tiles->tile[i]);
}

int tf_chip_explore(struct tf_chip *chip, const struct tf_explore *explore)
{
    struct tf_plan plan;
    if (chip == NULL || explore == NULL || chip->exploring == NULL)
        return TF_EINVAL;
    if (!tf_plan_init(&plan, explore))
        return TF_ENOMEM;
    tf_plan_fini(&chip->exploring->plan);
    chip->exploring->plan = plan;
    chip->config->explore = explore;
    chip->host.progress_s = tf_seconds(); /* on_progress brings all tiles up to date, so a short run makes no call */
    return TF_OK;
}

static int by_place(const void *a, const void *b)
{
    const struct tf_decision *x = a, *y = b;
    if (x->freedom != y->freedom)
        return x->freedom < y->freedom ? -1 : 1;
    if (x->tile != y->tile)
        return x->tile < y->tile ? -1 : 1;
    if (x->actor != y->actor)
        return x->actor < y->actor ? -1 : 1;
    return x->ordinal < y->ordinal ? -1 : x->ordinal > y->ordinal;
}

size_t tf_chip_decisions(struct tf_chip *chip, struct tf_decision *decision, size_t room)
{
    size_t count = 0;
    for (unsigned i = 0; i < chip->tiles.count && chip->exploring != NULL; i++) {
        const struct tf_decider *decider = &chip->tiles.tile[i].explore->decider;
        for (size_t made = 0; made < decider->count; made++, count++)
            if (count < room)
                decision[count] = decider->made[made];
    }
    if (count != 0 && room != 0)
        qsort(decision, tf_min(count, room), sizeof *decision, by_place);
    return count;
}

uint64_t tf_chip_places(struct tf_chip *chip, unsigned freedom)
{
    uint64_t places = 0;
    for (unsigned i = 0; i < chip->tiles.count && chip->exploring != NULL && freedom < TF_FREEDOMS; i++)
        places += chip->tiles.tile[i].explore->decider.places[freedom];
    return places;
}

bool tf_exploring_record(struct tf_exploring *exploring, unsigned tile, uint64_t address)
{
    return exploring != NULL && tile < exploring->tiles->count &&
           address < exploring->tiles->tile[tile].arch->l1_bytes &&
           tf_noted_record(&exploring->tiles->tile[tile], (uint32_t)address);
}

const struct tf_noted_accesses *tf_exploring_noted(const struct tf_exploring *exploring, unsigned tile)
{
    return exploring != NULL && tile < exploring->tiles->count ? exploring->tiles->tile[tile].explore->noted : NULL;
}

bool tf_exploring_seek(struct tf_exploring *exploring, uint64_t down_to)
{
    for (unsigned i = 0; exploring != NULL && i < exploring->tiles->count; i++)
        if (!tf_noted_seek(&exploring->tiles->tile[i]))
            return false;
    if (exploring != NULL)
        exploring->seeks_down_to = down_to;
    return exploring != NULL;
}
