/* SPDX-License-Identifier: Apache-2.0 */
/* The phases of a tile's streams: their state, and what each stream can do. */
#ifndef TILE_MMIO_STREAMS_PHASE_STATE_H
#define TILE_MMIO_STREAMS_PHASE_STATE_H

#include "tile/mmio/streams/stream_registers.h"

/* STREAM_CURR_STATE of WAIT_STATUS. */
enum { IDLE = 0, LOADS = 1, LOADED = 3, FLUSHES = 4, RUNS = 5 };

#define ENTRIES 32u       /* of the longest FIFO of messages */
#define READS 128u        /* and of reads */
#define READ_PARTS 2u     /* the longest FIFO of a stream that gathers is in Ethernet tiles: pairs of messages */
#define HEADER_WORDS 4u   /* of a message's header */
#define GATHER_MESSAGES 2 /* of a stream that gathers */
#define PEERS 32u         /* receivers of a multicast stream */

struct message {
    uint32_t address, lines; /* of 16 bytes */
    uint32_t from;           /* the stream in whose buffer it is: this one, or one that it gathers from */
    uint32_t header[HEADER_WORDS];
};

/* Lines in the buffer of one stream. An entry of the FIFO is one read or, of a stream that gathers, several. */
struct read {
    uint32_t lines;
    uint16_t from;
    uint16_t last; /* of its entry */
};

/* The address for the receiver's answers, as the registers had it when the phase began. */
struct source {
    uint32_t remote; /* REMOTE_SRC */
    uint32_t config; /* MISC_CFG */
};

/* Without padding: the hash covers all bytes. */
struct tf_stream_phase {
    uint32_t state;
    uint32_t unreceived;                  /* messages of the phase */
    uint32_t next;                        /* where in the buffer the next message begins */
    uint32_t messages, reads;             /* entries of the FIFOs */
    struct message message[ENTRIES];      /* message metadata */
    uint32_t parts;                       /* reads in those entries */
    struct read read[READS * READ_PARTS]; /* L1 read complete */
    uint32_t header[HEADER_WORDS];        /* of the next message that software pushes */
    uint32_t lent;                        /* lines that a stream which gathers has not read */
    /* The stream as a receiver. */
    struct source source;
    uint32_t credits;   /* free lines that the transmitter does not know of yet */
    uint32_t arrived;   /* lines in the buffer that have not been transmitted */
    bool same_source;   /* the phase before said so: no flush, no handshake */
    bool listens;       /* the last phase that began receives from a stream */
    bool awaits_source; /* neither a request nor data have come */
    bool answers;       /* an answer to the transmitter is to be sent; if `asked`, to its request */
    bool asked;
    /* The stream as a transmitter. */
    bool same_destination;
    bool ready; /* the handshake is done */
    bool asks;  /* a request to the receivers is to be sent */
    /* The stream as one that gathers. */
    uint16_t gathers;  /* 1: all its sources have begun their phases */
    uint16_t selected; /* 1: it receives from `group`; `step` messages have come */
    uint32_t group, step;
    /* The stream as a transmitter. */
    uint32_t sent;        /* lines of the first message that have been sent */
    uint32_t beyond;      /* the place in a DRAM buffer beyond REMOTE_DEST_WR_PTR */
    uint32_t peer[PEERS]; /* the last answer of a receiver, or 0; the handshake cache */
};

/* A stream that acts, and the actor that made it act. */
struct acting {
    struct tf_tile *tile;
    struct tf_stream *stream;      /* set by tf_stream_phase_act() */
    struct tf_stream_phase *phase; /* likewise */
    unsigned number, from;
    uint32_t address;
    /* tf_stream_store(): a stream stores the configuration that it loads from L1. */
    enum tf_access (*store)(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
};

static inline uint32_t tf_stream_phase_get(const struct acting *a, unsigned index)
{
    return tf_stream_kept(a->stream, index);
}

/* Another stream of the tile, on behalf of the same access. */
static inline struct acting tf_stream_phase_other(const struct acting *a, unsigned number)
{
    return (
        struct acting){.tile = a->tile, .number = number, .from = a->from, .address = a->address, .store = a->store};
}

/* Capabilities of streams: README.md, "Stream Capabilities". */
static inline bool tf_stream_has_headers(const struct tf_tile *tile, unsigned number)
{
    return !tile->arch->eth_streams && (number == 4 || number == 5);
}

/* The messages of the metadata FIFO. */
static inline unsigned tf_stream_messages(const struct tf_tile *tile, unsigned number)
{
    if (tile->arch->eth_streams)
        return number < 4 || (number >= 8 && number < 12) ? 32 : 2;
    return number < 6 || (number >= 8 && number < 12) ? 8 : 2;
}

/* The entries of the L1 read complete FIFO. */
static inline unsigned tf_stream_reads(const struct tf_tile *tile, unsigned number)
{
    unsigned messages = tf_stream_messages(tile, number);
    return messages == ENTRIES ? READS : messages;
}

static inline unsigned tf_stream_group(const struct tf_tile *tile, unsigned number)
{
    return tf_stream_has_headers(tile, number) ? 4 : 2;
}

/* Faults: return TF_ACCESS_FAULT. */
enum tf_access tf_stream_phase_undefined(const struct acting *a, const char *why);

/* Find the stream, and make its phase. Returns false after a fault: the host has no memory. */
bool tf_stream_phase_act(struct acting *a);

uint32_t tf_stream_phase_remaining(const struct acting *a); /* NumMessagesRemainingInPhase */

/* Advance a pointer into the receive buffer. Returns false if the lines are more than the buffer has. */
bool tf_stream_phase_advance(const struct acting *a, unsigned pointer, uint32_t lines);

#endif
