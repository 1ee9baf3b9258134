/* SPDX-License-Identifier: Apache-2.0 */
/* Requests on one path and one virtual channel: those that act in order know of each other (noc/requests/order.h). */
#ifndef RACES_PATHS_H
#define RACES_PATHS_H

#include "races/state/state.h"

/* A request has been issued: note it on its path, and let it know the earlier requests there that act before it. */
void follow(struct site *site, const struct tf_noc_request *request, uint32_t ctrl, struct record *record);

/* A core knows that a NIU has accepted its commands. */
void path_accepted(struct site *site, unsigned core, unsigned noc);

/* Let a record know of an action. */
void record_learn(struct record *record, struct tf_stamp stamp);

#endif
