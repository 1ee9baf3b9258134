/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations that the files of the stub share. pid: the number of a process, from pid_of(). */
#ifndef DEBUG_GDB_PARTS_H
#define DEBUG_GDB_PARTS_H

#include <stdio.h>

#include "debug/gdb/driver.h"
#include "debug/symbols.h"
#include "farm/chip/chip.h"
#include "farm/chip/dram_tiles.h"
#include "farm/order/noc_log.h"
#include "tile/observe.h"
#include "tilefarm/tilefarm_cluster.h"

#define PACKET_BYTES 16384u
#define PROCESSES_OF_CHIP 10000u /* round, for people: those of chip n of a system begin with n * 10000 + 1 */
#define PROCESSES_MAX (TF_CLUSTER_CHIPS_MAX * PROCESSES_OF_CHIP)
_Static_assert(TF_NODES_MAX * 8u < PROCESSES_OF_CHIP, "processes of a chip");
#define CONDITION_BYTES 256u

struct tf_gdb;

struct gdb_observer {
    struct tf_observer observer;
    struct tf_gdb *gdb;
    struct gdb_chip *on;
};

struct gdb_witness {
    struct tf_noc_witness witness;
    struct tf_gdb *gdb;
    struct gdb_chip *on;
};

/* A chip, and what follows it. */
struct gdb_chip {
    unsigned number; /* in its system */
    struct tf_chip *chip;
    struct tf_symbols *symbols;
    struct gdb_observer *observer; /* by tile */
    struct gdb_witness witness;
    struct tf_dram_watch dram_tiles;
    struct tf_gdb *gdb;
    uint64_t work; /* instructions that its cores had retired at the end of its last epoch */
};

/* A process is 1 + 8 * tile + core, from the first one of its chip on. */
static inline unsigned pid_of(const struct gdb_chip *on, unsigned tile, unsigned core)
{
    return 1 + on->number * PROCESSES_OF_CHIP + 8 * tile + core;
}

/* The number of a process in its chip, from 0 on: 8 * tile + core. */
static inline unsigned process_of(unsigned pid)
{
    return (pid - 1) % PROCESSES_OF_CHIP;
}

/* Kinds of points; up to POINT_ACCESS these are the numbers of GDB's Z packets. */
enum point_kind {
    POINT_BREAK,
    POINT_HARDWARE,
    POINT_WRITE,
    POINT_READ,
    POINT_ACCESS,
    POINT_CONDITION /* a condition for the process's watchpoints at an address; it stays when GDB removes these */
};

/* A breakpoint, a watchpoint, or a condition of a process. */
struct point {
    struct point *next;
    unsigned pid;
    uint8_t kind; /* enum point_kind */
    uint32_t address, bytes;
    uint32_t last; /* of a watched register: its value, if `known` */
    bool known;
    uint8_t *condition; /* agent expressions, each after its length in 2 bytes; NULL: none */
    unsigned condition_bytes;
    unsigned number; /* for the user of a console */
};

struct tf_console;

/* What serves the user: GDB's packets, or a terminal. */
struct gdb_front {
    bool terminal;
    void (*serve)(struct tf_gdb *gdb); /* until the user lets the chip run, or leaves */
    void (*stopped)(struct tf_gdb *gdb, unsigned pid, unsigned signal, const char *reason);
    void (*say)(struct tf_gdb *gdb, const char *text); /* of a terminal */
};

#define WHO_BYTES (200u + TF_PLACE_BYTES)

/* A moment of a run, as seen by a process. pid 0: none. */
struct tf_gdb_place {
    unsigned pid;
    uint64_t instret;    /* instructions that the process has retired */
    uint64_t epoch;      /* not 0: the moment is the end of this epoch, and `instret` does not count */
    bool by_step;        /* the moment is after a step of another actor, and `steps` counts too */
    uint64_t steps;      /* tf_gdb.steps */
    bool others;         /* the last of these steps hit the watchpoint */
    uint8_t kind;        /* enum point_kind of the watchpoint that was hit there; 0: none */
    uint32_t watch;      /* its address */
    char who[WHO_BYTES]; /* a line for the user that names the accessor; "": the process itself */
};

/* A process that holds the chip as it was while the run went forward (snapshot.c). */
struct tf_checkpoint {
    int fd;        /* pipe to it */
    int pid;       /* of the host */
    uint64_t work; /* instructions that the chips had retired */
};
#define TF_CHECKPOINTS_MAX 32u

