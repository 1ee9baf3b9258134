/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/hart/wake.h"

#include "host/assert.h"
#include "tile/riscv/code/page.h"
#include "tile/riscv/hart/pure.h"
#include "tile/riscv/isa/decode.h"
#include "tile/state.h"

uint64_t tf_park_advanced(const struct tf_park *park, uint64_t cycle, uint64_t deadline, uint16_t *position)
{
    uint32_t period = park->period;
    if (cycle >= deadline)
        return cycle;
    uint64_t start = cycle - park->position;
    uint64_t whole = (deadline - start - 1) / period * period;
    uint32_t rest = (uint32_t)(deadline - start - whole);
    unsigned i = 0;
    while (park->transfer[i] < rest)
        i++;
    *position = park->transfer[i] == period ? 0 : park->transfer[i];
    return start + whole + park->transfer[i];
}

void tf_park_advance_through(struct tf_hart *hart, uint64_t deadline)
{
    struct tf_park *park = &hart->park;
    uint64_t cycle = tf_park_advanced(park, hart->cycle, deadline, &park->position);
    hart->instret += cycle - hart->cycle;
    hart->cycle = cycle;
    hart->pc = park->pc[park->position];
}

/* Decode a word that was at pc. The page that most likely has it decoded saves this work: row `ping-pong` pays for
   it. */
static inline void decoded(const struct tf_tile *tile, uint32_t pc, uint32_t word, struct tf_rv_insn *insn)
{
    const struct tf_code_page *page = NULL;
    if (tile != NULL && tile->code.page != NULL) {
        uint32_t place = tf_code_place(tile->arch, pc);
        TF_ASSERT(place / TF_CODE_PAGE_BYTES < TF_CODE_PAGES);
        page = tile->code.page[place / TF_CODE_PAGE_BYTES];
    }
    if (page != NULL && page->insn[pc / 4 % TF_CODE_WORDS].word == word)
        *insn = page->insn[pc / 4 % TF_CODE_WORDS];
    else
        tf_rv_decode(word, insn);
}

void tf_park_replay_step(const struct tf_tile *tile, struct tf_hart *hart, unsigned index)
{
    const struct tf_park *park = &hart->park;
    struct tf_rv_insn insn;
    decoded(tile, hart->pc, park->word[index], &insn);
    unsigned kind = tf_exec_kind[insn.id];
    if (kind == TF_EXEC_PURE) {
        if (tf_exec_pure(hart, &insn) == TF_STEP_NEXT)
            hart->pc += 4;
        return;
    }
    hart->pc += 4;
    if (kind == TF_EXEC_STORE)
        return;
    bool csr = kind == TF_EXEC_CSR;
    uint32_t address = csr ? index : hart->x[insn.rs1] + (uint32_t)insn.imm;
    unsigned size = csr ? 0 : tf_exec_size(&insn);
    for (unsigned i = 0; i < park->inputs; i++)
        if (park->input[i].address == address && park->input[i].size == size)
            tf_exec_loaded(hart, &insn, park->input[i].value);
}

void tf_park_replay(const struct tf_tile *tile, struct tf_hart *hart)
{
    hart->pc = hart->park.pc[0];
    for (unsigned index = 0; index < hart->park.position; index++)
        tf_park_replay_step(tile, hart, index);
}

void tf_park_count_to(struct tf_hart *hart, uint64_t round)
{
    const struct tf_beat *beat = &hart->park.notes->beat;
    for (unsigned i = 0; i < beat->counters; i++)
        hart->x[beat->counter[i]] += beat->step[i] * (uint32_t)round;
}

void tf_park_restore_beat(const struct tf_tile *tile, struct tf_hart *hart)
{
    const uint16_t position = hart->park.position;
    const uint64_t rounds = tf_park_rounds(hart);
    if (rounds == 0)
        return;
    /* The last round also leaves values in registers that the loop writes before it reads them. */
    tf_park_count_to(hart, rounds - 1);
    hart->park.position = hart->park.period;
    tf_park_replay(tile, hart);
    hart->park.position = position;
}
