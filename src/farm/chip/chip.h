/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A chip: tiles, NOCs, and the workers that run them.
 *
 * A site is what one worker handles at a time: a node of the grid with its memory, or the three ports of a DRAM
 * channel. Sites are numbered as nodes are. A phase (run, prepare, execute) visits some sites, each by one worker.
 */
#ifndef FARM_CHIP_H
#define FARM_CHIP_H

#include <stdatomic.h>

#include "farm/chip/arena.h"
#include "farm/order/mail.h"
#include "farm/share/queue.h"
#include "farm/share/rehearse.h"
#include "farm/share/workers.h"
#include "noc/noc.h"
#include "tile/tile.h"
#include "tilefarm/tilefarm.h"

#define TF_SLOT_BYTES (2u << 20)
#define TF_SET_WORDS ((TF_NODES_MAX + 63) / 64)
#define TF_FAULTS_KEPT 1024u
#define TF_PROGRESS_S 0.1

/* A set of sites. */
struct tf_sites {
    uint64_t word[TF_SET_WORDS];
};

static inline void tf_sites_add(struct tf_sites *sites, unsigned site)
{
    sites->word[site / 64] |= 1ull << (site % 64);
}

static inline bool tf_sites_has(const struct tf_sites *sites, unsigned site)
{
    return sites->word[site / 64] >> (site % 64) & 1;
}

static inline void tf_sites_join(struct tf_sites *into, const struct tf_sites *from)
{
    for (unsigned i = 0; i < TF_SET_WORDS; i++)
        into->word[i] |= from->word[i];
}

static inline bool tf_sites_none(const struct tf_sites *sites)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < TF_SET_WORDS; i++)
        any |= sites->word[i];
    return any == 0;
}

static inline unsigned tf_sites_count(const struct tf_sites *sites)
{
    unsigned count = 0;
    for (unsigned i = 0; i < TF_SET_WORDS; i++)
        count += (unsigned)__builtin_popcountll(sites->word[i]);
    return count;
}

/* Relaxed mode: a request or a response for the site's owner to perform, or nothing but that it looks up. */
struct tf_inbound {
    struct ck_stack_entry entry;
    struct tf_noc_request *request;
    struct tf_noc_response *response;
    uint16_t node;   /* that acts */
    uint16_t source; /* node whose later requests come behind this; TF_NO_NODE: none */
};

_Static_assert(sizeof(struct tf_inbound) % _Alignof(struct tf_noc_request) == 0, "a request lies behind it");

/* What has come in at a site in an epoch, in order. */
struct tf_inbox {
    struct tf_noc_entry *oldest;
    bool gathered;
};

/* A long request of a site. */
struct tf_bulk {
    struct tf_bulk *next;
    struct tf_noc_request *request;
};

/* A multicast request of an epoch. Copies of it are made where it acts. */
struct tf_multicast {
    struct tf_multicast *next;
    struct tf_noc_request *request;
    struct tf_sites sites;         /* that it reaches */
};

struct tf_site {
    struct tf_inbox inbox;
    struct tf_noc_request *asked;  /* in this epoch, keeping their answers; in order of issue */
    struct tf_bulk *long_writes;   /* issued by this site in this epoch; their sources are in its L1 */
    struct tf_bulk *long_reads;    /* the same; their data come back to its L1 */
    struct tf_bulk *uncaptured;    /* long_writes until the tile has reached the epoch's end, then NULL */
    /* Relaxed mode. */
    struct tf_queue handed;        /* requests that only the owner may perform */
    atomic_bool woken;
    atomic_bool claimed;           /* a worker is visiting the site */
    atomic_bool quiet;
    _Atomic uint64_t visited_slice, visited_instructions; /* the tile's at its last visit, for progress */
    /* What the quiet tile waits for in L1: tf_tile_heeds(); 0 while it is not quiet. Those who look for woken sites do
       not come near it. */
    _Alignas(128) _Atomic uint64_t heeds;
    /* What its tile has asked of others and their owners have yet to do, and of which site; TF_NO_NODE: of several. */
    _Atomic uint32_t ahead;
    uint16_t ahead_at;
};

/* What a worker has for a site, from when it sends until somebody takes it. */
enum tf_mail_kind {
    TF_MAIL_REQUESTS,
    TF_MAIL_RESPONSES,   /* by the epoch's parity */
    TF_MAIL_RESPONSES_1,
    TF_MAILS,
};

