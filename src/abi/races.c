/* SPDX-License-Identifier: Apache-2.0 */
/* TILEFARM_CHECK: the races of a chip, at its end. */
#include <stdio.h>
#include <stdlib.h>

#include "abi/abi.h"

#define RACES_SHOWN 100u

static void print_side(const struct abi *abi, const struct tf_race_side *side)
{
    const struct tf_arch *arch = tf_chip_arch(abi->chip);
    char place[TF_PLACE_BYTES] = "", request[48] = "";
    int tile = side->core == TF_CORE_NONE ? -1 : tf_tile_index(arch, side->tile);
    if (tile >= 0 && abi->symbols != NULL)
        tf_symbols_place(abi->symbols, (unsigned)tile, side->core, side->pc, place, sizeof place);
    if (side->noc >= 0)
        snprintf(request, sizeof request, " on NOC %d, transaction id %u", side->noc, side->tid);
    fprintf(stderr, "tilefarm:   %s%s, by (%u,%u) core %s, cycle %llu, pc 0x%x %s\n", side->what, request, side->tile.x,
            side->tile.y, tf_core_name_at(arch, side->tile, side->core), (unsigned long long)side->cycle, side->pc,
            place);
}

void abi_races_end(struct abi *abi)
{
    size_t most = abi->chip == NULL ? 0 : tf_races(abi->chip, NULL, 0);
    struct tf_race *races = most == 0 ? NULL : calloc(most, sizeof *races);
    size_t count = races == NULL ? 0 : tf_races(abi->chip, races, most);
    for (size_t i = 0; i < count && i < RACES_SHOWN; i++) {
        fprintf(stderr, "tilefarm: race: (%u,%u) 0x%llx, %llu times: nothing orders\n", races[i].node.x,
                races[i].node.y, (unsigned long long)races[i].address, (unsigned long long)races[i].count);
        print_side(abi, &races[i].side[0]);
        print_side(abi, &races[i].side[1]);
        fprintf(stderr, "tilefarm:   to mend it: %s\n", races[i].advice);
    }
    if (count > RACES_SHOWN)
        fprintf(stderr, "tilefarm: race: %zu more\n", count - RACES_SHOWN);
    free(races);
}
