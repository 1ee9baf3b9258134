/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that wait for an epoch: those of initiators, and the packets of a tile's overlay streams. */
#ifndef NOC_REQUESTS_OVERLAY_H
#define NOC_REQUESTS_OVERLAY_H

struct tf_niu;

/* Waiting initiators of a NIU issue, oldest first, and then streams of the tile, up to the epoch's bound. */
void tf_niu_begin_epoch(struct tf_niu *niu);

#endif
