/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of the stub share. */
#ifndef DEBUG_PARTS_H
#define DEBUG_PARTS_H

#include "debug/symbols.h"
#include "farm/chip/chip.h"
#include "farm/order/noc_log.h"
#include "tile/observe.h"

#define PACKET_BYTES 16384u
#define PROCESSES_MAX (TF_NODES_MAX * 8u)
#define CONDITION_BYTES 256u

/* A process is 1 + 8 * tile + core. */
static inline unsigned pid_of(unsigned tile, unsigned core)
{
    return 1 + 8 * tile + core;
}

enum point_kind {
    POINT_BREAK,
    POINT_HARDWARE,
    POINT_WRITE,
    POINT_READ,
    POINT_ACCESS,
    POINT_CONDITION /* of the watchpoints of its process at its address */
};

/* A breakpoint or watchpoint of a process; or a condition, which stays while GDB takes watchpoints out and in. */
struct point {
    struct point *next;
    unsigned pid;
    uint8_t kind; /* enum point_kind: the number in Z packets */
    uint32_t address, bytes;
    uint32_t last; /* value of a watched register, if `known` */
    bool known;
    uint8_t *condition; /* agent expressions, each behind its length in 2 bytes; NULL: none */
    unsigned condition_bytes;
};

struct gdb_observer {
    struct tf_observer observer;
    struct tf_gdb *gdb;
};

struct gdb_witness {
    struct tf_noc_witness witness;
    struct tf_gdb *gdb;
};

#define WHO_BYTES (200u + TF_PLACE_BYTES)

/* A place of a process, by the number of instructions that it has retired; pid 0: none. */
struct tf_gdb_place {
    unsigned pid;
    uint64_t instret;
    uint64_t steps; /* of others, up to there: tf_gdb.steps; counts only with by_step */
    bool by_step;
    bool others;         /* the watchpoint was hit by the last of these steps */
    uint8_t kind;        /* of the watchpoint that was hit there: enum point_kind; 0: none */
    uint32_t watch;      /* its address */
    char who[WHO_BYTES]; /* a line for the user: who hit it; "": the process itself */
};

struct tf_gdb {
    int listener, connection; /* -1: none */
    unsigned port;
    struct tf_chip *chip;
    struct tf_symbols *symbols;
    struct gdb_observer *observer; /* by tile */
    struct gdb_witness witness;
    struct point *points;
    bool attached[PROCESSES_MAX + 1];
    unsigned current;                         /* process that g, m, Z mean; 0: none */
    unsigned stepping;                        /* process that executes one instruction; 0: none */
    unsigned watched;                         /* process that a watchpoint has stopped just now; 0: none */
    bool by_other;                            /* and not for an access of its own */
    uint64_t dram_base[TF_DRAM_CHANNELS_MAX]; /* where the window of a channel begins (target.c) */
    char *save;                               /* file to save the chip to at the end of the epoch; NULL: none */
    uint64_t until;                           /* stop at the first instruction at or behind this cycle; 0: none */
    struct { /* GDB knows that the core stopped here: its breakpoint does not stop it again */
        unsigned pid;
        uint64_t instret;
        uint32_t pc;
    } last;
    bool extended, no_ack, running, left, started;
    bool reversible;            /* the process may fork */
    bool client;                /* the process belongs to a client, and is not to end */
    bool past;                  /* a fork of a keeper that repeats the client's calls */
    int forward[2];             /* from the past to the client's process; -1: none */
    void (*begins)(void *user); /* called when this process begins to repeat the client's calls */
    void *user;
    struct tf_gdb_place present; /* where the client's process stands, while the past runs */
    int up;                      /* leads to the snapshot before, or -1 */
    unsigned depth;              /* snapshots */
    struct tf_gdb_place seek;    /* stop there */
    struct tf_gdb_place end;     /* look for breakpoints up to there */
    struct tf_gdb_place hit;     /* the last breakpoint found */
    struct tf_gdb_place undo;    /* here GDB stopped for a step of another actor: a step back undoes it */
    uint64_t steps;      /* requests that acted, answers that landed, writes of the client; the one under way, too */
    bool stepped;        /* such a step is under way */
    bool host;           /* the client writes */
    char who[WHO_BYTES]; /* as in a place, of the access that reaches a watchpoint */
    unsigned writer;     /* the process whose access reaches a watchpoint; 0: none */
    bool stopping;       /* within a packet loop: observers are silent */
    const char *reason;  /* of the last stop, behind "T05": "watch:20000;" */
    char watch[48];
    char in[PACKET_BYTES + 8]; /* received, not handled */
    size_t in_bytes;
    char out[2 * PACKET_BYTES + 8];
};

