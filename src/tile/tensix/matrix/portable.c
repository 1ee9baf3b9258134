/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of the matrix unit for any host. */
#define TF_HOST_WIDTH 4
#define TF_FPU_SET tf_fpu_portable
#define TF_FPU_NAME "portable"
#include "tile/tensix/matrix/kernels.h"
