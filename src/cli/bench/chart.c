/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/bench/chart.h"

#include <string.h>

#include "cli/cli.h"
#include "cli/text.h"
#include "host/text.h"

const char *chart_colour(unsigned series)
{
    static const char *const colours[CHART_SERIES] = {"#2563eb", "#ea8a1a", "#16a34a", "#9333ea", "#dc2626", "#0891b2",
                                                      "#a16207", "#6b7280", "#db2777", "#65a30d", "#0f766e", "#1e3a8a"};
    return colours[series % CHART_SERIES];
}

void chart_begin(FILE *out, unsigned width, unsigned height, const char *title, const char *subtitle)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" "
            "role=\"img\">\n"
            "<style>text{font-family:'DejaVu Sans',Verdana,Helvetica,Arial,sans-serif;fill:#1f2937;font-size:12px}"
            ".t{font-size:22px;font-weight:600}.s{font-size:13px;fill:#4b5563}" TF_SVG_DARK "</style>\n"
            "<rect width=\"%u\" height=\"%u\" fill=\"#ffffff\"/>\n<title>",
            width, height, width, height, width, height);
    tf_cli_print_xml(out, title);
    fprintf(out, "</title>\n<text class=\"t\" x=\"24\" y=\"38\">");
    tf_cli_print_xml(out, title);
    fprintf(out, "</text>\n<text class=\"s\" x=\"24\" y=\"60\">");
    tf_cli_print_xml(out, subtitle);
    fprintf(out, "</text>\n");
}

void chart_end(FILE *out)
{
    fprintf(out, "</svg>\n");
}

void chart_text(FILE *out, double x, double y, const char *anchor, const char *text)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    tf_cli_print_xml(out, text);
    fprintf(out, "</text>\n");
}

static void print_line(FILE *out, double x0, double y0, double x1, double y1, const char *colour, double width,
                       const char *more)
{
    fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"%s/>\n", x0,
            y0, x1, y1, colour, width, more);
}

void chart_line(FILE *out, double x0, double y0, double x1, double y1, const char *colour, double width)
{
    print_line(out, x0, y0, x1, y1, colour, width, "");
}

void chart_dashes(FILE *out, double x0, double y0, double x1, double y1, const char *colour, double width)
{
    print_line(out, x0, y0, x1, y1, colour, width, " stroke-dasharray=\"5 4\"");
}

static void print_tooltip(FILE *out, const char *element, const char *tooltip)
{
    if (tooltip == NULL) {
        fprintf(out, "/>\n");
        return;
    }
    fprintf(out, "><title>");
    tf_cli_print_xml(out, tooltip);
    fprintf(out, "</title></%s>\n", element);
}

void chart_bar(FILE *out, double x, double y, double width, double height, const char *colour, const char *tooltip)
{
    fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"", x, y, width, height, colour);
    print_tooltip(out, "rect", tooltip);
}

void chart_dot(FILE *out, double x, double y, const char *colour, const char *tooltip)
{
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"", x, y, colour);
    print_tooltip(out, "circle", tooltip);
}

double chart_key(FILE *out, double x, double y, const char *colour, const char *text)
{
    chart_bar(out, x, y - 10, 12, 12, colour, NULL);
    chart_text(out, x + 17, y, "start", text);
    return 40 + 7.2 * (double)strlen(text);
}
