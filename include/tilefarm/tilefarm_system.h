/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Systems: several chips, whose Ethernet tiles are joined by links. All chips share one clock. A packet takes the time
 * of its link, so chips run side by side for as long, and what one chip computes does not depend on how far another
 * one has run on the host. Results are equal for any number of threads.
 *
 * The chips of a system are chips of tilefarm.h with all its functions, except that the system runs them: tf_run() on
 * one of them is TF_EINVAL. Callbacks of all chips come from the thread in tf_system_run(), in a fixed order.
 */
#ifndef TILEFARM_SYSTEM_H
#define TILEFARM_SYSTEM_H

#include "tilefarm/tilefarm.h"
#include "tilefarm/tilefarm_cluster.h"
#include "tilefarm/tilefarm_lead.h"
#include "tilefarm/tilefarm_links.h"
#include "tilefarm/tilefarm_system_config.h"
#include "tilefarm/tilefarm_system_run.h"

#endif
