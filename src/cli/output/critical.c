/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output/critical.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/session_state.h"
#include "cli/text.h"
#include "look/critical.h"
#include "tile/node_text.h"
#include "tilefarm/tilefarm_system_run.h"
#include "tilefarm/tilefarm_times.h"

#define WHERE_BYTES (2 * TF_NODE_TEXT_BYTES + 48u)

static bool open_path(struct tf_critical *path, const struct tf_session *session, struct tf_system *system)
{
    struct tf_symbols *symbols[TF_CLUSTER_CHIPS_MAX];
    for (unsigned i = 0; system != NULL && i < tf_system_cluster(system)->chips; i++)
        symbols[i] = session[i].symbols;
    const int error = system != NULL ? tf_critical_open_system(path, system, symbols)
                                     : tf_critical_open(path, session->chip, session->symbols);
    if (error != TF_OK)
        tf_cli_error("--critical-path: %s", tf_strerror(error));
    return error == TF_OK;
}

/* --- texts --- */

static unsigned port_of(const struct tf_critical *path, unsigned chip, struct tf_coord node)
{
    return tf_arch_port(tf_chip_arch(path->of[chip].chip), node);
}

/* The actor: "tile 1 (2,2) B", "tile 1 (2,2) thread 0", "NOC 0, tile 1 (2,2) to DRAM 3 (0,1)", of a system behind
   "chip 1, "; or "link, chip 0 port 8 to chip 1 port 0". */
static const char *where(const struct tf_critical *path, const struct tf_system_path_part *part, char text[WHERE_BYTES])
{
    const struct tf_arch *arch = tf_critical_arch(path, part);
    char at[TF_NODE_TEXT_BYTES], to[TF_NODE_TEXT_BYTES], chip[24] = "";
    tf_node_text(arch, part->part.at, at);
    if (path->system)
        snprintf(chip, sizeof chip, "chip %u, ", part->chip);
    switch (part->part.actor) {
    case TF_PATH_AT_CORE:
        snprintf(text, WHERE_BYTES, "%s%s %s", chip, at,
                 tf_core_name(arch, tf_node_kind(arch, part->part.at), part->part.number));
        break;
    case TF_PATH_AT_THREAD: snprintf(text, WHERE_BYTES, "%s%s thread %u", chip, at, part->part.number); break;
    case TF_PATH_AT_PACKET:
        snprintf(text, WHERE_BYTES, "%sNOC %u, %s to %s", chip, part->part.number, at,
                 tf_node_text(arch, part->part.to, to));
        break;
    case TF_PATH_AT_LINK:
        snprintf(text, WHERE_BYTES, "link, chip %u port %u to chip %u port %u", part->chip,
                 port_of(path, part->chip, part->part.at), part->to_chip, port_of(path, part->to_chip, part->part.to));
        break;
    default: snprintf(text, WHERE_BYTES, "-"); break;
    }
    return text;
}

/* What it waited for, beside the kind: a link, a unit. */
static const char *detail(const struct tf_critical *path, const struct tf_system_path_part *part,
                          char text[WHERE_BYTES])
{
    const struct tf_arch *arch = tf_critical_arch(path, part);
    char at[TF_NODE_TEXT_BYTES];
    text[0] = '\0';
    if (part->part.way == 'i')
        snprintf(text, WHERE_BYTES, "link to the NIU of %s", tf_node_text(arch, part->part.link, at));
    else if (part->part.way != 0)
        snprintf(text, WHERE_BYTES, "link in %c from %s", part->part.way, tf_node_text(arch, part->part.link, at));
    else if (part->part.unit != NULL)
        snprintf(text, WHERE_BYTES, "%s", part->part.unit);
    return text;
}

/* --- the table --- */

/* A row of a step: what comes before it, and its cycles. */
struct row {
    char text[TF_CRITICAL_LINE_BYTES + WHERE_BYTES + 16];
    uint64_t cycles;
};

/* The rows of the step that begins with a part: parts of one line and kind are one row. Returns their number. */
static size_t rows_of(const struct tf_critical *path, size_t first, struct row *row)
{
    size_t rows = 0;
    for (size_t i = first; i < path->count && path->part[i].part.step == path->part[first].part.step; i++) {
        char line[TF_CRITICAL_LINE_BYTES], more[WHERE_BYTES], text[sizeof row->text];
        const struct tf_system_path_part *part = &path->part[i];
        const char *of = detail(path, part, more);
        snprintf(text, sizeof text, of[0] != '\0' ? "%-8s %-28s %s" : "%-8s %s%s", tf_path_kind_name(part->part.kind),
                 tf_critical_line(path, part, line), of);
        size_t same = 0;
        while (same < rows && strcmp(row[same].text, text) != 0)
            same++;
        if (same == rows)
            row[rows++] = (struct row){.cycles = 0};
        memcpy(row[same].text, text, sizeof text);
        row[same].cycles += part->part.cycles;
    }
    return rows;
}

static size_t parts_of_step(const struct tf_critical *path, size_t first)
{
    size_t i = first;
    while (i < path->count && path->part[i].part.step == path->part[first].part.step)
        i++;
    return i - first;
}

/* Returns false: no memory. */
static bool write_parts(FILE *out, const struct tf_critical *path)
{
    char actor[WHERE_BYTES];
    fprintf(out, "%8s %12s %10s  %-44s %-8s %-28s %s\n", "step", "from", "cycles", "where", "kind", "line", "of");
    for (size_t i = 0, parts; i < path->count; i += parts) {
        const struct tf_system_path_part *part = &path->part[i];
        parts = parts_of_step(path, i);
        struct row *row = malloc(parts * sizeof *row);
        if (row == NULL)
            return false;
        const size_t rows = rows_of(path, i, row);
        for (size_t r = 0; r < rows; r++)
            fprintf(out, "%8" PRIu64 " %12" PRIu64 " %10" PRIu64 "  %-44s %s\n", part->part.step, part->part.begin,
                    row[r].cycles, where(path, part, actor), row[r].text);
        free(row);
    }
    return true;
}

