/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/cli.h"
#include "cli/file.h"

/* Each test has a folder of its own; it is the current one. */
static int enter(void **state)
{
    char folder[] = "/tmp/tilefarm-test-XXXXXX";
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return -1;
    *state = strdup(folder);
    return *state == NULL ? -1 : 0;
}

static unsigned entries(void)
{
    unsigned count = 0;
    DIR *folder = opendir(".");
    assert_non_null(folder);
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count - 2;
}

static int leave(void **state)
{
    DIR *folder = opendir(".");
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;)
        if (unlink(entry->d_name) != 0)
            rmdir(entry->d_name);
    closedir(folder);
    int result = chdir("/") != 0 || rmdir(*state) != 0 ? -1 : 0;
    free(*state);
    return result;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void holds(const char *path, const char *text)
{
    size_t bytes;
    char *data = tf_cli_read_file(path, &bytes);
    assert_non_null(data);
    assert_int_equal(bytes, strlen(text));
    assert_memory_equal(data, text, bytes);
    free(data);
}

static void test_commit(void **state)
{
    (void)state;
    struct tf_output output;
    assert_true(tf_output_open(&output, "new"));
    fputs("hello", output.file);
    assert_int_equal(access("new", F_OK), -1);
    assert_true(tf_output_commit(&output));
    holds("new", "hello");
    assert_int_equal(entries(), 1);
    tf_output_discard(&output);
    holds("new", "hello");
}

static void test_discard(void **state)
{
    (void)state;
    put("old", "before");
    struct tf_output output;
    assert_true(tf_output_open(&output, "old"));
    fputs("half", output.file);
    fflush(output.file);
    holds("old", "before");
    tf_output_discard(&output);
    tf_output_discard(&output);
    holds("old", "before");
    assert_int_equal(entries(), 1);
}

static void test_replace_keeps_mode(void **state)
{
    (void)state;
    put("old", "before");
    chmod("old", 0640);
    struct tf_output output;
    assert_true(tf_output_open(&output, "old"));
    fputs("after", output.file);
    assert_true(tf_output_commit(&output));
    holds("old", "after");
    struct stat status;
    assert_int_equal(stat("old", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
}

static void test_link_is_followed(void **state)
{
    (void)state;
    put("old", "before");
    assert_int_equal(symlink("old", "link"), 0);
    struct tf_output output;
    assert_true(tf_output_open(&output, "link"));
    fputs("after", output.file);
    assert_true(tf_output_commit(&output));
    holds("old", "after");
    struct stat status;
    assert_int_equal(lstat("link", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
}

static void test_unwritable(void **state)
{
    (void)state;
    assert_int_equal(mkdir("folder", 0777), 0);
    struct tf_output output;
    assert_false(tf_output_open(&output, "folder"));
    assert_null(output.file);
    assert_false(tf_output_open(&output, "none/file"));
    assert_false(tf_output_open(&output, ""));
    assert_int_equal(entries(), 1);
    if (geteuid() != 0) {
        put("fixed", "x");
        chmod("fixed", 0444);
        assert_false(tf_output_open(&output, "fixed"));
    }
}

static void test_one_file_for_two_outputs(void **state)
{
    (void)state;
    struct tf_output first, second;
    assert_true(tf_output_open(&first, "one"));
    assert_false(tf_output_open(&second, "one"));
    fputs("kept", first.file);
    assert_true(tf_output_commit(&first));
    holds("one", "kept");
}

static void test_full_disk(void **state)
{
    (void)state;
    struct tf_output output;
    assert_true(tf_output_open(&output, "/dev/full"));
    fputs("lost", output.file);
    assert_false(tf_output_commit(&output));
    assert_null(output.file);
    assert_int_equal(access("/dev/full", F_OK), 0);
}

static void test_read(void **state)
{
    (void)state;
    size_t bytes = 99;
    assert_null(tf_cli_read_file("none", &bytes));
    assert_null(tf_cli_read_file(".", &bytes));
    put("empty", "");
    holds("empty", "");
    char *text = malloc(300001);
    assert_non_null(text);
    memset(text, 'x', 300000);
    text[300000] = '\0';
    put("long", text);
    holds("long", text);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_commit, enter, leave),
        cmocka_unit_test_setup_teardown(test_discard, enter, leave),
        cmocka_unit_test_setup_teardown(test_replace_keeps_mode, enter, leave),
        cmocka_unit_test_setup_teardown(test_link_is_followed, enter, leave),
        cmocka_unit_test_setup_teardown(test_unwritable, enter, leave),
        cmocka_unit_test_setup_teardown(test_one_file_for_two_outputs, enter, leave),
        cmocka_unit_test_setup_teardown(test_full_disk, enter, leave),
        cmocka_unit_test_setup_teardown(test_read, enter, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
