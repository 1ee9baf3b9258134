/* SPDX-License-Identifier: Apache-2.0 */
/* The checker's state of each site. Only for the files of src/races. */
#ifndef RACES_STATE_STATE_H
#define RACES_STATE_STATE_H

#include "races/clocks/clock.h"
#include "races/state/readers.h"
#include "noc/requests/order.h"
#include "races/clocks/shadow.h"
#include "tile/check.h"
#include "tile/riscv/isa/decoded.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/scalar/operands.h"
#include "tilefarm_address.h"

/* The actors of a site, by slot. The time of a core or a unit follows from its cycle (time_at()). The time of STORES or
   CONFIG is that of the core's last store that has arrived there. The time of a class of NOC requests is the number of
   a request. If a clock has that time, the request and all before it in the class are complete. */
enum {
    SLOT_CORE = 0,
    SLOT_STORES = 5,    /* a core's stores that have arrived in L1 */
    SLOT_CONFIG = 10,   /* a core's stores that have arrived in the configuration */
    SLOT_UNIT = 15,     /* units of the coprocessor, by thread */
    SLOT_CLASS = 41,    /* classes of NOC requests, by NOC and transaction id */
    SLOT_STREAMS = 201, /* a core's stores that have arrived in registers of streams */
    SLOT_PATH = 206,    /* requests of a core on a path that do the same at the recipient */
};

#define THREADS 3u

/* Actors of links have the numbers of sites from here on, one for each chip (links.c). */
#define TF_RACE_LINK_SITES 224u

/* The actor of the host's own writes: no node has this number. */
#define ACTOR_OF_HOST TF_ACTOR(TF_RACE_LINK_SITES - 1, 0)

/* The kind of a record of a packet of a link. */
#define RECORD_PACKET (TF_NOC_ATOMIC + 1)

enum request_class {
    CLASS_READ,
    CLASS_WRITE,  /* answered */
    CLASS_ATOMIC, /* answered */
    CLASS_SOURCE, /* the read of a write's source, at its initiator */
    CLASS_POSTED, /* posted writes and atomics */
    CLASSES,
};

/* Two more units, which access registers alone. */
enum { UNIT_MATRIX = TF_CHECK_UNITS, UNIT_VECTOR, UNITS };

#define SLOT_OF_UNIT(thread, unit) (SLOT_UNIT + (thread)*UNITS + (unit))

/* Three more kinds of actors use the units' slots of a thread that does not exist. */
#define SLOT_OF_PUSHED(thread) (SLOT_OF_UNIT(THREADS, 0) + (thread)) /* pushed instructions of a thread */
#define SLOT_GPRS_OF_B SLOT_OF_UNIT(THREADS, TF_CHECK_SCALAR)        /* B's stores that have arrived in GPRs */
#define SLOT_OF_COMMANDS SLOT_OF_UNIT(THREADS, TF_CHECK_MOVER)       /* the mover, for commands of B and NC */

_Static_assert(SLOT_OF_PUSHED(THREADS) <= SLOT_GPRS_OF_B, "an actor each");
_Static_assert(SLOT_OF_COMMANDS < SLOT_CLASS, "classes come after units");

#define SLOT_OF_CLASS(noc, tid, sort) (SLOT_CLASS + ((noc)*TF_NOC_TIDS + (tid)) * CLASSES + (sort))
#define SLOTS SLOT_OF_CLASS(2, 0, 0)

_Static_assert(SLOTS <= SLOT_STREAMS, "streams come after classes");

#define PATH_SLOTS (TF_RACE_SLOTS - SLOT_PATH)

/* Marks of a word of L1. A core polls it, or an atomic changes it, so that it passes on its writer's clock. */
#define MARK_SYNC 1u
/* The last write of the word was an atomic. */
#define MARK_ATOMIC 2u

/* A run of equal waits of a core or a thread, with the times of the first and of the last one. */
struct wait {
    const char *what; /* a constant string; NULL: no wait */
    uint32_t address, pc, first, last;
};

