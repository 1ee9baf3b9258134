/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two NOCs: requests, their actions at target nodes, and the responses. The farm decides when each step happens,
 * and on which thread.
 *
 * Sources: BlackholeA0/NoC/{MemoryMap,Counters,Coordinates,Atomics,Interrupts}.md, WormholeB0/NoC/Ordering.md.
 */
#ifndef NOC_NOC_H
#define NOC_NOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/fetch.h"
#include "host/zeroed.h"
#include "noc/atomic.h"
#include "noc/niu_state.h"
#include "noc/rules.h"
#include "tile/state.h"

/* The source of a write up to this length is captured at issue. A longer write captures its source at the epoch's end.
   The data of a read up to this length land at the start of the next epoch. Longer data for L1 land when all requests
   have acted. */
#define TF_NOC_CARRY_BYTES 2048u
#define TF_NOC_INLINE_LINE_BYTES 16u

/* Two kinds for tf_noc_act() besides enum tf_noc_kind: the parts of one write to L1. PART stores the granules that
   `part` has, and moves no counter. END stores the others, and moves the counters of the whole write. */
enum { TF_NOC_WRITE_PART = TF_NOC_ATOMIC + 1, TF_NOC_WRITE_END };

#define TF_NOC_GRANULE_BYTES 16u /* of L1: a write stores so many bytes in one step */

/*
 * The first granules of a write's two streams. Granules with even numbers form one stream, odd ones the other. A stream
 * lands in the order of its addresses (NoC/Ordering.md).
 */
struct tf_noc_part {
    uint16_t count[2];
};

/* Does the part of a write that begins at an address have this granule? */
static inline bool tf_noc_part_has(struct tf_noc_part part, uint64_t address, uint64_t granule)
{
    uint64_t first = address / TF_NOC_GRANULE_BYTES;
    return (granule - (first + ((first ^ granule) & 1))) / 2 < part.count[granule & 1];
}

/* The farm's part of a request or a response in flight. The delivery order of an epoch is by key, then by node. */
struct tf_noc_entry {
    struct tf_noc_entry *next;
    uint64_t key;    /* slice, rotated tile, issue number; equal in a request and its responses */
    uint16_t node;   /* the node that acts, or has acted */
    bool copy;       /* a struct tf_noc_copy: one recipient of a multicast request */
    bool settled;    /* the request holds its answer, and the source may land it */
    uint32_t result; /* a settled atomic's answer */
};

/*
 * One packet of a request; a longer request becomes several. After issue only two things change: the answer that the
 * request keeps, and the fields that the farm sets for bulk (data, to). A target usually needs only the first 64 bytes,
 * which are often in another worker's cache. A write that keeps its answer is settled before it acts, and so is a read
 * with `to`. The target clears `settled` on a fault; otherwise it writes nothing there.
 */
