/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/bench/bench.h"
#include "cli/bench/chart.h"
#include "cli/bench/plots.h"
#include "cli/bench/report.h"
#include "cli/bench/scale.h"
#include "cli/file.h"
#include "cli/output/picture.h"
#include "cli/output/svg.h"
#include "cli/text.h"

#define LEFT 220.0
#define TOP 100.0
#define GREY "#e5e7eb"
#define MIDDLE_GREY "#9ca3af"
#define IDEAL "#111827"

static bool refuse(const char *folder)
{
    tf_cli_error("%s: cannot be written: %s", folder, strerror(errno));
    return false;
}

bool bench_plots_possible(const char *folder)
{
    struct stat status;
    char above[4096] = ".";
    size_t length = strlen(folder);
    if (stat(folder, &status) == 0) {
        errno = ENOTDIR;
        return (S_ISDIR(status.st_mode) && access(folder, W_OK | X_OK) == 0) || refuse(folder);
    }
    while (length > 1 && folder[length - 1] == '/')
        length--;
    while (length > 0 && folder[length - 1] != '/')
        length--;
    if (length > 0)
        snprintf(above, sizeof above, "%.*s", (int)length, folder);
    return access(above, W_OK | X_OK) == 0 || refuse(folder);
}

/* ---- Throughput by benchmark ---- */

static bool is_rate(const struct bench_line *line)
{
    return line->right && !(line->row->flags & BENCH_COST) && line->median > 0;
}

enum { ONE, MANY, RELAXED, PEER, SIDES };

/* The sides of a row that are drawn; NULL if there is none. */
struct row_sides {
    const struct bench_row *row;
    const struct bench_line *side[SIDES];
};

static const char *const side_names[SIDES] = {"1 thread", "more threads", "relaxed", "peer"};
static const unsigned side_colours[SIDES] = {0, 1, 2, 7};

static void take_side(struct row_sides *sides, const struct bench_line *line)
{
    if (line->side.kind == BENCH_PEER)
        sides->side[PEER] = line;
    else if (line->side.mode == TF_MODE_RELAXED)
        sides->side[RELAXED] = line;
    else
        sides->side[line->side.threads == 1 ? ONE : MANY] = line; /* the last of several has the most threads */
}

/* List the rows that are rates, in their order. The caller frees the list. Returns NULL if memory is too small. */
static struct row_sides *find_rows(const struct bench_report *report, size_t *count)
{
    struct row_sides *rows = calloc(report->lines + 1, sizeof *rows);
    *count = 0;
    for (size_t i = 0; rows != NULL && i < report->lines; i++) {
        const struct bench_line *line = &report->line[i];
        if (!is_rate(line))
            continue;
        if (*count == 0 || rows[*count - 1].row != line->row)
            rows[(*count)++].row = line->row;
        take_side(&rows[*count - 1], line);
    }
    return rows;
}

/* The logarithmic axis of a group of rows with one unit. */
struct axis {
    double x, width;
    int first, last; /* powers of ten */
};

static struct axis axis_of(const struct row_sides *rows, size_t count, const char *unit)
{
    double least = HUGE_VAL, most = 0;
    for (size_t i = 0; i < count; i++)
        for (unsigned side = 0; side < SIDES; side++)
            if (strcmp(rows[i].row->unit, unit) == 0 && rows[i].side[side] != NULL) {
                least = fmin(least, rows[i].side[side]->median);
                most = fmax(most, rows[i].side[side]->median);
            }
    struct axis axis = {.x = LEFT, .width = 360, .first = (int)floor(log10(least)), .last = (int)ceil(log10(most))};
    axis.last = axis.last > axis.first ? axis.last : axis.first + 1;
    return axis;
}

static double on_axis(const struct axis *axis, double value)
{
    return axis->x + (log10(value) - axis->first) / (axis->last - axis->first) * axis->width;
}

#define ROW_HEIGHT 19.0
#define FIGURES 590.0 /* the columns of figures begin here */
#define FIGURE 88.0
#define RATIO_LEFT 76.0 /* room for bars of ratios below 1 */
#define RATIO (FIGURES + SIDES * FIGURE + RATIO_LEFT + 14)

static void draw_group_head(FILE *out, const struct axis *axis, double y, double bottom, const char *unit)
{
    chart_text(out, 24, y, "start", unit);
    for (int power = axis->first; power <= axis->last; power++) {
        char label[24];
        double at = on_axis(axis, pow(10, power));
        snprintf(label, sizeof label, "%g", pow(10, power));
        chart_line(out, at, y + 6, at, bottom, GREY, 1);
        chart_text(out, at, y, "middle", label);
    }
}

