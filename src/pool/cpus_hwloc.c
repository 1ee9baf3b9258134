/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPUs by hwloc. The topology of the host is loaded once in a process, as that takes some milliseconds. Affinity mask
 * and control groups are asked each time.
 */
#include <hwloc.h>
#include <unistd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/message.h"
#include "pool/cpus.h"
#include "pool/cpus_hwloc.h"
#include "pool/order.h"
#include "tilefarm/tilefarm_base.h"

/* ---- The topology of the host ---- */

/* The variable that describes another machine, or NULL. hwloc has the same order: SYNTHETIC comes first, and other
   variables of hwloc come before both. */
static const char *describing_variable(void)
{
    static const char *const first[] = {"HWLOC_COMPONENTS", "HWLOC_FSROOT", "HWLOC_CPUID_PATH"};
    static const char *const variable[] = {"HWLOC_SYNTHETIC", "HWLOC_XMLFILE"};
    for (unsigned i = 0; i < sizeof first / sizeof first[0]; i++)
        if (getenv(first[i]) != NULL)
            return NULL;
    for (unsigned i = 0; i < sizeof variable / sizeof variable[0]; i++) {
        const char *value = getenv(variable[i]);
        if (value != NULL && value[0] != '\0')
            return variable[i];
    }
    return NULL;
}

/* hwloc itself ignores a description that it cannot read, and shows the host. These functions return an error. */
static bool describe(hwloc_topology_t topology)
{
    const char *variable = describing_variable();
    if (variable == NULL)
        return true;
    return (strcmp(variable, "HWLOC_XMLFILE") == 0 ? hwloc_topology_set_xml(topology, getenv(variable))
                                                   : hwloc_topology_set_synthetic(topology, getenv(variable))) == 0;
}

/* The x86 component would bind the calling thread to each CPU in turn; Linux tells what it could find. */
hwloc_topology_t tf_hwloc_load(void)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return NULL;
    hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
    /* Without sysfs, as in a bare chroot, this component prints a line, and finds nothing. */
    if (access("/sys/devices/system/cpu", F_OK) != 0 && access("/sys/bus/cpu/devices", F_OK) != 0)
        hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "linux");
    hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    if (describe(topology) && hwloc_topology_load(topology) == 0 &&
        hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU) > 0)
        return topology;
    hwloc_topology_destroy(topology);
    return NULL;
}

/* The host's topology, once it is loaded. It describes the host and no chip, is never written, and stays until the
   process ends. */
static _Atomic(hwloc_topology_t) loaded;

hwloc_topology_t tf_hwloc_host(void)
{
    hwloc_topology_t topology = atomic_load(&loaded), none = NULL;
    if (topology != NULL)
        return topology;
    topology = tf_hwloc_load();
    if (topology == NULL || atomic_compare_exchange_strong(&loaded, &none, topology))
        return topology;
    hwloc_topology_destroy(topology); /* another thread was first */
    return none;
}

/* ---- CPUs ---- */

/* The CPUs that the process may use: those of its control groups in its affinity mask. */
static hwloc_bitmap_t allowed_in(hwloc_topology_t topology)
{
    hwloc_bitmap_t set = hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topology));
    hwloc_bitmap_t mask = hwloc_bitmap_alloc();
    if (set != NULL && mask != NULL && hwloc_topology_is_thissystem(topology) &&
        hwloc_get_cpubind(topology, mask, HWLOC_CPUBIND_PROCESS) == 0 && hwloc_bitmap_intersects(set, mask))
        hwloc_bitmap_and(set, set, mask);
    if (set != NULL)
        hwloc_bitmap_and(set, set, hwloc_topology_get_topology_cpuset(topology));
    hwloc_bitmap_free(mask);
    return set;
}

static uint64_t memory_of(hwloc_obj_t node)
{
    return node->attr->numanode.local_memory;
}

static hwloc_obj_t node_at(hwloc_topology_t topology, unsigned index)
{
    return hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, index);
}

/* A CPU with several nodes gets the one with the most memory. The others have a little fast memory, or none. */
static hwloc_obj_t largest_local_node(hwloc_topology_t topology, hwloc_obj_t pu, unsigned nodes)
{
    hwloc_obj_t largest = NULL;
    for (unsigned i = 0; i < nodes; i++) {
        hwloc_obj_t node = node_at(topology, i);
        if (hwloc_bitmap_isset(pu->nodeset, node->os_index) &&
            (largest == NULL || memory_of(node) > memory_of(largest)))
            largest = node;
    }
    return largest;
}

