/* SPDX-License-Identifier: Apache-2.0 */
/* A name by which kernels of tt-metal include formats of numbers. */
#include "tilefarm_dataflow.h"
