/* SPDX-License-Identifier: Apache-2.0 */
/* Small pieces of SVG for charts. */
#ifndef CLI_BENCH_CHART_H
#define CLI_BENCH_CHART_H

#include <stdio.h>

#define CHART_SERIES 12u

/* A colour for a series; repeats after CHART_SERIES. */
const char *chart_colour(unsigned series);

void chart_begin(FILE *out, unsigned width, unsigned height, const char *title, const char *subtitle);
void chart_end(FILE *out);

/* anchor: "start", "middle" or "end". */
void chart_text(FILE *out, double x, double y, const char *anchor, const char *text);
void chart_line(FILE *out, double x0, double y0, double x1, double y1, const char *colour, double width);
void chart_dashes(FILE *out, double x0, double y0, double x1, double y1, const char *colour, double width);
/* A tooltip may be NULL. */
void chart_bar(FILE *out, double x, double y, double width, double height, const char *colour, const char *tooltip);
void chart_dot(FILE *out, double x, double y, const char *colour, const char *tooltip);
/* A coloured square and what it stands for; returns the width. */
double chart_key(FILE *out, double x, double y, const char *colour, const char *text);

#endif
