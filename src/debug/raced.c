/* SPDX-License-Identifier: Apache-2.0 */
#include "debug/raced.h"

#include <stdio.h>
#include <string.h>

#include "tile/node_text.h"

int tf_raced_function_length(const char *place)
{
    return (int)strcspn(place, "+ ");
}

static void name_side(const struct tf_arch *arch, struct tf_symbols *symbols, const struct tf_race_side *side,
                      struct tf_raced_side *names)
{
    int tile = side->core == TF_CORE_NONE || symbols == NULL ? -1 : tf_tile_index(arch, side->tile);
    names->place[0] = names->caller[0] = names->waited[0] = '\0';
    if (tile < 0)
        return;
    tf_symbols_place(symbols, (unsigned)tile, side->core, side->pc, names->place, TF_PLACE_BYTES);
    if (side->waited != NULL)
        tf_symbols_place(symbols, (unsigned)tile, side->core, side->waited_pc, names->waited, TF_PLACE_BYTES);
    int length = tf_raced_function_length(names->place);
    /* ra is that of the caller until the function makes a call. */
    if (side->caller != 0)
        tf_symbols_place(symbols, (unsigned)tile, side->core, side->caller, names->caller, TF_PLACE_BYTES);
    if (length == tf_raced_function_length(names->caller) && strncmp(names->place, names->caller, (size_t)length) == 0)
        names->caller[0] = '\0';
}

void tf_raced_name(const struct tf_arch *arch, struct tf_symbols *symbols, const struct tf_race *race,
                   struct tf_raced *names)
{
    for (unsigned i = 0; i < 2; i++)
        name_side(arch, symbols, &race->side[i], &names->side[i]);
}

const char *tf_raced_kind(enum tf_race_kind kind)
{
    static const char *const text[] = {
        [TF_RACE_DATA] = "nothing orders",
        [TF_RACE_STALE_LINE] = "the load may hit a stale line of the L0 data cache:",
        [TF_RACE_OVERTAKEN] = "the second may overtake the first:",
        [TF_RACE_UNWRITTEN] = "read before it is written:",
        [TF_RACE_COUNTER] = "pops more from a circular buffer than is in it:",
        [TF_RACE_UNFINISHED] = "the core ended without waiting for the answer:",
        [TF_RACE_REGISTER] = "a register of this number is read before it is written:",
        [TF_RACE_SCHEDULE] = "the schedule of SFPLOADMACRO does not allow:",
        [TF_RACE_NULL] = "access to address 0, probably through a null pointer:",
        [TF_RACE_WRAPPED] = "waits for a counter that may have wrapped around:",
    };
    return text[kind];
}

void tf_raced_side_text(const struct tf_arch *arch, const struct tf_race_side *side, const struct tf_raced_side *names,
                        char *text, size_t bytes)
{
    char request[48] = "", core[24] = "", node[TF_NODE_TEXT_BYTES];
    text[0] = '\0';
    if (side->what == NULL)
        return;
    if (side->noc >= 0)
        snprintf(request, sizeof request, " on NOC %d, transaction id %u", side->noc, side->tid);
    if (side->core != TF_CORE_NONE)
        snprintf(core, sizeof core, " core %s", tf_core_name(arch, tf_node_kind(arch, side->tile), side->core));
    snprintf(text, bytes, "%s%s, by %s%s, cycle %llu, pc 0x%x %s", side->what, request,
             tf_node_text(arch, side->tile, node), core, (unsigned long long)side->cycle, side->pc, names->place);
}

bool tf_raced_waited_text(const struct tf_race_side *side, const struct tf_raced_side *names, char *text, size_t bytes)
{
    char at[24] = "";
    if (side->waited == NULL)
        return false;
    if (side->waited_address != 0)
        snprintf(at, sizeof at, " at 0x%x", side->waited_address);
    snprintf(text, bytes, "    last waited for %s%s, cycle %llu, pc 0x%x %s", side->waited, at,
             (unsigned long long)side->waited_cycle, side->waited_pc, names->waited);
    return true;
}

void tf_raced_say(const struct tf_arch *arch, const struct tf_race *race, const struct tf_raced *names,
                  void (*say)(void *user, const char *line), void *user)
{
    char line[2 * TF_PLACE_BYTES], side[TF_PLACE_BYTES + 200], node[TF_NODE_TEXT_BYTES];
    snprintf(line, sizeof line, "race: %s 0x%llx, %llu time%s: %s", tf_node_text(arch, race->node, node),
             (unsigned long long)race->address, (unsigned long long)race->count, race->count == 1 ? "" : "s",
             tf_raced_kind(race->kind));
    say(user, line);
    for (unsigned i = 0; i < 2 && race->side[i].what != NULL; i++) {
        tf_raced_side_text(arch, &race->side[i], &names->side[i], side, sizeof side);
        snprintf(line, sizeof line, "  %s", side);
        say(user, line);
        if (names->side[i].caller[0] != '\0') {
            snprintf(line, sizeof line, "    called by %s", names->side[i].caller);
            say(user, line);
        }
        if (tf_raced_waited_text(&race->side[i], &names->side[i], line, sizeof line))
            say(user, line);
    }
    snprintf(line, sizeof line, "  to fix it: %s", race->advice);
    say(user, line);
}