#define WAITS 16u

/* The last waits of a core or a thread: a ring. */
struct waits {
    struct wait wait[WAITS];
    uint8_t newest;
};

/* A request that accessed memory of a site. Traces in the shadow memory have its number. */
struct record {
    uint32_t actor, time;
    struct tf_stamp on_path;   /* the same as an action on its path; time 0: nothing on the path comes after it */
    struct tf_release release; /* the clock of its core at issue */
    uint32_t pc, caller;
    uint64_t cycle, address;            /* address: at the target */
    uint32_t emitted;                   /* at the issue, stores of its core up to this time had left the queue */
    struct wait waited;                 /* the last wait of its core before the issue */
    uint16_t source;                    /* node */
    uint8_t core, noc, tid, kind, sort; /* kind: enum tf_noc_kind, or RECORD_PACKET; sort: enum request_class */
    bool polls;                         /* a read of a few bytes again and again, or in a loop */
    bool mixed;                         /* the result of an atomic, on a word that may get another one's, too */
    bool tells;                         /* a packet of a few bytes, which may be a signal */
};

#define RECORDS_FIRST 64u
#define RECORDS_MAX 16384u /* a power of two; a site drops older records, and their accesses count as ordered */

/* The last records of a site: a ring. */
struct records {
    struct record *ring;
    uint32_t room;    /* a power of two */
    uint32_t count;   /* of all records so far; the number of a record is its index among them */
    uint64_t dropped; /* of these */
};

/* A request in flight. */
struct issue {
    struct record record;
    struct tf_clock *gained; /* the clock of the words that the request has read; its response passes it on */
    struct tf_clock *before; /* of a write that takes a lock: what its core knew before it looked at the word */
    uint32_t taken;          /* the value that it stores there; 0: it takes none */
    bool many;               /* a multicast: it acts at several sites */
    bool streamed;           /* a packet of a stream: no core has asked for it, and nothing is checked */
};

/* The requests that a site has issued in an epoch, in the order of issue. */
struct issues {
    struct issue *issue;
    uint32_t count, room;
    uint64_t epoch;
};

/*
 * The last requests of a core on one path and one virtual channel, by what they do there (enum tf_noc_act). Times are
 * those of the actor `slot`, of which others may have a part: after PATH_SLOTS of them, slots serve again.
 */
struct path {
    uint64_t channel; /* tf_noc_channel(); 0: none */
    uint8_t core;
    uint8_t slot[TF_NOC_ACTS];                /* SLOT_PATH and up; 0: none yet */
    uint32_t last[TF_NOC_ACTS];               /* 0: none yet */
    uint32_t issued[TF_NOC_ACTS];             /* time at which the core knew that; UINT32_MAX: not yet */
    uint32_t known[TF_NOC_ACTS][TF_NOC_ACTS]; /* of the requests of the first act: those of the second before them */
};

/* The last small NOC read of a place in the code. */
struct look {
    uint64_t address;
    uint32_t pc; /* 0: none */
    uint16_t target;
    uint8_t core;
    bool flags; /* what it reads may be flags: it is short, or a loop around the place ends by a loaded value */
};

#define LOOKS 8u

/* The last looks of a core at a word of another node, by NOC reads in a row. */
struct looked {
    uint64_t address, landing; /* landing: where the reads return it */
    struct tf_view before;     /* what the core knew before the first of them */
    uint16_t target;
    bool looks; /* no other request has come since */
};

/* A hash table of them. */
struct paths {
    struct path *path;
    uint32_t count, room; /* a power of two */
    uint32_t slots;       /* given so far */
    uint32_t time[PATH_SLOTS];
    uint8_t cores; /* those that have a path, as bits */
    struct {
        uint64_t channel; /* 0: none */
        uint8_t act;
    } issuing[TF_TILE_CORES][2]; /* by core and NOC: the last request, whose issue the core does not know of */
    struct tf_noc_transaction transaction[2];
    struct record linked[2]; /* by NOC: the last request, if its linked transaction goes on; time 0: it does not */
};