struct tf_noc_request {
    struct tf_noc_entry entry; /* set at issue */
    uint8_t kind;              /* enum tf_noc_kind */
    uint8_t noc;               /* 0, 1 */
    bool answered;             /* NOC_CMD_RESP_MARKED, or a read */
    bool multicast;
    bool header_store; /* NOC_PACKET_TAG_HEADER_STORE on a posted write */
    /* A unicast that touches L1 of its target alone: a write, or an unanswered atomic on word op.ofs of a line. Also
       one that keeps its answer: an atomic, or a read of up to TF_NOC_CARRY_BYTES. */
    bool l1_only;
    /* The target leaves the answer here, and the source lands it. Faults and staged data still become responses. */
    bool keeps_answer;
    uint8_t core;     /* the core that wrote NOC_CMD_CTRL: enum tf_core, or TF_FROM_NOC */
    uint64_t address; /* at the target, where it acts */
    union {
        struct tf_noc_atomic op; /* at_len_be and at_data of an atomic, decoded */
        struct {                 /* of all other kinds: */
            union {
                uint64_t byte_mask; /* of TF_NOC_WRITE_BE, or of an inline line; bit 0 belongs to address and data */
                uint8_t *to;        /* of a read: L1 where its data land without a copy, or NULL; the farm sets it */
                struct tf_noc_part part; /* of TF_NOC_WRITE_PART and TF_NOC_WRITE_END */
            };
            /* A write's data: `carried`, or the source's L1 until staged. The data of a settled read. Else NULL. */
            const uint8_t *data;
            uint32_t length; /* bytes of a read or of a write's data */
        };
    };
    union {
        struct tf_noc_request *next_kept; /* the source's next request that keeps its answer */
        struct {                          /* of a multicast: */
            uint8_t x0, y0, x1, y1;       /* rectangle in raw coordinates of the request's NOC: start, end */
            uint32_t exclude;             /* NOC_BRCST_EXCLUDE */
        };
    };
    uint64_t return_address; /* of a read's data or an atomic's result, at `answer` */
    uint64_t source_address; /* of a write's data, at the initiator */
    uint16_t source;         /* the node that issued it */
    uint16_t target;         /* the node that acts; of a multicast, the only node that answers, or TF_NO_NODE */
    uint16_t answer;         /* the node where the response lands */
    uint8_t tid;             /* NOC_PACKET_TRANSACTION_ID */
    bool source_include : 1; /* NOC_CMD_BRCST_SRC_INCLUDE */
    bool major_y : 1;        /* NOC_CMD_BRCST_XY */
    bool to_overlay : 1;     /* DeliverToReceiverOverlay: at_len_be is NOC_PACKET_TAG, and l1_only is false */
    bool reserves : 1;       /* a multicast reserves its path before its data leave (NOC_CMD_PATH_RESERVE) */
    uint32_t at_len_be;      /* of an atomic */
    uint32_t at_data;
    uint32_t pc; /* of the store to NOC_CMD_CTRL */
    uint64_t cycle;
    _Alignas(16) uint8_t carried[]; /* the data of a short write, captured at issue */
};

_Static_assert(offsetof(struct tf_noc_request, next_kept) == 64 && sizeof(struct tf_noc_request) == 128,
               "two lines of the host's cache");

/* Bytes of a node. */
struct tf_noc_range {
    uint64_t address, bytes;
};

/* The bytes of L1 that a request may change at its target. */
struct tf_noc_changes {
    struct tf_noc_range data;   /* of an atomic, its whole line; 0 bytes: none */
    struct tf_noc_range header; /* of a header store; 0 bytes: none */
    bool indirect;              /* STORE_IND, at an address that only the target knows */
};

static inline __attribute__((always_inline)) struct tf_noc_changes tf_noc_changes(const struct tf_noc_request *request)
{
    struct tf_noc_changes changes = {.indirect = false};
    if (request->kind == TF_NOC_READ)
        return changes;
    if (request->kind == TF_NOC_ATOMIC) {
        changes.data = (struct tf_noc_range){request->address & ~15ull, 16};
        changes.indirect = request->op.kind == TF_NOC_AT_STORE_IND;
        return changes;
    }
    changes.data = (struct tf_noc_range){request->address, request->length};
    if (request->header_store)
        changes.header = (struct tf_noc_range){(uint64_t)request->at_data << 4, 16};
    return changes;
}

/* The bytes of L1 that an atomic concerns: a word, or its line. Not the bytes that STORE_IND stores. */
static inline struct tf_noc_range tf_noc_atomic_range(const struct tf_noc_request *request)
{
    uint64_t line = request->address & ~15ull;
    if (tf_noc_atomic_whole_line(&request->op))
        return (struct tf_noc_range){line, 16};
    return (struct tf_noc_range){line + 4 * tf_noc_atomic_place(&request->op, (uint32_t)request->address), 4};
}

/* Find the next granule of a write inside its part (in_part), or outside of it. *at: the bytes before the granule; the
   function sets it to the bytes up to the granule's end. Returns false if there is none. */
static inline bool tf_noc_next_granule(const struct tf_noc_request *request, bool in_part, uint32_t *at,
                                       struct tf_noc_range *granule)
{
    while (*at < request->length) {
        uint64_t address = request->address + *at, left = request->length - *at;
        uint64_t whole = TF_NOC_GRANULE_BYTES - address % TF_NOC_GRANULE_BYTES;
        *granule = (struct tf_noc_range){address, left < whole ? left : whole};
        *at += (uint32_t)granule->bytes;
        if (tf_noc_part_has(request->part, request->address, address / TF_NOC_GRANULE_BYTES) == in_part)
            return true;
    }
    return false;
}

