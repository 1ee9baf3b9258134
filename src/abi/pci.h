/* SPDX-License-Identifier: Apache-2.0 */
/* PCI configuration space. */
#ifndef ABI_PCI_H
#define ABI_PCI_H

#include <stdbool.h>
#include <stdint.h>

struct abi_device;

void abi_pci_reset(struct abi_device *device);
bool abi_pci_read(const struct abi_device *device, uint32_t offset, uint32_t *value);
bool abi_pci_write(struct abi_device *device, uint32_t offset, uint32_t value);

#endif
