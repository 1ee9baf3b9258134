/* SPDX-License-Identifier: Apache-2.0 */
#include "debug/raced.h"

#include <stdio.h>
#include <string.h>

#include "debug/registers.h"
#include "tile/arch.h"
#include "tile/node_text.h"

/* Names of C++ have blanks, parentheses and signs. */
int tf_raced_function_length(const char *place)
{
    for (const char *plus = strchr(place, '+'); plus != NULL; plus = strchr(plus + 1, '+')) {
        const char *rest = plus + 1 + strspn(plus + 1, "0123456789");
        if (rest != plus + 1 && (*rest == '\0' || strncmp(rest, " (", 2) == 0))
            return (int)(plus - place);
    }
    return (int)strcspn(place, " ");
}

/* The '(' before the line of a place, or NULL. */
static const char *line_of(const char *place)
{
    return strchr(place + tf_raced_function_length(place), '(');
}

static void name_side(const struct tf_arch *arch, struct tf_symbols *symbols, const struct tf_race_side *side,
                      struct tf_raced_side *names)
{
    int tile = side->core == TF_CORE_NONE || symbols == NULL ? -1 : tf_symbols_tile(arch, side->tile);
    names->place[0] = names->caller[0] = names->waited[0] = '\0';
    /* A packet of a link has no place either: its class says what is missing. */
    if (side->what != NULL && side->core == TF_CORE_NONE && side->noc < 0 && strstr(side->what, "by the host") != NULL)
        snprintf(names->place, TF_PLACE_BYTES, "host");
    if (tile < 0)
        return;
    tf_symbols_place(symbols, (unsigned)tile, side->core, side->pc, names->place, TF_PLACE_BYTES);
    if (side->waited != NULL)
        tf_symbols_place(symbols, (unsigned)tile, side->core, side->waited_pc, names->waited, TF_PLACE_BYTES);
    int length = tf_raced_function_length(names->place);
    /* ra is that of the caller until the function makes a call. The instruction before it is the call. */
    if (side->caller != 0)
        tf_symbols_place(symbols, (unsigned)tile, side->core, side->caller - 4, names->caller, TF_PLACE_BYTES);
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
        [TF_RACE_SCHEDULE] = "the vector unit does not allow:",
        [TF_RACE_NULL] = "access to address 0, probably through a null pointer:",
        [TF_RACE_SEMAPHORE] = "a semaphore of this number may not change:",
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
    if (side->noc < 0 && side->core == TF_CORE_NONE) {
        snprintf(text, bytes, side->cycle != 0 ? "%s, after cycle %llu" : "%s", side->what,
                 (unsigned long long)side->cycle);
        return;
    }
    if (side->noc >= 0)
        snprintf(request, sizeof request, " on NOC %d, transaction id %u", side->noc, side->tid);
    if (side->core != TF_CORE_NONE)
        snprintf(core, sizeof core, " core %s", tf_core_name(arch, tf_node_kind(arch, side->tile), side->core));
    snprintf(text, bytes, "%s%s, by %s%s, cycle %llu, pc 0x%x %s", side->what, request,
             tf_node_text(arch, side->tile, node), core, (unsigned long long)side->cycle, side->pc, names->place);
}

bool tf_raced_waited_text(const struct tf_arch *arch, const struct tf_race_side *side,
                          const struct tf_raced_side *names, char *text, size_t bytes)
{
    char at[TF_REGISTER_TEXT_BYTES + 24] = "", name[TF_REGISTER_TEXT_BYTES];
    if (side->waited == NULL)
        return false;
    if (side->waited_address != 0 && tf_register_text(arch, side->waited_address, name, sizeof name))
        snprintf(at, sizeof at, " at 0x%x (%s)", side->waited_address, name);
    else if (side->waited_address != 0)
        snprintf(at, sizeof at, " at 0x%x", side->waited_address);
    snprintf(text, bytes, "    last waited for %s%s, cycle %llu, pc 0x%x %s", side->waited, at,
             (unsigned long long)side->waited_cycle, side->waited_pc, names->waited);
    return true;
}

/* "send.c:12" of the place "send+124 (send.c:12, in ...)"; the function if it has no line. */
static void place_short(const char *place, char *text, size_t bytes)
{
    const char *open = line_of(place);
    if (open == NULL)
        snprintf(text, bytes, "%.*s", tf_raced_function_length(place), place);
    else
        snprintf(text, bytes, "%.*s", (int)strcspn(open + 1, ",)"), open + 1);
}

/* Is this a line of a header, as those of device libraries? */
static bool is_in_header(const char *place)
{
    char line[TF_PLACE_BYTES];
    place_short(place, line, sizeof line);
    return strstr(line, ".h:") != NULL;
}

