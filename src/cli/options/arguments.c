/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options/arguments.h"

#include <string.h>

#include "cli/job.h"
#include "cli/text.h"
#include "tile/arch.h"

#define FORM "CORE=N,N...[@TILES], as in B=10,0x1000@0-3, with B, NC, T0, T1, T2 or common"
#define TEXT_BYTES 2048u

/* Read the words of a list. */
static bool take_words(char *list, struct tf_arguments *arguments)
{
    char *rest = NULL;
    for (char *at = strtok_r(list, ",", &rest); at != NULL; at = strtok_r(NULL, ",", &rest)) {
        const bool negative = *at == '-';
        uint64_t word;
        if (arguments->words == TF_PARAMS_ARGUMENTS || !tf_cli_u64(at + negative, &word) ||
            word > (negative ? 1u + INT32_MAX : UINT32_MAX))
            return false;
        arguments->word[arguments->words++] = negative ? (uint32_t) - (int64_t)word : (uint32_t)word;
    }
    return arguments->words != 0;
}

bool tf_arguments_take(struct tf_arguments *arguments, const struct tf_arch *arch, const char *option,
                       const char *value, const char *tiles)
{
    char text[TEXT_BYTES];
    enum tf_core core = TF_CORE_B;
    snprintf(text, sizeof text, "%s", value);
    char *list = strchr(text, '=');
    if (list != NULL)
        *list++ = '\0';
    const bool common = strcmp(text, "common") == 0;
    if (strlen(value) >= sizeof text || list == NULL || (!common && !tf_cli_core(text, &core)) ||
        !take_words(list, arguments)) {
        tf_cli_error("%s: '%s' is not " FORM "; at most %u words of 32 bits", option, value, TF_PARAMS_ARGUMENTS);
        return false;
    }
    arguments->core = common ? TF_ARGUMENTS_COMMON : core;
    if (tiles == NULL || tf_cli_tiles(arch, tiles, &arguments->tiles))
        return true;
    tf_cli_error("%s: '%s' names no tiles of %s", option, tiles, tf_cli_title(arch));
    return false;
}

/* Is a program one of these arguments? */
static bool is_theirs(const struct tf_arguments *arguments, const struct tf_load *load)
{
    return load->kind == TF_TILE_TENSIX && (arguments->core == TF_ARGUMENTS_COMMON || load->core == arguments->core) &&
           (!arguments->of_chip || !load->of_chip || load->chip == arguments->chip);
}

/* Is a program of these arguments loaded on a tile? */
static bool is_loaded(const struct tf_arguments *arguments, const struct tf_load *load, unsigned loads, unsigned chip,
                      unsigned tile)
{
    bool loaded = false;
    for (unsigned i = 0; i < loads; i++)
        loaded |= is_theirs(arguments, &load[i]) && load[i].tiles.has[tile] &&
                  (!load[i].of_chip || load[i].chip == chip);
    return loaded;
}

/* Is there something that a list can be for: tiles that it names, or a program of its core on some chip? */
static bool has_target(const struct tf_arguments *arguments, const struct tf_load *load, unsigned loads)
{
    bool any = arguments->tiles.count != 0;
    for (unsigned i = 0; i < loads; i++)
        any |= is_theirs(arguments, &load[i]);
    return any;
}

/* Write one list. Returns an enum tf_error. */
static int write_one(struct tf_chip *chip, unsigned number, const struct tf_arguments *arguments,
                     const struct tf_load *load, unsigned loads)
{
    struct tf_coord node;
    const uint32_t to = TF_PARAMS_ADDRESS + arguments->core * TF_PARAMS_ARGUMENTS * 4;
    int error = TF_OK;
    for (unsigned i = 0; error == TF_OK && tf_tile_coord(tf_chip_arch(chip), i, &node) == TF_OK; i++) {
        if (arguments->tiles.count != 0 ? !arguments->tiles.has[i] : !is_loaded(arguments, load, loads, number, i))
            continue;
        error = tf_write(chip, node, to, arguments->word, arguments->words * 4);
    }
    return error;
}

bool tf_arguments_write(struct tf_chip *chip, unsigned number, const struct tf_arguments *list, unsigned count,
                        const struct tf_load *load, unsigned loads)
{
    for (unsigned i = 0; i < count; i++) {
        const bool has = has_target(&list[i], load, loads), here = !list[i].of_chip || list[i].chip == number;
        const int error = has && here ? write_one(chip, number, &list[i], load, loads) : TF_OK;
        if (error != TF_OK)
            tf_cli_error("--args: %s", tf_strerror(error));
        else if (!has)
            tf_cli_error("--args: no program of --load is for %s; name the tiles, as in @0",
                         list[i].core == TF_ARGUMENTS_COMMON ? "these tiles" : tf_tensix_core_name(list[i].core));
        if (error != TF_OK || !has)
            return false;
    }
    return true;
}
