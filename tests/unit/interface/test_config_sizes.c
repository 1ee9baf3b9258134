/* SPDX-License-Identifier: Apache-2.0 */
/* Configurations of programs that were built with another version, and room that later versions may use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tilefarm/tilefarm.h"
#include "tilefarm/tilefarm_files.h"
#include "tilefarm/tilefarm_system.h"

/* A program that knows all fields but the last one. */
#define OLDER_BYTES offsetof(struct tf_config, explore)

static struct tf_config *older(void)
{
    struct tf_config *config = malloc(sizeof *config);
    assert_non_null(config);
    memset(config, 0x5A, sizeof *config); /* what lies behind is no field */
    tf_config_init_sized(config, OLDER_BYTES);
    config->threads = 1;
    return config;
}

static void expect_untouched(const struct tf_config *config)
{
    const uint8_t *byte = (const uint8_t *)config;
    for (size_t i = OLDER_BYTES; i < sizeof *config; i++)
        assert_int_equal(byte[i], 0x5A);
}

static void a_shorter_configuration_gets_defaults(void **state)
{
    (void)state;
    struct tf_config *config = older();
    struct tf_chip *chip, *fork;
    struct tf_message message = {.text = ""};
    char path[] = "/tmp/tilefarm-sizes-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    config->late_cycles = 3;
    assert_int_equal(tf_chip_create(config, &chip, &message), TF_OK);
    assert_int_equal(tf_chip_fork(chip, config, &fork, &message), TF_OK);
    assert_true(tf_state_hash(chip) == tf_state_hash(fork));
    assert_int_equal(tf_chip_save(chip, path, &message), TF_OK);
    config->late_cycles = 0;
    assert_int_equal(tf_saved_config(path, config, &message), TF_OK);
    assert_int_equal(config->late_cycles, 3);
    assert_int_equal(config->struct_bytes, OLDER_BYTES);
    const struct tf_files_wish wish = {.report = path};
    struct tf_files *files;
    assert_int_equal(tf_files_open(&wish, config, &files, &message), TF_OK);
    assert_non_null(config->on_print);
    expect_untouched(config);
    tf_chip_destroy(fork);
    tf_chip_destroy(chip);
    tf_files_close(files);
    unlink(path);
    free(config);
}

static void expect_refused(size_t struct_bytes, const char *part)
{
    struct tf_config config;
    struct tf_chip *chip;
    struct tf_message message = {.text = ""};
    tf_config_init(&config);
    config.struct_bytes = struct_bytes;
    assert_int_equal(tf_chip_create(&config, &chip, &message), TF_EINVAL);
    assert_non_null(strstr(message.text, part));
}

static void other_sizes_are_refused(void **state)
{
    (void)state;
    expect_refused(0, "tf_config_init()");
    expect_refused(SIZE_MAX, "tf_config_init()");
    expect_refused(OLDER_BYTES - 8, "tf_config_init()");
    expect_refused(OLDER_BYTES + 1, "tf_config_init()");
    expect_refused(sizeof(struct tf_config) + 8, "a later version");
}

static void reserved_bytes_are_zero(void **state)
{
    (void)state;
    struct tf_config config;
    struct tf_chip *chip;
    struct tf_message message = {.text = ""};
    tf_config_init(&config);
    config.reserved[6] = 1;
    assert_int_equal(tf_chip_create(&config, &chip, &message), TF_EINVAL);
    assert_non_null(strstr(message.text, "a later version"));
}

static void a_longer_configuration_is_filled(void **state)
{
    (void)state;
    struct {
        struct tf_config config;
        uint64_t later[2];
    } program;
    memset(&program, 0x5A, sizeof program);
    tf_config_init_sized(&program.config, sizeof program);
    assert_int_equal(program.config.struct_bytes, sizeof program);
    assert_true(program.config.parking);
    assert_true(program.later[0] == 0 && program.later[1] == 0);
}

static void systems_take_shorter_configurations(void **state)
{
    (void)state;
    static struct tf_link_fault fault[TF_LINK_FAULTS_MAX];
    struct tf_cluster cluster;
    struct tf_system_config *config = malloc(sizeof *config);
    struct tf_system *system;
    struct tf_message message = {.text = ""};
    assert_non_null(config);
    assert_int_equal(tf_cluster_find("p300", &cluster, NULL), TF_OK);
    memset(config, 0x5A, sizeof *config);
    tf_system_config_init_sized(config, offsetof(struct tf_system_config, chip.explore));
    expect_untouched(&config->chip);
    config->cluster = &cluster;
    config->chip.threads = 1;
    config->chip.late_cycles = 65537;
    assert_int_equal(tf_system_create(config, &system, &message), TF_EINVAL);
    assert_non_null(strstr(message.text, "late_cycles"));
    config->chip.late_cycles = 0;
    config->reserved[sizeof config->reserved / sizeof config->reserved[0] - 1] = 1;
    assert_int_equal(tf_system_create(config, &system, &message), TF_EINVAL);
    memset(config->reserved, 0, sizeof config->reserved);
    assert_int_equal(tf_system_create(config, &system, &message), TF_OK);
    tf_system_destroy(system);
    config->struct_bytes += 8;
    assert_int_equal(tf_system_create(config, &system, &message), TF_EINVAL);
    config->struct_bytes = 8; /* the file is not looked at */
    assert_int_equal(tf_saved_system_config("no-such-file", config, &cluster, fault, &message), TF_EINVAL);
    free(config);
}

static void room_for_later_versions_is_zero(void **state)
{
    (void)state;
    struct tf_config config;
    struct tf_chip *chip;
    struct tf_files *files;
    struct tf_message message = {.text = ""};
    tf_config_init(&config);
    config.threads = 1;
    const struct tf_files_wish wish = {.reserved = {[7] = "later"}};
    assert_int_equal(tf_files_open(&wish, &config, &files, &message), TF_EINVAL);
    assert_int_equal(tf_chip_create(&config, &chip, NULL), TF_OK);
    struct tf_run_options options = {.reserved = {[3] = 1}};
    assert_int_equal(tf_run(chip, &options, NULL), TF_EINVAL);
    options.reserved[3] = 0;
    assert_int_equal(tf_run(chip, &options, NULL), TF_OK);
    tf_chip_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shorter_configuration_gets_defaults), cmocka_unit_test(other_sizes_are_refused),
        cmocka_unit_test(a_longer_configuration_is_filled),      cmocka_unit_test(reserved_bytes_are_zero),
        cmocka_unit_test(systems_take_shorter_configurations),   cmocka_unit_test(room_for_later_versions_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