/* The line of a side that its user wrote: that of the call, if a library has the access. */
static void user_line(const struct tf_raced_side *names, char *text, size_t bytes)
{
    const bool called = names->caller[0] != '\0' && line_of(names->caller) != NULL;
    place_short(called && is_in_header(names->place) && !is_in_header(names->caller) ? names->caller : names->place,
                text, bytes);
}

/* Where the last wait was: the user's line, or the function if that is a library's and was not inlined. */
static void wait_text(const char *place, char *text, size_t bytes)
{
    char line[TF_PLACE_BYTES];
    place_short(place, line, sizeof line);
    if (is_in_header(place))
        snprintf(text, bytes, "in %.*s", (int)strcspn(place, ".+( "), place); /* no suffix, such as .constprop.0 */
    else
        snprintf(text, bytes, "at %s", line);
}

/* Two initiators write a word over the NOC; the one that comes later takes what the other did. */
static const char *lost_update(const struct tf_race_side *a, const struct tf_race_side *b, bool same_core)
{
    const bool both = strncmp(a->what, "NOC write", 9) == 0 && strncmp(b->what, "NOC write", 9) == 0;
    return both && !same_core ? "; if both change what they read, use one atomic for it (tf_noc_fetch_inc())" : "";
}

bool tf_raced_line_text(const struct tf_race_side *side, const struct tf_raced_side *names, char *text, size_t bytes)
{
    if (side->what == NULL || side->core == TF_CORE_NONE)
        return false;
    if (names->place[0] == '\0')
        snprintf(text, bytes, "pc 0x%x", side->pc);
    else
        user_line(names, text, bytes);
    return true;
}

/* The call after an access that waits for it, in the device library and in tt-metal's dataflow API; "": none does. */
static void wait_for(const struct tf_race_side *side, char *call, size_t bytes)
{
    static const struct {
        const char *what, *own, *metal;
    } calls[] = {{"its source", "tf_noc_wait_sent", "noc_async_writes_flushed"},
                 {"NOC read", "tf_noc_wait", "noc_async_read_barrier"},
                 {"NOC write", "tf_noc_wait", "noc_async_write_barrier"},
                 {"NOC atomic", "tf_noc_wait", "noc_async_atomic_barrier"}};
    call[0] = '\0';
    if (side->noc < 0)
        return;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0] && call[0] == '\0'; i++)
        if (strstr(side->what, calls[i].what) != NULL && strstr(side->what, "posted") == NULL)
            snprintf(call, bytes, "%s(%d), or %s()", calls[i].own, side->noc, calls[i].metal);
}

/* Does a unit of the coprocessor that works for a thread have the access? */
static bool is_of_unit(const struct tf_race_side *side)
{
    return strstr(side->what, "unit, ") != NULL || strstr(side->what, "packer") != NULL;
}

static bool is_of_core(const struct tf_race_side *side)
{
    return strncmp(side->what, "load", 4) == 0 || strncmp(side->what, "store", 5) == 0;
}

/* Advise a core how to order two accesses of its own, if wait_for() knows no call for the first one. Returns false if
   the general advice says all: a core learns nothing from its own flag. */
static bool own_order(const struct tf_race_side *first, const struct tf_race_side *later, const char *before,
                      const char *at, char *text, size_t bytes)
{
    if (strcmp(first->what, "store") == 0 &&
        (strstr(later->what, "its source") != NULL || strncmp(later->what, "mover", 5) == 0))
        snprintf(text, bytes, "after %s call tf_settle() with the last address that it stores to, before %s", before,
                 at);
    else if (strcmp(first->what, "packet of the link, its source") == 0)
        snprintf(text, bytes,
                 "between %s and %s wait for an answer that the peer sends when it has the data "
                 "(tf_link_signal(), tf_link_wait())",
                 before, at);
    else if (strncmp(first->what, "mover", 5) == 0 && is_of_core(later))
        snprintf(text, bytes, "between %s and %s put a fence, and load the mover's status until it is 0", before, at);
    else if (is_of_unit(first) && is_of_core(later))
        snprintf(text, bytes, "call tf_tt_wait_idle() between %s and %s", before, at);
    else
        return false;
    return true;
}

/* What is missing at the only place of a race, or at its later one, for kinds that a call there mends. */
static bool call_text(const struct tf_race *race, const struct tf_raced *names, char *text, size_t bytes)
{
    const bool stale = race->kind == TF_RACE_STALE_LINE;
    char at[TF_PLACE_BYTES], call[96];
    if (race->side[stale].what == NULL || names->side[stale].place[0] == '\0')
        return false;
    user_line(&names->side[stale], at, sizeof at);
    wait_for(&race->side[stale], call, sizeof call);
    if (stale)
        snprintf(text, bytes, "call tf_fence(), or invalidate_l1_cache(), before %s", at);
    else if (call[0] != '\0' && strstr(race->advice, "linked") == NULL)
        snprintf(text, bytes, "after %s call %s, before the core ends", at, call);
    else
        return false;
    return true;
}

