/* SPDX-License-Identifier: Apache-2.0 */
#include "look/tracks/proto.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_FIRST 4096u
#define LENGTH_BYTES 4u /* padded bytes of a message's length */

/* Make room for more bytes. Returns NULL if the host has no memory. */
static uint8_t *more(struct tf_proto *proto, size_t bytes)
{
    if (proto->room - proto->bytes < bytes) {
        size_t room = proto->room == 0 ? ROOM_FIRST : proto->room;
        while (room - proto->bytes < bytes)
            room *= 2;
        uint8_t *data = realloc(proto->data, room);
        if (data == NULL) {
            proto->lost = true;
            return NULL;
        }
        proto->data = data;
        proto->room = room;
    }
    return proto->data + proto->bytes;
}

void tf_proto_number(struct tf_proto *proto, unsigned field, uint64_t value)
{
    uint8_t *to = more(proto, 2 * TF_VARINT_BYTES_MAX);
    if (to == NULL)
        return;
    unsigned bytes = tf_varint(to, field << 3 | TF_PROTO_VARINT);
    proto->bytes += bytes + tf_varint(to + bytes, value);
}

static void put_bytes(struct tf_proto *proto, unsigned field, const void *data, size_t count)
{
    uint8_t *to = more(proto, 2 * TF_VARINT_BYTES_MAX + count);
    if (to == NULL)
        return;
    unsigned bytes = tf_varint(to, field << 3 | TF_PROTO_LENGTH);
    bytes += tf_varint(to + bytes, count);
    if (count != 0)
        memcpy(to + bytes, data, count);
    proto->bytes += bytes + count;
}

void tf_proto_text(struct tf_proto *proto, unsigned field, const char *text)
{
    put_bytes(proto, field, text, strlen(text));
}

void tf_proto_numbers(struct tf_proto *proto, unsigned field, const uint64_t *value, size_t count)
{
    size_t begun = tf_proto_begin(proto, field);
    for (size_t i = 0; i < count; i++) {
        uint8_t *to = more(proto, TF_VARINT_BYTES_MAX);
        if (to != NULL)
            proto->bytes += tf_varint(to, value[i]);
    }
    tf_proto_end(proto, begun);
}

size_t tf_proto_begin(struct tf_proto *proto, unsigned field)
{
    uint8_t *to = more(proto, TF_VARINT_BYTES_MAX + LENGTH_BYTES);
    if (to != NULL)
        proto->bytes += tf_varint(to, field << 3 | TF_PROTO_LENGTH) + LENGTH_BYTES;
    return proto->bytes;
}

void tf_proto_end(struct tf_proto *proto, size_t begun)
{
    size_t bytes = proto->bytes - begun;
    if (proto->lost)
        return;
    for (unsigned i = 0; i < LENGTH_BYTES; i++)
        proto->data[begun - LENGTH_BYTES + i] = (uint8_t)((bytes >> 7 * i & 0x7F) | (i + 1 < LENGTH_BYTES ? 0x80 : 0));
}

void tf_proto_free(struct tf_proto *proto)
{
    free(proto->data);
    *proto = (struct tf_proto){.data = NULL};
}