/* A register or a word that passes the clock of its writers to its readers. */
struct sync {
    uint32_t key; /* sync_key(), or the address of a word */
    bool used;
    uint8_t pollers; /* of a word: cores of its tile that wait for it in loops, as bits */
    tf_trace taken;  /* the last store of a value to a word that its core had just seen as 0; 0: none */
    uint32_t value;
    struct tf_view view;
    struct count *increments; /* the last ones (counts.c); NULL: none */
};

/* A hash table of them. */
struct syncs {
    struct sync *sync;
    uint32_t count, room; /* a power of two */
};

/* A line that may be in a core's L0 data cache. */
struct line {
    uint32_t address;  /* + 1; 0: none */
    tf_trace write[4]; /* the last write of each word when the core fetched the line */
};

#define LINES 4u
#define LINE_BYTES 16u

/* A load of a register that may not be answered yet: no instruction has used its value. */
struct unanswered {
    struct tf_view view; /* the clock of the core before the load */
    uint32_t pc;         /* of the load */
    uint8_t rd;
    bool valid; /* there is such a load */
};

/* A store that may be in the store queue. */
struct queued {
    uint32_t address, bytes;
    uint32_t attempt; /* equal for all attempts of one store, which may block; of a store to L1, its pc */
    uint32_t time;
};

#define QUEUED_MOST 4u

/* The last store to the configuration words that a reader reads. */
struct config_store {
    tf_trace trace; /* 0: none */
    uint32_t address;
};

/* The last accesses to a word of the configuration, for RDCFG, which reads any word. */
struct config_word {
    tf_trace stored;        /* by a core or the mover; 0: none */
    tf_trace pushed;        /* by an instruction */
    tf_trace read[THREADS]; /* by an RDCFG of each thread */
};

/* A load of a word whose last write, of another actor, the core did not know. before: that write; 0: none. */
struct blind_load {
    uint32_t address, pc;
    tf_trace before;
};

/* The last load from L1. If it is of a loop that waits for the word: what the core knew before the loop. */
struct spin {
    uint32_t address, pc, event;
    uint32_t seen; /* the value, if the word synchronizes */
    bool synchronizes;
    bool held; /* `before` is valid */
    struct tf_view before;
};

/* The checker's state of a core. Times are those of the core. */
struct race_core {
    struct tf_view view; /* its clock */
    struct unanswered unanswered;
    struct waits waits;
    struct queued queued[QUEUED_MOST];  /* a ring of the last stores; tf_stores_emit() says how many count */
    uint8_t last;                       /* the index of the newest one */
    uint32_t stored;                    /* time of the last store to L1 */
    uint32_t emitted;                   /* stores up to this time have left the queue */
    uint32_t arrived;                   /* stores to L1 up to this time have arrived */
    uint32_t commanded[2][TF_NOC_TIDS]; /* by NOC and transaction id: time of the last store to NOC_CMD_CTRL; 0: the
                                           NIU has accepted it */
    uint32_t configured;                /* time of the last store to the configuration; 0: the core knows that all have
                                          arrived */
    uint32_t streamed;  /* time of the last store to a register of a stream; 0: the core knows that all have arrived */
    uint32_t shared;    /* of B: time of the last store to a GPR; 0: the core knows that all have arrived */
    uint64_t mops_done; /* cycle of the last load from MOPExpanderDoneCheck; 0: none */
    uint32_t tdma;      /* time of the last store to TDMA-RISC; 0: the core knows that all have arrived */
    uint8_t newest;     /* index of the newest line */
    struct line line[LINES];
    uint64_t gprs; /* GPRs of the core's thread to which a store may be on its way, as bits; its pc and time: */
    uint32_t gpr_pc[64], gpr_time[64];
    uint32_t events; /* accesses so far */
    struct spin spin;
    struct blind_load blind;    /* the last load that does not know the word's last store, and does not wait for it */
    struct config_store setreg; /* the last store to the data of PACR_SETREG and UNPACR_NOP, if it may be on its way */
};

