/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address counters (ADCs) of a thread that an instruction of another thread sets, by an override of the thread. UNPACR
 * and PACR use the counters of their own thread. Sources: WormholeB0/.../{SETADC,SETADCXY,REG2FLOP_ADC,ADCs}.md.
 */
#include "races/tensix/adcs.h"
#include "races/state/words.h"
#include "races/state/state.h"
#include "tile/run/tile.h"
#include "tile/tensix/isa/isa.h"

enum { ADC_PACKERS = 2 };

static const char sets[] = "pushed instruction, sets an address counter of another thread";
static const char uses[] = "pushed instruction, uses its thread's address counters";
static const char fix[] = "order the two threads by a semaphore of the coprocessor, or let each thread set its own "
                          "address counters";

/* An instruction sets counters of thread *of. *users: bits for unpacker 0, unpacker 1 and the packers. Returns false if
   it sets none. */
static bool sets_counters(uint32_t word, unsigned t, unsigned *of, uint32_t *users)
{
    unsigned override;
    *users = TF_FIELD(word, SETADCXY, cnt_set_mask); /* the same bits of all but REG2FLOP */
    switch (word >> 24) {
    case TF_OP_SETADC: override = TF_FIELD(word, SETADC, value) >> 16; break;
    case TF_OP_SETADCXY:
    case TF_OP_SETADCZW:
    case TF_OP_INCADCXY:
    case TF_OP_INCADCZW:
    case TF_OP_ADDRCRXY:
    case TF_OP_ADDRCRZW: override = TF_FIELD(word, SETADCXY, thread_override); break;
    case TF_OP_REG2FLOP:
        *users = 1u << (TF_FIELD(word, REG2FLOP, flop_index) >> 3 & 3);
        *of = (TF_FIELD(word, REG2FLOP, target_sel) & 1) != 0 ? TF_FIELD(word, REG2FLOP, context_id_2) : t;
        return (TF_FIELD(word, REG2FLOP, target_sel) & 2) != 0;
    default: return false;
    }
    *of = override == 0 ? t : override - 1;
    return true;
}

static struct who adc_who(const struct site *site, unsigned t, uint32_t pc, bool write)
{
    const unsigned slot = SLOT_OF_PUSHED(t);
    return (struct who){
        .view = &site->thread[t].view,
        .own = {(int)slot, (int)slot},
        .trace = tf_trace_make(slot, TF_WORD_BYTES, pc, time_at(site, site->tile->cycle)),
        .write = write,
        .what = write ? sets : uses,
        .before = write ? uses : sets,
        .fix = fix,
    };
}

/* An instruction uses its thread's counters. */
static void use_counters(struct site *site, unsigned t, unsigned user, uint32_t pc)
{
    tf_trace *set = &site->adc_set[t][user];
    if (*set == 0)
        return;
    thread_sync(site, t);
    const struct who who = adc_who(site, t, pc, false);
    if (!is_ordered(site, &who, *set))
        found(site, TF_RACE_DATA, user, *set, &who);
    *set = 0; /* later instructions know what this one does, and one report suffices */
}

static void set_counters(struct site *site, unsigned t, unsigned of, unsigned user, uint32_t pc)
{
    const tf_trace used = site->thread[of].reads[user == ADC_PACKERS ? PACKS : UNPACKS(user)];
    const struct who who = adc_who(site, t, pc, true);
    thread_sync(site, t);
    if (used != 0 && !is_ordered(site, &who, used))
        found(site, TF_RACE_DATA, user, used, &who);
    site->adc_set[of][user] = who.trace;
}

void adcs_passed(struct site *site, unsigned t, uint32_t word, uint32_t pc)
{
    unsigned of;
    uint32_t users;
    for (unsigned side = 0; side < 2 && word >> 24 == TF_OP_UNPACR; side++)
        if ((site->thread[t].unpacks & BIT(UNPACKS(side))) != 0)
            use_counters(site, t, side, pc);
    if (word >> 24 == TF_OP_PACR)
        use_counters(site, t, ADC_PACKERS, pc);
    if (!sets_counters(word, t, &of, &users) || of == t || of >= THREADS)
        return;
    for (unsigned user = 0; user < ADC_USERS; user++)
        if ((users >> user & 1) != 0)
            set_counters(site, t, of, user, pc);
}