static void write_sums(FILE *out, const char *title, const struct tf_critical_sums *sums)
{
    fprintf(out, "\n%12s %7s  %s\n", "cycles", "", title);
    for (size_t i = 0; i < sums->count; i++)
        fprintf(out, "%12" PRIu64 " %5.1f %%  %s\n", sums->sum[i].cycles, tf_critical_percent(sums, i),
                sums->sum[i].name);
    fprintf(out, "%12" PRIu64 " 100.0 %%  the run\n", sums->whole);
}

bool tf_critical_write(FILE *out, const struct tf_session *session, struct tf_system *system)
{
    struct tf_critical path;
    if (!open_path(&path, session, system))
        return false;
    bool made = write_parts(out, &path);
    for (unsigned by_line = 0; by_line < 2; by_line++) {
        const struct tf_critical_sums sums = tf_critical_add_up(&path, by_line != 0);
        made &= sums.sum != NULL;
        if (sums.sum != NULL)
            write_sums(out, by_line != 0 ? "line" : "kind", &sums);
        free(sums.sum);
    }
    tf_critical_close(&path);
    if (!made)
        tf_cli_error("--critical-path: %s", tf_strerror(TF_ENOMEM));
    return made;
}

void tf_critical_print(const struct tf_session *session, struct tf_system *system)
{
    struct tf_critical path;
    if (!open_path(&path, session, system))
        return;
    printf("  critical path ");
    for (unsigned by_line = 0; by_line < 2; by_line++) {
        const struct tf_critical_sums sums = tf_critical_add_up(&path, by_line != 0);
        for (size_t i = 0; i < sums.count && i < 6 && tf_critical_percent(&sums, i) >= 0.5; i++)
            printf("%s%s %.0f %%", i != 0 ? ", " : "", sums.sum[i].name, tf_critical_percent(&sums, i));
        printf(by_line != 0 ? "\n" : "\n    of lines    ");
        free(sums.sum);
    }
    tf_critical_close(&path);
}

/* --- JSON --- */

static json_t *node_array(struct tf_coord node)
{
    return json_pack("[i, i]", (int)node.x, (int)node.y);
}

/* Who it is, beside the place: the core; or the number of a thread, a NOC, or a TX queue. */
static void add_actor(const struct tf_critical *path, const struct tf_system_path_part *part, json_t *object)
{
    static const char *const number[] = {
        [TF_PATH_AT_THREAD] = "thread", [TF_PATH_AT_PACKET] = "noc", [TF_PATH_AT_LINK] = "tx_queue"};
    const struct tf_arch *arch = tf_critical_arch(path, part);
    if (part->part.actor == TF_PATH_AT_CORE)
        json_object_set_new(object, "core",
                            json_string(tf_core_name(arch, tf_node_kind(arch, part->part.at), part->part.number)));
    else
        json_object_set_new(object, number[part->part.actor], json_integer(part->part.number));
    if (part->part.actor == TF_PATH_AT_PACKET || part->part.actor == TF_PATH_AT_LINK)
        json_object_set_new(object, "to", node_array(part->part.to));
    if (part->part.actor == TF_PATH_AT_LINK)
        json_object_set_new(object, "ports",
                            json_pack("[[i, i], [i, i]]", (int)part->chip,
                                      (int)port_of(path, part->chip, part->part.at), (int)part->to_chip,
                                      (int)port_of(path, part->to_chip, part->part.to)));
    if (path->system)
        json_object_set_new(object, "chip", json_integer(part->chip));
}

static json_t *part_object(const struct tf_critical *path, const struct tf_system_path_part *part)
{
    static const char *const actor[] = {"none", "core", "thread", "packet", "link"};
    char line[TF_CRITICAL_LINE_BYTES];
    json_t *object = json_pack("{s:I, s:I, s:I, s:I, s:s, s:s, s:b, s:s}", "step", (json_int_t)part->part.step, "begin",
                               (json_int_t)part->part.begin, "end", (json_int_t)part->part.end, "cycles",
                               (json_int_t)part->part.cycles, "kind", tf_path_kind_name(part->part.kind), "actor",
                               actor[part->part.actor], "uncertain", (int)part->part.uncertain, "line",
                               tf_critical_line(path, part, line));
    if (part->part.actor == TF_PATH_AT_HOST)
        return object;
    json_object_set_new(object, "at", node_array(part->part.at));
    json_object_set_new(object, "pc", json_sprintf("0x%08x", (unsigned)part->part.pc));
    add_actor(path, part, object);
    if (part->part.unit != NULL)
        json_object_set_new(object, "unit", json_string(part->part.unit));
    const char way[] = {(char)part->part.way, '\0'};
    if (part->part.way != 0)
        json_object_set_new(object, "link",
                            json_pack("[i, i, s]", (int)part->part.link.x, (int)part->part.link.y, way));
    return object;
}

json_t *tf_json_critical(const struct tf_session *session, struct tf_system *system)
{
    struct tf_critical path;
    json_t *array = open_path(&path, session, system) ? json_array() : NULL;
    for (size_t i = 0; i < path.count && array != NULL; i++)
        json_array_append_new(array, part_object(&path, &path.part[i]));
    tf_critical_close(&path);
    return array;
}