/* Of an epoch that a worker took part in. */
enum {
    TF_FOUND_RUNNING = 1,          /* tiles that are not quiet */
    TF_FOUND_MULTICASTS = 2,
    TF_FOUND_READS_FOR_OTHERS = 4, /* a long read whose data go to another tile than the one that asks */
    TF_FOUND_BULK = 8,             /* a set of its own each */
    TF_FOUND_LONG_READS = 16,
    TF_FOUND_STAGED_READS = 32,
    TF_FOUND_FAULTED = 64,
};

/* What an epoch's phases found, for the calling thread; two lines, as they go there and back in each epoch. */
struct tf_found {
    _Alignas(128) uint64_t epoch;  /* number of the epoch, from 1 */
    uint64_t slice_max;            /* latest slice before which a tile became quiet */
    unsigned what;
    struct tf_sites landing;       /* where responses go */
    _Alignas(64) struct tf_sites busy; /* tiles that are not quiet, or have a NIU that waits */
    struct tf_sites sent_to;       /* targets of requests */
};

_Static_assert(sizeof(struct tf_found) == 128 && offsetof(struct tf_found, busy) == 64, "two lines");

/* The sets that few epochs need; each means something where `what` says so. */
struct tf_found_more {
    struct tf_sites bulk;          /* sources of long writes */
    struct tf_sites long_reads;    /* sources of long reads */
    struct tf_sites staged_reads;          /* where data of long reads wait to land */
    struct tf_sites faulted;       /* tiles with entries in their log */
};

/* What a worker owns while it works; padded against false sharing. */
struct tf_worker {
    _Alignas(128) struct tf_noc_sink sink;
    struct tf_chip *chip;
    unsigned number;
    bool trace_lost;               /* for want of memory */
    struct tf_found found;
    struct tf_found_more more;
    _Alignas(64) struct tf_arena arena[2];      /* requests and responses by the epoch's parity */
    struct tf_arena *now;          /* this epoch's */
    struct tf_mail *answers;       /* its responses, by site */
    _Alignas(64) struct tf_mail mail[TF_MAILS][TF_NODES_MAX]; /* by target site */
    /* The site being run. */
    struct tf_site *site;
    struct tf_tile *tile;
    uint64_t next_key;             /* of its next request, less what the slice adds */
    struct tf_noc_request **asked_end;
    struct tf_multicast *multicasts, **multicasts_end; /* of its tiles in this epoch; in the order of their issue */
    /* Host figures. */
    uint64_t instructions, slices, pages, requests, deliveries;
    uint64_t steals;
    double run_s, deliver_s;
    /* Relaxed mode. */
    struct tf_atomic_event *event; /* the atomic being performed */
    struct tf_noc_gathered gathered; /* empty between visits */
    unsigned owned;                /* the site being visited, or TF_NODES_MAX */
    uint32_t visit_slices;         /* length of a visit */
    bool sent;                     /* a tile that it has visited in this round of its sites has */
    bool talks;                    /* it counts among the talkers */
    uint64_t idle_spins, idle_sleeps;
    unsigned share_count;
    uint16_t share[TF_NODES_MAX];
    /* What is taken of its share of a shared phase, by the phase's parity: from the front, and << 16 from the back. */
    _Alignas(128) atomic_uint taken[2];
};

static inline bool tf_has_found(const struct tf_worker *worker, unsigned what)
{
    return (worker->found.what & what) != 0;
}

/* Add to one of the sets that few epochs need. */
static inline void tf_find_more(struct tf_worker *worker, unsigned what, struct tf_sites *set, unsigned site)
{
    if (!tf_has_found(worker, what))
        *set = (struct tf_sites){{0}};
    worker->found.what |= what;
    tf_sites_add(set, site);
}

/* A shared phase: all that workers need to know of it; an order to them. */
struct tf_deal {
    struct tf_sites sites;
    tf_visit *visit;
    uint8_t which;
    uint8_t turn;                  /* counts shared phases */
    uint8_t first;                 /* site with which the order of sites begins */
    uint8_t reserved;            /* last sites of a share that are not worth stealing */
    uint8_t chunk;               /* sites that their owner takes together */
    bool timed;                  /* processor time is asked for */
};

_Static_assert(sizeof(struct tf_deal) == sizeof(struct tf_order) && TF_NODES_MAX < 256, "a byte holds a site");

/* A tile's figures before a worker runs it. */
struct tf_tally {
    uint64_t instructions, slices, pages, requests;
};

