/* SPDX-License-Identifier: Apache-2.0 */
/* The common parts of the BARs of all families. */
#ifndef ABI_BAR_H
#define ABI_BAR_H

#include <stdint.h>

struct abi_access;
struct abi_device;

/* A word of memory; a register of the PCIe controller in BAR 2. */
const char *abi_access_word(uint32_t *word, const struct abi_access *access);
const char *abi_access_pcie(struct abi_device *device, uint64_t offset, const struct abi_access *access);

/* A word in BAR 0 outside of windows and of a family's registers. It is in a page of the library's own, or is a
   register of the PCIe tile's NIUs. All else is reserved. */
const char *abi_access_rest(struct abi_device *device, uint64_t offset, const struct abi_access *access);
extern const char *const abi_misaligned;

#endif
