/* SPDX-License-Identifier: Apache-2.0 */
/* Races in the JSON of a run. */
#ifndef CLI_OUTPUT_JSON_RACES_H
#define CLI_OUTPUT_JSON_RACES_H

#include <jansson.h>
#include <stdbool.h>

struct tf_session;

/* Add `races`, and `race_lines` with indices of these, to the object of a checked run. Returns false if the host has no
   memory. */
bool tf_json_races(const struct tf_session *session, json_t *object);

#endif
