/* SPDX-License-Identifier: Apache-2.0 */
/* What the checker keeps for each site. Only for the files of src/races. */
#ifndef RACES_STATE_H
#define RACES_STATE_H

#include "races/clock.h"
#include "noc/noc.h"
#include "races/shadow.h"
#include "tile/check.h"
#include "tile/riscv/isa/decode.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/src.h"

/*
 * Actors of a site. The time of a core comes from its cycle (time_at()). Actor STORES has the time up to which the
 * core's stores have reached L1. The time of a class of requests is the number of the last request in it: when it is
 * known, all up to it are done.
 */
enum {
    SLOT_CORE = 0,
    SLOT_STORES = 5,
    SLOT_CONFIG = 10, /* its stores to the configuration that have arrived there */
    SLOT_UNIT = 15,   /* units of the coprocessor, by thread; the time is that of the cycle, too */
    SLOT_CLASS = 40,
};

#define THREADS 3u

enum request_class {
    CLASS_READ,
    CLASS_WRITE,  /* answered */
    CLASS_ATOMIC, /* answered */
    CLASS_SOURCE, /* what a write reads at its initiator */
    CLASS_POSTED, /* writes and atomics */
    CLASSES,
};

#define SLOT_OF_UNIT(thread, unit) (SLOT_UNIT + (thread)*TF_CHECK_UNITS + (unit))

#define SLOT_OF_PUSHED(thread) (SLOT_OF_UNIT(THREADS, 0) + (thread))
#define SLOT_GPRS_OF_B SLOT_OF_UNIT(THREADS, TF_CHECK_SCALAR)  /* B's stores to GPRs that have arrived there */
#define SLOT_OF_COMMANDS SLOT_OF_UNIT(THREADS, TF_CHECK_MOVER) /* the mover, for B and NC */

_Static_assert(SLOT_OF_PUSHED(THREADS) <= SLOT_GPRS_OF_B, "an actor each");
_Static_assert(SLOT_OF_COMMANDS < SLOT_CLASS, "classes come behind units");

#define SLOT_OF_CLASS(noc, tid, sort) (SLOT_CLASS + ((noc)*TF_NOC_TIDS + (tid)) * CLASSES + (sort))
#define SLOTS SLOT_OF_CLASS(2, 0, 0)

_Static_assert(SLOTS < TF_SLOT_REQUEST, "the shadow has a number for each slot");

/* A word that synchronizes, and whose last write was an atomic. */
#define MARK_SYNC 1u
#define MARK_ATOMIC 2u

/* What a core or a thread has waited for: times of the first wait, and of the last one of the same kind at once. */
struct wait {
    const char *what; /* a constant string; NULL: nothing */
    uint32_t address, pc, first, last;
};

#define WAITS 16u

struct waits {
    struct wait wait[WAITS];
    uint8_t newest;
};

/* What a request did at a site, which the shadow refers to. */
struct record {
    uint32_t actor, time;
    struct tf_release release; /* of its core, when it was issued */
    uint32_t pc, caller;
    uint64_t cycle, address;            /* that address of its target */
    struct wait waited;                 /* by its core, before */
    uint16_t source;                    /* node */
    uint8_t core, noc, tid, kind, sort; /* kind: enum tf_noc_kind */
};

#define RECORDS_FIRST 64u
#define RECORDS_MAX 16384u /* a power of two; older ones are forgotten, and so are their accesses */

struct records {
    struct record *ring;
    uint32_t room;    /* a power of two */
    uint32_t count;   /* of all that there were */
    uint64_t dropped; /* of them */
};

/* A request under way, by its place in the order of issue. */
struct issue {
    struct record record;
    struct tf_clock *gained; /* the clock of what the request has read or ended; the answer passes it on */
    bool many;               /* a multicast: several sites at once */
};

struct issues {
    struct issue *issue;
    uint32_t count, room;
    uint64_t epoch;
};

