/* SPDX-License-Identifier: Apache-2.0 */
/* The devices of a library, or of the command. This file is compiled for each: the build defines its list
   ABI_FAMILIES. */
#include "abi/families.h"

#include <string.h>

#include "abi/abi.h"

#define X(name) extern const struct abi_family abi_family_##name;
ABI_FAMILIES
#undef X

/* clang-format off */
const struct abi_family *const abi_families[] = {
#define X(name) &abi_family_##name,
    ABI_FAMILIES
#undef X
    NULL,
};
/* clang-format on */

const struct abi_family *abi_family(const struct abi *abi)
{
    return abi->family != NULL ? abi->family : abi_families[0];
}

const struct abi_family *abi_family_of(const struct tf_arch *arch)
{
    unsigned i = 0;
    while (abi_families[i] != NULL && strcmp(abi_families[i]->arch, arch->name) != 0)
        i++;
    return abi_families[i];
}

bool abi_is_window_config(const struct abi *abi, uint64_t address)
{
    return address % DEVICE_STRIDE - BAR0_FIRST - WINDOW_CONFIG_FIRST < abi_family(abi)->config_bytes;
}