/* The state of the stub. */
struct tf_gdb {
    int listener, connection; /* file descriptors; -1: none */
    unsigned port;
    struct gdb_chip of[TF_CLUSTER_CHIPS_MAX];
    unsigned chips;
    struct gdb_chip *on; /* the chip that acts or is looked at; NULL: none is attached */
    struct tf_gdb_driver driver;
    struct point *points;
    uint8_t attached[PROCESSES_MAX / 8 + 1];  /* bits */
    unsigned current;                         /* pid that the packets g, m and Z refer to; 0: none */
    unsigned stepping;                        /* pid that executes a single step; 0: none */
    unsigned watched;                         /* pid that a watchpoint has just stopped; 0: none */
    bool by_other;                            /* an access of another actor hit that watchpoint */
    uint64_t dram_base[TF_DRAM_CHANNELS_MAX]; /* the first address of a channel that its window shows (target.c) */
    char *save;                               /* name of a file: save the chip at the end of the epoch; NULL: no */
    uint64_t until;                           /* stop at the first instruction at or after this cycle; 0: no */
    struct {                                  /* the last stop; a breakpoint there does not stop the core again */
        unsigned pid;
        uint64_t instret;
        uint32_t pc;
    } last;
    bool extended, no_ack, running, left, started;
    bool ends;                  /* GDB has ended the run */
    bool reversible;            /* the stub may fork the host's process */
    bool client;                /* that process belongs to a client of the library, and must not exit */
    bool past;                  /* this process is a fork that repeats the client's calls */
    int forward[2];             /* pipe from such a fork to the client's process; -1: none */
    void (*begins)(void *user); /* called when this process begins to repeat the client's calls */
    void *user;
    struct tf_gdb_place present;                         /* in such a fork: the place of the client's process */
    int up;                                              /* pipe to the process with the snapshot before; -1: none */
    unsigned depth;                                      /* number of snapshots */
    struct tf_checkpoint checkpoint[TF_CHECKPOINTS_MAX]; /* since this process began, in their order */
    unsigned checkpoints;
    bool stands_by;           /* this process is a checkpoint */
    bool kept;                /* a keeper of the client's state has forked this process (snapshot.c) */
    uint64_t began;           /* instructions that the chips had retired when this process began to run */
    uint64_t epochs;          /* of all chips together that have ended */
    uint64_t repeated;        /* instructions that the last way back has executed */
    struct tf_gdb_place seek; /* stop there */
    bool far;                 /* that is not in this epoch: nothing needs to be observed */
    struct tf_gdb_place end;  /* search for breakpoints up to there */
    struct tf_gdb_place hit;  /* the last breakpoint that the search found */
    struct tf_gdb_place undo; /* here GDB stopped for a step of another actor, which a step back undoes */
    uint64_t steps;      /* of actors that are no process: requests acted, responses landed, writes of the client */
    bool stepped;        /* such a step is under way; `steps` includes it */
    bool host;           /* the client writes now */
    char who[WHO_BYTES]; /* of the access that reaches a watchpoint, as in struct tf_gdb_place */
    unsigned writer;     /* pid whose access reaches a watchpoint; 0: none */
    bool stopping;       /* GDB is being served, and observers are silent */
    const char *reason;  /* of the last stop: the fields after "T05", such as "watch:20000;" */
    char watch[48];
    char in[PACKET_BYTES + 8]; /* received and not yet handled */
    size_t in_bytes;
    char out[2 * PACKET_BYTES + 8];
    const struct gdb_front *front;    /* not NULL */
    const struct tf_console *console; /* of the terminal */
    char line[512];                   /* the last command there */
    uint64_t repeats;                 /* steps that are left of `step N` there */
    unsigned points_made;
    bool over; /* the run has ended, and may be looked at */
};

/* Is there somebody to serve: GDB, or a terminal? */
static inline bool tf_gdb_is_served(const struct tf_gdb *gdb)
{
    return !gdb->left && (gdb->connection >= 0 || gdb->front->terminal);
}

/* The last number of a process; 0: there is no chip. */
static inline unsigned tf_gdb_processes(const struct tf_gdb *gdb)
{
    if (gdb->chips == 0)
        return 0;
    const struct gdb_chip *last = &gdb->of[gdb->chips - 1];
    return pid_of(last, tf_chip_tiles(last->chip), 0) - 1;
}

/* The chip of a process; NULL: there is none. */
static inline struct gdb_chip *tf_gdb_chip(struct tf_gdb *gdb, unsigned pid)
{
    const unsigned chip = (pid - 1) / PROCESSES_OF_CHIP;
    return pid != 0 && chip < gdb->chips ? &gdb->of[chip] : NULL;
}

static inline bool tf_gdb_is_attached(const struct tf_gdb *gdb, unsigned pid)
{
    return gdb->attached[pid / 8] >> pid % 8 & 1;
}

static inline void tf_gdb_set_attached(struct tf_gdb *gdb, unsigned pid, bool attached)
{
    gdb->attached[pid / 8] = (uint8_t)((gdb->attached[pid / 8] & ~(1u << pid % 8)) | (unsigned)attached << pid % 8);
}

/* A process, or none, becomes the current one, and its chip is looked at. */
static inline void tf_gdb_select(struct tf_gdb *gdb, unsigned pid)
{
    struct gdb_chip *on = tf_gdb_chip(gdb, pid);
    gdb->current = pid;
    gdb->on = on != NULL ? on : gdb->on;
}

/* "chip 1 " of a system, and "" of a single chip. */
#define TF_GDB_CHIP_BYTES 16u
static inline const char *tf_gdb_chip_text(const struct tf_gdb *gdb, const struct gdb_chip *on,
                                           char text[TF_GDB_CHIP_BYTES])
{
    text[0] = '\0';
    if (gdb->chips > 1)
        snprintf(text, TF_GDB_CHIP_BYTES, "chip %u ", on->number);
    return text;
}

#endif
