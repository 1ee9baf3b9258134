/* SPDX-License-Identifier: Apache-2.0 */
#include "races/state/copy.h"

#include <stdlib.h>
#include <string.h>

#include "races/state/state.h"

#define TEXTS_MOST 4096u

bool is_copy(const struct tf_races *races)
{
    return races->copy != NULL && races->copy->copied;
}

bool copied_last_write(const struct race_copy *copy, uint16_t node, uint64_t address, struct tf_race_side *side)
{
    for (uint32_t i = 0; i < copy->words; i++)
        if (copy->word[i].node == node && copy->word[i].address == address) {
            *side = copy->word[i].side;
            return true;
        }
    return false;
}

uint64_t copied_forgotten(const struct race_copy *copy)
{
    return copy->forgotten;
}

void copy_free(struct race_copy *copy)
{
    if (copy == NULL)
        return;
    for (uint32_t i = 0; i < copy->texts; i++)
        free(copy->text[i]);
    free(copy->text);
    free(copy->word);
    free(copy);
}

const char *copied_text(struct race_copy *copy, const char *text)
{
    for (uint32_t i = 0; i < copy->texts; i++)
        if (strcmp(copy->text[i], text) == 0)
            return copy->text[i];
    char **more = copy->texts < TEXTS_MOST ? realloc(copy->text, (copy->texts + 1) * sizeof *more) : NULL;
    char *kept = more != NULL ? strdup(text) : NULL;
    if (more != NULL)
        copy->text = more;
    if (kept != NULL)
        copy->text[copy->texts++] = kept;
    return kept;
}
