/* SPDX-License-Identifier: Apache-2.0 */
#include "debug/printed.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "farm/chip/chip.h"
#include "host/printable.h"
#include "tile/node_text.h"

#define LINE_BYTES_MAX 4096u

/* A line of a core that has not ended yet. */
struct line {
    char text[LINE_BYTES_MAX];
    size_t bytes;
    char from[96];
};

/* The cycle in which each core printed last, plus one; 0 if it never did. Processes that a debugger forks share
   this. */
struct printed_until {
    uint64_t cycle[TF_NODES_MAX][TF_TILE_CORES];
};

struct tf_printed {
    FILE *file;
    char chip[24];
    struct printed_until *until;
    struct line *line[TF_NODES_MAX][TF_TILE_CORES]; /* NULL if the core has printed nothing */
};

struct tf_printed *tf_printed_create(FILE *file)
{
    struct tf_printed *printed = calloc(1, sizeof *printed);
    if (printed == NULL)
        return NULL;
    void *shared = mmap(NULL, sizeof *printed->until, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        free(printed);
        return NULL;
    }
    printed->until = shared;
    printed->file = file;
    return printed;
}

void tf_printed_name_chip(struct tf_printed *printed, const char *chip)
{
    if (printed != NULL)
        snprintf(printed->chip, sizeof printed->chip, "%s", chip);
}

/* Write each line by one call, because several workers may write. */
static void end_line(struct tf_printed *printed, struct line *line)
{
    char text[TF_PRINTABLE_GROWTH * LINE_BYTES_MAX + 1];
    tf_printable(line->text, line->bytes, text, sizeof text);
    fprintf(printed->file, "[%s] %s\n", line->from, text);
    fflush(printed->file);
    line->bytes = 0;
}

static struct line *line_of(struct tf_printed *printed, const struct tf_arch *arch, const struct tf_print_event *event)
{
    unsigned node = tf_node_number(arch, event->tile);
    struct line **line = &printed->line[node][event->core];
    if (event->cycle < printed->until->cycle[node][event->core])
        return NULL;
    printed->until->cycle[node][event->core] = event->cycle + 1;
    if (*line != NULL || (*line = calloc(1, sizeof **line)) == NULL)
        return *line;
    char node_text[TF_NODE_TEXT_BYTES];
    snprintf((*line)->from, sizeof(*line)->from, "%s%s %s", printed->chip, tf_node_text(arch, event->tile, node_text),
             tf_core_name(arch, tf_node_kind(arch, event->tile), event->core));
    return *line;
}

void tf_printed_take(struct tf_printed *printed, const struct tf_arch *arch, const struct tf_print_event *event)
{
    struct line *line = event->mark ? NULL : line_of(printed, arch, event);
    if (line == NULL)
        return;
    for (size_t i = 0; i < event->bytes; i++)
        if (event->text[i] == '\n') {
            end_line(printed, line);
        } else {
            if (line->bytes == sizeof line->text)
                end_line(printed, line);
            line->text[line->bytes++] = event->text[i];
        }
}

void tf_printed_end(struct tf_printed *printed)
{
    if (printed == NULL)
        return;
    for (unsigned node = 0; node < sizeof printed->line / sizeof printed->line[0]; node++)
        for (unsigned core = 0; core < TF_TILE_CORES; core++) {
            struct line *line = printed->line[node][core];
            if (line != NULL && line->bytes != 0)
                end_line(printed, line);
            free(line);
        }
    munmap(printed->until, sizeof *printed->until);
    free(printed);
}
