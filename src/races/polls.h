/* SPDX-License-Identifier: Apache-2.0 */
/* Words that actors read again and again. */
#ifndef RACES_POLLS_H
#define RACES_POLLS_H

#include "races/state/state.h"

/* A NOC read is issued. Does it poll? */
bool noc_polls(struct site *site, const struct tf_noc_request *request, uint32_t caller);

/* It acts on a word. Returns true if the word synchronizes from now on. */
bool noc_polled(struct site *site, const struct who *who, uint64_t word);

#endif
