/* SPDX-License-Identifier: Apache-2.0 */
/* Where a vector instruction reads or writes Dst. */
#ifndef TILE_TENSIX_VECTOR_PLACE_H
#define TILE_TENSIX_VECTOR_PLACE_H

/* The place in Dst and the format of an SFPLOAD, SFPSTORE or SFPLOADMACRO. */
struct tf_sfpu_place {
    unsigned address; /* Addr: 10 bits */
    unsigned mod0;    /* format, with MOD0_FMT_SRCB resolved */
};

#endif