struct tf_chip {
    struct tf_config config;
    const struct tf_arch *arch;
    struct tf_schedule schedule;
    uint8_t *l1;                   /* slots of TF_SLOT_BYTES, by tile */
    size_t l1_bytes;               /* of the mapping */
    struct tf_tile *tile;          /* arch's tiles with cores by index: Tensix tiles, then Ethernet tiles */
    unsigned tiles;
    struct tf_code_cache *code;
    struct tf_fabric *fabric;
    struct tf_site site[TF_NODES_MAX];
    unsigned sites;
    struct tf_sites channels;      /* those of DRAM */
    uint16_t home[TF_NODES_MAX];   /* worker of each site; apart, as sites change while workers run */
    struct tf_worker *worker;
    struct tf_workers workers;
    struct tf_topology topology;
    struct tf_task shared;          /* what workers do in a shared phase */

    /* Written in each epoch, and read by all workers. */
    _Alignas(64) uint64_t slice;   /* next slice of the chip */
    uint64_t epoch;
    uint64_t run_end;              /* slice at which the present epoch ends at the latest */
    struct tf_sites landing;       /* of the active sites, those at which responses land */
    /* The same, where they change. */
    _Alignas(64) unsigned multicasters; /* how many workers have multicasts */
    bool reads_for_others;         /* in this epoch: see TF_FOUND_READS_FOR_OTHERS */
    struct tf_multicast *multicasts[TF_WORKERS_MAX]; /* while the epoch's requests act: those of its workers */
    uint16_t border[TF_WORKERS_MAX + 1]; /* first site of each worker's range */
    /* The calling thread's. */
    _Alignas(64) uint32_t epoch_slices; /* length of the next epoch */
    struct tf_sites active;        /* sites to visit in the next epoch */
    struct tf_sites uncaptured;    /* sites that sent long writes in the last epoch */
    struct tf_sites own;           /* sites that only the calling thread may visit: they reach into the host */
    struct tf_pace {               /* of a phase: decides sharing only */
        double visit_s;            /* what a visit took lately, whoever made it */
        double gain;               /* time of all workers' visits over the time that passed, when shared */
        unsigned hold;             /* phases to take alone before sharing is tried again, */
        double hold_s;             /* but no longer than this */
    } pace[3];
    bool spread;                   /* the epoch's run was shared: sites are in the caches of all */
    double slept_through_s;        /* of phases that helpers might have shared, had they not been asleep */
    struct tf_rehearsal *rehearsal; /* NULL: workers are threads */
    double drift[TF_WORKERS_MAX];   /* by how many sites a worker's range lately began too low, times drift_weight */
    double drift_weight;            /* of shared phases of late */
    double move_s;                 /* what it lately took longer to visit a site that was stolen */
    double dealt_s;                /* when the last shared phase was dealt */
    struct tf_deal deal;

    _Alignas(64) atomic_bool stop;
    struct tf_fault *fault;        /* TF_FAULTS_KEPT */
    uint64_t faults, hazards;
    size_t fault_count;
    uint32_t entry[TF_TENSIX_TILES_MAX][TF_TILE_CORES]; /* of the last load */

    uint64_t instructions_base;
    double wall_s, cpu_s;
    double progress_s;             /* when the progress callback was last called */

    struct {                       /* relaxed mode */
        const struct tf_run_options *options;
        uint64_t limit;            /* slice at which tiles stop */
        unsigned workers;          /* that take part */
        atomic_int end;            /* enum tf_end, or -1 while running */
        _Alignas(64) atomic_uint talkers;  /* workers that lately visited a tile that sent */
        _Alignas(64) atomic_uint idle;     /* workers that found nothing to do */
        _Alignas(64) atomic_uint bell;     /* rung when a site is woken while somebody is idle */
        atomic_uint sleepers;
    } relaxed;
#ifdef TF_ASSERTS
    uint8_t claimed[TF_NODES_MAX]; /* sites that somebody is visiting */
#endif
};

/* --- access.c --- */

/* The host's accesses through one of the NOCs: tf_read() and tf_write() with a reason when there is none. Several
   registers of a Tensix tile in a row are as many accesses of 4 bytes. */
int tf_host_read(struct tf_chip *chip, unsigned node, unsigned noc, uint64_t address, void *data, size_t bytes,
                 const char **why);
int tf_host_write(struct tf_chip *chip, unsigned node, unsigned noc, uint64_t address, const void *data, size_t bytes,
                  const char **why);

/* --- memory.c --- */

/* Reserve slots of 2 MiB, untouched. NULL: no address space. */
uint8_t *tf_slots_reserve(unsigned slots, size_t *bytes);
void tf_slots_release(uint8_t *memory, size_t bytes);

