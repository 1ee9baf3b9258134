/* SPDX-License-Identifier: Apache-2.0 */
/* Sides of a row on more cores than the host has: one thread plays all workers. */
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "farm/chip/chip.h"

bool bench_project_list(void *into, const char *name, const char *value)
{
    struct bench_options *options = into;
    char item[16];
    options->projections = 0;
    for (const char *at = value;;) {
        size_t length = strcspn(at, ",");
        uint64_t workers;
        if (options->projections == BENCH_PROJECT_MAX) {
            tf_cli_error("%s: '%s' has more than %u numbers", name, value, BENCH_PROJECT_MAX);
            return false;
        }
        snprintf(item, sizeof item, "%.*s", length < sizeof item ? (int)length : (int)sizeof item - 1, at);
        if (!tf_cli_number(name, item, 2, TF_WORKERS_MAX, &workers))
            return false;
        options->project[options->projections++] = (unsigned)workers;
        if (at[length] == '\0')
            return true;
        at += length + 1;
    }
}

bool bench_rehearse(struct bench_engine *engine, struct tf_chip *chip)
{
    if (!engine->side->projected)
        return true;
    if (!engine->measured) {
        tf_meeting_measure(&engine->meeting);
        engine->measured = true;
    }
    return tf_rehearse_begin(chip, &engine->meeting, tf_thread_seconds) || bench_refuse(engine, "no memory");
}

double bench_passed(const struct bench_engine *engine)
{
    bool rehearses = engine->chip != NULL && engine->chip->pacing.rehearsal != NULL;
    return rehearses ? tf_seconds_on(engine->chip->pacing.rehearsal) : tf_seconds();
}

void bench_subtract_projection(struct tf_projection *a, const struct tf_projection *b)
{
    a->phases -= b->phases, a->visits -= b->visits, a->passed_s -= b->passed_s;
    a->work_s -= b->work_s, a->imbalance_s -= b->imbalance_s, a->meet_s -= b->meet_s;
    a->unshared_s -= b->unshared_s, a->serial_s -= b->serial_s;
}

/* The parts of the time. Only work gets shorter with more cores. */
static const struct {
    const char *name, *key;
    size_t offset;
} parts[] = {
    {"work", "work_s", offsetof(struct tf_projection, work_s)},
    {"imbalance", "imbalance_s", offsetof(struct tf_projection, imbalance_s)},
    {"barrier", "barrier_s", offsetof(struct tf_projection, meet_s)},
    {"unshared", "unshared_s", offsetof(struct tf_projection, unshared_s)},
    {"serial", "serial_s", offsetof(struct tf_projection, serial_s)},
};

#define PARTS (sizeof parts / sizeof parts[0])

static double part(const struct tf_projection *projection, unsigned i)
{
    return *(const double *)((const char *)projection + parts[i].offset);
}

void bench_project_print(const struct bench_line *line, const struct bench_line *one)
{
    const struct tf_projection *projection = &line->last.projection;
    double speed = bench_projected_speed(line, one);
    if (speed > 0)
        printf("  %.2f times one thread (%.0f %%)", speed, 100 * speed / line->side.threads);
    for (unsigned i = 0; i < PARTS && projection->passed_s > 0; i++)
        printf("%s %s %.0f %%", i == 0 ? ":" : ",", parts[i].name, 100 * part(projection, i) / projection->passed_s);
}

double bench_projected_speed(const struct bench_line *line, const struct bench_line *one)
{
    if (!one->right || one->side.threads != 1)
        return 0;
    return line->median / (one->busy > 0 ? one->busy : one->median);
}

json_t *bench_project_json(const struct bench_line *line, const struct bench_line *one)
{
    const struct tf_projection *projection = &line->last.projection;
    const struct tf_meeting *meeting = &line->last.meeting;
    json_t *object = json_pack("{s:i,s:I,s:I,s:f,s:f,s:f}", "workers", (int)line->side.threads, "shared_steps",
                               (json_int_t)projection->phases, "shared_visits", (json_int_t)projection->visits,
                               "line_s", meeting->line_s, "wake_s", meeting->wake_s, "passed_s", projection->passed_s);
    double speed = bench_projected_speed(line, one);
    if (speed > 0 && object != NULL)
        json_object_set_new(object, "efficiency", json_real(speed / line->side.threads));
    for (unsigned i = 0; i < PARTS && object != NULL; i++)
        json_object_set_new(object, parts[i].key, json_real(part(projection, i)));
    return object;
}
