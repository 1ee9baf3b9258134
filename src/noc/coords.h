/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coordinates: translation, identification, and the tiles in a rectangle. The chip's table (arch.h) has the grid, and
 * the translation tables that firmware sets up. The rule of translation, with its columns of DRAM ports, is
 * Blackhole's.
 * Sources: BlackholeA0/NoC/Coordinates.md and its diagrams (Diagrams/Src/NoC.lua), MemoryMap.md, RoutingPaths.md.
 */
#ifndef NOC_COORDS_H
#define NOC_COORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "noc/noc.h"

struct tf_arch;
struct tf_coord;
struct tf_niu;

/* Write the nodes that a request reaches to `node`, an array of TF_NODES_MAX, and return their number. The recipients
   of a multicast are in tile order, after exclusion and source include. They include tiles whose NIU has opted out:
   those registers may change until the request acts, so tf_noc_act() tests them. */
unsigned tf_noc_recipients(const struct tf_fabric *fabric, const struct tf_noc_request *request, uint16_t *node);

/* The nodes that a multicast request reaches, as bits: columns of each row. `columns` must hold TF_GRID_Y_MAX. */
void tf_noc_reach(const struct tf_fabric *fabric, const struct tf_noc_request *request, uint32_t *columns);

/* May the patterns of NOC_BRCST_EXCLUDE (keep 1:0, skip 3:2 of x; 7:4 of y) be used in a rectangle? Along an axis where
   it wraps, keep + skip must be a power of two if both are positive. Source: HostToDeviceTLBs.md. */
bool tf_noc_patterns_fit(uint32_t exclude, const struct tf_noc_corners *corners);

/* Raw coordinates of NOC 0 as raw coordinates of a NOC, or the reverse. */
struct tf_noc_xy tf_noc_raw(const struct tf_arch *arch, unsigned noc, struct tf_noc_xy at);

/* Find the node by the translated coordinates that the chip's firmware gives it. Returns false if no node has them. */
bool tf_noc_named(const struct tf_arch *arch, struct tf_noc_xy at, struct tf_coord *node);

/* Translate coordinates given by software to raw coordinates of the NIU's NOC. They may be off the grid. */
struct tf_noc_xy tf_niu_translate(const struct tf_niu *niu, struct tf_noc_xy at);

/* Translate the corners of a rectangle. Returns false if one of them is off the grid. */
bool tf_niu_translate_corners(const struct tf_niu *niu, struct tf_noc_corners *corners);

/* The node that bits 11:0 of a HI register name; TF_NO_NODE when it is off the grid. */
uint16_t tf_niu_node_of(const struct tf_niu *niu, uint32_t hi);

/* Set identification, and the registers that the chip's firmware sets up. */
void tf_niu_power_on(struct tf_niu *niu);

/* A configuration word has changed: unpack the translation tables. */
void tf_niu_unpack_tables(struct tf_niu *niu);

#endif
