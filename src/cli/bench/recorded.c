/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm bench --from`: the report of a run that wrote its figures as JSON, as far as the plots need it. */
#include <errno.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/bench/recorded.h"
#include "cli/bench/report.h"
#include "cli/text.h"

static const struct bench_row *find_row(const struct bench_options *options, const char *name)
{
    for (unsigned i = 0; i < options->rows; i++)
        if (strcmp(options->row[i].name, name) == 0)
            return &options->row[i];
    return NULL;
}

static void read_side(json_t *object, struct bench_side *side)
{
    const char *of = "tilefarm", *mode = "deterministic";
    int threads = 1, cores = 0, nodes = 0;
    json_unpack(object, "{s?s, s?s, s?i, s?i, s?i}", "side", &of, "mode", &mode, "threads", &threads, "cores", &cores,
                "numa_nodes", &nodes);
    bool peer = strcmp(of, "peer") == 0, relaxed = strcmp(mode, "relaxed") == 0;
    *side = (struct bench_side){.kind = peer ? BENCH_PEER : BENCH_FARM,
                                .mode = relaxed ? TF_MODE_RELAXED : TF_MODE_DETERMINISTIC,
                                .threads = threads > 0 ? (unsigned)threads : 1,
                                .cores = cores > 0 ? (unsigned)cores : 0,
                                .nodes = nodes > 0 ? (unsigned)nodes : 0};
    if (peer)
        snprintf(side->name, sizeof side->name, "peer");
    else
        snprintf(side->name, sizeof side->name, "%u%s", side->threads, relaxed ? " relaxed" : "");
}

static void read_counters(json_t *object, struct bench_sample *sample)
{
    json_int_t epochs = 0;
    struct tf_stats *stats = &sample->stats;
    sample->has_stats = json_unpack(object, "{s:I, s:F, s:F, s:F, s:F}", "epochs", &epochs, "wall_s", &stats->wall_s,
                                    "compute_s", &stats->run_s, "deliver_s", &stats->deliver_s, "wait_s",
                                    &stats->wait_s) == 0;
    stats->epochs = epochs > 0 ? (uint64_t)epochs : 0;
}

/* A line of the file, if its row is chosen. */
static bool read_line(const struct bench_options *options, const bool *chosen, json_t *object,
                      struct bench_report *report)
{
    const char *name = NULL;
    int right = 0;
    if (json_unpack(object, "{s:s, s?b}", "name", &name, "right", &right) != 0) {
        tf_cli_error("bench: --from: %s: a row has no name", options->from);
        return false;
    }
    const struct bench_row *row = find_row(options, name);
    if (row == NULL) {
        tf_cli_error("bench: --from: %s: no row '%s' of %s; --arch and --board name the chip that it was measured on",
                     options->from, name, options->arch->name);
        return false;
    }
    if (!chosen[row - options->row])
        return true;
    struct bench_line *line = bench_report_add(report);
    if (line == NULL)
        return false;
    *line = (struct bench_line){.row = row, .right = right != 0};
    read_side(object, &line->side);
    json_unpack(object, "{s?F, s?F, s?F, s?F, s?F}", "median", &line->median, "least", &line->least, "most",
                &line->most, "ratio", &line->ratio, "speed_up", &line->speed_up);
    read_counters(json_object_get(object, "counters"), &line->last);
    return true;
}

bool bench_recorded(const struct bench_options *options, const bool *chosen, struct bench_report *report)
{
    json_error_t error;
    const char *host = NULL;
    json_t *root = json_load_file(options->from, 0, &error), *rows = json_object_get(root, "rows"), *object;
    bool right = json_unpack(root, "{s:s}", "host", &host) == 0 && json_is_array(rows);
    if (root == NULL)
        tf_cli_error("bench: --from: %s: %s", options->from, error.line > 0 ? error.text : strerror(errno));
    else if (!right)
        tf_cli_error("bench: --from: %s: it is not a file that 'tilefarm bench --json' wrote", options->from);
    else
        snprintf(report->host, sizeof report->host, "%s", host);
    size_t i;
    json_array_foreach(rows, i, object)
    {
        right = right && read_line(options, chosen, object, report);
    }
    json_decref(root);
    return right;
}
