/* SPDX-License-Identifier: Apache-2.0 */
/* What the links of cores that wait have to do with it. A chip knows its cores (tf_waits()), a system the links. */
#ifndef SYSTEM_WAITS_H
#define SYSTEM_WAITS_H

struct tf_system;

/* Between runs: say a line for each port of a chip whose cores wait: where its link leads, whether it is down, which
   packets are lost, not acknowledged or not taken by a full receiver, and what the cores at the other end wait for. */
void tf_system_say_links(struct tf_system *system, unsigned chip, void (*to)(void *user, const char *line), void *user);

#endif
