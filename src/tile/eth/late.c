/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/eth/late.h"

#include <stdlib.h>
#include <string.h>

#include "host/extremes.h"
#include "tile/eth/parts.h"
#include "tile/eth/store.h"
#include "tile/explore/noted.h"
#include "tile/explore/state.h"
#include "tile/riscv/code/code.h"

#define LINE_BYTES 16u /* that a stream writes in turn */
#define FIRST_LINES 2u /* that stream 0 writes first */

/* What a queue writes in order. */
enum { STREAM_0, STREAM_1, REGISTERS, STREAMS };

_Static_assert(TF_ETH_QUEUES_MAX *STREAMS <= TF_DECIDE_ACTORS, "each stream of a queue is an actor");

/* A write that comes later. */
struct write {
    struct write *next;
    uint64_t due; /* the slice at whose begin it takes effect */
    uint32_t to, bytes;
    uint8_t data[];
};

struct stream {
    struct write *first, **end;
    uint64_t due; /* of the last write */
    uint32_t bytes;
};

struct tf_eth_late {
    uint64_t latest; /* cycle in which the last frame arrives at the other end */
    uint32_t pc;     /* of the command that sends; 0: the tile sends by itself */
    unsigned writes; /* that are to come */
    struct stream stream[TF_ETH_QUEUES_MAX][STREAMS];
};

bool tf_eth_late_attach(struct tf_tile *tile)
{
    struct tf_eth_late *late = calloc(1, sizeof *late);
    tile->mmio.eth->link->late = late;
    for (unsigned i = 0; late != NULL && i < TF_ETH_QUEUES_MAX * STREAMS; i++) {
        struct stream *stream = &late->stream[i / STREAMS][i % STREAMS];
        stream->end = &stream->first;
    }
    return late != NULL;
}

static void drop_first(struct tf_eth_late *late, struct stream *stream)
{
    struct write *write = stream->first;
    stream->first = write->next;
    if (stream->first == NULL)
        stream->end = &stream->first;
    stream->bytes -= write->bytes;
    late->writes--;
    free(write);
}

void tf_eth_late_detach(struct tf_eth_link *link)
{
    for (unsigned i = 0; link->late != NULL && i < TF_ETH_QUEUES_MAX * STREAMS; i++) {
        struct stream *stream = &link->late->stream[i / STREAMS][i % STREAMS];
        while (stream->first != NULL)
            drop_first(link->late, stream);
    }
    free(link->late);
    link->late = NULL;
}

/* ---- Sending ---- */

void tf_eth_late_command(struct tf_tile *tile, unsigned core)
{
    struct tf_eth_late *late = tile->mmio.eth->link->late;
    if (late != NULL)
        late->pc = core < tile->arch->cores ? tile->hart[core].pc : 0;
}

uint64_t tf_eth_late_frame(struct tf_tile *tile, const struct tf_eth_load *load, uint64_t number, uint64_t arrives,
                           bool *lost)
{
    struct tf_explorer *explorer = tile->explore;
    struct tf_eth_late *late = tile->mmio.eth->link->late;
    const struct tf_decide_where where = {.pc = late->pc, .cycle = tile->cycle, .address = load->to};
    if (explorer->noted != NULL)
        tf_noted_order_matters(explorer->noted, tile->cycle);
    *lost = load->kind != TF_ETH_RAW && tf_decide_at(&explorer->decider, TF_FREE_LOSS, 0, (uint32_t)number, where) != 0;
    const uint64_t epochs = tf_decide_at(&explorer->decider, TF_FREE_LINK, 0, (uint32_t)number, where);
    if (*lost)
        return arrives;
    late->latest = tf_max(late->latest, arrives + epochs * explorer->slice_cycles);
    return late->latest;
}

uint64_t tf_eth_late_answer(const struct tf_eth_link *link, uint64_t arrives)
{
    return link->late != NULL ? tf_max(link->late->latest, arrives) : arrives;
}

/* ---- Receiving ---- */

static void note(struct tf_tile *tile, uint32_t to, uint32_t bytes)
{
    const struct tf_noted_access access = {.cycle = tile->slice.deadline,
                                           .address = to,
                                           .tile = tile->index,
                                           .core = TF_CORE_NONE,
                                           .kind = TF_NOTED_PACKET};
    if (tile->explore->noted != NULL)
        tf_noted_add(tile, &access, bytes);
}

