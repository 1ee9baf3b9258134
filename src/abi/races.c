/* SPDX-License-Identifier: Apache-2.0 */
/* TILEFARM_CHECK: reports the races of a chip when it ends. */
#include <stdio.h>
#include <stdlib.h>

#include "abi/abi.h"
#include "debug/raced.h"

#define RACES_SHOWN 100u

void abi_races_end(struct abi *abi)
{
    size_t most = abi->chip == NULL ? 0 : tf_races(abi->chip, NULL, 0);
    struct tf_race *races = most == 0 ? NULL : calloc(most, sizeof *races);
    size_t count = races == NULL ? 0 : tf_races(abi->chip, races, most);
    if (count != 0)
        tf_symbols_match(abi->symbols, abi->chip);
    for (size_t i = 0; i < count && i < RACES_SHOWN; i++) {
        struct tf_raced names;
        tf_raced_name(tf_chip_arch(abi->chip), abi->symbols, &races[i], &names);
        tf_raced_say(tf_chip_arch(abi->chip), &races[i], &names, abi_print_line, NULL);
    }
    if (count > RACES_SHOWN)
        fprintf(stderr, "tilefarm: race: %zu more are not shown\n", count - RACES_SHOWN);
    free(races);
    uint64_t dropped = abi->chip == NULL ? 0 : tf_races_dropped(abi->chip);
    if (dropped != 0)
        fprintf(stderr, "tilefarm: the check forgot %llu old accesses of NOC requests; races with them are missed\n",
                (unsigned long long)dropped);
}
