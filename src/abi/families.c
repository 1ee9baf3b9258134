/* SPDX-License-Identifier: Apache-2.0 */
/* The devices of a library, or of the command. Compiled for each; the build says which ones there are. */
#include "abi/abi.h"

const struct abi_family *const abi_families[] = {
#ifdef ABI_BLACKHOLE
    &abi_family_blackhole,
#endif
#ifdef ABI_WORMHOLE
    &abi_family_wormhole,
#endif
    NULL,
};
