/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile in pprof's format. Source: google/pprof, proto/profile.proto. The output is gzip (RFC 1952) with stored
 * blocks, because readers expect this format, and the file is small.
 */
#include <string.h>

#include "look/pprof.h"
#include "look/profile.h"
#include "look/tracks/proto.h"

/* Fields of the messages. */
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION, PROFILE_STRING };
enum { PROFILE_PERIOD_TYPE = 11, PROFILE_PERIOD, PROFILE_DEFAULT_TYPE = 14 };
enum { VALUE_TYPE = 1, VALUE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE };
enum { MAPPING_ID = 1, MAPPING_START, MAPPING_LIMIT, MAPPING_FILENAME = 5, MAPPING_HAS_FUNCTIONS = 7 };
enum { MAPPING_HAS_FILENAMES = 8, MAPPING_HAS_LINES };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE, FUNCTION_LINE };

/* The first strings of the table. The names of functions follow, each with its file. */
enum { S_NONE, S_CYCLES, S_INSTRUCTIONS, S_WAITING, S_COUNT, S_PROGRAM, STRINGS };
static const char *const strings[STRINGS] = {"", "cycles", "instructions", "waiting", "count", "device programs"};

#define FRAMES_MAX 1024u

static void add_type(struct tf_proto *to, unsigned field, unsigned type, unsigned unit)
{
    size_t message = tf_proto_begin(to, field);
    tf_proto_number(to, VALUE_TYPE, type);
    tf_proto_number(to, VALUE_UNIT, unit);
    tf_proto_end(to, message);
}

static void add_sample(struct tf_proto *to, const struct tf_profile *profile, const struct tf_sample *sample)
{
    uint64_t frame[FRAMES_MAX], value[3] = {sample->executed + sample->waited, sample->executed, sample->waited};
    unsigned frames = 0;
    frame[frames++] = sample->place + 1;
    for (uint32_t at = sample->path; at != 0 && frames < FRAMES_MAX; at = profile->path[at].parent)
        frame[frames++] = profile->path[at].place + 1;
    size_t message = tf_proto_begin(to, PROFILE_SAMPLE);
    tf_proto_numbers(to, SAMPLE_LOCATION, frame, frames);
    tf_proto_numbers(to, SAMPLE_VALUE, value, 3);
    tf_proto_end(to, message);
}

static void add_line(struct tf_proto *to, uint32_t function, unsigned number)
{
    size_t line = tf_proto_begin(to, LOCATION_LINE);
    tf_proto_number(to, LINE_FUNCTION, function + 1);
    tf_proto_number(to, LINE_LINE, number);
    tf_proto_end(to, line);
}

/* Write a line for each inlined call, innermost first, and one for the function. */
static void add_place(struct tf_proto *to, const struct tf_profile *profile, uint32_t number)
{
    const struct tf_code_place *place = &profile->place[number];
    unsigned at = place->line;
    size_t message = tf_proto_begin(to, PROFILE_LOCATION);
    tf_proto_number(to, LOCATION_ID, number + 1);
    tf_proto_number(to, LOCATION_MAPPING, 1);
    tf_proto_number(to, LOCATION_ADDRESS, place->pc);
    for (unsigned i = 0; i < place->inlines; i++) {
        const struct tf_inlined_call *call = &profile->inlined[place->inlined + i];
        add_line(to, call->function, at);
        at = call->line;
    }
    add_line(to, place->function, at);
    tf_proto_end(to, message);
}

static void add_function(struct tf_proto *to, const struct tf_function *function, uint32_t number)
{
    size_t message = tf_proto_begin(to, PROFILE_FUNCTION);
    tf_proto_number(to, FUNCTION_ID, number + 1);
    tf_proto_number(to, FUNCTION_NAME, STRINGS + 2 * number);
    tf_proto_number(to, FUNCTION_SYSTEM_NAME, STRINGS + 2 * number);
    tf_proto_number(to, FUNCTION_FILE, STRINGS + 2 * number + 1);
    tf_proto_number(to, FUNCTION_LINE, function->line);
    tf_proto_end(to, message);
}

static void add_mapping(struct tf_proto *to, const struct tf_profile *profile)
{
    size_t message = tf_proto_begin(to, PROFILE_MAPPING);
    tf_proto_number(to, MAPPING_ID, 1);
    tf_proto_number(to, MAPPING_START, 0);
    tf_proto_number(to, MAPPING_LIMIT, profile->l1_bytes);
    tf_proto_number(to, MAPPING_FILENAME, S_PROGRAM);
    tf_proto_number(to, MAPPING_HAS_FUNCTIONS, 1);
    tf_proto_number(to, MAPPING_HAS_FILENAMES, 1);
    tf_proto_number(to, MAPPING_HAS_LINES, 1);
    tf_proto_end(to, message);
}

static void make(struct tf_proto *to, const struct tf_profile *profile)
{
    add_type(to, PROFILE_SAMPLE_TYPE, S_CYCLES, S_COUNT);
    add_type(to, PROFILE_SAMPLE_TYPE, S_INSTRUCTIONS, S_COUNT);
    add_type(to, PROFILE_SAMPLE_TYPE, S_WAITING, S_COUNT);
    for (uint32_t i = 0; i < profile->samples; i++)
        add_sample(to, profile, &profile->sample[i]);
    add_mapping(to, profile);
    for (uint32_t i = 0; i < profile->places; i++)
        add_place(to, profile, i);
    for (uint32_t i = 0; i < profile->functions; i++)
        add_function(to, &profile->function[i], i);
    for (unsigned i = 0; i < STRINGS; i++)
        tf_proto_text(to, PROFILE_STRING, strings[i]);
    for (uint32_t i = 0; i < profile->functions; i++) {
        const char *file = profile->function[i].file;
        tf_proto_text(to, PROFILE_STRING, profile->function[i].name);
        tf_proto_text(to, PROFILE_STRING, file == NULL ? "" : file);
    }
    add_type(to, PROFILE_PERIOD_TYPE, S_CYCLES, S_COUNT);
    tf_proto_number(to, PROFILE_PERIOD, 1);
    tf_proto_number(to, PROFILE_DEFAULT_TYPE, S_CYCLES);
}

static void put_word(FILE *file, uint32_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        fputc((int)(value >> 8 * i & 0xFF), file);
}

static uint32_t crc_of(const uint8_t *data, size_t bytes)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < bytes; i++) {
        crc ^= data[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

#define BLOCK_BYTES_MAX 65535u

static void write_gzip(FILE *file, const uint8_t *data, size_t bytes)
{
    static const uint8_t head[10] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255};
    size_t left = bytes;
    fwrite(head, 1, sizeof head, file);
    do {
        uint32_t block = left < BLOCK_BYTES_MAX ? (uint32_t)left : BLOCK_BYTES_MAX;
        fputc(block == left, file); /* bits: last block, stored */
        put_word(file, block, 2);
        put_word(file, ~block, 2);
        fwrite(data + (bytes - left), 1, block, file);
        left -= block;
    } while (left != 0);
    put_word(file, crc_of(data, bytes), 4);
    put_word(file, (uint32_t)bytes, 4);
}

bool tf_profile_write_pprof(const struct tf_profile *profile, FILE *file, bool compressed)
{
    struct tf_proto to = {.data = NULL};
    make(&to, profile);
    if (compressed)
        write_gzip(file, to.data, to.bytes);
    else
        fwrite(to.data, 1, to.bytes, file);
    bool fine = !to.lost;
    tf_proto_free(&to);
    return fine;
}
