/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli.h"
#include "cli/output/map.h"
#include "cli/output/picture.h"
#include "cli/text.h"

/* The nearest colour of the 6 x 6 x 6 cube of terminals with 256 colours. */
static unsigned cube(struct tf_colour colour)
{
    unsigned r = (colour.r + 25u) / 51u, g = (colour.g + 25u) / 51u, b = (colour.b + 25u) / 51u;
    return 16 + 36 * r + 6 * g + b;
}

static void cell_begin(FILE *out, double place, enum tf_depth depth)
{
    struct tf_colour colour = tf_scale_colour(place);
    unsigned ink = tf_colour_is_light(colour) ? 16 : 255;
    if (depth == TF_DEPTH_24BIT)
        fprintf(out, "\033[48;2;%u;%u;%u;38;5;%um", colour.r, colour.g, colour.b, ink);
    else if (depth == TF_DEPTH_256)
        fprintf(out, "\033[48;5;%u;38;5;%um", cube(colour), ink);
}

static void cell_end(FILE *out, enum tf_depth depth)
{
    if (depth != TF_DEPTH_NONE)
        fputs("\033[0m", out);
}

/* For terminals without colours: a digit for a tenth of the scale, and a dot for 0. */
static char digit(uint64_t value, double place)
{
    return value == 0 ? '.' : (char)('0' + (place >= 1 ? 9 : (int)(place * 10)));
}

static void print_node(FILE *out, const struct tf_panel *panel, const struct tf_scale *scale, struct tf_coord at,
                       enum tf_depth depth)
{
    static const char *const other[] = {
        [TF_NODE_EMPTY] = "   ", [TF_NODE_TENSIX] = "   ", [TF_NODE_ETH] = " E ",   [TF_NODE_DRAM] = " D ",
        [TF_NODE_PCIE] = " P ",  [TF_NODE_ARC] = " A ",    [TF_NODE_L2CPU] = " C ", [TF_NODE_SECURITY] = " S ",
    };
    const uint64_t *value = tf_panel_value(panel, at);
    if (value == NULL) {
        if (depth != TF_DEPTH_NONE)
            fputs("\033[2m", out);
        fputs(other[tf_node_kind(panel->arch, at)], out);
        cell_end(out, depth);
        return;
    }
    double place = tf_scale_place(scale, *value);
    cell_begin(out, place, depth);
    fprintf(out, " %c ", digit(*value, place));
    cell_end(out, depth);
}

static void print_legend(FILE *out, const struct tf_panel *panel, const struct tf_scale *scale, enum tf_depth depth)
{
    char most[TF_GROUPED_BYTES];
    tf_panel_short(panel, scale->most, most);
    fprintf(out, "     ");
    for (unsigned i = 0; i < 10; i++) {
        cell_begin(out, i / 9.0, depth);
        fprintf(out, " %u ", i);
        cell_end(out, depth);
    }
    fprintf(out, "  0 to %s%s%s%s, . none\n", most, panel->unit[0] == '\0' ? "" : " ", panel->unit,
            scale->logarithmic ? ", logarithmic" : "");
    fprintf(out, "     D DRAM  E Ethernet  P PCIe  A ARC  C L2CPU  S security\n");
}

void tf_map_print(FILE *out, const struct tf_panel *panel, enum tf_depth depth)
{
    struct tf_scale scale = tf_scale_of(panel);
    struct tf_shape shape;
    tf_arch_shape(panel->arch, &shape);
    fprintf(out, "  %s, by tile at its NOC 0 coordinates\n    ", panel->title);
    for (unsigned x = 0; x < shape.grid_x; x++)
        fprintf(out, "%3u", x);
    fputc('\n', out);
    for (unsigned y = 0; y < shape.grid_y; y++) {
        fprintf(out, "  %2u ", y);
        for (unsigned x = 0; x < shape.grid_x; x++)
            print_node(out, panel, &scale, (struct tf_coord){.x = (uint8_t)x, .y = (uint8_t)y}, depth);
        fputc('\n', out);
    }
    print_legend(out, panel, &scale, depth);
}
