/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of the matrix unit for any host, with stochastic rounding. */
#define TF_HOST_WIDTH 4
#define TF_FPU_STOCHASTIC
#define TF_FPU_SET tf_fpu_stochastic
#define TF_FPU_NAME "stochastic"
#include "tile/tensix/matrix/kernels.h"