/* Take the lowest run of bits from a byte mask. Returns its length; *first: its lowest bit. */
static inline unsigned tf_noc_take_run(uint64_t *mask, unsigned *first)
{
    *first = (unsigned)__builtin_ctzll(*mask);
    uint64_t above = ~(*mask >> *first);
    unsigned run = above == 0 ? 64 - *first : (unsigned)__builtin_ctzll(above);
    *mask = *first + run == 64 ? 0 : *mask >> (*first + run) << (*first + run);
    return run;
}

enum tf_noc_answer {
    TF_NOC_READ_DATA,
    TF_NOC_WRITE_ACK,
    TF_NOC_ATOMIC_RESULT,
    TF_NOC_FAULT, /* a fault that the target found, for the initiator */
};

/* The answer of a target. It lands at a node: data first, then counters. */
struct tf_noc_response {
    struct tf_noc_entry entry; /* the request's key; the node that acted */
    uint16_t node;             /* where it lands */
    uint8_t kind;              /* enum tf_noc_answer */
    uint8_t noc, tid, core;    /* of the request */
    bool landed;               /* the data have landed, the counters have not moved */
    uint8_t category;          /* of a fault: enum tf_fault_category */
    uint32_t length;           /* bytes of data */
    uint64_t address;          /* of the data in the node, or of the fault */
    const struct tf_noc_request *request;
    union {
        const uint8_t *data; /* `carried`; NULL when they landed without a copy */
        const char *why;     /* the fault's sentence: a constant string */
    };
    uint8_t carried[];
};

struct tf_noc_sink;

/*
 * A NIU issues a packet: copy it, with payload_bytes of its data. The data are at request->data now. core, pc and cycle
 * are those of the store to NOC_CMD_CTRL. Returns TF_ACCESS_OK; or, without memory, the result of tf_noc_unissued().
 */
typedef enum tf_access tf_noc_issue(struct tf_noc_sink *sink, const struct tf_noc_request *request,
                                    uint32_t payload_bytes, unsigned core, uint32_t pc, uint64_t cycle);

/*
 * The receiver of requests and responses; the farm provides one for each worker. Memory from response() lives until the
 * responses of its epoch have landed. Returns NULL if the host has no memory. issue_simple, may be NULL: issues a short
 * packet with one target, at the cycle of the worker's tile. transact, may be NULL: performs a request whose short data
 * are still in the initiator's L1, and lands its answer. The caller counts for the initiator. Returns false if nothing
 * has happened; call issue. keeps_answers: requests that can keep their answers do, and tf_noc_land_kept() lands them.
 * Bench rows atomic-* and copy-32 pay for it. out_of_memory: set when a request or response was dropped; the farm
 * reports a fault without a core.
 */
struct tf_noc_sink {
    bool keeps_answers;
    bool out_of_memory;
    /* For debuggers, while NOC events are reported: the request that acts now, and the one whose answer lands; or
       NULL. */
    const struct tf_noc_request *acting, *landing;
    tf_noc_issue *issue, *issue_simple;
    struct tf_noc_response *(*response)(struct tf_noc_sink *sink, uint32_t payload_bytes);
    void (*respond)(struct tf_noc_sink *sink, struct tf_noc_response *response);
    bool (*transact)(struct tf_noc_sink *sink, const struct tf_noc_request *request, unsigned core);
};

/* For tf_noc_issue: the copy of a request, without its payload. */
static inline __attribute__((always_inline)) void tf_noc_request_copy(struct tf_noc_request *to,
                                                                      const struct tf_noc_request *from, unsigned core,
                                                                      uint32_t pc, uint64_t cycle)
{
    *to = *from;
    to->core = (uint8_t)core;
    to->pc = pc;
    to->cycle = cycle;
}

#define TF_L1_HOST_PAGES (TF_L1_BYTES_MAX / TF_ZEROED_PAGE_BYTES)
_Static_assert(TF_L1_HOST_PAGES % 64 == 0, "one bit for each page");

