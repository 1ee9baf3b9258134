/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/places.h"

#include <string.h>

#include "cli/board.h"
#include "cli/text.h"
#include "tile/arch.h"

bool tf_place_take_chip(const struct tf_places *places, const char *option, const char *text, unsigned *chip)
{
    uint64_t number;
    if (places->system == NULL) {
        tf_cli_error("%s: '%s:' names a chip, so it needs --system before it", option, text);
        return false;
    }
    if (tf_cli_u64(text, &number) && number < places->cluster->chips) {
        *chip = (unsigned)number;
        return true;
    }
    tf_cli_error("%s: there is no chip '%s' in %s; give a number from 0 to %u", option, text, places->system,
                 places->cluster->chips - 1);
    return false;
}

/* Several tiles: each gets a range like the first one. Returns their number, or 0 after an error line. */
static unsigned spread(const struct tf_arch *arch, struct tf_dump *range, unsigned room, const char *option,
                       const struct tf_tile_set *tiles)
{
    unsigned count = 0;
    for (unsigned tile = 0; tile < sizeof tiles->has; tile++) {
        if (!tiles->has[tile])
            continue;
        if (count == room) {
            tf_cli_error("%s: too many ranges: %u more are possible", option, room);
            return 0;
        }
        range[count] = range[0];
        tf_tile_coord(arch, tile, &range[count++].node);
    }
    return count;
}

/* Find a node of the chip, whose board decides which tiles there are; if there is room for more, Tensix tiles. Returns
   their number, or 0 after an error line. */
static unsigned take_nodes(const struct tf_places *places, struct tf_dump *range, unsigned room, const char *option,
                           const char *text)
{
    struct tf_board_options board = {.variant = NULL};
    const struct tf_arch *arch = places->arch;
    if (places->system != NULL && !tf_board_make(&board, &places->cluster->chip[range->chip].board, &arch))
        return 0;
    bool known = text != NULL ? tf_cli_node(arch, text, &range->node) : tf_tile_coord(arch, 0, &range->node) == TF_OK;
    struct tf_tile_set tiles;
    unsigned count = known;
    if (!known && room > 1 && tf_cli_tiles(arch, text, &tiles)) {
        known = true;
        count = spread(arch, range, room, option, &tiles);
    }
    struct tf_shape shape;
    char chip[24] = "";
    tf_arch_shape(arch, &shape);
    if (places->system != NULL)
        snprintf(chip, sizeof chip, "chip %u of ", range->chip);
    if (!known)
        tf_cli_error("%s: no tile '%s' on %s%s; give %s, an index from 0 to %u, or one node, x,y", option, text, chip,
                     places->system != NULL ? places->system : shape.title, room > 1 ? "tiles" : "one tile",
                     shape.tensix_tiles - 1);
    tf_board_free(&board);
    return count;
}

/* Read [[CHIP:]TILE:]ADDRESS, which is changed. Returns the number of ranges, or 0 after an error line. */
static unsigned take_places(const struct tf_places *places, struct tf_dump *range, unsigned room, const char *option,
                            char *text)
{
    char *address = strrchr(text, ':'), *tile = NULL, *chip = NULL;
    range->chip = 0;
    if (address != NULL) {
        *address = '\0';
        tile = strchr(text, ':');
        chip = tile != NULL ? text : NULL;
        tile = tile != NULL ? tile + 1 : text;
    }
    if (!tf_cli_u64(address != NULL ? address + 1 : text, &range->address)) {
        tf_cli_error("%s: '%s' is no address", option, address != NULL ? address + 1 : text);
        return 0;
    }
    if (chip != NULL)
        tile[-1] = '\0';
    if (chip != NULL && !tf_place_take_chip(places, option, chip, &range->chip))
        return 0;
    return take_nodes(places, range, room, option, tile);
}

bool tf_range_take_place(const struct tf_places *places, struct tf_dump *range, const char *option, char *text)
{
    return take_places(places, range, 1, option, text) == 1;
}

unsigned tf_range_take(const struct tf_places *places, struct tf_dump *range, unsigned room, const char *option,
                       const char *value, bool sized)
{
    char text[512];
    const char *equals = strchr(value, '=');
    const size_t length = equals != NULL ? (size_t)(equals - value) : sizeof text;
    snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : 0), value);
    char *bytes = sized ? strrchr(text, ':') : NULL;
    if (bytes != NULL)
        *bytes++ = '\0';
    if (length >= sizeof text || equals[1] == '\0' || strchr(text, ':') == NULL || (sized && bytes == NULL)) {
        tf_cli_error("%s: '%s' is not %s", option, value, sized ? "TILE:ADDRESS:LENGTH=FILE" : "TILES:ADDRESS=FILE");
        return 0;
    }
    range->path = equals + 1;
    if (sized && !tf_cli_number(option, bytes, 1, TF_DUMP_BYTES_MAX, &range->bytes))
        return 0;
    const unsigned count = take_places(places, range, sized ? 1 : room, option, text);
    const struct tf_arch *arch = tf_arch_or_default(places->arch);
    for (unsigned i = 0; i < count; i++)
        range[i].words = range[i].address >= arch->space.registers_first &&
                         tf_node_kind(arch, range[i].node) != TF_NODE_DRAM;
    return count;
}
