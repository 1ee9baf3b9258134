/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The row `small-runs`: how many short tests a host gets through. A test is what suites of kernels run by the thousand:
 * a new chip, one tile whose three coprocessor threads add faces, and the end. A side of N threads runs N tests side by
 * side, as `pytest -n N` does. Each test has a process and a CPU of its own.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/bench/bench.h"
#include "cli/bench/engine.h"
#include "cli/process.h"
#include "pool/place.h"
#include "host/file.h"
#include "tilefarm_bench.h"

#define FACES 8u /* rounds of the program in one test */

/* The device programs of a test. */
static const struct bench_row test_row = {
    .name = "small-runs",
    .measure = bench_program,
    .program = TF_BENCH_ADD_FACES,
    .tiles = 1,
    .cores = 0x1C, /* T0 to T2 */
    .work = 1,
};

/* A test uses one tile. Nothing is loaded into other tiles. */
static bool write_tile(struct bench_engine *engine, uint64_t address, const void *data, uint32_t bytes)
{
    return engine->ops->write(engine, 0, address, data, bytes);
}

/* Run some tests with one thread each, on chips like those of a side. */
static bool run_tests(const struct bench_side *of, uint32_t tests)
{
    struct bench_side side = *of;
    side.threads = 1;
    struct bench_engine_ops ops = bench_farm_ops;
    ops.write_all = write_tile;
    for (uint32_t i = 0; i < tests; i++) {
        struct bench_engine engine;
        struct bench_sample sample = {.right = false};
        if (!bench_engine_init(&engine, &side))
            return false;
        engine.ops = &ops;
        if (!engine.ops->open(&engine))
            return false;
        bench_program(&test_row, &engine, FACES, &sample);
        engine.ops->close(&engine);
        if (!sample.right)
            return false;
    }
    return true;
}

static void bind_to(int cpu)
{
    const size_t cpus = (size_t)cpu + 1;
    cpu_set_t *set = cpu >= 0 ? CPU_ALLOC(cpus) : NULL;
    if (set == NULL)
        return; /* the host decides */
    CPU_ZERO_S(CPU_ALLOC_SIZE(cpus), set);
    CPU_SET_S((size_t)cpu, CPU_ALLOC_SIZE(cpus), set);
    sched_setaffinity(0, CPU_ALLOC_SIZE(cpus), set);
    CPU_FREE(set);
}

/* Begin the process of a worker. The process writes a byte when it is ready, waits until `begin` closes, and runs
   tests. */
static pid_t begin_worker(const struct bench_side *side, int cpu, uint32_t tests, const int ready[2],
                          const int begin[2])
{
    char byte = 0;
    pid_t process = tf_process_begin(getpid());
    if (process != 0)
        return process;
    close(begin[1]);
    close(ready[0]);
    bind_to(cpu);
    bool right = run_tests(side, 1) && tf_write_all(ready[1], &byte, 1);
    close(ready[1]); /* so that the caller does not wait for a process that has died */
    while (right && read(begin[0], &byte, 1) < 0 && errno == EINTR)
        continue;
    _exit(right && run_tests(side, tests) ? 0 : 1);
}

/* Wait for a worker. Returns false if one of its tests failed. */
static bool end_worker(pid_t process)
{
    int status = -1;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Run tests / workers tests in each of as many processes. Returns the seconds from the moment when all are ready, or 0
   if a test failed. */
static double run_workers(const struct tf_topology *topology, const struct bench_side *side, uint32_t tests)
{
    int ready[2] = {-1, -1}, begin[2] = {-1, -1};
    pid_t process[TF_WORKERS_MAX];
    unsigned workers = 0;
    bool right = pipe(ready) == 0 && pipe(begin) == 0;
    for (; right && workers < topology->workers; workers += right) {
        uint32_t share = tests / topology->workers + (workers < tests % topology->workers);
        process[workers] = begin_worker(side, topology->worker[workers].cpu, share, ready, begin);
        right = process[workers] > 0;
    }
    close(ready[1]);
    for (unsigned i = 0; i < workers && right; i++) {
        char byte;
        right = tf_read_all(ready[0], &byte, 1);
    }
    double began = tf_seconds();
    close(begin[1]);
    for (unsigned i = 0; i < workers; i++)
        right = end_worker(process[i]) && right;
    double seconds = tf_seconds() - began;
    close(ready[0]);
    close(begin[0]);
    return right ? seconds : 0;
}

void bench_small_runs(const struct bench_row *row, struct bench_engine *engine, uint32_t rounds,
                      struct bench_sample *sample)
{
    struct tf_topology topology;
    (void)row;
    const struct tf_place_request request = {.threads = engine->side->threads,
                                             .tiles = bench_tiles(engine),
                                             .pin = true};
    tf_place_on_host(&request, &topology);
    sample->work = rounds;
    sample->seconds = run_workers(&topology, engine->side, rounds);
    sample->right = sample->seconds > 0;
    if (!sample->right)
        snprintf(sample->why, sizeof sample->why, "a test failed");
}
