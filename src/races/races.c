/* SPDX-License-Identifier: Apache-2.0 */
#include "races/races.h"

#include <stdlib.h>
#include <string.h>

#include "host/zeroed.h"
#include "races/state/copy.h"
#include "races/cores.h"
#include "races/state/records.h"
#include "races/tensix/registers.h"
#include "races/tensix/semaphores.h"
#include "races/streams.h"
#include "races/takes.h"
#include "races/syncs.h"
#include "races/units.h"
#include "races/state/state.h"
#include "races/state/unanswered.h"
#include "races/state/written.h"
#include "tile/riscv/code/code.h"

static void attach(struct tf_races *races, struct tf_tile *tile, uint16_t node)
{
    struct site *site = &races->site[races->fabric->node[node].site];
    site->tile = tile;
    cores_attach(site);
    units_attach(site);
    registers_attach(site);
}

struct tf_races *tf_races_create(struct tf_fabric *fabric, struct tf_code_cache *code)
{
    struct tf_races *races = calloc(1, sizeof *races);
    if (races == NULL)
        return NULL;
    races->fabric = fabric;
    races->site = tf_zeroed_take(fabric->nodes * sizeof *races->site);
    if (races->site == NULL) {
        free(races);
        return NULL;
    }
    races->sites = fabric->nodes;
    tf_code_cache_check(code);
    for (unsigned i = 0; i < races->sites; i++) {
        races->site[i].all = races;
        races->site[i].number = (uint16_t)i;
        races->site[i].actor = -1;
        races->site[i].issues[0].epoch = races->site[i].issues[1].epoch = UINT64_MAX;
    }
    for (unsigned i = 0; i < fabric->nodes; i++)
        if (fabric->node[i].tile != NULL)
            attach(races, fabric->node[i].tile, (uint16_t)i);
    if (!written_begin(races)) {
        tf_races_destroy(races);
        return NULL;
    }
    return races;
}

void tf_races_move(struct tf_races *races, struct tf_fabric *fabric)
{
    races->fabric = fabric;
    for (unsigned i = 0; i < fabric->nodes; i++)
        if (races->site[fabric->node[i].site].tile != NULL && fabric->node[i].tile != NULL)
            races->site[fabric->node[i].site].tile = fabric->node[i].tile;
}

void tf_races_undefine(struct tf_races *races)
{
    races->strict = true;
    written_forget(races);
}

/* Has a member ever been written to? A short run touches a tenth of the pages of the sites, and a look at each of the
   others would cost one. */
static bool is_touched(const struct tf_looked *looked, const void *member)
{
    return !tf_looked_zero(looked, member, sizeof(void *));
}

static void actors_free(struct site *site, const struct tf_looked *looked)
{
    for (unsigned i = 0; i < TF_TILE_CORES; i++) {
        struct race_core *core = &site->core[i];
        if (is_touched(looked, &core->view))
            tf_view_clear(&core->view);
        if (is_touched(looked, &core->unanswered.view))
            tf_view_clear(&core->unanswered.view);
        if (is_touched(looked, &core->spin.before))
            tf_view_clear(&core->spin.before);
    }
    for (unsigned t = 0; t < THREADS; t++)
        if (is_touched(looked, &site->thread[t].view))
            tf_view_clear(&site->thread[t].view);
}

static void site_free(struct site *site, const struct tf_looked *looked)
{
    actors_free(site, looked);
    if (is_touched(looked, &site->shadow.pages)) /* each page that exists was counted */
        tf_shadow_free(&site->shadow);
    if (is_touched(looked, &site->stream[0]) || is_touched(looked, &site->stream[BUFFERS - 1]))
        streams_free(site);
    syncs_free(&site->syncs);
    records_free(&site->records);
    for (unsigned i = 0; i < 2; i++) {
        for (uint32_t j = 0; j < site->issues[i].count; j++) {
            tf_release_drop(&site->issues[i].issue[j].record.release);
            tf_clock_drop(site->issues[i].issue[j].gained);
            tf_clock_drop(site->issues[i].issue[j].before);
        }
        free(site->issues[i].issue);
        for (unsigned tid = 0; tid < TF_NOC_TIDS && site->gained[i] != NULL; tid++)
            tf_view_clear(&site->gained[i][tid]);
        free(site->gained[i]);
    }
    free(site->found);
    free(site->latest);
    takes_free(site);
    free(site->dst);
    free(site->dst_by_cores);
    semaphores_free(site);
    free(site->config_words);
    packets_free(site);
    free(site->paths.path);
}

void tf_races_destroy(struct tf_races *races)
{
    if (races == NULL)
        return;
    struct tf_looked looked;
    tf_looked_begin(&looked, races->site, races->sites * sizeof *races->site);
    for (unsigned i = 0; i < races->sites; i++)
        site_free(&races->site[i], &looked);
    tf_looked_end(&looked);
    written_free(races);
    tf_view_clear(&races->host);
    host_forget(races);
    copy_free(races->copy);
    tf_zeroed_give(races->site, races->sites * sizeof *races->site);
    free(races);
}
