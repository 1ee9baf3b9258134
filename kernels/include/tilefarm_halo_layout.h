/* SPDX-License-Identifier: Apache-2.0 */
/*
 * halo: each chip has a square of cells, and a side of it borders on each neighbour. In a round each cell becomes twice
 * itself plus the four cells around it. kernels/halo.c and the host share this file.
 */
#ifndef TILEFARM_HALO_LAYOUT_H
#define TILEFARM_HALO_LAYOUT_H

#include "tilefarm_layout.h"
#include "tilefarm_link_layout.h"

#define TF_H_MAGIC 0x7F484131u

#define TF_H_SIDE 32u
#define TF_H_BYTES (TF_H_SIDE * 4u) /* of a side */
#define TF_H_PORTS 16u              /* neighbours at most */
#define TF_H_JOB TF_K_SHARED        /* struct tf_halo_job */
#define TF_H_LEAVES(port) (0x30000u + (port)*TF_H_BYTES)
#define TF_H_SQUARE(round) (0x40000u + (round) % 2u * TF_H_SIDE * TF_H_BYTES)

/* The side of a square that borders on a neighbour. Neighbours beyond the fourth share sides: their cells are added. */
enum tf_h_side { TF_H_TOP, TF_H_BOTTOM, TF_H_LEFT, TF_H_RIGHT, TF_H_SIDES };
#define TF_H_SIDE_OF(port) ((port) % TF_H_SIDES)

#ifndef __ASSEMBLER__
#include <stdint.h>

struct tf_halo_job {
    uint32_t magic;
    uint32_t rounds;
    uint32_t ports;               /* neighbours */
    uint32_t port_xy[TF_H_PORTS]; /* raw coordinates on NOC 0, as x | y << 6 */
};

/* The place of cell i of a side in the square. */
static inline uint32_t tf_h_cell(uint32_t side, uint32_t i)
{
    static const uint32_t first[] = {0, TF_H_SIDE * (TF_H_SIDE - 1), 0, TF_H_SIDE - 1};
    return first[side] + i * (side < TF_H_LEFT ? 1 : TF_H_SIDE);
}

/* A cell in the next round: `border` has what lies beyond each side. */
static inline uint32_t tf_h_next(const volatile uint32_t *square, uint32_t border[TF_H_SIDES][TF_H_SIDE], uint32_t row,
                                 uint32_t column)
{
    const volatile uint32_t *cell = square + row * TF_H_SIDE + column;
    const uint32_t above = row > 0 ? cell[-(int)TF_H_SIDE] : border[TF_H_TOP][column];
    const uint32_t below = row + 1 < TF_H_SIDE ? cell[TF_H_SIDE] : border[TF_H_BOTTOM][column];
    const uint32_t left = column > 0 ? cell[-1] : border[TF_H_LEFT][row];
    const uint32_t right = column + 1 < TF_H_SIDE ? cell[1] : border[TF_H_RIGHT][row];
    return 2 * cell[0] + above + below + left + right;
}
#endif

#endif
