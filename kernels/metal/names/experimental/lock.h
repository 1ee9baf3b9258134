/* SPDX-License-Identifier: Apache-2.0 */
/* A name by which kernels of tt-metal include scoped locks. */
#include "tilefarm_objects.h"
