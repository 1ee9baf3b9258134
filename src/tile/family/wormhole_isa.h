/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of Wormhole's coprocessor, as they differ from Blackhole's. By opcode. */
#ifndef TILE_WORMHOLE_ISA_H
#define TILE_WORMHOLE_ISA_H

#include "tile/arch.h"

extern const uint8_t tf_wormhole_opcodes[256]; /* enum tf_opcode_state */
extern const struct tf_opcode_form *const tf_wormhole_forms[256];
extern const struct tf_field_name tf_wormhole_field_names[];

#endif
