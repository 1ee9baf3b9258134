/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits of cores and threads, and the core or thread that could end them. The functions read the state of one tile, and
 * change nothing.
 */
#ifndef FARM_WAITS_WAITS_H
#define FARM_WAITS_WAITS_H

#include "host/text.h"
#include "tile/run/tile.h"
#include "tilefarm/tilefarm_base.h"

/* What the C start file leaves in t0 when main() has returned the value in a0. */
#define TF_RETURNED_MAGIC 0x600D1000u
/* What the start file of the workloads, and that of version 0.1, leaves in a0, plus the low 16 bits of that value. */
#define TF_DONE_MAGIC 0x600D0000u

#endif
