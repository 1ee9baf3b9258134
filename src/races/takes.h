/* SPDX-License-Identifier: Apache-2.0 */
/* Locks that a core takes by a NOC read and a NOC write. */
#ifndef RACES_TAKES_H
#define RACES_TAKES_H

#include "races/state/state.h"

/* A core has issued a request, which has its record. Is it a look at a word of another node, or does it store to the
   word that the core has just seen as 0? */
void take_issued(struct site *site, const struct tf_noc_request *request, struct issue *issue);

/* Such a store acts. Report it if another core has taken the word by the same value, and this one did not know that
   before it looked. */
void take_acts(struct site *site, const struct issue *issue, const struct who *who, uint32_t word);

/* Forget all looks. */
void takes_free(struct site *site);

#endif
