/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/hart/beat.h"

#include "tile/riscv/hart/memory.h"
#include "tile/riscv/hart/pure.h"
#include "tile/riscv/hart/wake.h"
#include "tile/riscv/isa/decode.h"
#include "tile/state.h"

/* Replay the first `count` instructions of a round, with their stores. */
static void store_in_round(struct tf_tile *tile, struct tf_hart *hart, unsigned count)
{
    hart->pc = hart->park.pc[0];
    for (unsigned index = 0; index < count; index++) {
        struct tf_rv_insn insn;
        tf_rv_decode(hart->park.word[index], &insn);
        if (tf_exec_kind[insn.id] == TF_EXEC_STORE) {
            const uint32_t address = hart->x[insn.rs1] + (uint32_t)insn.imm;
            if (address < tile->arch->l1_bytes) /* the core's own RAM has the value already */
                tf_hart_store_memory(tile, address, tile->l1 + address, tf_exec_size(&insn), hart->x[insn.rs2]);
        }
        tf_park_replay_step(tile, hart, index);
    }
}

void tf_beat_show(struct tf_tile *tile, const struct tf_hart *hart)
{
    if (!hart->park.held) /* it is executed, and has stored */
        return;
    struct tf_hart copy = *hart;
    const uint64_t rounds = tf_park_rounds(hart);
    if (rounds != 0) {
        tf_park_count_to(&copy, rounds - 1);
        store_in_round(tile, &copy, copy.park.period);
    }
    store_in_round(tile, &copy, copy.park.position);
}

/* Is an input in the bytes that a beat stores? */
static bool is_stored(const struct tf_tile *tile, const struct tf_beat *beat, const struct tf_input *input)
{
    for (unsigned i = 0; i < beat->stores; i++)
        if (input->at == (const uint32_t *)(const void *)(tile->l1 + beat->stored[i] / 4 * 4))
            return true;
    return false;
}

bool tf_beat_is_polled(const struct tf_tile *tile)
{
    for (unsigned core = 0; core < tile->arch->cores; core++) {
        const struct tf_hart *hart = &tile->hart[core];
        for (unsigned other = 0; other < tile->arch->cores && hart->park.beats; other++) {
            const struct tf_park *park = &tile->hart[other].park;
            for (unsigned i = 0; tile->hart[other].state == TF_CORE_PARKED && i < park->inputs; i++)
                if (other != core && is_stored(tile, &hart->park.notes->beat, &park->input[i]))
                    return true;
        }
    }
    return false;
}