/* A node of the grid: an endpoint and its two NIUs. Number: y * grid_x + x, raw NOC 0 coordinates. */
struct tf_node {
    _Alignas(64) struct tf_coord coord;
    uint8_t kind;   /* enum tf_node_kind */
    uint8_t off;    /* enum tf_node_kind before it was fused off; the node keeps its NIUs; 0: not fused off */
    uint8_t index;  /* index of tile, channel or CPU, as in NOC_ENDPOINT_ID */
    bool serves;    /* firmware of an Ethernet tile serves the host at the moment */
    bool ports_run; /* other nodes of this site have tiles: ports of the channel whose cores were used */
    uint16_t number;
    uint16_t site; /* the node whose worker serves this one: itself, or a DRAM channel's first port */
    const struct tf_space_arch *space; /* of the chip */
    struct tf_tile *tile;              /* Tensix and Ethernet; of a DRAM tile with a core, once that was used */
    uint8_t *l1; /* the tile's; NULL in a DRAM tile, where addresses of the NOC are others than the core's */
    uint32_t l1_bytes;
    struct tf_dram *dram;      /* of a DRAM channel */
    uint64_t dram_bytes;       /* of the channel; 0 where there is none */
    struct tf_dram_core *core; /* of a DRAM tile that has one */
    struct tf_pcie *pcie;      /* of the PCIe tile that leads to the host */
    struct tf_arc *arc;
    struct tf_node *behind; /* of an ARC tile: the DRAM node that it leads to, below tf_space_arch.arc_dram_bytes */
    /* Of the epoch. A visit begins and ends with them alone (row `atomic1-inc-spread`). */
    struct tf_noc_sink *sink; /* takes requests while the tile runs; NULL: initiators wait for the next epoch */
    uint32_t issued[2];       /* packets of each NIU in this epoch, up to rules.requests_max */
    uint8_t queued[2];        /* initiators of each NIU that wait, in its queue */
    /* For the host's cache: the data of the last command of a core, or NULL. */
    const struct tf_noc_sent *last_sent;
    const uint32_t *last_words; /* of the initiator */
    struct tf_niu niu[2];
    uint64_t host_wrote[TF_L1_HOST_PAGES / 64]; /* pages of L1 that the host has written to, as bits */
};

/* Does a range lie in L1? */
static inline bool tf_node_in_l1(const struct tf_node *node, uint64_t address, uint64_t bytes)
{
    return address < node->l1_bytes && bytes <= node->l1_bytes - address;
}

/* The number of initiators in the queue of a NIU. */
static inline uint8_t *tf_niu_queued(const struct tf_niu *niu)
{
    return &niu->node->queued[niu->noc];
}

/* The handlers of the NIUs of a chip that explores other orders. */
struct tf_noc_orders {
    /* Called when a core has stored a command to a NIU with room for it. Returns true if the NIU then holds its
       commands back for a while. */
    bool (*holds_command)(struct tf_tile *tile, unsigned noc, unsigned core, uint32_t pc);
    /* Does the NIU still hold its commands back? */
    bool (*is_held)(const struct tf_tile *tile, unsigned noc);
};

struct tf_eth_routes;

struct tf_fabric {
    const struct tf_arch *arch;
    struct tf_noc_sent *sent;   /* packets decoded last, of all initiators of all NIUs */
    struct tf_noc_sent *others; /* TF_NIU_OTHERS before each of them; NULL: the host has no memory */
    struct tf_node node[TF_NODES_MAX];
    uint16_t nodes;
    uint32_t tensix[TF_GRID_Y_MAX]; /* columns of Tensix tiles, by row */
    struct tf_fast_map fast;        /* of the fast words of all tiles; port.h */
    struct tf_noc_rules rules;
    const struct tf_noc_orders *orders; /* NULL: other orders are not explored */
    const struct tf_eth_routes *routes; /* of firmware of Ethernet tiles; eth_service.h */
    const struct tf_core_maker *cores;  /* dram_core.h; NULL: cores of DRAM tiles stay in reset */
    bool delays_captures;    /* other orders are explored: writes from L1 read their source after their issue */
    struct tf_noc_port port; /* the functions of its NIUs, without a NIU */
};

