/* SPDX-License-Identifier: Apache-2.0 */
/* The races of a checked run. */
#ifndef CLI_RACES_H
#define CLI_RACES_H

#include <stdbool.h>
#include <stddef.h>

struct tf_race;
struct tf_session;
struct tf_waiting;

/* The races of a checked run, less the suppressed ones; the caller frees them. Returns NULL if the host has no
   memory. */
struct tf_race *tf_session_races(const struct tf_session *session, size_t *count);

/* The last writer of a word that a core polls in L1, as a run with --check knows it. Returns false if it is not
   known. */
bool tf_session_last_write(const struct tf_session *session, const struct tf_waiting *wait, char *text, size_t bytes);

/* Their number; 0 without --check. */
size_t tf_session_count_races(const struct tf_session *session);

/* Say them line by line. */
void tf_races_say(const struct tf_session *session, void (*say)(void *user, const char *line), void *user);

#endif
