/* SPDX-License-Identifier: Apache-2.0 */
/* The cores of chips that a trace, a profile or a timeline shows. */
#ifndef CLI_REQUEST_SHOWN_H
#define CLI_REQUEST_SHOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/places.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_cluster.h"

/* By chip and number of a tile (farm/chip/dram_tiles.h): its cores, as bits. */
struct tf_shown {
    uint8_t cores[TF_CLUSTER_CHIPS_MAX][TF_NODES_MAX];
};

/*
 * Read TILES[/CORES], which is changed; of systems with CHIPS: before tiles, which holds up to the next one. NULL: all
 * cores of all chips. others: Ethernet and DRAM tiles can be shown, too. CORES say of which kind the tiles are; `all`
 * without them is of all kinds. Returns false after an error line.
 */
bool tf_shown_take(struct tf_shown *shown, const struct tf_places *places, const char *option, char *text, bool others);

#endif
