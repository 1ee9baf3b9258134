/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/cli.h"
#include "cli/output/picture.h"
#include "cli/output/svg.h"
#include "cli/text.h"
#include "tile/node_text.h"

#define MARGIN 24u
#define AXIS 26u         /* room to the left of the rows and above the columns */
#define HEADER 92u       /* room for title and subtitle */
#define FOOTER 68u       /* room for the kinds of nodes */
#define WIDTH_LEAST 660u /* for a title, and the kinds of nodes */
#define PANEL_HEAD 34u
#define PANEL_FOOT 64u /* room for the scale */
#define SCALE_STEPS 40u
#define STEP_W 6u

/* One or two panels are below each other, and each cell shows a figure, which can still be read at 400 pixels. More
   panels are smaller, and show only colours. */
struct layout {
    unsigned across, cell_w, cell_h, columns, rows;
    bool figures;
};

static struct layout layout_of(const struct tf_panel *panel, unsigned panels)
{
    struct tf_shape shape;
    tf_arch_shape(panel->arch, &shape);
    struct layout layout = {.across = panels == 4 ? 2 : panels <= 6 ? 3 : 4, .cell_w = 18, .cell_h = 18};
    if (panels <= 2)
        layout = (struct layout){.across = 1, .cell_w = 34, .cell_h = 26, .figures = true};
    layout.columns = shape.grid_x;
    layout.rows = shape.grid_y;
    return layout;
}

static unsigned panel_width(const struct layout *layout)
{
    const unsigned cells_w = layout->columns * layout->cell_w;
    return AXIS + (cells_w > SCALE_STEPS * STEP_W ? cells_w : SCALE_STEPS * STEP_W);
}

static unsigned panel_height(const struct layout *layout)
{
    return PANEL_HEAD + AXIS + layout->rows * layout->cell_h + PANEL_FOOT;
}

/* Nodes other than Tensix tiles are pale, so that the tiles stand out; and deep where the page is dark. */
static const struct kind {
    const char *label, *name, *fill, *dark;
} kinds[] = {
    [TF_NODE_EMPTY] = {"", "empty", "#f3f4f6", "#1b2026"},
    [TF_NODE_TENSIX] = {"", "Tensix", "#ffffff", "#ffffff"},
    [TF_NODE_ETH] = {"ETH", "Ethernet", "#dbe7f6", "#1f3655"},
    [TF_NODE_DRAM] = {"DRAM", "DRAM", "#e4ecd8", "#32451f"},
    [TF_NODE_PCIE] = {"PCIe", "PCI Express", "#f6e3d3", "#5a3a1c"},
    [TF_NODE_ARC] = {"ARC", "ARC", "#eadff2", "#44285c"},
    [TF_NODE_L2CPU] = {"CPU", "L2CPU", "#f7e0e6", "#5a2238"},
    [TF_NODE_SECURITY] = {"SEC", "security", "#e6e0d6", "#4a4232"},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

static void print_style(FILE *out)
{
    fprintf(out, "<style>text{font-family:'DejaVu Sans',Verdana,Helvetica,Arial,sans-serif;fill:#1f2937}"
                 ".t{font-size:26px;font-weight:600}.s{font-size:13px;fill:#4b5563}.p{font-size:17px;font-weight:600}"
                 ".a{font-size:12px;fill:#6b7280;text-anchor:middle}"
                 ".k{font-size:11px;fill:#6b7280;text-anchor:middle}.w{font-size:10px}"
                 ".l{font-size:13px;fill:#374151}"
                 "@media(prefers-color-scheme:dark){.g{fill:#14181d}text{fill:#e5e7eb}.s,.a{fill:#9ca3af}"
                 ".k,.l{fill:#cbd5e1}");
    for (unsigned i = 0; i < KINDS; i++)
        fprintf(out, ".n%u{fill:%s}", i, kinds[i].dark);
    fprintf(out, "}</style>\n");
}

static void print_head(FILE *out, const char *title, const char *subtitle, unsigned width, unsigned height)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" "
            "role=\"img\">\n",
            width, height, width, height);
    print_style(out);
    fprintf(out, "<rect class=\"g\" width=\"%u\" height=\"%u\" fill=\"#ffffff\"/>\n", width, height);
    fprintf(out, "<title>");
    tf_cli_print_xml(out, title);
    fprintf(out, "</title>\n<text class=\"t\" x=\"%u\" y=\"46\">", MARGIN);
    tf_cli_print_xml(out, title);
    fprintf(out, "</text>\n<text class=\"s\" x=\"%u\" y=\"72\">", MARGIN);
    tf_cli_print_xml(out, subtitle);
    fprintf(out, "</text>\n");
}

/* A Tensix or an Ethernet tile, coloured by its value. */
static void print_tile(FILE *out, const struct layout *layout, unsigned x, unsigned y, struct tf_coord at,
                       uint64_t figure, const struct tf_panel *panel, const struct tf_scale *scale)
{
    struct tf_colour colour = tf_scale_colour(tf_scale_place(scale, figure));
    char value[TF_GROUPED_BYTES], node[TF_NODE_TEXT_BYTES];
    fprintf(out, "#%02x%02x%02x\"><title>%s: %s %s</title></rect>\n", colour.r, colour.g, colour.b,
            tf_node_text(tf_arch_or_default(panel->arch), at, node), tf_text_grouped(figure, value),
            strcmp(panel->unit, TF_PANEL_KIB) == 0 ? "bytes" : panel->unit);
    if (!layout->figures)
        return;
    tf_panel_short(panel, figure, value);
    fprintf(out, "<text class=\"%s\" style=\"fill:%s\" x=\"%u\" y=\"%u\">%s</text>\n", strlen(value) < 5 ? "k" : "k w",
            tf_colour_is_light(colour) ? "#1f2937" : "#f9fafb", x + layout->cell_w / 2, y + layout->cell_h / 2 + 4,
            value);
}

