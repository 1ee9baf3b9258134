/* SPDX-License-Identifier: Apache-2.0 */
/* The grid of the chip, with tiles coloured by a figure: in the terminal and as an SVG file. */
#ifndef CLI_OUTPUT_PICTURE_H
#define CLI_OUTPUT_PICTURE_H

#include <stdio.h>

#include "host/text.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_chip.h"

#define TF_PANEL_KIB "KiB"

/* One figure of all tiles. */
struct tf_panel {
    const struct tf_arch *arch; /* of the chip; NULL: Blackhole */
    const char *title;          /* "Instructions retired" */
    const char *unit;           /* of the scale; may be empty. TF_PANEL_KIB: values are bytes, and are shown in KiB */
    uint64_t value[TF_TENSIX_TILES_MAX];
    uint64_t port[TF_ETH_TILES_MAX]; /* of Ethernet tiles, by port; 0: they are drawn as nodes of their kind */
};

/* The value of a node; NULL: it is drawn as a node of its kind. */
const uint64_t *tf_panel_value(const struct tf_panel *panel, struct tf_coord at);

/* The scale of a panel, from 0 to `most`. It is logarithmic when the values differ widely. A place on it is 0..1. */
struct tf_scale {
    uint64_t most;
    bool logarithmic;
};

struct tf_scale tf_scale_of(const struct tf_panel *panel);
double tf_scale_place(const struct tf_scale *scale, uint64_t value);

/* Write a value of a panel in its unit, in about four letters. Returns `text`. */
char *tf_panel_short(const struct tf_panel *panel, uint64_t value, char text[TF_GROUPED_BYTES]);

struct tf_colour {
    uint8_t r, g, b;
};

/* The colour at a place on the scale. */
struct tf_colour tf_scale_colour(double place);

/* Returns true if text on this colour must be dark. */
bool tf_colour_is_light(struct tf_colour colour);

/* Add the instructions and the traffic of each tile to two panels, which are of its family then. */
void tf_panels_add(struct tf_chip *chip, struct tf_panel *instructions, struct tf_panel *traffic);

enum tf_depth { TF_DEPTH_NONE, TF_DEPTH_256, TF_DEPTH_24BIT };

/* The colours that a stream can show. */
enum tf_depth tf_depth_of(FILE *stream);

/* Keep the panels in which tiles differ, and write the titles of the others, up to their colon, with commas between
   them. Returns how many there are; the last panel is kept if no other is. */
unsigned tf_panels_that_differ(struct tf_panel *panel, unsigned panels, char *others, size_t bytes);

#endif
