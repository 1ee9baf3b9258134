/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/fill.h"

#include <stdlib.h>
#include <string.h>

#include "farm/chip/chip.h"
#include "host/mix.h"
#include "races/races.h"
#include "tile/run/fill.h"
#include "tilefarm/tilefarm_chip.h"

#define AT_ONCE 4096u

bool tf_fill_read(const char *text, struct tf_fill *fill)
{
    static const char random[] = "random:";
    const char *seed = text + sizeof random - 1;
    char *end;
    *fill = (struct tf_fill){.kind = strcmp(text, "ones") == 0 ? TF_FILL_ONES : TF_FILL_ZERO};
    if (fill->kind == TF_FILL_ONES || strcmp(text, "zero") == 0)
        return true;
    if (strncmp(text, random, sizeof random - 1) != 0 || *seed < '0' || *seed > '9')
        return false;
    fill->kind = TF_FILL_RANDOM;
    fill->seed = strtoull(seed, &end, 0);
    return *end == '\0';
}

/* Each word of a tile has a value of its own, which the seed, the tile and the address decide. */
static void fill_words(const struct tf_fill *fill, unsigned tile, uint64_t address, uint64_t *word)
{
    const uint64_t first = tf_mix_pair(fill->seed, (uint64_t)tile << 32 | address);
    for (unsigned i = 0; i < AT_ONCE / sizeof *word; i++)
        word[i] = fill->kind == TF_FILL_ONES ? UINT64_MAX : tf_mix_split(first + i);
}

/* The words of local RAM and registers, in a fixed order. */
struct source {
    const struct tf_fill *fill;
    uint64_t at;
};

static uint32_t next_word(void *source)
{
    struct source *of = source;
    return of->fill->kind == TF_FILL_ONES ? UINT32_MAX : (uint32_t)tf_mix_split(of->at++);
}

static int fill_l1(const struct tf_fill *fill, struct tf_chip *chip, unsigned tile, uint64_t bytes)
{
    uint64_t word[AT_ONCE / sizeof(uint64_t)];
    struct tf_coord node;
    int error = tf_tile_coord(tf_chip_arch(chip), tile, &node);
    for (uint64_t at = 0; at < bytes && error == TF_OK; at += AT_ONCE) {
        fill_words(fill, tile, at, word);
        error = tf_write(chip, node, at, word, sizeof word);
    }
    return error;
}

int tf_fill_chip(const struct tf_fill *fill, struct tf_chip *chip)
{
    struct tf_shape shape;
    int error = TF_OK;
    tf_arch_shape(tf_chip_arch(chip), &shape);
    for (unsigned tile = 0; tile < chip->tiles.tensix && fill->kind > TF_FILL_ZERO && error == TF_OK; tile++) {
        struct source source = {fill, tf_mix_pair(~fill->seed, tile)};
        error = fill_l1(fill, chip, tile, shape.l1_bytes);
        tf_tile_fill(&chip->tiles.tile[tile], next_word, &source);
    }
    if (fill->kind != TF_FILL_NONE && chip->observers.races != NULL)
        tf_races_undefine(chip->observers.races);
    return error;
}
