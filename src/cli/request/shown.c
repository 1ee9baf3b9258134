/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/request/shown.h"

#include <string.h>

#include "cli/board.h"
#include "cli/request/value.h"
#include "cli/text.h"
#include "tile/numbered.h"

/* Cores that an option names, and their kind of tile. */
struct cores {
    bool named, others;
    enum tf_tile_kind kind; /* of the tiles that numbers name */
    bool mixed;             /* cores of several kinds: numbers name nothing */
    uint8_t of_kind[TF_TILE_KINDS];
};

/* Read CORE+CORE... NULL: all cores. */
static bool take_cores(struct cores *cores, const char *option, char *text)
{
    cores->named = text != NULL;
    memset(cores->of_kind, text == NULL ? 0xFF : 0, sizeof cores->of_kind);
    bool first = true;
    for (char *rest = NULL, *name = text == NULL ? NULL : strtok_r(text, "+", &rest); name != NULL;
         name = strtok_r(NULL, "+", &rest), first = false) {
        enum tf_core core;
        enum tf_tile_kind kind;
        if (!tf_cli_any_core(name, &kind, &core) || (kind != TF_TILE_TENSIX && !cores->others)) {
            tf_cli_error("%s: no core '%s' (B, NC, T0, T1, T2%s)", option, name,
                         cores->others ? ", E0, E1, DRISC" : "");
            return false;
        }
        cores->mixed |= !first && kind != cores->kind;
        cores->kind = kind;
        cores->of_kind[kind] |= (uint8_t)(1u << core);
    }
    return true;
}

/* The number of a tile of a kind among all tiles of the chip. */
static unsigned number_of(const struct tf_arch *arch, enum tf_tile_kind kind, unsigned tile)
{
    struct tf_coord node;
    if (kind == TF_TILE_DRAM)
        return tf_arch_tiles(arch) + tile;
    return kind == TF_TILE_ETH && tf_port_coord(arch, tile, &node) == TF_OK ? (unsigned)tf_numbered_tile(arch, node)
                                                                            : tile;
}

/* Add all tiles of all kinds that have cores which the option names. */
static void add_all(uint8_t *shown, const struct tf_arch *arch, const struct cores *cores)
{
    for (unsigned kind = 0; kind < TF_TILE_KINDS; kind++) {
        const unsigned tiles = kind == TF_TILE_DRAM ? tf_cli_dram_tiles_of(arch) : arch->tile[kind].tiles;
        for (unsigned tile = 0; tile < tiles; tile++)
            shown[number_of(arch, (enum tf_tile_kind)kind, tile)] |= cores->of_kind[kind];
    }
}

/* Add the tiles of a text without a chip. whose: of a system, "chip 1 of n300"; else "". */
static bool add_tiles(uint8_t *shown, const struct tf_arch *arch, const char *whose, const struct cores *cores,
                      const char *option, const char *text)
{
    struct tf_tile_set tiles;
    if (strcmp(text, "all") == 0) {
        add_all(shown, arch, cores);
        return true;
    }
    if (cores->mixed) {
        tf_cli_error("%s: '%s' could be tiles or ports; give cores of one kind of tile, or all in place of '%s'",
                     option, text, text);
        return false;
    }
    if (!tf_value_tiles(&tiles, arch, whose, cores->kind, option, text))
        return false;
    for (unsigned tile = 0; tile < sizeof tiles.has; tile++)
        if (tiles.has[tile])
            shown[number_of(arch, cores->kind, tile)] |= cores->of_kind[cores->kind];
    return true;
}

/* Read the chips before a colon. Returns false after an error line. */
static bool take_chips(const struct tf_places *places, const char *option, const char *text, struct tf_tile_set *chips)
{
    unsigned chip;
    if (places->system == NULL)
        return tf_place_take_chip(places, option, text, &chip);
    if (tf_cli_ports(places->cluster->chips, text, chips))
        return true;
    tf_cli_error("%s: there is no chip '%s' in %s; give a number from 0 to %u, first-last, or all", option, text,
                 places->system, places->cluster->chips - 1);
    return false;
}

/* Add what the texts between + name on one chip. */
static bool add_chip(uint8_t *shown, const struct tf_places *places, unsigned chip, const struct tf_arch *arch,
                     const struct cores *cores, const char *option, const char *text)
{
    struct tf_tile_set chips = {.count = 0};
    char whose[80] = "";
    bool here = true;
    if (places->system != NULL)
        snprintf(whose, sizeof whose, "chip %u of %s", chip, places->system);
    for (const char *at = text; at != NULL;) {
        char item[256];
        const char *plus = strchr(at, '+');
        const size_t length = plus != NULL ? (size_t)(plus - at) : strlen(at);
        snprintf(item, sizeof item, "%.*s", (int)(length < sizeof item ? length : 0), at);
        char *tiles = tf_value_cut(strchr(item, ':'));
        if (tiles != NULL && !take_chips(places, option, item, &chips))
            return false;
        here = tiles != NULL ? chips.has[chip] : here;
        if (here && !add_tiles(shown, arch, whose, cores, option, tiles != NULL ? tiles : item))
            return false;
        at = plus != NULL ? plus + 1 : NULL;
    }
    return true;
}

bool tf_shown_take(struct tf_shown *shown, const struct tf_places *places, const char *option, char *text, bool others)
{
    struct cores cores = {.others = others, .kind = TF_TILE_TENSIX};
    memset(shown, text == NULL ? 0xFF : 0, sizeof *shown);
    if (text == NULL)
        return true;
    bool fine = take_cores(&cores, option, tf_value_cut(strchr(text, '/')));
    for (unsigned chip = 0; fine && chip < (places->system != NULL ? places->cluster->chips : 1); chip++) {
        struct tf_board_options board = {.variant = NULL};
        const struct tf_arch *arch = tf_arch_or_default(places->arch);
        fine = places->system == NULL || tf_board_make(&board, &places->cluster->chip[chip].board, &arch);
        fine = fine && add_chip(shown->cores[chip], places, chip, arch, &cores, option, text);
        tf_board_free(&board);
    }
    for (unsigned chip = 1; places->system == NULL && chip < TF_CLUSTER_CHIPS_MAX; chip++) /* --system may follow */
        memcpy(shown->cores[chip], shown->cores[0], sizeof shown->cores[0]);
    return fine;
}
