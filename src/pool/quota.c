/* SPDX-License-Identifier: Apache-2.0 */
#include "pool/quota.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Read up to two numbers from a control group's file. Returns the count. */
static int read_numbers(const char *root, const char *controller, const char *group, const char *name, double *a,
                        double *b)
{
    char path[1024];
    snprintf(path, sizeof path, "%s%s%s/%s", root, controller, group, name);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return 0;
    int count = fscanf(file, "%lf %lf", a, b);
    fclose(file);
    return count;
}

/* The CPU quota of one group; 0 means no limit (cgroup v2 cpu.max, v1 cpu.cfs_*). */
static double group_quota(const char *root, bool v2, const char *group)
{
    double quota = 0, period = 0, rest;
    if (v2 && read_numbers(root, "", group, "cpu.max", &quota, &period) != 2)
        return 0;
    if (!v2 && (read_numbers(root, "/cpu", group, "cpu.cfs_quota_us", &quota, &rest) != 1 ||
                read_numbers(root, "/cpu", group, "cpu.cfs_period_us", &period, &rest) != 1))
        return 0;
    return quota > 0 && period > 0 ? quota / period : 0;
}

/* The least quota of a group and its ancestors. The root of a namespace shows the group's own files. */
static double ancestors_quota(const char *root, bool v2, char *group)
{
    double least = 0;
    if (strcmp(group, "/") == 0)
        group[0] = '\0';
    for (;;) {
        double quota = group_quota(root, v2, group);
        if (quota > 0 && (least == 0 || quota < least))
            least = quota;
        char *slash = strrchr(group, '/');
        if (slash == NULL)
            return least;
        *slash = '\0';
    }
}

/* Is the CPU controller in a list like "cpu,cpuacct"? Its files are in the folder cpu. */
static bool names_cpu(const char *controllers)
{
    const char *at = controllers;
    while (strncmp(at, "cpu", 3) != 0 || (at[3] != '\0' && at[3] != ',')) {
        at = strchr(at, ',');
        if (at == NULL)
            return false;
        at++;
    }
    return true;
}

double tf_quota(const char *membership, const char *root)
{
    char line[512];
    double least = 0;
    FILE *groups = fopen(membership, "re");
    if (groups == NULL)
        return 0;
    while (fgets(line, sizeof line, groups) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
        if (group == NULL)
            continue;
        *group++ = '\0';
        controllers++;
        bool v2 = controllers[0] == '\0';
        if (!v2 && !names_cpu(controllers))
            continue;
        double quota = ancestors_quota(root, v2, group);
        if (quota > 0 && (least == 0 || quota < least))
            least = quota;
    }
    fclose(groups);
    return least;
}

unsigned tf_quota_whole(double quota)
{
    return (unsigned)(quota + 0.999);
}

unsigned tf_quota_of(unsigned cpus, double quota)
{
    return quota > 0 && quota < cpus ? tf_quota_whole(quota) : cpus;
}
