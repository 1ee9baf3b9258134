/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/bench/bench.h"
#include "cli/bench/chart.h"
#include "cli/output/picture.h"

#define LEFT 220.0
#define TOP 100.0
#define GREY "#e5e7eb"
#define PROJECTED "#9ca3af"

bool bench_plots_possible(const char *folder)
{
    if ((mkdir(folder, 0777) == 0 || errno == EEXIST) && access(folder, W_OK | X_OK) == 0)
        return true;
    tf_cli_error("%s: cannot be written: %s", folder, strerror(errno));
    return false;
}

static bool same_row(const struct bench_line *a, const struct bench_line *b)
{
    return a->row == b->row;
}

/* ---- Throughput by benchmark ---- */

static const char *side_colour(const struct bench_line *line)
{
    if (line->side.kind == BENCH_PEER)
        return chart_colour(7);
    if (line->side.mode == TF_MODE_RELAXED)
        return chart_colour(2);
    if (line->side.projected)
        return PROJECTED;
    return line->side.threads == 1 ? chart_colour(0) : chart_colour(1);
}

static bool is_rate(const struct bench_line *line)
{
    return line->right && !(line->row->flags & BENCH_COST) && line->median > 0;
}

/* Bars on a logarithmic scale. Each row has its own unit, printed beside the bar. */
static void throughput(FILE *out, const struct bench_report *report, const char *host)
{
    const double bar = 9, gap = 8, decade = 95, first = -4; /* 10^-4 .. 10^5 */
    double y = TOP;
    unsigned rows = 0, bars = 0;
    for (size_t i = 0; i < report->lines; i++) {
        bars += is_rate(&report->line[i]);
        rows += i == 0 || !same_row(&report->line[i], &report->line[i - 1]);
    }
    double height = TOP + bars * bar + rows * gap + 40;
    chart_begin(out, 1260, (unsigned)height, "Throughput by benchmark", host);
    double x = LEFT;
    x += chart_key(out, x, 84, chart_colour(0), "1 thread");
    x += chart_key(out, x, 84, chart_colour(1), "more threads");
    x += chart_key(out, x, 84, chart_colour(2), "relaxed");
    x += chart_key(out, x, 84, chart_colour(7), "peer");
    chart_key(out, x, 84, PROJECTED, "projected");
    for (int power = (int)first; power <= 5; power++) {
        char label[16];
        snprintf(label, sizeof label, "1e%d", power);
        double at = LEFT + (power - first) * decade;
        chart_line(out, at, TOP - 4, at, height - 30, GREY, 1);
        chart_text(out, at, height - 14, "middle", label);
    }
    for (size_t i = 0; i < report->lines; i++) {
        const struct bench_line *line = &report->line[i];
        if (!is_rate(line))
            continue;
        if (i == 0 || !same_row(line, line - 1)) {
            y += gap;
            chart_text(out, LEFT - 8, y + bar, "end", line->row->name);
        }
        char figure[BENCH_FIGURE_BYTES], label[96];
        snprintf(label, sizeof label, "%s %s (%s)", bench_figure(line->median, figure), line->row->unit,
                 line->side.name);
        double width = (log10(line->median) - first) * decade;
        chart_bar(out, LEFT, y, width > 1 ? width : 1, bar - 1, side_colour(line), label);
        chart_text(out, LEFT + (width > 1 ? width : 1) + 5, y + bar - 1, "start", label);
        y += bar;
    }
    chart_end(out);
}

/* ---- Speed-up and efficiency by threads ---- */

static bool is_scaling(const struct bench_line *line)
{
    return is_rate(line) && line->side.kind != BENCH_PEER && line->side.mode == TF_MODE_DETERMINISTIC &&
           (line->row->flags & BENCH_WITH_THREADS);
}

struct panel {
    double x, y, width, height, most;
    unsigned threads;
    bool efficiency;
};

static double at_x(const struct panel *panel, unsigned threads)
{
    double span = panel->threads > 1 ? log2(panel->threads) : 1;
    return panel->x + log2(threads) / span * panel->width;
}

static double at_y(const struct panel *panel, double value)
{
    return panel->y + panel->height * (1 - value / panel->most);
}