/* --- gdb.c --- */
struct tf_tile *tf_gdb_tile(struct tf_gdb *gdb, unsigned pid, unsigned *core); /* NULL: no such process */
void tf_gdb_rearm(struct tf_gdb *gdb);                                         /* points have changed */
void tf_gdb_drop_points(struct tf_gdb *gdb);
bool tf_gdb_stands_at_breakpoint(struct tf_gdb *gdb, unsigned pid);
void tf_gdb_say(struct tf_gdb *gdb, const char *format, ...) __attribute__((format(printf, 2, 3)));

void tf_gdb_stop(struct tf_gdb *gdb, unsigned pid, unsigned signal, const char *reason);

/* --- watch.c: watchpoints --- */
static inline bool tf_watch_is(const struct point *point)
{
    return point->kind >= POINT_WRITE && point->kind <= POINT_ACCESS;
}

/* A watchpoint has been set in a tile, or its page has been dropped. */
void tf_watch_arm(struct tf_gdb *gdb, struct tf_tile *tile, struct point *point);

/* Set a condition of a process's watchpoints at an address: code of tf_gdb_compile(). No bytes: drop it. */
void tf_watch_condition(struct tf_gdb *gdb, unsigned pid, uint32_t address, const uint8_t *code, unsigned bytes);

/* A core has executed an instruction: does its access hit? Then serve GDB. True: it does. */
bool tf_watch_core(struct tf_gdb *gdb, struct tf_tile *tile, struct tf_hart *hart, const struct tf_observed *observed);

/* Has a register that GDB watches changed since the last look, in a tile or in any? If so, serve GDB. True: yes. */
bool tf_watch_registers(struct tf_gdb *gdb, struct tf_tile *tile);
bool tf_watch_all_registers(struct tf_gdb *gdb);

/* For tf_noc_witness. */
void tf_watch_begins(struct tf_noc_witness *witness);
void tf_watch_done(struct tf_noc_witness *witness, const struct tf_noc_request *request, const struct tf_node *node);

/* For tf_observer.wrote. */
void tf_watch_wrote(struct tf_observer *observer, struct tf_tile *tile, uint32_t address, uint32_t bytes,
                    enum tf_writer writer);

/* "watch:20000;" of a watchpoint, for tf_gdb_stop(). Valid until the next call. */
const char *tf_watch_reason(struct tf_gdb *gdb, unsigned kind, uint32_t address);

/* --- target.c: registers, memory, descriptions --- */
#define GDB_REGISTERS 65u /* x0..x31, pc, f0..f31; CSRs and v0..v31 follow */
bool tf_gdb_register(struct tf_gdb *gdb, unsigned pid, unsigned number, uint32_t *value);
int tf_gdb_register_number(const char *name, size_t length); /* -1: no register has that name */
bool tf_gdb_set_register(struct tf_gdb *gdb, unsigned pid, unsigned number, uint32_t value);

/* The 16 bytes of a vector register; NULL: the number is none of them, or the core has none. */
#define GDB_VECTOR_BYTES 16u
uint8_t *tf_gdb_vector(struct tf_gdb *gdb, unsigned pid, unsigned number);

/* They are about to be written. True. */
bool tf_gdb_set_vector(struct tf_gdb *gdb, unsigned pid);
bool tf_gdb_read(struct tf_gdb *gdb, unsigned pid, uint32_t address, uint8_t *data, uint32_t bytes);
bool tf_gdb_write(struct tf_gdb *gdb, unsigned pid, uint32_t address, const uint8_t *data, uint32_t bytes);

/*
 * DRAM has addresses of its own for GDB, where cores have nothing: a window of 256 MiB for each channel. It shows the
 * channel from dram_base on.
 */
#define GDB_DRAM_FIRST 0x40000000u
#define GDB_DRAM_BYTES 0x10000000u

