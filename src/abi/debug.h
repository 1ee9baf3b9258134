/* SPDX-License-Identifier: Apache-2.0 */
/* A debugger and symbols for clients' chips, and the texts that programs print. */
#ifndef ABI_DEBUG_H
#define ABI_DEBUG_H

#include <stddef.h>

struct abi;
struct abi_device;
struct tf_config;
struct tf_fault;

/* Before and after the chip is made, and at its end; further lines about a fault. */
void abi_debug_configure(struct abi *abi, struct tf_config *config);
void abi_debug_begin(struct abi *abi);
void abi_debug_end(struct abi *abi);
void abi_debug_fault(const struct abi_device *device, const struct tf_fault *fault);
void abi_debug_stopped(struct abi *abi); /* a fault has stopped the chip: back traces of the others */

/* Print a line of a stack or of a race on stderr. user: the struct abi_device that the line is about, or NULL. */
void abi_print_line(void *user, const char *line);

/* Read a file of the user's. Returns NULL if it cannot be read, or is empty. */
void *abi_read_file(const char *path, size_t *bytes);

#endif
