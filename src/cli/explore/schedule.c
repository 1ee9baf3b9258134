/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explore/schedule.h"

#include <ctype.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "cli/file.h"
#include "cli/job.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "farm/saved/config.h"
#include "farm/saved/header.h"
#include "tile/arch.h"
#include "tile/explore/decide.h"
#include "tile/hash.h"
#include "tilefarm/tilefarm_config.h"

#define VERSION 1u
#define WORDS_MAX 6u

static void configure(struct tf_config *config, const struct tf_explore *explore)
{
    config->explore = explore;
    config->slice_cycles = TF_EXPLORE_CYCLES;
    config->epoch_cycles_min = config->epoch_cycles_max = TF_EXPLORE_CYCLES;
}

static void hash_text(struct tf_hash *hash, const char *text)
{
    tf_hash_bytes(hash, text, strlen(text) + 1);
}

static bool hash_file(struct tf_hash *hash, const char *path)
{
    size_t bytes;
    void *data = tf_cli_read_file(path, &bytes);
    if (data == NULL)
        return false;
    tf_hash_bytes(hash, data, bytes);
    free(data);
    return true;
}

static bool hash_inputs(struct tf_hash *hash, const struct tf_request *request)
{
    for (unsigned i = 0; i < request->inputs; i++) {
        tf_hash_u32(hash, (uint32_t)request->input[i].node.x << 8 | request->input[i].node.y);
        tf_hash_u64(hash, request->input[i].address);
        if (!hash_file(hash, request->input[i].path))
            return false;
    }
    for (unsigned i = 0; i < request->argument_lists; i++) {
        const struct tf_arguments *arguments = &request->arguments[i];
        tf_hash_u32(hash, arguments->core);
        tf_hash_bytes(hash, arguments->tiles.has, sizeof arguments->tiles.has);
        tf_hash_bytes(hash, arguments->word, arguments->words * sizeof arguments->word[0]);
    }
    return true;
}

/* All fields that results depend on, and the slices and epochs of a schedule. */
static void hash_config(struct tf_hash *hash, const struct tf_config *asked)
{
    struct tf_config config = *asked;
    struct tf_saved_config saved;
    configure(&config, NULL);
    tf_saved_describe(&config, tf_arch_or_default(config.arch), &saved);
    tf_hash_bytes(hash, &saved, sizeof saved);
}

/* Its chips and links, and which chip has which load and input. */
static void hash_system(struct tf_hash *hash, const struct tf_request *request)
{
    const struct tf_cluster *cluster = &request->cluster;
    const struct tf_job *job = &request->job;
    tf_hash_u32(hash, cluster->chips);
    for (unsigned i = 0; i < cluster->chips; i++)
        tf_hash_u64(hash, cluster->chip[i].unique_id);
    tf_hash_bytes(hash, cluster->link, cluster->links * sizeof cluster->link[0]);
    tf_hash_u32(hash, request->link_latency);
    tf_hash_u32(hash, request->link_gbps);
    hash_text(hash, request->link_fault != NULL ? request->link_fault : "");
    if (request->system_workload != NULL) {
        hash_text(hash, request->system_workload->name);
        tf_hash_u32(hash, job->options.scale);
        tf_hash_u32(hash, job->options.seed);
    }
    for (unsigned i = 0; i < job->loads; i++)
        tf_hash_u32(hash, job->load[i].of_chip ? job->load[i].chip : UINT32_MAX);
    for (unsigned i = 0; i < request->inputs; i++)
        tf_hash_u32(hash, request->input[i].chip);
    for (unsigned i = 0; i < request->argument_lists; i++)
        tf_hash_u32(hash, request->arguments[i].of_chip ? request->arguments[i].chip : UINT32_MAX);
}

