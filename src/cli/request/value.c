/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/request/value.h"

#include <stdlib.h>
#include <string.h>

#include "cli/text.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_chip.h"

bool tf_value_bad(const char *option, const char *value, const char *form)
{
    tf_cli_error("%s: '%s' is not %s", option, value, form);
    return false;
}

static void no_tiles(const struct tf_arch *arch, const char *whose, const char *option, const char *tiles)
{
    struct tf_shape shape;
    tf_arch_shape(tf_arch_or_default(arch), &shape);
    tf_cli_error(
        "%s: '%s' names no tiles of %s; give an index from 0 to %u, x,y, first-last, all, or several joined by +",
        option, tiles, whose[0] != '\0' ? whose : shape.title, shape.tensix_tiles - 1);
}

void tf_value_no_tiles(const struct tf_arch *arch, const char *option, const char *tiles)
{
    no_tiles(arch, "", option, tiles);
}

bool tf_value_tiles(struct tf_tile_set *tiles, const struct tf_arch *arch, const char *whose, enum tf_tile_kind kind,
                    const char *option, const char *text)
{
    struct tf_shape shape;
    tf_arch_shape(arch, &shape);
    if (kind == TF_TILE_ETH    ? tf_cli_ports(shape.eth_tiles, text, tiles)
        : kind == TF_TILE_DRAM ? tf_cli_dram_tiles(arch, text, tiles)
                               : tf_cli_tiles(arch, text, tiles))
        return true;
    if (kind == TF_TILE_TENSIX)
        no_tiles(arch, whose, option, text);
    else if (kind == TF_TILE_DRAM && tf_cli_dram_tiles_of(arch) == 0)
        tf_cli_error("%s: DRAM tiles of %s have no cores", option, tf_cli_title(arch));
    else
        tf_cli_error("%s: '%s' names no %ss%s%s; give a number from 0 to %u,%s first-last, all, or several joined by +",
                     option, text, tf_cli_place_word(kind), whose[0] != '\0' ? " of " : "", whose,
                     (kind == TF_TILE_ETH ? shape.eth_tiles : tf_cli_dram_tiles_of(arch)) - 1,
                     kind == TF_TILE_DRAM ? " x,y," : "");
    return false;
}

char *tf_value_cut(char *at)
{
    if (at == NULL)
        return NULL;
    *at = '\0';
    return at + 1;
}

char *tf_value_copy(const char *text)
{
    char *copy = strdup(text);
    if (copy == NULL)
        tf_cli_error("too little memory");
    return copy;
}
