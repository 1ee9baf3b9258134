/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where workers run: on the cores that affinity and control groups allow, one worker a core, SMT siblings last. The
 * lists of the kernel in sysfs are enough for this. A library that reads all of sysfs would open hundreds of files.
 */
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "farm/chip/chip.h"
#include "farm/chip/tiles.h"
#include "farm/host/cpus.h"
#include "farm/host/topology.h"
#include "host/extremes.h"

#define CPUS_MAX 8192u
#define NODES_MAX 1024u

/* A set of CPUs in the kernel's form. */
struct cpus {
    cpu_set_t part[CPUS_MAX / CPU_SETSIZE];
};

static bool has(const struct cpus *cpus, unsigned cpu)
{
    return cpu < CPUS_MAX && CPU_ISSET_S(cpu, sizeof *cpus, cpus->part);
}

/* The number of the highest CPU of a set, plus 1. */
static unsigned end_of(const struct cpus *cpus)
{
    static const cpu_set_t none;
    unsigned part = CPUS_MAX / CPU_SETSIZE, end;
    while (part > 0 && CPU_EQUAL(&cpus->part[part - 1], &none))
        part--;
    for (end = part * CPU_SETSIZE; end > 0 && !has(cpus, end - 1);)
        end--;
    return end;
}

/* The CPUs of the process. */
static void find_allowed(struct cpus *allowed)
{
    memset(allowed, 0, sizeof *allowed);
    if (sched_getaffinity(getpid(), sizeof *allowed, allowed->part) != 0)
        CPU_SET_S(0, sizeof *allowed, allowed->part);
}

/* Do cores have several CPUs? If the kernel does not say, the list of siblings of each core does. */
static bool smt_active(void)
{
    char state = '1';
    FILE *file = fopen("/sys/devices/system/cpu/smt/active", "re");
    if (file == NULL)
        return true;
    if (fread(&state, 1, 1, file) != 1)
        state = '1';
    fclose(file);
    return state != '0';
}

/* Count, for each allowed CPU, the allowed CPUs of its core that come before it. */
static void find_ranks(const struct cpus *allowed, uint8_t rank[CPUS_MAX])
{
    bool smt = smt_active();
    struct cpus known = {0};
    bool siblings[CPUS_MAX];
    const unsigned end = end_of(allowed);
    memset(rank, 0, end);
    for (unsigned cpu = 0; smt && cpu < end; cpu++) {
        char path[96];
        if (!has(allowed, cpu) || has(&known, cpu))
            continue;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list", cpu);
        if (!tf_cpus_listed(path, siblings, end))
            return;
        uint8_t before = 0;
        for (unsigned i = 0; i < end; i++)
            if (siblings[i] && has(allowed, i)) {
                rank[i] = before++;
                CPU_SET_S(i, sizeof known, known.part);
            }
    }
}

/* The NUMA node of each place, and the number of nodes; one where the kernel lists none. */
static unsigned find_nodes(struct tf_cpu_place *place, unsigned places)
{
    bool nodes[NODES_MAX], cpus[CPUS_MAX];
    unsigned count = 0;
    if (!tf_cpus_listed("/sys/devices/system/node/online", nodes, NODES_MAX))
        nodes[0] = true;
    for (unsigned node = 0; node < NODES_MAX; node++)
        count += nodes[node];
    bool several = count > 1;
    for (unsigned node = 0; node < NODES_MAX; node++) {
        char path[64];
        if (!nodes[node])
            continue;
        snprintf(path, sizeof path, "/sys/devices/system/node/node%u/cpulist", node);
        if (several && !tf_cpus_listed(path, cpus, CPUS_MAX))
            continue;
        for (unsigned i = 0; i < places; i++)
            if (!several || ((unsigned)place[i].cpu < CPUS_MAX && cpus[place[i].cpu]))
                place[i].node = (int)node;
    }
    return count;
}

/* List the allowed CPUs: first one CPU of each core, then the siblings. Returns the count. *cores: the number of CPUs
   without siblings. */
