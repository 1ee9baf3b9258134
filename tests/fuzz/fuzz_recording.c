/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recordings of clients' calls (.tfr). An input is a header and a stream of records, without checksums: they are made,
 * so that changes reach the reader of records and the chip. An input that begins with ! is a file as it is.
 */
#include <stdbool.h>
#include <string.h>

#include "abi/abi.h"
#include "abi/libttsim.h"
#include "cli/replay.h"
#include "driver.h"
#include "farm/saved/header.h"
#include "tilefarm/tilefarm_config.h"
#include "addresses.h"

#define CLOCK_MOST 512u
#define CALLS_MOST 64u /* clocks of an input that take their cycles */

const char *const fuzz_words[] = {"\x01\0\0", "\x02", "\x03", "\x04", "\x05", "\x06",
                                  "\x07",     "\x08", "\x09", "\x0A", NULL};

static size_t put_record(uint8_t *data, size_t at, struct recorded record, const void *with, size_t bytes)
{
    memcpy(data + at, &record, sizeof record);
    if (bytes != 0)
        memcpy(data + at + sizeof record, with, bytes);
    return at + sizeof record + bytes;
}

/* A client that aims a window at a tile, writes a program, starts a core, and reads its result. */
size_t fuzz_seed(unsigned number, uint8_t *data, size_t room)
{
    static const uint32_t program[] = {0x000202B7, 0x0002A303, 0x00130313, 0x0062A023, 0xFF5FF06F};
    static const char *const families[] = {"blackhole", "wormhole"};
    static const uint32_t window[] = {0, 1u << 11 | 2u << 17, 0}, go = 0x47000;
    const uint64_t bar0 = 0x100000000ull, config = bar0 + 0x1FC00000;
    struct recording_header header = {.clock_least = 1, .go_on = 1, .host_memory = (uint8_t)(number & 1)};
    struct tf_config chip;
    size_t at = sizeof header;
    if (number >= 2 || room < 4096)
        return 0;
    tf_config_init(&chip);
    tf_saved_describe(&chip, tf_arch_find(families[number]), &header.config);
    memcpy(data, &header, sizeof header);
    at = put_record(data, at, (struct recorded){.kind = RECORDED_CONFIG_READ}, NULL, 0);
    at = put_record(data, at, (struct recorded){.kind = RECORDED_RESULT, .bytes = 4}, NULL, 0);
    at = put_record(data, at, (struct recorded){.kind = RECORDED_CONFIG_WRITE, .address = 4, .y = 7}, NULL, 0);
    for (unsigned i = 0; i < 3; i++)
        at = put_record(data, at, (struct recorded){.kind = RECORDED_WRITE, .bytes = 4, .address = config + 4 * i},
                        &window[i], 4);
    at = put_record(data, at, (struct recorded){.kind = RECORDED_WRITE, .bytes = sizeof program, .address = bar0},
                    program, sizeof program);
    at = put_record(
        data, at,
        (struct recorded){.kind = RECORDED_TILE_WRITE, .bytes = 4, .address = DEBUG_AT(SOFT_RESET_0), .x = 1, .y = 2},
        &go, 4);
    at = put_record(data, at, (struct recorded){.kind = RECORDED_CLOCK, .bytes = 400}, NULL, 0);
    at = put_record(data, at,
                    (struct recorded){.kind = RECORDED_TILE_READ, .bytes = 4, .address = 0x20000, .x = 1, .y = 2}, NULL,
                    0);
    at = put_record(data, at, (struct recorded){.kind = RECORDED_RESULT, .bytes = 4}, NULL, 0);
    at = put_record(data, at, (struct recorded){.kind = RECORDED_READ, .bytes = 64, .address = bar0 + 0x20000}, NULL,
                    0);
    at = put_record(data, at, (struct recorded){.kind = RECORDED_RESULT, .bytes = 64}, NULL, 0);
    at = put_record(data, at, (struct recorded){.kind = RECORDED_HOST_READ, .bytes = 4}, &go, 4);
    return at;
}

/* Count the calls of a stream, and shorten its clocks. */
static uint64_t settle(uint8_t *data, size_t bytes)
{
    uint64_t calls = 0, clocks = 0;
    struct recorded record;
    for (size_t at = 0; at + sizeof record <= bytes;) {
        memcpy(&record, data + at, sizeof record);
        if (record.kind == RECORDED_CLOCK) {
            record.bytes = clocks++ < CALLS_MOST ? record.bytes % CLOCK_MOST : 0;
            memcpy(data + at, &record, sizeof record);
        }
        calls += record.kind >= RECORDED_CONFIG_READ && record.kind <= RECORDED_CLOCK;
        at += sizeof record;
        if (record.kind == RECORDED_WRITE || record.kind == RECORDED_TILE_WRITE || record.kind == RECORDED_HOST_READ)
            at += record.bytes;
    }
    return calls;
}

/* A file with this header and this stream. The caller frees it. */
static uint8_t *make_file(const uint8_t *data, size_t bytes, size_t *made)
{
    struct recording_header header;
    struct recording_block block = {0}, last = {0};
    if (bytes < sizeof header)
        return NULL;
    memcpy(&header, data, sizeof header);
    recording_seal(&header);
    block.bytes = (uint32_t)(bytes - sizeof header);
    uint8_t *file = malloc(sizeof header + 2 * sizeof block + block.bytes),
            *stream = file + sizeof header + sizeof block;
    if (file == NULL || block.bytes > RECORDING_BLOCK_BYTES) {
        free(file);
        return NULL;
    }
    memcpy(file, &header, sizeof header);
    memcpy(stream, data + sizeof header, block.bytes);
    last.checksum = settle(stream, block.bytes);
    block.checksum = recording_digest(stream, block.bytes);
    size_t at = sizeof header;
    if (block.bytes != 0) {
        memcpy(file + at, &block, sizeof block);
        at += sizeof block + block.bytes;
    }
    memcpy(file + at, &last, sizeof last);
    *made = at + sizeof last;
    return file;
}

static void host_read(void *user, uint64_t address, void *data, uint32_t bytes)
{
    tf_replay_host_read(user, address, data, bytes);
}

static void host_write(void *user, uint64_t address, const void *data, uint32_t bytes)
{
    tf_replay_host_write(user, address, data, bytes);
}

static void play(struct tf_replay *replay)
{
    struct tf_config config;
    struct tf_chip *chip = NULL;
    tf_config_init(&config);
    if (!tf_saved_to_config(&replay->recording.header.config, &config))
        return;
    config.threads = 1;
    config.pin = false;
    config.go_on_after_fault = replay->recording.header.go_on != 0;
    config.on_fault = abi_adopted_fault;
    config.user = replay;
    if (tf_replay_has_host_memory(replay)) {
        config.on_host_read = host_read;
        config.on_host_write = host_write;
    }
    if (tf_chip_create(&config, &chip, NULL) != TF_OK)
        return;
    tf_replay_run(replay, chip, NULL);
    tf_chip_destroy(chip);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct tf_replay replay;
    size_t made = bytes - (bytes != 0);
    fuzz_silence();
    uint8_t *file = bytes != 0 && data[0] == '!' ? NULL : make_file(data, bytes, &made);
    const char *path = fuzz_file(file != NULL ? file : data + (bytes != 0), made);
    free(file);
    if (path == NULL)
        abort();
    if (tf_replay_open(&replay, path, bytes % 2 != 0))
        play(&replay);
    tf_replay_close(&replay);
    return 0;
}
