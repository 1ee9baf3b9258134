/* SPDX-License-Identifier: Apache-2.0 */
/* What the JSON of a run says of one chip after it, alone or in a system. */
#ifndef CLI_OUTPUT_JSON_CHIP_H
#define CLI_OUTPUT_JSON_CHIP_H

#include <jansson.h>
#include <stdbool.h>

struct tf_session;

/* Add faults, waits, tiles and stacks, races with --check, and cycles with --timing. Returns false if the host has no
   memory. */
bool tf_json_chip(const struct tf_session *session, json_t *object);

#endif
