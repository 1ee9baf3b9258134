/* SPDX-License-Identifier: Apache-2.0 */
/* Host memory, through the program's callbacks, and the DMA engines. */
#ifndef ABI_DMA_H
#define ABI_DMA_H

#include <stdint.h>

struct abi_access;
struct abi_device;

/* Host memory; user is the struct abi_device. */
void abi_host_read(void *user, uint64_t address, void *data, uint32_t bytes);
void abi_host_write(void *user, uint64_t address, const void *data, uint32_t bytes);

/* A register of the DMA engines in BAR 2; 4 bytes. A doorbell starts a transfer. */
const char *abi_access_dma(struct abi_device *device, uint64_t offset, const struct abi_access *access);

#endif
