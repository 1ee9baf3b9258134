/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/output/map.h"
#include "cli/output/picture.h"
#include "cli/output/svg.h"

static void test_scale(void **state)
{
    (void)state;
    struct tf_panel panel = {.title = "", .unit = ""};
    struct tf_scale scale = tf_scale_of(&panel);
    assert_int_equal(scale.most, 0);
    assert_true(tf_scale_place(&scale, 0) == 0);

    for (unsigned i = 0; i < TF_TENSIX_TILES; i++)
        panel.value[i] = 100 + i;
    scale = tf_scale_of(&panel);
    assert_int_equal(scale.most, 239);
    assert_false(scale.logarithmic);
    assert_true(tf_scale_place(&scale, 239) == 1);
    assert_true(tf_scale_place(&scale, 1000) == 1);
    assert_true(tf_scale_place(&scale, 0) == 0);

    panel.value[3] = 1000000;
    scale = tf_scale_of(&panel);
    assert_true(scale.logarithmic);
    assert_true(tf_scale_place(&scale, 1000) > 0.45 && tf_scale_place(&scale, 1000) < 0.55);

    /* Tiles without work do not make the range wide. */
    memset(panel.value, 0, sizeof panel.value);
    panel.value[139] = 1000000;
    assert_false(tf_scale_of(&panel).logarithmic);
}

static void test_colours_rise_in_lightness(void **state)
{
    (void)state;
    unsigned before = 0;
    for (unsigned i = 0; i <= 50; i++) {
        struct tf_colour colour = tf_scale_colour(i / 50.0);
        unsigned lightness = 299u * colour.r + 587u * colour.g + 114u * colour.b;
        assert_true(lightness > before);
        before = lightness;
    }
    assert_false(tf_colour_is_light(tf_scale_colour(0)));
    assert_true(tf_colour_is_light(tf_scale_colour(1)));
    struct tf_colour below = tf_scale_colour(-1), least = tf_scale_colour(0);
    assert_memory_equal(&below, &least, sizeof below);
}

static char *drawn_panels(const struct tf_panel *panel, unsigned panels, int depth, size_t *bytes)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);
    assert_non_null(out);
    if (depth < 0)
        tf_svg_print(out, "<title & more>", "sub", panel, panels);
    else
        tf_map_print(out, panel, (enum tf_depth)depth);
    fclose(out);
    return text;
}

static char *drawn(const struct tf_panel *panel, int depth, size_t *bytes)
{
    return drawn_panels(panel, 2, depth, bytes);
}

static void test_map(void **state)
{
    (void)state;
    struct tf_panel panel = {.title = "Things", .unit = "pieces"};
    panel.value[0] = 1000; /* (1,2) */
    panel.value[1] = 960;
    panel.value[139] = 499; /* (16,11) */
    panel.value[14] = 1;    /* (1,3) */
    size_t bytes;
    char *text = drawn(&panel, TF_DEPTH_NONE, &bytes);
    assert_null(strchr(text, '\033'));
    assert_non_null(strstr(text, "Things, by tile"));
    assert_non_null(strstr(text, "\n   2  D  9  9  .  .  .  .  .  S  D  .  .  .  .  .  .  . \n"));
    assert_non_null(strstr(text, "\n   3  D  0  .  .  .  .  .  .  C  D  .  .  .  .  .  .  . \n"));
    assert_non_null(strstr(text, "\n  11  D  .  .  .  .  .  .  .     D  .  .  .  .  .  .  4 \n"));
    assert_non_null(strstr(text, "\n   0  D     P                 A  D     P                \n"));
    assert_non_null(strstr(text, "0 to 1.00k pieces"));
    free(text);
}

static void test_coloured_maps(void **state)
{
    (void)state;
    struct tf_panel panel = {.title = "Things", .unit = ""};
    panel.value[0] = 10;
    size_t bytes;
    char *text = drawn(&panel, TF_DEPTH_24BIT, &bytes);
    assert_non_null(strstr(text, "\033[48;2;249;228;76;38;5;16m 9 \033[0m"));
    free(text);
    text = drawn(&panel, TF_DEPTH_256, &bytes);
    assert_non_null(strstr(text, "\033[48;5;221;38;5;16m 9 \033[0m"));
    free(text);
}

static void test_svg(void **state)
{
    (void)state;
    struct tf_panel panel[2] = {{.title = "One", .unit = "a"}, {.title = "Two", .unit = TF_PANEL_KIB}};
    panel[0].value[5] = 1234567;
    panel[1].value[5] = 795 * 1024 + 512;
    panel[1].value[6] = 700;
    panel[1].value[7] = 4;
    size_t bytes;
    char *text = drawn(panel, -1, &bytes);
    assert_int_equal(strncmp(text, "<svg xmlns=", 11), 0);
    assert_string_equal(text + bytes - 7, "</svg>\n");
    assert_non_null(strstr(text, "&lt;title &amp; more&gt;"));
    assert_null(strstr(text, "<title &"));
    assert_non_null(strstr(text, "tile 5 (6,2): 1,234,567 a"));
    assert_non_null(strstr(text, ">0.7</text>"));
    assert_non_null(strstr(text, ">0.004</text>"));
    assert_non_null(strstr(text, ">796 KiB (log)</text>"));
    assert_non_null(strstr(text, "tile 5 (6,2): 814,592 bytes"));
    assert_non_null(strstr(text, "each panel has its own scale"));
    unsigned cells = 0;
    for (const char *at = text; (at = strstr(at, "<title>tile ")) != NULL; at++)
        cells++;
    assert_int_equal(cells, 2 * TF_TENSIX_TILES);
    assert_null(strstr(text, "0 everywhere"));
    free(text);
    struct tf_panel none = {.title = "None", .unit = TF_PANEL_KIB};
    text = drawn_panels(&none, 1, -1, &bytes);
    assert_non_null(strstr(text, ">0 everywhere</text>"));
    assert_null(strstr(text, ">0 KiB"));
    free(text);
}

/* A map is drawn where tiles differ by more than 2 %, and the others are named. */
static void test_panels_that_differ(void **state)
{
    (void)state;
    static struct tf_panel panel[4] = {{.title = "One: a"}, {.title = "Two"}, {.title = "Three"}, {.title = "Four: d"}};
    char others[64];
    for (unsigned i = 0; i < TF_TENSIX_TILES; i++)
        panel[0].value[i] = panel[1].value[i] = panel[2].value[i] = 1000;
    panel[1].value[7] = 1021;
    panel[2].value[7] = 1020;
    assert_int_equal(tf_panels_that_differ(panel, 4, others, sizeof others), 1);
    assert_string_equal(panel[0].title, "Two");
    assert_string_equal(others, "One, Three, Four");
    panel[0].value[7] = 1000;
    assert_int_equal(tf_panels_that_differ(panel, 1, others, sizeof others), 1);
    assert_string_equal(others, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scale), cmocka_unit_test(test_colours_rise_in_lightness),
        cmocka_unit_test(test_map),   cmocka_unit_test(test_coloured_maps),
        cmocka_unit_test(test_svg),   cmocka_unit_test(test_panels_that_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
