/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The saved state of parking (host/saved.h). All of it is saved, since it decides when a hart probes and parks.
 * Pointers into the hart and its notes become numbers. Where an input lies is found again by its address.
 */
#include "tile/riscv/park/saved.h"
#include "host/zeros.h"
#include "tile/riscv/park/input.h"
#include "host/saved.h"

TF_SAVED_WHOLE(struct tf_input, 24);
TF_SAVED_WHOLE(struct tf_word_test, 48);
TF_SAVED_WHOLE(struct tf_memo, 192);
TF_SAVED_WHOLE(struct tf_park_notes, 7232);
TF_SAVED_WHOLE(struct tf_beat, 32);
TF_SAVED_WHOLE(struct tf_park, 1024);

static void input_state(struct tf_saved *saved, struct tf_tile *tile, const struct tf_hart *hart,
                        struct tf_input *input)
{
    uint8_t found = input->at != NULL; /* a byte of the file, which may be no bool */
    TF_SAVED_FROM(saved, input, address);
    TF_SAVED(saved, found);
    tf_saved_demand(saved, found <= 1, "it is damaged: a flag is invalid");
    if (!saved->reads || saved->why != NULL)
        return;
    input->at = NULL;
    if (!found)
        return;
    if ((input->size != 1 && input->size != 2 && input->size != 4) || !tf_input_find(tile, hart, input))
        tf_saved_fail(saved, "it is damaged: a core polls a word that does not exist");
}

static void memo_state(struct tf_saved *saved, struct tf_tile *tile, const struct tf_hart *hart, struct tf_memo *memo)
{
    input_state(saved, tile, hart, &memo->word_test.input);
    tf_saved_memory(saved, &memo->word_test.offset, sizeof *memo - offsetof(struct tf_memo, word_test.offset));
}

/* The list of inputs with a number, of those that a period may have. Returns NULL if the number is wrong. */
static struct tf_input *input_list(struct tf_park *park, uint64_t number)
{
    if (number == 1)
        return park->notes->input;
    if (number == 2)
        return park->memo_input;
    return number >= 3 && number < 3 + TF_MEMO_ROUNDS ? &park->memo_round[number - 3].word_test.input : NULL;
}

#define INPUT_LISTS (3u + TF_MEMO_ROUNDS)
#define CODES (2u + TF_MEMO_ROUNDS + TF_MEMO_WAYS)

/* The number of entries in a list. */
static unsigned room_of(uint64_t list)
{
    return list == 1 ? TF_PARK_INPUTS : list == 2 ? TF_MEMO_INPUTS + 1 : 1;
}

static void input_list_state(struct tf_saved *saved, struct tf_park *park)
{
    uint64_t list = 0;
    while (!saved->reads && list < INPUT_LISTS && input_list(park, list) != park->input)
        list++;
    list = tf_saved_count(saved, list, INPUT_LISTS - 1);
    if (!saved->reads)
        return;
    park->input = input_list(park, list);
    if (list != 0 && park->inputs > room_of(list))
        tf_saved_fail(saved, "it is damaged: a core has too many inputs");
}

static void set_code(struct tf_park *park, uint64_t number)
{
    struct tf_park_notes *notes = park->notes;
    struct tf_memo_code *code = number < 2 ? NULL : &notes->code[number - 2];
    park->pc = number == 0 ? NULL : number == 1 ? notes->pc : code->pc;
    park->word = number == 0 ? NULL : number == 1 ? notes->word : code->word;
    park->transfer = number == 0 ? NULL : number == 1 ? notes->transfer : code->transfer;
}

/* A probe without an anchor has set only `pc`; `word` and `transfer` are not used yet. */
static void code_state(struct tf_saved *saved, struct tf_park *park)
{
    uint64_t number = 0;
    const struct tf_memo_code *code = park->notes->code;
    if (!saved->reads && park->pc != NULL)
        number = park->pc == park->notes->pc
                     ? 1
                     : 2 + (uint64_t)((const char *)park->pc - (const char *)code) / sizeof *code;
    number = tf_saved_count(saved, number, CODES - 1);
    if (saved->reads)
        set_code(park, number);
}

static bool beat_fits(const struct tf_tile *tile, const struct tf_park *park)
{
    const struct tf_beat *beat = &park->notes->beat;
    bool valid = beat->counters <= TF_BEAT_COUNTERS && beat->stores <= TF_BEAT_STORES;
    for (unsigned i = 0; valid && i < beat->counters; i++)
        valid = beat->counter[i] != 0 && beat->counter[i] < 32;
    for (unsigned i = 0; valid && i < beat->stores; i++)
        valid = tf_in_l1(tile->arch, beat->stored[i], 4);
    return valid;
}

/* Are the numbers valid that index arrays? */
static bool fits(const struct tf_tile *tile, const struct tf_hart *hart)
{
    const struct tf_park *park = &hart->park;
    if (park->period > TF_PARK_PERIOD || park->transfers > TF_PARK_PERIOD || park->inputs > TF_PARK_INPUTS ||
        park->oldest_round >= TF_MEMO_ROUNDS)
        return false;
    if (park->beats && !beat_fits(tile, park))
        return false;
    if (hart->state != TF_CORE_PARKED)
        return true;
    return park->position < park->period && park->transfers != 0 && park->transfers <= park->period;
}

static void notes_state(struct tf_saved *saved, struct tf_tile *tile, struct tf_hart *hart)
{
    struct tf_park_notes *notes = hart->park.notes;
    uint64_t used = TF_PARK_INPUTS;
    while (!saved->reads && used != 0 && tf_zeros((uint8_t *)&notes->input[used - 1], sizeof notes->input[0]))
        used--;
    used = tf_saved_count(saved, used, TF_PARK_INPUTS);
    for (unsigned i = 0; i < used; i++)
        input_state(saved, tile, hart, &notes->input[i]);
    tf_saved_memory(saved, notes->x, offsetof(struct tf_park_notes, memo_way) - offsetof(struct tf_park_notes, x));
    for (unsigned i = 0; i < TF_MEMO_WAYS; i++) {
        bool has_rounds = hart->park.memo_at[TF_MEMO_ROUNDS + i] != 0;
        if (has_rounds)
            memo_state(saved, tile, hart, &notes->memo_way[i]);
    }
    tf_saved_memory(saved, notes->code, sizeof notes->code + sizeof notes->word);
    if (hart->park.beats)
        TF_SAVED(saved, notes->beat);
}

void tf_park_state(struct tf_saved *saved, struct tf_tile *tile, struct tf_hart *hart)
{
    struct tf_park *park = &hart->park;
    TF_SAVED_SPAN(saved, park, probe_at, notes);
    TF_SAVED(saved, park->memo_at);
    TF_SAVED(saved, park->oldest_round);
    tile->beats |= park->beats;
    for (unsigned i = 0; i < TF_MEMO_ROUNDS; i++)
        memo_state(saved, tile, hart, &park->memo_round[i]);
    notes_state(saved, tile, hart);
    if (saved->reads && !fits(tile, hart))
        tf_saved_fail(saved, "it is damaged: a parked core's loop is invalid");
    input_list_state(saved, park);
    code_state(saved, park);
    /* Inputs of a memo have no meaning once the hart runs. */
    for (unsigned i = 0; hart->state == TF_CORE_PARKED && park->input == park->memo_input && i < park->inputs; i++)
        input_state(saved, tile, hart, &park->memo_input[i]);
}
