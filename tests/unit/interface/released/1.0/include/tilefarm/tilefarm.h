/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm.h
 * The public interface of libtilefarm: a whole Tenstorrent chip in software.
 *
 * Return values of all functions: a function that can fail returns 0 (TF_OK) or a negative TF_E* code. Each function
 * names the codes that it may return. Nothing here prints, and nothing ends the process.
 *
 * Threads: a chip belongs to one thread at a time. Different chips may be used from different threads at the same
 * moment. Only tf_stop() may be called from a signal handler, or while another thread runs the chip. Functions that
 * take no chip may be called from any thread.
 *
 * Families: a struct tf_arch is a constant table that says what a chip is: its grid, tiles and memories. Where a
 * parameter is named `arch`, NULL stands for Blackhole, the default.
 *
 * Places: raw NOC 0 coordinates name a node of the NOC, as on the page NoC/Coordinates.md of the public ISA
 * documentation. Tensix tiles also have an index. It counts from 0, row by row (Blackhole: 0..139, from (1,2) to
 * (16,11)).
 */
#ifndef TILEFARM_TILEFARM_H
#define TILEFARM_TILEFARM_H

#include "tilefarm/tilefarm_base.h"
#include "tilefarm/tilefarm_chip.h"
#include "tilefarm/tilefarm_config.h"
#include "tilefarm/tilefarm_events.h"

#endif