/* The site that a node belongs to. */
static inline unsigned tf_site_of(const struct tf_fabric *fabric, unsigned node)
{
    return fabric->node[node].site;
}

struct tf_noc_xy {
    unsigned x, y;
};

/* The corners of a rectangle in raw coordinates. */
struct tf_noc_corners {
    struct tf_noc_xy start, end;
};

/* A multicast request in flight to one of its recipients. */
struct tf_noc_copy {
    struct tf_noc_entry entry;
    struct tf_noc_request *request;
};

/* The request of an entry in a list of requests. */
static inline struct tf_noc_request *tf_request_of(struct tf_noc_entry *entry)
{
    return entry->copy ? ((struct tf_noc_copy *)entry)->request : (struct tf_noc_request *)entry;
}

/* Prefetch the fourth entry from here. A worker's requests are consecutive in memory, mostly in the order of its lists,
   and may be in another worker's cache. Rows atomic-*, copy-32 and copy-256 pay for it (4 to 5 % on one thread).
   written: prefetch for writing. */
static inline void tf_noc_prefetch_entry(const struct tf_noc_entry *entry, bool written)
{
    const void *fetched = (const void *)((uintptr_t)entry + 4 * sizeof(struct tf_noc_request));
    if (written)
        tf_fetch_to_write(fetched);
    else
        __builtin_prefetch(fetched);
}

/* Coordinates in a register: x from bit `at` on, then y. */
#define TF_NOC_COORDINATE_BITS 6

static inline struct tf_noc_xy tf_noc_unpack_xy(uint32_t word, unsigned at)
{
    return (struct tf_noc_xy){word >> at & 63, word >> (at + TF_NOC_COORDINATE_BITS) & 63};
}

static inline uint32_t tf_noc_pack_xy(struct tf_noc_xy at)
{
    return at.x | at.y << TF_NOC_COORDINATE_BITS;
}

/* Relaxed mode: counts of requests that have acted at another tile, not yet added to the counters of its NIU. Many
   workers contend for those counters. Arrays are by `answered`. */
struct tf_noc_gathered {
    bool any;
    uint8_t noc;
    uint16_t target;
    uint32_t atomics[2], writes[2], flits[2];
    uint32_t reads, read_flits;
    uint64_t bytes;
    uint32_t result; /* of the last atomic */
};

/* Are there counts for another NIU than the target of a request? */
static inline bool tf_noc_gathered_for_other_niu(const struct tf_noc_gathered *gathered,
                                                 const struct tf_noc_request *request)
{
    return gathered->any && (gathered->target != request->target || gathered->noc != request->noc);
}

enum tf_noc_done {
    TF_NOC_NOT_DONE,
    TF_NOC_DONE,
    TF_NOC_DONE_AT_CODE, /* tf_noc_met_code() was true: the answer is outstanding, and the caller sends it */
};

/* The kinds of places that an address of a node can name. */
enum tf_noc_place {
    TF_PLACE_NOTHING,
    TF_PLACE_L1,
    TF_PLACE_DRAM,
    TF_PLACE_CORE_L1, /* of a DRAM tile's core */
    TF_PLACE_REGISTER,
    TF_PLACE_HIDDEN, /* an address space of PCIe, ARC, L2CPU or security tiles */
};

/* Why an access to registers is refused. */
#define TF_NOC_WHY_NO_WORD "register accesses must be 4 bytes at a multiple of 4"
#define TF_NOC_WHY_NO_PAGE "the host has no memory for a DRAM page"

static inline bool tf_noc_is_write(unsigned kind)
{
    return kind == TF_NOC_WRITE || kind == TF_NOC_WRITE_BE || kind == TF_NOC_WRITE_INLINE;
}

/* Virtual channels in NOC_CTRL: BlackholeA0/NoC/MemoryMap.md ("NOC_CTRL"). */
#define TF_NOC_CTRL_LINKED (1u << 6)
#define TF_NOC_CTRL_STATIC (1u << 7)
#define TF_NOC_CTRL_VC(ctrl) ((ctrl) >> 13 & 7)

struct tf_saved;

#endif
