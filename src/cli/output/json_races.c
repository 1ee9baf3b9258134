/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output/json_races.h"

#include <stdlib.h>

#include "cli/races.h"
#include "cli/session_state.h"
#include "debug/race_lines.h"
#include "tile/node_text.h"

static json_t *race_object(const struct tf_session *session, const struct tf_race *race)
{
    const struct tf_arch *arch = tf_chip_arch(session->chip);
    char node[TF_NODE_TEXT_BYTES], text[TF_PLACE_BYTES + 200];
    json_t *sides = json_array();
    struct tf_raced names;
    tf_raced_name(arch, session->symbols, race, &names);
    for (unsigned i = 0; i < 2 && race->side[i].what != NULL; i++) {
        tf_raced_side_text(arch, &race->side[i], &names.side[i], text, sizeof text);
        json_t *side = json_pack("{s:s, s:I, s:s}", "text", text, "cycle", (json_int_t)race->side[i].cycle, "place",
                                 names.side[i].place);
        if (tf_raced_line_text(&race->side[i], &names.side[i], text, sizeof text))
            json_object_set_new(side, "line", json_string(text));
        json_array_append_new(sides, side);
    }
    return json_pack("{s:s, s:o, s:s, s:I, s:o, s:s}", "where", tf_node_text(arch, race->node, node), "address",
                     json_sprintf("0x%08llx", (unsigned long long)race->address), "kind", tf_raced_kind(race->kind),
                     "times", (json_int_t)race->count, "sides", sides, "advice", race->advice);
}

static json_t *line_array(const struct tf_session *session, const struct tf_race *races, size_t count)
{
    struct tf_race_line *lines;
    const size_t found = tf_race_lines(tf_chip_arch(session->chip), session->symbols, races, count, &lines);
    json_t *array = json_array();
    for (size_t i = 0; i < found; i++) {
        json_t *indices = json_array();
        for (size_t race = 0; race < lines[i].races; race++)
            json_array_append_new(indices, json_integer((json_int_t)lines[i].race[race]));
        json_array_append_new(array, json_pack("{s:s, s:I, s:o}", "line", lines[i].place, "times",
                                               (json_int_t)lines[i].times, "races", indices));
    }
    tf_race_lines_free(lines, found);
    return array;
}

bool tf_json_races(const struct tf_session *session, json_t *object)
{
    size_t count;
    struct tf_race *races = tf_session_races(session, &count);
    json_t *array = json_array();
    if (races == NULL || array == NULL) {
        free(races);
        json_decref(array);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, race_object(session, &races[i]));
    const bool made = json_object_set_new(object, "races", array) == 0 &&
                      json_object_set_new(object, "race_lines", line_array(session, races, count)) == 0;
    free(races);
    return made;
}
