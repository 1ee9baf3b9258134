/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that was compiled with the headers of a release, on today's library: each field that it sets is the one
 * that the library reads. CMakeLists.txt puts the release's headers first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tilefarm/tilefarm.h"
#include "tilefarm/tilefarm_files.h"
#include "tilefarm/tilefarm_system.h"

static void expect_refused(const struct tf_config *config, const char *names)
{
    struct tf_chip *chip = NULL;
    struct tf_message message = {.text = ""};
    assert_int_equal(tf_chip_create(config, &chip, &message), TF_EINVAL);
    assert_null(chip);
    if (strstr(message.text, names) == NULL)
        fail_msg("the message about %s is: %s", names, message.text);
}

#define REFUSES(field_, value_)           \
    do {                                  \
        struct tf_config config;          \
        tf_config_init(&config);          \
        config.field_ = (value_);         \
        expect_refused(&config, #field_); \
    } while (0)

static void refusals_name_the_field_that_was_set(void **state)
{
    (void)state;
    REFUSES(slice_cycles, 1);
    REFUSES(epoch_cycles_min, 1);
    REFUSES(epoch_cycles_max, 1);
    REFUSES(niu_requests_max, 0);
    REFUSES(late_cycles, 65537);
    REFUSES(threads, TF_WORKERS_MAX + 1);
    REFUSES(mode, (enum tf_mode)9);
    REFUSES(atomics, (enum tf_atomics)9);
    REFUSES(vectors, (enum tf_vectors)9);
    REFUSES(on_host_read, (void (*)(void *, uint64_t, void *, uint32_t))(uintptr_t)1);
    REFUSES(on_host_write, (void (*)(void *, uint64_t, const void *, uint32_t))(uintptr_t)1);
}

static void see_noc(void *user, const struct tf_noc_event *event)
{
    (void)user;
    (void)event;
}

static void see_epoch(void *user, uint64_t cycle)
{
    (void)cycle;
    ++*(unsigned *)user;
}

#define REFUSES_RELAXED(field_, value_)   \
    do {                                  \
        struct tf_config config;          \
        tf_config_init(&config);          \
        config.mode = TF_MODE_RELAXED;    \
        config.field_ = (value_);         \
        expect_refused(&config, #field_); \
    } while (0)

static void flags_and_callbacks_are_those_that_were_set(void **state)
{
    (void)state;
    unsigned epochs = 0;
    REFUSES_RELAXED(check, true);
    REFUSES_RELAXED(ordered_memory, true);
    REFUSES_RELAXED(on_noc, see_noc);
    REFUSES_RELAXED(on_epoch, see_epoch);
    struct tf_config config;
    tf_config_init(&config);
    config.threads = 1;
    config.on_epoch = see_epoch;
    config.user = &epochs;
    struct tf_chip *chip;
    assert_int_equal(tf_chip_create(&config, &chip, NULL), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_B, 0), TF_OK);
    const uint32_t jump = 0x0000006Fu; /* j . */
    struct tf_coord coord;
    assert_int_equal(tf_tile_coord(NULL, 0, &coord), TF_OK);
    assert_int_equal(tf_write(chip, coord, 0, &jump, sizeof jump), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_B), TF_OK);
    const struct tf_run_options options = {.cycles_max = 10000};
    assert_int_equal(tf_run(chip, &options, NULL), TF_OK);
    assert_int_not_equal(epochs, 0);
    tf_chip_destroy(chip);
}

/* What the library fills lies where the program expects it, and nothing lies behind. */
static void structs_that_the_library_fills_end_where_they_ended(void **state)
{
    (void)state;
    struct {
        struct tf_stats stats;
        uint64_t guard[64];
    } room;
    memset(&room, 0x5A, sizeof room);
    struct tf_chip *chip;
    assert_int_equal(tf_chip_create(NULL, &chip, NULL), TF_OK);
    tf_stats(chip, &room.stats);
    assert_int_equal(room.stats.cycles, 0);
    for (unsigned i = 0; i < 64; i++)
        assert_true(room.guard[i] == 0x5A5A5A5A5A5A5A5Au);
    tf_chip_destroy(chip);
    struct {
        struct tf_config config;
        uint64_t guard[64];
    } own;
    memset(&own, 0x5A, sizeof own);
    tf_config_init(&own.config);
    for (unsigned i = 0; i < 64; i++)
        assert_true(own.guard[i] == 0x5A5A5A5A5A5A5A5Au);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals_name_the_field_that_was_set),
        cmocka_unit_test(flags_and_callbacks_are_those_that_were_set),
        cmocka_unit_test(structs_that_the_library_fills_end_where_they_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
