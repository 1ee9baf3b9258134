/* SPDX-License-Identifier: Apache-2.0 */
/* The status of the coprocessor, as a core reads it in CSRs. */
#ifndef TILE_TENSIX_FRONTEND_STATUS_H
#define TILE_TENSIX_FRONTEND_STATUS_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;

/* Returns tt_cfg_qstatus, or with `busy` tt_cfg_bstatus, as a core reads it (CSRs.md). sfpu_cc is 0. */
uint32_t tf_tensix_status(const struct tf_tile *tile, unsigned core, bool busy);

#endif
