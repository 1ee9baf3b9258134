/* SPDX-License-Identifier: Apache-2.0 */
/* A name by which kernels of tt-metal include memory of their tile. */
#include "tilefarm_objects.h"