uint64_t tf_schedule_program(const struct tf_request *request)
{
    const struct tf_job *job = &request->job;
    XXH3_state_t state;
    struct tf_hash hash = {.state = &state};
    XXH3_64bits_reset(hash.state);
    hash_config(&hash, tf_job_config(job));
    hash_text(&hash, tf_job_name(job));
    if (job->workload != NULL) {
        hash_text(&hash, tf_job_variant(job));
        tf_hash_u32(&hash, job->options.scale);
        tf_hash_u32(&hash, job->options.seed);
    }
    for (unsigned i = 0; i < job->loads; i++) {
        const struct tf_load *load = &job->load[i];
        tf_hash_u32(&hash, load->core);
        tf_hash_u32(&hash, load->address);
        tf_hash_bytes(&hash, load->tiles.has, sizeof load->tiles.has);
        tf_hash_bytes(&hash, load->image, load->bytes);
    }
    if (request->system != NULL)
        hash_system(&hash, request);
    bool hashed = job->replay == NULL || hash_file(&hash, job->replay->path);
    return hashed && hash_inputs(&hash, request) ? XXH3_64bits_digest(hash.state) | 1 : 0;
}

void tf_schedule_configure(struct tf_job *job, const struct tf_explore *explore)
{
    configure(tf_job_config(job), explore);
}

bool tf_schedule_was_kept(const struct tf_request *request, const struct tf_outcome *outcome)
{
    if (request->recorded_hash == 0 || request->recorded_hash == outcome->state_hash || outcome->interrupted ||
        outcome->cut)
        return true;
    tf_cli_error("%s: the run ended with the state hash %016llx; the schedule has another one", request->schedule,
                 (unsigned long long)outcome->state_hash);
    return false;
}

bool tf_schedule_check(const struct tf_request *request, const char *option)
{
    const struct tf_job *job = &request->job;
    const char *with = tf_job_is_relaxed(job)                   ? "--relaxed"
                       : job->restore != NULL                   ? "--restore"
                       : job->saves != 0                        ? "--save-at"
                       : job->save_every.cycle != 0             ? "--save-every"
                       : tf_job_debugger(job) != NULL           ? tf_job_debugger(job)
                       : !tf_job_config(job)->parking           ? "--no-parking"
                       : request->slice != 0                    ? "--slice"
                       : request->epoch_least != 0              ? "--epoch"
                       : request->out[TF_OUT_NOC_TRACE] != NULL ? "--noc-trace"
                       : request->out[TF_OUT_TIMELINE] != NULL  ? "--timeline"
                       : request->out[TF_OUT_REPORT] != NULL    ? "--report"
                                                                : NULL;
    if (with != NULL)
        tf_cli_error("%s cannot be combined with %s", option, with);
    return with == NULL;
}

/* --- reading --- */

struct reader {
    const char *path;
    unsigned line;
    bool versioned, programmed;
    uint64_t program;
    struct tf_request *request;
    size_t room;
    void *places; /* of the decisions so far: a tree of tsearch() */
};

static bool bad(const struct reader *reader, const char *why)
{
    if (reader->line == 0)
        tf_cli_error("%s: %s", reader->path, why);
    else
        tf_cli_error("%s:%u: %s", reader->path, reader->line, why);
    return false;
}

static bool read_hex(const char *text, uint64_t *value)
{
    char *end;
    *value = strtoull(text, &end, 16);
    return isxdigit((unsigned char)text[0]) && *end == '\0' && strlen(text) == 16;
}

static int freedom_of(const char *name)
{
    for (int freedom = 0; freedom < TF_FREEDOMS; freedom++)
        if (strcmp(name, tf_freedom_name((unsigned)freedom)) == 0)
            return freedom;
    return -1;
}

