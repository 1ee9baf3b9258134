/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/waits/unchanged.h"

#include "tile/mmio/map/acts.h"
#include "tile/mmio/map/map.h"
#include "tile/riscv/code/code.h"
#include "tile/riscv/hart/csr.h"
#include "tile/riscv/hart/look.h"
#include "tile/riscv/isa/decode.h"
#include "tile/state.h"

/* Read an input again into *value. Returns false if reading it would have an effect now. */
static bool read_input(struct tf_tile *tile, const struct tf_hart *hart, const struct tf_input *input, uint32_t *value)
{
    bool pure = true;
    if (input->at != NULL) {
        *value = tf_input_value(input);
        return true;
    }
    if (input->size == 0) {
        /* The probe has checked that the instruction only reads. */
        struct tf_hart *reader = (struct tf_hart *)(uintptr_t)hart;
        struct tf_rv_insn insn;
        tf_rv_decode(hart->park.word[input->address], &insn);
        return tf_csr_execute(tile, reader, &insn, value) == TF_ACCESS_OK;
    }
    enum tf_window_id window = tf_map_find(tile->arch->map, input->address);
    return !tf_mmio_load_acts(tile, hart->core, window, input->address) &&
           tf_mmio_load_at(tile, hart->core, window, input->address, input->size, value, &pure) == TF_ACCESS_OK && pure;
}

static bool code_unchanged(const struct tf_tile *tile, const struct tf_park *park)
{
    if (park->generation == tile->code_generation)
        return true;
    for (unsigned i = 0; i < park->period; i++)
        if (tf_code_word(tile, park->pc[i]) != park->word[i])
            return false;
    return true;
}

bool tf_park_unchanged(struct tf_tile *tile, const struct tf_hart *hart)
{
    const struct tf_park *park = &hart->park;
    enum tf_park_look look = tf_park_look(tile, hart);
    if (look != TF_PARK_UNKNOWN)
        return look == TF_PARK_SAME;
    for (unsigned i = 0; i < park->inputs; i++) {
        uint32_t value;
        if (!read_input(tile, hart, &park->input[i], &value) || value != park->input[i].value)
            return false;
    }
    return code_unchanged(tile, park);
}
