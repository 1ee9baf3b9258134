/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/text.h"
#include "host/printable.h"
#include "noc/coords.h"
#include "noc/noc.h"
#include "tile/arch.h"

void tf_cli_error(const char *format, ...)
{
    char *text = NULL;
    va_list list;
    va_start(list, format);
    int bytes = vasprintf(&text, format, list);
    va_end(list);
    size_t room = bytes < 0 ? 0 : TF_PRINTABLE_GROWTH * (size_t)bytes + 1;
    char *printable = bytes < 0 ? NULL : malloc(room);
    if (printable != NULL)
        tf_printable(text, (size_t)bytes, printable, room);
    fprintf(stderr, "tilefarm: %s\n", printable != NULL ? printable : "too little memory for a message");
    free(printable);
    if (bytes >= 0)
        free(text);
}

/* Read the number at the start of text. *end is the text after it. */
static bool leading_number(const char *text, uint64_t *value, const char **end)
{
    if (!isdigit((unsigned char)text[0]))
        return false;
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (hex && !isxdigit((unsigned char)text[2]))
        return false;
    char *stop;
    errno = 0;
    unsigned long long number = strtoull(text, &stop, hex ? 16 : 10);
    if (errno != 0)
        return false;
    *value = number;
    *end = stop;
    return true;
}

bool tf_cli_u64(const char *text, uint64_t *value)
{
    static const struct {
        const char *suffix;
        uint64_t factor;
    } unit[] = {
        {"", 1},           {"k", 1000},      {"K", 1000},      {"M", 1000000},
        {"G", 1000000000}, {"Ki", 1u << 10}, {"Mi", 1u << 20}, {"Gi", 1u << 30},
    };
    uint64_t number;
    const char *end;
    if (!leading_number(text, &number, &end))
        return false;
    size_t i = 0;
    while (i < sizeof unit / sizeof unit[0] && strcmp(end, unit[i].suffix) != 0)
        i++;
    if (i == sizeof unit / sizeof unit[0] || __builtin_mul_overflow(number, unit[i].factor, &number))
        return false;
    *value = number;
    return true;
}

bool tf_cli_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
    uint64_t number;
    if (tf_cli_u64(text, &number) && number >= least && number <= most) {
        *value = number;
        return true;
    }
    if (most == UINT64_MAX)
        tf_cli_error("%s: '%s' is not a number of at least %llu", option, text, (unsigned long long)least);
    else
        tf_cli_error("%s: '%s' is not a number from %llu to %llu", option, text, (unsigned long long)least,
                     (unsigned long long)most);
    return false;
}

bool tf_cli_seconds(const char *option, const char *text, uint64_t most, double *seconds)
{
    uint64_t whole;
    double value = 0;
    if (tf_cli_u64(text, &whole))
        value = (double)whole;
    else if (strspn(text, "0123456789.") == strlen(text)) {
        char *end;
        value = strtod(text, &end);
        if (*end != '\0')
            value = 0;
    }
    if (value > 0 && value <= (double)most)
        *seconds = value;
    else
        tf_cli_error("%s: '%s' is not a time of more than 0 and at most %llu seconds, such as 0.5", option, text,
                     (unsigned long long)most);
    return value > 0 && value <= (double)most;
}

bool tf_cli_threads(const char *option, const char *text, unsigned *threads)
{
    uint64_t number = 0;
    if (strcmp(text, "auto") != 0 && (!tf_cli_u64(text, &number) || number < 1 || number > TF_WORKERS_MAX)) {
        tf_cli_error("%s: '%s' is neither 'auto' nor a number from 1 to %u", option, text, TF_WORKERS_MAX);
        return false;
    }
    *threads = (unsigned)number;
    return true;
}

bool tf_cli_core(const char *text, enum tf_core *core)
{
    static const char *const firmware[TF_TILE_CORES] = {"brisc", "ncrisc", "trisc0", "trisc1", "trisc2"};
    for (unsigned i = 0; i < TF_TILE_CORES; i++)
        if (strcasecmp(text, tf_tensix_core_name(i)) == 0 || strcasecmp(text, firmware[i]) == 0) {
            *core = (enum tf_core)i;
            return true;
        }
    return false;
}

/* Read the node at the start of text. Off the grid, x,y are the translated coordinates by which programs name nodes.
   *end is the text after it. */