/* Requests that keep their order: one source, one way, one virtual channel. */
struct path {
    uint64_t key; /* 0: none */
    struct tf_stamp last[2];
};

#define PATHS 64u

/* A register or a word that passes on what its writers know. */
struct sync {
    uint32_t key; /* an address */
    bool used;
    struct tf_view view;
};

struct syncs {
    struct sync *sync;
    uint32_t count, room; /* a power of two */
};

/* A line of the L0 data cache: what had been written to its words when it was fetched. */
struct line {
    uint32_t address; /* + 1; 0: none */
    tf_trace write[4];
};

#define LINES 4u
#define LINE_BYTES 16u

/* What a core knew before it loaded a register whose value nothing has needed yet. */
struct unanswered {
    struct tf_view view;
    uint32_t pc; /* of the load */
    uint8_t rd;
    bool there;
};

/* A store that may be in the store queue. */
struct queued {
    uint32_t address, bytes;
    uint32_t attempt; /* equal when the same store to the address is tried again; of a store to L1, its pc */
    uint32_t time;
};

#define QUEUED_MOST 4u

/* The last store to words of the configuration that a reader reads, and its address. */
struct config_store {
    tf_trace trace; /* 0: none */
    uint32_t address;
};

struct race_core {
    struct tf_view view;
    struct unanswered unanswered;
    struct waits waits;
    struct queued queued[QUEUED_MOST]; /* the last stores, by turns; as many as tf_stores_emit() */
    uint8_t last;                      /* of these */
    uint32_t stored;                   /* time of the last store to L1 */
    uint32_t emitted;                  /* up to which stores have left the queue */
    uint32_t arrived;                  /* up to which stores to L1 have arrived */
    uint32_t commanded[2];             /* by NOC: time of the last store to NOC_CMD_CTRL */
    uint32_t configured; /* time of the last store to the configuration; 0: all have arrived, which it knows */
    uint32_t shared;     /* of the last store of B to GPRs; 0: as above */
    uint32_t tdma;       /* of the last store to TDMA-RISC; 0: all have arrived */
    uint8_t newest;      /* of the lines */
    struct line line[LINES];
    /* Stores to GPRs of the core's thread that may still be on their way. */
    uint64_t gprs;
    uint32_t gpr_pc[64], gpr_time[64];
    struct config_store setreg; /* the last store to what PACR_SETREG and UNPACR_NOP read, if it may be on its way */
};

#define CONTEXTS 8u        /* of an unpacker */
#define CONFIG_READERS 21u /* config.c */

/* A thread of the coprocessor. */
struct race_thread {
    struct tf_view view;
    struct waits waits;
    tf_trace last[TF_CHECK_UNITS];  /* what each unit did for it last */
    tf_trace reads[CONFIG_READERS]; /* of these, by reader of the configuration */
    tf_trace known[CONFIG_READERS]; /* the store that was looked at last */
    uint32_t unpacks;               /* as readers: what its UNPACR is */
    uint8_t semaphores;             /* it waits for them */
    /* What its UNPACR has read: memory that nobody has written, from an address + 1 on; and memory that is written. */
    uint32_t blank[2];
    bool filled[2];
    uint8_t released; /* sides whose bank its instruction has handed back */
    bool from_b;      /* B has pushed to it */
};

/* Rows that an instruction, or a core, has read. */
struct read_rows {
    uint16_t blank;  /* the first one that nothing has written, + 1; 0: none */
    uint16_t needed; /* the same, of rows that the result needs */
    bool filled;     /* something has written one of them */
};

/* Who has accessed a GPR last, as traces; 0: nobody, or it has met the next one. */
struct shared_gpr {
    tf_trace stored;        /* by B */
    tf_trace read, written; /* by an instruction */
    tf_trace result;        /* of a request of the scalar unit */
};

/* What is shared of TDMA-RISC: CmdParams, then what PACR_SETREG and UNPACR_NOP read. */
enum { TDMA_SETREG = 4, TDMA_WORDS = 8 };

#define FOUND_MAX 256u

