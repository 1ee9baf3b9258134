/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two NOCs: requests as a NIU issues them, what they do at the node they name, and what comes back. When and on
 * which thread that happens is the farm's business.
 *
 * Sources: BlackholeA0/NoC/{MemoryMap,Counters,Coordinates,Atomics,Interrupts}.md, WormholeB0/NoC/Ordering.md.
 */
#ifndef NOC_NOC_H
#define NOC_NOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "noc/atomic.h"
#include "noc/endpoints.h"
#include "noc/niu.h"
#include "tile/tile.h"

enum tf_noc_kind {
    TF_NOC_READ,
    TF_NOC_WRITE,        /* by length */
    TF_NOC_WRITE_BE,     /* by byte mask, up to 64 bytes */
    TF_NOC_WRITE_INLINE, /* 4 bytes of at_data */
    TF_NOC_ATOMIC,
};

/* Writes up to this length carry their data from the moment of issue; longer ones take it when the harts stop. Data of
   reads up to this length land with the next epoch, longer ones in L1 when all requests of the epoch have acted. */
#define TF_NOC_CARRY_BYTES 2048u
#define TF_NOC_PACKET_BYTES 16384u
#define TF_NO_NODE TF_NODES_MAX

/* What the farm keeps of a request or a response under way. The order of an epoch is by key, then by node. */
struct tf_noc_entry {
    struct tf_noc_entry *next;
    uint64_t key;                /* of a request and its responses: slice, rotated tile, issue number */
    uint16_t node;               /* that acts, or has acted */
    bool copy;                   /* stands for a multicast request at one of its recipients */
    bool settled;                /* of a request that keeps its answer: the source may land it, */
    uint32_t result;             /* and if it is an atomic's, this */
};

/* One packet of a request (a request over 16 KiB is several). Fixed once submitted, beside the answer it keeps, and
   what the farm says of long data (data, to). The first 64 bytes are all that a target needs of most: often another
   worker's cache has them. Writes that keep their answer, and reads whose data go straight to where they land, are
   settled before they act, and the target takes that back if it must: it mostly writes nothing there. */
struct tf_noc_request {
    struct tf_noc_entry entry;   /* set by submit */
    uint8_t kind;                /* enum tf_noc_kind */
    uint8_t noc;                 /* 0, 1 */
    bool answered;               /* NOC_CMD_RESP_MARKED, or a read */
    bool multicast;
    bool header_store;           /* NOC_PACKET_TAG_HEADER_STORE on a posted write */
    bool plain;                  /* one target; an atomic of a word of its L1, op.ofs, unless its answer is sent; or a
                                    write to nothing but that L1 */
    bool keeps_answer;           /* the answer, but for a fault and for long data that take a detour, is left here by
                                    the target, for the source to land */
    uint8_t core;                /* that wrote NOC_CMD_CTRL: enum tf_core, or TF_FROM_NOC */
    uint64_t address;            /* where it acts, at the target */
    union {
        struct tf_noc_atomic op;     /* at_len_be and at_data of an atomic, decoded */
        struct {                     /* of all others: */
            union {
                uint64_t byte_mask;  /* of TF_NOC_WRITE_BE; address and data are those of bit 0 */
                uint8_t *to;         /* of a read: where its data go straight to, or NULL; set by the farm */
            };
            /* A write's: behind this struct, or the source's L1 until staged. A read's that keeps its answer, once
               settled. Else NULL. */
            const uint8_t *data;
            uint32_t length;         /* bytes of a read or of a write's data; 4 for inline */
        };
    };
    union {
        struct tf_noc_request *then; /* of one that keeps its answer: its source's next such one */
        struct {                     /* of multicast: */
            uint8_t x0, y0, x1, y1;  /* rectangle in raw coordinates of the request's NOC: start, end */
            uint32_t exclude;        /* NOC_BRCST_EXCLUDE */
        };
    };
    uint64_t return_address;     /* of a read's data or an atomic's result, at `answer` */
    uint64_t source_address;     /* of a write's data, at the initiator */
    uint16_t source;             /* node that issued it */
    uint16_t target;             /* node that acts on it; for multicast the one that answers when only one does */
    uint16_t answer;             /* node that the response goes to */
    uint8_t tid;                 /* NOC_PACKET_TRANSACTION_ID */
    bool source_include : 1;     /* NOC_CMD_BRCST_SRC_INCLUDE */
    bool major_y : 1;            /* NOC_CMD_BRCST_XY */
    uint32_t at_len_be;          /* of an atomic */
    uint32_t at_data;
    uint32_t pc;                 /* of the store to NOC_CMD_CTRL */
    uint64_t cycle;
    _Alignas(16) uint8_t carried[]; /* the data of a short write */
};