static int by_place(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Note the place of a decision. Returns false after an error line. */
static bool add_place(struct reader *reader, uint64_t place)
{
    uint64_t *made = malloc(sizeof *made), *const * found;
    if (made != NULL)
        *made = place;
    found = made == NULL ? NULL : tsearch(made, &reader->places, by_place);
    if (found != NULL && *found == made)
        return true;
    free(made);
    return bad(reader, found == NULL ? "too little memory" : "an earlier line has a decision for the same place");
}

/* Take CHIP: from before the number of a tile. Returns false if it is no chip. */
static bool take_chip(char **word, uint64_t *chip)
{
    char *colon = strchr(*word, ':');
    if (colon == NULL)
        return true;
    *colon = '\0';
    const bool fine = tf_cli_u64(*word, chip) && *chip <= TF_DECIDE_CHIP_MAX;
    *word = colon + 1;
    return fine;
}

static bool add_decision(struct reader *reader, char **word, unsigned words)
{
    struct tf_request *request = reader->request;
    int freedom = freedom_of(word[0]);
    uint64_t number[4], chip = 0;
    if (freedom < 0)
        return bad(reader, "no such freedom; a decision begins with store, stale, core, reset, thread, pack, request, "
                           "capture, parts, response, load, unpack, move, scalar, niu, unit, link, loss or stream");
    static const uint64_t most[4] = {TF_DECIDE_TILE_MAX, TF_DECIDE_ACTOR_MAX, UINT32_MAX, 1u << 24};
    if (words > 1 && !take_chip(&word[1], &chip))
        words = 0;
    for (unsigned i = 0; i < 4; i++)
        if (words != 5 || !tf_cli_u64(word[i + 1], &number[i]) || number[i] > most[i])
            return bad(reader, "the line does not have the form FREEDOM TILE ACTOR ORDINAL VALUE, or in systems "
                               "FREEDOM CHIP:TILE ACTOR ORDINAL VALUE");
    if (request->decisions == reader->room) {
        reader->room = reader->room == 0 ? 64 : reader->room * 2;
        struct tf_decision *decision = realloc(request->decision, reader->room * sizeof *decision);
        if (decision == NULL)
            return bad(reader, "too little memory");
        request->decision = decision;
    }
    struct tf_decision *decision = &request->decision[request->decisions];
    *decision = (struct tf_decision){.freedom = (uint8_t)freedom,
                                     .chip = (uint8_t)chip,
                                     .tile = (uint16_t)number[0],
                                     .actor = (uint16_t)number[1],
                                     .ordinal = (uint32_t)number[2],
                                     .value = (uint32_t)number[3]};
    request->decisions++;
    return add_place(reader, tf_decision_place(decision));
}

static bool read_line(struct reader *reader, char *text)
{
    char *word[WORDS_MAX], *rest = NULL;
    unsigned words = 0;
    text[strcspn(text, "#\r")] = '\0';
    for (char *at = strtok_r(text, " \t", &rest); at != NULL && words < WORDS_MAX; at = strtok_r(NULL, " \t", &rest))
        word[words++] = at;
    if (words == 0)
        return true;
    uint64_t number;
    if (!reader->versioned) {
        reader->versioned = words == 2 && strcmp(word[0], "tilefarm-schedule") == 0;
        if (!reader->versioned)
            return bad(reader, "it is not a schedule: the first line is not 'tilefarm-schedule 1'");
        if (!tf_cli_u64(word[1], &number) || number != VERSION)
            return bad(reader, "another version of tilefarm wrote this schedule");
        return true;
    }
    if (words == 2 && strcmp(word[0], "program") == 0) {
        reader->programmed = read_hex(word[1], &reader->program);
        return reader->programmed || bad(reader, "not 16 hexadecimal digits");
    }
    if (words == 2 && strcmp(word[0], "hash") == 0)
        return read_hex(word[1], &reader->request->recorded_hash) || bad(reader, "not 16 hexadecimal digits");
    if (words == 2 && strcmp(word[0], "limit") == 0) {
        struct tf_run_options *run = &reader->request->job.run;
        if (!tf_cli_u64(word[1], &number) || number == 0)
            return bad(reader, "not a number of cycles");
        if (run->cycles_max == 0)
            run->cycles_max = number;
        return true;
    }
    return add_decision(reader, word, words);
}

static bool read_lines(struct reader *reader, char *text)
{
    for (char *next; text != NULL; text = next) {
        next = strchr(text, '\n');
        if (next != NULL)
            *next++ = '\0';
        reader->line++;
        if (!read_line(reader, text))
            return false;
    }
    if (!reader->versioned)
        return bad(reader, "it is not a schedule: the first line is not 'tilefarm-schedule 1'");
    return reader->programmed || bad(reader, "the line 'program HASH' is missing");
}

/* Read a whole file. Returns -1, or an exit code after an error line. */
static int read_text(struct reader *reader)
{
    size_t bytes;
    char *data = tf_cli_read_file(reader->path, &bytes);
    char *text = data == NULL ? NULL : malloc(bytes + 1);
    if (text == NULL) {
        free(data);
        return data == NULL ? TF_EXIT_USAGE : TF_EXIT_FAILED;
    }
    memcpy(text, data, bytes);
    text[bytes] = '\0';
    free(data);
    bool fine = strlen(text) == bytes ? read_lines(reader, text) : bad(reader, "it is not a text file");
    tdestroy(reader->places, free);
    free(text);
    return fine ? -1 : TF_EXIT_USAGE;
}

int tf_schedule_load(const char *path, struct tf_decision **decision, size_t *decisions)
{
    struct tf_request *read = calloc(1, sizeof *read);
    struct reader reader = {.path = path, .request = read};
    if (read == NULL) {
        tf_cli_error("explore: too little memory");
        return TF_EXIT_FAILED;
    }
    int code = read_text(&reader);
    *decision = read->decision;
    *decisions = read->decisions;
    free(read);
    return code;
}

int tf_schedule_read(struct tf_request *request)
{
    struct reader reader = {.path = request->schedule, .request = request};
    if (!tf_schedule_check(request, "--schedule"))
        return TF_EXIT_USAGE;
    int code = read_text(&reader);
    if (code == TF_EXIT_FAILED)
        return code;
    bool fine = code < 0;
    uint64_t program = fine ? tf_schedule_program(request) : 0;
    if (fine && program != 0 && program != reader.program) {
        tf_cli_error("%s: this schedule belongs to another program or other options; this run has 'program %016llx'",
                     request->schedule, (unsigned long long)program);
        fine = false;
    }
    if (!fine || program == 0)
        return TF_EXIT_USAGE;
    request->explore =
        (struct tf_explore){.scheduled = true, .decision = request->decision, .decisions = request->decisions};
    tf_schedule_configure(&request->job, &request->explore);
    return -1;
}

/* --- writing --- */

bool tf_schedule_may_write(const char *path, bool default_path)
{
    struct tf_output output = {.file = NULL};
    bool fine = tf_output_open(&output, path);
    if (!fine && default_path)
        tf_cli_error("explore: -o, --out names another file for the schedule");
    tf_output_discard(&output);
    return fine;
}

bool tf_schedule_write(const char *path, const struct tf_request *request, const struct tf_explore *explore,
                       char *const *comment, uint64_t limit, uint64_t hash)
{
    struct tf_output output = {.file = NULL};
    const uint64_t program = tf_schedule_program(request);
    const bool several = request->system != NULL;
    if (program == 0 || !tf_output_open(&output, path))
        return false;
    fprintf(output.file, "tilefarm-schedule %u\nprogram %016llx\nlimit %llu # cycles, without --limit-cycles\n",
            VERSION, (unsigned long long)program, (unsigned long long)limit);
    if (hash != 0)
        fprintf(output.file, "# Without the next line, the state at the end is not compared.\nhash %016llx\n",
                (unsigned long long)hash);
    fprintf(output.file, "# FREEDOM %sTILE ACTOR ORDINAL VALUE; a slice and an epoch are %u cycles.\n",
            several ? "CHIP:" : "", TF_EXPLORE_CYCLES);
    for (size_t i = 0; i < explore->decisions; i++) {
        const struct tf_decision *decision = &explore->decision[i];
        fprintf(output.file, "%s ", tf_freedom_name(decision->freedom));
        if (several)
            fprintf(output.file, "%u:", decision->chip);
        fprintf(output.file, "%u %u %u %u", decision->tile, decision->actor, decision->ordinal, decision->value);
        if (comment != NULL && comment[i] != NULL)
            fprintf(output.file, "  # %s", comment[i]);
        fputc('\n', output.file);
    }
    bool fine = tf_output_commit(&output);
    tf_output_discard(&output);
    return fine;
}
