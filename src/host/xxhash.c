/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of xxhash.h, so that a library which hashes needs no other one. */
#define XXH_STATIC_LINKING_ONLY
#define XXH_IMPLEMENTATION
#include <xxhash.h>
