/* SPDX-License-Identifier: Apache-2.0 */
/* The races of a checked run, without those that a file suppresses. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "cli/session.h"

#define RACES_SHOWN 20u

/* The names of a side: "function+0x10 (file:line)" of its pc and of its caller; "" when nothing is known. */
struct names {
    char place[TF_PLACE_BYTES], caller[TF_PLACE_BYTES];
};

/* The length of the function's name in a place. */
static int function_length(const char *place)
{
    return (int)strcspn(place, "+ ");
}

static void name(const struct tf_session *session, const struct tf_race_side *side, struct names *names)
{
    int tile = side->core == TF_CORE_NONE ? -1 : tf_tile_index(tf_chip_arch(session->chip), side->tile);
    names->place[0] = names->caller[0] = '\0';
    if (tile < 0)
        return;
    tf_symbols_place(session->symbols, (unsigned)tile, side->core, side->pc, names->place, TF_PLACE_BYTES);
    int length = function_length(names->place);
    /* ra is that of the caller until the function calls another one. */
    if (side->caller != 0)
        tf_symbols_place(session->symbols, (unsigned)tile, side->core, side->caller, names->caller, TF_PLACE_BYTES);
    if (length == function_length(names->caller) && strncmp(names->place, names->caller, (size_t)length) == 0)
        names->caller[0] = '\0';
}

static void print_side(const struct tf_session *session, const struct tf_race_side *side, const struct names *names)
{
    const struct tf_arch *arch = tf_chip_arch(session->chip);
    char request[48] = "", core[24] = "";
    if (side->noc >= 0)
        snprintf(request, sizeof request, " on NOC %d, transaction id %u", side->noc, side->tid);
    if (side->core != TF_CORE_NONE)
        snprintf(core, sizeof core, " core %s", tf_core_name_at(arch, side->tile, side->core));
    tf_cli_error("  %s%s, by (%u,%u)%s, cycle %llu, pc 0x%x %s", side->what, request, side->tile.x, side->tile.y, core,
                 (unsigned long long)side->cycle, side->pc, names->place);
    if (names->caller[0] != '\0')
        tf_cli_error("    called by %s", names->caller);
}

static void print_race(const struct tf_session *session, const struct tf_race *race, const struct names *names)
{
    static const char *const what[] = {
        [TF_RACE_DATA] = "nothing orders",
        [TF_RACE_STALE_LINE] = "a stale line of the L0 data cache, between",
        [TF_RACE_OVERTAKEN] = "the second may overtake the first:",
    };
    tf_cli_error("race: (%u,%u) 0x%llx, %llu times: %s", race->node.x, race->node.y, (unsigned long long)race->address,
                 (unsigned long long)race->count, what[race->kind]);
    for (unsigned i = 0; i < 2; i++)
        print_side(session, &race->side[i], &names[i]);
    tf_cli_error("  to mend it: %s", race->advice);
}

static bool is_in(const char *pattern, const char *place)
{
    char function[TF_PLACE_BYTES];
    snprintf(function, sizeof function, "%.*s", function_length(place), place);
    return fnmatch(pattern, function, 0) == 0;
}

/* Is a side in a function that a pattern names, or called by it? */
static bool matches(const char *pattern, const struct names *names)
{
    return is_in(pattern, names->place) || (names->caller[0] != '\0' && is_in(pattern, names->caller));
}

/* A line of the file: one pattern, for either side, or two, one for each. */
static bool suppressed_by(char *line, const struct names *names)
{
    char *rest = NULL;
    line[strcspn(line, "#\r\n")] = '\0';
    const char *first = strtok_r(line, " \t", &rest), *second = strtok_r(NULL, " \t", &rest);
    if (first == NULL)
        return false;
    if (second == NULL)
        return matches(first, &names[0]) || matches(first, &names[1]);
    return (matches(first, &names[0]) && matches(second, &names[1])) ||
           (matches(first, &names[1]) && matches(second, &names[0]));
}

static bool is_suppressed(FILE *file, const struct names *names)
{
    char line[1024];
    if (file == NULL)
        return false;
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL)
        if (suppressed_by(line, names))
            return true;
    return false;
}

size_t tf_report_races(const struct tf_session *session)
{
    size_t most = tf_races(session->chip, NULL, 0), left = 0;
    struct tf_race *races = calloc(most + 1, sizeof *races);
    if (races == NULL)
        return 0;
    size_t count = tf_races(session->chip, races, most + 1);
    for (size_t i = 0; i < count; i++) {
        struct names names[2];
        for (unsigned side = 0; side < 2; side++)
            name(session, &races[i].side[side], &names[side]);
        if (is_suppressed(session->job->suppressions, names))
            continue;
        if (left++ < RACES_SHOWN)
            print_race(session, &races[i], names);
    }
    free(races);
    if (left > RACES_SHOWN)
        tf_cli_error("race: %zu more", left - RACES_SHOWN);
    return left;
}
