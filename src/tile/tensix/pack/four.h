/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wormhole's four packers (PACR.md and Packers/ of WormholeB0). Each has its own streams, counters and configuration;
 * the stages are those of Blackhole's packer (pacr.h).
 */
#ifndef TILE_TENSIX_PACK_FOUR_H
#define TILE_TENSIX_PACK_FOUR_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/frontend/busy.h"
#include "tile/tensix/pack/state.h"
#include "tile/tensix/state.h"

struct tf_tile;

/* A packer's configuration in Blackhole's words: its own fields are at the places of packer 0. Not state. */
struct tf_pack_view {
    uint64_t writes; /* tf_backend_config.writes when it was made; 0: never */
    uint32_t config[TF_CFG_WORDS];
    uint8_t adc;        /* Addr_cnt_context */
    const char *unsaid; /* a field is set that no page describes; NULL: none is */
};

struct tf_four {
    struct tf_pack pack[TF_PACKERS];
    struct tf_pack_view view[2][TF_PACKERS]; /* by bank */
    struct tf_busy_packers busy;
};

/* How many packers PACR instructs. */
static inline unsigned tf_packs(const struct tf_tensix *tensix)
{
    return tensix->four != NULL ? TF_PACKERS : 1;
}

/* The view of a packer for the bank of a thread. Only for a family with four packers. */
const struct tf_pack_view *tf_pack_view(struct tf_tile *tile, unsigned thread, unsigned packer);

/* PACR of a family with four packers. */
void tf_pack_four(struct tf_tile *tile, unsigned thread, uint32_t word);

#endif
