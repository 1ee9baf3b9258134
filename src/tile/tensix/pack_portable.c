/* SPDX-License-Identifier: Apache-2.0 */
/* Rows through the packer for any host. */
/* Vectors are wider than the host's; no function but inlined ones takes or returns them. */
#pragma GCC diagnostic ignored "-Wpsabi"
#define TF_PACK_ALIGN 16
#define TF_PACK_SET tf_pack_portable
#define TF_PACK_NAME "portable"
#include "tile/tensix/pack_kernels.h"
