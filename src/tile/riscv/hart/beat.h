/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Harts that wait and count: each round of the loop adds constants to some registers, and stores words that depend on
 * nothing else that changes. Firmware of Ethernet tiles waits in such a loop, and stores a heartbeat. Such a hart parks
 * like any other. The words that it stores are made when its time advances (struct tf_beat in hart/park.h).
 */
#ifndef TILE_RISCV_HART_BEAT_H
#define TILE_RISCV_HART_BEAT_H

#include <stdbool.h>

struct tf_tile;
struct tf_hart;

/* Store what a parked hart with a beat has stored up to its cycle. */
void tf_beat_show(struct tf_tile *tile, const struct tf_hart *hart);

/* Does another parked hart of the tile poll a word that a hart with a beat stores? */
bool tf_beat_is_polled(const struct tf_tile *tile);

#endif
