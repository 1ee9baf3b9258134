/* SPDX-License-Identifier: Apache-2.0 */
/* Row `recorded-calls`: the calls of a host that a recording has (TILEFARM_RECORD), on our chip and on a peer. */
#include <stdlib.h>
#include <string.h>

#include "abi/abi.h"
#include "abi/libttsim.h"
#include "cli/bench/bench.h"
#include "cli/bench/engine.h"
#include "cli/bench/measure.h"
#include "cli/bench/refuse.h"
#include "cli/interrupt.h"
#include "cli/replay.h"
#include "farm/chip/chip.h"
#include "farm/saved/header.h"
#include "tilefarm/tilefarm_config.h"

/* Create the chip of the recording, play the calls, and destroy it. Returns false after an error. */
static bool play_on_chip(struct bench_engine *engine, struct tf_replay *replay)
{
    struct tf_config config;
    struct tf_chip *chip = NULL;
    struct tf_interrupt interrupt;
    bench_configure(engine->side, &config);
    config.on_fault = abi_adopted_fault;
    if (replay->recording.system != NULL)
        return bench_refuse(engine, "the recording is of several chips");
    if (!tf_saved_to_config(&replay->recording.header.config, &config) || config.arch != engine->side->arch)
        return bench_refuse(engine, "the recording is of another chip; --arch names its family");
    if (tf_chip_create(&config, &chip, NULL) != TF_OK)
        return bench_refuse(engine, "too little memory for a chip");
    bool right = tf_interrupt_start(&interrupt, NULL, 0);
    if (right) {
        right = tf_replay_run(replay, chip, &interrupt) == TF_OK;
        tf_interrupt_end(&interrupt, TF_EXIT_OK);
    }
    tf_chip_destroy(chip);
    return right || bench_refuse(engine, "the recording cannot be played");
}

static bool has_data(const struct recorded *call)
{
    return call->kind == RECORDED_WRITE || call->kind == RECORDED_TILE_WRITE || call->kind == RECORDED_HOST_READ;
}

/* Data of reads may differ: another library reaches other states within a call of clock(). */
static void call_library(const struct tf_client_library *library, const struct recorded *call, void *data)
{
    switch (call->kind) {
    case RECORDED_READ: library->read(call->address, data, call->bytes); break;
    case RECORDED_WRITE: library->write(call->address, data, call->bytes); break;
    case RECORDED_CLOCK: library->clock(call->bytes); break;
    case RECORDED_CONFIG_READ:
        if (library->config_read != NULL)
            library->config_read(call->x, (uint32_t)call->address);
        break;
    default: break; /* few clients write to the configuration, or name tiles */
    }
}

static bool play_on_library(struct bench_engine *engine, struct recording *recording)
{
    struct recorded call;
    uint8_t *data = NULL;
    size_t room = 0;
    while (recording_next(recording, &call)) {
        if (call.kind != RECORDED_CLOCK && call.bytes > room) {
            free(data);
            room = call.bytes;
            data = malloc(room);
        }
        if ((room != 0 && data == NULL) || (has_data(&call) && !recording_data(recording, data, call.bytes)))
            break;
        call_library(&engine->client.library, &call, data);
    }
    free(data);
    engine->ops->close(engine);
    engine->closed = true;
    return recording->why == NULL || bench_refuse(engine, "%s", recording->why);
}

void bench_recorded_calls(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                          struct bench_sample *sample)
{
    struct tf_replay replay;
    (void)row;
    (void)rounds;
    sample->work = 1;
    if (engine->side->recording == NULL)
        bench_refuse(engine, "option --recording names the recording");
    else if (!tf_replay_open(&replay, engine->side->recording, false))
        bench_refuse(engine, "the recording cannot be read");
    else {
        double began = tf_seconds();
        if (engine->side->kind == BENCH_FARM)
            sample->right = play_on_chip(engine, &replay);
        else
            sample->right = play_on_library(engine, &replay.recording);
        sample->seconds = tf_seconds() - began + (engine->side->kind == BENCH_FARM ? 0 : engine->open_s);
        tf_replay_close(&replay);
    }
    if (!sample->right)
        bench_fail(engine, sample);
}
