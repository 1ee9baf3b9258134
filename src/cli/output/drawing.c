/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output/drawing.h"

#include <stdlib.h>

#include "cli/output/map.h"
#include "cli/output/picture.h"
#include "cli/output/svg.h"
#include "cli/session_state.h"
#include "cli/text.h"

#define TITLE_BYTES 64u

enum { INSTRUCTIONS, TRAFFIC, PANELS };

/* Fill the panels of a chip. number: of it in a system; -1: it is in none. */
static void fill(struct tf_panel *panel, char (*title)[TITLE_BYTES], struct tf_chip *chip, int number)
{
    static const char *const figure[PANELS] = {"Instructions retired", "NOC traffic, in and out"};
    static const char *const of_chip[PANELS] = {"instructions retired", "NOC traffic"};
    for (unsigned i = 0; i < PANELS; i++) {
        if (number < 0)
            snprintf(title[i], sizeof title[i], "%s", figure[i]);
        else
            snprintf(title[i], sizeof title[i], "Chip %d: %s", number, of_chip[i]);
        panel[i] = (struct tf_panel){.title = title[i], .unit = i == TRAFFIC ? TF_PANEL_KIB : "instructions"};
    }
    tf_panels_add(chip, &panel[INSTRUCTIONS], &panel[TRAFFIC]);
}

static void print_svg(const struct tf_drawing *drawing, const struct tf_panel *panel, unsigned panels, FILE *svg)
{
    const struct tf_outcome *outcome = drawing->outcome;
    char line[160], cycles[TF_GROUPED_BYTES], count[TF_GROUPED_BYTES], title[64];
    struct tf_shape shape;
    tf_arch_shape(panel->arch, &shape);
    snprintf(line, sizeof line, "%s: %s cycles, %s instructions, state hash %016llx", drawing->name,
             tf_text_grouped(outcome->stats.cycles, cycles), tf_text_grouped(outcome->stats.instructions, count),
             (unsigned long long)outcome->state_hash);
    if (drawing->system == NULL)
        snprintf(title, sizeof title, "tilefarm: a %s chip at work", shape.title);
    else
        snprintf(title, sizeof title, "tilefarm: %u %s chips at work", panels / PANELS, shape.title);
    tf_svg_print(svg, title, line, panel, panels);
}

bool tf_drawing_print(const struct tf_drawing *drawing, struct tf_chip *const *chip, unsigned chips, FILE *svg,
                      enum tf_map_of map)
{
    if (svg == NULL && map == TF_MAP_NONE)
        return true;
    struct tf_panel *panel = calloc((size_t)chips * PANELS, sizeof *panel);
    char(*title)[TITLE_BYTES] = calloc((size_t)chips * PANELS, sizeof *title);
    const bool fine = panel != NULL && title != NULL;
    for (unsigned i = 0; i < chips && fine; i++) {
        const unsigned first = i * PANELS;
        fill(&panel[first], &title[first], chip[i], drawing->system != NULL ? (int)i : -1);
        if (map != TF_MAP_NONE)
            tf_map_print(stdout, &panel[first + (map == TF_MAP_TRAFFIC ? TRAFFIC : INSTRUCTIONS)], tf_depth_of(stdout));
    }
    if (fine && svg != NULL)
        print_svg(drawing, panel, chips * PANELS, svg);
    free(panel);
    free(title);
    if (!fine)
        tf_cli_error("too little memory for a picture");
    return fine;
}