static bool leading_node(const struct tf_arch *arch, const char *text, struct tf_coord *node, const char **end)
{
    struct tf_shape shape;
    uint64_t first, second;
    if (!leading_number(text, &first, end))
        return false;
    tf_arch_shape(arch, &shape);
    if (**end != ',')
        return first < shape.tensix_tiles && tf_tile_coord(arch, (unsigned)first, node) == TF_OK;
    if (!leading_number(*end + 1, &second, end) || first > UINT8_MAX || second > UINT8_MAX)
        return false;
    *node = (struct tf_coord){.x = (uint8_t)first, .y = (uint8_t)second};
    if (first < shape.grid_x && second < shape.grid_y)
        return true;
    return tf_noc_named(tf_arch_or_default(arch), (struct tf_noc_xy){node->x, node->y}, node);
}

const char *tf_cli_title(const struct tf_arch *arch)
{
    return tf_arch_or_default(arch)->title;
}

bool tf_cli_node(const struct tf_arch *arch, const char *text, struct tf_coord *node)
{
    const char *end;
    struct tf_coord found;
    if (!leading_node(arch, text, &found, &end) || *end != '\0')
        return false;
    *node = found;
    return true;
}

static void add_tile(struct tf_tile_set *tiles, unsigned tile)
{
    tiles->count += !tiles->has[tile];
    tiles->has[tile] = true;
}

bool tf_cli_tiles(const struct tf_arch *arch, const char *text, struct tf_tile_set *tiles)
{
    struct tf_shape shape;
    tf_arch_shape(arch, &shape);
    struct tf_tile_set found = {.count = 0};
    for (const char *at = text;; at++) {
        if (strncmp(at, "all", 3) == 0) {
            for (unsigned i = 0; i < shape.tensix_tiles; i++)
                add_tile(&found, i);
            found.all = true;
            at += 3;
        } else {
            struct tf_coord node;
            if (!leading_node(arch, at, &node, &at))
                return false;
            int first = tf_tile_index(arch, node), last = first;
            if (first >= 0 && *at == '-') {
                if (!leading_node(arch, at + 1, &node, &at))
                    return false;
                last = tf_tile_index(arch, node);
            }
            if (first < 0 || last < first)
                return false;
            for (int i = first; i <= last; i++)
                add_tile(&found, (unsigned)i);
        }
        if (*at == '\0')
            break;
        if (*at != '+')
            return false;
    }
    *tiles = found;
    return true;
}

bool tf_cli_any_core(const char *text, enum tf_tile_kind *kind, enum tf_core *core)
{
    static const struct {
        const char *name;
        enum tf_tile_kind kind;
        enum tf_core core;
    } others[] = {{"E0", TF_TILE_ETH, 0}, {"E1", TF_TILE_ETH, 1}, {"DRISC", TF_TILE_DRAM, 0}};
    for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcasecmp(text, others[i].name) == 0) {
            *kind = others[i].kind;
            *core = others[i].core;
            return true;
        }
    *kind = TF_TILE_TENSIX;
    return tf_cli_core(text, core);
}

const char *tf_cli_core_name(enum tf_tile_kind kind, enum tf_core core)
{
    return kind == TF_TILE_TENSIX ? tf_tensix_core_name(core)
           : kind == TF_TILE_DRAM ? "DRISC"
           : core == 0            ? "E0"
                                  : "E1";
}

const char *tf_cli_place_word(enum tf_tile_kind kind)
{
    return kind == TF_TILE_TENSIX ? "tile" : kind == TF_TILE_ETH ? "port" : "DRAM tile";
}

bool tf_cli_ports(unsigned ports, const char *text, struct tf_tile_set *set)
{
    struct tf_tile_set found = {.count = 0};
    found.all = strcmp(text, "all") == 0;
    if (found.all)
        for (unsigned i = 0; i < ports; i++)
            add_tile(&found, i);
    for (const char *at = text; found.count == 0 || *at == '+';) {
        uint64_t first, last;
        if (!leading_number(at + (*at == '+'), &first, &at) || (last = first) >= ports)
            return false;
        if (*at == '-' && (!leading_number(at + 1, &last, &at) || last < first || last >= ports))
            return false;
        for (uint64_t i = first; i <= last; i++)
            add_tile(&found, (unsigned)i);
        if (*at != '\0' && *at != '+')
            return false;
    }
    *set = found;
    return true;
}

/* The number of the DRAM tile at a node, or of all if the node is beyond the grid. */
static unsigned dram_number(const struct tf_arch *arch, unsigned node)
{
    unsigned number = 0;
    for (unsigned i = 0; i < node && i < tf_arch_nodes(arch); i++)
        number += arch->dram.core != NULL && arch->place[i].kind == TF_NODE_DRAM;
    return number;
}

