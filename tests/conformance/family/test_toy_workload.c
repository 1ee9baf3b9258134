/* SPDX-License-Identifier: Apache-2.0 */
/* A workload of the command runs on the toy family: its host part asks the family's table alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "cli/workloads/list.h"
#include "cli/workloads/workload.h"
#include "images.h"
#include "tilefarm/tilefarm_chip.h"
#include "tilefarm_layout.h"
#include "toy_family.h"

#define PROGRAM_BYTES_MAX (64u << 10)

/* The programs of this family, instead of those in the command: "toy/mixed.b" and so on. */
const struct tf_kernel_image *tf_kernel_find(const char *name)
{
    static uint8_t data[PROGRAM_BYTES_MAX];
    static struct tf_kernel_image image = {.data = data};
    char path[512];
    if (strncmp(name, "toy/", 4) != 0)
        return NULL;
    snprintf(path, sizeof path, "%s/%s.elf", TOY_PROGRAMS, name + 4);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    image.name = name;
    image.end = data + fread(data, 1, sizeof data, file);
    fclose(file);
    return &image;
}

static struct tf_chip *chip_of(enum tf_mode mode, unsigned threads)
{
    struct chip_wish config;
    struct tf_chip *chip = NULL;
    struct tf_message message = {""};
    chip_wish_init(&config);
    config.arch = &toy_family;
    config.mode = mode;
    config.threads = threads;
    if (chip_wish_create(&config, &chip, &message) != TF_OK)
        fail_msg("%s", message.text);
    return chip;
}

/* Returns the state hash. spoil: change a result before the workload checks them. */
static uint64_t run(enum tf_mode mode, unsigned threads, bool spoil)
{
    const struct tf_workload *workload = tf_workload_find("mixed");
    const struct tf_workload_options options = {.scale = 1, .seed = 7};
    struct tf_chip *chip = chip_of(mode, threads);
    struct tf_message message = {""};
    enum tf_end end;
    void *work = NULL;
    assert_non_null(workload);
    if (workload->setup(chip, &options, &work, &message) != TF_OK)
        fail_msg("%s", message.text);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    uint64_t hash = tf_state_hash(chip);
    if (spoil) {
        const uint32_t word = 0;
        assert_int_equal(tf_write(chip, (struct tf_coord){2, 1}, TF_K_RESULT, &word, sizeof word), TF_OK);
    }
    int verdict = workload->verify(chip, work, &message);
    if (!spoil && verdict != TF_OK)
        fail_msg("%s", message.text);
    assert_int_equal(verdict, spoil ? TF_WORKLOAD_WRONG : TF_OK);
    workload->release(work);
    tf_chip_destroy(chip);
    return hash;
}

static void test_mixed(void **state)
{
    (void)state;
    const uint64_t hash = run(TF_MODE_DETERMINISTIC, 1, false);
    assert_true(run(TF_MODE_DETERMINISTIC, 2, false) == hash);
    run(TF_MODE_RELAXED, 2, false);
}

static void test_wrong_result(void **state)
{
    (void)state;
    run(TF_MODE_DETERMINISTIC, 1, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_wrong_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
