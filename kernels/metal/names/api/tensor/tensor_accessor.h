/* SPDX-License-Identifier: Apache-2.0 */
/* A name by which kernels of tt-metal include tensors. */
#include "tilefarm_dataflow.h"
