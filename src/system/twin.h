/* SPDX-License-Identifier: Apache-2.0 */
/* A second system like a first one, and systems that take the state of theirs. */
#ifndef SYSTEM_TWIN_H
#define SYSTEM_TWIN_H

#include <stdint.h>

struct tf_message;
struct tf_system;
struct tf_system_config;

/* Fill a configuration with what a system was made of, but for callbacks. It points into the system. */
void tf_system_configured(const struct tf_system *system, struct tf_system_config *config);

/* Make a system like this one, which has not run. It must be destroyed before this one. Its chips have no observers:
   those of this system's chips stay. */
int tf_system_twin(const struct tf_system *system, struct tf_system **twin, struct tf_message *message);

/* Take the state of these chips, as bits, and what is under way to them, from a twin. */
void tf_system_take(struct tf_system *system, struct tf_system *twin, uint32_t chips);

/* Before a system's state is read between runs: take what the host has let its tiles send since the last one. */
void tf_system_gather(struct tf_system *system);

#endif
