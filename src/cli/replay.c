/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/interrupt.h"
#include "cli/replay.h"

#include <stdlib.h>
#include <string.h>

#include "abi/abi.h"
#include "abi/libttsim.h"
#include "cli/text.h"

static const char *name_of(uint32_t kind)
{
    static const char *const name[] = {
        [RECORDED_CONFIG_READ] = "libttsim_pci_config_rd32",
        [RECORDED_CONFIG_WRITE] = "libttsim_pci_config_wr32",
        [RECORDED_READ] = "libttsim_pci_mem_rd_bytes",
        [RECORDED_WRITE] = "libttsim_pci_mem_wr_bytes",
        [RECORDED_TILE_READ] = "libttsim_tile_rd_bytes",
        [RECORDED_TILE_WRITE] = "libttsim_tile_wr_bytes",
        [RECORDED_CLOCK] = "libttsim_clock",
        [RECORDED_RESULT] = "the end of a read",
        [RECORDED_HOST_READ] = "a read of host memory",
        [RECORDED_HOST_WRITE] = "a write of host memory",
    };
    return name[kind];
}

static void note(struct tf_replay *replay, const struct recorded *call, const char *what)
{
    if (replay->why[0] == '\0')
        snprintf(replay->why, sizeof replay->why, "call %llu, %s, address 0x%llx, %u bytes: %s",
                 (unsigned long long)replay->calls, name_of(call->kind), (unsigned long long)call->address, call->bytes,
                 what);
}

static void lose(struct tf_replay *replay, const struct recorded *call, const char *what)
{
    note(replay, call, what);
    replay->lost = true;
}

/* Check that the next record has this kind. Returns false if it has not, or if the recording ends here. */
static bool expect(struct tf_replay *replay, uint32_t kind, struct recorded *record)
{
    if (replay->lost || !recording_next(&replay->recording, record))
        return false;
    if (record->kind == kind)
        return true;
    lose(replay, record,
         kind == RECORDED_RESULT ? "the recording has another access of the chip to host memory here"
                                 : "the recording has no such access of the chip to host memory here");
    return false;
}

static void check(struct tf_replay *replay, const struct recorded *call, const void *data, uint32_t bytes,
                  uint64_t digest)
{
    replay->reads++;
    if (recording_digest(data, bytes) == digest)
        return;
    replay->differences++;
    note(replay, call, "the data differ from the recorded data");
}

void tf_replay_host_read(struct tf_replay *replay, uint64_t address, void *data, uint32_t bytes)
{
    struct recorded record;
    abi_adopted_host();
    memset(data, 0, bytes);
    if (!expect(replay, RECORDED_HOST_READ, &record))
        return;
    if (record.address != address || record.bytes != bytes)
        lose(replay, &record, "the recorded chip read another address or length");
    else
        recording_data(&replay->recording, data, bytes);
}

void tf_replay_host_write(struct tf_replay *replay, uint64_t address, const void *data, uint32_t bytes)
{
    struct recorded record;
    abi_adopted_host();
    if (!expect(replay, RECORDED_HOST_WRITE, &record))
        return;
    if (record.address != address || record.bytes != bytes)
        lose(replay, &record, "the recorded chip wrote another address or length");
    else
        check(replay, &record, data, bytes, record.x | (uint64_t)record.y << 32);
}

bool tf_replay_open(struct tf_replay *replay, const char *path, bool partial)
{
    *replay = (struct tf_replay){.path = path};
    if (recording_open(&replay->recording, path, partial))
        return true;
    tf_cli_error("replay: %s: %s", path, replay->recording.why);
    return false;
}

static bool make_room(struct tf_replay *replay, size_t bytes)
{
    if (bytes <= replay->room)
        return true;
    uint8_t *larger = realloc(replay->data, bytes);
    if (larger == NULL)
        return false;
    replay->data = larger;
    replay->room = bytes;
    return true;
}

static void end_read(struct tf_replay *replay, const struct recorded *call, const void *data, uint32_t bytes)
{
    struct recorded result;
    if (expect(replay, RECORDED_RESULT, &result))
        check(replay, call, data, bytes, result.address);
}

static void play(struct tf_replay *replay, const struct recorded *call)
{
    uint32_t word;
    if (!abi_play(call, replay->data, &word))
        lose(replay, call, "the recording is damaged: a record is out of place");
    else if (call->kind == RECORDED_CONFIG_READ)
        end_read(replay, call, &word, sizeof word);
    else if (call->kind == RECORDED_READ || call->kind == RECORDED_TILE_READ)
        end_read(replay, call, replay->data, call->bytes);
}

static bool has_data(const struct recorded *call)
{
    return call->kind == RECORDED_WRITE || call->kind == RECORDED_TILE_WRITE;
}

static int play_all(struct tf_replay *replay, struct tf_interrupt *interrupt)
{
    struct recorded call;
    while (!replay->lost && !tf_interrupt_received(interrupt) && recording_next(&replay->recording, &call)) {
        replay->calls++;
        if (call.kind != RECORDED_CLOCK && !make_room(replay, call.bytes))
            return TF_ENOMEM;
        if (has_data(&call) && !recording_data(&replay->recording, replay->data, call.bytes))
            break;
        play(replay, &call);
    }
    if (replay->recording.why == NULL)
        return TF_OK;
    tf_cli_error("replay: %s: %s", replay->path, replay->recording.why); /* the file changed after it was opened */
    return TF_EIO;
}

int tf_replay_run(struct tf_replay *replay, struct tf_chip *chip, struct tf_interrupt *interrupt)
{
    abi_adopt(chip, replay->recording.header.clock_least);
    int error = play_all(replay, interrupt);
    abi_adopt(NULL, 0);
    return error;
}

int tf_replay_run_system(struct tf_replay *replay, struct tf_system *system, struct tf_interrupt *interrupt)
{
    abi_adopt_system(system, replay->recording.header.clock_least);
    int error = play_all(replay, interrupt);
    abi_adopt(NULL, 0);
    return error;
}

void tf_replay_close(struct tf_replay *replay)
{
    recording_close(&replay->recording);
    free(replay->data);
    *replay = (struct tf_replay){.path = NULL};
}
