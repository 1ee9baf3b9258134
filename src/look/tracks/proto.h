/* SPDX-License-Identifier: Apache-2.0 */
/* Messages in the wire format of Protocol Buffers (protobuf.dev, "Encoding"). A struct tf_proto of zeros is empty. */
#ifndef LOOK_TRACKS_PROTO_H
#define LOOK_TRACKS_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tf_proto {
    uint8_t *data;
    size_t bytes, room;
    bool lost; /* the host had no memory for some of it */
};

#define TF_PROTO_VARINT 0u
#define TF_PROTO_FIXED64 1u
#define TF_PROTO_LENGTH 2u
#define TF_VARINT_BYTES_MAX 10u

/* Write a varint to `to`, which must have room for TF_VARINT_BYTES_MAX bytes. Returns its length. */
static inline unsigned tf_varint(uint8_t *to, uint64_t value)
{
    unsigned bytes = 0;
    for (; value >= 0x80; value >>= 7)
        to[bytes++] = (uint8_t)(value | 0x80);
    to[bytes++] = (uint8_t)value;
    return bytes;
}

/* Append a field: a varint, or a text. */
void tf_proto_number(struct tf_proto *proto, unsigned field, uint64_t value);
void tf_proto_text(struct tf_proto *proto, unsigned field, const char *text);

/* Append a field of packed varints. */
void tf_proto_numbers(struct tf_proto *proto, unsigned field, const uint64_t *value, size_t count);

/* Append a message as a field: the calls between begin and end fill it, with less than 2^28 bytes. begun: the value
   that tf_proto_begin() has returned. */
size_t tf_proto_begin(struct tf_proto *proto, unsigned field);
void tf_proto_end(struct tf_proto *proto, size_t begun);

void tf_proto_free(struct tf_proto *proto);

#endif