static void draw_axes(FILE *out, const struct panel *panel)
{
    for (unsigned i = 0; i <= 5; i++) {
        char label[24];
        double value = panel->most * i / 5;
        if (panel->efficiency)
            snprintf(label, sizeof label, "%.0f %%", value * 100);
        else
            snprintf(label, sizeof label, "%.1f x", value);
        chart_line(out, panel->x, at_y(panel, value), panel->x + panel->width, at_y(panel, value), GREY, 1);
        chart_text(out, panel->x - 6, at_y(panel, value) + 4, "end", label);
    }
    for (unsigned threads = 1; threads <= panel->threads; threads *= 2) {
        char label[16];
        snprintf(label, sizeof label, "%u", threads);
        chart_text(out, at_x(panel, threads), panel->y + panel->height + 18, "middle", label);
    }
    chart_text(out, panel->x + panel->width / 2, panel->y + panel->height + 36, "middle", "threads");
    chart_text(out, panel->x, panel->y - 10, "start", panel->efficiency ? "Efficiency" : "Speed-up against one thread");
}

/* Speed against one thread. */
static double speed_of(const struct bench_line *line, const struct bench_line *one)
{
    if (line->side.projected)
        return bench_projected_speed(line, one);
    return line == one ? 1 : line->speed_up;
}

/* A line between two points of a row, dashed when the second one is projected. */
static void draw_stroke(FILE *out, const struct panel *panel, const struct bench_line *one,
                        const struct bench_line *before, const struct bench_line *line, const char *colour)
{
    bool projected = line->side.projected;
    double value = speed_of(line, one) / (panel->efficiency ? line->side.threads : 1);
    double from = speed_of(before, one) / (panel->efficiency ? before->side.threads : 1);
    char label[128];
    snprintf(label, sizeof label, "%s, %u threads%s: %.2f", line->row->name, line->side.threads,
             projected ? ", projected" : "", value);
    (projected ? chart_dashes : chart_line)(out, at_x(panel, before->side.threads), at_y(panel, from),
                                            at_x(panel, line->side.threads), at_y(panel, value), colour, 1.5);
    chart_dot(out, at_x(panel, line->side.threads), at_y(panel, value), colour, label);
}

/* One line through the measured points and one through the projected points. Both begin at one thread. */
static void draw_curves(FILE *out, const struct bench_report *report, const struct panel *panel)
{
    unsigned series = 0;
    const struct bench_line *one = NULL, *before[2] = {NULL, NULL};
    for (size_t i = 0; i < report->lines; i++) {
        const struct bench_line *line = &report->line[i];
        if (!is_scaling(line))
            continue;
        if (line->side.threads == 1) {
            series += one != NULL;
            one = before[0] = before[1] = line;
        }
        if (one == NULL || one->row != line->row)
            continue;
        draw_stroke(out, panel, one, before[line->side.projected], line, chart_colour(series));
        before[line->side.projected] = line;
    }
}

static void draw_names(FILE *out, const struct bench_report *report, double x, double y)
{
    unsigned series = 0;
    for (size_t i = 0; i < report->lines; i++)
        if (is_scaling(&report->line[i]) && report->line[i].side.threads == 1) {
            chart_key(out, x, y + series * 16, chart_colour(series), report->line[i].row->name);
            series++;
        }
}

static void scaling(FILE *out, const struct bench_report *report, const char *host)
{
    unsigned threads = 1, rows = 0;
    double fastest = 1;
    bool projected = false;
    const struct bench_line *one = NULL;
    for (size_t i = 0; i < report->lines; i++) {
        const struct bench_line *line = &report->line[i];
        if (!is_scaling(line))
            continue;
        if (line->side.threads == 1) {
            one = line;
            rows++;
        }
        if (line->side.threads > threads)
            threads = line->side.threads;
        projected |= line->side.projected;
        if (one != NULL && one->row == line->row && speed_of(line, one) > fastest)
            fastest = speed_of(line, one);
    }
    unsigned height = 480 > 110 + rows * 16 ? 480 : 110 + rows * 16;
    chart_begin(out, 1200, height, "Speed-up and efficiency by threads", host);
    if (projected) {
        chart_dashes(out, 80, 76, 110, 76, "#1f2937", 1.5);
        chart_text(out, 116, 80, "start", "projected: workers rehearsed by one thread, not measured");
    }
    struct panel panel = {.x = 80, .y = 110, .width = 360, .height = 300, .most = ceil(fastest), .threads = threads};
    draw_axes(out, &panel);
    draw_curves(out, report, &panel);
    panel = (struct panel){
        .x = 540, .y = 110, .width = 360, .height = 300, .most = 1.25, .threads = threads, .efficiency = true};
    draw_axes(out, &panel);
    draw_curves(out, report, &panel);
    draw_names(out, report, 960, 100);
    chart_end(out);
}

