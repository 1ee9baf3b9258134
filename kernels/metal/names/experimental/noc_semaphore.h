/* SPDX-License-Identifier: Apache-2.0 */
/* A name by which kernels of tt-metal include semaphores as objects. */
#include "tilefarm_objects.h"
