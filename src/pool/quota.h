/* SPDX-License-Identifier: Apache-2.0 */
/* How much processor time control groups grant to this process. Any thread. */
#ifndef POOL_QUOTA_H
#define POOL_QUOTA_H

/* The number of workers that may run at a time under a quota of CPUs, rounded up. */
unsigned tf_quota_whole(double quota);

/* The CPUs that control groups grant to a process; 0: no limit. membership: its groups, as in /proc/self/cgroup. root:
   where groups are, /sys/fs/cgroup. */
double tf_quota(const char *membership, const char *root);

/* How many of these CPUs a quota grants, rounded up; 0 as quota: all. At least 1, if `cpus` is not 0. */
unsigned tf_quota_of(unsigned cpus, double quota);

#endif
