/* SPDX-License-Identifier: Apache-2.0 */
/* The time of the interface: how many cycles a call of libttsim_clock() runs. */
#ifndef ABI_CLOCK_H
#define ABI_CLOCK_H

#include <stdint.h>

struct abi;
struct abi_access;

/* The time; what follows an access; a call of libttsim_clock(). */
void abi_note(struct abi *abi, const struct abi_access *access);
void abi_clock(struct abi *abi, uint32_t cycles);

void abi_reset_written(struct abi *abi); /* at the end of each write */

/* The host has written to an address within a tile. */
void abi_written(struct abi *abi, uint64_t address, const struct abi_access *access);

#endif
