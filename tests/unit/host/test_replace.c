/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are replaced whole: nothing else stays in their folder, whatever happens. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "host/file.h"
#include "host/replace.h"

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

static void put(struct tf_replaced *file, const char *text)
{
    assert_true(tf_write_all(file->fd, text, strlen(text)));
}

static void holds(const char *path, const char *text)
{
    char data[64] = "";
    int fd = open(path, O_RDONLY);
    assert_true(fd >= 0);
    size_t bytes = tf_read_up_to(fd, data, sizeof data - 1);
    close(fd);
    data[bytes] = '\0';
    assert_string_equal(data, text);
}

static void write_whole(const char *path, const char *text)
{
    struct tf_replaced file;
    assert_int_equal(tf_replace_open(&file, path), 0);
    put(&file, text);
    assert_int_equal(tf_replace_commit(&file), 0);
}

static void test_commit(void **state)
{
    (void)state;
    write_whole("file", "one");
    write_whole("file", "two");
    holds("file", "two");
    assert_int_equal(entries(), 1);
}

static void test_discard(void **state)
{
    (void)state;
    struct tf_replaced file;
    write_whole("file", "one");
    assert_int_equal(tf_replace_open(&file, "file"), 0);
    put(&file, "two");
    tf_replace_discard(&file);
    tf_replace_discard(&file);
    holds("file", "one");
    assert_int_equal(entries(), 1);
}

/* A process whose standard input is closed gets its descriptor, and gives it back. */
static void test_first_descriptor(void **state)
{
    (void)state;
    struct tf_replaced file;
    const int kept = dup(0);
    close(0);
    assert_int_equal(tf_replace_open(&file, "file"), 0);
    const int number = file.fd;
    tf_replace_discard(&file);
    const bool open = fcntl(0, F_GETFD) != -1;
    if (kept >= 0) {
        dup2(kept, 0);
        close(kept);
    }
    assert_int_equal(number, 0);
    assert_false(open);
}

/* The longest name that a folder can have. */
static void test_long_name(void **state)
{
    (void)state;
    char name[NAME_MAX + 2];
    memset(name, 'n', sizeof name - 1);
    name[NAME_MAX] = '\0';
    write_whole(name, "long");
    holds(name, "long");
    assert_int_equal(entries(), 1);
    name[NAME_MAX] = 'n';
    name[NAME_MAX + 1] = '\0';
    struct tf_replaced file;
    if (tf_replace_open(&file, name) == 0)
        assert_int_equal(tf_replace_commit(&file), ENAMETOOLONG);
    assert_int_equal(entries(), 1);
}

/* Until it replaces its target, a file is a hidden one beside it. */
static void test_hidden(void **state)
{
    (void)state;
    struct tf_replaced file;
    assert_int_equal(mkdir("inner", 0700), 0);
    assert_int_equal(tf_replace_open(&file, "inner/file"), 0);
    DIR *inner = opendir("inner");
    unsigned count = 0;
    assert_non_null(inner);
    for (struct dirent *entry; (entry = readdir(inner)) != NULL; count++)
        assert_int_equal(entry->d_name[0], '.');
    closedir(inner);
    assert_int_equal(count, 3);
    tf_replace_discard(&file);
}

static void test_busy(void **state)
{
    (void)state;
    struct tf_replaced first, second;
    assert_int_equal(tf_replace_open(&first, "file"), 0);
    assert_int_equal(tf_replace_open(&second, "file"), EBUSY);
    assert_int_equal(tf_replace_open(&second, "other"), 0);
    put(&first, "kept");
    assert_int_equal(tf_replace_commit(&second), 0);
    assert_int_equal(tf_replace_commit(&first), 0);
    holds("file", "kept");
    assert_int_equal(entries(), 2);
}

/* A process with the number of this one was killed. */
static void test_stale(void **state)
{
    (void)state;
    struct tf_replaced killed;
    assert_int_equal(tf_replace_open(&killed, "file"), 0);
    put(&killed, "what was left is longer");
    close(killed.fd);
    free(killed.temporary);
    free(killed.target);
    assert_int_equal(entries(), 1);
    write_whole("file", "new");
    holds("file", "new");
    assert_int_equal(entries(), 1);
}

/* Something else has the name of the temporary file. */
static void test_occupied(void **state)
{
    (void)state;
    struct tf_replaced file;
    assert_int_equal(tf_replace_open(&file, "file"), 0);
    char *name = strdup(file.temporary);
    assert_non_null(name);
    tf_replace_discard(&file);
    assert_int_equal(mkdir(name, 0700), 0);
    assert_int_not_equal(tf_replace_open(&file, "file"), 0);
    assert_int_equal(rmdir(name), 0);
    assert_int_equal(symlink("victim", name), 0);
    assert_int_not_equal(tf_replace_open(&file, "file"), 0);
    assert_int_equal(access("victim", F_OK), -1);
    free(name);
}

static void test_abandon(void **state)
{
    (void)state;
    struct tf_replaced file;
    assert_int_equal(tf_replace_open(&file, "file"), 0);
    put(&file, "half");
    tf_replace_abandon("file");
    assert_int_equal(entries(), 0);
    tf_replace_abandon("file");
    tf_replace_discard(&file);
}

static void test_same(void **state)
{
    (void)state;
    write_whole("one", "x");
    write_whole("two", "x");
    assert_int_equal(symlink("one", "link"), 0);
    assert_int_equal(link("one", "hard"), 0);
    assert_true(tf_file_is_same("one", "link"));
    assert_true(tf_file_is_same("./one", "hard"));
    assert_false(tf_file_is_same("one", "two"));
    assert_false(tf_file_is_same("one", "none"));
    assert_false(tf_file_is_same("/dev/null", "/dev/null"));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, enter, leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_commit), TEST(test_discard),  TEST(test_first_descriptor), TEST(test_long_name), TEST(test_busy),
        TEST(test_stale),  TEST(test_occupied), TEST(test_abandon),          TEST(test_same),      TEST(test_hidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
