/* SPDX-License-Identifier: Apache-2.0 */
/* The families that are linked, the library's own first. */
#ifndef ABI_FAMILIES_H
#define ABI_FAMILIES_H

#include <stdbool.h>
#include <stdint.h>

struct abi;
struct abi_family;
struct tf_arch;

/* The family of the adopted chip; without one, the library's own. */
const struct abi_family *abi_family(const struct abi *abi);

/* Find the device of a family. Returns NULL if none is linked. */
const struct abi_family *abi_family_of(const struct tf_arch *arch);

/* Is an address in the configuration of the windows? The chip does not see writes there. */
bool abi_is_window_config(const struct abi *abi, uint64_t address);

#endif