/* ---- Where the time of an epoch goes ---- */

static bool has_epochs(const struct bench_line *line)
{
    return line->right && line->last.has_stats && line->last.stats.epochs > 0 &&
           line->side.mode == TF_MODE_DETERMINISTIC;
}

/* The parts of an epoch, with its length as text. */
static void epochs(FILE *out, const struct bench_report *report, const char *host)
{
    static const char *const part[3] = {"compute", "deliver", "wait"};
    const double bar = 13, width = 700;
    unsigned count = 0;
    for (size_t i = 0; i < report->lines; i++)
        count += has_epochs(&report->line[i]);
    chart_begin(out, 1200, (unsigned)(TOP + count * (bar + 3) + 30), "Time of an epoch", host);
    double x = LEFT + 70, y = TOP;
    for (unsigned k = 0; k < 3; k++)
        x += chart_key(out, x, 84, chart_colour(k), part[k]);
    for (size_t i = 0; i < report->lines; i++) {
        const struct bench_line *line = &report->line[i];
        if (!has_epochs(line))
            continue;
        const struct tf_stats *stats = &line->last.stats;
        double share[3] = {stats->run_s, stats->deliver_s, stats->wait_s};
        double sum = share[0] + share[1] + share[2];
        char label[96];
        snprintf(label, sizeof label, "%s, %s", line->row->name, line->side.name);
        chart_text(out, LEFT + 62, y + bar - 2, "end", label);
        x = LEFT + 70;
        for (unsigned k = 0; k < 3 && sum > 0; k++) {
            snprintf(label, sizeof label, "%s %.0f %%", part[k], share[k] / sum * 100);
            chart_bar(out, x, y, share[k] / sum * width, bar, chart_colour(k), label);
            x += share[k] / sum * width;
        }
        snprintf(label, sizeof label, "%.1f us, %u worker%s", stats->wall_s / (double)stats->epochs * 1e6,
                 line->side.threads, line->side.threads == 1 ? "" : "s");
        chart_text(out, LEFT + 78 + width, y + bar - 2, "start", label);
        y += bar + 3;
    }
    chart_end(out);
}

/* ---- Tiles ---- */

static void tiles(FILE *out, const struct bench_report *report, const char *host)
{
    struct tf_panel panel[2] = {{.title = "Instructions retired", .unit = ""}, {.title = "NOC traffic", .unit = "B"}};
    for (size_t i = 0; i < report->lines; i++) {
        const struct bench_line *line = &report->line[i];
        if (!line->right || !line->last.has_stats)
            continue;
        for (unsigned tile = 0; tile < TF_TENSIX_TILES_MAX; tile++) {
            panel[0].value[tile] += line->last.tile_instructions[tile];
            panel[1].value[tile] += line->last.tile_bytes[tile];
        }
    }
    tf_svg_print(out, "Work and traffic of tiles in one sample of each row", host, panel, 2);
}

typedef void bench_plot(FILE *out, const struct bench_report *report, const char *host);

static bool write_plot(const char *folder, const char *name, bench_plot *draw, const struct bench_report *report)
{
    char host[64], path[4096];
    struct tf_output output;
    bench_host(host, sizeof host);
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    if (!tf_output_open(&output, path))
        return false;
    draw(output.file, report, host);
    return tf_output_commit(&output);
}

bool bench_plots(const struct bench_report *report, const char *folder)
{
    return bench_plots_possible(folder) && write_plot(folder, "throughput", throughput, report) &&
           write_plot(folder, "threads", scaling, report) && write_plot(folder, "epochs", epochs, report) &&
           write_plot(folder, "tiles", tiles, report);
}
