/* SPDX-License-Identifier: Apache-2.0 */
/* Windows from BAR 0 and BAR 4 into the address spaces of tiles. */
#ifndef ABI_WINDOW_H
#define ABI_WINDOW_H

#include <stdint.h>

struct abi_access;
struct abi_device;
struct abi_target;

/* Access at an offset from a target, within one of Blackhole's windows, or at coordinates. `strided`: word of
   a multicast, or 0. Returns NULL, or why it is refused. */
const char *abi_through(struct abi_device *device, const struct abi_target *to, uint32_t strided, uint64_t offset,
                        const struct abi_access *access);
const char *abi_window(struct abi_device *device, unsigned window, uint64_t offset, const struct abi_access *access);
const char *abi_at(struct abi_device *device, unsigned x, unsigned y, uint64_t address,
                   const struct abi_access *access);

/* As a request of the PCIe tile through one of the NOCs to a node, by its number. */
const char *abi_at_node(struct abi_device *device, unsigned node, unsigned noc, uint64_t address,
                        const struct abi_access *access);

#endif
