/* SPDX-License-Identifier: Apache-2.0 */
/* Visits of a worker. */
#ifndef FARM_RELAXED_VISIT_H
#define FARM_RELAXED_VISIT_H

#include "farm/chip/chip.h"

/* Visit all sites of a worker that have work; if none has, steal one visit. Returns false if no site had work.
   number: of the worker of each chip. */
bool tf_relaxed_visit_round(struct tf_relaxed *relaxed, unsigned number);

/* The number of the worker that a site of the number-th chip is at home with. */
unsigned tf_relaxed_home(const struct tf_relaxed *relaxed, unsigned chip, unsigned site);

#endif
