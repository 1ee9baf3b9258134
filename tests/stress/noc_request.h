/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of all kinds, as the registers of an initiator. */
#ifndef STRESS_NOC_REQUEST_H
#define STRESS_NOC_REQUEST_H

#include "random_program.h"

#define NOC_WORDS 12u

/* clang-format off */
enum {
    N_TARG_LO, N_TARG_MID, N_TARG_HI, N_RET_LO, N_RET_MID, N_RET_HI, N_TAG, N_CTRL, N_AT_LEN, N_AT_LEN_1, N_AT_DATA,
    N_EXCLUDE,
};
/* clang-format on */

struct noc_request {
    unsigned noc, initiator;
    uint32_t word[NOC_WORDS];
};

/* The requests that a core of plan->tile[tile] may issue. */
void random_request(struct dice *dice, const struct plan *plan, unsigned tile, unsigned core,
                    struct noc_request *request);

/* Wait for the initiator, fill it and launch; x26 is left at it, x27 is used. */
void emit_request(struct code *code, const struct noc_request *request);

#endif
