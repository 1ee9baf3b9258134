/* SPDX-License-Identifier: Apache-2.0 */
/* Where workers run: on the cores that affinity and control groups allow, one worker a core, SMT siblings last. */
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "farm/chip/chip.h"

struct place {
    int cpu, node;
    bool sibling;
};

/* Read up to two numbers from a control group's file. Returns the count. */
static int read_numbers(const char *root, const char *group, const char *name, double *a, double *b)
{
    char path[768];
    snprintf(path, sizeof path, "/sys/fs/cgroup%s%s/%s", root, group, name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    int count = fscanf(file, "%lf %lf", a, b);
    fclose(file);
    return count;
}

/* The CPU quota of one group; 0: no limit (cgroup v2 cpu.max, v1 cpu.cfs_*). */
static double group_quota(bool v2, const char *group)
{
    double quota = 0, period = 0, rest;
    if (v2 && read_numbers("", group, "cpu.max", &quota, &period) != 2)
        return 0;
    if (!v2 && (read_numbers("/cpu", group, "cpu.cfs_quota_us", &quota, &rest) != 1 ||
                read_numbers("/cpu", group, "cpu.cfs_period_us", &period, &rest) != 1))
        return 0;
    return quota > 0 && period > 0 ? quota / period : 0;
}

/* The least quota of a group and its ancestors. The root of a namespace shows the group's own files. */
static double ancestors_quota(bool v2, char *group)
{
    double least = 0;
    if (strcmp(group, "/") == 0)
        group[0] = '\0';
    for (;;) {
        double quota = group_quota(v2, group);
        if (quota > 0 && (least == 0 || quota < least))
            least = quota;
        char *slash = strrchr(group, '/');
        if (slash == NULL)
            return least;
        *slash = '\0';
    }
}

/* The CPU quota of this process; 0: no limit. */
static double cgroup_quota(void)
{
    char line[512];
    double least = 0;
    FILE *groups = fopen("/proc/self/cgroup", "r");
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
        if (!v2 && strstr(controllers, "cpu") == NULL)
            continue;
        double quota = ancestors_quota(v2, group);
        if (quota > 0 && (least == 0 || quota < least))
            least = quota;
    }
    fclose(groups);
    return least;
}

/* Keep hwloc quiet where the kernel's list of CPUs is missing: hwloc has other ways to find them. */
static bool kernel_lists_cpus(void)
{
    static const char *const files[] = {
        "/sys/bus/cpu/devices/cpu0/topology/package_cpus",     "/sys/bus/cpu/devices/cpu0/topology/core_cpus",
        "/sys/bus/cpu/devices/cpu0/topology/core_siblings",    "/sys/bus/cpu/devices/cpu0/topology/thread_siblings",
        "/sys/devices/system/cpu/cpu0/topology/package_cpus",  "/sys/devices/system/cpu/cpu0/topology/core_cpus",
        "/sys/devices/system/cpu/cpu0/topology/core_siblings", "/sys/devices/system/cpu/cpu0/topology/thread_siblings",
    };
    for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++)
        if (access(files[i], R_OK) == 0)
            return true;
    return false;
}

static bool open_topology(hwloc_topology_t *topology)
{
    if (hwloc_topology_init(topology) != 0)
        return false;
    if (!kernel_lists_cpus())
        hwloc_topology_set_components(*topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "linux");
    else /* moves the calling thread from CPU to CPU, which takes long on a busy host */
        hwloc_topology_set_components(*topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
#if HWLOC_API_VERSION >= 0x00020800
    hwloc_topology_set_flags(*topology, HWLOC_TOPOLOGY_FLAG_NO_DISTANCES | HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS |
                                            HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS);
#endif
    return true;
}

static int numa_node_of(hwloc_topology_t topology, int cpu)
{
    hwloc_obj_t node = NULL;
    while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != NULL)
        if (hwloc_bitmap_isset(node->cpuset, (unsigned)cpu))
            return (int)node->os_index;
    return -1;
}

static unsigned smt_rank(hwloc_topology_t topology, hwloc_const_cpuset_t allowed, hwloc_obj_t pu)
{
    hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu);
    if (core == NULL)
        return 0;
    unsigned rank = 0;
    unsigned cpu;
    hwloc_bitmap_foreach_begin(cpu, core->cpuset) if ((unsigned)pu->os_index > cpu && hwloc_bitmap_isset(allowed, cpu))
        rank++;
    hwloc_bitmap_foreach_end();
    return rank;
}

/* List the allowed CPUs in the order in which workers take them: first one of each core, then siblings. Returns the
   count. *cores: CPUs that are no siblings. */
