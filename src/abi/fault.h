/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of the chip: a report of each, and the page that shows the last one. */
#ifndef ABI_FAULT_H
#define ABI_FAULT_H

#include <stdint.h>

struct abi;
struct tf_fault;

/* Report a fault. Ends the process when TILEFARM_ON_FAULT=exit. user: the struct abi_device. */
void abi_on_fault(void *user, const struct tf_fault *fault);

#define STATUS_FIRST 0x1FE00000u /* in BAR 0; reserved on hardware */
#define STATUS_BYTES 0x1000u

/* Words of the page that shows the last fault (docs/libttsim.md). */
uint32_t abi_status_word(const struct abi *abi, uint32_t offset);

#endif
