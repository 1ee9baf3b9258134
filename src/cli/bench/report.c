/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

#include "cli/bench/bench.h"
#include "cli/bench/report.h"
#include "cli/file.h"
#include "cli/text.h"
#include "host/vectors.h"

#if defined(__clang__)
#define TF_COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define TF_COMPILER "gcc " __VERSION__
#else
#define TF_COMPILER "unknown"
#endif

struct bench_line *bench_report_add(struct bench_report *report)
{
    if (report->lines == report->room) {
        size_t room = report->room == 0 ? 64 : report->room * 2;
        struct bench_line *line = realloc(report->line, room * sizeof *line);
        if (line == NULL) {
            tf_cli_error("bench: too little memory");
            return NULL;
        }
        report->line = line;
        report->room = room;
    }
    return &report->line[report->lines++];
}

/* Round to four digits. */
char *bench_figure(double value, char text[BENCH_FIGURE_BYTES])
{
    int digits = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : value >= 1 ? 3 : 4;
    snprintf(text, BENCH_FIGURE_BYTES, "%.*f", digits, value);
    return text;
}

void bench_report_head(void)
{
    printf("%-26s %-12s %10s %10s %10s  %-5s %8s\n", "row", "threads", "median", "least", "most", "unit", "to peer");
    fflush(stdout);
}

static void print_line(const struct bench_line *line, const struct bench_line *first)
{
    char median[BENCH_FIGURE_BYTES], least[BENCH_FIGURE_BYTES], most[BENCH_FIGURE_BYTES], ratio[BENCH_FIGURE_BYTES];
    printf("%-26s %-12s ", line->row->name, line->side.name);
    if (!line->right) {
        printf("%s failed: %s\n", line->side.kind == BENCH_PEER ? "peer" : "tilefarm", line->why);
        return;
    }
    ratio[0] = '\0';
    if (line->ratio > 0)
        snprintf(ratio, sizeof ratio, line->ratio < 9.95 ? "%.2f x" : "%.0f x", line->ratio);
    printf("%10s %10s %10s  %-5s %8s", bench_figure(line->median, median), bench_figure(line->least, least),
           bench_figure(line->most, most), line->row->unit, ratio);
    if (line == first)
        printf("  %s", line->row->what);
    if (line->speed_up > 0)
        printf("  %.2f times one thread", line->speed_up);
    putchar('\n');
}

void bench_report_print(const struct bench_line *line, unsigned sides)
{
    for (unsigned i = 0; i < sides; i++)
        print_line(&line[i], line);
    fflush(stdout);
}

void bench_report_quiet(const struct bench_report *report)
{
    unsigned samples = 0, quiet = 0;
    for (size_t i = 0; i < report->lines; i++) {
        samples += report->line[i].samples;
        quiet += report->line[i].quiet;
    }
    printf("%u of %u samples were taken in quiet moments\n", quiet, samples);
}

/* The model of the CPU, as Linux names it. */
static void find_cpu(char *text, size_t bytes)
{
    char *line = NULL;
    size_t room = 0;
    FILE *info = fopen("/proc/cpuinfo", "r");
    snprintf(text, bytes, "unknown");
    while (info != NULL && getline(&line, &room, info) > 0) {
        const char *value = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;
        if (value == NULL)
            continue;
        snprintf(text, bytes, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
        break;
    }
    free(line);
    if (info != NULL)
        fclose(info);
}

/* The version that a library states in its texts, "ttsim v1.10" or "tilefarm 1.0.0", and a hash of the file. */
static void find_version(const char *path, char *text, size_t bytes)
{
    static const char *const names[] = {"ttsim v", "tilefarm "};
    size_t length = 0;
    char *data = tf_cli_read_file(path, &length);
    if (data == NULL) {
        snprintf(text, bytes, "unknown");
        return;
    }
    int at = 0;
    for (unsigned i = 0; i < sizeof names / sizeof names[0] && at == 0; i++) {
        size_t name = strlen(names[i]);
        for (char *found = data;
             at == 0 && (found = memmem(found, length - (size_t)(found - data), names[i], name)) != NULL; found++)
            if (found + name < data + length && isdigit((unsigned char)found[name]))
                at = snprintf(text, bytes, "%.*s, ", (int)(name + strspn(found + name, "0123456789.+abcdefgv")), found);
    }
    snprintf(text + at, bytes - (size_t)at, "xxh3 %016llx", (unsigned long long)XXH3_64bits(data, length));
    free(data);
}

/* The name that we print for the vectors in use; "" if there is none. */
static const char *title_of(enum tf_vectors vectors)
{
    switch (tf_vectors_resolve(vectors)) {
    case TF_VECTORS_AVX512: return "AVX-512";
    case TF_VECTORS_AVX2: return "AVX2";
    default: return "";
    }
}

/* The host in a few words: cores, kind of processor, and the vectors in use. */
static void describe_host(char *text, size_t bytes, enum tf_vectors vectors)
{
    const char *title = title_of(vectors);
    cpu_set_t set;
    int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
#if defined(__x86_64__)
    const char *kind = "x86-64";
#elif defined(__aarch64__)
    const char *kind = "aarch64";
#else
    const char *kind = "other";
#endif
    snprintf(text, bytes, "%d-core %s%s%s", cores, kind, title[0] != '\0' ? " with " : "", title);
}

static json_t *counters(const struct tf_stats *stats)
{
    return json_pack("{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:f,s:f,s:f,s:f,s:f}", "epochs", (json_int_t)stats->epochs,
                     "instructions", (json_int_t)stats->instructions_executed, "noc_requests",
                     (json_int_t)stats->noc_requests, "noc_bytes", (json_int_t)stats->noc_bytes, "steals",
                     (json_int_t)stats->steals, "spins", (json_int_t)stats->spins, "blocks", (json_int_t)stats->blocks,
                     "wall_s", stats->wall_s, "cpu_s", stats->cpu_s, "compute_s", stats->run_s, "deliver_s",
                     stats->deliver_s, "wait_s", stats->wait_s);
}

static json_t *worker_counters(const struct bench_sample *sample)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < sample->stats.workers && i < BENCH_WORKERS_MAX; i++) {
        const struct tf_worker_stats *stats = &sample->worker[i];
        json_array_append_new(array, json_pack("{s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:f,s:f,s:f}", "instructions",
                                               (json_int_t)stats->instructions, "slices", (json_int_t)stats->slices,
                                               "pages_decoded", (json_int_t)stats->pages, "noc_requests",
                                               (json_int_t)stats->requests, "deliveries", (json_int_t)stats->deliveries,
                                               "steals", (json_int_t)stats->steals, "spins", (json_int_t)stats->spins,
                                               "blocks", (json_int_t)stats->blocks, "run_s", stats->run_s, "deliver_s",
                                               stats->deliver_s, "wait_s", stats->wait_s));
    }
    return array;
}

