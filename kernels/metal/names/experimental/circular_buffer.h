/* SPDX-License-Identifier: Apache-2.0 */
/* A name by which kernels of tt-metal include circular buffers as objects. */
#include "tilefarm_objects.h"
