/* SPDX-License-Identifier: Apache-2.0 */
#include "races/races.h"

#include <stdlib.h>
#include <string.h>

#include "races/copy.h"
#include "races/state.h"
#include "races/unanswered.h"
#include "races/written.h"
#include "tile/riscv/code/code.h"

static bool attach(struct tf_races *races, struct tf_tile *tile, uint16_t node)
{
    struct site *site = &races->site[races->fabric->node[node].site];
    site->tile = tile;
    cores_attach(site);
    units_attach(site);
    registers_attach(site);
    return written_begin(site);
}

struct tf_races *tf_races_create(struct tf_fabric *fabric, struct tf_code_cache *code)
{
    struct tf_races *races = calloc(1, sizeof *races);
    if (races == NULL)
        return NULL;
    races->fabric = fabric;
    races->sites = fabric->nodes;
    races->site = calloc(races->sites, sizeof *races->site);
    if (races->site == NULL) {
        free(races);
        return NULL;
    }
    tf_code_cache_check(code);
    for (unsigned i = 0; i < races->sites; i++) {
        races->site[i].all = races;
        races->site[i].number = (uint16_t)i;
        races->site[i].actor = -1;
        races->site[i].issues[0].epoch = races->site[i].issues[1].epoch = UINT64_MAX;
    }
    for (unsigned i = 0; i < fabric->nodes; i++)
        if (fabric->node[i].tile != NULL && !attach(races, fabric->node[i].tile, (uint16_t)i)) {
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
    for (unsigned i = 0; i < races->sites; i++) {
        struct site *site = &races->site[i];
        if (site->written != NULL)
            memset(site->written, 0, site->tile->arch->l1_bytes / TF_SHADOW_BLOCK_BYTES * sizeof *site->written);
    }
}

static void site_free(struct site *site)
{
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        tf_view_clear(&site->core[core].view);
        loads_answered(&site->core[core]);
    }
    for (unsigned t = 0; t < THREADS; t++)
        tf_view_clear(&site->thread[t].view);
    tf_shadow_free(&site->shadow);
    syncs_free(&site->syncs);
    records_free(&site->records);
    for (unsigned i = 0; i < 2; i++) {
        for (uint32_t j = 0; j < site->issues[i].count; j++) {
            tf_release_drop(&site->issues[i].issue[j].record.release);
            tf_clock_drop(site->issues[i].issue[j].gained);
        }
        free(site->issues[i].issue);
        for (unsigned tid = 0; tid < TF_NOC_TIDS && site->gained[i] != NULL; tid++)
            tf_view_clear(&site->gained[i][tid]);
        free(site->gained[i]);
    }
    free(site->found);
    free(site->written);
    free(site->latest);
    free(site->dst);
    free(site->config_words);
    streams_free(site);
    packets_free(site);
    free(site->paths.path);
}

void tf_races_destroy(struct tf_races *races)
{
    if (races == NULL)
        return;
    for (unsigned i = 0; i < races->sites; i++)
        site_free(&races->site[i]);
    tf_view_clear(&races->host);
    host_forget(races);
    copy_free(races->copy);
    free(races->site);
    free(races);
}