static void write_now(struct tf_tile *tile, unsigned number, uint32_t to, const uint8_t *data, uint32_t bytes)
{
    if (number == REGISTERS) {
        tf_eth_store_register(tile, to, data);
        return;
    }
    memcpy(tile->l1 + to, data, bytes);
    tf_tile_l1_written(tile, to, bytes);
    note(tile, to, bytes);
}

static void write_later(struct tf_tile *tile, struct stream *stream, uint32_t to, const uint8_t *data, uint32_t bytes)
{
    struct write *write = malloc(sizeof *write + bytes);
    if (write == NULL) {
        tf_eth_packet_fault(tile, TF_FAULT_HOST, to, "the host has no memory for it");
        return;
    }
    *write = (struct write){.due = stream->due, .to = to, .bytes = bytes};
    memcpy(write->data, data, bytes);
    *stream->end = write;
    stream->end = &write->next;
    stream->bytes += bytes;
    tile->mmio.eth->link->late->writes++;
}

/* The stream that writes a line of a packet. */
static unsigned stream_of(const struct tf_eth_packet *packet, uint32_t line)
{
    if (packet->kind == TF_ETH_REGISTER)
        return REGISTERS;
    return line < FIRST_LINES || line % 2 == 1 ? STREAM_0 : STREAM_1;
}

/* Decide when a stream writes its part of a packet. Returns true if that is now. */
static bool decide(struct tf_tile *tile, unsigned queue, unsigned number, const struct tf_eth_packet *packet)
{
    struct stream *stream = &tile->mmio.eth->link->late->stream[queue][number];
    const struct tf_decide_where where = {.cycle = tile->cycle, .address = packet->to};
    const uint32_t slices = tf_decide(&tile->explore->decider, TF_FREE_STREAM, queue * STREAMS + number, where);
    stream->due = tf_max(stream->due, tile->slice.tick + slices);
    return slices == 0 && stream->first == NULL;
}

void tf_eth_late_write(struct tf_tile *tile, unsigned queue, const struct tf_eth_packet *packet)
{
    struct stream *stream = tile->mmio.eth->link->late->stream[queue];
    const uint8_t *data = packet->frame + packet->head;
    const uint32_t line_bytes = packet->kind == TF_ETH_REGISTER ? packet->bytes : LINE_BYTES;
    const uint32_t lines = (packet->bytes + line_bytes - 1) / line_bytes;
    bool now[STREAMS] = {true, true, true};
    for (unsigned i = 0; i < STREAMS; i++)
        if (i == stream_of(packet, 0) || (i == STREAM_1 && lines > FIRST_LINES))
            now[i] = decide(tile, queue, i, packet);
    for (uint32_t line = 0; line < lines; line++) {
        const uint32_t at = line * line_bytes, bytes = tf_min(line_bytes, packet->bytes - at);
        const unsigned number = stream_of(packet, line);
        if (now[number])
            write_now(tile, number, packet->to + at, data + at, bytes);
        else
            write_later(tile, &stream[number], packet->to + at, data + at, bytes);
    }
}

void tf_eth_late_due(struct tf_tile *tile)
{
    struct tf_eth_late *late = tile->mmio.eth->link != NULL ? tile->mmio.eth->link->late : NULL;
    for (unsigned i = 0; late != NULL && late->writes != 0 && i < TF_ETH_QUEUES_MAX * STREAMS; i++) {
        struct stream *stream = &late->stream[i / STREAMS][i % STREAMS];
        while (stream->first != NULL && stream->first->due <= tile->slice.tick) {
            write_now(tile, i % STREAMS, stream->first->to, stream->first->data, stream->first->bytes);
            drop_first(late, stream);
        }
    }
}

bool tf_eth_late_pending(const struct tf_tile *tile)
{
    const struct tf_eth_link *link = tile->mmio.eth->link;
    return link != NULL && link->late != NULL && link->late->writes != 0;
}

uint32_t tf_eth_late_bytes(const struct tf_eth_link *link, unsigned queue)
{
    return link->late != NULL ? link->late->stream[queue][STREAM_0].bytes + link->late->stream[queue][STREAM_1].bytes
                              : 0;
}
