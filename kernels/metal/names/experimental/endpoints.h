/* SPDX-License-Identifier: Apache-2.0 */
/* A name by which kernels of tt-metal include addresses at nodes and in banks. */
#include "tilefarm_objects.h"
