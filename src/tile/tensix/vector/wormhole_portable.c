/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of Wormhole's vector unit for any host. */
#define TF_HOST_WIDTH 4
#define TF_SFPU_WORMHOLE
#define TF_SFPU_SET tf_sfpu_wormhole_portable
#define TF_SFPU_NAME "portable"
#include "tile/tensix/vector/kernels.h"
