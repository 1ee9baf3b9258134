/* SPDX-License-Identifier: Apache-2.0 */
/* CPUs by the affinity mask of the process alone. Nothing is known of cores, caches and NUMA nodes. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pool/cpus.h"
#include "tilefarm/tilefarm_base.h"

#define CPUS_MAX 8192u /* as many as Linux knows (NR_CPUS) */

struct tf_binding {
    cpu_set_t part[CPUS_MAX / CPU_SETSIZE];
};

/* Do cores have several CPUs? */
static bool smt_active(void)
{
    FILE *file = fopen("/sys/devices/system/cpu/smt/active", "re");
    if (file == NULL)
        return false;
    int state = fgetc(file);
    fclose(file);
    return state == '1';
}

static void take_all(struct tf_cpus *cpus, const struct tf_binding *allowed)
{
    for (unsigned number = 0, i = 0; number < CPUS_MAX && i < cpus->count; number++)
        if (CPU_ISSET_S(number, sizeof *allowed, allowed->part)) {
            cpus->cpu[i] =
                (struct tf_cpu){.number = (int)number, .node = TF_NO_NUMA_NODE, .cache = 0, .core = (uint16_t)i};
            i++;
        }
}

/* No variable describes another machine to the affinity mask. */
int tf_cpus_check(struct tf_message *message)
{
    (void)message;
    return TF_OK;
}

/* Without a topology, half of the CPUs count as siblings where cores have several. */
int tf_cpus_find(struct tf_cpus *cpus)
{
    struct tf_binding allowed;
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    memset(&allowed, 0, sizeof allowed);
    if (sched_getaffinity(getpid(), sizeof allowed, allowed.part) != 0)
        CPU_SET_S(0, sizeof allowed, allowed.part);
    unsigned count = (unsigned)CPU_COUNT_S(sizeof allowed, allowed.part);
    *cpus = (struct tf_cpus){.count = count, .packages = 1, .kinds = 1, .nodes = 1, .here = true};
    cpus->online = online > 0 ? (unsigned)online : count;
    cpus->cores = smt_active() ? (count + 1) / 2 : count;
    cpus->cpu = malloc(count * sizeof *cpus->cpu);
    cpus->node = malloc(sizeof *cpus->node);
    if (cpus->cpu == NULL || cpus->node == NULL) {
        tf_cpus_free(cpus);
        return TF_ENOMEM;
    }
    cpus->node[0] = TF_NO_NUMA_NODE;
    take_all(cpus, &allowed);
    return TF_OK;
}

void tf_cpus_free(struct tf_cpus *cpus)
{
    free(cpus->cpu);
    free(cpus->node);
    cpus->cpu = NULL;
    cpus->node = NULL;
}

bool tf_cpus_may_bind(const struct tf_cpus *cpus)
{
    struct tf_binding now;
    return cpus->here && sched_getaffinity(0, sizeof now, now.part) == 0 &&
           sched_setaffinity(0, sizeof now, now.part) == 0;
}

void tf_cpus_bind(pthread_t thread, int cpu)
{
    struct tf_binding one;
    memset(&one, 0, sizeof one);
    CPU_SET_S((unsigned)cpu, sizeof one, one.part);
    pthread_setaffinity_np(thread, sizeof one, one.part);
}

struct tf_binding *tf_binding_of_caller(void)
{
    struct tf_binding *binding = malloc(sizeof *binding);
    if (binding != NULL && sched_getaffinity(0, sizeof *binding, binding->part) != 0) {
        free(binding);
        return NULL;
    }
    return binding;
}

void tf_binding_apply(const struct tf_binding *binding, pthread_t thread)
{
    pthread_setaffinity_np(thread, sizeof *binding, binding->part);
}

void tf_binding_free(struct tf_binding *binding)
{
    free(binding);
}

void tf_cpus_prefer_node(const struct tf_cpus *cpus, void *memory, size_t bytes, int node)
{
    (void)cpus; /* the kernel gives memory of the node of the thread that touches it first */
    (void)memory;
    (void)bytes;
    (void)node;
}
