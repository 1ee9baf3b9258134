/* SPDX-License-Identifier: Apache-2.0 */
/* The races of a checked run, without those that a file suppresses. */
#include <stdlib.h>

#include "cli/job.h"
#include "cli/races.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "debug/race_lines.h"
#include "debug/suppress.h"
#include "farm/chip/chip.h"
#include "races/races.h"
#include "races/found.h"

#define RACES_SHOWN 20u
#define LINES_SHOWN 20u

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
        if (!tf_suppressions_match(session->job->suppressions, names.side))
            races[(*count)++] = races[i];
    }
    return races;
}

size_t tf_session_count_races(const struct tf_session *session)
{
    size_t count = 0;
    if (tf_job_checks(session->job))
        free(tf_session_races(session, &count));
    return count;
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

/* The lines that take part in most races. */
static void say_lines(const struct tf_session *session, const struct tf_race *races, size_t count,
                      void (*say)(void *user, const char *line), void *user)
{
    struct tf_race_line *lines;
    char line[TF_PLACE_BYTES + 80];
    const size_t found = tf_race_lines(tf_chip_arch(session->chip), session->symbols, races, count, &lines);
    for (size_t i = 0; i < found && i < LINES_SHOWN; i++) {
        snprintf(line, sizeof line, "race:   %s: %zu race%s, %llu times", lines[i].place, lines[i].races,
                 lines[i].races == 1 ? "" : "s", (unsigned long long)lines[i].times);
        say(user, line);
    }
    if (found > LINES_SHOWN) {
        snprintf(line, sizeof line, "race:   %zu more lines; --report shows them", found - LINES_SHOWN);
        say(user, line);
    }
    tf_race_lines_free(lines, found);
}

void tf_races_say(const struct tf_session *session, void (*say)(void *user, const char *line), void *user)
{
    const struct tf_arch *arch = tf_chip_arch(session->chip);
    size_t count;
    struct tf_race *races = tf_session_races(session, &count);
    for (size_t i = 0; i < count && i < RACES_SHOWN; i++) {
        struct tf_raced names;
        tf_raced_name(arch, session->symbols, &races[i], &names);
        tf_raced_say(arch, &races[i], &names, say, user);
    }
    if (count > RACES_SHOWN) {
        char line[80];
        snprintf(line, sizeof line, "race: %zu more are not shown; the lines of all:", count - RACES_SHOWN);
        say(user, line);
        say_lines(session, races, count, say, user);
    }
    free(races);
}
