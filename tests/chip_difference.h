/* SPDX-License-Identifier: Apache-2.0 */
/* The first thing in which two chips differ, in words: for tests that compare state hashes. */
#ifndef TESTS_CHIP_DIFFERENCE_H
#define TESTS_CHIP_DIFFERENCE_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tilefarm/tilefarm_chip.h"

#define DIFFERENCE_BYTES 4096u

static inline bool core_difference(struct tf_chip *is, struct tf_chip *should_be, unsigned tile, enum tf_core core,
                                   char *text, size_t bytes)
{
    struct tf_core_view a, b;
    if (tf_core_view(is, tile, core, &a) != TF_OK || tf_core_view(should_be, tile, core, &b) != TF_OK)
        return false;
    const char *name = tf_core_name(NULL, TF_NODE_TENSIX, core);
    if (a.pc != b.pc)
        snprintf(text, bytes, "pc of %s of tile %u is 0x%x, not 0x%x", name, tile, a.pc, b.pc);
    else if (a.cycle != b.cycle || a.instret != b.instret)
        snprintf(text, bytes,
                 "%s of tile %u is at cycle %" PRIu64 ", instruction %" PRIu64 ", not %" PRIu64 ", %" PRIu64, name,
                 tile, a.cycle, a.instret, b.cycle, b.instret);
    for (unsigned i = 0; i < 32 && text[0] == '\0'; i++)
        if (a.x[i] != b.x[i])
            snprintf(text, bytes, "x%u of %s of tile %u is 0x%x, not 0x%x: bit %d first", i, name, tile, a.x[i], b.x[i],
                     __builtin_ctz(a.x[i] ^ b.x[i]));
    return text[0] != '\0';
}

/* L1 of a tile, page by page. */
static inline bool memory_difference(struct tf_chip *is, struct tf_chip *should_be, unsigned tile, char *text,
                                     size_t bytes)
{
    uint32_t a[DIFFERENCE_BYTES / 4], b[DIFFERENCE_BYTES / 4];
    struct tf_coord at;
    if (tf_tile_coord(NULL, tile, &at) != TF_OK)
        return false;
    for (uint32_t address = 0;
         tf_read(is, at, address, a, sizeof a) == TF_OK && tf_read(should_be, at, address, b, sizeof b) == TF_OK;
         address += DIFFERENCE_BYTES)
        for (unsigned i = 0; memcmp(a, b, sizeof a) != 0 && i < DIFFERENCE_BYTES / 4; i++)
            if (a[i] != b[i]) {
                snprintf(text, bytes, "L1 of tile %u at 0x%x is 0x%x, not 0x%x: bit %d first", tile, address + 4 * i,
                         a[i], b[i], __builtin_ctz(a[i] ^ b[i]));
                return true;
            }
    return false;
}

/* Returns text. Cores of all tiles come first, then L1. */
static inline const char *chip_difference(struct tf_chip *is, struct tf_chip *should_be, char *text, size_t bytes)
{
    text[0] = '\0';
    for (unsigned tile = 0; tile < TF_TENSIX_TILES; tile++)
        for (unsigned core = TF_CORE_B; core <= TF_CORE_T2; core++)
            if (core_difference(is, should_be, tile, (enum tf_core)core, text, bytes))
                return text;
    for (unsigned tile = 0; tile < TF_TENSIX_TILES; tile++)
        if (memory_difference(is, should_be, tile, text, bytes))
            return text;
    snprintf(text, bytes, "cores and L1 are equal; DRAM, the coprocessor or a register is not");
    return text;
}

#endif
