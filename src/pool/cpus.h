/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The CPUs that this process may use, and where they lie in the host. Two files implement these functions, and a
 * library links one of them. cpus_hwloc.c asks hwloc, for the command and libtilefarm. cpus_mask.c reads the affinity
 * mask alone, for libraries that depend on nothing but libc: libttsim.so.
 *
 * Any thread may call any function, except where it says otherwise.
 */
#ifndef POOL_CPUS_H
#define POOL_CPUS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TF_NO_NUMA_NODE (-1)
#define TF_NUMA_NODES_MAX 1024u /* as many as Linux knows (MAX_NUMNODES) */

/* A CPU: what hwloc calls a PU. Numbers from 0 are in the order of the host's topology. */
struct tf_cpu {
    int number; /* of the operating system */
    int node;   /* number, by the operating system, of its nearest NUMA node with memory; TF_NO_NUMA_NODE: not known */
    uint16_t package, cache, core; /* numbers from 0; cache: the largest that CPUs share within a package */
    uint16_t kind;                 /* of its core: 0 for the fastest kind */
    uint16_t rank;                 /* its place among the CPUs of its core that the process may use */
    uint16_t turn;                 /* of its NUMA node: workers fill nodes in this order */
};

struct tf_cpus {
    unsigned online;                 /* CPUs of the host that are switched on */
    unsigned count;                  /* CPUs that the process may use: at least 1 */
    unsigned cores, packages, kinds; /* that have such CPUs */
    unsigned nodes;                  /* NUMA nodes of the host: 1..TF_NUMA_NODES_MAX */
    bool here; /* false: HWLOC_XMLFILE or HWLOC_SYNTHETIC describes another machine, and no thread can be bound */
    struct tf_cpu *cpu; /* in the order in which workers take them: pool/order.h */
    int *node;          /* number of each NUMA node, by the operating system */
    float *distance;    /* [nodes][nodes], by the host's firmware: the least is to itself; NULL: not known */
};

struct tf_message;

/* Can the CPUs of this host, or of the machine that HWLOC_XMLFILE or HWLOC_SYNTHETIC describes, be found? TF_OK;
   TF_ENOMEM; TF_ESYS: not the machine of that variable, which the message names. message may be NULL. */
int tf_cpus_check(struct tf_message *message);

/* Find the CPUs that the affinity mask of the process and its control groups allow. Errors as above. */
int tf_cpus_find(struct tf_cpus *cpus);
void tf_cpus_free(struct tf_cpus *cpus);

/* ---- Binding ---- */

/* Where a thread may run. */
struct tf_binding;

/* May the calling thread be bound to CPUs? Asks the kernel, and changes nothing. */
bool tf_cpus_may_bind(const struct tf_cpus *cpus);

/* Bind a thread to a CPU. Where the kernel refuses, the thread runs where it did. */
void tf_cpus_bind(pthread_t thread, int cpu);

/* Where the calling thread may run; NULL: not known. */
struct tf_binding *tf_binding_of_caller(void);
void tf_binding_apply(const struct tf_binding *binding, pthread_t thread);
void tf_binding_free(struct tf_binding *binding);

/* Ask for a NUMA node's memory in pages that have not been touched. Another node's memory is better than none. */
void tf_cpus_prefer_node(const struct tf_cpus *cpus, void *memory, size_t bytes, int node);

#endif
