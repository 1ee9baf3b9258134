/* SPDX-License-Identifier: Apache-2.0 */
/* Does a file follow the definitions of Perfetto's messages (perfetto.def)? Each field must be one of them, once unless
   it is repeated, with the wire type and the range of its type. */
#ifndef LOOK_SCHEMA_H
#define LOOK_SCHEMA_H

#include <stdio.h>

#include "unit/look/wire.h"

struct schema_field {
    const char *message, *name;
    unsigned number;
    const char *of;
};

struct schema_value {
    const char *of, *name;
    uint64_t number;
};

static const struct schema_field schema_fields[] = {
#define FIELD(message_, name_, number_, of_) {#message_, #name_, number_, #of_},
#define VALUE(of_, name_, number_)
#include "unit/look/perfetto.def"
#undef FIELD
#undef VALUE
};

static const struct schema_value schema_values[] = {
#define FIELD(message_, name_, number_, of_)
#define VALUE(of_, name_, number_) {#of_, #name_, number_},
#include "unit/look/perfetto.def"
#undef FIELD
#undef VALUE
};

#define SCHEMA_FIELDS (sizeof schema_fields / sizeof schema_fields[0])
#define SCHEMA_VALUES (sizeof schema_values / sizeof schema_values[0])

static inline const struct schema_field *schema_find(const char *message, unsigned number)
{
    for (unsigned i = 0; i < SCHEMA_FIELDS; i++)
        if (schema_fields[i].number == number && strcmp(schema_fields[i].message, message) == 0)
            return &schema_fields[i];
    return NULL;
}

static inline bool schema_is_message(const char *of)
{
    for (unsigned i = 0; i < SCHEMA_FIELDS; i++)
        if (strcmp(schema_fields[i].message, of) == 0)
            return true;
    return false;
}

static inline bool schema_is_enum(const char *of, uint64_t value, bool *has)
{
    bool is = false;
    *has = false;
    for (unsigned i = 0; i < SCHEMA_VALUES; i++)
        if (strcmp(schema_values[i].of, of) == 0) {
            is = true;
            *has |= schema_values[i].number == value;
        }
    return is;
}

static inline bool schema_repeats(const struct schema_field *field)
{
    static const char *const names[] = {"packet",
                                        "clocks",
                                        "event_names",
                                        "debug_annotation_names",
                                        "flow_ids",
                                        "debug_annotations",
                                        "terminating_flow_ids"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(field->name, names[i]) == 0)
            return true;
    return false;
}

enum schema_kind {
    SCHEMA_UNASKED,
    SCHEMA_MESSAGE,
    SCHEMA_STRING,
    SCHEMA_FIXED64,
    SCHEMA_ENUM,
    SCHEMA_BOOL,
    SCHEMA_UINT32,
    SCHEMA_INT32,
    SCHEMA_64,
    SCHEMA_NONE,
};

/* The type of a field. The text of the type is looked at once: a file has millions of fields. */
static inline enum schema_kind schema_kind(const struct schema_field *known)
{
    static unsigned char kinds[SCHEMA_FIELDS];
    static const char *const names[] = {
        [SCHEMA_STRING] = "string", [SCHEMA_FIXED64] = "fixed64", [SCHEMA_BOOL] = "bool",
        [SCHEMA_UINT32] = "uint32", [SCHEMA_INT32] = "int32",     [SCHEMA_64] = "uint64",
    };
    unsigned char *kind = &kinds[known - schema_fields];
    bool has;
    if (*kind != SCHEMA_UNASKED)
        return *kind;
    *kind = strcmp(known->of, "int64") == 0    ? SCHEMA_64
            : strcmp(known->of, "double") == 0 ? SCHEMA_FIXED64
                                               : SCHEMA_NONE;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i] != NULL && strcmp(known->of, names[i]) == 0)
            *kind = (unsigned char)i;
    if (schema_is_message(known->of))
        *kind = SCHEMA_MESSAGE;
    else if (schema_is_enum(known->of, 0, &has))
        *kind = SCHEMA_ENUM;
    return *kind;
}

/* The error of a field; NULL: nothing. */
static inline const char *schema_why_bad(const struct schema_field *known, const struct field *field)
{
    bool has;
    if (known == NULL)
        return "the message has no such field";
    enum schema_kind kind = schema_kind(known);
    if (kind == SCHEMA_MESSAGE || kind == SCHEMA_STRING)
        return field->type == 2 ? NULL : "it must have a length";
    if (kind == SCHEMA_FIXED64)
        return field->type == 1 ? NULL : "it must have 8 bytes";
    if (field->type != 0)
        return "it must be a varint";
    switch (kind) {
    case SCHEMA_ENUM:
        schema_is_enum(known->of, field->value, &has);
        return has ? NULL : "the enumeration has no such value";
    case SCHEMA_BOOL: return field->value <= 1 ? NULL : "it must be 0 or 1";
    case SCHEMA_UINT32: return field->value <= UINT32_MAX ? NULL : "it must fit into 32 bits";
    case SCHEMA_INT32: return (int64_t)field->value == (int32_t)field->value ? NULL : "it must fit into 32 bits";
    case SCHEMA_64: return NULL;
    default: return "its type is not known";
    }
}

/* Check a message, and those inside of it. Returns what is wrong with the first bad field; NULL: nothing. */
static inline const char *schema_check(const char *message, struct wire wire, char *where, size_t bytes)
{
    uint64_t seen = 0;
    struct field field;
    while (wire_next(&wire, &field)) {
        const struct schema_field *known = schema_find(message, field.number);
        const char *why = schema_why_bad(known, &field);
        if (why == NULL && (seen >> known->number & 1) != 0 && !schema_repeats(known))
            why = "it stands there twice";
        if (why != NULL) {
            snprintf(where, bytes, "%s, field %u", message, field.number);
            return why;
        }
        seen |= 1ull << known->number;
        if (schema_kind(known) == SCHEMA_MESSAGE)
            why = schema_check(known->of, field.inside, where, bytes);
        if (why != NULL)
            return why;
    }
    return NULL;
}

#endif
