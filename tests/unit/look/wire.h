/* SPDX-License-Identifier: Apache-2.0 */
/* A reader of Protocol Buffers' wire format (protobuf.dev, "Encoding"), written apart from the writer. */
#ifndef LOOK_WIRE_H
#define LOOK_WIRE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Bytes of a message, of a text, or of packed numbers. */
struct wire {
    const uint8_t *at, *end;
};

/* A field that was read. */
struct field {
    unsigned number, type;
    uint64_t value;     /* of types 0 and 1 */
    struct wire inside; /* of type 2 */
};

static inline uint64_t wire_varint(struct wire *wire)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        assert_true(wire->at < wire->end && shift < 70);
        uint8_t byte = *wire->at++;
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return value;
    }
}

/* The next field of a message. False: it has ended. */
static inline bool wire_next(struct wire *wire, struct field *field)
{
    if (wire->at == wire->end)
        return false;
    uint64_t tag = wire_varint(wire);
    *field = (struct field){.number = (unsigned)(tag >> 3), .type = (unsigned)(tag & 7)};
    assert_int_not_equal(field->number, 0);
    if (field->type == 0) {
        field->value = wire_varint(wire);
    } else if (field->type == 1) {
        assert_true(wire->end - wire->at >= 8);
        memcpy(&field->value, wire->at, 8);
        wire->at += 8;
    } else {
        assert_int_equal(field->type, 2);
        uint64_t bytes = wire_varint(wire);
        assert_true(bytes <= (uint64_t)(wire->end - wire->at));
        field->inside = (struct wire){wire->at, wire->at + bytes};
        wire->at += bytes;
    }
    return true;
}

/* The first field of a number in a message. False: it has none. */
static inline bool wire_find(struct wire message, unsigned number, struct field *field)
{
    while (wire_next(&message, field))
        if (field->number == number)
            return true;
    return false;
}

static inline uint64_t wire_number(struct wire message, unsigned number, uint64_t fallback)
{
    struct field field;
    return wire_find(message, number, &field) ? field.value : fallback;
}

static inline bool wire_is(struct wire text, const char *expected)
{
    return (size_t)(text.end - text.at) == strlen(expected) && memcmp(text.at, expected, strlen(expected)) == 0;
}

#endif
