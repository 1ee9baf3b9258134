/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of Wormhole's matrix unit for any host. */
#define TF_HOST_WIDTH 4
#define TF_FPU_WORMHOLE
#define TF_FPU_SET tf_fpu_wormhole_portable
#define TF_FPU_NAME "portable"
#include "tile/tensix/matrix/kernels.h"
