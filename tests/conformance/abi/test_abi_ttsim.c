/* SPDX-License-Identifier: Apache-2.0 */
/* The driver program against our library; what ttsim gives is recorded in results.inc and results_wormhole.inc. */
#include "driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *step;
    uint64_t value;
    const char *const *lines;
} recorded[] = {
#define STEP(step, value, ...) {step, value, (const char *const[]){__VA_ARGS__, NULL}},
#include TF_RESULTS
};

static void compare(void *user, const char *step, uint64_t value, const struct findings *findings)
{
    size_t *next = user;
    char message[FINDINGS_TEXT];
    assert_true(*next < sizeof recorded / sizeof recorded[0]);
    assert_string_equal(step, recorded[*next].step);
    if (findings_differ(findings, recorded[*next].lines, message))
        fail_msg("step \"%s\", %s", step, message);
    if (value != recorded[*next].value)
        fail_msg("step \"%s\" has findings of other lengths than ttsim; no word differs", step);
    ++*next;
}

static void test_same_as_ttsim(void **state)
{
    struct api *api = *state;
    size_t next = 0;
    drive(api, compare, &next);
    assert_int_equal(next, sizeof recorded / sizeof recorded[0]);
}

/* On one worker and on many, with short epochs: the host sees the same. */
static void test_on_other_workers(void **state)
{
    struct api *api = *state;
    size_t next = 0;
    setenv("TILEFARM_THREADS", "5", 1);
    setenv("TILEFARM_EPOCH", "64:128", 1);
    drive(api, compare, &next);
    unsetenv("TILEFARM_THREADS");
    unsetenv("TILEFARM_EPOCH");
    assert_int_equal(next, sizeof recorded / sizeof recorded[0]);
}

int main(void)
{
    struct api api;
    if (api_load(&api, TF_LIBTTSIM) != 0)
        return 1;
    void *state = &api;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_same_as_ttsim, state),
        cmocka_unit_test_prestate(test_on_other_workers, state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
