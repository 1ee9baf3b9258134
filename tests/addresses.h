/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of registers, by the names that device programs use. */
#ifndef TESTS_ADDRESSES_H
#define TESTS_ADDRESSES_H

#include "tilefarm_address.h"

/* Of the debug window, and of Blackhole's interrupt controller: TF_DEBUG_name, TF_PIC_name. */
#define DEBUG_AT(name) (TF_DEBUG_BASE + TF_DEBUG_##name)
#define PIC_AT(name) (TF_PIC_BASE + TF_PIC_##name)

/* Of a NIU: TF_NOC_name of the tilefarm_family.h that a test includes. Then words of Blackhole's NIU, by number. */
#define NIU_AT(noc, name) (TF_NIU_BASE(noc) + TF_NOC_##name)
#define NIU_CONFIG(noc, number) (TF_NIU_BASE(noc) + 0x100u + 4 * (number))
#define NIU_COUNTER(noc, number) (TF_NIU_BASE(noc) + 0x200u + 4 * (number))

/* Register `number` of an overlay stream. */
#define STREAM_AT(stream, number) (TF_STREAM_BASE + (stream)*TF_STREAM_BYTES + 4 * (number))

#endif