/* The median of the ratios to the peer, as a bar on a logarithmic scale: a decade is 60 wide. */
static void draw_ratio(FILE *out, const struct row_sides *row, double y)
{
    const struct bench_line *one = row->side[ONE];
    char label[48];
    if (one == NULL || row->side[PEER] == NULL || one->ratio <= 0)
        return;
    double width = fmax(60 * log10(one->ratio), -RATIO_LEFT);
    snprintf(label, sizeof label, "%.*f x", one->ratio < 10, one->ratio);
    chart_bar(out, width < 0 ? RATIO + width : RATIO, y - 10, fmax(fabs(width), 1), 11, chart_colour(width < 0 ? 4 : 0),
              NULL);
    chart_text(out, RATIO + fmax(width, 0) + 6, y, "start", label);
}

static void draw_row(FILE *out, const struct axis *axis, const struct row_sides *row, double y)
{
    double from = HUGE_VAL, to = 0;
    chart_text(out, LEFT - 14, y, "end", row->row->name);
    for (unsigned side = 0; side < SIDES; side++)
        if (row->side[side] != NULL) {
            from = fmin(from, row->side[side]->median);
            to = fmax(to, row->side[side]->median);
        }
    if (to > 0)
        chart_line(out, on_axis(axis, from), y - 4, on_axis(axis, to), y - 4, MIDDLE_GREY, 1);
    for (unsigned side = SIDES; side-- > 0;) {
        const struct bench_line *line = row->side[side];
        char figure[BENCH_FIGURE_BYTES], label[96];
        if (line == NULL)
            continue;
        bench_figure(line->median, figure);
        snprintf(label, sizeof label, "%s, %s: %s %s", row->row->name, line->side.name, figure, row->row->unit);
        chart_dot(out, on_axis(axis, line->median), y - 4, chart_colour(side_colours[side]), label);
        chart_text(out, FIGURES + (side + 1) * FIGURE, y, "end", figure);
    }
    draw_ratio(out, row, y);
}

/* The rows of one unit. Returns where the next group begins. */
static double draw_group(FILE *out, const struct row_sides *rows, size_t count, const char *unit, double y)
{
    struct axis axis = axis_of(rows, count, unit);
    unsigned members = 0;
    for (size_t i = 0; i < count; i++)
        members += strcmp(rows[i].row->unit, unit) == 0;
    draw_group_head(out, &axis, y, y + members * ROW_HEIGHT + 8, unit);
    chart_line(out, RATIO, y + 6, RATIO, y + members * ROW_HEIGHT + 8, MIDDLE_GREY, 1);
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].row->unit, unit) == 0)
            draw_row(out, &axis, &rows[i], y += ROW_HEIGHT);
    return y + 42;
}

/* Is it the first row with its unit? */
static bool begins_group(const struct row_sides *rows, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(rows[i].row->unit, rows[at].row->unit) == 0)
            return false;
    return true;
}

/* A group for each unit, with an axis of its own: a dot for each side, their figures, and the ratio to the peer. */
static void throughput(FILE *out, const struct bench_report *report, const char *host)
{
    size_t count;
    unsigned groups = 0;
    struct row_sides *rows = find_rows(report, &count);
    for (size_t i = 0; rows != NULL && i < count; i++)
        groups += begins_group(rows, i);
    chart_begin(out, 1200, (unsigned)(TOP + 30 + (double)count * ROW_HEIGHT + groups * 42), "Throughput by benchmark",
                host);
    double x = LEFT, y = TOP + 30;
    for (unsigned side = 0; side < SIDES; side++) {
        x += chart_key(out, x, 90, chart_colour(side_colours[side]), side_names[side]);
        chart_text(out, FIGURES + (side + 1) * FIGURE, 90, "end", side_names[side]);
    }
    chart_text(out, RATIO, 90, "start", "1 thread to peer (log)");
    for (size_t i = 0; rows != NULL && i < count; i++)
        if (begins_group(rows, i))
            y = draw_group(out, rows, count, rows[i].row->unit, y);
    chart_end(out);
    free(rows);
}

/* ---- Speed-up and efficiency by threads ---- */

static bool is_scaling(const struct bench_line *line)
{
    return is_rate(line) && line->side.kind != BENCH_PEER && line->side.mode == TF_MODE_DETERMINISTIC &&
           (line->row->flags & BENCH_WITH_THREADS);
}