/* The nearest node with memory. */
static int node_of(hwloc_topology_t topology, const struct tf_cpus *cpus, hwloc_obj_t pu)
{
    hwloc_obj_t local = largest_local_node(topology, pu, cpus->nodes), nearest = NULL;
    if (local == NULL)
        return TF_NO_NUMA_NODE;
    int number = (int)local->os_index;
    for (unsigned i = 0; memory_of(local) == 0 && i < cpus->nodes; i++) {
        hwloc_obj_t node = node_at(topology, i);
        if (memory_of(node) != 0 && (nearest == NULL || tf_cpus_distance(cpus, number, (int)node->os_index) <
                                                            tf_cpus_distance(cpus, number, (int)nearest->os_index)))
            nearest = node;
    }
    return nearest != NULL ? (int)nearest->os_index : number;
}

/* The largest cache that a CPU shares with others of its package, else its own core. */
static unsigned cache_of(hwloc_obj_t pu)
{
    hwloc_obj_t largest = NULL;
    for (hwloc_obj_t at = pu->parent; at != NULL && at->type != HWLOC_OBJ_PACKAGE; at = at->parent)
        if (hwloc_obj_type_is_dcache(at->type))
            largest = at;
    return largest != NULL ? largest->logical_index : 0;
}

static unsigned number_of(hwloc_topology_t topology, hwloc_obj_type_t type, hwloc_obj_t pu)
{
    hwloc_obj_t above = hwloc_get_ancestor_obj_by_type(topology, type, pu);
    return above != NULL ? above->logical_index : type == HWLOC_OBJ_CORE ? pu->logical_index : 0;
}

/* Kinds of cores have ascending efficiency, as hwloc calls their speed. */
static unsigned kind_of(hwloc_topology_t topology, hwloc_obj_t pu)
{
    int kinds = hwloc_cpukinds_get_nr(topology, 0), efficiency = -1;
    int kind = hwloc_cpukinds_get_by_cpuset(topology, pu->cpuset, 0);
    if (kinds <= 1 || kind < 0 ||
        hwloc_cpukinds_get_info(topology, (unsigned)kind, NULL, &efficiency, NULL, NULL, 0) != 0 || efficiency < 0)
        return 0;
    return (unsigned)(kinds - 1 - efficiency);
}

static void add_cpu(hwloc_topology_t topology, struct tf_cpus *cpus, hwloc_obj_t pu)
{
    struct tf_cpu *cpu = &cpus->cpu[cpus->count];
    *cpu = (struct tf_cpu){.number = (int)pu->os_index,
                           .node = node_of(topology, cpus, pu),
                           .package = (uint16_t)number_of(topology, HWLOC_OBJ_PACKAGE, pu),
                           .cache = (uint16_t)cache_of(pu),
                           .core = (uint16_t)number_of(topology, HWLOC_OBJ_CORE, pu),
                           .kind = (uint16_t)kind_of(topology, pu)};
    const struct tf_cpu *before = cpus->count != 0 ? cpu - 1 : NULL; /* CPUs come in the order of their cores */
    bool new_core = before == NULL || before->core != cpu->core;
    bool new_package = before == NULL || before->package != cpu->package;
    cpu->rank = new_core ? 0 : (uint16_t)(before->rank + 1);
    cpus->cores += new_core;
    cpus->packages += new_package;
    cpus->kinds = cpu->kind >= cpus->kinds ? cpu->kind + 1u : cpus->kinds;
    cpus->count++;
}

/* Without memory the distances are not known. */
static void find_distances(hwloc_topology_t topology, struct tf_cpus *cpus)
{
    struct hwloc_distances_s *found;
    unsigned one = 1, nodes = cpus->nodes;
    if (hwloc_distances_get_by_type(topology, HWLOC_OBJ_NUMANODE, &one, &found, HWLOC_DISTANCES_KIND_MEANS_LATENCY,
                                    0) != 0 ||
        one == 0)
        return;
    if (found->nbobjs == nodes)
        cpus->distance = calloc((size_t)nodes * nodes, sizeof *cpus->distance);
    for (unsigned i = 0; cpus->distance != NULL && i < nodes; i++)
        for (unsigned k = 0; k < nodes; k++)
            cpus->distance[found->objs[i]->logical_index * nodes + found->objs[k]->logical_index] =
                (float)found->values[i * nodes + k];
    hwloc_distances_release(topology, found);
}

static unsigned count_of(hwloc_topology_t topology, hwloc_obj_type_t type, unsigned most)
{
    int count = hwloc_get_nbobjs_by_type(topology, type);
    return count < 1 ? 1 : count > (int)most ? most : (unsigned)count;
}