/* Software must leave three instructions between a write of Dst by the matrix unit and an SFPLOAD of its rows
   (SFPLOAD.md, "Instruction scheduling"): an SFPLOAD looks at these three, and has a place of its own. */
#define FRESH 4u

/* What a thread has learned of a core: the core's clock by its sum, and the times that its release adds. */
struct core_known {
    uint64_t sum;
    uint32_t time, arrived; /* time 0: nothing yet */
};

/* The checker's state of a thread of the coprocessor. Traces: 0 is none. */
struct race_thread {
    struct tf_view view;            /* its clock */
    struct core_known of_own, of_b; /* of its T core, and of B */
    struct waits waits;
    tf_trace last[UNITS];              /* the last action of each unit for this thread */
    tf_trace reads[CONFIG_READERS];    /* the last read of the configuration, by reader */
    tf_trace known[2][CONFIG_READERS]; /* by reader: the last store of a core, and of an instruction, that was compared
                                          with its reads */
    struct {
        tf_trace trace; /* the last instruction, if its results take two cycles; 0: they do not */
        uint32_t lregs; /* these results, as bits */
    } late;
    tf_trace fresh[FRESH];          /* by instruction: its write of Dst by the matrix unit; 0: none. A ring. */
    tf_trace just_written;          /* the last instruction, if it is a WRCFG; 0: it is not */
    uint32_t done[THREADS * UNITS]; /* by slot - SLOT_UNIT: the thread knows that the unit has finished up to then */
    uint32_t unpacks;               /* the readers of configuration that its UNPACR uses, as bits */
    /* Its last STALLWAIT or SEMWAIT, until an instruction that it blocks has passed the gate; block 0: none. */
    uint16_t block, conditions;
    uint8_t newest;     /* the place of the last instruction in `fresh` */
    uint8_t semaphores; /* those that its SEMWAIT waits for, as bits; 0: the wait is for `conditions` */
    /* The words of L1 that its UNPACR has read, by unpacker. */
    uint32_t blank[2]; /* the first unwritten address + 1; 0: none */
    bool filled[2];    /* it has read a written address */
    uint8_t released;  /* sides (bit 0 SrcA, bit 1 SrcB) whose bank its instruction has released */
    uint8_t banks;     /* those that the instruction at the gate has used: bit 2 * side + bank */
    struct {
        uint32_t pc, time;
        uint8_t banks; /* 0: none, or the uses are in bank_use.used */
        bool unpacks;
    } last_use;       /* of banks, by the last instruction of a run that uses the same ones */
    bool from_b;      /* B has pushed to it */
    bool reads_words; /* it has executed an RDCFG */
};

/* The rows of a register file that an instruction or a core has read. Row numbers are + 1; 0: none. */
struct read_rows {
    uint16_t blank;  /* the first row that nothing has written */
    uint16_t needed; /* the first row without a value that the result needs */
    bool filled;     /* something has written one of the rows */
};

/* The last accesses to a GPR; 0: none, or the next access has been compared with it. */
struct shared_gpr {
    tf_trace stored;        /* by B */
    tf_trace read, written; /* by an instruction */
    tf_trace result;        /* by a request of the scalar unit */
};

/* Rows of Dst whose accesses are recorded together. */
#define DST_GROUP 4u

/* The last accesses of cores to a group of rows of Dst; 0: none. */
struct dst_by_cores {
    tf_trace read, write;
};

/* What instructions have done to a bank of SrcA or SrcB; 0: nothing, or the next owner knows of it. */
struct bank_use {
    tf_trace moved;         /* the last MOVD2A or MOVD2B */
    tf_trace given;         /* the last instruction that gave the bank to the matrix unit */
    tf_trace used[THREADS]; /* the last use by an instruction of each thread; 0: none, or it has been compared */
    tf_trace cleared;       /* the last ZEROSRC or UNPACR_NOP; 0: none, or it has been compared */
};

