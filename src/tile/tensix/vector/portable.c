/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of the vector unit for any host. */
#define TF_HOST_WIDTH 4
#define TF_SFPU_SET tf_sfpu_portable
#define TF_SFPU_NAME "portable"
#include "tile/tensix/vector/kernels.h"
