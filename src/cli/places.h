/* SPDX-License-Identifier: Apache-2.0 */
/* Places in memory that options name: of a chip, or of a chip in a system. */
#ifndef CLI_PLACES_H
#define CLI_PLACES_H

#include "tilefarm/tilefarm_chip.h"
#include "tilefarm/tilefarm_cluster.h"

#define TF_DUMP_BYTES_MAX (1u << 30)

/* A range of memory that is written to a file after the run, or (input) read from a file before it. */
struct tf_dump {
    unsigned chip; /* of a system; else 0 */
    struct tf_coord node;
    bool words; /* registers or core-local RAM, which take accesses of words only */
    uint64_t address;
    uint64_t bytes;
    const char *path;
};

/* What there is. */
struct tf_places {
    const struct tf_arch *arch;       /* of a single chip, or of the family */
    const char *system;               /* NULL: a single chip */
    const struct tf_cluster *cluster; /* of the system */
};

/* Read the number of a chip of the system. Returns false after an error line. */
bool tf_place_take_chip(const struct tf_places *places, const char *option, const char *text, unsigned *chip);

/* Read [[CHIP:]TILE:]ADDRESS, which is changed. Without a tile, it is tile 0. Returns false after an error line. */
bool tf_range_take_place(const struct tf_places *places, struct tf_dump *range, const char *option, char *text);

/* Read TILE:ADDRESS:LENGTH=FILE, or without a length TILES:ADDRESS=FILE, which makes a range of each tile; of systems
   with CHIP: before. `range` has room for at least one. Returns the number of ranges, or 0 after an error line. */
unsigned tf_range_take(const struct tf_places *places, struct tf_dump *range, unsigned room, const char *option,
                       const char *value, bool sized);

#endif