/* The words of TDMA-RISC that cores share: CmdParams, then the data of PACR_SETREG and UNPACR_NOP. */
enum { TDMA_SETREG = 4, TDMA_WORDS = 8 };

/* Users of address counters: unpacker 0, unpacker 1, packers. */
#define ADC_USERS 3u

/* A circular buffer whose pages a stream counts: the time of each core's last load of its counters (0: none), and the
   store that has cleared both (0: none, or a core has been reported that does not know it). */
struct buffer_clock {
    uint32_t read[TF_TILE_CORES];
    tf_trace cleared;
    tf_trace counted[2]; /* the last stores of cores to the counters of pages taken out, and put in; 0: none */
    uint8_t blind[2];    /* cores that have learned of that store by loading the counter alone, as bits */
    tf_trace sent[2]; /* the last requests that wrote the counters of pages taken out, and put in; 0: none, or a core */
};

#define BUFFERS (TF_STREAMS_BYTES / TF_STREAM_BYTES)

#define FOUND_MAX 256u

#define SETTLED_BITS 6u

/* The checker's state of a site. Its first page is touched at the start of a chip, the others by what a tile does. */
struct site {
    struct tf_check check; /* must come first: the functions of the check find their site by it */
    struct tf_races *all;
    struct tf_tile *tile; /* NULL: a site without cores */
    int actor;            /* the core that stored to a register last; -1: none */
    uint16_t number;
    bool clears_banks;      /* an instruction has cleared a bank */
    uint8_t given[2][2];    /* by side and bank: threads that have not acquired the clock of its unpacker, as bits */
    uint8_t semaphores_set; /* those of the coprocessor that SEMINIT has set, or that are reported, as bits */
    uint8_t vector_seen;    /* threads whose instruction vector() has seen, as bits */
    uint8_t started;        /* cores that the host has started since the last run, as bits */
    uint8_t read_some;      /* those by whom rows were read since their last report, as bits */
    uint8_t oldest_look;
    bool lost; /* the host had no memory for some state, or there were more races than FOUND_MAX */
    uint32_t founds;
    struct tf_race *found;
    tf_trace commanded; /* the mover's last action for B and NC */
    uint64_t gprs_written[THREADS], lregs_written;
    uint64_t *written;                          /* a bit for each written word of L1; NULL: not known */
    struct config_word *config_words;           /* by bank and word; NULL: none yet */
    struct tf_cell *dst;                        /* the accesses to each group of rows of Dst; NULL: none yet */
    struct dst_by_cores *dst_by_cores;          /* the same of cores, which use these rows seldom; NULL: none yet */
    struct semaphore *semaphore[TF_SEMAPHORES]; /* those of the coprocessor (semaphores.c); NULL: it is not used yet */
    uint64_t semaphore_store[TF_TILE_CORES];    /* the last store of each core to one: its instructions before, + 1 */
    struct syncs syncs;
    struct records records;
    struct issues issues[2]; /* by the parity of the epoch */
    struct issue *acting;    /* the request that acts at the site now; NULL: none */
    struct record *latest;   /* the last request, without its release; NULL: no request yet at all. core TF_TILE_CORES:
                                none, or it has been reported or waited for */
    struct tf_view *gained[2]; /* by NOC and transaction id: clocks that responses brought; NULL: none */
    struct race_link *link;    /* of an Ethernet tile; NULL: none */
    struct paths paths;
    struct race_core core[TF_TILE_CORES];
    struct race_thread thread[THREADS];
    struct config_store config[2][CONFIG_READERS]; /* by bank and reader: of cores and the mover */
    struct config_store pushed[2][CONFIG_READERS]; /* the same, of instructions */
    struct shared_gpr gpr[THREADS][64];
    tf_trace adc_set[THREADS][ADC_USERS]; /* the last instruction of another thread that has set a thread's counters; 0:
                                             none, or it has been compared with their use */
    tf_trace tdma[TDMA_WORDS];            /* the last store to each word */
    tf_trace command[2][TF_NIU_INITIATORS]; /* by NOC: the last command, if the NIU may not have accepted it; 0: none */
    tf_trace described[2][TF_NIU_INITIATORS]; /* by NOC: the last store of a core to an initiator; 0: none */
    struct tf_shadow shadow;
    struct bank_use bank[2][2];             /* by side and bank */
    uint64_t dst_written[TF_DST_ROWS / 64]; /* rows and registers that something has written, as bits */
    uint64_t src_written[2][2 * TF_SRC_ROWS / 64];
    /* Instructions of the vector unit, by a hash (vector.c); 0: none. */
    uint32_t settled[1u << SETTLED_BITS];
    struct read_rows read_rows[2 * THREADS][TF_CHECK_FILES]; /* by thread or core: `by` of tf_check.rows() */
    struct buffer_clock buffer[BUFFERS];                     /* by stream */
    struct stream_words *stream[BUFFERS];                    /* NULL: no access yet */
    struct look look[LOOKS];
    struct looked *looked; /* by core; NULL: none yet */
    /* By slot - SLOT_CLASS: */
    uint32_t issued[SLOTS - SLOT_CLASS];  /* requests so far */
    uint32_t awaited[SLOTS - SLOT_CLASS]; /* how many of them there were when a core last knew that all were complete */
    uint32_t asked[2][CLASSES];           /* by NOC: responses to the requests issued, by class */
    uint32_t writes[2][2];                /* by NOC: writes issued, answered and posted */
    uint32_t landed[2][CLASSES];          /* by NOC: responses landed, by class */
};

