/* SPDX-License-Identifier: Apache-2.0 */
/* The name of a node in all texts for people. */
#ifndef TILE_NODE_TEXT_H
#define TILE_NODE_TEXT_H

#include "tile/arch.h"

#define TF_NODE_TEXT_BYTES 40u

/* Write a node as "tile 1 (2,2)", "port 5 (4,1)", "DRAM 3 (0,1)" or "PCIe (2,0)", with its number among its kind,
   by which commands take it. Returns `text`. */
char *tf_node_text(const struct tf_arch *arch, struct tf_coord node, char text[TF_NODE_TEXT_BYTES]);

/* The same for a tile by its number (numbered.h). */
char *tf_tile_text(const struct tf_arch *arch, unsigned tile, char text[TF_NODE_TEXT_BYTES]);

#endif