struct site {
    struct tf_check check; /* first: the functions find the site by it */
    struct tf_races *all;
    uint16_t number;
    struct tf_tile *tile; /* NULL: a site without cores */
    struct race_core core[TF_TILE_CORES];
    struct race_thread thread[THREADS];
    uint8_t given[2][2]; /* by side and bank: threads that have not learned who gave it to the matrix unit */
    tf_trace commanded;  /* what the mover did last for B and NC */
    struct config_store config[2][CONFIG_READERS]; /* by bank and reader */
    struct shared_gpr gpr[THREADS][64];
    tf_trace tdma[TDMA_WORDS];              /* the last stores */
    tf_trace command[2][TF_NIU_INITIATORS]; /* of each NIU: the last ones, if they may not have been taken; 0: none */
    struct tf_shadow shadow;
    uint64_t dst_written[TF_DST_ROWS / 64]; /* rows */
    uint64_t src_written[2][2 * TF_SRC_ROWS / 64];
    uint64_t gprs_written[THREADS], lregs_written;
    uint8_t vector_seen;                                       /* threads whose instruction vector() has seen already */
    struct read_rows read_rows[TF_TILE_CORES][TF_CHECK_FILES]; /* by thread or core: `by` of tf_check.rows() */
    uint64_t *written; /* of L1, by block: words that somebody has written, as bits; NULL: not known */
    struct syncs syncs;
    struct records records;
    struct issues issues[2]; /* by the parity of the epoch */
    struct path path[PATHS];
    uint32_t issued[SLOTS - SLOT_CLASS];
    uint32_t awaited[SLOTS - SLOT_CLASS]; /* of them, when a core last knew that all were done */
    struct record *latest;      /* by class, without release; core TF_TILE_CORES: none, or told; NULL: no request yet */
    struct tf_view *gained[2];  /* of each NOC, by transaction id; NULL: nothing */
    uint32_t asked[2][CLASSES]; /* requests by kind */
    uint32_t landed[2][CLASSES]; /* answers */
    struct issue *acting;        /* the request that acts at the site */
    int actor;                   /* the core that has stored to a register last; -1: none */
    struct tf_race *found;
    uint32_t founds;
    bool lost; /* the host had no memory for some of it, or there are more races than FOUND_MAX */
};

struct tf_races {
    struct tf_fabric *fabric;
    struct site *site; /* by number of its node */
    unsigned sites;
    uint64_t base; /* the cycle whose time is 1: times have 32 bits */
    struct tf_view host;
    bool hosted; /* no run is under way */
    bool quiet;  /* the last one ended with nothing left to do, and the host has not learned of it yet */
};

/* The time of a cycle of a core or a unit, and the other way. */
static inline uint32_t time_at(const struct site *site, uint64_t cycle)
{
    return cycle < site->all->base ? 1 : (uint32_t)(cycle - site->all->base) + 1;
}

static inline uint64_t cycle_at(const struct site *site, uint32_t time)
{
    return site->all->base + time - 1;
}

/* The actor of an access: a core, a unit, or a request. */
struct who {
    const struct tf_view *view;       /* of a core, or of the thread of a unit */
    const struct tf_release *release; /* of a request */
    const struct record *record;      /* of a request */
    int own[2];                       /* slots that are ordered by themselves; -1: none */
    tf_trace trace;                   /* without bytes */
    bool write;
    const struct tf_view *answered; /* what its core will know when a load before it is answered; NULL: nothing more */
    bool unpacks;                   /* what it reads may have gaps that nobody has written */
    const char *what;               /* NULL: what its slot says */
    const char *mend;               /* NULL: what advice() says */
};

/* --- words.c: accesses to memory --- */

/* An access to a range. Reports what is not ordered. */
void touch(struct site *site, const struct who *who, uint64_t address, uint64_t bytes);

/* Is what a trace stands for ordered before the access? */
bool is_ordered(const struct site *site, const struct who *who, tf_trace trace);

