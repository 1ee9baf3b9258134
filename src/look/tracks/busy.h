/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counter tracks of a timeline: for which share of a window, one or more epochs, the units and the NIUs of a tile, or
 * of all tiles, were at work. In timing mode units and links count their busy cycles. Else an instruction takes its
 * unit a cycle, and a flit its link.
 */
#ifndef LOOK_TRACKS_BUSY_H
#define LOOK_TRACKS_BUSY_H

#include <stdbool.h>
#include <stdint.h>

struct tf_busy;
struct tf_chip;
struct tf_noc_event;
struct tf_packets;

/* What has a track. */
enum tf_busy_kind {
    TF_BUSY_MATRIX,
    TF_BUSY_VECTOR,
    TF_BUSY_UNPACK,
    TF_BUSY_PACK,
    TF_BUSY_NOC, /* NOC 0 out, NOC 0 in, NOC 1 out, NOC 1 in */
    TF_BUSY_KINDS = TF_BUSY_NOC + 4,
};

struct tf_busy_wish {
    struct tf_packets *packets;
    struct tf_chip *chip;
    uint64_t from; /* the chip's cycle */
    uint32_t chip_track;
    const uint8_t *cores;                              /* by Tensix tile: 0 means that the tile has no tracks */
    uint32_t (*tile_track)(void *user, unsigned tile); /* the track of a Tensix tile */
    void *user;
};

/* Begin, before the chip runs. Returns NULL if the host has no memory. */
struct tf_busy *tf_busy_create(const struct tf_busy_wish *wish);
void tf_busy_destroy(struct tf_busy *busy);

/* The kind of a unit of the coprocessor by its name; TF_BUSY_KINDS: it has no track. */
unsigned tf_busy_unit(const char *name);

/* Count an instruction of a Tensix tile; a step of a NOC request. */
void tf_busy_count(struct tf_busy *busy, unsigned tile, unsigned kind);
void tf_busy_noc(struct tf_busy *busy, const struct tf_noc_event *event);

#define TF_BUSY_WINDOW 1024u /* cycles of a window, at least */

/* An epoch has ended at a cycle. shows: the timeline has a window that begins at this cycle. last: show the window that
   is under way. */
void tf_busy_epoch(struct tf_busy *busy, uint64_t cycle, bool (*shows)(const void *user, uint64_t cycle), bool last);

#endif
