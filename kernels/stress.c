/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contend for a few lines with every NOC atomic. Rounds are started by the host, which also says which operations and
 * where. B keeps to NOC 0 and T2 to NOC 1, whose first initiators they would share; the other cores use both NOCs.
 */
#include "tilefarm_device.h"
#include "tilefarm_stress.h"

#define PARAMS ((volatile const struct tf_stress_params *)TF_STRESS_PARAMS)

struct places {
    uint32_t target[TF_STRESS_TARGETS_MAX], rectangle, office, self;
};

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return tf_k_mix(*state);
}

static uint32_t place_xy(unsigned noc, volatile const struct tf_stress_place *place)
{
    if (tf_translated(noc))
        return place->logical_x | (uint32_t)place->logical_y << 6;
    return tf_xy(noc, place->x, place->y);
}

static void locate(struct places *places, unsigned noc)
{
    for (unsigned i = 0; i < PARAMS->targets; i++)
        places->target[i] = place_xy(noc, &PARAMS->target[i]);
    places->rectangle = tf_rectangle(noc, PARAMS->corner[0].x, PARAMS->corner[0].y, PARAMS->corner[1].x,
                                     PARAMS->corner[1].y);
    places->office = place_xy(noc, &PARAMS->office);
    places->self = tf_self_xy(noc);
}

static unsigned pick_noc(uint32_t random)
{
    return TF_CORE == 0 ? 0 : TF_CORE == 4 ? 1 : random & 1;
}

static enum tf_stress_manner pick_manner(uint32_t random)
{
    random &= 31;
    return random < 2   ? TF_STRESS_OFFICE_ANSWERED
           : random < 3 ? TF_STRESS_MULTICAST
           : random < 4 ? TF_STRESS_MULTICAST_POSTED
           : random < 9 ? TF_STRESS_POSTED
                        : TF_STRESS_AWAITED;
}

/* Mostly small numbers: those are what comparisons meet. */
static uint32_t pick_data(uint32_t *state)
{
    uint32_t random = next(state);
    return random >> 31 ? random & 15 : random >> 30 ? random & 0x000F000F : next(state);
}

/* Any operands; three times in four the word that is answered is the one that is changed. */
static uint32_t pick_operands(volatile const struct tf_stress_row *row, uint32_t random, uint32_t word)
{
    uint32_t at = row->match | (random & row->operands);
    if (row->ofs != TF_STRESS_NO_OFS && random >> 30)
        at = (at & ~(3u << row->ofs)) | word << row->ofs;
    return at;
}

static void issue(unsigned noc, const struct places *places, volatile const struct tf_stress_entry *entry,
                  uint32_t back)
{
    enum tf_stress_manner manner = (enum tf_stress_manner)entry->manner;
    bool multicast = manner == TF_STRESS_MULTICAST || manner == TF_STRESS_MULTICAST_POSTED;
    bool posted = manner == TF_STRESS_POSTED || manner == TF_STRESS_MULTICAST_POSTED;
    uint32_t tid = manner == TF_STRESS_AWAITED ? TF_STRESS_AWAITED_TID(TF_CORE) : TF_STRESS_UNAWAITED_TID(TF_CORE);
    tf_noc_ready(noc);
    tf_noc_addresses(noc, multicast ? places->rectangle : places->target[entry->target], entry->address,
                     manner == TF_STRESS_OFFICE_ANSWERED ? places->office : places->self, back);
    *tf_niu(noc, TF_NOC_AT_LEN_BE) = entry->at_len_be;
    *tf_niu(noc, TF_NOC_AT_DATA) = entry->at_data;
    *tf_niu(noc, TF_NOC_BRCST_EXCLUDE) = 0;
    *tf_niu(noc, TF_NOC_PACKET_TAG) = tid << 10;
    *tf_niu(noc, TF_NOC_CTRL) = TF_NOC_CMD_AT | (posted ? 0 : TF_NOC_CMD_RESP_MARKED) |
                                (multicast ? TF_NOC_MULTICAST | TF_NOC_CMD_BRCST_SRC_INCLUDE : 0);
    tf_fence();
    *tf_niu(noc, TF_NOC_CMD_CTRL) = 1;
}

/* A new request, in the log. */
static void draw(volatile struct tf_stress_entry *entry, uint32_t *state)
{
    uint32_t random = next(state), word = random & 3;
    volatile const struct tf_stress_row *row = &PARAMS->row[(random >> 8 & 0xFFFF) % PARAMS->rows];
    entry->noc = (uint8_t)pick_noc(random >> 24);
    entry->manner = (uint8_t)pick_manner(random >> 25);
    entry->target = (uint8_t)((random >> 2 & 63) % PARAMS->targets);
    entry->at_len_be = (uint16_t)pick_operands(row, next(state), word);
    entry->at_data = pick_data(state);
    entry->address = (row->indirect ? TF_STRESS_POINTERS : TF_STRESS_LINE) + 4 * word;
}

/* Once more what was requested before, three times in four; not for the first request of a round. */
static bool repeat(volatile struct tf_stress_entry *entry, uint32_t index, uint32_t *state)
{
    if (index == 0 || next(state) >> 30 == 0)
        return false;
    entry->noc = entry[-1].noc;
    entry->manner = entry[-1].manner;
    entry->target = entry[-1].target;
    entry->at_len_be = entry[-1].at_len_be;
    entry->at_data = entry[-1].at_data;
    entry->address = entry[-1].address;
    return true;
}

static void request(const struct places places[2], uint32_t *state, uint32_t index)
{
    volatile struct tf_stress_entry *entry = (volatile struct tf_stress_entry *)TF_STRESS_LOG(TF_CORE) + index;
    if (!repeat(entry, index, state))
        draw(entry, state);
    entry->answer = 0;
    unsigned noc = entry->noc;
    uint32_t back = TF_SCRATCH;
    if (entry->manner == TF_STRESS_OFFICE_ANSWERED)
        back = TF_STRESS_OFFICE_WORD(PARAMS->slot * TF_K_CORES + TF_CORE, PARAMS->requests, index);
    else if (entry->manner == TF_STRESS_MULTICAST)
        back = (uint32_t)(uintptr_t)&entry->answer;
    issue(noc, &places[noc], entry, back);
    if (entry->manner == TF_STRESS_AWAITED) {
        tf_noc_wait(noc);
        entry->answer = TF_WORD(TF_SCRATCH);
    }
}

int main(void)
{
    for (uint32_t round = 1;; round++) {
        tf_sem_wait_min(TF_STRESS_PARAMS + __builtin_offsetof(struct tf_stress_params, round), round);
        struct places places[2];
        locate(&places[0], 0);
        locate(&places[1], 1);
        uint32_t state = tf_k_mix(PARAMS->seed + 0x9E3779B9u * (PARAMS->slot * TF_K_CORES + TF_CORE)) ^ tf_k_mix(round);
        for (uint32_t i = 0; i < PARAMS->requests; i++)
            request(places, &state, i);
        tf_fence();
        TF_WORD(TF_K_DONE + 4 * TF_CORE) = TF_K_DONE_MAGIC | (round & 0xFFFFu);
    }
}
