/* SPDX-License-Identifier: Apache-2.0 */
/* The quotas of control groups, in both versions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "pool/quota.h"

static void test_whole(void **state)
{
    (void)state;
    assert_int_equal(tf_quota_whole(0.1), 1);
    assert_int_equal(tf_quota_whole(1), 1);
    assert_int_equal(tf_quota_whole(1.5), 2);
    assert_int_equal(tf_quota_whole(2), 2);
    assert_int_equal(tf_quota_whole(63.01), 64);
    assert_int_equal(tf_quota_of(8, 0), 8);
    assert_int_equal(tf_quota_of(8, 2.5), 3);
    assert_int_equal(tf_quota_of(8, 8), 8);
    assert_int_equal(tf_quota_of(8, 100), 8);
    assert_int_equal(tf_quota_of(8, 0.01), 1);
}

/* A file of a group, below the folder that the test is in. */
static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void expect_quota(double quota)
{
    assert_int_equal(100 * tf_quota("membership", "root"), 100 * quota);
}

/* The least quota of a process's groups and of the groups around them, in both versions of control groups. */
static void test_quota(void **state)
{
    char folder[] = "/tmp/test_quota_XXXXXX";
    static const char *const folders[] = {"root", "root/a", "root/a/b", "root/cpu", "root/cpu/c"};
    static const char *const files[] = {"root/cpu.max",
                                        "root/a/cpu.max",
                                        "root/a/b/cpu.max",
                                        "root/cpu/c/cpu.cfs_quota_us",
                                        "root/cpu/c/cpu.cfs_period_us",
                                        "membership"};
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(mkdir(folders[i], 0700), 0);
    expect_quota(0); /* no membership */
    put("membership", "0::/a/b\n");
    expect_quota(0); /* no quota */
    put("root/a/b/cpu.max", "max 100000\n");
    expect_quota(0);
    put("root/a/b/cpu.max", "150000 100000\n");
    expect_quota(1.5);
    put("root/a/cpu.max", "50000 100000\n");
    expect_quota(0.5);
    put("root/cpu.max", "20000 100000\n"); /* of the root of a namespace */
    expect_quota(0.2);
    put("root/cpu/c/cpu.cfs_quota_us", "300000\n");
    put("root/cpu/c/cpu.cfs_period_us", "100000\n");
    put("membership", "4:memory:/x\n3:cpu,cpuacct:/c\n");
    expect_quota(3);
    put("membership", "4:cpuacct:/c\n3:cpuset,cpu,x:/c\n");
    expect_quota(3);
    put("membership", "4:cpuacct:/c\n3:cpuset:/c\n"); /* other controllers, whose groups are not those of cpu */
    expect_quota(0);
    put("membership", "3:cpu:/c\n");
    expect_quota(3);
    put("root/cpu/c/cpu.cfs_quota_us", "-1\n");
    expect_quota(0);
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(unlink(files[i]), 0);
    for (unsigned i = 5; i-- > 0;)
        assert_int_equal(rmdir(folders[i]), 0);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_whole), cmocka_unit_test(test_quota)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
