/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/fill.h"

#include <stdlib.h>
#include <string.h>

#include "host/mix.h"
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

int tf_fill_chip(const struct tf_fill *fill, struct tf_chip *chip)
{
    const struct tf_arch *arch = tf_chip_arch(chip);
    uint64_t word[AT_ONCE / sizeof(uint64_t)];
    struct tf_shape shape;
    struct tf_coord node;
    int error = TF_OK;
    tf_arch_shape(arch, &shape);
    for (unsigned tile = 0; tile < shape.tensix_tiles && fill->kind != TF_FILL_ZERO && error == TF_OK; tile++) {
        error = tf_tile_coord(arch, tile, &node);
        for (uint64_t at = 0; at < shape.l1_bytes && error == TF_OK; at += AT_ONCE) {
            fill_words(fill, tile, at, word);
            error = tf_write(chip, node, at, word, sizeof word);
        }
    }
    return error;
}