static json_t *samples(const struct bench_line *line)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < line->samples; i++)
        json_array_append_new(array, json_real(line->sample[i]));
    return array;
}

static json_t *line_json(const struct bench_line *line)
{
    bool peer = line->side.kind == BENCH_PEER;
    json_t *object = json_pack("{s:s,s:s,s:s,s:s,s:i,s:b}", "name", line->row->name, "unit", line->row->unit, "side",
                               peer ? "peer" : "tilefarm", "mode",
                               line->side.mode == TF_MODE_RELAXED ? "relaxed" : "deterministic", "threads",
                               (int)line->side.threads, "right", (int)line->right);
    json_t *more = line->right ? json_pack("{s:f,s:f,s:f,s:I}", "median", line->median, "least", line->least, "most",
                                           line->most, "rounds", (json_int_t)line->rounds)
                               : json_pack("{s:s%}", "failed", line->why, strnlen(line->why, sizeof line->why));
    if (more == NULL) /* the peer's message is not UTF-8 */
        more = json_pack("{s:s}", "failed", "for an unknown reason");
    json_object_update(object, more);
    json_decref(more);
    if (line->side.cores != 0) {
        json_object_set_new(object, "cores", json_integer(line->side.cores));
        json_object_set_new(object, "numa_nodes", json_integer(line->side.nodes));
    }
    if (line->ratio > 0)
        json_object_set_new(object, "ratio", json_real(line->ratio));
    if (line->speed_up > 0)
        json_object_set_new(object, "speed_up", json_real(line->speed_up));
    if (line->right) {
        json_object_set_new(object, "samples", samples(line));
        json_object_set_new(object, "quiet_samples", json_integer(line->quiet));
    }
    if (line->right && line->last.has_stats) {
        json_object_set_new(object, "counters", counters(&line->last.stats));
        json_object_set_new(object, "by_worker", worker_counters(&line->last));
    }
    return object;
}

json_t *bench_report_json(const struct bench_report *report, const struct bench_options *options)
{
    char host[64], date[32] = "", cpu[96], version[96] = "";
    time_t time_s = time(NULL);
    struct tm utc;
    describe_host(host, sizeof host, options->vectors);
    if (gmtime_r(&time_s, &utc) != NULL)
        strftime(date, sizeof date, "%Y-%m-%d", &utc);
    json_t *rows = json_array();
    for (size_t i = 0; i < report->lines; i++)
        json_array_append_new(rows, line_json(&report->line[i]));
    const char *peer = options->peer == NULL ? NULL : strrchr(options->peer, '/');
    peer = peer != NULL ? peer + 1 : options->peer;
    find_cpu(cpu, sizeof cpu);
    if (options->peer != NULL)
        find_version(options->peer, version, sizeof version);
    const char *vectors = title_of(options->vectors);
    return json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s?,s:i,s:i,s:i,s:i,s:s?,s:o}", "tilefarm", tf_version(), "commit",
                     tf_commit(), "compiler", TF_COMPILER, "host", host, "cpu", cpu, "vectors",
                     vectors[0] == '\0' ? "portable" : vectors, "date", date, "peer_version",
                     options->peer == NULL ? NULL : version, "runs", (int)options->runs, "scale_percent",
                     (int)options->scale_percent, "patience_s", (int)options->patience_s, "busy", (int)options->busy,
                     "peer", peer, "rows", rows);
}