_Static_assert(offsetof(struct tf_noc_request, then) == 64 && sizeof(struct tf_noc_request) == 128,
               "two lines of the host's cache");

enum tf_noc_answer {
    TF_NOC_READ_DATA,
    TF_NOC_WRITE_ACK,
    TF_NOC_ATOMIC_RESULT,
    TF_NOC_FAULT, /* to the initiator: what only the target could know */
};

/* What a target sends back. Lands at a node: data first, then counters. */
struct tf_noc_response {
    struct tf_noc_entry entry;    /* the request's key; the node that acted */
    uint16_t node;                /* where it lands */
    uint8_t kind;                 /* enum tf_noc_answer */
    uint8_t noc, tid, core;       /* of the request */
    bool landed;                  /* the data have; counters have not */
    uint8_t category;             /* of a fault */
    uint32_t length;              /* of data */
    uint64_t address;             /* where data go, or what the fault concerns */
    const struct tf_noc_request *request;
    union {
        const uint8_t *data;      /* behind this struct; NULL when they went straight to where they land */
        const char *why;          /* of a fault; a constant */
    };
    uint8_t carried[];
};

struct tf_noc_sink;

/*
 * A NIU issues a packet: take a copy of it, with the core, pc and cycle (of its tile) of the store to NOC_CMD_CTRL, and
 * with payload_bytes of its data, which are at request->data now. Returns TF_ACCESS_OK; or, without memory, what
 * tf_noc_unissued() returns.
 */
typedef enum tf_access tf_noc_issue(struct tf_noc_sink *sink, const struct tf_noc_request *request,
                                    uint32_t payload_bytes, unsigned core, uint32_t pc, uint64_t cycle);

/*
 * Where requests and responses go; the farm provides one for each worker. Memory from response() lives until the
 * responses of its epoch have landed. NULL: no memory.
 * issue_simple, may be NULL: issue for a packet with one target, which is short, at the cycle of the worker's tile.
 * transact, may be NULL: performs a request whose short data are still in the initiator's L1, and lands its answer;
 * it does not count what the initiator counts. False: nothing has happened, and the request is for issue.
 * keeps_answers: requests that can keep their answers do, and are landed by tf_noc_land_kept().
 * out_of_memory: set when something had to be dropped; a fault that no core is charged with, for the farm to report.
 */
struct tf_noc_sink {
    bool keeps_answers;
    bool out_of_memory;
    tf_noc_issue *issue, *issue_simple;
    struct tf_noc_response *(*response)(struct tf_noc_sink *sink, uint32_t payload_bytes);
    void (*respond)(struct tf_noc_sink *sink, struct tf_noc_response *response);
    bool (*transact)(struct tf_noc_sink *sink, const struct tf_noc_request *request, unsigned core);
};

/* For tf_noc_issue: the copy of a request, without its payload. */
static inline __attribute__((always_inline)) void tf_noc_request_copy(struct tf_noc_request *to,
                                                                      const struct tf_noc_request *from,
                                                                      unsigned core, uint32_t pc, uint64_t cycle)
{
    *to = *from;
    to->core = (uint8_t)core;
    to->pc = pc;
    to->cycle = cycle;
}

/* A node of the grid: an endpoint and its two NIUs. Number: y * 17 + x, raw NOC 0 coordinates. */
struct tf_node {
    struct tf_coord coord;
    uint8_t kind;                /* enum tf_node_kind */
    uint8_t index;               /* tile, channel or CPU index, as in NOC_ENDPOINT_ID */
    uint16_t number;
    uint16_t unit;               /* node whose worker acts for this one (a DRAM channel's first port; else itself) */
    struct tf_tile *tile;        /* Tensix and Ethernet */
    uint8_t *l1;                 /* the tile's */
    uint32_t l1_bytes;
    struct tf_dram *dram;        /* DRAM channel */
    struct tf_pcie *pcie;        /* the PCIe tile that the host is behind */
    struct tf_arc *arc;
    struct tf_niu niu[2];
};

struct tf_fabric {
    const struct tf_arch *arch;
    struct tf_noc_sent *sent;    /* of all NIUs */
    struct tf_config config;
    struct tf_node node[TF_NODES_MAX];
    uint16_t nodes;
    uint32_t tensix[TF_GRID_Y_MAX]; /* columns of Tensix tiles, by row */
    bool shared;                 /* relaxed mode: counters and L1 are acted on by any worker */
};

