/* SPDX-License-Identifier: Apache-2.0 */
#include "pool/draw.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "pool/cpus_hwloc.h"
#include "pool/order.h"

struct drawing {
    FILE *into;
    hwloc_topology_t topology;
    const struct tf_cpus *cpus; /* that the process may use */
    int (*worker_of)(const void *context, int cpu);
    const void *context;
};

static void indent(const struct drawing *drawing, unsigned depth)
{
    fprintf(drawing->into, "%*s", (int)(2 * depth), "");
}

static void print_bytes(FILE *into, uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    double amount = (double)bytes / 1024;
    unsigned unit = 0;
    for (; amount >= 1024 && unit < 3; unit++)
        amount /= 1024;
    fprintf(into, "%.*f %s", amount < 10 && unit > 1 ? 1 : 0, amount, units[unit]);
}

static const struct tf_cpu *allowed_cpu(const struct drawing *drawing, unsigned number)
{
    for (unsigned i = 0; i < drawing->cpus->count; i++)
        if (drawing->cpus->cpu[i].number == (int)number)
            return &drawing->cpus->cpu[i];
    return NULL;
}

static void draw_node(const struct drawing *drawing, hwloc_obj_t node, unsigned depth)
{
    const struct tf_cpus *cpus = drawing->cpus;
    indent(drawing, depth);
    fprintf(drawing->into, "NUMA node %u, ", node->os_index);
    print_bytes(drawing->into, node->attr->numanode.local_memory);
    if (cpus->nodes > 1 && cpus->distance != NULL) {
        fprintf(drawing->into, ", distances");
        for (unsigned i = 0; i < cpus->nodes; i++)
            fprintf(drawing->into, " %g", (double)tf_cpus_distance(cpus, (int)node->os_index, cpus->node[i]));
    }
    fputc('\n', drawing->into);
}

static void draw_cpu(const struct drawing *drawing, hwloc_obj_t pu)
{
    const struct tf_cpu *cpu = allowed_cpu(drawing, pu->os_index);
    int worker = cpu != NULL ? drawing->worker_of(drawing->context, cpu->number) : -1;
    fprintf(drawing->into, "  CPU %u", pu->os_index);
    if (worker >= 0)
        fprintf(drawing->into, " worker %d", worker);
    else if (cpu == NULL)
        fprintf(drawing->into, " not allowed");
}

/* Draw a core and its CPUs in one line. A host that tells of no cores has CPUs in their places. */
static void draw_core(const struct drawing *drawing, hwloc_obj_t core, unsigned depth)
{
    const struct tf_cpu *first = NULL;
    hwloc_obj_t pu = NULL;
    indent(drawing, depth);
    fprintf(drawing->into, "core %u", core->logical_index);
    while ((pu = hwloc_get_next_obj_inside_cpuset_by_type(drawing->topology, core->cpuset, HWLOC_OBJ_PU, pu)) != NULL)
        first = first != NULL ? first : allowed_cpu(drawing, pu->os_index);
    if (drawing->cpus->kinds > 1 && first != NULL)
        fprintf(drawing->into, " of kind %u", first->kind);
    while ((pu = hwloc_get_next_obj_inside_cpuset_by_type(drawing->topology, core->cpuset, HWLOC_OBJ_PU, pu)) != NULL)
        draw_cpu(drawing, pu);
    fputc('\n', drawing->into);
}

static bool is_drawn(hwloc_obj_t object)
{
    return object->type == HWLOC_OBJ_PACKAGE || (hwloc_obj_type_is_dcache(object->type) && object->arity > 1);
}

static void draw(const struct drawing *drawing, hwloc_obj_t object, unsigned depth)
{
    if (object->type == HWLOC_OBJ_CORE || object->type == HWLOC_OBJ_PU) {
        draw_core(drawing, object, depth);
        return;
    }
    if (is_drawn(object)) {
        indent(drawing, depth++);
        if (object->type == HWLOC_OBJ_PACKAGE) {
            fprintf(drawing->into, "package %u\n", object->logical_index);
        } else {
            fprintf(drawing->into, "L%u cache, ", object->attr->cache.depth);
            print_bytes(drawing->into, object->attr->cache.size);
            fputc('\n', drawing->into);
        }
    }
    for (hwloc_obj_t node = object->memory_first_child; node != NULL; node = node->next_sibling)
        if (node->type == HWLOC_OBJ_NUMANODE)
            draw_node(drawing, node, depth);
    for (hwloc_obj_t child = object->first_child; child != NULL; child = child->next_sibling)
        draw(drawing, child, depth);
}

char *tf_host_draw(int (*worker_of)(const void *context, int cpu), const void *context)
{
    struct tf_cpus cpus;
    char *text = NULL;
    size_t bytes = 0;
    hwloc_topology_t topology = tf_hwloc_host();
    if (topology == NULL || tf_cpus_find_in(topology, &cpus) != 0)
        return NULL;
    FILE *into = open_memstream(&text, &bytes);
    if (into != NULL) {
        const struct drawing drawing = {into, topology, &cpus, worker_of, context};
        draw(&drawing, hwloc_get_root_obj(topology), 0);
        if (fclose(into) != 0) {
            free(text);
            text = NULL;
        }
    }
    tf_cpus_free(&cpus);
    return text;
}
