/* SPDX-License-Identifier: Apache-2.0 */
/* Other work on the host: processes that compute while samples are taken. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/bench/bench.h"
#include "cli/bench/busy.h"
#include "cli/process.h"

static void compute(void)
{
    for (volatile unsigned i = 0;; i++)
        continue;
}

bool bench_busy_begin(struct bench_busy *busy, uint32_t processes)
{
    pid_t parent = getpid();
    *busy = (struct bench_busy){.process = calloc(processes + 1, sizeof *busy->process)};
    while (busy->process != NULL && busy->count < processes) {
        pid_t process = tf_process_begin(parent);
        if (process == 0)
            compute();
        if (process < 0)
            bench_busy_end(busy);
        else
            busy->process[busy->count++] = process;
    }
    return busy->process != NULL;
}

void bench_busy_end(struct bench_busy *busy)
{
    for (unsigned i = 0; i < busy->count; i++) {
        kill(busy->process[i], SIGKILL);
        tf_process_end(busy->process[i]);
    }
    free(busy->process);
    *busy = (struct bench_busy){.count = 0};
}