bool tf_raced_here_text(const struct tf_race *race, const struct tf_raced *names, char *text, size_t bytes)
{
    const bool swapped = race->side[0].what != NULL && race->side[1].what != NULL &&
                         race->side[0].cycle < race->side[1].cycle;
    const struct tf_race_side *later = &race->side[swapped], *first = &race->side[!swapped];
    const struct tf_raced_side *later_names = &names->side[swapped], *first_names = &names->side[!swapped];
    char at[TF_PLACE_BYTES], before[TF_PLACE_BYTES], waited[TF_PLACE_BYTES + 4] = "", call[96];
    if (race->kind == TF_RACE_STALE_LINE || race->kind == TF_RACE_UNFINISHED)
        return call_text(race, names, text, bytes);
    if (race->kind != TF_RACE_DATA || first->what == NULL || later->what == NULL || first_names->place[0] == '\0' ||
        later_names->place[0] == '\0')
        return false;
    user_line(later_names, at, sizeof at);
    user_line(first_names, before, sizeof before);
    if (later_names->waited[0] != '\0')
        wait_text(later_names->waited, waited, sizeof waited);
    const bool same_core = first->core == later->core && first->tile.x == later->tile.x &&
                           first->tile.y == later->tile.y;
    wait_for(first, call, sizeof call);
    if (same_core && call[0] == '\0')
        return own_order(first, later, before, at, text, bytes);
    if (call[0] == '\0' && strcmp(before, at) == 0) {
        snprintf(text, bytes, "two cores may be at %s at the same time: use one atomic there, or a lock", at);
        return true;
    }
    if (waited[0] != '\0' && later->waited != NULL && strncmp(later->waited, "a count that", 12) == 0) {
        snprintf(text, bytes, "its last wait, %s, may end before %s: wait there for the count of all increments",
                 waited, before);
        return true;
    }
    int length = waited[0] == '\0' ? snprintf(text, bytes, "the core of %s has waited for nothing", at)
                                   : snprintf(text, bytes, "its last wait, %s, tells the core of %s nothing of %s",
                                              waited, at, before);
    if (length < 0 || (size_t)length >= bytes)
        return true;
    text += length;
    bytes -= (size_t)length;
    if (same_core && strcmp(before, at) == 0)
        snprintf(text, bytes, ": call %s, between two rounds of %s", call, at);
    else if (same_core)
        snprintf(text, bytes, ": call %s, between %s and %s", call, before, at);
    else if (call[0] != '\0')
        snprintf(text, bytes, ": after %s call %s, then set a flag; wait for it before %s (tf_sem_wait())%s", before,
                 call, at, lost_update(first, later, same_core));
    else
        snprintf(text, bytes, ": after %s set a flag or post a semaphore, and wait for it before %s", before, at);
    return true;
}

void tf_raced_register_text(const struct tf_arch *arch, const struct tf_race *race, char *text, size_t bytes)
{
    char name[TF_REGISTER_TEXT_BYTES];
    const char *what = race->side[0].what;
    const bool by_number = race->kind == TF_RACE_REGISTER || race->kind == TF_RACE_SEMAPHORE;
    text[0] = '\0';
    if (!by_number && what != NULL && strstr(what, " Dst") != NULL)
        snprintf(text, bytes, " (row %llu of Dst)", (unsigned long long)race->address);
    else if (!by_number && tf_register_text(arch, race->address, name, sizeof name))
        snprintf(text, bytes, " (%s)", name);
}

void tf_raced_say(const struct tf_arch *arch, const struct tf_race *race, const struct tf_raced *names,
                  void (*say)(void *user, const char *line), void *user)
{
    char line[2 * TF_PLACE_BYTES], side[TF_PLACE_BYTES + 200], node[TF_NODE_TEXT_BYTES];
    char name[TF_REGISTER_TEXT_BYTES + 4];
    tf_raced_register_text(arch, race, name, sizeof name);
    snprintf(line, sizeof line, "race: %s 0x%llx%s, %llu time%s: %s", tf_node_text(arch, race->node, node),
             (unsigned long long)race->address, name, (unsigned long long)race->count, race->count == 1 ? "" : "s",
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
        if (tf_raced_waited_text(arch, &race->side[i], &names->side[i], line, sizeof line))
            say(user, line);
    }
    snprintf(line, sizeof line, "  to fix it: %s", race->advice);
    say(user, line);
    if (tf_raced_here_text(race, names, side, sizeof side)) {
        snprintf(line, sizeof line, "  here: %s", side);
        say(user, line);
    }
}
