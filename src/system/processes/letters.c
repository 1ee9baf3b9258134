/* SPDX-License-Identifier: Apache-2.0 */
#include "system/processes/letters.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

#include "host/hostile.h"

#define MAGIC 0x72657474656c6674ull
#define ROOM_FIRST TF_UNLESS_HOSTILE((size_t)4096, sizeof(struct head) + 1)

struct head {
    uint64_t hash; /* of all that follows; must come first */
    uint64_t magic, number, bytes;
    uint32_t kind, from;
};
_Static_assert(sizeof(struct head) == TF_LETTER_HEAD_BYTES, "the head of a letter has another size");

static bool complain(struct tf_message *why, unsigned from, const char *what)
{
    snprintf(why->text, sizeof why->text, "a message of rank %u %s: the network or the host damaged it", from, what);
    return false;
}

/* A tf_saved.refill of a reader that wants more than was written. */
static bool end(struct tf_saved *saved)
{
    tf_saved_fail(saved, "it is too short");
    return false;
}

bool tf_letter_begin(struct tf_saved *letter)
{
    *letter = (struct tf_saved){.room = ROOM_FIRST, .at = sizeof(struct head), .refill = tf_saved_grow};
    letter->buffer = malloc(letter->room);
    if (letter->buffer == NULL)
        tf_saved_fail(letter, tf_saved_no_memory);
    return letter->buffer != NULL;
}

bool tf_letter_send(struct tf_letters *letters, unsigned to, enum tf_letter_kind kind, const struct tf_saved *letter,
                    struct tf_message *why)
{
    struct head head = {.magic = MAGIC,
                        .number = letters->sent[to]++,
                        .bytes = letter->at,
                        .kind = (uint32_t)kind,
                        .from = letters->transport->rank};
    if (letter->why != NULL) {
        snprintf(why->text, sizeof why->text, "a message to rank %u: %s", to, letter->why);
        return false;
    }
    memcpy(letter->buffer, &head, sizeof head);
    head.hash = XXH3_64bits(letter->buffer + sizeof head.hash, letter->at - sizeof head.hash);
    memcpy(letter->buffer, &head, sizeof head);
    return letters->transport->send(letters->transport, to, letter->buffer, letter->at, why);
}

static bool check(struct tf_letters *letters, unsigned from, enum tf_letter_kind kind, const struct tf_saved *letter,
                  struct tf_message *why)
{
    struct head head;
    if (letter->bytes < sizeof head)
        return complain(why, from, "is cut");
    memcpy(&head, letter->buffer, sizeof head);
    if (head.magic != MAGIC)
        return complain(why, from, "is none of tilefarm's");
    if (head.bytes != letter->bytes)
        return complain(why, from, "is cut");
    if (head.hash != XXH3_64bits(letter->buffer + sizeof head.hash, letter->bytes - sizeof head.hash))
        return complain(why, from, "has a wrong hash");
    const uint64_t number = letters->received[from]++;
    if (head.from != from || head.number < number)
        return complain(why, from, "came twice");
    if (head.number > number)
        return complain(why, from, "is missing");
    if (head.kind == (uint32_t)kind)
        return true;
    snprintf(why->text, sizeof why->text,
             "internal error: rank %u is at another step of the run: message %" PRIu64 " is of kind %u, not %u", from,
             head.number, head.kind, (unsigned)kind);
    return false;
}

bool tf_letter_receive(struct tf_letters *letters, unsigned from, enum tf_letter_kind kind, struct tf_saved *letter,
                       struct tf_message *why)
{
    void *data = NULL;
    *letter = (struct tf_saved){.reads = true, .refill = end};
    if (!letters->transport->receive(letters->transport, from, &data, &letter->bytes, why))
        return false;
    letter->buffer = data;
    if (!check(letters, from, kind, letter, why)) {
        tf_letter_end(letter);
        return false;
    }
    letter->at = sizeof(struct head);
    return true;
}

bool tf_letter_was_read(const struct tf_saved *letter, unsigned from, struct tf_message *why)
{
    if (letter->why == NULL && letter->at == letter->bytes)
        return true;
    snprintf(why->text, sizeof why->text, "a message of rank %u cannot be used: %s", from,
             letter->why != NULL ? letter->why : "it is too long");
    return false;
}

void tf_letter_end(struct tf_saved *letter)
{
    free(letter->buffer);
    letter->buffer = NULL;
}