#define GLANCES 256u
#define PAUSES 64u

/* A small read of a word by the host. Is it of a flag? */
struct glance {
    struct site *site; /* NULL: none */
    uint64_t word;
    uint32_t read, acts;   /* outside.reads and outside.acts at the last one */
    bool reported;         /* as a race that turns out to be none if the word is a flag */
    bool last;             /* its writer had stored nothing later */
    struct tf_view before; /* if it is reported: what the host knew before */
};

#define WORDS_SET 1024u /* a power of two */

/* The host's own accesses between runs. */
struct outside {
    bool begun;             /* a run has begun: from now on they may race */
    bool connected;         /* to other chips, whose cores know of writes to this one: nothing is checked */
    uint32_t written;       /* writes so far: the host's time */
    uint64_t epoch;         /* the cycle in which the last epoch began */
    uint32_t pauses;        /* so far */
    uint64_t cycle[PAUSES]; /* by number: when the last ones began */
    uint32_t reads;         /* so far */
    uint32_t acts;          /* writes and starts so far */
    struct glance glance[GLANCES];
    uint8_t oldest;
    uint64_t set[WORDS_SET]; /* by a hash: a word of L1 or DRAM that a small write has set, with its site; 0: none */
};

struct tf_races {
    struct tf_fabric *fabric;
    struct site *site; /* by number of its node */
    unsigned sites;
    uint64_t *written; /* of all sites */
    size_t written_bytes;
    uint64_t base;       /* the cycle whose time is 1: times have 32 bits */
    struct tf_view host; /* what the host knows of others */
    struct outside outside;
    bool strict;            /* no word may begin as 0, and a value does not show that something has written it */
    bool hosted;            /* between runs */
    struct race_copy *copy; /* what another process gives or takes; or NULL (copy.h) */
    bool quiet;             /* the last run ended as quiet, and the clock of the host does not include that yet */
};

/* Convert a cycle to the time of a core or a unit, and back. */
static inline uint32_t time_at(const struct site *site, uint64_t cycle)
{
    return cycle < site->all->base ? 1 : (uint32_t)(cycle - site->all->base) + 1;
}

static inline uint64_t cycle_at(const struct site *site, uint32_t time)
{
    return site->all->base + time - 1;
}

