/* SPDX-License-Identifier: Apache-2.0 */
/* A program for the toy family: what the host tells it, and where it leaves what. */
#ifndef TESTS_FAMILY_TOY_H
#define TESTS_FAMILY_TOY_H

#include "tilefarm_layout.h"

#define TOY_TILES 2u
#define TOY_TICKET_BYTES 64u
#define TOY_POSTS 3u /* of T0, to a semaphore of the coprocessor */

/* Words of tile 0 and, where it says so, of each tile. */
#define TOY_TICKET TF_K_SHARED
#define TOY_ARRIVED (TF_K_SHARED + 0x10)
#define TOY_GO(noc) (TF_K_SHARED + 0x20 + 0x10 * (noc)) /* each tile */
#define TOY_SETTING (TF_K_SHARED + 0x1000)              /* struct toy_setting, each tile */

#ifndef __ASSEMBLER__
struct toy_setting {
    uint32_t me;
    uint32_t tile0_xy;     /* coordinates, as NOC_ID_LOGICAL has them */
    uint32_t dram_xy[2];   /* two ports of one channel */
    uint32_t rectangle[2]; /* all tiles, by NOC */
    uint32_t dram_first;
};
#endif

#endif
