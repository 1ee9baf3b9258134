/* SPDX-License-Identifier: Apache-2.0 */
#include "look/noc_trace.h"
#include "tilefarm/tilefarm_chip.h"

#include <stdlib.h>

#include "host/saved.h"

#define PROCESSORS 7u
#define NODES_MAX 256u
#define ROOM_FIRST 64u

/* The order of processors in the file. CORE_AGG is the processor for requests that stores over the NOC start. */
static const char *const processor_names[PROCESSORS] = {"BRISC",   "NCRISC", "TRISC_0", "TRISC_1",
                                                        "TRISC_2", "ERISC",  "CORE_AGG"};
enum { ERISC = 5, NO_CORE = 6 };

/* The fields of a request that the reader uses. */
struct entry {
    uint64_t cycle;
    uint32_t bytes;
    uint32_t number; /* number in its list, which keeps the order of requests with equal cycles */
    struct tf_coord target, target_last;
    uint8_t kind; /* as enum tf_noc_kind */
    bool multicast;
    uint8_t noc;
    int8_t vc; /* -1 if the hardware chooses */
};

/* The requests of one processor of a node. */
struct list {
    struct entry *entry;
    uint32_t count, room;
    uint64_t end; /* cycle of the last step of all its requests */
};

struct tf_noc_trace {
    struct tf_shape shape;
    const struct tf_arch *arch;
    struct list *list; /* indexed by processor, then by node, column after column */
    bool lost;
};

struct tf_noc_trace *tf_noc_trace_create(const struct tf_arch *arch)
{
    struct tf_noc_trace *trace = calloc(1, sizeof *trace);
    if (trace == NULL)
        return NULL;
    trace->arch = arch;
    tf_arch_shape(arch, &trace->shape);
    trace->list = calloc((size_t)trace->shape.grid_x * trace->shape.grid_y * PROCESSORS, sizeof *trace->list);
    if (trace->list != NULL)
        return trace;
    free(trace);
    return NULL;
}

static size_t lists_of(const struct tf_noc_trace *trace)
{
    return (size_t)trace->shape.grid_x * trace->shape.grid_y * PROCESSORS;
}

void tf_noc_trace_destroy(struct tf_noc_trace *trace)
{
    if (trace == NULL)
        return;
    for (size_t i = 0; i < lists_of(trace); i++)
        free(trace->list[i].entry);
    free(trace->list);
    free(trace);
}

static struct list *list_of(const struct tf_noc_trace *trace, const struct tf_noc_event *event)
{
    bool eth = tf_node_kind(trace->arch, event->initiator) == TF_NODE_ETH;
    unsigned processor = event->core == TF_CORE_NONE ? NO_CORE : eth ? ERISC : event->core;
    return &trace->list[((size_t)event->initiator.x * trace->shape.grid_y + event->initiator.y) * PROCESSORS +
                        processor];
}

void tf_noc_trace_add(struct tf_noc_trace *trace, const struct tf_noc_event *event)
{
    struct list *list = list_of(trace, event);
    if (event->cycle > list->end)
        list->end = event->cycle;
    if (event->step != TF_NOC_ISSUED)
        return;
    if (list->count == list->room) {
        uint32_t room = list->room == 0 ? ROOM_FIRST : list->room * 2;
        struct entry *entry = realloc(list->entry, room * sizeof *entry);
        if (entry == NULL) {
            trace->lost = true;
            return;
        }
        list->entry = entry;
        list->room = room;
    }
    list->entry[list->count] = (struct entry){
        .cycle = event->cycle,
        .bytes = event->bytes,
        .number = list->count,
        .target = event->target,
        .target_last = event->target_last,
        .kind = (uint8_t)event->kind,
        .multicast = event->multicast,
        .noc = event->noc,
        .vc = event->vc_static ? (int8_t)event->vc : -1,
    };
    list->count++;
}

