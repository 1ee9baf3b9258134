/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/request/outputs.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/request/request.h"
#include "cli/request/value.h"
#include "cli/text.h"
#include "look/profile_text.h"
#include "tilefarm/tilefarm_config.h"

const char *tf_out_option(enum tf_out out)
{
    static const char *const option[TF_OUTS] = {
        [TF_OUT_JSON] = "--json",
        [TF_OUT_JUNIT] = "--junit",
        [TF_OUT_SVG] = "--svg",
        [TF_OUT_TRACE] = "--trace",
        [TF_OUT_RISCV] = "--riscv-trace",
        [TF_OUT_NOC_TRACE] = "--noc-trace",
        [TF_OUT_PROFILE] = "--profile",
        [TF_OUT_COVERAGE] = "--coverage",
        [TF_OUT_TIMELINE] = "--timeline",
        [TF_OUT_REPORT] = "--report",
        [TF_OUT_CRITICAL] = "--critical-path",
    };
    return option[out];
}

#define CORES_FORM "FILE[@TILES[/CORES]]"

/* The path becomes a copy of an option's value, which the caller shortens. Returns NULL after an error line. */
static char *take_path(struct tf_request *request, enum tf_out out, const char *value)
{
    free(request->out_text[out]);
    request->out[out] = request->out_text[out] = tf_value_copy(value);
    return request->out_text[out];
}

/* Read FILE[@TILES[/CORES]]. form: what the value should be. others: tiles of all kinds can be shown. */
static bool take_shown(struct tf_request *request, enum tf_out out, const char *option, const char *value,
                       const char *form, bool others)
{
    const struct tf_places places = tf_request_places(request);
    char *file = take_path(request, out, value), *tiles = file == NULL ? NULL : tf_value_cut(strrchr(file, '@'));
    if (file == NULL || file[0] == '\0')
        return tf_value_bad(option, value, form);
    if (!tf_shown_take(&request->shown[out], &places, option, tiles, others))
        return false;
    tf_request_show(request, 0, &request->job);
    return true;
}

/* There are fields for Tensix tiles alone. */
_Static_assert(sizeof((struct tf_config){0}.riscv_traced) <= TF_NODES_MAX, "a tile has a number");

void tf_request_show(const struct tf_request *request, unsigned chip, struct tf_job *job)
{
    struct tf_config *config = tf_job_config(job);
    if (request->out[TF_OUT_TRACE] != NULL)
        for (unsigned tile = 0; tile < TF_TENSIX_TILES_MAX; tile++)
            config->tensix_traced[tile] = request->shown[TF_OUT_TRACE].cores[chip][tile] != 0;
    if (request->out[TF_OUT_RISCV] != NULL)
        memcpy(config->riscv_traced, request->shown[TF_OUT_RISCV].cores[chip], sizeof config->riscv_traced);
    memcpy(job->look.profiled, request->shown[TF_OUT_PROFILE].cores[chip], sizeof job->look.profiled);
    memcpy(job->look.timeline_cores, request->shown[TF_OUT_TIMELINE].cores[chip], sizeof job->look.timeline_cores);
}

bool tf_take_trace(void *into, const char *option, const char *value)
{
    return take_shown(into, TF_OUT_TRACE, option, value, "FILE[@TILES]", false);
}

bool tf_take_riscv_trace(void *into, const char *option, const char *value)
{
    return take_shown(into, TF_OUT_RISCV, option, value, CORES_FORM, false);
}

bool tf_take_profile(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    if (!take_shown(request, TF_OUT_PROFILE, option, value, CORES_FORM, true))
        return false;
    request->job.look.profile_form = tf_profile_form_of(request->out[TF_OUT_PROFILE]);
    return true;
}

bool tf_take_timeline(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    if (!take_shown(request, TF_OUT_TIMELINE, option, value, CORES_FORM, true))
        return false;
    const char *file = request->out[TF_OUT_TIMELINE];
    size_t length = strlen(file);
    request->job.look.timeline_compressed = length > 3 && strcmp(file + length - 3, ".gz") == 0;
    return true;
}

/* Read FROM:TO. */
bool tf_take_timeline_cycles(void *into, const char *option, const char *value)
{
    struct tf_look_wish *look = &((struct tf_request *)into)->job.look;
    char text[64];
    snprintf(text, sizeof text, "%s", value);
    char *to = tf_value_cut(strchr(text, ':'));
    if (strlen(value) >= sizeof text || to == NULL || !tf_cli_u64(text, &look->timeline_from) ||
        !tf_cli_u64(to, &look->timeline_to) || look->timeline_from >= look->timeline_to)
        return tf_value_bad(option, value, "FROM:TO, two cycles");
    return true;
}

/* Take a file, unless its name promises another format. Returns false after an error line. */
static bool take_as(const char **path, const char *option, const char *value, const char *format, const char *ending)
{
    static const char *const endings[] = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".pdf", ".eps", ".ps",
                                          ".txt", ".md",  ".json", ".xml", ".csv",  ".svg", ".html"};
    const char *dot = strrchr(value, '.');
    for (size_t i = 0; dot != NULL && i < sizeof endings / sizeof endings[0]; i++)
        if (strcasecmp(dot, endings[i]) == 0 && strcasecmp(dot, ending) != 0) {
            tf_cli_error("%s: '%s' would hold %s; name a file with the ending %s", option, value, format, ending);
            return false;
        }
    *path = value;
    return true;
}

bool tf_take_svg(void *into, const char *option, const char *value)
{
    return take_as(&((struct tf_request *)into)->out[TF_OUT_SVG], option, value, "SVG", ".svg");
}

bool tf_take_report(void *into, const char *option, const char *value)
{
    return take_as(&((struct tf_request *)into)->out[TF_OUT_REPORT], option, value, "HTML", ".html");
}
