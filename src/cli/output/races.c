/* SPDX-License-Identifier: Apache-2.0 */
/* The races of a checked run, without those that a file suppresses. */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "cli/session.h"
#include "debug/raced.h"
#include "farm/chip/chip.h"
#include "races/races.h"

#define RACES_SHOWN 20u

static bool is_in(const char *pattern, const char *place)
{
    char function[TF_PLACE_BYTES];
    if (place[0] == '\0')
        return strcmp(pattern, "-") == 0;
    snprintf(function, sizeof function, "%.*s", tf_raced_function_length(place), place);
    return fnmatch(pattern, function, 0) == 0;
}

/* Is a side in a function that a pattern names, or called by it? */
static bool matches(const char *pattern, const struct tf_raced_side *names)
{
    return is_in(pattern, names->place) || (names->caller[0] != '\0' && is_in(pattern, names->caller));
}

/* Read a line of the file. One pattern suits either side; two patterns are for one side each. "-" stands for the side
   that a loose end lacks. */
static bool suppressed_by(char *line, const struct tf_raced_side *names)
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

static bool is_suppressed(FILE *file, const struct tf_raced_side *names)
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

struct tf_race *tf_session_races(const struct tf_session *session, size_t *count)
{
    const struct tf_arch *arch = tf_chip_arch(session->chip);
    size_t most = tf_races(session->chip, NULL, 0);
    struct tf_race *races = calloc(most + 1, sizeof *races);
    *count = 0;
    size_t found = races == NULL ? 0 : tf_races(session->chip, races, most + 1);
    for (size_t i = 0; i < found; i++) {
        struct tf_raced names;
        tf_raced_name(arch, session->symbols, &races[i], &names);
        if (!is_suppressed(session->job->suppressions, names.side))
            races[(*count)++] = races[i];
    }
    return races;
}

bool tf_session_last_write(const struct tf_session *session, const struct tf_waiting *wait, char *text, size_t bytes)
{
    const struct tf_chip *chip = session->chip;
    struct tf_race race = {.address = wait->address};
    struct tf_raced names;
    if (chip->observers.races == NULL || !wait->stuck || wait->thread ||
        wait->address >= chip->arch->tile[TF_TILE_TENSIX].l1_bytes ||
        !tf_races_last_write(chip->observers.races, (uint16_t)tf_node_number(chip->arch, wait->node), wait->address,
                             &race.side[0]))
        return false;
    tf_raced_name(chip->arch, session->symbols, &race, &names);
    tf_raced_side_text(chip->arch, &race.side[0], &names.side[0], text, bytes);
    return true;
}

size_t tf_report_races(const struct tf_session *session)
{
    const struct tf_arch *arch = tf_chip_arch(session->chip);
    size_t count;
    struct tf_race *races = tf_session_races(session, &count);
    for (size_t i = 0; i < count && i < RACES_SHOWN; i++) {
        struct tf_raced names;
        tf_raced_name(arch, session->symbols, &races[i], &names);
        tf_raced_say(arch, &races[i], &names, tf_report_line, NULL);
    }
    free(races);
    if (count > RACES_SHOWN)
        tf_cli_error("race: %zu more are not shown", count - RACES_SHOWN);
    return count;
}
