/* SPDX-License-Identifier: Apache-2.0 */
/* Rows through the packer for any host. */
#define TF_PACK_SET tf_pack_portable
#define TF_PACK_NAME "portable"
#include "tile/tensix/pack_kernels.h"