unsigned tf_cli_dram_tiles_of(const struct tf_arch *arch)
{
    return dram_number(tf_arch_or_default(arch), UINT_MAX);
}

/* Read "all", a number, a range of numbers, or X,Y of a DRAM node at the start of a text. */
static bool leading_dram_tiles(const struct tf_arch *arch, const char *text, uint64_t *first, uint64_t *last,
                               const char **end)
{
    *first = 0;
    *last = tf_cli_dram_tiles_of(arch) - 1u;
    *end = text + 3;
    if (strncmp(text, "all", 3) == 0)
        return true;
    if (!leading_number(text, first, end))
        return false;
    *last = *first;
    if (**end == '-')
        return leading_number(*end + 1, last, end);
    if (**end != ',')
        return true;
    if (!leading_number(*end + 1, last, end) || *first >= arch->grid_x || *last >= arch->grid_y)
        return false;
    const struct tf_coord node = {.x = (uint8_t)*first, .y = (uint8_t)*last};
    *first = *last = dram_number(arch, tf_node_number(arch, node));
    return tf_node_kind(arch, node) == TF_NODE_DRAM;
}

bool tf_cli_dram_tiles(const struct tf_arch *arch, const char *text, struct tf_tile_set *set)
{
    const unsigned count = tf_cli_dram_tiles_of(arch);
    struct tf_tile_set found = {.count = 0};
    arch = tf_arch_or_default(arch);
    for (const char *at = text;; at++) {
        uint64_t first, last;
        if (!leading_dram_tiles(arch, at, &first, &last, &at) || last < first || last >= count)
            return false;
        for (uint64_t i = first; i <= last; i++)
            add_tile(&found, (unsigned)i);
        if (*at == '\0')
            break;
        if (*at != '+')
            return false;
    }
    *set = found;
    return true;
}

char *tf_cli_short(double value, char text[TF_GROUPED_BYTES])
{
    static const char suffix[] = " kMGTPE";
    unsigned power = 0;
    while (value >= 999.5 && power + 2 < sizeof suffix) {
        value /= 1000;
        power++;
    }
    int places = power == 0 && value == (double)(long)value ? 0 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    int length = snprintf(text, TF_GROUPED_BYTES, "%.*f", places, value);
    if (power > 0 && length > 0 && length < TF_GROUPED_BYTES - 1) {
        text[length] = suffix[power];
        text[length + 1] = '\0';
    }
    return text;
}

/* Cut a line to `columns` columns. If letters are lost, it ends with "...". */
static void fit(char *line, unsigned columns)
{
    if (strlen(line) <= columns)
        return;
    line[columns] = '\0';
    for (unsigned i = columns > 3 ? columns - 3 : 0; i < columns; i++)
        line[i] = '.';
}

void tf_cli_progress(const char *format, ...)
{
    char line[256];
    struct winsize size = {.ws_col = 0};
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    /* The last column stays free: some terminals wrap when it is written. */
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
        fit(line, size.ws_col - 1u);
    fprintf(stderr, "\r%s\033[K", line);
}

void tf_cli_progress_end(void)
{
    fputs("\r\033[K", stderr);
}

bool tf_cli_colours(FILE *stream)
{
    const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
    return (none == NULL || none[0] == '\0') && (term == NULL || strcmp(term, "dumb") != 0) &&
           isatty(fileno(stream)) == 1;
}

int tf_cli_finish(int result)
{
    errno = 0;
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return result;
    /* An earlier failed write has left no error number. Another write fails for the same reason. */
    if (errno == 0 && putchar('\n') != EOF)
        fflush(stdout);
    tf_cli_error("standard output: %s", errno != 0 ? strerror(errno) : "cannot be written");
    __fpurge(stdout); /* a later call does not say it again */
    clearerr(stdout);
    return result == TF_EXIT_OK ? TF_EXIT_FAILED : result;
}

void tf_cli_print_xml(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        default: fputc(*text, out);
        }
}

bool tf_cli_arch(const char *option, const char *value, const struct tf_arch **arch)
{
    const struct tf_arch *found = tf_arch_find(value);
    if (found == NULL) {
        tf_cli_error("%s: '%s' is not a chip family: " TF_CLI_FAMILIES, option, value);
        return false;
    }
    *arch = found;
    return true;
}
