/* SPDX-License-Identifier: Apache-2.0 */
#include "races/moved.h"

#include <stdlib.h>
#include <string.h>

#include "host/saved.h"
#include "races/state/copy.h"
#include "races/races.h"
#include "races/found.h"
#include "races/requests.h"
#include "races/state/state.h"

#define WORDS_MOST (1u << 20)
#define TEXT_BYTES_MOST 4096u

static struct race_copy *copy_of(struct tf_races *races)
{
    if (races->copy == NULL)
        races->copy = calloc(1, sizeof *races->copy);
    return races->copy;
}

bool tf_races_note_word(struct tf_races *races, uint16_t node, uint64_t address)
{
    struct written_word word = {.address = address, .node = node};
    if (!tf_races_last_write(races, node, address, &word.side))
        return true;
    struct race_copy *copy = copy_of(races);
    struct written_word *more = copy == NULL || copy->words == WORDS_MOST
                                    ? NULL
                                    : realloc(copy->word, (copy->words + 1) * sizeof *more);
    if (more == NULL)
        return false;
    copy->word = more;
    copy->word[copy->words++] = word;
    return true;
}

/* A constant string, or NULL. */
static void text_state(struct tf_saved *saved, struct race_copy *copy, const char **text)
{
    char bytes[TEXT_BYTES_MOST];
    const size_t length = saved->reads || *text == NULL ? 0 : strnlen(*text, sizeof bytes - 1) + 1;
    const size_t count = tf_saved_count(saved, length, sizeof bytes);
    if (!saved->reads && count != 0)
        memcpy(bytes, *text, count - 1), bytes[count - 1] = '\0';
    tf_saved_bytes(saved, bytes, count);
    if (!saved->reads)
        return;
    *text = NULL;
    if (count == 0 || saved->why != NULL)
        return;
    bytes[count - 1] = '\0';
    *text = copied_text(copy, bytes);
    if (*text == NULL)
        tf_saved_fail(saved, tf_saved_no_memory);
}

/* The struct as it is, then its texts. */
static void side_state(struct tf_saved *saved, struct race_copy *copy, struct tf_race_side *side)
{
    const char *what = side->what, *waits = side->waited;
    TF_SAVED(saved, *side);
    text_state(saved, copy, &what);
    text_state(saved, copy, &waits);
    side->what = what;
    side->waited = waits;
}

static void race_state(struct tf_saved *saved, struct race_copy *copy, struct tf_race *race)
{
    const char *advice = race->advice;
    TF_SAVED(saved, *race);
    text_state(saved, copy, &advice);
    race->advice = advice;
    for (unsigned i = 0; i < 2; i++)
        side_state(saved, copy, &race->side[i]);
}

static void site_state(struct tf_saved *saved, struct race_copy *copy, struct site *site)
{
    const uint32_t founds = (uint32_t)tf_saved_count(saved, site->founds, FOUND_MAX);
    if (saved->reads && founds != 0 && site->found == NULL)
        site->found = calloc(FOUND_MAX, sizeof *site->found);
    if (founds != 0 && site->found == NULL)
        tf_saved_fail(saved, tf_saved_no_memory);
    site->founds = saved->why == NULL ? founds : 0;
    for (uint32_t i = 0; i < site->founds; i++)
        race_state(saved, copy, &site->found[i]);
    if (saved->why != NULL && saved->reads)
        site->founds = 0;
}

void tf_races_state(struct tf_saved *saved, struct tf_races *races)
{
    struct race_copy *copy = copy_of(races);
    if (copy == NULL) {
        tf_saved_fail(saved, tf_saved_no_memory);
        return;
    }
    copy->forgotten = tf_saved_number(saved, tf_races_forgotten(races));
    for (unsigned i = 0; i < races->sites; i++)
        site_state(saved, copy, &races->site[i]);
    const uint32_t words = (uint32_t)tf_saved_count(saved, copy->words, WORDS_MOST);
    if (saved->reads) {
        copy->word = tf_saved_room(saved, words, sizeof *copy->word);
        copy->words = copy->word != NULL ? words : 0;
        copy->copied = true;
    }
    for (uint32_t i = 0; i < copy->words; i++) {
        TF_SAVED(saved, copy->word[i].address);
        TF_SAVED(saved, copy->word[i].node);
        side_state(saved, copy, &copy->word[i].side);
    }
}
