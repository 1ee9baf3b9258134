/* SPDX-License-Identifier: Apache-2.0 */
/* Chips that ranks run which mpirun has started beside the client (system/lead.h). */
#ifndef ABI_FETCH_H
#define ABI_FETCH_H

#include <stdint.h>

struct abi;

/* With TILEFARM_SPREAD=1: lead these ranks. */
void abi_lead(struct abi *abi);

/* The host is about to access a chip, or all of them. NULL, or why that cannot be. */
const char *abi_fetch(struct abi *abi, uint32_t chip);
void abi_fetch_all(struct abi *abi);

#endif
