/* SPDX-License-Identifier: Apache-2.0 */
/* TILEFARM_CHECK: the races of a chip. */
#ifndef ABI_RACES_H
#define ABI_RACES_H

#include <stdbool.h>

struct abi;

/* Read the file of TILEFARM_SUPPRESS. checks: TILEFARM_CHECK is 1. */
void abi_races_begin(struct abi *abi, bool checks);

/* The chip ends, or there is none: print the races that TILEFARM_CHECK has found, and forget the file. */
void abi_races_end(struct abi *abi);

#endif