/* Ask for huge pages where a tile has touched most of its slot. */
void tf_slots_promote(struct tf_chip *chip);

/* --- config.c --- */
int tf_config_check(const struct tf_config *config, struct tf_message *message);

/* --- topology.c --- */

/* Find the cores that may be used and place the workers: fills topology and cpu[workers]. */
void tf_topology_find(unsigned threads, bool pin, unsigned tiles, struct tf_topology *topology);

/* Bind the slots of tiles to the NUMA node of their home worker. */
void tf_topology_bind(struct tf_chip *chip);

/* --- epoch.c --- */

/* Run one epoch. slice_limit: not beyond this slice. Returns false when the chip is quiet and nothing is under way. */
bool tf_epoch(struct tf_chip *chip, uint64_t slice_limit);

/* A worker begins an epoch with its first site: one without any costs nothing. */
void tf_take_part(struct tf_worker *worker);

/* --- phase.c --- */

/* Before the first phase. */
void tf_phases_init(struct tf_chip *chip);

/* Visit the sites in a set with a phase, on one worker or on all. which: 0 run, 1 prepare, 2 execute. */
void tf_visit_sites(struct tf_chip *chip, const struct tf_sites *sites, tf_visit *visit, unsigned which);

/* The same, on the calling thread. */
void tf_visit_serially(struct tf_chip *chip, const struct tf_sites *sites, tf_visit *visit);

/* --- share.c --- */

/* Before phases are shared: each worker's range is about its tiles. */
void tf_sharing_init(struct tf_chip *chip);

/* Sites in the order in which their requests act in this epoch: what they send to a site is then in order already.
   Returns how many. */
unsigned tf_list_sites(const struct tf_chip *chip, const struct tf_sites *sites, uint16_t *list);

/* A shared phase begins; a visit may take so long. */
void tf_deal(struct tf_chip *chip, const struct tf_sites *sites, double visit_s);

/* How far a worker has come in a shared phase: its own share, then those of others. */
struct tf_hunt {
    const struct tf_deal *deal;
    unsigned turn;
    unsigned reserved;           /* as dealt, or less */
    unsigned looked;               /* at shares of others */
    unsigned dealt, taken, stolen; /* sites of its share, all that it has taken, and those of others */
    bool listed;
    unsigned owner, count;         /* whose share is listed */
    unsigned at, end;              /* of its own, what is taken and not yet visited */
    uint16_t list[TF_NODES_MAX];
};

void tf_hunt_begin(struct tf_hunt *hunt, const struct tf_deal *deal);

/* The next site for a worker, from its own share or a stolen one. False, once: none is left. */
bool tf_next_site(struct tf_chip *chip, unsigned worker, struct tf_hunt *hunt, unsigned *site);

/* A shared phase of so many sites has ended: borders follow who was done early. */
void tf_borders_move(struct tf_chip *chip, unsigned count, double visit_s);

/* The same: what it takes to move a site. */
void tf_move_cost_update(struct tf_chip *chip, double visit_s);

/* --- deliver.c --- */
void tf_deliver_sink(struct tf_worker *worker);

/* A new epoch begins for a worker: what it sent in the last but one is forgotten. */
void tf_deliver_begin(struct tf_worker *worker);

/* A site's run begins, and has ended. */
void tf_deliver_open(struct tf_worker *worker, unsigned site);
void tf_deliver_close(struct tf_worker *worker, unsigned site);

/* What is to land at a site: what others have answered, and answers that its own requests have kept. Each in order. */
struct tf_due {
    struct tf_noc_entry *mailed;
    const struct tf_noc_request *kept;
};

/* Of the last epoch. It stays where it is. */
struct tf_due tf_responses_due(struct tf_chip *chip, unsigned site);
/* The next response in the order of both, made of a request in *made if need be; NULL: no more. */
const struct tf_noc_response *tf_due_next(struct tf_due *due, struct tf_noc_response *made);
/* What others have answered in this epoch. */
struct tf_noc_entry *tf_answers_due(struct tf_chip *chip, unsigned site);
/* All workers have sent what they had to in this epoch. */
void tf_deliver_gather(struct tf_chip *chip);
/* The requests that came in at a site, into its inbox in order. */
void tf_inbox_fill(struct tf_worker *worker, unsigned site);
/* Time at a site up to where the chip is: before anything is done there from outside. */
void tf_bring_up_to_date(struct tf_worker *worker, unsigned site);
void tf_land_site(struct tf_worker *worker, unsigned site);
void tf_execute_site(struct tf_worker *worker, unsigned site);

