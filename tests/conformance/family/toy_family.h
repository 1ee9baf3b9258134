/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_FAMILY_TOY_FAMILY_H
#define TESTS_FAMILY_TOY_FAMILY_H

#include "tile/arch.h"

#define TOY_L1_BYTES (256u << 10)
#define TOY_LOCAL_BYTES 4096u /* of B */
#define TOY_DRAM_BYTES (64ull << 20)

extern const struct tf_arch toy_family;
extern const struct tf_niu_arch toy_niu;

#endif
