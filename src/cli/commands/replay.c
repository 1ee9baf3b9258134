/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/replay.h"

#include <stdlib.h>
#include <string.h>

#include "cli/options/options.h"
#include "cli/request/command_line.h"
#include "cli/request/request.h"
#include "cli/request/restored.h"
#include "cli/text.h"
#include "farm/saved/header.h"
#include "tilefarm/tilefarm_config.h"

#define OPTIONS_MAX 48u

/* Options of `run` that define the chips, what runs on them, and for how long. Fields of the configuration that results
   depend on are added to these. */
static const char *const decided[] = {
    "arch",         "board",     "columns-off", "banks-off",    "rows-off",      "load",    "flat",       "write",
    "save-at",      "restore",   "until",       "limit-cycles", "limit-seconds", "scale",   "seed",       "variant",
    "epoch",        "slice",     "keep-going",  "gdb",          "args",          "monitor", "load-local", "system",
    "link-latency", "link-gbps", "link-fault",  "ranks-by",     "save-every",
};

/* Does the option set a field of the configuration that results depend on? */
static bool sets_result(const struct tf_option *option)
{
    static const size_t field[] = {
#define TF_CONFIG_RESULT(field_) TF_REQUEST_CONFIG(field_),
#include "farm/chip/config.def"
    };
    for (size_t i = 0; i < sizeof field / sizeof field[0]; i++)
        if (option->kind != TF_OPTION_CALL && option->offset == field[i])
            return true;
    return false;
}

static const struct tf_option own = {
    .name = "partial",
    .help = "accept a recording without an end, as a killed client leaves it",
    .kind = TF_OPTION_SET,
    .offset = offsetof(struct tf_request, partial),
};

static bool is_decided(const struct tf_option *option)
{
    for (size_t i = 0; i < sizeof decided / sizeof decided[0]; i++)
        if (strcmp(decided[i], option->name) == 0)
            return true;
    return sets_result(option);
}

static unsigned choose(struct tf_option *chosen)
{
    unsigned all, count = 0;
    const struct tf_option *option = tf_request_options(&all);
    chosen[count++] = own;
    for (unsigned i = 0; i < all && count < OPTIONS_MAX; i++)
        if (!is_decided(&option[i]))
            chosen[count++] = option[i];
    return count;
}

/* The system is that of the recording. Options may name its chips. */
static bool take_system(struct tf_request *request)
{
    const struct tf_system_shape *shape = &request->replay.recording.system->shape;
    struct tf_config *config = tf_job_config(&request->job);
    struct tf_restored *restored = malloc(sizeof *restored);
    request->restored = restored;
    if (restored == NULL) {
        tf_cli_error("too little memory");
        return false;
    }
    restored->cluster = request->cluster = *shape->cluster;
    restored->latency_cycles = shape->latency_cycles;
    restored->gbps = shape->gbps;
    restored->faults = shape->faults;
    memcpy(restored->fault, shape->fault, shape->faults * sizeof *shape->fault);
    request->system = request->replay.path;
    config->arch = request->cluster.arch;
    config->board = (struct tf_board){.name = ""};
    return true;
}

/* The chip is that of the recording. Options may name its tiles. */
static bool take_chip(struct tf_request *request)
{
    struct tf_config *config = tf_job_config(&request->job);
    const struct recording_header *header = &request->replay.recording.header;
    if (!tf_saved_to_config(&header->config, config)) {
        tf_cli_error("replay: %s: it was recorded on an unknown chip family or board", request->replay.path);
        return false;
    }
    config->go_on_after_fault = header->go_on != 0;
    if (request->replay.recording.system != NULL)
        return take_system(request);
    request->family = config->arch;
    const struct tf_board board = config->board;
    config->board = (struct tf_board){.name = ""};
    return tf_board_make(&request->board, &board, &config->arch);
}

/* Is --partial among the words? The file is opened before the options are evaluated. */
static bool is_partial(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--partial") == 0)
            return true;
    return false;
}

int tf_replay_read(int argc, char **argv, struct tf_request *request)
{
    struct tf_option chosen[OPTIONS_MAX];
    const struct tf_usage usage = {
        .examples = "TILEFARM_RECORD=calls.rec TT_METAL_SIMULATOR=$PWD/sim/libttsim.so ./program\n"
                    "tilefarm replay calls.rec --report report.html\n",
        .synopsis = "replay FILE [options]",
        .text =
            "Play a recording of a client of libttsim.so, such as a program of tt-metal, without the client. With\n"
            "TILEFARM_RECORD=FILE in its environment the library writes all calls of the client to FILE\n"
            "(docs/libttsim.md). The chip repeats its run, bit for bit. The options below observe it, as in\n"
            "'tilefarm run'. If a read returns other data than recorded, the replay fails: the command names the\n"
            "first such read, and exits with 1. With --schedule the chip takes another order, so reads may differ.\n"
            "TILES: see 'tilefarm help run'.\n",
        .option = chosen,
        .options = choose(chosen),
        .operands_least = 1,
        .operands_most = 1,
    };
    int first;
    tf_config_init(tf_job_config(&request->job));
    request->job.load = request->load;
    request->job.log = TF_LOG_INFO;
    bool named = argc > 1 && argv[1][0] != '-';
    if (named) {
        if (!tf_replay_open(&request->replay, argv[1], is_partial(argc, argv)) || !take_chip(request))
            return TF_EXIT_USAGE;
        request->job.replay = &request->replay;
    }
    int code = tf_cli_options(argc, argv, &usage, request, &first);
    request->quiet |= request->job.log == TF_LOG_ERROR;
    if (code < 0 && !named) {
        tf_cli_error("replay: name the recording first: tilefarm replay FILE [options]");
        return TF_EXIT_USAGE;
    }
    return code;
}