static void print_cell(FILE *out, const struct layout *layout, unsigned x, unsigned y, struct tf_coord at,
                       const struct tf_panel *panel, const struct tf_scale *scale)
{
    const uint64_t *value = tf_panel_value(panel, at);
    const enum tf_node_kind of = tf_node_kind(panel->arch, at);
    const struct kind *kind = &kinds[of];
    fprintf(out, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" rx=\"%u\" fill=\"", x + 1, y + 1,
            layout->cell_w - 2, layout->cell_h - 2, layout->cell_h / 8);
    if (value != NULL) {
        print_tile(out, layout, x, y, at, *value, panel, scale);
        return;
    }
    fprintf(out, "%s\" class=\"n%u\"/>\n", kind->fill, of);
    if (layout->figures && kind->label[0] != '\0')
        fprintf(out, "<text class=\"k w\" x=\"%u\" y=\"%u\">%s</text>\n", x + layout->cell_w / 2,
                y + layout->cell_h / 2 + 4, kind->label);
}

static void print_scale(FILE *out, unsigned x, unsigned y, const struct tf_panel *panel, const struct tf_scale *scale)
{
    char most[TF_GROUPED_BYTES];
    for (unsigned i = 0; i < SCALE_STEPS; i++) {
        struct tf_colour colour = tf_scale_colour(i / (SCALE_STEPS - 1.0));
        fprintf(out, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"12\" fill=\"#%02x%02x%02x\"/>\n", x + i * STEP_W, y,
                STEP_W + (i + 1 < SCALE_STEPS), colour.r, colour.g, colour.b);
    }
    fprintf(out, "<text class=\"l\" x=\"%u\" y=\"%u\">%s</text>\n", x, y + 28, scale->most == 0 ? "0 everywhere" : "0");
    if (scale->most == 0)
        return;
    fprintf(out, "<text class=\"l\" x=\"%u\" y=\"%u\" text-anchor=\"end\">%s %s%s</text>\n", x + SCALE_STEPS * STEP_W,
            y + 28, tf_panel_short(panel, scale->most, most), panel->unit, scale->logarithmic ? " (log)" : "");
}

static void print_axes(FILE *out, const struct layout *layout, unsigned left, unsigned top)
{
    unsigned every = layout->figures ? 1 : 2;
    for (unsigned x = 0; x < layout->columns; x += every)
        fprintf(out, "<text class=\"a\" x=\"%u\" y=\"%u\">%u</text>\n", left + x * layout->cell_w + layout->cell_w / 2,
                top - 7, x);
    for (unsigned y = 0; y < layout->rows; y += every)
        fprintf(out, "<text class=\"a\" x=\"%u\" y=\"%u\">%u</text>\n", left - AXIS / 2,
                top + y * layout->cell_h + layout->cell_h / 2 + 4, y);
}

static void print_panel(FILE *out, const struct layout *layout, unsigned x, unsigned y, const struct tf_panel *panel)
{
    struct tf_scale scale = tf_scale_of(panel);
    unsigned left = x + AXIS, top = y + PANEL_HEAD + AXIS;
    fprintf(out, "<text class=\"p\" x=\"%u\" y=\"%u\">", left, y + 20);
    tf_cli_print_xml(out, panel->title);
    fprintf(out, "</text>\n");
    print_axes(out, layout, left, top);
    for (unsigned row = 0; row < layout->rows; row++)
        for (unsigned column = 0; column < layout->columns; column++)
            print_cell(out, layout, left + column * layout->cell_w, top + row * layout->cell_h,
                       (struct tf_coord){.x = (uint8_t)column, .y = (uint8_t)row}, panel, &scale);
    print_scale(out, left, top + layout->rows * layout->cell_h + 12, panel, &scale);
}

/* The names of the pale cells at the bottom, and what holds for all panels. */
static void print_kinds(FILE *out, unsigned y, unsigned panels)
{
    unsigned x = MARGIN + AXIS;
    for (unsigned i = TF_NODE_ETH; i < KINDS; i++) {
        fprintf(
            out,
            "<rect x=\"%u\" y=\"%u\" width=\"16\" height=\"14\" rx=\"3\" class=\"n%u\" fill=\"%s\" stroke=\"#d1d5db\"/>"
            "<text class=\"l\" x=\"%u\" y=\"%u\">%s</text>\n",
            x, y, i, kinds[i].fill, x + 22, y + 12, kinds[i].name);
        x += 46 + 8 * (unsigned)strlen(kinds[i].name);
    }
    fprintf(out, "<text class=\"l\" x=\"%u\" y=\"%u\">rows and columns: NOC 0 coordinates%s</text>\n", MARGIN + AXIS,
            y + 36, panels > 1 ? "; each panel has its own scale" : "");
}

void tf_svg_print(FILE *out, const char *title, const char *subtitle, const struct tf_panel *panel, unsigned panels)
{
    struct layout layout = layout_of(panel, panels);
    unsigned rows = (panels + layout.across - 1) / layout.across;
    unsigned width = MARGIN + layout.across * (panel_width(&layout) + MARGIN);
    unsigned bottom = HEADER + rows * panel_height(&layout);
    print_head(out, title, subtitle, width > WIDTH_LEAST ? width : WIDTH_LEAST, bottom + FOOTER);
    for (unsigned i = 0; i < panels; i++)
        print_panel(out, &layout, MARGIN + i % layout.across * (panel_width(&layout) + MARGIN),
                    HEADER + i / layout.across * panel_height(&layout), &panel[i]);
    print_kinds(out, bottom + 16, panels);
    fprintf(out, "</svg>\n");
}