/* The channel whose window an address is in; *at: the place in the channel. -1: it is in none. */
int tf_gdb_dram(const struct tf_gdb *gdb, uint32_t address, uint64_t *at);
char *tf_gdb_target_xml(void);                  /* to be freed */
char *tf_gdb_processes_xml(struct tf_gdb *gdb); /* likewise */

/* --- condition.c: agent expressions (GDB manual, "The GDB Agent Expression Mechanism") --- */
enum {
    TF_AGENT_ADD = 0x02,
    TF_AGENT_SUB,
    TF_AGENT_MUL,
    TF_AGENT_DIV_S,
    TF_AGENT_DIV_U,
    TF_AGENT_REM_S,
    TF_AGENT_REM_U,
    TF_AGENT_LSH,
    TF_AGENT_RSH_S,
    TF_AGENT_RSH_U,
    TF_AGENT_LOG_NOT = 0x0e,
    TF_AGENT_AND,
    TF_AGENT_OR,
    TF_AGENT_XOR,
    TF_AGENT_NOT,
    TF_AGENT_EQUAL,
    TF_AGENT_LESS_S,
    TF_AGENT_LESS_U,
    TF_AGENT_EXT,
    TF_AGENT_REF8,
    TF_AGENT_REF16,
    TF_AGENT_REF32,
    TF_AGENT_REF64,
    TF_AGENT_IF_GOTO = 0x20,
    TF_AGENT_GOTO,
    TF_AGENT_CONST8,
    TF_AGENT_CONST16,
    TF_AGENT_CONST32,
    TF_AGENT_CONST64,
    TF_AGENT_REG,
    TF_AGENT_END,
    TF_AGENT_DUP,
    TF_AGENT_POP,
    TF_AGENT_ZERO_EXT,
    TF_AGENT_SWAP,
};
#define TF_AGENT_WRITER 0xFFFFu                                       /* a register of our own: tf_gdb.writer */
bool tf_gdb_condition(struct tf_gdb *gdb, const struct point *point); /* true where it cannot be computed */

/* --- expression.c --- */

/* Compile a condition of a watchpoint at an address to at most CONDITION_BYTES. NULL: it is good; else: where it is
   not. */
const char *tf_gdb_compile(const char *text, uint32_t address, uint8_t *code, unsigned *bytes);

/* --- snapshot.c --- */

/* The chip is about to run: leave a snapshot. True: GDB has come back to it, and knows. */
bool tf_snapshot_take(struct tf_gdb *gdb);

/* GDB has left: nobody goes back any more. */
void tf_snapshot_forget(struct tf_gdb *gdb);

/* Go back by an instruction of the current process, or to the last breakpoint. Returns where there is no way back. */
void tf_snapshot_back(struct tf_gdb *gdb, bool step);

/* While GDB seeks a place: a process has retired this many instructions. True: the place is found, and GDB has been
   served. */
bool tf_snapshot_stops(struct tf_gdb *gdb, unsigned pid, uint64_t instret);

/* Others have made a step: no process executes an instruction there. */
void tf_snapshot_stepped(struct tf_gdb *gdb);

/* While breakpoints are looked for: a process is about to execute an instruction. */
void tf_snapshot_passes(struct tf_gdb *gdb, unsigned pid, uint64_t instret, bool at_breakpoint);

/* While watchpoints are looked for: one of a process was hit. */
void tf_snapshot_hit(struct tf_gdb *gdb, unsigned pid, const struct point *point);

/* --- monitor.c --- */
/* " function+offset (file:line)" of a pc into TF_PLACE_BYTES, or "". Returns the text. */
const char *tf_gdb_place(struct tf_gdb *gdb, struct tf_coord node, unsigned core, uint32_t pc, char *text);
void tf_gdb_monitor(struct tf_gdb *gdb, const char *command);

/* The tile of the current process, if it has a coprocessor; NULL after a line for the user. */
struct tf_tile *tf_gdb_tensix_tile(struct tf_gdb *gdb);

/* --- units.c: commands of the monitor --- */
void tf_gdb_show_dst(struct tf_gdb *gdb, const char *rest);
void tf_gdb_show_srca(struct tf_gdb *gdb, const char *rest);
void tf_gdb_show_srcb(struct tf_gdb *gdb, const char *rest);
void tf_gdb_show_lregs(struct tf_gdb *gdb, const char *rest);
void tf_gdb_show_cbs(struct tf_gdb *gdb, const char *rest);

#endif