/* The literal meaning of the order, on the calling thread: all requests one after another; then all responses. */
void tf_execute_serially(struct tf_chip *chip, const struct tf_sites *sources);
void tf_land_serially(struct tf_chip *chip);

/* --- bulk.c --- */

/* Before requests act: which long requests of a site must be copied on their way, and which need not. */
void tf_prepare_site(struct tf_worker *worker, unsigned site);
void tf_stage_long_writes(struct tf_worker *worker, unsigned site);
/* The tile has reached the end of the epoch in which it sent site->uncaptured: their counters move. Several calls count
   once. */
void tf_capture_long_writes(struct tf_chip *chip, unsigned site);
/* After all have acted: the data of long reads that were copied. */
void tf_land_long_reads(struct tf_worker *worker, unsigned site);

/* --- stats.c --- */

/* Retired by all cores of a tile. */
uint64_t tf_tile_instructions(const struct tf_tile *tile);

/* --- relaxed/ --- */

/* Let a worker's requests act when they are issued. */
void tf_relaxed_sink(struct tf_worker *worker);
/* Free the requests that were handed to a site and not performed before the run ended. */
void tf_relaxed_drop(struct tf_site *site);
enum tf_end tf_run_relaxed(struct tf_chip *chip, const struct tf_run_options *options);

/* --- fault_report.c --- */

/* Take the faults of tiles since the last call, in order. Returns true when one of them is no hazard. */
bool tf_faults_collect(struct tf_chip *chip);

/* --- trace.c --- */

/* Let the tiles that on_tensix is to be told of note what passes. False: no memory. */
bool tf_traces_begin(struct tf_chip *chip);
/* Tell of a tile's, or of all tiles' in order on the calling thread. */
void tf_trace_report(struct tf_worker *worker, struct tf_tile *tile);
void tf_traces_report(struct tf_chip *chip);

/* --- run.c --- */

/* Let every tile account for the time up to the chip's. */
void tf_catch_up_all(struct tf_chip *chip);

/* Let at least so many cycles pass on a chip where nothing is active. */
void tf_pass_time(struct tf_chip *chip, uint64_t cycles);

/* The slice before which a run of so many cycles must end; UINT64_MAX: there is no limit (0, or beyond all time). */
uint64_t tf_limit_slice(const struct tf_chip *chip, uint64_t cycles);

/* Is it time to call on_progress? True at most once in TF_PROGRESS_S. */
bool tf_progress_due(struct tf_chip *chip);

/* Does the awaited word have its value? */
bool tf_has_value(struct tf_chip *chip, const struct tf_run_options *options);

/* The host's clock, or that of the host which is rehearsed. */
static inline double tf_chip_seconds(const struct tf_chip *chip)
{
    return chip->rehearsal == NULL ? tf_seconds() : tf_rehearsed_seconds(chip->rehearsal);
}

/* The chip's time in cycles. */
static inline uint64_t tf_chip_cycles(const struct tf_chip *chip)
{
    return chip->slice == 0 ? 0 : tf_slice_end(&chip->schedule, chip->slice - 1);
}

/* Did a worker take part in the epoch of this number, from 1? */
static inline bool tf_took_part(const struct tf_worker *worker, uint64_t epoch)
{
    return worker->found.epoch == epoch;
}

/* The site that acts for a node. */
static inline unsigned tf_site_of(const struct tf_chip *chip, unsigned node)
{
    return chip->fabric->node[node].site;
}

static inline unsigned tf_chip_tensix_tiles(const struct tf_chip *chip)
{
    return chip->arch->tile[TF_TILE_TENSIX].tiles;
}

static inline unsigned tf_node_number(const struct tf_chip *chip, struct tf_coord coord)
{
    return (unsigned)coord.y * chip->arch->grid_x + coord.x;
}

/* What a node's tile has done so far; and what it has done since then is the worker's. */
static inline struct tf_tally tf_tally(const struct tf_node *node)
{
    return (struct tf_tally){node->tile->executed, node->tile->slice, node->tile->pages_decoded,
                             node->niu[0].requests + node->niu[1].requests};
}

static inline void tf_tally_add(struct tf_worker *worker, const struct tf_node *node, struct tf_tally before)
{
    struct tf_tally now = tf_tally(node);
    worker->instructions += now.instructions - before.instructions;
    worker->slices += now.slices - before.slices;
    worker->pages += now.pages - before.pages;
    worker->requests += now.requests - before.requests;
}

#endif