/* Note a read of these bytes of a cell. A word that synchronizes keeps its first read since it was written. The next
   write asks which actors have seen the value, and a loop that polls reads it many times. */
void note_read(const struct site *site, const struct who *who, struct tf_cell *cell, bool synchronizes, unsigned bytes);

/* --- written.c --- */

bool written_begin(struct site *site);

/* Somebody has written a range. */
void note_written(struct site *site, uint64_t address, uint64_t bytes);

/* Somebody reads a range. Reports where nothing has been written. */
void read_written(struct site *site, const struct who *who, uint64_t address, uint64_t bytes);

/* Has somebody written any of it? */
bool is_written(const struct site *site, uint64_t address, uint64_t bytes);

/* --- records.c --- */

/* Keep a record, and return its trace. */
tf_trace record_add(struct site *site, const struct record *record);

/* The record of a trace of a request; NULL: forgotten. */
const struct record *record_of(const struct site *site, tf_trace trace);

void records_free(struct records *records);

/* --- syncs.c --- */

/* What a register or a word passes on. NULL: no memory. */
struct tf_view *sync_view(struct syncs *syncs, uint32_t key);

/* The same; NULL: nothing. */
struct tf_view *sync_find(const struct syncs *syncs, uint32_t key);
void syncs_free(struct syncs *syncs);

/* The key of a register for a core or, at TF_FROM_NOC, for a request; 0: it passes nothing on. */
uint32_t sync_key(unsigned core, uint32_t address, bool store);

/* --- cores.c --- */

void cores_attach(struct site *site);

/* What a core knows and has done now. The caller drops it. in_tile: for others of the tile that see its stores to L1 in
   order. */
struct tf_release core_release(struct site *site, unsigned core, uint32_t time, bool in_tile);

/* A register passes its clock to a view; or it takes a release. keep: join it with the clock of earlier writers. */
void acquire_sync(struct site *site, struct tf_view *view, uint32_t key);
void release_sync(struct site *site, const struct tf_release *release, uint32_t key, bool keep);

/* The word begins to synchronize. From now on it passes on what its last writer knew. */
void mark_sync(struct site *site, uint64_t address, uint8_t *mark, tf_trace write);

/* The time of a core now. */
uint32_t core_now(const struct site *site, unsigned core);

/* --- host.c --- */

/* The host starts a core. */
void host_starts(struct site *site, unsigned core);

/* --- units.c --- */

void units_attach(struct site *site);

/* A core knows that a thread is idle, and its units too. */
void thread_idle(struct site *site, unsigned core, unsigned thread);

/* A core knows that the mover has done what the core asked for. */
void mover_idle(struct site *site, unsigned core);

/* A thread learns what its core knows, as a pushed instruction does. */
void thread_sync(struct site *site, unsigned thread);

/* --- config.c --- */

/* A core stores to a word of the configuration, which units may still read. */
void store_config(struct site *site, unsigned core, uint32_t pc, uint32_t address, uint32_t value);

/* Auto TTSync: do instructions that a T core pushes wait for its stores of this kind (TF_TRISC_SYNC_TRACK_*)? */
bool stores_synchronized(const struct site *site, unsigned core, uint32_t track);

/* The mover writes to the configuration. */
void config_moved(struct site *site, const struct who *who, uint32_t offset, uint32_t bytes);

/* A core has loaded one: its stores that have left the queue have arrived. */
void config_loaded(struct site *site, unsigned core);

/* A thread has waited for its core's stores. */
void config_awaited(struct site *site, unsigned thread);

/* A unit is at work for a thread, whose instruction at the gate has read the configuration. */
void config_read(struct site *site, unsigned thread, enum tf_check_unit unit);

/* An instruction has passed the gate of a thread, and has acted. */
void config_passed(struct site *site, unsigned thread, uint32_t word, uint32_t pc);

/* --- registers.c --- */

void registers_attach(struct site *site);

/* An instruction has passed the gate of a thread, and has acted. */
void registers_passed(struct site *site, unsigned thread, uint32_t word, uint32_t pc, uint64_t cycle);

