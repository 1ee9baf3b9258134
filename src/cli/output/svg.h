/* SPDX-License-Identifier: Apache-2.0 */
/* A picture of the chip as SVG. */
#ifndef CLI_OUTPUT_SVG_H
#define CLI_OUTPUT_SVG_H

#include <stdio.h>

struct tf_panel;

/* Draw panels of chips of one family beside each other. subtitle: one line. */
void tf_svg_print(FILE *out, const char *title, const char *subtitle, const struct tf_panel *panel, unsigned panels);

#endif