static void list_state(struct tf_saved *saved, struct list *list)
{
    const uint32_t count = (uint32_t)tf_saved_count(saved, list->count, UINT32_MAX / sizeof *list->entry);
    TF_SAVED(saved, list->end);
    if (saved->reads) {
        list->entry = tf_saved_room(saved, count, sizeof *list->entry);
        list->count = list->room = list->entry != NULL ? count : 0;
    }
    tf_saved_bytes(saved, list->entry, list->count * sizeof *list->entry);
}

void tf_noc_trace_state(struct tf_saved *saved, struct tf_noc_trace *trace)
{
    TF_SAVED(saved, trace->lost);
    for (size_t i = 0; i < lists_of(trace); i++)
        list_state(saved, &trace->list[i]);
}

static int compare(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

static const char *type_of(const struct entry *entry)
{
    switch ((enum tf_noc_kind)entry->kind) {
    case TF_NOC_READ: return "READ";
    case TF_NOC_ATOMIC: return "SEMAPHORE_INC";
    default:
        return entry->multicast ? "WRITE_MULTICAST" : entry->kind == TF_NOC_WRITE_INLINE ? "WRITE_INLINE" : "WRITE_";
    }
}

static void write_entry(FILE *file, const char *head, const struct entry *entry)
{
    fprintf(file, ",\n%s, \"noc\":\"NOC_%u\", \"vc\":%d, ", head, entry->noc, entry->vc);
    if (entry->multicast)
        fprintf(file, "\"mcast_start_x\":%u, \"mcast_start_y\":%u, \"mcast_end_x\":%u, \"mcast_end_y\":%u, ",
                entry->target.x, entry->target.y, entry->target_last.x, entry->target_last.y);
    else
        fprintf(file, "\"dx\":%u, \"dy\":%u, ", entry->target.x, entry->target.y);
    fprintf(file, "\"num_bytes\":%u, \"type\":\"%s\", \"timestamp\":%llu}", entry->bytes, type_of(entry),
            (unsigned long long)entry->cycle);
}

/* The reader expects a zone around the requests of each processor. */
static void write_zone(FILE *file, const char *head, const char *processor, bool begins, uint64_t cycle)
{
    fprintf(file, "\n%s, \"zone\":\"%s-KERNEL\", \"zone_phase\":\"%s\", \"timestamp\":%llu}", head, processor,
            begins ? "ZONE_START" : "ZONE_END", (unsigned long long)cycle);
}

/* Write the requests of a chip. before: what comes before the first of them. Returns what comes before the next. */
static const char *write_chip(const struct tf_noc_trace *trace, int chip, const char *before, FILE *file)
{
    for (size_t i = 0; i < lists_of(trace); i++) {
        struct list *list = &trace->list[i];
        const char *processor = processor_names[i % PROCESSORS];
        char head[96], device[32] = "";
        if (list->count == 0)
            continue;
        if (chip >= 0)
            snprintf(device, sizeof device, "\"src_device_id\":%d, ", chip);
        snprintf(head, sizeof head, "{\"proc\":\"%s\", %s\"sx\":%u, \"sy\":%u", processor, device,
                 (unsigned)(i / PROCESSORS / trace->shape.grid_y), (unsigned)(i / PROCESSORS % trace->shape.grid_y));
        qsort(list->entry, list->count, sizeof *list->entry, compare);
        fputs(before, file);
        write_zone(file, head, processor, true, list->entry[0].cycle);
        for (uint32_t n = 0; n < list->count; n++)
            write_entry(file, head, &list->entry[n]);
        fputc(',', file);
        write_zone(file, head, processor, false, list->end);
        before = ",";
    }
    return before;
}

bool tf_noc_trace_write(struct tf_noc_trace *const *trace, unsigned chips, FILE *file)
{
    const char *before = "[";
    bool fine = true;
    for (unsigned i = 0; i < chips; i++) {
        before = write_chip(trace[i], chips > 1 ? (int)i : -1, before, file);
        fine &= !trace[i]->lost;
    }
    fputs(before[0] == '[' ? "[]\n" : "\n]\n", file);
    return fine;
}