#define CURVES_MAX 12u

/* If a picture would have too many rows, these rows come first. They are one of each kind. */
static const char *const preferred[] = {"mix-5x140",       "atomic-inc-spread", "atomic-inc-contended",
                                        "copy-256",        "copy-16k",          "barrier-700",
                                        "thcon",           "mvmul-bf16-0",      "vector",
                                        "unpack-add-pack", "matmul-bf16-hifi4", "mixed"};

/* The rows that are drawn. */
struct curves {
    const struct bench_row *row[CURVES_MAX];
    unsigned count, all;
};

static bool begins_curve(const struct bench_line *line)
{
    return is_scaling(line) && line->side.threads == 1;
}

/* The colour of a row; -1 if it is not drawn. */
static int curve_of(const struct curves *curves, const struct bench_row *row)
{
    for (unsigned i = 0; i < curves->count; i++)
        if (curves->row[i] == row)
            return (int)i;
    return -1;
}

static bool is_preferred(const struct bench_row *row)
{
    for (unsigned i = 0; i < sizeof preferred / sizeof preferred[0]; i++)
        if (strcmp(row->name, preferred[i]) == 0)
            return true;
    return false;
}

static struct curves choose_curves(const struct bench_report *report)
{
    struct curves curves = {.count = 0};
    for (size_t i = 0; i < report->lines; i++)
        curves.all += begins_curve(&report->line[i]);
    for (unsigned pass = curves.all <= CURVES_MAX; pass < 2; pass++)
        for (size_t i = 0; i < report->lines && curves.count < CURVES_MAX; i++) {
            const struct bench_row *row = report->line[i].row;
            if (begins_curve(&report->line[i]) && curve_of(&curves, row) < 0 && (pass == 1 || is_preferred(row)))
                curves.row[curves.count++] = row;
        }
    return curves;
}

/* Speed-up has logarithmic axes, so that the ideal is a straight line; efficiency begins at 0. */
struct panel {
    double x, y, width, height, least, most;
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
    double part = panel->efficiency ? value / panel->most
                                    : log2(value / panel->least) / log2(panel->most / panel->least);
    return panel->y + panel->height * (1 - fmax(part, 0));
}

static void draw_level(FILE *out, const struct panel *panel, double value, const char *label)
{
    chart_line(out, panel->x, at_y(panel, value), panel->x + panel->width, at_y(panel, value), GREY, 1);
    chart_text(out, panel->x - 6, at_y(panel, value) + 4, "end", label);
}

