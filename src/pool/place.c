/* SPDX-License-Identifier: Apache-2.0 */
#include "pool/place.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "host/extremes.h"
#include "pool/quota.h"

#define LOOKS 4u
#define PAUSE_NS 200000

/* The number of the host's threads that run or could run, this thread included (proc(5), loadavg). 0 if the kernel does
   not say. */
static unsigned count_runnable(void)
{
    unsigned running = 0;
    FILE *file = fopen("/proc/loadavg", "re");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%*f %*f %*f %u/", &running) != 1)
        running = 0;
    fclose(file);
    return running;
}

/* Count the other threads that want a CPU. The least of several counts leaves out threads that run only for a
   moment. */
static unsigned count_others(void)
{
    unsigned others = UINT_MAX;
    for (unsigned look = 0; look < LOOKS && others > 0; look++) {
        if (look > 0)
            nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
        unsigned running = count_runnable();
        unsigned running_others = running > 0 ? running - 1 : 0;
        others = tf_min(running_others, others);
    }
    return others;
}

unsigned tf_place_free(unsigned cores, unsigned online, unsigned others)
{
    uint64_t taken = online > cores ? (uint64_t)others * cores / online : others;
    return taken < cores ? cores - (unsigned)taken : 1;
}

/* If other threads run, the host knows better which CPUs are idle. If the caller chose the number of workers, it wants
   them all. They are pinned if the other threads have CPUs of their own. */
static bool pays_to_pin(const struct tf_topology *topology, unsigned threads)
{
    return threads == 0 ? topology->others == 0 : topology->others + threads <= topology->cpus_online;
}

unsigned tf_place_most(const struct tf_topology *topology)
{
    return tf_quota_of(topology->cores, topology->cpu_quota);
}

static unsigned count_workers(const struct tf_topology *topology, const struct tf_place_request *request)
{
    if (request->threads != 0)
        return request->threads;
    unsigned workers = tf_place_free(topology->cores, topology->cpus_online, topology->others);
    workers = tf_min(workers, tf_place_most(topology));
    workers = tf_min(workers, request->tiles);
    workers = tf_min(workers, TF_WORKERS_MAX);
    return workers != 0 ? workers : 1;
}

static void place_worker(const struct tf_cpus *cpus, unsigned tiles, unsigned number, struct tf_topology *topology)
{
    struct tf_worker_place *worker = &topology->worker[number];
    const struct tf_cpu *cpu = &cpus->cpu[number % cpus->count];
    worker->cpu = topology->pinned ? cpu->number : -1;
    worker->numa_node = cpu->node;
    worker->smt_sibling = cpu->rank > 0;
    worker->tile_first = (unsigned)((uint64_t)tiles * number / topology->workers);
    worker->tile_count = (unsigned)((uint64_t)tiles * (number + 1) / topology->workers) - worker->tile_first;
}

static void warn(const struct tf_cpus *cpus, struct tf_topology *topology)
{
    if (topology->workers > cpus->count)
        snprintf(topology->warning, sizeof topology->warning,
                 "%u workers on %u allowed CPUs: they take turns, and do not spin", topology->workers, cpus->count);
    else if (!cpus->here)
        snprintf(topology->warning, sizeof topology->warning,
                 "HWLOC_XMLFILE or HWLOC_SYNTHETIC describes another machine; workers run where the host puts them");
}

void tf_place_workers(const struct tf_cpus *cpus, const struct tf_place_request *request, struct tf_topology *topology)
{
    memset(topology, 0, sizeof *topology);
    topology->cpus_online = cpus->online;
    topology->cpus_allowed = cpus->count;
    topology->cores = cpus->cores;
    topology->numa_nodes = cpus->nodes;
    topology->cpu_quota = tf_quota("/proc/self/cgroup", "/sys/fs/cgroup");
    topology->others = request->yield && request->threads != 1 ? count_others() : 0;
    topology->workers = count_workers(topology, request);
    bool may_pin = request->pin && tf_cpus_may_bind(cpus);
    if (request->pin && cpus->here && !may_pin)
        snprintf(topology->warning, sizeof topology->warning,
                 "no permission to pin workers; they run where the host puts them");
    topology->pinned = may_pin && topology->workers <= cpus->count && pays_to_pin(topology, request->threads);
    for (unsigned i = 0; i < topology->workers; i++)
        place_worker(cpus, request->tiles, i, topology);
    warn(cpus, topology);
}

void tf_place_on_host(const struct tf_place_request *request, struct tf_topology *topology)
{
    struct tf_cpu one = {.number = 0, .node = TF_NO_NUMA_NODE};
    struct tf_cpus cpus;
    bool found = tf_cpus_find(&cpus) == TF_OK;
    if (!found)
        cpus =
            (struct tf_cpus){.online = 1, .count = 1, .cores = 1, .packages = 1, .kinds = 1, .nodes = 1, .cpu = &one};
    tf_place_workers(&cpus, request, topology);
    if (found)
        tf_cpus_free(&cpus);
}
