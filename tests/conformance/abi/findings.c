/* SPDX-License-Identifier: Apache-2.0 */
#include "findings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An array with room for one more element; it grows by doubling. */
static void *room(void *array, size_t count, size_t element_bytes)
{
    if (count != 0 && (count & (count - 1)) != 0)
        return array;
    void *grown = realloc(array, (count == 0 ? 1 : 2 * count) * element_bytes);
    if (grown == NULL)
        abort();
    return grown;
}

static void add_word(uint32_t **word, size_t *words, uint32_t value)
{
    *word = room(*word, *words, sizeof **word);
    (*word)[(*words)++] = value;
}

void findings_free(struct findings *findings)
{
    free(findings->word);
    free(findings->finding);
    free(findings->read);
    free(findings->fill);
    *findings = (struct findings){.words = 0};
}

void findings_add(struct findings *findings, const void *data, uint32_t bytes)
{
    findings->finding = room(findings->finding, findings->count, sizeof *findings->finding);
    findings->finding[findings->count++] = (struct finding){findings->words, findings->reads, bytes};
    for (uint32_t at = 0; at < bytes; at += 4) {
        uint32_t value = 0;
        memcpy(&value, (const uint8_t *)data + at, bytes - at < 4 ? bytes - at : 4);
        add_word(&findings->word, &findings->words, value);
    }
}

void findings_add_read(struct findings *findings, const struct finding_read *read)
{
    findings->read = room(findings->read, findings->reads, sizeof *findings->read);
    findings->read[findings->reads++] = *read;
}

void findings_add_fill(struct findings *findings, uint32_t seed, size_t bytes)
{
    for (size_t i = 0; i < findings->fills; i++)
        if (findings->fill[i].seed == seed) {
            findings->fill[i].bytes = bytes > findings->fill[i].bytes ? bytes : findings->fill[i].bytes;
            return;
        }
    findings->fill = room(findings->fill, findings->fills, sizeof *findings->fill);
    findings->fill[findings->fills++] = (struct finding_fill){seed, bytes};
}

uint32_t findings_seed(uint32_t seed)
{
    return seed * 2654435761u + 12345;
}

uint8_t findings_byte(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint8_t)(*state >> 24);
}

uint32_t findings_word(uint32_t *state)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < 4; i++)
        word |= (uint32_t)findings_byte(state) << 8 * i;
    return word;
}

static bool decode_item(char kind, uint32_t value, size_t count, uint32_t **word, size_t *words)
{
    if ((kind == '<' && (value == 0 || value > *words)) || (kind == '+' && *words == 0))
        return false;
    for (size_t i = 0; i < count; i++)
        add_word(word, words,
                 kind == '<'   ? (*word)[*words - value]
                 : kind == '+' ? (*word)[*words - 1] + value
                 : kind == '=' ? findings_word(&value)
                               : value);
    return true;
}

static bool decode_line(const char *text, uint32_t **word, size_t *words)
{
    while (*text != '\0') {
        char *end, kind = strchr("<+=", *text) != NULL ? *text++ : '\0';
        uint32_t value = (uint32_t)strtoul(text, &end, 16);
        size_t count = 1;
        bool is_item = end != text;
        if (kind != '\0' && is_item) {
            text = end + 1;
            is_item = *end == ':';
            count = is_item ? strtoul(text, &end, 16) : 0;
        }
        if (!is_item || !decode_item(kind, value, count, word, words))
            return false;
        for (text = end; *text == ' ';)
            text++;
    }
    return true;
}

bool findings_decode(const char *const *lines, uint32_t **word, size_t *words)
{
    for (*word = NULL, *words = 0; *lines != NULL; lines++)
        if (!decode_line(*lines, word, words))
            return false;
    return true;
}

static void read_place(const struct finding_read *read, uint64_t offset, char *text, size_t bytes)
{
    if (read->space == FINDING_TILE)
        snprintf(text, bytes, "(%u, %u), address 0x%" PRIX64, read->x, read->y, read->address + offset);
    else
        snprintf(text, bytes, "%s 0x%" PRIX64, read->space == FINDING_PCI ? "PCI address" : "configuration register",
                 read->address + offset);
}

/* Where byte `offset` of a finding was read: the last reads before it, if they have as many bytes together. */
static void place(const struct findings *findings, size_t number, uint32_t offset, char *text, size_t bytes)
{
    const struct finding *finding = &findings->finding[number];
    size_t oldest = number == 0 ? 0 : finding[-1].read, first = finding->read;
    uint32_t sum = 0;
    while (first > oldest && sum < finding->bytes)
        sum += findings->read[--first].bytes;
    if (sum != finding->bytes) {
        size_t used = (size_t)snprintf(text, bytes, "byte %u, the last read is of ", offset);
        if (finding->read > oldest)
            read_place(&findings->read[finding->read - 1], 0, text + used, bytes - used);
        else
            snprintf(text, bytes, "byte %u of the host's data", offset);
        return;
    }
    for (; offset >= findings->read[first].bytes; first++)
        offset -= findings->read[first].bytes;
    read_place(&findings->read[first], offset, text, bytes);
}

static void say(const struct findings *findings, size_t word, uint32_t wanted, char message[FINDINGS_TEXT])
{
    char where[200];
    size_t number = 0;
    while (number + 1 < findings->count && findings->finding[number + 1].word <= word)
        number++;
    uint32_t is = findings->word[word], bit = (uint32_t)__builtin_ctz(is ^ wanted);
    place(findings, number, (uint32_t)(word - findings->finding[number].word) * 4, where, sizeof where);
    snprintf(message, FINDINGS_TEXT, "finding %zu, %s: 0x%08X, ttsim has 0x%08X: bit %u first", number, where, is,
             wanted, bit);
}

bool findings_differ(const struct findings *findings, const char *const *lines, char message[FINDINGS_TEXT])
{
    uint32_t *wanted;
    size_t words, i = 0;
    if (!findings_decode(lines, &wanted, &words)) {
        snprintf(message, FINDINGS_TEXT, "the recorded text cannot be read");
        free(wanted);
        return true;
    }
    while (i < words && i < findings->words && wanted[i] == findings->word[i])
        i++;
    bool differ = i < words || i < findings->words;
    if (i < words && i < findings->words)
        say(findings, i, wanted[i], message);
    else if (differ)
        snprintf(message, FINDINGS_TEXT, "%zu words, ttsim has %zu; none of the first %zu differs", findings->words,
                 words, i);
    free(wanted);
    return differ;
}
