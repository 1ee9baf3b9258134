/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/process.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/text.h"
#include "pool/quota.h"

pid_t tf_process_begin(pid_t parent)
{
    pid_t process = fork();
    if (process < 0)
        tf_cli_error("the host refuses a process: %s", strerror(errno));
    if (process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) /* the parent ended before */
            _exit(1);
    }
    return process;
}

int tf_process_end(pid_t process)
{
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

unsigned tf_process_cpus(void)
{
    cpu_set_t allowed;
    int count = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
    return tf_quota_of(count > 0 ? (unsigned)count : 1, tf_quota("/proc/self/cgroup", "/sys/fs/cgroup"));
}