static unsigned find_places(const struct cpus *allowed, struct tf_cpu_place *place, unsigned *cores)
{
    uint8_t rank[CPUS_MAX];
    const unsigned end = end_of(allowed);
    unsigned count = 0;
    *cores = 0;
    find_ranks(allowed, rank);
    for (unsigned pass = 0; pass < 8 && count < TF_WORKERS_MAX; pass++)
        for (unsigned cpu = 0; cpu < end && count < TF_WORKERS_MAX; cpu++) {
            if (!has(allowed, cpu) || rank[cpu] != pass)
                continue;
            place[count++] = (struct tf_cpu_place){.cpu = (int)cpu, .node = -1, .rank = pass};
            *cores += pass == 0;
        }
    return count;
}

/* Ask the kernel to place the calling thread there. */
static bool may_pin(const struct cpus *allowed)
{
    struct cpus current = {0};
    return sched_getaffinity(0, sizeof current, current.part) == 0 &&
           sched_setaffinity(0, sizeof *allowed, allowed->part) == 0 &&
           sched_setaffinity(0, sizeof current, current.part) == 0;
}

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

unsigned tf_topology_free(unsigned cores, unsigned online, unsigned others)
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

static void place_workers(unsigned threads, unsigned tiles, const struct tf_cpu_place *place, unsigned places,
                          struct tf_topology *out)
{
    unsigned quota = out->cpu_quota > 0 ? tf_cpus_whole(out->cpu_quota) : places;
    unsigned automatic = tf_min(out->cores, quota);
    unsigned left = tf_topology_free(out->cores, out->cpus_online, out->others);
    automatic = tf_min(tf_min(automatic, left), tiles);
    out->workers = threads != 0 ? threads : automatic != 0 ? automatic : 1;
    out->pinned = out->pinned && out->workers <= places && pays_to_pin(out, threads);
    for (unsigned i = 0; i < out->workers; i++) {
        struct tf_worker_place *worker = &out->worker[i];
        worker->cpu = out->pinned ? place[i].cpu : -1;
        worker->numa_node = places != 0 ? place[i % places].node : -1;
        worker->smt_sibling = places != 0 && place[i % places].rank > 0;
        worker->tile_first = (unsigned)((uint64_t)tiles * i / out->workers);
        worker->tile_count = (unsigned)((uint64_t)tiles * (i + 1) / out->workers) - worker->tile_first;
    }
    if (out->workers > places && places != 0)
        snprintf(out->warning, sizeof out->warning, "%u workers on %u allowed CPUs: they take turns, and do not spin",
                 out->workers, places);
}

void tf_topology_find(unsigned threads, bool pin, bool yield, unsigned tiles, struct tf_topology *out)
{
    memset(out, 0, sizeof *out);
    struct tf_cpu_place place[TF_WORKERS_MAX];
    struct cpus allowed;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    find_allowed(&allowed);
    unsigned places = find_places(&allowed, place, &out->cores);
    out->cpus_online = online > 0 ? (unsigned)online : places;
    out->numa_nodes = find_nodes(place, places);
    tf_cpus_order(place, places);
    out->pinned = pin && places != 0 && may_pin(&allowed);
    if (pin && !out->pinned)
        snprintf(out->warning, sizeof out->warning, "no permission to pin workers; they run where the host puts them");
    out->cpus_allowed = places;
    out->cpu_quota = tf_cpus_quota("/proc/self/cgroup", "/sys/fs/cgroup");
    out->others = yield && threads != 1 ? count_others() : 0;
    place_workers(threads, tiles, place, places, out);
}

#define NODE_BITS (8 * sizeof(unsigned long))
#define PREFERRED 1 /* MPOL_PREFERRED: memory of another node is better than none */

void tf_topology_bind(const struct tf_topology *topology, const struct tf_tiles *tiles)
{
    if (topology->numa_nodes < 2)
        return;
    for (unsigned i = 0; i < topology->workers; i++) {
        const struct tf_worker_place *worker = &topology->worker[i];
        unsigned long nodes[NODES_MAX / NODE_BITS] = {0};
        if (worker->numa_node < 0 || worker->numa_node >= (int)NODES_MAX || worker->tile_count == 0)
            continue;
        nodes[(unsigned)worker->numa_node / NODE_BITS] = 1ul << (unsigned)worker->numa_node % NODE_BITS;
        syscall(SYS_mbind, tiles->l1 + (size_t)worker->tile_first * TF_SLOT_BYTES,
                (size_t)worker->tile_count * TF_SLOT_BYTES, PREFERRED, nodes, NODES_MAX, 0);
    }
}
