/* SPDX-License-Identifier: Apache-2.0 */
/* One timeline of what several processes have recorded. */
#ifndef LOOK_TRACKS_REPLAY_H
#define LOOK_TRACKS_REPLAY_H

#include <stdbool.h>
#include <stdio.h>

struct tf_packets;

/* Make all calls of recordings (recording.h) in their order. recording: files that begin at the first piece. Returns
   false if the host has no memory, or a file is cut. */
bool tf_packets_replay(struct tf_packets *packets, FILE *const *recording, unsigned count);

#endif
