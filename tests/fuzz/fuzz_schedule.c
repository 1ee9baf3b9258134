/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schedules. An input that begins with + gets the first lines that fit the program, so that its decisions are taken by
 * a run.
 */
#include <stdbool.h>
#include <string.h>

#include "cli/explore/schedule.h"
#include "cli/request/command_line.h"
#include "driver.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_config.h"

const char *const fuzz_words[] = {"tilefarm-schedule 1\n",
                                  "program 0123456789abcdef\n",
                                  "hash 0123456789abcdef\n",
                                  "limit 1000\n",
                                  "store 0 0 0 1\n",
                                  "stale 0 1 2 3\n",
                                  "core 0 0 0 16777216\n",
                                  "reset 0 0 0 64\n",
                                  "thread 0 0 0 1\n",
                                  "pack 0 0 0 1\n",
                                  "request 0 0 0 1\n",
                                  "capture 0 1 0 1\n",
                                  "parts 0 0 0 1\n",
                                  "response 0 0 0 1\n",
                                  "load 0 0 0 1\n",
                                  "unpack 0 0 0 1\n",
                                  "move 0 0 0 1\n",
                                  "scalar 0 0 0 1\n",
                                  "niu 0 0 0 1\n",
                                  "#",
                                  "\r\n",
                                  "4095",
                                  "65535",
                                  "4294967295",
                                  "1Ki",
                                  "0x",
                                  NULL};

static const char *const seeds[] = {
    "tilefarm-schedule 1\nprogram 0123456789abcdef\nlimit 1000\nhash 0123456789abcdef\nstore 0 0 0 1\n",
    "+store 0 0 0 1 # a comment\nstore 0 0 1 64\nstale 0 0 0 8191\ncore 0 0 3 64\nreset 0 0 0 64\nload 0 0 2 7\n",
    "+limit 500\ncore 0 0 0 16777216\nthread 0 0 0 1\nreset 0 1 0 1\nniu 0 0 0 1\n",
};

size_t fuzz_seed(unsigned number, uint8_t *data, size_t room)
{
    size_t bytes = number < sizeof seeds / sizeof seeds[0] ? strlen(seeds[number]) : 0;
    if (bytes != 0 && bytes <= room)
        memcpy(data, seeds[number], bytes);
    return bytes <= room ? bytes : 0;
}

/* Run a core that loads, stores and adds, by the decisions. */
static void run(const struct tf_request *request)
{
    static const uint32_t program[] = {0x000202B7, 0x0002A303, 0x00130313, 0x0062A023, 0xFF5FF06F};
    struct tf_run_options options = {.cycles_max = 2000};
    struct tf_chip *chip = NULL;
    enum tf_end end;
    if (tf_chip_create(tf_job_config(&request->job), &chip, NULL) != TF_OK ||
        tf_write(chip, (struct tf_coord){.x = 1, .y = 2}, 0, program, sizeof program) != TF_OK ||
        tf_core_set_pc(chip, 0, TF_CORE_B, 0) != TF_OK || tf_core_start(chip, 0, TF_CORE_B) != TF_OK)
        abort();
    tf_run(chip, &options, &end);
    tf_chip_destroy(chip);
}

static struct tf_request *new_request(void)
{
    static struct tf_board board;
    const struct tf_board_text text = {.columns = "2,3,4,5,6,7,10,11,12,13,14,15,16"};
    struct tf_request *request = calloc(1, sizeof *request);
    if (request == NULL || tf_board_parse(NULL, &text, &board, NULL) != TF_OK)
        abort();
    struct tf_config *config = tf_job_config(&request->job);
    tf_config_init(config);
    config->board = board;
    config->threads = 1;
    config->pin = false;
    request->job.load = request->load;
    return request;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    fuzz_silence();
    struct tf_request *request = new_request();
    char *text = malloc(bytes + 80);
    size_t at = 0;
    if (text == NULL)
        abort();
    if (bytes != 0 && data[0] == '+') {
        at = (size_t)sprintf(text, "tilefarm-schedule 1\nprogram %016llx\n",
                             (unsigned long long)tf_schedule_program(request));
        data++;
        bytes--;
    }
    memcpy(text + at, data, bytes);
    request->schedule = fuzz_file(text, at + bytes);
    if (request->schedule == NULL)
        abort();
    int code = tf_schedule_read(request);
    DEMAND(code == -1 || code == TF_EXIT_USAGE);
    if (code == -1)
        run(request);
    free(text);
    tf_request_free(request);
    free(request);
    return 0;
}