static void draw_axes(FILE *out, const struct panel *panel)
{
    char text[24];
    for (unsigned i = 0; i <= 5 && panel->efficiency; i++) {
        snprintf(text, sizeof text, "%.0f %%", panel->most * i / 5 * 100);
        draw_level(out, panel, panel->most * i / 5, text);
    }
    for (double value = panel->least; value <= panel->most && !panel->efficiency; value *= 2) {
        snprintf(text, sizeof text, "%g x", value);
        draw_level(out, panel, value, text);
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
    return line == one ? 1 : line->speed_up;
}

/* A line between two points of a row. */
static void draw_stroke(FILE *out, const struct panel *panel, const struct bench_line *one,
                        const struct bench_line *before, const struct bench_line *line, const char *colour)
{
    double value = panel->efficiency ? bench_efficiency(&line->side, speed_of(line, one)) : speed_of(line, one);
    double from = panel->efficiency ? bench_efficiency(&before->side, speed_of(before, one)) : speed_of(before, one);
    char label[128];
    snprintf(label, sizeof label, "%s, %u threads: %.2f", line->row->name, line->side.threads, value);
    chart_line(out, at_x(panel, before->side.threads), at_y(panel, from), at_x(panel, line->side.threads),
               at_y(panel, value), colour, 1.5);
    chart_dot(out, at_x(panel, line->side.threads), at_y(panel, value), colour, label);
}

static void draw_curves(FILE *out, const struct bench_report *report, const struct panel *panel,
                        const struct curves *curves)
{
    const struct bench_line *one = NULL, *before = NULL;
    for (size_t i = 0; i < report->lines; i++) {
        const struct bench_line *line = &report->line[i];
        int curve = is_scaling(line) ? curve_of(curves, line->row) : -1;
        if (curve < 0)
            continue;
        if (line->side.threads == 1)
            one = before = line;
        if (one == NULL || one->row != line->row)
            continue;
        draw_stroke(out, panel, one, before, line, chart_colour((unsigned)curve));
        before = line;
    }
    chart_dashes(out, at_x(panel, 1), at_y(panel, 1), at_x(panel, panel->threads),
                 at_y(panel, panel->efficiency ? 1 : panel->threads), IDEAL, 1.5); /* last, so that nothing hides it */
}

/* A row with the most threads that were measured. */
struct reached {
    const struct bench_line *line;
    double speed, efficiency;
    unsigned curve; /* its colour */
};

static int by_speed(const void *a, const void *b)
{
    double x = ((const struct reached *)a)->speed, y = ((const struct reached *)b)->speed;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Find the speed and the efficiency that rows reach, the fastest first. Returns their number. */
static unsigned find_reached(const struct bench_report *report, const struct curves *curves,
                             struct reached reached[CURVES_MAX])
{
    const struct bench_line *one = NULL;
    bool found[CURVES_MAX] = {false};
    unsigned count = 0;
    for (size_t i = 0; i < report->lines; i++) {
        const struct bench_line *line = &report->line[i];
        int curve = is_scaling(line) ? curve_of(curves, line->row) : -1;
        if (curve < 0)
            continue;
        if (line->side.threads == 1)
            one = line;
        if (one == NULL || one->row != line->row)
            continue;
        if (!found[curve])
            count++;
        found[curve] = true;
        reached[count - 1] = (struct reached){line, speed_of(line, one),
                                              bench_efficiency(&line->side, speed_of(line, one)), (unsigned)curve};
    }
    qsort(reached, count, sizeof reached[0], by_speed);
    return count;
}

static void draw_count(FILE *out, const struct curves *curves, double x, double y)
{
    char more[64];
    snprintf(more, sizeof more, "%u of %u rows", curves->count, curves->all);
    chart_text(out, x, y, "start", more);
}

/* List the rows in the order in which their lines end, with the values at these ends. */
static void draw_names(FILE *out, const struct bench_report *report, const struct curves *curves, double x, double y)
{
    struct reached reached[CURVES_MAX];
    unsigned count = find_reached(report, curves, reached);
    for (unsigned i = 0; i < count; i++, y += 18) {
        char figure[48];
        chart_key(out, x, y, chart_colour(reached[i].curve), reached[i].line->row->name);
        snprintf(figure, sizeof figure, "%.1f x, %.0f %%", reached[i].speed, reached[i].efficiency * 100);
        chart_text(out, x + 240, y, "end", figure);
    }
    chart_dashes(out, x, y - 4, x + 12, y - 4, IDEAL, 1.5);
    chart_text(out, x + 17, y, "start", "ideal");
    draw_count(out, curves, x, y + 24);
}

/* With two numbers of threads, each line would have only two points, and lines would cover each other. So each row is a
   bar, and the ideal is a line. */
static void draw_bars(FILE *out, const struct bench_report *report, const struct curves *curves, unsigned threads)
{
    struct reached reached[CURVES_MAX];
    unsigned count = find_reached(report, curves, reached);
    const double width = 640, bar = 14, step = 24, bottom = 116 + count * step;
    double most = threads;
    char label[96];
    for (unsigned i = 0; i < count; i++)
        most = fmax(most, reached[i].speed);
    most = ceil(most * 2 + 0.2) / 2;
    for (unsigned i = 0; i <= most * 2; i++) {
        double at = LEFT + i / (most * 2) * width;
        snprintf(label, sizeof label, "%.1f x", i / 2.0);
        chart_line(out, at, 98, at, bottom, GREY, 1);
        chart_text(out, at, 92, "middle", label);
    }
    for (unsigned i = 0; i < count; i++) {
        double y = 110 + i * step, length = reached[i].speed / most * width;
        const struct bench_line *line = reached[i].line;
        snprintf(label, sizeof label, "%s, %u threads: %.2f", line->row->name, line->side.threads, reached[i].speed);
        chart_text(out, LEFT - 14, y + 12, "end", line->row->name);
        chart_bar(out, LEFT, y, length, bar, chart_colour(0), label);
        snprintf(label, sizeof label, "%.2f x, efficiency %.0f %%", reached[i].speed, reached[i].efficiency * 100);
        chart_text(out, LEFT + width + 16, y + 12, "start", label);
    }
    chart_dashes(out, LEFT + threads / most * width, 98, LEFT + threads / most * width, bottom, IDEAL, 1.5);
    snprintf(label, sizeof label, "ideal: %u x", threads);
    chart_text(out, LEFT + threads / most * width, bottom + 18, "middle", label);
    draw_count(out, curves, LEFT + width + 16, bottom + 18);
}

/* The range of threads for which the rows were measured. */
struct extent {
    unsigned threads, sides;       /* the most threads; the most numbers of threads that a row has, including one */
    double slowest, fastest, best; /* speed-up, and efficiency */
};

static struct extent extent_of(const struct bench_report *report, const struct curves *curves)
{
    struct extent extent = {.threads = 1, .sides = 1, .slowest = 1, .fastest = 1, .best = 1.25};
    const struct bench_line *one = NULL;
    unsigned sides = 0;
    for (size_t i = 0; i < report->lines; i++) {
        const struct bench_line *line = &report->line[i];
        if (!is_scaling(line))
            continue;
        sides = line->side.threads == 1 ? 1 : sides + 1;
        if (line->side.threads == 1)
            one = line;
        extent.threads = line->side.threads > extent.threads ? line->side.threads : extent.threads;
        extent.sides = sides > extent.sides ? sides : extent.sides;
        if (one == NULL || one->row != line->row || curve_of(curves, line->row) < 0)
            continue;
        extent.slowest = fmin(extent.slowest, speed_of(line, one));
        extent.fastest = fmax(extent.fastest, speed_of(line, one));
        extent.best = fmax(extent.best, bench_efficiency(&line->side, speed_of(line, one)));
    }
    return extent;
}

static void scaling(FILE *out, const struct bench_report *report, const char *host)
{
    struct curves curves = choose_curves(report);
    const struct extent extent = extent_of(report, &curves);
    if (extent.sides == 2) {
        chart_begin(out, 1200, 150 + curves.count * 24, "Speed-up against one thread", host);
        draw_bars(out, report, &curves, extent.threads);
        chart_end(out);
        return;
    }
    chart_begin(out, 1200, 480, "Speed-up and efficiency by threads", host);
    struct panel panel = {.x = 80,
                          .y = 110,
                          .width = 360,
                          .height = 300,
                          .least = exp2(floor(log2(fmax(extent.slowest, 1.0 / 16)))),
                          .most = exp2(ceil(log2(fmax(extent.fastest, extent.threads)))),
                          .threads = extent.threads};
    draw_axes(out, &panel);
    draw_curves(out, report, &panel, &curves);
    panel.x = 530;
    panel.most = ceil(extent.best / 1.25) * 1.25;
    panel.efficiency = true;
    draw_axes(out, &panel);
    draw_curves(out, report, &panel, &curves);
    draw_names(out, report, &curves, 930, 100);
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
    chart_begin(out, 1200, (unsigned)(TOP + count * (bar + 3) + 30), "Where the time of an epoch goes", host);
    double x = LEFT + 70, y = TOP;
    for (unsigned k = 0; k < 3; k++)
        x += chart_key(out, x, 84, chart_colour(k), part[k]);
    chart_text(out, LEFT + 62, 84, "end", "row, threads");
    chart_text(out, LEFT + 78 + width, 84, "start", "length");
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
        panel[0].arch = panel[1].arch = line->side.arch;
        for (unsigned tile = 0; tile < line->side.arch->tile[TF_TILE_TENSIX].tiles; tile++) {
            panel[0].value[tile] += line->last.tile_instructions[tile];
            panel[1].value[tile] += line->last.tile_bytes[tile];
        }
    }
    char others[64];
    unsigned kept = tf_panels_that_differ(panel, 2, others, sizeof others);
    tf_svg_print(out, "Work and traffic of tiles in one sample of each row", host, panel, kept);
}

typedef void bench_plot(FILE *out, const struct bench_report *report, const char *host);

static bool write_plot(const char *folder, const char *name, bench_plot *draw, const struct bench_report *report)
{
    char path[4096];
    struct tf_output output;
    snprintf(path, sizeof path, "%s/%s.svg", folder, name);
    if (!tf_output_open(&output, path))
        return false;
    draw(output.file, report, report->host);
    return tf_output_commit(&output);
}

bool bench_plots(const struct bench_report *report, const char *folder)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return refuse(folder);
    return write_plot(folder, "throughput", throughput, report) && write_plot(folder, "threads", scaling, report) &&
           write_plot(folder, "epochs", epochs, report) &&
           (!report->tiles || write_plot(folder, "tiles", tiles, report));
}