int tf_cpus_find_in(hwloc_topology_t topology, struct tf_cpus *cpus)
{
    hwloc_bitmap_t allowed = allowed_in(topology);
    unsigned pus = count_of(topology, HWLOC_OBJ_PU, UINT16_MAX),
             nodes = count_of(topology, HWLOC_OBJ_NUMANODE, TF_NUMA_NODES_MAX);
    *cpus = (struct tf_cpus){.online = pus,
                             .kinds = 1,
                             .nodes = nodes,
                             .here = hwloc_topology_is_thissystem(topology) != 0};
    cpus->cpu = calloc(pus, sizeof *cpus->cpu);
    cpus->node = calloc(nodes, sizeof *cpus->node);
    if (allowed == NULL || cpus->cpu == NULL || cpus->node == NULL) {
        hwloc_bitmap_free(allowed);
        tf_cpus_free(cpus);
        return TF_ENOMEM;
    }
    for (unsigned i = 0; i < cpus->nodes; i++)
        cpus->node[i] = (int)node_at(topology, i)->os_index;
    find_distances(topology, cpus);
    for (unsigned i = 0; i < pus; i++) {
        hwloc_obj_t pu = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, i);
        if (hwloc_bitmap_isset(allowed, pu->os_index))
            add_cpu(topology, cpus, pu);
    }
    if (cpus->count == 0) /* a description that allows none */
        add_cpu(topology, cpus, hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, 0));
    hwloc_bitmap_free(allowed);
    tf_cpus_order(cpus);
    return TF_OK;
}

int tf_cpus_check(struct tf_message *message)
{
    if (tf_hwloc_host() != NULL)
        return TF_OK;
    const char *variable = describing_variable();
    if (variable == NULL)
        return tf_message_set(message, TF_ENOMEM, "hwloc", "too little memory for the CPUs of this host");
    if (message != NULL)
        snprintf(message->text, sizeof message->text, "%s='%.120s' describes no machine that hwloc can read", variable,
                 getenv(variable));
    return TF_ESYS;
}

int tf_cpus_find(struct tf_cpus *cpus)
{
    int error = tf_cpus_check(NULL);
    return error == TF_OK ? tf_cpus_find_in(tf_hwloc_host(), cpus) : error;
}

void tf_cpus_free(struct tf_cpus *cpus)
{
    free(cpus->cpu);
    free(cpus->node);
    free(cpus->distance);
    cpus->cpu = NULL;
    cpus->node = NULL;
    cpus->distance = NULL;
}

/* ---- Binding ---- */

bool tf_cpus_may_bind(const struct tf_cpus *cpus)
{
    struct tf_binding *now = cpus->here ? tf_binding_of_caller() : NULL;
    hwloc_topology_t topology = tf_hwloc_host();
    bool may = now != NULL && hwloc_set_cpubind(topology, (hwloc_bitmap_t)now, HWLOC_CPUBIND_THREAD) == 0;
    tf_binding_free(now);
    return may;
}

void tf_cpus_bind(pthread_t thread, int cpu)
{
    hwloc_topology_t topology = tf_hwloc_host();
    hwloc_bitmap_t one = hwloc_bitmap_alloc();
    if (topology != NULL && one != NULL && hwloc_bitmap_only(one, (unsigned)cpu) == 0)
        hwloc_set_thread_cpubind(topology, thread, one, 0);
    hwloc_bitmap_free(one);
}

/* A binding is a bitmap of hwloc. */
struct tf_binding *tf_binding_of_caller(void)
{
    hwloc_topology_t topology = tf_hwloc_host();
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    if (topology != NULL && set != NULL && hwloc_get_cpubind(topology, set, HWLOC_CPUBIND_THREAD) == 0)
        return (struct tf_binding *)set;
    hwloc_bitmap_free(set);
    return NULL;
}

void tf_binding_apply(const struct tf_binding *binding, pthread_t thread)
{
    hwloc_topology_t topology = tf_hwloc_host();
    if (topology != NULL)
        hwloc_set_thread_cpubind(topology, thread, (hwloc_const_bitmap_t)binding, 0);
}

void tf_binding_free(struct tf_binding *binding)
{
    hwloc_bitmap_free((hwloc_bitmap_t)binding);
}

/* Without HWLOC_MEMBIND_STRICT, Linux only prefers the node. */
void tf_cpus_prefer_node(const struct tf_cpus *cpus, void *memory, size_t bytes, int node)
{
    hwloc_topology_t topology = tf_hwloc_host();
    hwloc_bitmap_t one = cpus->here && node >= 0 ? hwloc_bitmap_alloc() : NULL;
    if (topology != NULL && one != NULL && hwloc_bitmap_only(one, (unsigned)node) == 0)
        hwloc_set_area_membind(topology, memory, bytes, one, HWLOC_MEMBIND_BIND, HWLOC_MEMBIND_BYNODESET);
    hwloc_bitmap_free(one);
}
