/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads that later instructions overtake. Regions answer independently: a load may be processed after later loads and
 * stores of other regions. A later access waits for the load if it needs its value, or if it comes after a fence or an
 * atomic. It also waits when seven other instructions have come between. Source:
 * BlackholeA0/TensixTile/BabyRISCV/MemoryOrdering.md, "Enforcing stronger ordering".
 */
#include <string.h>

#include "tile/explore/cores/cores.h"
#include "tile/explore/cores/explore.h"
#include "tile/explore/cores/loads.h"
#include "tile/riscv/hart/csr_words.h"
#include "tile/riscv/isa/decode.h"

static bool may_overtake(const struct tf_rv_insn *insn, unsigned rd)
{
    const uint16_t waits = TF_RV_F_AMO | TF_RV_F_FENCE | TF_RV_F_CSR | TF_RV_F_SYSTEM;
    uint32_t used = tf_rv_x_read(insn) | tf_rv_x_written(insn);
    return tf_rv_is_listed(insn) && (tf_rv_info(insn->id)->flags & waits) == 0 && (used >> rd & 1) == 0;
}

static bool accesses(const struct tf_rv_insn *insn)
{
    return (tf_rv_info(insn->id)->flags & (TF_RV_F_LOAD | TF_RV_F_STORE)) != 0;
}

/* Does an access that may overtake the load follow it? */
static bool is_followed(const struct tf_tile *tile, uint32_t pc, unsigned rd)
{
    for (unsigned i = 1; i <= TF_OVERTAKE_MOST && pc + 4 * i + 4 <= tile->arch->l1_bytes; i++) {
        uint32_t word;
        struct tf_rv_insn insn;
        memcpy(&word, tile->l1 + pc + 4 * i, sizeof word);
        tf_rv_decode(word, &insn);
        if (!may_overtake(&insn, rd) || (tf_rv_info(insn.id)->flags & (TF_RV_F_BRANCH | TF_RV_F_JUMP)) != 0)
            return false;
        if (accesses(&insn))
            return true;
    }
    return false;
}

/* Is a load processed before all accesses that follow it? */
static bool is_prompt(const struct tf_tile *tile, const struct tf_hart *hart, const struct tf_rv_insn *insn,
                      unsigned region)
{
    return hart->watched || hart->searches || hart->pc >= tile->arch->l1_bytes || region == TF_AT_OWN_LOCAL ||
           tf_rv_info(insn->id)->format != TF_RV_FMT_LOAD || tf_csr_strongly_ordered(&hart->csr) ||
           !is_followed(tile, hart->pc, insn->rd);
}

bool tf_explored_delay_load(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn, uint32_t address)
{
    struct tf_explored_core *core = &tile->explore->core[hart->core];
    struct tf_decider *decider = &tile->explore->decider;
    unsigned region = tf_explored_region(tile, address);
    if (hart->overtaken || core->asked == hart->instret + 1 || tf_explored_hits(tile, hart, address))
        return false;
    core->asked = hart->instret + 1;
    if (tf_decide_default(decider, TF_FREE_LOAD, hart->core))
        return false;
    uint32_t ordinal = decider->ordinal[TF_FREE_LOAD][hart->core]++;
    if (is_prompt(tile, hart, insn, region))
        return false;
    const struct tf_decide_where where = {.pc = hart->pc, .cycle = hart->cycle, .address = address};
    uint32_t value = tf_decide_at(decider, TF_FREE_LOAD, hart->core, ordinal, where);
    if (value == 0)
        return false;
    core->overtaken = (struct tf_overtaken){.pc = hart->pc,
                                            .instret = hart->instret,
                                            .slices = (value - 1) / TF_OVERTAKE_MOST + 1,
                                            .most = (uint8_t)(TF_OVERTAKE_MOST - (value - 1) % TF_OVERTAKE_MOST),
                                            .region = (uint8_t)region,
                                            .rd = insn->rd,
                                            .rs1 = insn->rs1,
                                            .base = hart->x[insn->rs1]};
    hart->overtaken = true;
    hart->pc += 4;
    return true;
}

/* Exchange the load's base register with the value that the load saw, since instructions that overtake it may have
   changed it. */
static void exchange_base(struct tf_hart *hart, struct tf_overtaken *load)
{
    uint32_t base = hart->x[load->rs1];
    hart->x[load->rs1] = load->base;
    load->base = base;
}

/* Does an access go to the region of the late load? If so, the load is processed first. */
static bool must_follow(const struct tf_tile *tile, const struct tf_hart *hart, const struct tf_rv_insn *insn,
                        unsigned region)
{
    return accesses(insn) && tf_explored_region(tile, hart->x[insn->rs1] + (uint32_t)insn->imm) == region;
}

bool tf_explored_overtakes(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    struct tf_overtaken *load = &tile->explore->core[hart->core].overtaken;
    if (load->caught_up || (hart->instret - load->instret < load->most && may_overtake(insn, load->rd) &&
                            !must_follow(tile, hart, insn, load->region)))
        return true;
    load->caught_up = true;
    exchange_base(hart, load);
    load->resume = hart->pc;
    hart->pc = load->pc;
    hart->cycle += (uint64_t)load->slices * tile->explore->slice_cycles;
    return false;
}

enum tf_step tf_explored_loaded(struct tf_tile *tile, struct tf_hart *hart)
{
    struct tf_overtaken *load = &tile->explore->core[hart->core].overtaken;
    if (!load->caught_up || hart->pc != load->pc) /* another load, perhaps of an interrupt handler */
        return TF_STEP_NEXT;
    hart->overtaken = false;
    if (load->rd != load->rs1)
        exchange_base(hart, load);
    hart->pc = load->resume;
    return TF_STEP_TRANSFER;
}