/* tiles: arch's tiles with cores by index, initialised; their ports are connected. TF_OK or TF_ENOMEM. */
int tf_fabric_init(struct tf_fabric *fabric, const struct tf_arch *arch, const struct tf_config *config,
                   struct tf_tile *tiles);
void tf_fabric_fini(struct tf_fabric *fabric);

/* Nodes that a multicast request reaches, in tile order, after exclusion and source include. Returns how many; node
   must hold TF_NODES_MAX. For a unicast request: its target. A tile whose NIU has opted out is among them, and does
   nothing in tf_noc_act(): its registers may be changing while others send. */
unsigned tf_noc_recipients(const struct tf_fabric *fabric, const struct tf_noc_request *request, uint16_t *node);

/* The same of a multicast request, as columns of each of TF_GRID_Y_MAX rows. */
void tf_noc_reach(const struct tf_fabric *fabric, const struct tf_noc_request *request, uint32_t *columns);

/* HostToDeviceTLBs.md: a pattern of keep 1:0 and skip 3:2, both positive, repeats after a power of two, or must not be
   applied to an axis along which the rectangle wraps. */
bool tf_noc_pattern_fits(uint32_t fields, unsigned start, unsigned end);

/*
 * Perform a request at one node, and answer it into sink, or into the request if that keeps its answer. Touches that
 * node's unit only (memory, MMIO, slave counters of its NIU), and reads request->data. In shared mode, from any worker,
 * with host atomics.
 */
void tf_noc_act(struct tf_fabric *fabric, struct tf_noc_request *request, uint16_t node, struct tf_noc_sink *sink);

/* A multicast request on its way to one of its recipients. */
struct tf_noc_copy {
    struct tf_noc_entry entry;
    struct tf_noc_request *request;
};

/* The request that an entry of a list of requests stands for. */
static inline struct tf_noc_request *tf_request_of(struct tf_noc_entry *entry)
{
    return entry->copy ? ((struct tf_noc_copy *)entry)->request : (struct tf_noc_request *)entry;
}

/* Bring near what follows an entry, to write to it perhaps: a worker's requests lie one behind another in memory,
   mostly in the order of its lists, and may be in the cache of another by now. */
static inline void tf_noc_approach(const struct tf_noc_entry *entry, bool written)
{
    const void *ahead = (const void *)((uintptr_t)entry + 4 * sizeof(struct tf_noc_request));
    if (written)
        __builtin_prefetch(ahead, 1);
    else
        __builtin_prefetch(ahead);
}

/* Perform requests of a list, at the nodes of its entries, up to one whose key is no less. Returns how many;
   *first is the rest. */
unsigned tf_noc_act_until(struct tf_fabric *fabric, struct tf_noc_entry **first, uint64_t end_key,
                          struct tf_noc_sink *sink);

/* The response that a settled request would have had. */
void tf_noc_response_of(const struct tf_noc_request *request, struct tf_noc_response *response);

/* Bring near what a request will touch at a node. */
void tf_noc_fetch(const struct tf_fabric *fabric, const struct tf_noc_request *request, uint16_t node);

struct tf_noc_xy {
    unsigned x, y;
};

/* A pair of coordinates as software gives it, in raw coordinates of the NIU's NOC; perhaps off the grid. */
struct tf_noc_xy tf_niu_translate(const struct tf_niu *niu, unsigned x, unsigned y);

/* The node that bits 11:0 of a HI register name; TF_NO_NODE when it is off the grid. */
uint16_t tf_niu_node_of(const struct tf_niu *niu, uint32_t hi);

/* Has a tile with this NIU opted out of multicasts? */
bool tf_niu_opted_out(const struct tf_niu *niu);

/* Relaxed mode: must the owner of the node perform this request there (a register, or L1 that holds decoded code)? */
bool tf_noc_needs_owner(const struct tf_fabric *fabric, const struct tf_noc_request *request, uint16_t node);

/* Relaxed mode, after a request has acted at the node of another worker, and a fence: has that worker decoded code
   where the request may have stored? If so, it is told to drop it before its next slice. */
bool tf_noc_met_code(struct tf_fabric *fabric, const struct tf_noc_request *request, uint16_t node);

/* What requests performed at once have yet to count at the NIU of another tile that they acted through: many workers
   contend for its counters. By whether they are answered. */
