/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mesh-reduce: an all-reduce over a tree of links that spans a mesh of chips. In each step a chip sends over each link
 * of the tree its own data plus what it has got over the others. After as many steps as the longest way in the tree has
 * links, its data plus what it has got over all is the sum of all chips' data. kernels/mesh.c and the host share this
 * file.
 */
#ifndef TILEFARM_MESH_LAYOUT_H
#define TILEFARM_MESH_LAYOUT_H

#include "tilefarm_layout.h"
#include "tilefarm_link_layout.h"

#define TF_M_MAGIC 0x7F4D5331u

#define TF_M_BYTES 1024u     /* of a chip's data */
#define TF_M_PORTS 16u       /* links of the tree at a chip, at most */
#define TF_M_JOB TF_K_SHARED /* struct tf_mesh_job */
#define TF_M_OWN 0x30000u    /* the chip's data */
#define TF_M_LEAVES(port) (0x34000u + (port)*TF_M_BYTES)
#define TF_M_RESULT 0x3C000u

#ifndef __ASSEMBLER__
#include <stdint.h>

struct tf_mesh_job {
    uint32_t magic;
    uint32_t seed;
    uint32_t chip;
    uint32_t rounds;              /* all-reduces */
    uint32_t steps;               /* of each */
    uint32_t ports;               /* links of the tree at this chip */
    uint32_t port_xy[TF_M_PORTS]; /* raw coordinates on NOC 0, as x | y << 6 */
    uint32_t sum;                 /* from the program: over the words of all results */
};
#endif

#endif
