/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/output/picture.h"
#include "cli/text.h"
#include "farm/run/stats.h"

#define WIDE_RANGE 64u /* largest value over the median, beyond which a linear scale shows only a few tiles */

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

struct tf_scale tf_scale_of(const struct tf_panel *panel)
{
    uint64_t sorted[TF_TILES_MAX];
    struct tf_shape shape;
    tf_arch_shape(panel->arch, &shape);
    const unsigned tiles = shape.tensix_tiles + TF_ETH_TILES_MAX;
    memcpy(sorted, panel->value, shape.tensix_tiles * sizeof sorted[0]);
    memcpy(sorted + shape.tensix_tiles, panel->port, sizeof panel->port);
    qsort(sorted, tiles, sizeof sorted[0], compare);
    unsigned zeros = 0;
    while (zeros < tiles && sorted[zeros] == 0)
        zeros++;
    struct tf_scale scale = {.most = sorted[tiles - 1]};
    if (zeros < tiles) {
        uint64_t median = sorted[zeros + (tiles - 1 - zeros) / 2];
        scale.logarithmic = scale.most / WIDE_RANGE > median;
    }
    return scale;
}

/* Do two values differ by more than 2 % of the largest value? */
static bool differs(const struct tf_panel *panel)
{
    struct tf_shape shape;
    tf_arch_shape(panel->arch, &shape);
    uint64_t least = UINT64_MAX, most = 0;
    for (unsigned i = 0; i < shape.tensix_tiles; i++) {
        least = panel->value[i] < least ? panel->value[i] : least;
        most = panel->value[i] > most ? panel->value[i] : most;
    }
    return most - least > most / 50;
}

unsigned tf_panels_that_differ(struct tf_panel *panel, unsigned panels, char *others, size_t bytes)
{
    struct tf_text text = {.at = others, .left = bytes};
    unsigned kept = 0;
    others[0] = '\0';
    for (unsigned i = 0; i < panels; i++) {
        if (differs(&panel[i]) || (kept == 0 && i + 1 == panels))
            panel[kept++] = panel[i];
        else
            tf_text_add(&text, "%s%.*s", text.length == 0 ? "" : ", ", (int)strcspn(panel[i].title, ":"),
                        panel[i].title);
    }
    return kept;
}

const uint64_t *tf_panel_value(const struct tf_panel *panel, struct tf_coord at)
{
    const int tile = tf_tile_index(panel->arch, at);
    struct tf_coord port_at;
    if (tile >= 0)
        return &panel->value[tile];
    for (unsigned port = 0; tf_port_coord(panel->arch, port, &port_at) == TF_OK; port++)
        if (port_at.x == at.x && port_at.y == at.y && panel->port[port] != 0)
            return &panel->port[port];
    return NULL;
}

double tf_scale_place(const struct tf_scale *scale, uint64_t value)
{
    if (scale->most == 0 || value == 0)
        return 0;
    if (value >= scale->most)
        return 1;
    if (scale->logarithmic)
        return log1p((double)value) / log1p((double)scale->most);
    return (double)value / (double)scale->most;
}

char *tf_panel_short(const struct tf_panel *panel, uint64_t value, char text[TF_GROUPED_BYTES])
{
    const double kib = (double)value / 1024;
    if (strcmp(panel->unit, TF_PANEL_KIB) != 0 || kib >= 1e5)
        return tf_cli_short(strcmp(panel->unit, TF_PANEL_KIB) != 0 ? (double)value : kib, text);
    snprintf(text, TF_GROUPED_BYTES, "%.*f", value == 0 || kib >= 10 ? 0 : kib >= 0.05 ? 1 : 3, kib);
    return text;
}

struct tf_colour tf_scale_colour(double place)
{
    /* The scale goes from dark blue over teal to yellow. Lightness rises all the way, so that the picture reads without
       colour, too. */
    static const struct tf_colour stop[] = {
        {0x22, 0x1d, 0x4b}, {0x31, 0x3b, 0x83}, {0x2b, 0x62, 0x9b}, {0x23, 0x87, 0x9b},
        {0x2c, 0xa8, 0x8c}, {0x66, 0xc4, 0x6f}, {0xb3, 0xd9, 0x53}, {0xf9, 0xe4, 0x4c},
    };
    const unsigned last = sizeof stop / sizeof stop[0] - 1;
    double at = (place < 0 ? 0 : place > 1 ? 1 : place) * last;
    unsigned from = at >= last ? last - 1 : (unsigned)at;
    double part = at - from;
    const struct tf_colour *a = &stop[from], *b = &stop[from + 1];
    return (struct tf_colour){
        .r = (uint8_t)lround(a->r + (b->r - a->r) * part),
        .g = (uint8_t)lround(a->g + (b->g - a->g) * part),
        .b = (uint8_t)lround(a->b + (b->b - a->b) * part),
    };
}

bool tf_colour_is_light(struct tf_colour colour)
{
    return 299u * colour.r + 587u * colour.g + 114u * colour.b > 140000u;
}

void tf_panels_add(struct tf_chip *chip, struct tf_panel *instructions, struct tf_panel *traffic)
{
    instructions->arch = traffic->arch = tf_chip_arch(chip);
    struct tf_tile_stats stats;
    for (unsigned i = 0; tf_tile_stats(chip, i, &stats) == TF_OK; i++) {
        instructions->value[i] += stats.instructions;
        traffic->value[i] += stats.noc_bytes + stats.noc_bytes_in;
    }
    struct tf_coord at;
    for (unsigned port = 0; tf_port_coord(instructions->arch, port, &at) == TF_OK; port++)
        for (unsigned i = chip->tiles.tensix; i < chip->tiles.count; i++)
            if (chip->tiles.tile[i].coord.x == at.x && chip->tiles.tile[i].coord.y == at.y) {
                tf_any_tile_stats(chip, i, &stats);
                instructions->port[port] += stats.instructions;
                traffic->port[port] += stats.noc_bytes + stats.noc_bytes_in;
            }
}

enum tf_depth tf_depth_of(FILE *stream)
{
    if (!tf_cli_colours(stream))
        return TF_DEPTH_NONE;
    const char *term = getenv("COLORTERM");
    bool deep = term != NULL && (strcmp(term, "truecolor") == 0 || strcmp(term, "24bit") == 0);
    return deep ? TF_DEPTH_24BIT : TF_DEPTH_256;
}
