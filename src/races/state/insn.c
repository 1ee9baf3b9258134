/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "races/state/insn.h"
#include "races/state/state.h"
#include "tile/riscv/isa/decode.h"

bool insn_at(const struct tf_tile *tile, uint32_t pc, struct tf_rv_insn *insn)
{
    uint32_t word;
    const uint32_t place = tf_code_place(tile->arch, pc); /* instruction RAM comes after L1 */
    if (pc % 4 != 0 || place > tf_code_bytes(tile->arch) - 4)
        return false;
    memcpy(&word, tile->l1 + place, sizeof word);
    tf_rv_decode(word, insn);
    return true;
}
