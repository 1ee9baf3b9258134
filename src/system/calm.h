/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Windows that are longer than the latency of links. A system is calm when no Ethernet tile with a link is active, and
 * no chip has sent requests to its NOCs for some time. Then nothing is sent on a link before a request wakes such a
 * tile. In a long window such requests act in its last part alone, a latency before its end (tf_part_hold()). So what
 * the tile sends arrives behind the window, as in any other.
 */
#ifndef SYSTEM_CALM_H
#define SYSTEM_CALM_H

#include <stdbool.h>
#include <stdint.h>

#include "system/news.h"

struct tf_system;

/* May the windows of a system grow at all? */
bool tf_calm_possible(const struct tf_system *system);

/* Let *news have what the chips of this process say about it. */
void tf_calm_note(const struct tf_system *system, struct tf_news *news);

/* Is a system calm now that was stirred (tf_news) up to a tick? That tick never falls, though chips stop: so ranks need
   not ask each other as long as what they know late says that the system is not calm. */
bool tf_calm_since(const struct tf_system *system, uint64_t stirred, uint64_t now);

/* The tick at which a window ends that begins now. system->news: of all ranks. */
uint64_t tf_calm_end(const struct tf_system *system, uint64_t now);

#endif