static unsigned order_places(hwloc_topology_t topology, hwloc_const_cpuset_t allowed, struct place *place,
                             unsigned *cores)
{
    unsigned count = 0;
    *cores = 0;
    for (unsigned rank = 0; rank < 8 && count < TF_WORKERS_MAX; rank++) {
        hwloc_obj_t pu = NULL;
        while ((pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu)) != NULL && count < TF_WORKERS_MAX) {
            if (!hwloc_bitmap_isset(allowed, pu->os_index) || smt_rank(topology, allowed, pu) != rank)
                continue;
            place[count++] = (struct place){.cpu = (int)pu->os_index,
                                            .node = numa_node_of(topology, (int)pu->os_index),
                                            .sibling = rank > 0};
            *cores += rank == 0;
        }
    }
    return count;
}

static bool may_pin(hwloc_topology_t topology, hwloc_const_cpuset_t allowed)
{
    hwloc_bitmap_t now = hwloc_bitmap_alloc();
    bool may = now != NULL && hwloc_get_cpubind(topology, now, HWLOC_CPUBIND_THREAD) == 0 &&
               hwloc_set_cpubind(topology, allowed, HWLOC_CPUBIND_THREAD) == 0;
    if (may)
        may = hwloc_set_cpubind(topology, now, HWLOC_CPUBIND_THREAD) == 0;
    hwloc_bitmap_free(now);
    return may;
}

static void place_workers(unsigned threads, unsigned tiles, const struct place *place, unsigned places,
                          struct tf_topology *out)
{
    unsigned quota = out->cpu_quota > 0 ? (unsigned)(out->cpu_quota + 0.999) : places;
    unsigned automatic = out->cores < quota ? out->cores : quota;
    if (automatic > tiles)
        automatic = tiles;
    out->workers = threads != 0 ? threads : automatic != 0 ? automatic : 1;
    out->pinned = out->pinned && out->workers <= places;
    for (unsigned i = 0; i < out->workers; i++) {
        struct tf_worker_place *worker = &out->worker[i];
        worker->cpu = out->pinned ? place[i].cpu : -1;
        worker->numa_node = places != 0 ? place[i % places].node : -1;
        worker->smt_sibling = places != 0 && place[i % places].sibling;
        worker->tile_first = (unsigned)((uint64_t)tiles * i / out->workers);
        worker->tile_count = (unsigned)((uint64_t)tiles * (i + 1) / out->workers) - worker->tile_first;
    }
    if (out->workers > places && places != 0)
        snprintf(out->warning, sizeof out->warning, "%u workers on %u allowed CPUs: they take turns, and do not spin",
                 out->workers, places);
}

void tf_topology_find(unsigned threads, bool pin, unsigned tiles, struct tf_topology *out)
{
    memset(out, 0, sizeof *out);
    struct place place[TF_WORKERS_MAX];
    unsigned places = 0;
    hwloc_topology_t topology;
    if (open_topology(&topology)) {
        hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
        hwloc_topology_set_type_filter(topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
        hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
        if (allowed != NULL && hwloc_topology_load(topology) == 0) {
            if (hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_PROCESS) != 0)
                hwloc_bitmap_copy(allowed, hwloc_topology_get_allowed_cpuset(topology));
            hwloc_bitmap_and(allowed, allowed, hwloc_topology_get_allowed_cpuset(topology));
            out->cpus_online = (unsigned)hwloc_bitmap_weight(hwloc_topology_get_complete_cpuset(topology));
            out->numa_nodes = (unsigned)hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
            places = order_places(topology, allowed, place, &out->cores);
            out->pinned = pin && places != 0 && may_pin(topology, allowed);
            if (pin && !out->pinned)
                snprintf(out->warning, sizeof out->warning,
                         "no permission to pin workers; they run where the host puts them");
        }
        hwloc_bitmap_free(allowed);
        hwloc_topology_destroy(topology);
    }
    out->cpus_allowed = places;
    out->cpu_quota = cgroup_quota();
    place_workers(threads, tiles, place, places, out);
}

void tf_topology_bind(struct tf_chip *chip)
{
    if (chip->topology.numa_nodes < 2)
        return;
    hwloc_topology_t topology;
    if (!open_topology(&topology))
        return;
    if (hwloc_topology_load(topology) == 0) {
        for (unsigned i = 0; i < chip->topology.workers; i++) {
            const struct tf_worker_place *worker = &chip->topology.worker[i];
            hwloc_bitmap_t set = hwloc_bitmap_alloc();
            if (set != NULL && worker->numa_node >= 0 && worker->tile_count != 0) {
                hwloc_bitmap_only(set, (unsigned)worker->numa_node);
                /* A preference only: memory of another node is better than none. */
                hwloc_set_area_membind(topology, chip->l1 + (size_t)worker->tile_first * TF_SLOT_BYTES,
                                       (size_t)worker->tile_count * TF_SLOT_BYTES, set, HWLOC_MEMBIND_BIND,
                                       HWLOC_MEMBIND_BYNODESET);
            }
            hwloc_bitmap_free(set);
        }
    }
    hwloc_topology_destroy(topology);
}