/* An access, and the clock of its actor: a core, a unit, or a request. */
struct who {
    const struct tf_view *view;       /* the clock of a core, or of a unit's thread; NULL: of a request */
    const struct tf_release *release; /* the clock of a request; NULL: of a core or a unit */
    const struct record *record;      /* of a request; else NULL */
    int own[2];                       /* slots whose accesses keep their order with this one; -1: none */
    tf_trace trace;                   /* the access, without its mask of bytes */
    bool write;
    const struct tf_view *answered; /* the clock of the core once its load of a register is answered; NULL: `view` */
    bool unpacks;                   /* an unpacker, or a TX queue: some of the words that it reads may be unwritten */
    const char *what;               /* how the report names the access; NULL: by its slot */
    const char *before;             /* how it names the earlier one; NULL: by its slot */
    const char *fix;                /* how to fix the race; NULL: advice() decides */
};

/*
 * The functions of each file stand in its header. Those below stay here: a file calls them that is called by theirs, so
 * their headers would close circles.
 */

/* --- cores.c --- */

/* The cores of a site's tile; 0: it has no tile. */
unsigned cores_of(const struct site *site);

/* The current time of a core. */
uint32_t core_time(const struct site *site, unsigned core);

/* --- host.c --- */

/* The host starts a core. */
void host_starts(struct site *site, unsigned core);

/* The cycle of an access of the host; 0: it is long ago. */
uint64_t host_cycle(const struct tf_races *races, tf_trace trace);

/* Forget the host's accesses. */
void host_forget(struct tf_races *races);

/* --- units.c --- */

/* A core has seen that a thread and its units are idle: join the thread's clock into the core's. */
void thread_idle(struct site *site, unsigned core, unsigned thread);

/* A core has seen that the mover has completed the core's commands. */
void mover_idle(struct site *site, unsigned core);

/* Join the clock of a thread's core into the thread's clock, as a push does. */
void thread_sync(struct site *site, unsigned thread);

/* --- registers.c --- */

/* The registers of a file that an instruction reads and writes, as bits. */
struct uses {
    uint64_t reads, writes;
};

/* Files of registers, after those of enum tf_check_file. */
enum { FILE_GPR = TF_CHECK_FILES, FILE_LREG };

/* An instruction of a thread uses registers of a file. Report reads of those that nothing has written; add the written
   ones to *written. */
void use_registers(struct site *site, unsigned t, unsigned file, struct uses uses, uint64_t *written, uint32_t pc,
                   uint64_t cycle);

/* --- polls.c: words that actors read again and again --- */

/* A core has loaded a word that synchronizes. */
void polled(struct site *site, unsigned core, uint32_t pc, uint32_t word);

/* A core is about to store to L1. Does it take a word that others take, without an atomic? */
void doubt_taking(struct site *site, struct who *who, struct tf_check_access access);

/* Advice on updates that may be lost, and on words that two cores take. It holds although both wait for the word. */
extern const char *const lost_update;
extern const char *const taken_twice;

/* The same, on a counter that a store sets back. */
extern const char *const lost_increment;

/* May two cores, with these accesses, race as they like, because both wait for the word? */
bool both_poll(const struct site *site, uint32_t word, tf_trace one, tf_trace other);

/* --- links.c --- */

/* Is a write, which a record describes, a signal for the event loop that loads the word at pc? record: NULL, or of a
   request or a packet. */
bool signals_loop(const struct site *site, const struct record *record, uint32_t pc);

/* Forget what packets knew of this chip; free the state of a link. */
void packets_forget(struct site *site);
void packets_free(struct site *site);

/* --- found.c --- */

/* Take back the races on a word between two of these cores (as bits), of reads of the host, or of NOC reads at a pc of
   a core. */
void withdraw(struct site *site, uint64_t word, unsigned cores);
void withdraw_glance(struct site *site, uint64_t word);
void withdraw_read(struct site *site, uint64_t word, const struct record *record);

/* Report a race between an earlier access and this one, once for each pair of places. before: 0 for a loose end, which
   has only one side. */
void found(struct site *site, enum tf_race_kind kind, uint64_t address, tf_trace before, const struct who *who);

#endif
