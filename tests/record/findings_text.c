/* SPDX-License-Identifier: Apache-2.0 */
#include "record/findings_text.h"

#include <stdlib.h>
#include <string.h>

#define LINE 110u     /* characters */
#define CHAINS 4096u  /* of earlier words, by their values */
#define TRIES 64u     /* earlier places that are tried, at most */
#define FILL_WORDS 4u /* that show where a generator was */
#define NO_PLACE SIZE_MAX

struct text {
    FILE *out;
    const struct findings *findings;
    size_t chain[CHAINS], *earlier; /* the last place of a word, and the one before a place */
    unsigned column;
};

struct item {
    char kind; /* 0: a word */
    uint32_t value;
    size_t count;
};

static void print_item(struct text *text, const struct item *item)
{
    char word[40];
    if (item->kind == 0)
        snprintf(word, sizeof word, "%X", item->value);
    else
        snprintf(word, sizeof word, "%c%X:%zX", item->kind, item->value, item->count);
    if (text->column == 0 || text->column + strlen(word) > LINE) {
        fprintf(text->out, "%s,\n    \"%s", text->column == 0 ? "" : "\"", word);
        text->column = 0;
    } else {
        fprintf(text->out, " %s", word);
    }
    text->column += (unsigned)strlen(word) + 1;
}

static size_t *chain_of(struct text *text, uint32_t word)
{
    return &text->chain[word * 0x9E3779B1u >> 20];
}

/* The longest run of words that are already there. */
static struct item copy_at(struct text *text, size_t at)
{
    const struct findings *findings = text->findings;
    struct item best = {.kind = '<'};
    size_t from = *chain_of(text, findings->word[at]);
    for (unsigned tries = 0; tries < TRIES && from != NO_PLACE; tries++, from = text->earlier[from]) {
        size_t count = 0;
        while (at + count < findings->words && findings->word[from + count] == findings->word[at + count])
            count++;
        if (count > best.count)
            best = (struct item){'<', (uint32_t)(at - from), count};
    }
    return best;
}

static struct item sequence_at(const struct findings *findings, size_t at)
{
    struct item item = {.kind = '+'};
    if (at == 0)
        return item;
    item.value = findings->word[at] - findings->word[at - 1];
    while (at + item.count < findings->words &&
           findings->word[at + item.count] - findings->word[at + item.count - 1] == item.value)
        item.count++;
    return item;
}

static size_t generated(const struct findings *findings, size_t at, size_t end, uint32_t state)
{
    size_t count = 0;
    while (at + count < end && findings_word(&state) == findings->word[at + count])
        count++;
    return count;
}

/* Words of fill(), from its beginning or from any byte of it. The finding ends at `end`. */
static struct item fill_at(const struct findings *findings, size_t at, size_t end)
{
    struct item item = {.kind = '='};
    if (end - at < FILL_WORDS)
        return item;
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < findings->fills; i++) {
            uint32_t state = findings_seed(findings->fill[i].seed);
            size_t places = pass == 0 ? 1 : findings->fill[i].bytes;
            for (size_t k = 0; k < places; k++) {
                uint32_t first = state;
                bool is_first = findings_byte(&state) == (findings->word[at] & 0xFF);
                size_t count = is_first ? generated(findings, at, end, first) : 0;
                if (count >= FILL_WORDS)
                    return (struct item){'=', first, count};
            }
        }
    return item;
}

static struct item item_at(struct text *text, size_t at, size_t end)
{
    const struct findings *findings = text->findings;
    struct item best = copy_at(text, at), sequence = sequence_at(findings, at);
    if (sequence.count >= best.count)
        best = sequence;
    if (best.count < FILL_WORDS) {
        struct item fill = fill_at(findings, at, end);
        if (fill.count > best.count)
            best = fill;
    }
    return best.count >= 2 ? best : (struct item){0, findings->word[at], 1};
}

void print_findings(FILE *out, const struct findings *findings)
{
    struct text text = {.out = out, .findings = findings};
    size_t number = 0;
    memset(text.chain, 0xFF, sizeof text.chain);
    text.earlier = malloc((findings->words + 1) * sizeof *text.earlier);
    if (text.earlier == NULL)
        abort();
    for (size_t at = 0; at < findings->words;) {
        while (number < findings->count && findings->finding[number].word <= at)
            number++;
        size_t end = number < findings->count ? findings->finding[number].word : findings->words;
        struct item item = item_at(&text, at, end);
        print_item(&text, &item);
        for (size_t i = 0; i < item.count; i++, at++) {
            size_t *chain = chain_of(&text, findings->word[at]);
            text.earlier[at] = *chain;
            *chain = at;
        }
    }
    fprintf(out, "\"");
    free(text.earlier);
}
