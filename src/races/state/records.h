/* SPDX-License-Identifier: Apache-2.0 */
/* Records of what requests and packets have done, which traces name. */
#ifndef RACES_STATE_RECORDS_H
#define RACES_STATE_RECORDS_H

#include "races/state/state.h"

/* Add a copy of a record, and return the trace of its access. */
tf_trace record_add(struct site *site, const struct record *record);

/* The record that a trace of a request names; NULL: it has been dropped. */
const struct record *record_of(const struct site *site, tf_trace trace);

void records_free(struct records *records);

#endif
