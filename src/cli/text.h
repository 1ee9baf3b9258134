/* SPDX-License-Identifier: Apache-2.0 */
/* Errors, numbers and places, in words of users. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "host/text.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_base.h"

struct tf_arch;
struct tf_coord;
struct tf_tile_set;

/* Print one line on standard error, after "tilefarm: ". Characters that would not print are escaped. */
void tf_cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Read a number: decimal or 0x, with a suffix k, M, G (thousands), Ki, Mi or Gi. Returns false if the text is not a
   number. */
bool tf_cli_u64(const char *text, uint64_t *value);

/* Read the value of an option, least..most. Returns false after an error line that names the option and the value. */
bool tf_cli_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *value);

/* Read a time of more than 0 and at most `most` seconds. Returns false after an error line. */
bool tf_cli_seconds(const char *option, const char *text, uint64_t most, double *seconds);

/* Print text between tags of an SVG file. */
void tf_cli_print_xml(FILE *out, const char *text);

/* Read a core: "B", "nc", "T0", or the names that firmware uses: brisc, ncrisc, trisc0. */
bool tf_cli_core(const char *text, enum tf_core *core);

/* Read a node: a tile index, or "x,y", raw NOC 0 coordinates or translated ones off the grid. False, without an error
   line: there is no such tile or node. */
bool tf_cli_node(const struct tf_arch *arch, const char *text, struct tf_coord *node);

/* The family's name in reports; NULL: that of the default family. */
const char *tf_cli_title(const struct tf_arch *arch);

/* Read a number of threads: "auto", which gives 0, or 1..TF_WORKERS_MAX. Returns false after an error line. */
bool tf_cli_threads(const char *option, const char *text, unsigned *threads);

/* Read tiles: "all", an index, a range "0-139", coordinates "x,y", or several of these joined by "+". */
bool tf_cli_tiles(const struct tf_arch *arch, const char *text, struct tf_tile_set *tiles);

/* Read ports of Ethernet tiles: "all", a number, a range "0-11", or several of these joined by "+". */
bool tf_cli_ports(unsigned ports, const char *text, struct tf_tile_set *set);

/* Read tiles of DRAM nodes that have a core: "all", a number, a range "0-23", coordinates "x,y", or several of these
   joined by "+". They are numbered in rows. */
bool tf_cli_dram_tiles(const struct tf_arch *arch, const char *text, struct tf_tile_set *set);

/* How many of them a family has. */
unsigned tf_cli_dram_tiles_of(const struct tf_arch *arch);

/* Read a core of any kind of tile: as tf_cli_core(); E0 or E1 of Ethernet tiles; DRISC of DRAM tiles. */
bool tf_cli_any_core(const char *text, enum tf_tile_kind *kind, enum tf_core *core);

/* Its name, in capitals. */
const char *tf_cli_core_name(enum tf_tile_kind kind, enum tf_core core);

/* What a number in a list of such tiles names: "tile", "port", "DRAM tile". */
const char *tf_cli_place_word(enum tf_tile_kind kind);

/* Write a figure with three digits and k, M, G or T. Returns `text`. */
char *tf_cli_short(double value, char text[TF_GROUPED_BYTES]);

/*
 * Show a progress line on standard error, over the one before. It is cut to the width of the terminal: a longer line
 * would wrap, and its start would stay on the screen.
 */
void tf_cli_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Remove the progress line. */
void tf_cli_progress_end(void);

/* Returns true if a stream is a terminal that takes colours (NO_COLOR unset, TERM not "dumb"). */
bool tf_cli_colours(FILE *stream);

/* Flush standard output. When that fails (a full disk, a closed pipe), print an error line and make TF_EXIT_OK
   TF_EXIT_FAILED. */
int tf_cli_finish(int result);

/* The chip family that the value of an option names. Returns false after an error line. */
bool tf_cli_arch(const char *option, const char *value, const struct tf_arch **arch);

#endif