struct tf_noc_gathered {
    bool any;
    uint8_t noc;
    uint16_t target;
    uint32_t atomics[2], writes[2], flits[2];
    uint32_t reads, read_flits;
    uint64_t bytes;
    uint32_t result; /* of the last atomic */
};

/* Is something gathered that was not for the NIU a request is for? */
static inline bool tf_noc_gathered_elsewhere(const struct tf_noc_gathered *gathered,
                                             const struct tf_noc_request *request)
{
    return gathered->any && (gathered->target != request->target || gathered->noc != request->noc);
}

/* Count it. */
void tf_noc_count_gathered(struct tf_fabric *fabric, struct tf_noc_gathered *gathered);

enum tf_noc_done {
    TF_NOC_NOT_DONE,
    TF_NOC_DONE,
    TF_NOC_DONE_AT_CODE, /* as tf_noc_met_code() says; the answer is awaited, and the caller's to send */
};

/* Relaxed mode, by the worker of the initiator: see tf_noc_sink. The counters of outstanding requests have been moved
   forth and back. Nothing is gathered elsewhere. What acts on the initiator's own tile is counted. What has been stored
   at another comes before all that is loaded afterwards. */
enum tf_noc_done tf_noc_transact(struct tf_fabric *fabric, const struct tf_noc_request *request,
                                struct tf_noc_gathered *gathered);

/* Land the data of a long read, and leave the counters to tf_noc_land(). Nothing happens for any other response, or
   when there is no L1 for the data. Touches that node's unit only. */
void tf_noc_land_long_read(struct tf_fabric *fabric, struct tf_noc_response *response);

/* Does L1 of a node hold decoded code in a range? */
bool tf_node_has_code(const struct tf_node *node, uint64_t address, uint64_t bytes);

/* Land a response at its node: data, then the counters of its NIU. Touches that node's unit only. */
void tf_noc_land(struct tf_fabric *fabric, const struct tf_noc_response *response);

/* Land the answers that a node's requests have kept, in order of issue; those that are not settled have none. */
void tf_noc_land_kept(struct tf_node *node, const struct tf_noc_request *first);

/* Memory of a node as plain bytes: L1 of Tensix and Ethernet tiles, DRAM. NULL when the range is not that, or no
   memory. *DRAM pages are made when `write`; an untouched page that is only read gives NULL with *zero true. */
uint8_t *tf_node_memory(struct tf_node *node, uint64_t address, uint64_t bytes, bool write, bool *zero);

/* The host's access: any range of memory, or 4 aligned bytes of a register. TF_OK, TF_ERANGE, TF_EACCESS, TF_ENOMEM. */
int tf_node_write(struct tf_fabric *fabric, struct tf_node *node, uint64_t address, const void *data, uint64_t bytes);
int tf_node_read(struct tf_fabric *fabric, struct tf_node *node, uint64_t address, void *data, uint64_t bytes);

/* Does reading there do anything? A register may react, and so may the firmware of an Ethernet tile. */
bool tf_node_heeds_read(const struct tf_node *node, uint64_t address);

/* The same for one register, seen through a NOC. NULL, or why not. */
const char *tf_node_load(struct tf_node *node, unsigned noc, uint64_t address, uint32_t *value, uint8_t *category);
const char *tf_node_store(struct tf_node *node, unsigned noc, uint64_t address, uint32_t value, uint8_t *category);

/* For tf_noc_issue, with its arguments, when there is no memory: takes back what was counted, records the fault of the
   core, and returns TF_ACCESS_FAULT. */
enum tf_access tf_noc_unissued(struct tf_fabric *fabric, const struct tf_noc_request *request, unsigned core,
                               uint32_t pc, uint64_t cycle);

/* What an address of a node is. */
enum tf_noc_place {
    TF_PLACE_NOTHING,
    TF_PLACE_L1,
    TF_PLACE_DRAM,
    TF_PLACE_REGISTER,
    TF_PLACE_ELSEWHERE, /* behind a PCIe, ARC, L2CPU or security NIU */
};

enum tf_noc_place tf_node_place(const struct tf_node *node, uint64_t address);

/* Why there is nothing at an address that is neither memory nor a register. */
const char *tf_node_why_nothing(const struct tf_node *node, uint8_t *category);

/* Bytes from address to the end of the memory that it lies in; 0 outside memory. */
uint64_t tf_node_room(const struct tf_node *node, uint64_t address);

/* NIUs, DRAM, endpoints; tiles hash themselves. */
void tf_fabric_hash(struct tf_fabric *fabric, struct tf_hash *hash);

#endif
