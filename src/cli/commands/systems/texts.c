/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/systems/texts.h"

#include <stdlib.h>
#include <string.h>

#include "system/ranks.h"

#define BYTES_MOST ((uint64_t)1 << 40) /* of a rank; sums do not wrap */

void tf_texts_begin(struct tf_texts *texts)
{
    *texts = (struct tf_texts){.stream = NULL};
    texts->stream = open_memstream(&texts->bytes, &texts->length);
}

static bool add(struct tf_texts *texts, struct tf_rank_text text)
{
    if (texts->texts == texts->room) {
        const size_t room = texts->room != 0 ? 2 * texts->room : 64;
        struct tf_rank_text *more = reallocarray(texts->text, room, sizeof *more);
        if (more == NULL)
            return false;
        texts->text = more;
        texts->room = room;
    }
    texts->text[texts->texts++] = text;
    return true;
}

void tf_texts_take(struct tf_texts *texts, uint64_t window, unsigned chip)
{
    if (texts->stream == NULL || fflush(texts->stream) != 0) {
        texts->lost = true;
        return;
    }
    if (texts->length == texts->taken)
        return;
    struct tf_rank_text *last = texts->texts != 0 ? &texts->text[texts->texts - 1] : NULL;
    if (last != NULL && last->window == window && last->chip == chip) {
        last->bytes += texts->length - texts->taken;
        texts->taken = texts->length;
        return;
    }
    texts->lost |= !add(texts, (struct tf_rank_text){.window = window,
                                                     .chip = chip,
                                                     .from = texts->taken,
                                                     .bytes = texts->length - texts->taken});
    texts->taken = texts->length;
}

static bool send_all(const struct tf_texts *texts, struct tf_system *system)
{
    const uint64_t sizes[] = {texts->texts, texts->taken, texts->lost};
    return tf_ranks_send(system, 0, sizes, sizeof sizes) &&
           tf_ranks_send(system, 0, texts->text, texts->texts * sizeof *texts->text) &&
           tf_ranks_send(system, 0, texts->bytes, texts->taken);
}

/* Read into memory that is as large as a message says. The message has a hash, so only tilefarm can have written it. */
static bool receive_some(struct tf_system *system, unsigned from, void **data, uint64_t bytes)
{
    *data = bytes <= BYTES_MOST ? malloc(bytes + 1) : NULL;
    return *data != NULL && tf_ranks_receive(system, from, *data, bytes);
}

static void append(struct tf_texts *texts, const struct tf_rank_text *text, uint64_t count, const char *bytes,
                   uint64_t length)
{
    const uint64_t base = texts->taken;
    if (texts->stream == NULL || fwrite(bytes, 1, length, texts->stream) != length || fflush(texts->stream) != 0) {
        texts->lost = true;
        return;
    }
    texts->taken = texts->length;
    for (uint64_t i = 0; i < count; i++) {
        struct tf_rank_text moved = text[i];
        const bool fits = moved.from <= length && moved.bytes <= length - moved.from;
        moved.from += base;
        texts->lost |= !fits || !add(texts, moved);
    }
}

static bool receive_all(struct tf_texts *texts, struct tf_system *system, unsigned from)
{
    uint64_t sizes[3] = {0};
    void *text = NULL, *bytes = NULL;
    const bool fine = tf_ranks_receive(system, from, sizes, sizeof sizes) &&
                      sizes[0] <= BYTES_MOST / sizeof *texts->text &&
                      receive_some(system, from, &text, sizes[0] * sizeof *texts->text) &&
                      receive_some(system, from, &bytes, sizes[1]);
    if (fine)
        append(texts, text, sizes[0], bytes, sizes[1]);
    texts->lost |= sizes[2] != 0;
    free(text);
    free(bytes);
    return fine;
}

static int compare(const void *a, const void *b)
{
    const struct tf_rank_text *left = a, *right = b;
    if (left->window != right->window)
        return left->window < right->window ? -1 : 1;
    if (left->chip != right->chip)
        return left->chip < right->chip ? -1 : 1;
    return left->from < right->from ? -1 : left->from > right->from;
}

bool tf_texts_collect(struct tf_texts *texts, struct tf_system *system, unsigned rank, unsigned ranks)
{
    if (rank != 0)
        return send_all(texts, system);
    bool fine = true;
    for (unsigned i = 1; i < ranks && fine; i++)
        fine = receive_all(texts, system, i);
    if (texts->texts != 0)
        qsort(texts->text, texts->texts, sizeof *texts->text, compare);
    return fine;
}

void tf_texts_print(struct tf_texts *texts, bool last, FILE *file)
{
    for (size_t i = 0; i < texts->texts; i++)
        if ((texts->text[i].window == TF_TEXT_LAST) == last)
            fwrite(texts->bytes + texts->text[i].from, 1, texts->text[i].bytes, file);
}

void tf_texts_end(struct tf_texts *texts)
{
    if (texts->stream != NULL)
        fclose(texts->stream);
    free(texts->bytes);
    free(texts->text);
}
