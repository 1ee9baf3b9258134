/* SPDX-License-Identifier: Apache-2.0 */
/* tf_link_fault_parse(). */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tilefarm/tilefarm_links.h"

#define WORD_BYTES 24u

struct reader {
    const struct tf_cluster *cluster;
    const char *at;
    struct tf_link_fault *fault;
    unsigned count;
    struct tf_message *message;
};

static __attribute__((format(printf, 2, 3))) int bad_text(const struct reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (reader->message != NULL)
        vsnprintf(reader->message->text, sizeof reader->message->text, format, arguments);
    va_end(arguments);
    return TF_EFORMAT;
}

/* The next word of a fault; empty at its end. A longer word is cut, and no word is so long. */
static void next_word(struct reader *reader, char word[WORD_BYTES])
{
    size_t bytes = 0;
    while (isspace((unsigned char)*reader->at))
        reader->at++;
    for (; *reader->at != 0 && *reader->at != ',' && !isspace((unsigned char)*reader->at); reader->at++)
        if (bytes < WORD_BYTES - 1)
            word[bytes++] = *reader->at;
    word[bytes] = 0;
}

static bool is_number(const char *word, uint64_t *value)
{
    char *end;
    if (!isdigit((unsigned char)word[0]) || strlen(word) > 18)
        return false;
    *value = strtoull(word, &end, 10);
    return *end == 0;
}

/* A rate in percent, with up to four places behind the point: in millionths. */
static bool is_rate(const char *word, uint64_t *millionths)
{
    uint64_t value = 0;
    unsigned digits = 0, places = 0;
    bool point = false;
    for (; isdigit((unsigned char)*word) || (*word == '.' && !point); word++) {
        if (*word == '.') {
            point = true;
            continue;
        }
        value = 10 * value + (unsigned)(*word - '0');
        digits++;
        places += point;
    }
    if (strcmp(word, "%") != 0 || digits == 0 || digits > 7 || places > 4)
        return false;
    for (; places < 4; places++)
        value *= 10;
    *millionths = value;
    return true;
}

static int find_link(const struct reader *reader, const char *word, struct tf_link_fault *fault)
{
    unsigned chip, port;
    int end = 0;
    if (sscanf(word, "%3u:%3u%n", &chip, &port, &end) != 2 || word[end] != 0)
        return bad_text(reader, "a link fault begins with a port such as 0:8, not with \"%s\"", word);
    for (unsigned i = 0; i < 2 * reader->cluster->links; i++) {
        const struct tf_cluster_end *at = &reader->cluster->link[i / 2].end[i % 2];
        if (at->chip != chip || at->port != port)
            continue;
        fault->link = i / 2;
        fault->direction = i % 2;
        return TF_OK;
    }
    return bad_text(reader, "chip %u has no link at port %u: tilefarm describe --system shows the links", chip, port);
}

static int add(struct reader *reader, const struct tf_link_fault *fault)
{
    if (reader->count == TF_LINK_FAULTS_MAX)
        return bad_text(reader, "there are more than %u faults of links", TF_LINK_FAULTS_MAX);
    reader->fault[reader->count++] = *fault;
    return TF_OK;
}

/* Numbers of packets, or a rate and a seed. */
static int read_losses(struct reader *reader, struct tf_link_fault fault)
{
    char word[WORD_BYTES];
    int error;
    next_word(reader, word);
    if (is_rate(word, &fault.value)) {
        fault.kind = TF_LINK_RATE;
        next_word(reader, word);
        if (word[0] != 0 && !is_number(word, &fault.seed))
            return bad_text(reader, "the seed of losses is not a number: \"%s\"; commas separate faults", word);
        return add(reader, &fault);
    }
    fault.kind = TF_LINK_LOSE;
    do {
        if (!is_number(word, &fault.value))
            return bad_text(
                reader, "lose takes numbers of packets, or a rate such as 0.5%%, not \"%s\"; commas separate faults",
                word);
        error = add(reader, &fault);
        next_word(reader, word);
    } while (error == TF_OK && word[0] != 0);
    return error;
}

static int read_fault(struct reader *reader)
{
    static const struct {
        const char *name;
        enum tf_link_fault_kind kind;
        bool has_number;
    } kinds[] = {{"down", TF_LINK_DOWN, false},
                 {"cut", TF_LINK_CUT, true},
                 {"up", TF_LINK_UP, true},
                 {"slow", TF_LINK_SLOW, true}};
    struct tf_link_fault fault = {.seed = 0};
    char word[WORD_BYTES];
    next_word(reader, word);
    int error = find_link(reader, word, &fault);
    if (error != TF_OK)
        return error;
    next_word(reader, word);
    if (strcmp(word, "lose") == 0)
        return read_losses(reader, fault);
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(word, kinds[i].name) != 0)
            continue;
        fault.kind = kinds[i].kind;
        if (!kinds[i].has_number)
            return add(reader, &fault);
        next_word(reader, word);
        if (!is_number(word, &fault.value))
            return bad_text(reader, "%s takes a number, not \"%s\"; commas separate faults", kinds[i].name, word);
        return add(reader, &fault);
    }
    return bad_text(reader,
                    "a link fault is CHIP:PORT and down, cut CYCLE, up CYCLE, lose N..., lose RATE%% [SEED] or slow N, "
                    "not \"%s\"; commas separate faults",
                    word);
}

int tf_link_fault_parse(const struct tf_cluster *cluster, const char *text, struct tf_link_fault *fault,
                        unsigned *count, struct tf_message *message)
{
    struct reader reader = {.cluster = cluster, .at = text, .fault = fault, .message = message};
    for (;;) {
        char word[WORD_BYTES];
        int error = read_fault(&reader);
        if (error != TF_OK)
            return error;
        next_word(&reader, word);
        if (word[0] != 0)
            return bad_text(&reader, "\"%s\" does not belong to a link fault: separate faults by commas", word);
        if (*reader.at == 0)
            break;
        reader.at++;
    }
    *count = reader.count;
    return TF_OK;
}
