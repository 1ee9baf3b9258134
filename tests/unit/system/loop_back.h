/* SPDX-License-Identifier: Apache-2.0 */
/* A transport between threads of one process. Messages take a random time, and can be damaged. */
#ifndef LOOP_BACK_H
#define LOOP_BACK_H

#include "system/processes/transport.h"

/* What happens to one message. */
enum damage { DAMAGE_NONE, DAMAGE_CUT, DAMAGE_CHANGED, DAMAGE_REPEATED, DAMAGE_LOST, DAMAGE_END };

struct loop_back;

/* delays_us: messages take up to so long. Message number `at` to rank 1 is damaged. DAMAGE_END: rank 0 ends instead. */
struct loop_back *loop_back_create(unsigned ranks, unsigned delays_us, enum damage damage, unsigned at);
void loop_back_destroy(struct loop_back *loop);

struct tf_transport *loop_back_rank(struct loop_back *loop, unsigned rank);

/* A rank ends: those that wait for it learn that. */
void loop_back_leave(struct loop_back *loop, unsigned rank);

#endif
