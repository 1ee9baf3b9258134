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

/* The path becomes a copy of an option's value, which the caller shortens. Returns NULL after an error line. */
static char *take_path(struct tf_request *request, enum tf_out out, const char *value)
{
    free(request->out_text[out]);
    request->out[out] = request->out_text[out] = tf_value_copy(value);
    return request->out_text[out];
}

/* Read FILE[@TILES]. */
bool tf_take_trace(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    struct tf_tile_set set;
    char *file = take_path(request, TF_OUT_TRACE, value),
         *tiles = file == NULL ? NULL : tf_value_cut(strrchr(file, '@'));
    if (file == NULL || file[0] == '\0')
        return tf_value_bad(option, value, "FILE[@TILES]");
    if (!tf_cli_tiles(tf_job_config(&request->job)->arch, tiles == NULL ? "all" : tiles, &set)) {
        tf_value_no_tiles(tf_job_config(&request->job)->arch, option, tiles);
        return false;
    }
    memcpy(tf_job_config(&request->job)->tensix_traced, set.has, sizeof set.has);
    return true;
}

/* Read FILE[@TILES[/CORE+CORE...]]: a file, and for each tile its cores as bits. */
static bool take_cores(struct tf_request *request, enum tf_out out, const char *option, const char *value,
                       uint8_t *cores_of)
{
    struct tf_tile_set set;
    char *file = take_path(request, out, value), *tiles = file == NULL ? NULL : tf_value_cut(strrchr(file, '@'));
    char *cores = tiles == NULL ? NULL : tf_value_cut(strchr(tiles, '/'));
    uint8_t mask = cores == NULL ? 0xFF : 0;
    if (file == NULL || file[0] == '\0')
        return tf_value_bad(option, value, "FILE[@TILES[/CORES]]");
    if (!tf_cli_tiles(tf_job_config(&request->job)->arch, tiles == NULL ? "all" : tiles, &set)) {
        tf_value_no_tiles(tf_job_config(&request->job)->arch, option, tiles);
        return false;
    }
    for (char *rest = NULL, *name = cores == NULL ? NULL : strtok_r(cores, "+", &rest); name != NULL;
         name = strtok_r(NULL, "+", &rest)) {
        enum tf_core core;
        if (!tf_cli_core(name, &core)) {
            tf_cli_error("%s: no core '%s' (B, NC, T0, T1, T2)", option, name);
            return false;
        }
        mask |= (uint8_t)(1u << core);
    }
    for (unsigned tile = 0; tile < sizeof set.has; tile++)
        cores_of[tile] = set.has[tile] ? mask : 0;
    return true;
}

/* Cores of Ethernet tiles and DRAM nodes are chosen unless Tensix tiles are named. */
static uint8_t other_cores(const char *value)
{
    return strrchr(value, '@') == NULL ? 0xFF : 0;
}

bool tf_take_riscv_trace(void *into, const char *option, const char *value)
{
    return take_cores(into, TF_OUT_RISCV, option, value,
                      tf_job_config(&((struct tf_request *)into)->job)->riscv_traced);
}

bool tf_take_profile(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    if (!take_cores(request, TF_OUT_PROFILE, option, value, request->job.look.profiled))
        return false;
    request->job.look.profiled_others = other_cores(value);
    request->job.look.profile_form = tf_profile_form_of(request->out[TF_OUT_PROFILE]);
    return true;
}

bool tf_take_timeline(void *into, const char *option, const char *value)
{
    struct tf_request *request = into;
    if (!take_cores(request, TF_OUT_TIMELINE, option, value, request->job.look.timeline_cores))
        return false;
    request->job.look.timeline_others = other_cores(value);
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