/* What an instruction reads and writes, as masks by number. */
struct uses {
    uint64_t reads, writes;
};

/* Files of registers, behind those of enum tf_check_file. */
enum { FILE_GPR = TF_CHECK_FILES, FILE_LREG };

/* An instruction of a thread uses registers: report those that nothing has written. */
void use_registers(struct site *site, unsigned t, unsigned file, struct uses uses, uint64_t *written, uint32_t pc,
                   uint64_t cycle);

/* A register that nothing has written is read. */
void blank_register(struct site *site, unsigned by, unsigned file, unsigned number, uint32_t pc, uint64_t cycle);

/* A core stores to a GPR. */
void gpr_written(struct site *site, unsigned core, uint32_t address);

/* A core has loaded a register. */
void register_loaded(struct site *site, unsigned core, uint32_t pc, uint32_t address);

/* --- gprs.c --- */

/* An instruction of a thread has passed and uses GPRs. */
void gprs_passed(struct site *site, unsigned t, struct uses uses, uint32_t word, uint32_t pc, uint64_t cycle);

/* A core stores to a GPR, or has loaded it. */
void gpr_stored(struct site *site, unsigned core, uint32_t pc, uint32_t address);
void gpr_loaded(struct site *site, unsigned core, uint32_t pc, uint32_t address);

/* --- commands.c --- */

/* A core stores to a register of a NIU, at Blackhole's offset, or has loaded one. */
void command_stored(struct site *site, unsigned core, uint32_t pc, uint32_t address, uint32_t offset);
void command_loaded(struct site *site, uint32_t address, uint32_t offset, uint32_t value);

/* A NIU has taken all commands. */
void commands_taken(struct site *site, unsigned noc);

/* --- tdma.c --- */

/* A core stores to a register of TDMA-RISC, or has loaded one. */
void tdma_stored(struct site *site, unsigned core, uint32_t pc, uint32_t address);
void tdma_loaded(struct site *site, unsigned core, uint32_t address, uint32_t value);

/* All stores of a core to TDMA-RISC have arrived. */
void tdma_arrived(struct race_core *of);

/* An instruction has passed the gate of a thread. */
void tdma_passed(struct site *site, unsigned t, uint32_t word, uint32_t pc, uint64_t cycle);

/* --- vector.c --- */

void vector_attach(struct site *site);

/* An instruction of the vector unit has passed the gate of a thread, and has acted. */
void lregs_passed(struct site *site, unsigned t, uint32_t word, uint32_t pc, uint64_t cycle);

/* --- spin.c --- */

/* Is the load at pc in a loop that waits for the word? */
bool spins(const struct tf_tile *tile, uint32_t pc);

/* The instruction at pc. False: it cannot be read. */
bool insn_at(const struct tf_tile *tile, uint32_t pc, struct tf_rv_insn *insn);

/* --- unanswered.c --- */

/* What a core knows for certain when it accesses L1 at pc. */
const struct tf_view *known_at(struct site *site, unsigned core, uint32_t pc);

/* A core has loaded a register at pc, and knew `before` until then, which is taken. */
void loaded_register(struct site *site, unsigned core, uint32_t pc, struct tf_clock *before);

/* All loads of a core are answered. */
void loads_answered(struct race_core *of);

/* --- waits.c --- */

void note_wait(struct waits *waits, const char *what, uint32_t address, uint32_t pc, uint32_t time);

/* The last one that began up to a time. */
struct wait last_wait(const struct waits *waits, uint32_t time);

/* What a load of a register that passes something on waits for. */
const char *register_waited(uint32_t address);

/* --- found.c --- */

/* Has a race been found in which the place of a request takes part? Between epochs. */
bool is_in_race(const struct tf_races *races, const struct record *record);

/* before: 0 of a loose end, which has one side. */
void found(struct site *site, enum tf_race_kind kind, uint64_t address, tf_trace before, const struct who *who);

#endif
