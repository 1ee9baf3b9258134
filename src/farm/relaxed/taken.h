/* SPDX-License-Identifier: Apache-2.0 */
/* An owner performs what was handed to its site. */
#ifndef FARM_RELAXED_TAKEN_H
#define FARM_RELAXED_TAKEN_H

#include "farm/chip/chip.h"

/* Perform what was handed to a site, oldest first. By the owner. */
void tf_relaxed_take_handed(struct tf_worker *worker, struct tf_site *site);

/* Free the requests and responses that were handed to a site and not performed before the run ended. */
void tf_relaxed_drop(struct tf_site *site);

#endif
