/* SPDX-License-Identifier: Apache-2.0 */
/* A name by which kernels of tt-metal include compile-time arguments. */
#include "tilefarm_dataflow.h"
